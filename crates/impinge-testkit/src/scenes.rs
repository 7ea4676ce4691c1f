//! The scenes of the benchmarks and of the papers' experiments: pairs of meshes on a trajectory, and many
//! bodies.
//!
//! A scene has the same bits on every machine, as long as the model files are the same. **Every mesh has a
//! random rotation baked into its vertices**, so that no engine profits from boxes along a model's axes. If
//! two meshes must have a certain relative position (knots, offset copies), poses undo the rotation, and are
//! still not the identity. The exception is `assemblies.rs`, whose purpose is exactly coincident faces.
//!
//! We may not distribute scanned and CAD models: a folder may contain them ([`Sources::data`]). A generated
//! model of similar character and triangle count replaces a missing file, and [`Scene::stand_in`] names it.
mod assemblies;
mod bodies;
mod boxes;
mod bytes;
mod catalogue;
mod entry;
mod error;
mod gallop;
pub mod gaps;
mod held;
mod knots;
mod models;
mod motion;
mod placements;
mod scans;
mod slivers;
mod spacecraft;
mod spheres;
mod stand_ins;
pub mod steps;
mod teapot;
mod tumbling;

pub use self::{
    bodies::ManyBodies,
    boxes::{Boxes, MovingBox},
    catalogue::{MANY_BODIES, build, build_many, catalogue},
    entry::Entry,
    error::Error,
    gallop::{Animation, GALLOP, gallop},
    teapot::teapot,
};

use impinge::{Mesh, Pose};
use std::{ops::Range, path::Path, sync::Arc};

/// Origin of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// G. van den Bergen, Efficient collision detection of complex deformable models using AABB trees, 1997.
    Bergen97,
    /// G. Zachmann, Minimal hierarchical collision detection, 2002.
    Zachmann02,
    /// T. Larsson and T. Akenine-Moller, Bounding volume hierarchies of slab cut balls, 2008.
    Larsson08,
    /// J. Hu and others, Hybrid hierarchical collision detection based on data reuse, 2016.
    Hu16,
    /// Our own, for cases that proved hard.
    Own,
}

impl Family {
    /// Name as in `--family larsson08`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bergen97 => "bergen97",
            Self::Zachmann02 => "zachmann02",
            Self::Larsson08 => "larsson08",
            Self::Hu16 => "hu16",
            Self::Own => "own",
        }
    }
}

/// Two meshes and their poses, frame by frame.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name in kebab case, unique; empty for a scene [from bytes](Scene::from_bytes), which contain no name.
    pub name: String,
    /// Description and source, in a line.
    pub about: String,
    /// The paper it reproduces.
    pub family: Family,
    /// Both shapes; their bits always differ, even if both are the same model.
    pub meshes: [Arc<Mesh>; 2],
    /// The pose of each, frame by frame.
    pub frames: Vec<[Pose; 2]>,
    /// Parts of the trajectory that are reported separately; disjoint, in order. Empty for a single part.
    pub groups: Vec<Group>,
    /// The file that is missing or not available, and its replacement.
    pub stand_in: Option<String>,
    /// The model files that the scene is made from; empty for a generated scene.
    pub models: Vec<ModelFile>,
}

/// A model file of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// Its name in the folder with the models.
    pub name: String,
    /// True if the file was read, false if a generated body replaces it.
    pub found: bool,
}

/// Consecutive frames of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Common property of the frames.
    pub label: String,
    /// The distance between the centres, if it distinguishes the group (Zachmann's plots).
    pub distance: Option<f64>,
    /// Range of frames; may be empty in a quick scene.
    pub frames: Range<usize>,
}

/// Sources of scenes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sources<'a> {
    /// The folder with the models; without it everything is generated.
    pub data: Option<&'a Path>,
    /// Limits scenes to some 20 to 60 frames, evenly sampled from the same motion; all frames if there are
    /// few. The meshes are the same.
    pub quick: bool,
}

#[cfg(test)]
mod tests;
