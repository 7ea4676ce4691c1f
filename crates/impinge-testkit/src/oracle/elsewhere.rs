//! Decides whether two triangles of one mesh meet elsewhere than in their shared corners and edges: computes
//! the set S n T itself, in integers, and compares it with the shared part.
//!
//! The method is independent of the library's, so that it disagrees if the library is wrong: no orientation
//! predicate, and no case for the number of shared corners. T is always an intersection of half-spaces:
//!
//! * a triangle is that of two for its plane and three for its sides;
//! * a segment is that of six for its line and two for its ends;
//! * a point is that of six, and two more that contain everything.
//!
//! The closed polygon S, a cycle of points, is cut with one half-space after the other (Sutherland and
//! Hodgman 1974). The hull of the remaining points is S n T. It is a subset of the shared vertices and edges
//! if and only if one of these contains all of the points: a convex subset of a triangle's sides lies in one
//! of them.
use super::{Int, corners, terms};
use impinge::Pose;
use num_bigint::BigInt;
use std::cmp::Ordering;

/// (x, y, z) / w, w > 0.
type HomogeneousPoint<I> = [I; 4];
/// Points with n . x >= d.
type HalfSpace<I> = ([I; 3], I);

/// True if the closed triangles `s` and `t` meet elsewhere than in the hulls of one or two points that are
/// corners of both. Without such points, true if they meet.
///
/// A degenerate triangle is a segment or a point. All input must be finite.
pub fn meet_elsewhere(s: &[[f64; 3]; 3], t: &[[f64; 3]; 3]) -> bool {
    let still = &Pose::IDENTITY;
    let exact = std::array::from_fn(|axis| terms(s, still, t, still, axis));
    // Axes have separate units, which do not affect the result.
    let small = corners::<i128>(&exact).and_then(|at| decide(&at));
    let answer = small.or_else(|| corners::<BigInt>(&exact).and_then(|at| decide(&at)));
    answer.unwrap_or_else(|| unreachable!("big integers do not overflow"))
}

fn decide<I: Int>(at: &[[I; 6]; 3]) -> Option<bool> {
    let corner = |i: usize| at.each_ref().map(|axis| axis[i].clone());
    let (s, t) = ([0, 1, 2].map(corner), [3, 4, 5].map(corner));
    let one = I::from_i128(1);
    let mut polygon: Vec<HomogeneousPoint<I>> =
        s.iter().map(|[x, y, z]| [x.clone(), y.clone(), z.clone(), one.clone()]).collect();
    for half_space in half_spaces(&t)? {
        polygon = cut(&polygon, &half_space)?;
    }
    if polygon.is_empty() {
        return Some(false);
    }
    // Pairs of shared corners, a corner paired with itself among them.
    let shared: Vec<&[I; 3]> = s.iter().filter(|v| t.contains(v)).collect();
    for p in &shared {
        for q in &shared {
            let mut all = true;
            for x in &polygon {
                all = all && on_segment(p, q, x)?;
            }
            if all {
                return Some(false);
            }
        }
    }
    Some(true)
}

fn half_spaces<I: Int>(t: &[[I; 3]; 3]) -> Option<Vec<HalfSpace<I>>> {
    let zero = I::from_i128(0);
    let mut all = Vec::new();
    let through = |n: [I; 3], p: &[I; 3]| Some((n.clone(), dot(&n, p)?));
    let opposite = |(n, d): &HalfSpace<I>| Some((negative(n)?, d.negative()?));
    let n = cross(&minus(&t[1], &t[0])?, &minus(&t[2], &t[0])?)?;
    if n.iter().any(|x| *x != zero) {
        let plane = through(n.clone(), &t[0])?;
        all.push(opposite(&plane)?);
        all.push(plane);
        for i in 0..3 {
            let (a, b) = (&t[i], &t[(i + 1) % 3]);
            all.push(through(cross(&n, &minus(b, a)?)?, a)?);
        }
        return Some(all);
    }
    // The ends of the segment: lexicographic order is the order along a line.
    let (a, b) = (t.iter().min()?, t.iter().max()?);
    let direction = minus(b, a)?;
    let unit = |k: usize| -> [I; 3] { std::array::from_fn(|i| I::from_i128(i128::from(i == k))) };
    for k in 0..3 {
        // All points of a line have the same moments. For a point its coordinates serve instead.
        let n = if a == b { unit(k) } else { cross(&direction, &unit(k))? };
        let plane = through(n, a)?;
        all.push(opposite(&plane)?);
        all.push(plane);
    }
    all.push(opposite(&through(direction.clone(), b)?)?);
    all.push(through(direction, a)?);
    Some(all)
}

/// The part of a closed polygon in a half-space.
fn cut<I: Int>(polygon: &[HomogeneousPoint<I>], (n, d): &HalfSpace<I>) -> Option<Vec<HomogeneousPoint<I>>> {
    let mut heights = Vec::with_capacity(polygon.len());
    for [x, y, z, w] in polygon {
        heights.push(dot(n, &[x.clone(), y.clone(), z.clone()])?.minus(&d.times(w)?)?);
    }
    let mut out = Vec::new();
    for i in 0..polygon.len() {
        let next = (i + 1) % polygon.len();
        let (of_i, of_next) = (heights[i].sign(), heights[next].sign());
        if of_i.is_ge() {
            out.push(polygon[i].clone());
        }
        if of_i.is_gt() && of_next.is_lt() || of_i.is_lt() && of_next.is_gt() {
            // |h'| x + |h| x' has height 0 and a positive weight.
            let (h, g) = (heights[i].magnitude()?, heights[next].magnitude()?);
            let mut point = Vec::with_capacity(4);
            for (x, y) in polygon[i].iter().zip(&polygon[next]) {
                point.push(g.times(x)?.plus(&h.times(y)?)?);
            }
            out.push(point.try_into().ok()?);
        }
    }
    Some(out)
}

fn on_segment<I: Int>(p: &[I; 3], q: &[I; 3], [x, y, z, w]: &HomogeneousPoint<I>) -> Option<bool> {
    let weighted = |v: &[I; 3]| Some([v[0].times(w)?, v[1].times(w)?, v[2].times(w)?]);
    let x = [x.clone(), y.clone(), z.clone()];
    let (to_p, to_q) = (minus(&weighted(p)?, &x)?, minus(&weighted(q)?, &x)?);
    let zero = I::from_i128(0);
    Some(cross(&to_p, &to_q)?.iter().all(|c| *c == zero) && dot(&to_p, &to_q)?.sign() != Ordering::Greater)
}

fn minus<I: Int>(a: &[I; 3], b: &[I; 3]) -> Option<[I; 3]> {
    Some([a[0].minus(&b[0])?, a[1].minus(&b[1])?, a[2].minus(&b[2])?])
}
fn negative<I: Int>(a: &[I; 3]) -> Option<[I; 3]> {
    Some([a[0].negative()?, a[1].negative()?, a[2].negative()?])
}
fn dot<I: Int>(a: &[I; 3], b: &[I; 3]) -> Option<I> {
    a[0].times(&b[0])?.plus(&a[1].times(&b[1])?)?.plus(&a[2].times(&b[2])?)
}
fn cross<I: Int>(a: &[I; 3], b: &[I; 3]) -> Option<[I; 3]> {
    let minor = |i: usize, j: usize| a[i].times(&b[j])?.minus(&a[j].times(&b[i])?);
    Some([minor(1, 2)?, minor(2, 0)?, minor(0, 1)?])
}
