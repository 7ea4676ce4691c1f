//! Assemblies that need no file.
use crate::input;
use anyhow::Context;
use clap::ValueEnum;
use impinge::{Mesh, Pose};
use impinge_demo::{ExpectedClash, SITE, Scene, ScenePart, gearbox, lattice};
use impinge_io::Part;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The assemblies that are built in.
#[derive(Clone, Copy, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BuiltIn {
    /// Gears on shafts in bearings, in a bolted housing.
    Gearbox,
    /// 100,000 bolts, plates and pipes on a lattice, turned at random: 56 million triangles, of three meshes.
    Lattice,
}

/// Parts of the lattice.
const MANY: usize = 100_000;

impl BuiltIn {
    /// The text that takes the place of a file's name.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::Gearbox => "demo:gearbox",
            Self::Lattice => "demo:lattice",
        }
    }

    /// The parts, and the clashes that were built in: none where they are due to chance.
    pub(crate) fn load(self) -> (Vec<Part>, Vec<ExpectedClash>) {
        let Scene { parts, expected } = match self {
            Self::Gearbox => gearbox(),
            Self::Lattice => Scene { parts: lattice(MANY, SITE), expected: Vec::new() },
        };
        let part = |ScenePart { name, mesh, pose, .. }| input::part(name, self.file(), mesh, pose);
        (parts.into_iter().map(part).collect(), expected)
    }

    /// The clashes that were built in.
    pub(crate) fn expected(self) -> Vec<ExpectedClash> {
        match self {
            Self::Gearbox => gearbox().expected,
            Self::Lattice => Vec::new(),
        }
    }

    /// The parts in metres, with meshes in f32, as a GLB holds them.
    pub(crate) fn in_metres(self) -> anyhow::Result<Vec<Part>> {
        let mut parts = self.load().0;
        let (meshes, mesh_of) = input::distinct_meshes(&parts);
        let small = |mesh: &Arc<Mesh>| {
            let points = mesh.points().iter().map(|point| point.map(in_f32)).collect();
            Ok(Arc::new(Mesh::new(points, mesh.triangles().to_vec())?))
        };
        let meshes: Vec<_> = meshes.iter().map(small).collect::<Result<_, impinge::Error>>()?;
        for (part, mesh) in parts.iter_mut().zip(mesh_of) {
            let place = part.pose.translation().map(|mm| self.place(mm));
            part.pose = Pose::rigid(*part.pose.rows(), place).context("a pose in metres")?;
            part.mesh = Arc::clone(&meshes[mesh]);
        }
        Ok(parts)
    }

    /// A part's place in metres. In the gearbox two faces touch, a vertex of one part and a face of another,
    /// because a height that the one has from its mesh the other has from its pose: both must be rounded
    /// alike.
    fn place(self, millimetres: f64) -> f64 {
        match self {
            Self::Gearbox => in_f32(millimetres),
            // A thousand kilometres away f32 would round to six centimetres.
            Self::Lattice => millimetres / 1000.0,
        }
    }
}

/// Metres, rounded to f32.
fn in_f32(millimetres: f64) -> f64 {
    f64::from((millimetres / 1000.0) as f32)
}
