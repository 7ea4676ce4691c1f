//! The scenes of the benchmarks and of the papers' experiments: pairs of meshes on a trajectory, and many
//! bodies.
//!
//! A scene has the same bits on every machine, as long as the model files are the same. **Every mesh has a
//! random rotation baked into its vertices**, so that no engine profits from boxes along a model's axes. If
//! two meshes must have a certain relative position (knots, offset copies), poses undo the rotation, and are
//! still not the identity. The exception is `assemblies.rs`, whose purpose is exactly coincident faces.
//!
//! We may not distribute scanned and CAD models: a folder may contain them ([`Sources::data`]). A missing
//! file is replaced by a generated model of similar character and triangle count, and [`Scene::stand_in`]
//! names it.
mod assemblies;
mod bodies;
mod boxes;
mod bytes;
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
    teapot::teapot,
};

use self::models::Models;
use impinge::{Mesh, Pose};
use std::{error, fmt, ops::Range, path::Path, sync::Arc};

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
    /// In kebab case, unique; empty for a scene [from bytes](Scene::from_bytes), which contain no name.
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
    /// Some 20 to 60 frames a scene, evenly sampled from the same motion; all frames if there are few. The
    /// meshes are the same.
    pub quick: bool,
}

/// A scene that can be built.
#[derive(Debug)]
pub struct Entry {
    /// [`Scene::name`].
    pub name: &'static str,
    /// [`Scene::about`].
    pub about: &'static str,
    /// [`Scene::family`].
    pub family: Family,
    make: fn(&mut Models<'_>) -> Result<Draft, Error>,
}

/// A scene before it has its name, with all its frames.
#[derive(Debug)]
struct Draft {
    meshes: [Mesh; 2],
    frames: Vec<[Pose; 2]>,
    groups: Vec<Group>,
    /// A quick scene has every `quick`th frame.
    quick: usize,
}

/// Reason that a scene cannot be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// No scene has this name.
    Unknown(String),
    /// The folder with the models does not exist.
    NoFolder(String),
    /// A model file exists, but cannot be used.
    Model(impinge_io::Error),
    /// A model file was read, but not completely: a benchmark must not use half of a model.
    Incomplete(String),
    /// Bytes are not those of a scene: the place and the reason.
    Bytes(String),
    /// Meshes could not be moved to a distance.
    NoGap(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "there is no scene {name:?}"),
            Self::NoFolder(folder) => {
                write!(f, "{folder}: is not a folder, so no models can be read from it")
            }
            Self::Model(error) => write!(f, "{error}"),
            Self::Incomplete(what) | Self::Bytes(what) | Self::NoGap(what) => write!(f, "{what}"),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Model(error) => error.source(),
            _ => None,
        }
    }
}

/// All scenes of two meshes; listing them builds nothing.
pub fn catalogue() -> impl Iterator<Item = &'static Entry> {
    [
        spheres::SCENES,
        knots::SCENES,
        scans::SCENES,
        tumbling::SCENES,
        placements::SCENES,
        slivers::SCENES,
        held::SCENES,
        assemblies::SCENES,
    ]
    .into_iter()
    .flatten()
}

/// Builds the scene of that name: at most about a second for the largest models.
///
/// # Errors
/// Returns an error for an unknown name; a data folder that does not exist; a model file that exists but is
/// not usable.
pub fn build(name: &str, sources: &Sources<'_>) -> Result<Scene, Error> {
    let entry = catalogue().find(|e| e.name == name).ok_or_else(|| Error::Unknown(name.to_owned()))?;
    let mut models = Models::new(sources.data)?;
    let Draft { meshes, mut frames, mut groups, quick } = (entry.make)(&mut models)?;
    if sources.quick {
        let mut index = 0..;
        frames.retain(|_| index.next().is_some_and(|i: usize| i.is_multiple_of(quick)));
        for group in &mut groups {
            group.frames = group.frames.start.div_ceil(quick)..group.frames.end.div_ceil(quick);
        }
    }
    Ok(Scene {
        name: entry.name.to_owned(),
        about: entry.about.to_owned(),
        family: entry.family,
        meshes: meshes.map(Arc::new),
        frames,
        groups,
        stand_in: models.stand_in(),
    })
}

/// All scenes of many bodies: name and description.
pub const MANY_BODIES: [(&str, &str); 2] = [
    (
        "teapots-200",
        "200 teapots of 576 triangles tumble in a box and bounce off its walls (Hu 2016, section 3)",
    ),
    ("teapots-200-slow", "teapots-200 twenty times slower: little changes from frame to frame"),
];

/// Builds the scene of many bodies of that name.
///
/// # Errors
/// Returns an error for an unknown name.
pub fn build_many(name: &str, sources: &Sources<'_>) -> Result<ManyBodies, Error> {
    match MANY_BODIES.iter().find(|(n, _)| *n == name) {
        Some((name, about)) => {
            let pace = if name.ends_with("slow") { 0.05 } else { 1.0 };
            Ok(bodies::teapots(name, about, sources.quick, pace))
        }
        None => Err(Error::Unknown(name.to_owned())),
    }
}

#[cfg(test)]
mod tests;
