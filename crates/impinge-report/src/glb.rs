//! [`GlbReport`]: the parts of findings as a binary glTF 2.0 scene, for any 3D program.
mod colours;
mod document;
mod frame;
mod scene;

use crate::writer::{Format, ReportWriter};
use impinge::Mesh;
use impinge_check::{Report, report::GroupBy};
use impinge_io::write_glb_container;
use scene::Scene;
use std::io::{self, Write};

/// Report as a GLB file, for 3D programs: the parts of findings, and the curves in which their surfaces meet.
///
/// The node of a group contains the nodes of its findings. The node of a finding is at its point, draws the
/// contact curves (of a near pair, the shortest segment), and has ids, relation, measures and parts in its
/// `extras`. Every part of a finding is one node, blue or orange, so that the parts of a finding differ in
/// colour unless graver findings prevent it. Parts without a finding are not in the file. Equal meshes are
/// stored once.
///
/// Points are f32, relative to the centre of each mesh, and poses are f64. The scene is in metres with Y up,
/// as glTF demands, if the files state the unit and the upward axis. A model far from its origin is moved to
/// it: the `extras` of the root node have the `origin`, `unit` and `up`, and counts of omitted things.
///
/// The file has the first 10,000 findings (the gravest of each group first), and meshes up to
/// [`max_size`](Self::max_size). Cost: linear in their triangles; memory for the data of one mesh at a time.
#[derive(Clone)]
pub struct GlbReport {
    groups: GroupBy,
    max_size: u64,
}

/// Maximum number of bytes of a GLB without its headers.
const MOST_BYTES: u64 = u32::MAX as u64 - 64;

/// The default of [`GlbReport::max_size`].
const MAX_SIZE: u64 = 200 << 20;

impl Default for GlbReport {
    fn default() -> Self {
        Self::new()
    }
}

impl GlbReport {
    /// Report with the default groups and at most 200 MiB of meshes.
    pub fn new() -> Self {
        Self { groups: GroupBy::default(), max_size: MAX_SIZE }
    }
    /// Sets the rule that groups findings.
    #[must_use]
    pub fn groups(self, by: GroupBy) -> Self {
        Self { groups: by, ..self }
    }
    /// Sets the maximum size of all meshes in bytes. The writer omits meshes that do not fit, those of the
    /// gravest groups last. The nodes of their parts stay, and state it.
    #[must_use]
    pub fn max_size(self, bytes: u64) -> Self {
        Self { max_size: bytes, ..self }
    }
}

pub(crate) const FORMAT: Format = Format {
    name: "glb",
    extension: "glb",
    about: "the clashing parts and contact curves, for 3D programs; --max-size bounds it",
    contacts: false,
    writer: || Box::new(GlbReport::new()),
};

impl ReportWriter for GlbReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let scene = Scene::new(report, &self.groups, self.max_size)?;
        let json = serde_json::to_vec(&scene.document)?;
        if json.len() as u64 + scene.document.length() > MOST_BYTES {
            return Err(io::Error::other("a GLB has at most 4 GiB; --max-size leaves meshes out"));
        }
        write_glb_container(json, scene.document.length(), out, |out| {
            scene.meshes.iter().try_for_each(|mesh| out.write_all(&bytes(mesh)))?;
            out.write_all(&scene.lines)
        })
    }
}

/// Bytes of a mesh: points relative to its centre (f32), then corners of triangles (u32).
fn bytes(mesh: &Mesh) -> Vec<u8> {
    let corners = mesh.triangles().as_flattened();
    let points = scene::points(mesh).flatten().map(f32::to_le_bytes);
    points.chain(corners.iter().map(|corner| corner.to_le_bytes())).flatten().collect()
}
