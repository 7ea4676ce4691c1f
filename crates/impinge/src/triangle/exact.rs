//! Test of two closed triangles for a common point, by signs of predicates alone. Degenerate triangles are
//! included.
//!
//! Exact signs are expensive, so few are computed. For two triangles with an area, the corners of each are
//! compared with the other's plane (6 signs of orient3d). If one of them only touches that plane, in a
//! corner, an edge or as a whole, the problem is one in the plane. Else both cross the line of the two planes
//! in an interval, and two more signs compare the intervals' ends (Devillers and Guigue 2002). A triangle
//! without area is the segment between its outermost points, or a point.
use crate::exact::Predicates;
use std::cmp::Ordering;

/// The shape that three points span.
#[derive(Clone, Copy)]
enum TriangleShape {
    Triangle(NonDegenerate),
    /// The segment from one point to another; both are the same where the triangle is a point.
    Segment(usize, usize),
}

/// A triangle with an area. Its projection along `axis` has an area, too, and the orientation `turn`.
#[derive(Clone, Copy)]
struct NonDegenerate {
    corners: [usize; 3],
    axis: usize,
    turn: i32,
}

impl NonDegenerate {
    fn edge(&self, i: usize) -> (usize, usize) {
        (self.corners[i], self.corners[(i + 1) % 3])
    }
    fn along(g: &impl Predicates, corners: [usize; 3], axis: usize) -> Self {
        let [a, b, c] = corners;
        Self { corners, axis, turn: g.orient2d(axis, a, b, c) }
    }
}

impl TriangleShape {
    fn of(g: &impl Predicates, corners: [usize; 3]) -> Self {
        match g.view(corners) {
            Some((axis, turn)) => Self::Triangle(NonDegenerate { corners, axis, turn }),
            None => {
                // Along a line, the lexicographic order of points is the order on the line.
                let pick = |keep: Ordering| {
                    corners
                        .into_iter()
                        .reduce(|best, i| if lexicographic(g, i, best) == keep { i } else { best })
                        .unwrap_or(corners[0])
                };
                Self::Segment(pick(Ordering::Less), pick(Ordering::Greater))
            }
        }
    }
}

pub(crate) fn lexicographic(g: &(impl Predicates + ?Sized), a: usize, b: usize) -> Ordering {
    (0..3).map(|axis| g.compare(axis, a, b)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
}

/// True if the hull of points 0, 1, 2 meets that of points 3, 4, 5.
pub(crate) fn meet(g: &impl Predicates) -> bool {
    // Parts of an assembly share corners more often than anything else.
    if (0..9).any(|i| g.same(i / 3, 3 + i % 3)) {
        return true;
    }
    match (TriangleShape::of(g, [0, 1, 2]), TriangleShape::of(g, [3, 4, 5])) {
        (TriangleShape::Triangle(p), TriangleShape::Triangle(q)) => triangles(g, &p, &q),
        (TriangleShape::Segment(a, b), TriangleShape::Triangle(t))
        | (TriangleShape::Triangle(t), TriangleShape::Segment(a, b)) => segment_and_triangle(g, (a, b), &t),
        (TriangleShape::Segment(a, b), TriangleShape::Segment(c, d)) => segments(g, (a, b), (c, d)),
    }
}

fn triangles(g: &impl Predicates, p: &NonDegenerate, q: &NonDegenerate) -> bool {
    let of_q = g.sides(p.corners, q.corners);
    if let Some(answer) = touches_plane(g, q, of_q, p) {
        return answer;
    }
    let of_p = g.sides(q.corners, p.corners);
    if let Some(answer) = touches_plane(g, p, of_p, q) {
        return answer;
    }
    intervals_overlap(g, p.corners, of_p, q.corners, of_q, IntervalEnds::Closed)
}

/// True if `s` and `t` meet; `None` if `s` crosses the plane of `t`. `sides` are the signs of the corners of
/// `s`.
fn touches_plane(g: &impl Predicates, s: &NonDegenerate, sides: [i32; 3], t: &NonDegenerate) -> Option<bool> {
    if sides.contains(&1) && sides.contains(&-1) {
        return None;
    }
    let [a, b, c] = s.corners;
    Some(match sides.map(|side| side == 0) {
        [false, false, false] => false,
        [true, false, false] => inside(g, a, t),
        [false, true, false] => inside(g, b, t),
        [false, false, true] => inside(g, c, t),
        [true, true, false] => segment_in_plane(g, (a, b), t),
        [false, true, true] => segment_in_plane(g, (b, c), t),
        [true, false, true] => segment_in_plane(g, (c, a), t),
        [true, true, true] => coplanar(g, s, t),
    })
}

/// True if two triangles meet. Each must have corners strictly on either side of the other's plane.
///
/// Let n and m be the normals of the two triangles. The line of both planes runs along D = n x m.
///
/// 1. A corner a of the first triangle is alone on its side s of the other's plane: the other two, b and c,
///    are not on that side. So the edges a b and a c cross the line in points x_b and x_c. In the same way
///    the second triangle has a', s', b', c', x'_b' and x'_c'.
/// 2. As a - x_b and a' - x'_b' are multiples of b - a and b' - a', all four in planes through the line,
///
///    > volume(a, b, a', b') = k det(x_b - a, x'_b' - x_b, x'_b' - a') for some k > 0.
///
/// 3. This volume has the sign s s' where x'_b' lies beyond x_b along D. For in the planes the directions
///    towards the sides s = +1 and s' = +1 are D x n and m x D, and det(D x n, D, m x D) = |D|^4.
/// 4. Seen with n up and D to the right, D x n is down. So where s = +1, and a, b, c turn left, x_b is right
///    of x_c. With m up, m x D is up. So where s' = +1, x'_b' is left of x'_c'.
/// 5. If all volumes change sign, so do s and s': the line is then read backwards, to the same effect.
pub(crate) fn intervals_overlap(
    g: &impl Predicates,
    p: [usize; 3],
    of_p: [i32; 3],
    q: [usize; 3],
    of_q: [i32; 3],
    ends: IntervalEnds,
) -> bool {
    let alone = |t: [usize; 3], sides: [i32; 3]| {
        let lone =
            |&i: &usize| sides[i] != 0 && sides[(i + 1) % 3] != sides[i] && sides[(i + 2) % 3] != sides[i];
        let i = (0..3).find(lone).unwrap_or(0);
        (t[i], t[(i + 1) % 3], t[(i + 2) % 3], sides[i])
    };
    let least = i32::from(ends == IntervalEnds::Open);
    let ((a, b, c, s), (d, e, f, r)) = (alone(p, of_p), alone(q, of_q));
    let (p_least, p_most) = if s > 0 { (c, b) } else { (b, c) };
    let (q_least, q_most) = if r > 0 { (e, f) } else { (f, e) };
    s * r * g.orient3d(a, p_least, d, q_most) >= least && s * r * g.orient3d(a, p_most, d, q_least) <= -least
}

/// Kind of intervals: closed ones that have only an end in common overlap, open ones do not.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum IntervalEnds {
    Closed,
    Open,
}

fn segment_and_triangle(g: &impl Predicates, (a, b): (usize, usize), t: &NonDegenerate) -> bool {
    let [i, j, k] = t.corners;
    match [a, b].map(|x| g.orient3d(i, j, k, x)) {
        [0, 0] => segment_in_plane(g, (a, b), t),
        [0, _] => inside(g, a, t),
        [_, 0] => inside(g, b, t),
        [r, s] if r == s => false,
        // The line crosses the plane in one point of the segment; the volumes are that point's barycentric
        // coordinates up to one factor.
        _ => {
            let signs: [i32; 3] = std::array::from_fn(|i| {
                let (c, d) = t.edge(i);
                g.orient3d(a, b, c, d)
            });
            !(signs.contains(&1) && signs.contains(&-1))
        }
    }
}

// Two convex polygons of one plane are apart if and only if the line of an edge of one of them has the other
// strictly outside: their difference is a polygon without the origin, and its edges are parallel to theirs. A
// segment counts as a polygon of two edges.

/// True if the line of an edge of `t` has all of `points`, which lie in its plane, strictly outside.
fn separates(g: &impl Predicates, t: &NonDegenerate, points: &[usize]) -> bool {
    (0..3).any(|i| {
        let (a, b) = t.edge(i);
        points.iter().all(|&x| g.orient2d(t.axis, a, b, x) == -t.turn)
    })
}

/// True if point `x` lies in `t`, given that it lies in its plane. The next two functions assume that, too.
fn inside(g: &impl Predicates, x: usize, t: &NonDegenerate) -> bool {
    !separates(g, t, &[x])
}

fn segment_in_plane(g: &impl Predicates, (a, b): (usize, usize), t: &NonDegenerate) -> bool {
    !separates(g, t, &[a, b]) && !strictly_one_side(t.corners.map(|x| g.orient2d(t.axis, a, b, x)))
}

fn coplanar(g: &impl Predicates, p: &NonDegenerate, q: &NonDegenerate) -> bool {
    // Both projected along one axis.
    let p = if p.axis == q.axis { *p } else { NonDegenerate::along(g, p.corners, q.axis) };
    !separates(g, &p, &q.corners) && !separates(g, q, &p.corners)
}

fn strictly_one_side(s: [i32; 3]) -> bool {
    s == [1; 3] || s == [-1; 3]
}

/// True if two segments or points of one plane meet, seen along `axis`: their boxes overlap, and neither lies
/// strictly on one side of the other's line. This test is right for collinear segments and for points, too.
fn segments_2d(g: &impl Predicates, axis: usize, (a, b): (usize, usize), (c, d): (usize, usize)) -> bool {
    let boxes_overlap = [(axis + 1) % 3, (axis + 2) % 3].into_iter().all(|k| {
        let ordered = |i, j| if g.compare(k, i, j).is_le() { (i, j) } else { (j, i) };
        let ((l, h), (m, n)) = (ordered(a, b), ordered(c, d));
        g.compare(k, l, n).is_le() && g.compare(k, m, h).is_le()
    });
    boxes_overlap
        && g.orient2d(axis, a, b, c) * g.orient2d(axis, a, b, d) <= 0
        && g.orient2d(axis, c, d, a) * g.orient2d(axis, c, d, b) <= 0
}

/// True if two segments or points in space meet; each is given lexicographically ordered.
fn segments(g: &impl Predicates, (a, b): (usize, usize), (c, d): (usize, usize)) -> bool {
    if g.orient3d(a, b, c, d) != 0 {
        return false;
    }
    let triples = [[a, b, c], [a, b, d], [c, d, a], [c, d, b]];
    match (0..3).find(|&axis| triples.iter().any(|&[x, y, z]| g.orient2d(axis, x, y, z) != 0)) {
        // The plane of the four points projects one to one.
        Some(axis) => segments_2d(g, axis, (a, b), (c, d)),
        // All on one line: two intervals.
        None => lexicographic(g, a, d).is_le() && lexicographic(g, c, b).is_le(),
    }
}

/// True if triangles 0 1 2 and 0 1 3 of points 0 to 3, with 0 and 1 not the same point, and neither 2 nor 3
/// one of them, meet elsewhere than in the segment 0 1.
pub(crate) fn fold(g: &impl Predicates) -> bool {
    if g.orient3d(0, 1, 2, 3) != 0 {
        return false;
    }
    let turn = |axis, x| g.orient2d(axis, 0, 1, x);
    match (0..3).find(|&axis| turn(axis, 2) != 0) {
        // Seen so, the plane projects one to one.
        Some(axis) => turn(axis, 2) == turn(axis, 3),
        None => {
            let before = |x, y| lexicographic(g, x, y).is_lt();
            let (p, q) = if before(0, 1) { (0, 1) } else { (1, 0) };
            let beyond = before(2, p) && before(3, p) || before(q, 2) && before(q, 3);
            beyond && (0..3).all(|axis| turn(axis, 3) == 0)
        }
    }
}
