//! Readers: a file becomes an [`Assembly`] of named parts.
use impinge::{Mesh, Pose};
use std::{path::PathBuf, sync::Arc};

/// One part of an assembly: a mesh, possibly shared with other parts, at a pose.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name in the file, or one made from the file's name.
    pub name: String,
    /// The file it came from, as it was given.
    pub file: PathBuf,
    /// Its triangles; instances of one mesh share it.
    pub mesh: Arc<Mesh>,
    /// Where it stands; always rigid.
    pub pose: Pose,
    /// Whether a transform that is not rigid was baked into the mesh.
    pub baked: bool,
}

/// The parts of one or more files, in file order.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    /// In file order.
    pub parts: Vec<Part>,
}
