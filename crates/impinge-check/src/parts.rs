//! Part metadata: source file, pose, and whether the mesh bounds a solid. Meshes are not part of it.
pub(crate) mod boxes;
pub(crate) mod build_options;
pub(crate) mod chord;
pub(crate) mod labels;
pub(crate) mod meshes;
pub(crate) mod placed_shapes;
pub(crate) mod shapes;
pub(crate) mod shells;
pub(crate) mod texts;

pub use self::{
    chord::{ChordOf, Chords, Sure},
    labels::{NamedPart, PartLabels},
    meshes::distinct_meshes,
    shells::split_shells,
};

use self::{chord::Stated, texts::PartTexts};
use impinge::{
    Model, Pose,
    solid::{Boundary, Closedness, FillRule, Solid},
};
use impinge_io::Part;
use serde::{Deserialize, Serialize};
use std::{path::Path, sync::Arc};

/// The facts of a report about the parts of an assembly.
pub(crate) struct Parts {
    /// In file order.
    pub(crate) parts: Vec<PartRecord>,
    /// Facts about the meshes that parts share.
    meshes: Vec<MeshFacts>,
    /// The corners of the box around all parts, rounded outwards; `None` without a triangle.
    pub(crate) extent: Option<[[f64; 3]; 2]>,
}

/// The facts of a report about one part.
#[derive(Clone, Debug)]
pub(crate) struct PartRecord {
    pub(crate) name: Arc<str>,
    pub(crate) file: Arc<Path>,
    pub(crate) texts: PartTexts,
    pub(crate) mesh: u32,
    pub(crate) pose: Pose,
    /// The bounds that the part states on its errors.
    pub(crate) stated: Stated,
}

/// The facts of a report about one mesh.
#[derive(Clone, Debug)]
pub(crate) struct MeshFacts {
    pub(crate) triangles: usize,
    /// `None` if the query is about surfaces alone.
    pub(crate) solid: Option<SolidFacts>,
}

/// Closedness of a mesh, and its holes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SolidFacts {
    /// Its closedness.
    #[serde(with = "crate::values::named")]
    pub status: Closedness,
    /// Number of open edges.
    pub open_edges: usize,
    /// Number of holes, or borders, that they form.
    pub holes: usize,
    /// The middle of an edge of the widest hole, in the mesh's own frame, rounded.
    pub at: Option<[f64; 3]>,
    /// The longest side of the box around that hole.
    pub width: Option<f64>,
}

impl SolidFacts {
    /// The facts of a solid.
    pub fn new(solid: &Solid) -> Self {
        Self {
            status: solid.status(),
            open_edges: solid.open_edges(),
            holes: solid.boundaries().len(),
            at: open_at(solid),
            width: solid.boundaries().first().map(Boundary::width),
        }
    }
}

/// The middle of an edge of the widest hole, in the mesh's own frame, rounded.
fn open_at(solid: &Solid) -> Option<[f64; 3]> {
    let [p, q] = solid.boundaries().first()?.edge;
    Some([0, 1, 2].map(|k| p[k] / 2.0 + q[k] / 2.0))
}

impl Parts {
    /// The facts of parts with these models, and of their solids if there is a `rule` for inner points.
    /// `known` returns the facts of a mesh, by its index, that need no new computation.
    pub(crate) fn new(
        parts: &[Part],
        models: &[Arc<Model>],
        rule: Option<FillRule>,
        extent: Option<[[f64; 3]; 2]>,
        known: impl Fn(usize) -> Option<SolidFacts>,
    ) -> Self {
        let (meshes, mesh_of) = distinct_meshes(parts);
        let mut solids: Vec<_> = (0..meshes.len()).map(|mesh| rule.and_then(|_| known(mesh))).collect();
        if rule.is_some() {
            for (&mesh, model) in mesh_of.iter().zip(models) {
                solids[mesh].get_or_insert_with(|| SolidFacts::new(model.solid()));
            }
        }
        let meshes = meshes.iter().zip(solids);
        let meshes = meshes.map(|(mesh, solid)| MeshFacts { triangles: mesh.len(), solid }).collect();
        let facts = |(part, mesh): (&Part, usize)| PartRecord {
            name: Arc::clone(&part.name),
            file: Arc::clone(&part.file),
            texts: PartTexts::of(part),
            mesh: mesh as u32,
            pose: part.pose,
            stated: Stated::of(part),
        };
        Self::of(parts.iter().zip(mesh_of).map(facts).collect(), meshes, extent)
    }

    /// The facts of `parts`; each has the index of its mesh in `meshes`. `extent` is the box around all
    /// parts.
    pub(crate) fn of(parts: Vec<PartRecord>, meshes: Vec<MeshFacts>, extent: Option<[[f64; 3]; 2]>) -> Self {
        Self { parts, meshes, extent }
    }

    pub(crate) fn meshes(&self) -> impl Iterator<Item = &MeshFacts> {
        self.meshes.iter()
    }
    pub(crate) fn solids(&self) -> impl Iterator<Item = Option<&SolidFacts>> {
        self.meshes.iter().map(|mesh| mesh.solid.as_ref())
    }
    pub(crate) fn mesh(&self, part: usize) -> &MeshFacts {
        &self.meshes[self.parts[part].mesh as usize]
    }
    /// Longest side of the box around all parts; 0 without a triangle.
    pub(crate) fn size(&self) -> f64 {
        let side = |[lo, hi]: [[f64; 3]; 2]| [0, 1, 2].map(|k| hi[k] - lo[k]).into_iter().fold(0.0, f64::max);
        self.extent.map_or(0.0, side)
    }
    /// Bound on the distance by which rounding moved a part's points, as the input states it; 0 by default.
    pub(crate) fn rounding(&self, part: u32) -> f64 {
        self.parts[part as usize].stated.rounding.unwrap_or(0.0)
    }
    /// The sum of two lengths that are not negative, rounded up.
    pub(crate) fn sum_of_roundings([a, b]: [f64; 2]) -> f64 {
        if a == 0.0 || b == 0.0 { a + b } else { (a + b).next_up() }
    }
    /// The closedness of a part; `None` if the query is about surfaces alone.
    pub(crate) fn status(&self, part: u32) -> Option<Closedness> {
        self.mesh(part as usize).solid.as_ref().map(|solid| solid.status)
    }
}
