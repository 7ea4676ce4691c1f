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

/// For 3D programs: a GLB file with the parts of findings, and the curves in which their surfaces meet.
///
/// The node of a group has nodes of its findings; the node of a finding lies at its point, draws the contact
/// curves (of a near pair, the shortest segment), and has ids, relation, measures and parts in its `extras`.
/// Every part of a finding is one node, blue or orange, so that the parts of a finding differ in colour
/// unless graver findings prevent it. It has no parts without a finding. Equal meshes are stored once.
///
/// Points are f32, relative to the centre of each mesh, and poses are f64. The scene is in metres with Y up,
/// as glTF demands, where files state the unit and the upward axis. A model far from its origin is moved to
/// it: the `extras` of the root node have the `origin`, `unit` and `up`, and counts of omitted things.
///
/// It holds the first 10,000 findings (the gravest of each group first), and meshes up to
/// [`max_size`](Self::max_size). Cost: linear in their triangles; memory does not grow with the meshes.
#[derive(Clone)]
pub struct GlbReport {
    groups: GroupBy,
    max_size: u64,
}

/// The most bytes of a GLB, less its header.
const MOST_BYTES: u64 = u32::MAX as u64 - 64;

/// The default of [`GlbReport::max_size`].
const MAX_SIZE: u64 = 200 << 20;

impl Default for GlbReport {
    fn default() -> Self {
        Self::new()
    }
}

impl GlbReport {
    /// At most 200 MiB of meshes.
    pub fn new() -> Self {
        Self { groups: GroupBy::default(), max_size: MAX_SIZE }
    }
    /// What findings of one group have in common.
    #[must_use]
    pub fn groups(self, by: GroupBy) -> Self {
        Self { groups: by, ..self }
    }
    /// The size of all meshes in bytes above which the writer omits some, those of the gravest groups last.
    /// The nodes of their parts stay, and state it.
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

/// Points relative to the centre (f32), then corners of triangles (u32).
fn bytes(mesh: &Mesh) -> Vec<u8> {
    let corners = mesh.triangles().as_flattened();
    let points = scene::points(mesh).flatten().map(f32::to_le_bytes);
    points.chain(corners.iter().map(|corner| corner.to_le_bytes())).flatten().collect()
}
