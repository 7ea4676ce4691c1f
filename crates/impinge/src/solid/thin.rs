//! Degenerate triangles in edges of other triangles.
//!
//! Two triangles of a mesh do not count as meeting if they share only the span of their common corners. So an
//! edge does not meet a degenerate triangle with both its ends and a corner between them. But that corner
//! lies inside of the edge: it is a point of two features.
use super::chain::{Chain, Role};
use crate::Mesh;

/// Passes on pairs of triangles: a degenerate one, and one that has its outer corners, but not the middle
/// one.
pub(super) fn in_edges(mesh: &Mesh, chain: &Chain, found: &mut dyn FnMut([u32; 2])) {
    let thin = thin_triangles(mesh, chain);
    if thin.is_empty() {
        return;
    }
    for t in 0..mesh.len() as u32 {
        let [a, b, c] = vertices(mesh, chain, t);
        for [p, q] in [[a, b], [b, c], [c, a]] {
            let ends = [p.min(q), p.max(q)];
            let from = thin.partition_point(|one| one.ends < ends);
            let same = thin[from..].iter().take_while(|one| one.ends == ends);
            same.filter(|one| ![a, b, c].contains(&one.middle)).for_each(|one| found([one.triangle, t]));
        }
    }
}

/// A degenerate triangle with three corners.
struct Thin {
    /// The lesser first.
    ends: [u32; 2],
    middle: u32,
    triangle: u32,
}

/// Thin triangles, sorted by their ends.
fn thin_triangles(mesh: &Mesh, chain: &Chain) -> Vec<Thin> {
    let degenerate = (0..mesh.len() as u32).filter(|&t| chain.roles[t as usize] == Role::Degenerate);
    let mut thin: Vec<Thin> = degenerate.filter_map(|t| thin_triangle(mesh, chain, t)).collect();
    thin.sort_unstable_by_key(|one| (one.ends, one.triangle));
    thin
}

fn thin_triangle(mesh: &Mesh, chain: &Chain, triangle: u32) -> Option<Thin> {
    let mut sorted = vertices(mesh, chain, triangle);
    let [a, b, c] = sorted;
    if a == b || b == c || c == a {
        return None;
    }
    // On a line this is the order in which points lie on it. Coordinates are finite, and -0 equals 0.
    let place = |v: &u32| mesh.points()[*v as usize];
    sorted.sort_unstable_by(|v, w| place(v).partial_cmp(&place(w)).unwrap_or(std::cmp::Ordering::Equal));
    let [p, middle, q] = sorted;
    Some(Thin { ends: [p.min(q), p.max(q)], middle, triangle })
}

fn vertices(mesh: &Mesh, chain: &Chain, t: u32) -> [u32; 3] {
    mesh.triangles()[t as usize].map(|point| chain.vertices[point as usize])
}
