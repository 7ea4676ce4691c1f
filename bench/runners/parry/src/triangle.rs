//! Test of two closed triangles in plain f64, without error bounds, for libraries that offer a hierarchy but
//! no such test. The C++ version is ../../cpp/triangle.h. Degenerate triangles are segments or points.
//!
//! Only signs of tetrahedra are used (Devillers and Guigue 2002): if both planes cut, each triangle is
//! rotated until one vertex is alone on its side, and that side is positive; then two signs decide whether
//! the intervals on the common line meet.

type Corner = [f64; 3];
pub type Triangle = [Corner; 3];

fn minus(a: Corner, b: Corner) -> Corner {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn dot(a: Corner, b: Corner) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: Corner, b: Corner) -> Corner {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Six times the volume of a tetrahedron: positive if `d` is on the side that sees a, b, c turn left.
fn volume(a: Corner, b: Corner, c: Corner, d: Corner) -> f64 {
    dot(minus(d, a), cross(minus(b, a), minus(c, a)))
}

/// True if they share a point.
pub fn meet(mut p: Triangle, mut q: Triangle) -> bool {
    let one_side = |s: &Corner| s.iter().all(|&s| s > 0.0) || s.iter().all(|&s| s < 0.0);
    let flat = |s: &Corner| s.iter().all(|&s| s == 0.0);
    let normal = cross(minus(q[1], q[0]), minus(q[2], q[0]));
    let mut of_p = p.map(|v| dot(normal, minus(v, q[0])));
    if one_side(&of_p) {
        return false;
    }
    let other = cross(minus(p[1], p[0]), minus(p[2], p[0]));
    let mut of_q = q.map(|v| dot(other, minus(v, p[0])));
    if one_side(&of_q) {
        return false;
    }
    match (dot(other, other) == 0.0, dot(normal, normal) == 0.0) {
        (true, true) => return segments_meet(&p, &q),
        (false, true) if !flat(&of_q) => return segment_meets(&p, &q, of_q),
        (true, false) if !flat(&of_p) => return segment_meets(&q, &p, of_p),
        _ => {}
    }
    if flat(&of_p) || flat(&of_q) {
        return meet_in_plane(&p, &q, if dot(normal, normal) > dot(other, other) { normal } else { other });
    }
    turn(&mut p, of_p, &mut q, &mut of_q);
    turn(&mut q, of_q, &mut p, &mut of_p);
    volume(p[0], p[1], q[0], q[1]) <= 0.0 && volume(p[0], p[2], q[2], q[0]) <= 0.0
}

/// Rotates `t` until its first corner is alone on its side of the other's plane, and the other so that this
/// side is positive. `of_other` contains the sides of the other's corners, and is permuted with them.
fn turn(t: &mut Triangle, side: Corner, other: &mut Triangle, of_other: &mut Corner) {
    let where_is = |wanted: fn(f64) -> bool| side.iter().position(|&s| wanted(s)).unwrap_or(0);
    let count = |wanted: fn(f64) -> bool| side.iter().filter(|&&s| wanted(s)).count();
    let (positive, negative) = (count(|s| s > 0.0), count(|s| s < 0.0));
    let (alone, above) = match (positive, negative) {
        (1, _) => (where_is(|s| s > 0.0), true),
        (_, 1) => (where_is(|s| s < 0.0), false),
        // Two on one side, the third in the plane.
        _ => (where_is(|s| s == 0.0), negative == 2),
    };
    t.rotate_left(alone);
    if !above {
        other.swap(1, 2);
        of_other.swap(1, 2);
    }
}

/// Coplanar triangles are disjoint if and only if the line of an edge of one separates them.
fn meet_in_plane(p: &Triangle, q: &Triangle, normal: Corner) -> bool {
    let drop = (1..3).fold(0, |best, k| if normal[k].abs() > normal[best].abs() { k } else { best });
    let (x, y) = ((drop + 1) % 3, (drop + 2) % 3);
    let side =
        |a: &Corner, b: &Corner, c: &Corner| (b[x] - a[x]) * (c[y] - a[y]) - (b[y] - a[y]) * (c[x] - a[x]);
    let separates = |t: &Triangle, other: &Triangle, i: usize| {
        let (a, b) = (&t[i], &t[(i + 1) % 3]);
        let own = side(a, b, &t[(i + 2) % 3]);
        (own >= 0.0 && other.iter().all(|c| side(a, b, c) < 0.0))
            || (own <= 0.0 && other.iter().all(|c| side(a, b, c) > 0.0))
    };
    !(0..3).any(|i| separates(p, q, i) || separates(q, p, i))
}

/// A segment or point that reaches both sides of the plane of the proper triangle `t`, or touches it.
fn segment_meets(t: &Triangle, segment: &Triangle, of_segment: Corner) -> bool {
    let low = (1..3).fold(0, |best, k| if of_segment[k] < of_segment[best] { k } else { best });
    let high = (1..3).fold(0, |best, k| if of_segment[k] > of_segment[best] { k } else { best });
    let around = [0, 1, 2].map(|i| volume(segment[low], segment[high], t[i], t[(i + 1) % 3]));
    around.iter().all(|&v| v >= 0.0) || around.iter().all(|&v| v <= 0.0)
}

/// Two segments or points.
fn segments_meet(p: &Triangle, q: &Triangle) -> bool {
    let (along_p, along_q, between) = (longest_edge(p), longest_edge(q), minus(q[0], p[0]));
    let normal = cross(along_p, along_q);
    if dot(normal, normal) > 0.0 {
        return dot(normal, between) == 0.0 && meet_in_plane(p, q, normal);
    }
    let along = if dot(along_p, along_p) > dot(along_q, along_q) { along_p } else { along_q };
    let off = cross(along, between);
    let ends = |t: &Triangle, k: usize| t.iter().fold([t[0][k]; 2], |e, v| [e[0].min(v[k]), e[1].max(v[k])]);
    dot(off, off) == 0.0
        && (0..3).all(|k| {
            let ([p0, p1], [q0, q1]) = (ends(p, k), ends(q, k));
            p0 <= q1 && q0 <= p1
        })
}

fn longest_edge(t: &Triangle) -> Corner {
    let edges = [minus(t[1], t[0]), minus(t[2], t[1]), minus(t[0], t[2])];
    edges.into_iter().fold(edges[0], |best, e| if dot(e, e) > dot(best, best) { e } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: Triangle = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]];

    /// All orders of corners of both, and both orders of arguments, give the same result.
    fn check(p: Triangle, q: Triangle, expected: bool) {
        const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
        for a in ORDERS {
            for b in ORDERS {
                let (p, q) = (a.map(|k| p[k]), b.map(|k| q[k]));
                assert_eq!(meet(p, q), expected, "{p:?} {q:?}");
                assert_eq!(meet(q, p), expected, "{q:?} {p:?}");
            }
        }
    }

    #[test]
    fn crossing() {
        check(FLOOR, [[1., 1., -1.], [1., 1., 1.], [2., 1., 1.]], true);
        check(FLOOR, [[3., 3., -1.], [3., 3., 1.], [4., 3., 1.]], false);
        check(FLOOR, [[-3., 1., 1.], [7., 1., 1.], [1., 1., -9.]], true);
    }
    #[test]
    fn touching() {
        check(FLOOR, [[1., 1., 0.], [1., 1., 1.], [2., 1., 1.]], true);
        check(FLOOR, [[4., 0., 0.], [5., 0., 1.], [5., 1., 1.]], true);
        check(FLOOR, [[1., 0., 0.], [2., 0., 0.], [1., -1., 1.]], true);
        check(FLOOR, [[5., 0., 0.], [6., 0., 0.], [5., 0., 1.]], false);
    }
    #[test]
    fn in_one_plane() {
        check(FLOOR, [[1., 1., 0.], [2., 1., 0.], [1., 2., 0.]], true);
        check(FLOOR, [[4., 0., 0.], [5., 0., 0.], [5., 1., 0.]], true);
        check(FLOOR, [[3., 3., 0.], [5., 3., 0.], [3., 5., 0.]], false);
        check(FLOOR, [[1., 1., 1.], [2., 1., 1.], [1., 2., 1.]], false);
    }
    #[test]
    fn degenerate() {
        let through: Triangle = [[1., 1., -1.], [1., 1., 1.], [1., 1., 0.5]];
        check(FLOOR, through, true);
        check(FLOOR, through.map(|v| [v[0] + 3., v[1], v[2]]), false);
        check(FLOOR, [[1., 1., 0.]; 3], true);
        check(FLOOR, [[3., 3., 0.]; 3], false);
        check(FLOOR, [[-1., 1., 0.], [9., 1., 0.], [0., 1., 0.]], true);
        check(through, [[0., 1., 0.25], [2., 1., 0.25], [2., 1., 0.25]], true);
        check(through, [[0., 2., 0.25], [2., 2., 0.25], [2., 2., 0.25]], false);
        check(through, [[1., 1., 1.], [1., 1., 2.], [1., 1., 3.]], true);
        check(through, [[1., 1., 2.]; 3], false);
        check([[1., 1., 2.]; 3], [[1., 1., 2.]; 3], true);
    }
}
