//! Assemblies that need no file.
use clap::ValueEnum;
use impinge_io::Part;
use impinge_testkit::gearbox::{ExpectedClash, Scene, ScenePart, gearbox};

/// The assemblies that are built in.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum BuiltIn {
    /// Gears on shafts in bearings, in a bolted housing.
    Gearbox,
}

impl BuiltIn {
    /// What stands for a file's name.
    fn file(self) -> &'static str {
        match self {
            Self::Gearbox => "demo:gearbox",
        }
    }

    /// The parts, and the clashes that were built in.
    pub(crate) fn load(self) -> (Vec<Part>, Vec<ExpectedClash>) {
        let Scene { parts, expected } = match self {
            Self::Gearbox => gearbox(),
        };
        let part = |ScenePart { name, mesh, pose, .. }| Part {
            name,
            file: self.file().into(),
            mesh,
            pose,
            baked: false,
        };
        (parts.into_iter().map(part).collect(), expected)
    }
}
