//! Triangulation of a simple polygon in the plane.
//!
//! Small polygons are often the fan of another corner. For the others this module keeps the inner triangles
//! of a constrained Delaunay triangulation (Chew 1989; the crate `spade`). Both results are then proved
//! exactly: every triangle has the polygon's orientation, and the triangles' edges cancel each other except
//! for the outline. So each point is covered as often as the outline winds around it: once inside and never
//! outside.
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use robust::{Coord, orient2d};
use spade::{
    ConstrainedDelaunayTriangulation as Triangulation, Point2, Triangulation as _,
    handles::FixedVertexHandle as Vertex,
};

/// Maximum number of corners of polygons that are tried as the fan of every corner.
const FANS: usize = 16;

/// Positive if three points turn left, negative if right, zero if they are on a line. The sign is exact.
pub(super) fn turn([a, b, c]: [[f64; 2]; 3]) -> f64 {
    let [a, b, c] = [a, b, c].map(|[x, y]| Coord { x, y });
    orient2d(a, b, c)
}

/// Triangles of corners, with the polygon's orientation; `None` if it touches or crosses itself. Corners at
/// one point count as the first of them.
pub(super) fn triangulate(flat: &[[f64; 2]], solid: &[[f64; 3]]) -> Option<Vec<[usize; 3]>> {
    let n = flat.len();
    let area: f64 = (1..n - 1).map(|i| turn([flat[0], flat[i], flat[i + 1]])).sum();
    let sign = if area > 0.0 { 1.0 } else { -1.0 };
    if n <= FANS
        && let Some(fan) = (1..n).find_map(|first| fan(flat, first, sign))
    {
        return Some(fan);
    }
    let outline = outline(flat, solid)?;
    let triangles = delaunay(flat, &outline, sign)?;
    proved(flat, &outline, &triangles, sign).then_some(triangles)
}

/// The fan of a corner, if all its triangles have the polygon's orientation. Its edges cancel as required.
fn fan(flat: &[[f64; 2]], first: usize, sign: f64) -> Option<Vec<[usize; 3]>> {
    let n = flat.len();
    let triangles = (1..n - 1).map(|i| [first, (first + i) % n, (first + i + 1) % n]);
    triangles.map(|t| (sign * turn(t.map(|i| flat[i])) >= 0.0).then_some(t)).collect()
}

/// The corners, coincident ones replaced by the first; `None` if two corners that coincide here differ in
/// space.
fn outline(flat: &[[f64; 2]], solid: &[[f64; 3]]) -> Option<Vec<usize>> {
    let mut first = HashMap::with_capacity(flat.len());
    (0..flat.len())
        .map(|i| {
            // Adding zero turns -0.0 into 0.0.
            let same = *first.entry(flat[i].map(|c| (c + 0.0).to_bits())).or_insert(i);
            (solid[same] == solid[i]).then_some(same)
        })
        .collect()
}

/// The edges of an outline, from corner to corner, without those of zero length.
fn edges(outline: &[usize]) -> impl Iterator<Item = [usize; 2]> {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(&a, &b)| [a, b]).filter(|[a, b]| a != b)
}

fn delaunay(flat: &[[f64; 2]], outline: &[usize], sign: f64) -> Option<Vec<[usize; 3]>> {
    // The triangulation numbers its vertices in the given order, each point once.
    let mut number = vec![usize::MAX; flat.len()];
    let mut corner = Vec::new();
    for &i in outline {
        if number[i] == usize::MAX {
            number[i] = corner.len();
            corner.push(i);
        }
    }
    let points = corner.iter().map(|&i| Point2::new(flat[i][0], flat[i][1])).collect();
    let mut known = HashSet::with_capacity(outline.len());
    let mut once = Vec::with_capacity(outline.len());
    for [a, b] in edges(outline) {
        let edge = [number[a].min(number[b]), number[a].max(number[b])];
        if known.insert(edge) {
            once.push(edge);
        }
    }
    let mut crosses = false;
    // It fails if a coordinate is smaller than 2^-142 or larger than 2^201.
    let plane = Triangulation::<Point2<f64>>::try_bulk_load_cdt(points, once, |_| crosses = true).ok()?;
    if crosses {
        return None;
    }

    // Flood fill from the inner side of the outline's edges across all other edges.
    let mut inside = vec![false; plane.num_all_faces()];
    let mut open = Vec::new();
    for [a, b] in edges(outline) {
        let [from, to] = if sign > 0.0 { [a, b] } else { [b, a] };
        let [from, to] = [from, to].map(|i| Vertex::from_index(number[i]));
        // An edge that passes through another corner is in pieces.
        open.push(plane.get_edge_from_neighbors(from, to)?.face());
    }
    let mut triangles = Vec::with_capacity(flat.len());
    while let Some(face) = open.pop() {
        let face = face.as_inner()?;
        if std::mem::replace(&mut inside[face.fix().index()], true) {
            continue;
        }
        let [a, b, c] = face.vertices().map(|v| corner[v.fix().index()]);
        triangles.push(if sign > 0.0 { [a, b, c] } else { [a, c, b] });
        open.extend(face.adjacent_edges().iter().filter(|e| !e.is_constraint_edge()).map(|e| e.rev().face()));
    }
    Some(triangles)
}

/// True if triangles cover exactly the inside of an outline: they have its orientation, use all its corners,
/// and have it as their border.
fn proved(flat: &[[f64; 2]], outline: &[usize], triangles: &[[usize; 3]], sign: f64) -> bool {
    // For each pair of corners, the number of edges in one direction minus the other.
    let mut border: HashMap<[usize; 2], i64> = HashMap::with_capacity(3 * triangles.len());
    let mut along = |[a, b]: [usize; 2], times: i64| {
        *border.entry([a.min(b), a.max(b)]).or_default() += if a < b { times } else { -times };
    };
    let mut used = vec![false; flat.len()];
    for &[a, b, c] in triangles {
        if sign * turn([a, b, c].map(|i| flat[i])) <= 0.0 {
            return false;
        }
        for edge in [[a, b], [b, c], [c, a]] {
            along(edge, 1);
            used[edge[0]] = true;
        }
    }
    edges(outline).for_each(|edge| along(edge, -1));
    border.values().all(|&times| times == 0) && outline.iter().all(|&i| used[i])
}
