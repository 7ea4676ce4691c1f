//! Triangles that are connected across edges with one triangle on either side.
use super::chain::{Chain, NONE, Role};
use crate::Mesh;

/// The component of triangles that are not faces.
pub(crate) const NO_COMPONENT: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(super) struct Components {
    /// The component of each triangle.
    pub(super) of: Vec<u32>,
    /// The least triangle of each component.
    pub(super) first: Vec<u32>,
    /// For each triangle, true if its orientation is opposite to that of its component's first; empty if none
    /// is.
    pub(super) reversed: Vec<bool>,
}

impl Components {
    /// Floods across twins, over the faces that `keep` accepts.
    pub(super) fn new(mesh: &Mesh, chain: &Chain, keep: impl Fn(u32) -> bool) -> Self {
        let n = mesh.len();
        let (mut of, mut first) = (vec![NO_COMPONENT; n], Vec::new());
        let mut reversed = vec![false; n];
        let mut open: Vec<u32> = Vec::new();
        for start in 0..n as u32 {
            let is_face = |t: u32| chain.roles[t as usize] == Role::Face && keep(t);
            if !is_face(start) || of[start as usize] != NO_COMPONENT {
                continue;
            }
            let component = first.len() as u32;
            of[start as usize] = component;
            open.push(start);
            while let Some(t) = open.pop() {
                for edge in 3 * t..3 * t + 3 {
                    let twin = chain.twins[edge as usize];
                    if twin != NONE && is_face(twin / 3) && of[twin as usize / 3] == NO_COMPONENT {
                        of[twin as usize / 3] = component;
                        let other = chain.runs_alike(mesh, edge, twin);
                        reversed[twin as usize / 3] = reversed[t as usize] != other;
                        open.push(twin / 3);
                    }
                }
            }
            first.push(start);
        }
        if !reversed.contains(&true) {
            reversed.clear();
        }
        Self { of, first, reversed }
    }
    pub(super) fn is_reversed(&self, t: u32) -> bool {
        self.reversed.get(t as usize).copied().unwrap_or(false)
    }
}
