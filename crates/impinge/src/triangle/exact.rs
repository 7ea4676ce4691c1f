//! Whether two closed triangles share a point, by signs alone, degenerate ones included.
//!
//! Two triangles meet if and only if an edge of one meets the other (if they meet inside both, the segment that
//! they share ends where an edge of one pierces the other; if one lies inside the other, so do its edges).
//! A triangle without area is the segment between its outermost points, or a point: an edge that is both ends.
use crate::exact::Predicates;
use std::cmp::Ordering;

/// What three points span.
#[derive(Clone, Copy)]
enum Hull {
    /// A proper triangle; it keeps its shape when coordinate `axis` is dropped.
    Triangle { corners: [usize; 3], axis: usize },
    /// From one point to another; both are the same where the triangle is a point.
    Segment(usize, usize),
}

impl Hull {
    fn of(g: &impl Predicates, corners: [usize; 3]) -> Self {
        let [a, b, c] = corners;
        match (0..3).find(|&axis| g.orient2d(axis, a, b, c) != 0) {
            Some(axis) => Self::Triangle { corners, axis },
            None => {
                // Along a line, the lexicographic order of points is the order on the line.
                let pick = |keep: Ordering| {
                    corners
                        .into_iter()
                        .fold(a, |best, i| if lexicographic(g, i, best) == keep { i } else { best })
                };
                Self::Segment(pick(Ordering::Less), pick(Ordering::Greater))
            }
        }
    }
}

fn lexicographic(g: &impl Predicates, a: usize, b: usize) -> Ordering {
    (0..3).map(|axis| g.compare(axis, a, b)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
}

/// Whether the hull of points 0, 1, 2 meets that of points 3, 4, 5.
pub(crate) fn meet(g: &impl Predicates) -> bool {
    match (Hull::of(g, [0, 1, 2]), Hull::of(g, [3, 4, 5])) {
        (Hull::Triangle { corners: p, axis }, Hull::Triangle { corners: q, axis: other }) => {
            triangles(g, (p, axis), (q, other))
        }
        (Hull::Segment(a, b), Hull::Triangle { corners, axis })
        | (Hull::Triangle { corners, axis }, Hull::Segment(a, b)) => {
            let side = [a, b].map(|i| side(g, corners, i));
            edge_meets(g, (a, b), side, corners, axis, |k| g.orient3d(a, b, corners[k], corners[(k + 1) % 3]))
        }
        (Hull::Segment(a, b), Hull::Segment(c, d)) => segments(g, (a, b), (c, d)),
    }
}

/// On which side of the plane of `t` point `i` lies.
fn side(g: &impl Predicates, t: [usize; 3], i: usize) -> i32 {
    g.orient3d(t[0], t[1], t[2], i)
}

fn triangles(
    g: &impl Predicates,
    (p, p_axis): ([usize; 3], usize),
    (q, q_axis): ([usize; 3], usize),
) -> bool {
    let of_q = q.map(|i| side(g, p, i));
    if strictly_one_side(of_q) {
        return false;
    }
    let of_p = p.map(|i| side(g, q, i));
    if strictly_one_side(of_p) {
        return false;
    }
    if of_q == [0; 3] {
        return coplanar(g, p, q, p_axis);
    }
    // Each of the nine volumes of an edge of `p` and an edge of `q` is asked for at most once.
    let mut known = [[None; 3]; 3];
    let mut volume = |i: usize, j: usize| {
        *known[i][j].get_or_insert_with(|| g.orient3d(p[i], p[(i + 1) % 3], q[j], q[(j + 1) % 3]))
    };
    for i in 0..3 {
        let (a, b) = (i, (i + 1) % 3);
        if edge_meets(g, (p[a], p[b]), [of_p[a], of_p[b]], q, q_axis, |k| volume(i, k)) {
            return true;
        }
    }
    for j in 0..3 {
        let (a, b) = (j, (j + 1) % 3);
        // orient3d(c, d, a, b) = orient3d(a, b, c, d): two exchanges.
        if edge_meets(g, (q[a], q[b]), [of_q[a], of_q[b]], p, p_axis, |k| volume(k, j)) {
            return true;
        }
    }
    false
}

fn strictly_one_side(s: [i32; 3]) -> bool {
    s == [1; 3] || s == [-1; 3]
}

/// Whether the segment a b, its ends on the given sides of the plane of the proper triangle `t`, meets `t`.
/// `volume(k)` is the sign of the volume of a, b and edge k of `t`.
fn edge_meets(
    g: &impl Predicates,
    (a, b): (usize, usize),
    sides: [i32; 2],
    t: [usize; 3],
    axis: usize,
    volume: impl FnMut(usize) -> i32,
) -> bool {
    match sides {
        [0, 0] => segment_in_plane(g, (a, b), t, axis),
        [s, r] if s * r > 0 => false,
        // The line crosses the plane in one point of the segment; the volumes are that point's barycentric
        // coordinates up to one factor.
        _ => {
            let signs = [0, 1, 2].map(volume);
            !(signs.contains(&1) && signs.contains(&-1))
        }
    }
}

fn segment_in_plane(g: &impl Predicates, (a, b): (usize, usize), t: [usize; 3], axis: usize) -> bool {
    inside(g, a, t, axis) || (0..3).any(|i| segments_2d(g, axis, (a, b), (t[i], t[(i + 1) % 3])))
}

fn coplanar(g: &impl Predicates, p: [usize; 3], q: [usize; 3], axis: usize) -> bool {
    inside(g, p[0], q, axis)
        || inside(g, q[0], p, axis)
        || (0..9).any(|k| {
            let (i, j) = (k / 3, k % 3);
            segments_2d(g, axis, (p[i], p[(i + 1) % 3]), (q[j], q[(j + 1) % 3]))
        })
}

/// Whether point `x`, in the plane of the proper triangle `t`, lies in `t`.
fn inside(g: &impl Predicates, x: usize, t: [usize; 3], axis: usize) -> bool {
    let signs: [i32; 3] = std::array::from_fn(|i| g.orient2d(axis, t[i], t[(i + 1) % 3], x));
    !(signs.contains(&1) && signs.contains(&-1))
}

/// Whether two segments of one plane meet, seen along `axis`: their boxes overlap, and neither lies strictly on
/// one side of the other's line. True for collinear segments and for points, too.
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

/// Whether two segments or points in space meet; each is given lexicographically ordered.
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
