//! [`PlacedShapes`]: the shape of each part, and its placement.
use crate::{
    parts::{
        meshes::distinct_meshes,
        shapes::{Motion, Shapes, TOLERANCE},
    },
    values::finding_kind::FindingKind,
};
use impinge::{Pose, relation::RelationKind};
use impinge_io::Part;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Clone)]
pub(crate) struct PlacedShapes(pub(crate) Arc<[PlacedShape]>);

/// The shape of a part, and its placement.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct PlacedShape {
    number: u32,
    /// The placement of the shape's first mesh, with its centre moved to the origin.
    place: Motion,
    /// The size relative to which corners were compared; 0 if the shape has one mesh.
    size: f64,
}

/// The placement of a second part in the frame of the first, and the bound on its error.
pub(crate) struct ShapePlacement {
    rows: [[f64; 3]; 3],
    /// From the centre of the first shape to that of the second.
    pub(crate) t: [f64; 3],
    pub(crate) tolerance: f64,
}

impl ShapePlacement {
    /// True if both are equal up to the errors of comparing and rounding.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let are_near = |a: f64, b: f64, most: f64| (a - b).abs() <= most;
        let rows = self.rows.as_flattened().iter().zip(other.rows.as_flattened());
        let most = self.tolerance.max(other.tolerance);
        rows.into_iter().all(|(a, b)| are_near(*a, *b, FRACTION))
            && self.t.iter().zip(other.t).all(|(a, b)| are_near(*a, b, most))
    }
}

/// The largest difference of equal placements, as a fraction of sizes: in both findings, the corners of both
/// parts may be off by [`TOLERANCE`].
const FRACTION: f64 = 4.0 * TOLERANCE;
/// The rounding error of the difference, as a fraction of the largest coordinate.
const ROUNDING: f64 = 1e-12;

/// The key of findings of the same two shapes: both shapes, the smaller number first, and the relation in
/// that order.
pub(crate) type AlikeKey = (u32, u32, FindingKind);

impl PlacedShapes {
    pub(crate) fn new(parts: &[Part]) -> Self {
        let (meshes, mesh_of) = distinct_meshes(parts);
        Self::of_meshes(&Shapes::new(&meshes), parts.iter().map(|part| &part.pose).zip(mesh_of))
    }
    /// The places of parts, from the pose and the mesh of each.
    pub(crate) fn of_meshes<'a>(shapes: &Shapes, parts: impl IntoIterator<Item = (&'a Pose, usize)>) -> Self {
        let place = |(pose, mesh): (&Pose, usize)| {
            let (number, pose) = (shapes.of[mesh], Motion::of(pose));
            let frame = &shapes.frames[number as usize];
            let place =
                shapes.moved[mesh].map_or(pose, |moved| pose.after(&moved)).about_centre(frame.centre);
            PlacedShape { number, place, size: frame.size }
        };
        Self(parts.into_iter().map(place).collect())
    }
    /// The places of parts without their meshes. Parts with the same number of a mesh are alike.
    pub(crate) fn of_numbers<'a>(parts: impl Iterator<Item = (u32, &'a Pose)>) -> Self {
        let place = |(number, pose)| PlacedShape { number, place: Motion::of(pose), size: 0.0 };
        Self(parts.map(place).collect())
    }
    /// The key of a finding, and true if its parts are exchanged in it. Parts of one shape keep the order of
    /// the finding.
    pub(crate) fn key(&self, [a, b]: [u32; 2], kind: FindingKind) -> (AlikeKey, bool) {
        let shape = |part: u32| self.0[part as usize].number;
        let is_swapped = shape(b) < shape(a);
        let kind = match kind {
            FindingKind::Clash(Some(kind)) if is_swapped => FindingKind::Clash(Some(exchanged(kind))),
            other => other,
        };
        ((shape(a).min(shape(b)), shape(a).max(shape(b)), kind), is_swapped)
    }
    /// The placement of a second part in the frame of the first.
    pub(crate) fn placement(&self, parts: [u32; 2]) -> ShapePlacement {
        let [a, b] = parts.map(|part| &self.0[part as usize]);
        let Motion { rows, t } = a.place.inverse().after(&b.place);
        let length = t.iter().map(|x| x * x).sum::<f64>().sqrt();
        let far = a.place.t.iter().chain(&b.place.t).fold(0.0_f64, |most, x| most.max(x.abs()));
        ShapePlacement { rows, t, tolerance: FRACTION * (a.size + b.size + length) + ROUNDING * far }
    }
}

/// The relation of the second part to the first.
fn exchanged(kind: RelationKind) -> RelationKind {
    match kind {
        RelationKind::Inside => RelationKind::Contains,
        RelationKind::Contains => RelationKind::Inside,
        RelationKind::Overlap
        | RelationKind::Duplicate
        | RelationKind::Pierce
        | RelationKind::SurfaceInside
        | RelationKind::Meet
        | RelationKind::Touch
        | RelationKind::Apart => kind,
    }
}
