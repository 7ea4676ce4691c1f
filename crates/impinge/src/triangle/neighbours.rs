//! Test of two triangles of one mesh that have corners in common for further common points.
//!
//! # Definition
//! Corners are common if their coordinates are equal, whatever their indices. Let C be the common corner
//! *points* of triangles S and T, and F the union of the hulls of one and of two of them: the shared vertices
//! and edges. The pair counts if S n T is not a subset of F. All three are closed sets, and a degenerate
//! triangle is the segment or the point that its corners span. Without common corners F is empty: the pair
//! counts if S and T meet.
//!
//! # Three common points
//! S = T. If the points are on one line, S is the hull of two of them, a subset of F, and the pair does not
//! count. Else S has an area, which F has not: it counts.
//!
//! # Two common points, p and q
//! If S has no third corner point it is the segment pq, a subset of F, and the pair does not count; the same
//! holds for T. Else let a and b be the third corners; neither is p or q.
//! * Not coplanar: the planes of S and T have the line pq in common, and S has the edge pq of it. It does not
//!   count.
//! * Both have area, in one plane: with a and b strictly on one side of pq, S and T have interior points in
//!   common beside pq, and it counts. With a and b on different sides S n T is pq, and it does not.
//! * One has area, the other lies on the line pq, and the first has only pq of that line: it does not count.
//! * All on one line: both are intervals that hold pq. S n T is more if a and b both lie beyond p, or both
//!   beyond q.
//!
//! # One common point, p
//! Then F = {p}. Let S be the hull of p, a, b, and T the hull of p, c, d. S is a *cone at p* if p does not
//! lie on the segment ab, and T if p does not lie on cd. Triangles with area are cones at p. Segments with
//! a = b other than p are cones at p, too. For two cones at p,
//!
//! > S and T meet beyond p if and only if ab meets T or cd meets S.
//!
//! * *If*: p lies neither on ab nor on cd, so that the common point is not p.
//! * *Only if*: let x be a point of both, other than p. It lies on a ray from p. S has a part of that ray up
//!   to some point y, and T up to some z, both x or later. Points of S are p + l (a - p) + k (b - p) with l,
//!   k >= 0 and l + k <= 1. In y the sum l + k is 1, else S would reach further. So y lies on ab, and in the
//!   same way z on cd. The first of y and z lies in both triangles.
//!
//! Every other triangle with corners p, a, b lies on a line, or in a point. It is the union of its *legs*,
//! the segments from p to a and from p to b, without those of length 0. Two unions meet beyond p if a part of
//! the one and a part of the other do.
//!
//! # The filter
//! It proves that pairs do not count, which is so for nearly all neighbours. Let a, b, c, d be relative to p
//! now, and m the largest of their coordinates in size. If some w has w . a, w . b >= 0 > w . c, w . d, then
//! S and T meet in p alone: a point x = l a + k b = l' c + k' d of both, other than 0, would have w . x >=
//! 0 > w . x. The same holds with the signs or the two triangles exchanged. These w are tried in turn:
//! * the direction from the mean of the one to that of the other, both scaled to one length (of the horse's
//!   80,799 pairs 91 in 100 end here, 99 with the normals);
//! * w = n = a x b, the normal, where w . a = w . b = 0 (with w = -n for the other sign); and T's;
//! * the normals of the planes through an edge at p, perpendicular to the triangle: w = a x n and n x b,
//!   where w . a = 0 or w . b = 0 and the other is -|n|^2; so w . c = n . (c x a) and n . (b x c): for fans
//!   in one plane; and T's.
//!
//! With two common corners, p and q, let n and n' be the normals of p q a and p q b. Where all four lie in
//! one plane and the pair counts, n . n' > 0 or n = n' = 0. So n . n' < 0 is enough to prove that it does not
//! count, as is an orientation value (orient3d) that is not 0.
//!
//! Coordinates relative to p are within u of themselves. For w as a given vector w . x rounds 3 monomials 4
//! times each, 4 u of each; the filter takes 16 u. An orientation value has 6 monomials of 3 differences, 2
//! roundings in the cross product and 3 after it: 48 u m^3; it takes 64 u. The numbers n . n' and n . (a x c)
//! have 12 monomials of 4 differences, 2 roundings in each cross product, a product and 2 sums: 132 u m^4; it
//! takes 160 u. The bounds hold for m in [2^-200, 2^200]: what underflows is off by 2^-1074 m^2 at most, far
//! less than the excess; and nothing overflows. Outside of that range nothing is decided here.
use crate::{
    exact,
    triangle::decide::Poses,
    vector::{Triangle, UNIT, Vector, cross, dot, sub},
};

/// The corners that two triangles have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SharedCorners {
    /// No corner.
    Nothing,
    /// Two corners, and one of the triangles is the segment between them.
    Contained,
    /// One corner, and the two others of each.
    One(Vector, [[Vector; 2]; 2]),
    /// Two corners, and the third of each.
    Two([Vector; 2], [Vector; 2]),
    /// All three corners.
    All,
}

impl SharedCorners {
    /// The common corners of two triangles.
    #[inline(always)]
    pub(crate) fn of(s: &Triangle, t: &Triangle) -> Self {
        let mut found = 0_u32;
        for k in 0..9 {
            // -0.0 is 0.0. One coordinate of all nine pairs first: it excludes nearly all pairs that differ.
            found |= u32::from(s[k / 3][0] == t[k % 3][0]) << k;
        }
        let mut left = found;
        while left != 0 {
            let k = left.trailing_zeros() as usize;
            left &= left - 1;
            let (v, w) = (&s[k / 3], &t[k % 3]);
            found &= !(u32::from(v[1] != w[1] || v[2] != w[2]) << k);
        }
        let rows = [found & 7, found >> 3 & 7, found >> 6].map(|row| u32::from(row != 0));
        let rows = rows[0] | rows[1] << 1 | rows[2] << 2;
        let columns = (found | found >> 3 | found >> 6) & 7;
        match (found.count_ones(), rows.count_ones(), columns.count_ones()) {
            (0, ..) => Self::Nothing,
            (1, ..) => {
                let (i, j) = (rows.trailing_zeros() as usize, columns.trailing_zeros() as usize);
                let others = |t: &Triangle, i: usize| [t[(i + 1) % 3], t[(i + 2) % 3]];
                Self::One(s[i], [others(s, i), others(t, j)])
            }
            (2, 2, 2) => {
                let (a, b) = ((rows ^ 7).trailing_zeros() as usize, (columns ^ 7).trailing_zeros() as usize);
                Self::Two([s[(a + 1) % 3], s[(a + 2) % 3]], [s[a], t[b]])
            }
            (3, 3, 3) => Self::All,
            _ => Self::of_repeated(s, t),
        }
    }

    /// The common corners where a triangle has one of them twice.
    #[cold]
    fn of_repeated(s: &Triangle, t: &Triangle) -> Self {
        let mut first: Option<Vector> = None;
        let mut second: Option<Vector> = None;
        for v in s.iter().filter(|v| t.contains(v)) {
            match first {
                None => first = Some(*v),
                Some(p) if p != *v && second.is_none() => second = Some(*v),
                // A third one would make three different corners: none twice.
                Some(_) => {}
            }
        }
        match (first, second) {
            (None, _) => Self::Nothing,
            (Some(p), None) => {
                // All but one p, which may be there again.
                let others = |t: &Triangle| {
                    let i = t.iter().position(|v| *v == p).unwrap_or(0);
                    [t[(i + 1) % 3], t[(i + 2) % 3]]
                };
                Self::One(p, [others(s), others(t)])
            }
            (Some(p), Some(q)) => {
                let third = |t: &Triangle| t.iter().copied().find(|v| *v != p && *v != q);
                match (third(s), third(t)) {
                    (Some(a), Some(b)) => Self::Two([p, q], [a, b]),
                    _ => Self::Contained,
                }
            }
        }
    }

    /// True if floating point proves that the triangles meet nowhere else.
    #[inline(always)]
    pub(crate) fn is_all(&self) -> bool {
        match self {
            Self::One(p, [[a, b], [c, d]]) => {
                only_in_corner([sub(*a, *p), sub(*b, *p), sub(*c, *p), sub(*d, *p)])
            }
            Self::Two([p, q], [a, b]) => only_in_edge([sub(*q, *p), sub(*a, *p), sub(*b, *p)]),
            Self::Contained => true,
            Self::Nothing | Self::All => false,
        }
    }

    /// True if triangles with common corners meet elsewhere, too, over the real numbers. One of them is `s`.
    /// `still` are equal poses.
    #[cold]
    pub(crate) fn is_exceeded(&self, s: &Triangle, still: &Poses) -> bool {
        match *self {
            Self::Nothing | Self::Contained => false,
            Self::One(p, [ab, cd]) => {
                let (of_s, of_t) = (Cone::parts(p, ab), Cone::parts(p, cd));
                of_s.iter().flatten().any(|s| of_t.iter().flatten().any(|t| s.meets_beyond(t, p, still)))
            }
            Self::Two([p, q], [a, b]) => still.fold(&[p, q, a], &b),
            Self::All => !exact::are_collinear(s),
        }
    }
}

/// The side opposite p of a triangle with corner p, which does not lie on it.
#[derive(Clone, Copy)]
struct Cone([Vector; 2]);

impl Cone {
    /// The cones whose union a triangle is.
    fn parts(p: Vector, [a, b]: [Vector; 2]) -> [Option<Self>; 2] {
        if exact::are_collinear(&[p, a, b]) {
            return [a, b].map(|x| (x != p).then_some(Self([x, x])));
        }
        [Some(Self([a, b])), None]
    }
    fn meets_beyond(&self, other: &Self, p: Vector, still: &Poses) -> bool {
        let (Self([a, b]), Self([c, d])) = (*self, *other);
        still.meet(&[a, b, b], &[p, c, d]) || still.meet(&[c, d, d], &[p, a, b])
    }
}

/// The common indices of two triples, by the bits of their nine comparisons: 0 for nothing and for every case
/// not listed, 1 + k for index k / 3 of the one and k % 3 of the other alone, 10 + k for all but those.
const SHARED: [u8; 512] = {
    let mut table = [0; 512];
    let mut k = 0;
    while k < 9 {
        table[1 << k] = 1 + k as u8;
        let (i, j) = (k / 3, k % 3);
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        table[1 << (3 * i1 + j1) | 1 << (3 * i2 + j2)] = 10 + k as u8;
        table[1 << (3 * i1 + j2) | 1 << (3 * i2 + j1)] = 10 + k as u8;
        k += 1;
    }
    table
};

/// The result that two triangles' indices give.
pub(crate) enum ByIndex {
    /// They have no index in common.
    Nothing,
    /// They are neighbours that surely meet nowhere else: the common case.
    OnlyThere,
    Unknown,
}

/// The result that two triangles' indices give quickly. More of their corners may be equal points: it does
/// not cover that.
#[inline(always)]
pub(crate) fn by_index(s: [u32; 3], t: [u32; 3], points: &[Vector]) -> ByIndex {
    let mut same = 0;
    for k in 0..9 {
        same |= usize::from(s[k / 3] == t[k % 3]) << k;
    }
    if same == 0 {
        return ByIndex::Nothing;
    }
    let shared = usize::from(SHARED[same & 511]);
    const NEXT: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
    let others = |t: [u32; 3], i: usize| NEXT[i % 3].map(|k| points[t[k] as usize]);
    let is_proved = match shared {
        0 => false,
        1..10 => {
            let (i, j) = ((shared - 1) / 3, (shared - 1) % 3);
            let (p, [a, b], [c, d]) = (points[s[i] as usize], others(s, i), others(t, j));
            only_in_corner([sub(a, p), sub(b, p), sub(c, p), sub(d, p)])
        }
        _ => {
            let (i, j) = ((shared - 10) / 3 % 3, (shared - 10) % 3);
            let ([p, q], a, b) = (others(s, i), points[s[i] as usize], points[t[j] as usize]);
            only_in_edge([sub(q, p), sub(a, p), sub(b, p)])
        }
    };
    if is_proved { ByIndex::OnlyThere } else { ByIndex::Unknown }
}

/// The largest absolute value of a coordinate, by axis.
#[inline(always)]
fn extents<const N: usize>(points: &[Vector; N]) -> Vector {
    let mut m = [0.0; 3];
    for v in points {
        for k in 0..3 {
            let x = v[k].abs();
            m[k] = if x > m[k] { x } else { m[k] };
        }
    }
    m
}

/// The largest of the extents, if the bounds hold for it. A difference that overflowed is infinite, and
/// fails.
#[inline(always)]
fn sane([x, y, z]: Vector) -> Option<f64> {
    const LEAST: f64 = f64::from_bits((1023 - 200) << 52);
    const MOST: f64 = f64::from_bits((1023 + 200) << 52);
    let m = if x > y { x } else { y };
    let m = if z > m { z } else { m };
    (LEAST..=MOST).contains(&m).then_some(m)
}

#[inline(always)]
fn only_in_corner(points: [Vector; 4]) -> bool {
    let [a, b, c, d] = points;
    let sum = |v: Vector, w: Vector| -> Vector { std::array::from_fn(|k| v[k] + w[k]) };
    let (s, t) = (sum(a, b), sum(c, d));
    let ratio = (dot(s, s) / dot(t, t)).sqrt();
    let w: Vector = std::array::from_fn(|k| s[k] - ratio * t[k]);
    let m = extents(&points);
    // NaN and infinity fail all four. The last covers what underflows: w may be anything.
    let bound = 16.0 * UNIT * dot(w.map(f64::abs), m) + f64::MIN_POSITIVE;
    // All four at once: one branch.
    (dot(w, a) > bound) & (dot(w, b) > bound) & (dot(w, c) < -bound) & (dot(w, d) < -bound)
        || only_by_normals(&points, m)
}

#[inline(never)]
fn only_by_normals(&[a, b, c, d]: &[Vector; 4], m: Vector) -> bool {
    let Some(m) = sane(m) else { return false };
    let bound = 64.0 * UNIT * m * m * m;
    let beside = |x: f64, y: f64| x > bound && y > bound || x < -bound && y < -bound;
    let n = cross(a, b);
    if beside(dot(n, c), dot(n, d)) {
        return true;
    }
    let o = cross(c, d);
    if beside(dot(o, a), dot(o, b)) {
        return true;
    }
    let bound = 160.0 * UNIT * m * m * m * m;
    let [ac, ad, bc, bd] = [cross(a, c), cross(a, d), cross(b, c), cross(b, d)];
    // n . (c x a), n . (d x a): the values for the plane a x n. For the planes of c and d they are o . (a x
    // c), o . (b x c) and o . (d x a), o . (d x b).
    let both = |x: f64, y: f64| x > bound && y > bound;
    both(-dot(n, ac), -dot(n, ad))
        || both(dot(n, bc), dot(n, bd))
        || both(dot(o, ac), dot(o, bc))
        || both(-dot(o, ad), -dot(o, bd))
}

#[inline(always)]
fn only_in_edge(points: [Vector; 3]) -> bool {
    let Some(m) = sane(extents(&points)) else { return false };
    let [q, a, b] = points;
    let (n, o) = (cross(q, a), cross(q, b));
    dot(n, o) < -160.0 * UNIT * m * m * m * m || dot(n, b).abs() > 64.0 * UNIT * m * m * m
}
