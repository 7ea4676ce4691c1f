//! Decides whether a mesh is a closed surface, and computes its topology.
use impinge::Mesh;
use std::collections::HashMap;

/// Counts of a mesh's edges, pieces and Euler characteristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topology {
    /// Edges that are not shared by exactly two triangles which traverse them in opposite directions.
    pub bad_edges: usize,
    /// Pieces that are connected through vertices.
    pub pieces: usize,
    /// Vertices (those in use) - edges + triangles.
    pub euler: i64,
}

impl Topology {
    /// Computes the counts.
    pub fn of(mesh: &Mesh) -> Self {
        let mut edges: HashMap<[u32; 2], [u32; 2]> = HashMap::new();
        let mut parent: Vec<u32> = (0..mesh.points().len() as u32).collect();
        let mut used = vec![false; parent.len()];
        for t in mesh.triangles() {
            for k in 0..3 {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                edges.entry([a.min(b), a.max(b)]).or_default()[usize::from(a > b)] += 1;
                used[a as usize] = true;
                let (a, b) = (root(&mut parent, a), root(&mut parent, b));
                parent[a as usize] = b;
            }
        }
        let vertices = used.iter().filter(|u| **u).count();
        Self {
            bad_edges: edges.values().filter(|n| **n != [1, 1]).count(),
            pieces: (0..parent.len()).filter(|&v| used[v] && parent[v] as usize == v).count(),
            euler: vertices as i64 - edges.len() as i64 + mesh.len() as i64,
        }
    }

    /// True if every edge joins exactly two triangles of one orientation.
    pub fn is_closed(&self) -> bool {
        self.bad_edges == 0
    }

    /// Number of handles of a closed mesh, summed over its pieces: 0 for a sphere, 1 for a ring.
    pub fn genus(&self) -> i64 {
        self.pieces as i64 - self.euler / 2
    }
}

/// The set's representative, with path halving.
fn root(parent: &mut [u32], mut v: u32) -> u32 {
    while parent[v as usize] != v {
        parent[v as usize] = parent[parent[v as usize] as usize];
        v = parent[v as usize];
    }
    v
}

/// Six times the enclosed volume, positive if the triangles run counter-clockwise seen from outside.
pub fn signed_volume_6(mesh: &Mesh) -> f64 {
    let determinant = |[a, b, c]: [[f64; 3]; 3]| {
        a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    (0..mesh.len() as u32).map(|i| determinant(mesh.corners(i))).sum()
}
