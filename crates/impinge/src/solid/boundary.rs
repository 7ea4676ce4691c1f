//! Boundaries of open meshes, and their widths.
use crate::{
    Mesh,
    graph::DisjointSets,
    vector::{Vector, grow},
};

/// Open edges that are connected by common ends: the rim of a hole, the border of a sheet, or a crack along
/// which edges do not balance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Boundary {
    /// Number of edges.
    pub edges: usize,
    /// The ends of one of them, in the mesh's own frame.
    pub edge: [Vector; 2],
    /// The least and the greatest coordinates of all ends.
    pub bounds: [Vector; 2],
}

impl Boundary {
    /// Longest side of the box around the boundary, in the units of the mesh: a bound of the gap's width. It
    /// is rounded, and infinite if it overflows.
    pub fn width(&self) -> f64 {
        let [lo, hi] = &self.bounds;
        (0..3).fold(0.0, |width: f64, k| width.max(hi[k] - lo[k]))
    }
}

/// All boundaries that edges form, the widest first.
pub(super) fn boundaries(mesh: &Mesh, edges: &[[u32; 2]]) -> Vec<Boundary> {
    let mut ends: Vec<u32> = edges.as_flattened().to_vec();
    ends.sort_unstable();
    ends.dedup();
    let number = |v: u32| ends.partition_point(|&end| end < v) as u32;
    let mut sets = DisjointSets::default();
    sets.reset(ends.len());
    for &[p, q] in edges {
        sets.join(number(p), number(q));
    }
    let mut place = vec![usize::MAX; ends.len()];
    let mut all: Vec<Boundary> = Vec::new();
    for &[p, q] in edges {
        let edge = [p, q].map(|v| mesh.points()[v as usize]);
        let root = sets.root(number(p)) as usize;
        if place[root] == usize::MAX {
            place[root] = all.len();
            all.push(Boundary { edges: 0, edge, bounds: [edge[0]; 2] });
        }
        let boundary = &mut all[place[root]];
        boundary.edges += 1;
        edge.iter().for_each(|end| grow(&mut boundary.bounds, end));
    }
    // Boundaries of equal width stay in the order of their first edges.
    all.sort_by(|a, b| b.width().total_cmp(&a.width()));
    all
}
