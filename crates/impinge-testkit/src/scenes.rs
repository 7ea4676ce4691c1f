//! The scenes of the benchmarks and of the papers' experiments: pairs of meshes on a trajectory, and many
//! bodies.
//!
//! A scene is the same bits on every machine, as long as the model files are. **Every mesh has a random
//! rotation baked into its vertices**, so that no engine profits from boxes that happen to lie along a
//! model's axes. Where two meshes must stand in a certain way to each other (knots, offset copies) poses take
//! it back, so that it is still no identity. The exception is `assemblies.rs`: there that faces coincide
//! exactly is the point.
//!
//! Scanned and CAD models are not ours to hand out: a folder may hold them ([`Sources::data`]). Where a file
//! is missing, something generated of like character and triangle count stands in for it, and
//! [`Scene::stand_in`] says so.
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

/// Where an experiment comes from.
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
    /// Our own, after what was found hard.
    Own,
}

impl Family {
    /// As in `--family larsson08`.
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

/// Two meshes and where they stand, frame by frame.
#[derive(Clone, Debug)]
pub struct Scene {
    /// In kebab case, unique; empty for one [from bytes](Scene::from_bytes), which hold no name.
    pub name: String,
    /// What it is and where it comes from, in a line.
    pub about: String,
    /// The paper it reproduces.
    pub family: Family,
    /// Both shapes; never the same bits, even where they are the same model.
    pub meshes: [Arc<Mesh>; 2],
    /// The pose of each, frame by frame.
    pub frames: Vec<[Pose; 2]>,
    /// Parts of the trajectory that are to be told apart; disjoint, in order. Empty if there is but one.
    pub groups: Vec<Group>,
    /// Which file was missing or could not be had, and what replaces it.
    pub stand_in: Option<String>,
}

/// Consecutive frames of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What is common to them.
    pub label: String,
    /// The distance between the centres, where it is what the group stands for (Zachmann's plots).
    pub distance: Option<f64>,
    /// Which frames; may be empty in a quick scene.
    pub frames: Range<usize>,
}

/// What scenes are made from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sources<'a> {
    /// The folder with the models; without it everything is generated.
    pub data: Option<&'a Path>,
    /// Some 20 to 60 frames a scene, evenly taken from the same motion; all where there are but a few. The
    /// same meshes.
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

/// Why a scene could not be had.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// No scene has this name.
    Unknown(String),
    /// The folder with the models is none.
    NoFolder(String),
    /// A model file is there, but cannot be used.
    Model(impinge_io::Error),
    /// A model file was read, but not all of it: a benchmark must not be of half a model.
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
/// An unknown name; a data folder that is none; a model file that is there but is not usable.
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
    ("teapots-200-slow", "the same, twenty times slower: little changes from frame to frame"),
];

/// Builds the scene of many bodies of that name.
///
/// # Errors
/// An unknown name.
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
