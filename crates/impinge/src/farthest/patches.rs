//! Patches: sets of points of a mesh that are connected by triangles which do not meet the other body. All of
//! a patch is on one side of it.
use super::sample::SampleSide;
use crate::Mesh;

#[derive(Debug, Default)]
pub(super) struct ConnectedPatches {
    /// For each point of the mesh another one of its patch; the root is its own parent.
    parents: Vec<u32>,
    /// The side of each patch, at its root.
    sides: Vec<SampleSide>,
}

impl ConnectedPatches {
    /// Makes the patches of a mesh. `met` are the triangles that meet the other body, in ascending order with
    /// repetitions. `vertices` has the first equal point of each point.
    pub(super) fn reset(&mut self, mesh: &Mesh, vertices: &[u32], met: impl Iterator<Item = u32>) {
        self.parents.clear();
        self.parents.extend_from_slice(vertices);
        self.sides.clear();
        self.sides.resize(vertices.len(), SampleSide::NotAsked);
        let mut met = met.peekable();
        for (t, &[a, b, c]) in (0..).zip(mesh.triangles()) {
            let mut is_met = false;
            while met.next_if(|&met| met == t).is_some() {
                is_met = true;
            }
            if !is_met {
                self.unite(a, b);
                self.unite(b, c);
            }
        }
    }
    fn root(&mut self, mut v: u32) -> u32 {
        loop {
            let parent = self.parents[v as usize];
            if parent == v {
                return v;
            }
            let above = self.parents[parent as usize];
            self.parents[v as usize] = above;
            v = above;
        }
    }
    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
    /// The side of a point's patch, to be read or set.
    pub(super) fn side(&mut self, v: u32) -> &mut SampleSide {
        let root = self.root(v);
        &mut self.sides[root as usize]
    }
}
