//! Assemblies that need no file.
use anyhow::Context;
use clap::ValueEnum;
use impinge::{Mesh, Pose};
use impinge_check::{Assembly, Part, Unit, parts::distinct_meshes, sources::Source};
use impinge_demo::{FAULTS, SITE, ScenePart, gearbox, lattice};
use impinge_report::KnownFault;
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
    /// The text that takes the place of a file's name.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::Gearbox => "demo:gearbox",
            Self::Lattice => "demo:lattice",
        }
    }

    /// The built-in assembly that [`BuiltIn::file`] names.
    pub(crate) fn of_file(name: &str) -> Option<Self> {
        Self::value_variants().iter().copied().find(|built_in| built_in.file() == name)
    }

    /// Its parts.
    pub(crate) fn load(self) -> Assembly {
        let parts = match self {
            Self::Gearbox => gearbox().parts,
            Self::Lattice => lattice(MANY, SITE),
        };
        let mut assembly = Assembly::default();
        let file: Arc<Path> = Path::new(self.file()).into();
        let part = |ScenePart { name, mesh, pose, .. }| Part::new(name, Arc::clone(&file), mesh, pose);
        assembly.sources.push(Source::new(Arc::clone(&file)).with_unit(Unit::Millimetre));
        parts.into_iter().map(part).for_each(|part| assembly.push(part));
        assembly
    }

    /// The faults that were built in: none where clashes are due to chance.
    pub(crate) fn faults(self) -> Option<Vec<KnownFault>> {
        match self {
            Self::Gearbox => {
                let fault = |clash: impinge_demo::ExpectedClash| KnownFault {
                    a: clash.a.to_string(),
                    b: clash.b.to_string(),
                    why: clash.why.to_string(),
                };
                Some(FAULTS.into_iter().map(fault).collect())
            }
            Self::Lattice => None,
        }
    }

    /// The parts in metres, with meshes in f32, as a GLB holds them.
    pub(crate) fn in_metres(self) -> anyhow::Result<Vec<Part>> {
        let mut parts = self.load().parts;
        let (meshes, mesh_of) = distinct_meshes(&parts);
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
