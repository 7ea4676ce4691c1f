//! Assemblies that need no file.
use clap::ValueEnum;
use impinge_io::Part;
use impinge_testkit::{
    gearbox::{ExpectedClash, Scene, ScenePart, gearbox},
    lattice::{SITE, lattice},
};
use std::{path::Path, sync::Arc};

/// The assemblies that are built in.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum BuiltIn {
    /// Gears on shafts in bearings, in a bolted housing.
    Gearbox,
    /// 100,000 bolts, plates and pipes on a lattice, turned at random: 56 million triangles, of three meshes.
    Lattice,
}

/// Parts of the lattice.
const MANY: usize = 100_000;

impl BuiltIn {
    /// What stands for a file's name.
    fn file(self) -> &'static str {
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
        let file: Arc<Path> = Path::new(self.file()).into();
        let part = |ScenePart { name, mesh, pose, .. }| Part::new(name, Arc::clone(&file), mesh, pose);
        (parts.into_iter().map(part).collect(), expected)
    }
}
