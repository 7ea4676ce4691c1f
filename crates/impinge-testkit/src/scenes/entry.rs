//! Scenes that can be built.
use super::{Family, Group, error::Error, models::Models};
use impinge::{Mesh, Pose};

/// A scene that can be built.
#[derive(Debug)]
pub struct Entry {
    /// The scene's [`Scene::name`](super::Scene::name).
    pub name: &'static str,
    /// The scene's [`Scene::about`](super::Scene::about).
    pub about: &'static str,
    /// The scene's [`Scene::family`](super::Scene::family).
    pub family: Family,
    pub(super) make: fn(&mut Models<'_>) -> Result<Draft, Error>,
}

/// A scene before it has its name, with all its frames.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) meshes: [Mesh; 2],
    pub(super) frames: Vec<[Pose; 2]>,
    pub(super) groups: Vec<Group>,
    /// A quick scene has every `quick`th frame.
    pub(super) quick: usize,
}
