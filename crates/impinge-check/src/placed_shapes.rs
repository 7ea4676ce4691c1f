//! [`PlacedShapes`]: the shape of each part, and where it is.
use crate::{
    finding::FindingKind,
    meshes::distinct_meshes,
    shapes::{Motion, Shapes},
};
use impinge::{Pose, relation::RelationKind};
use impinge_io::Part;
use std::sync::Arc;

/// For each part the number of its shape, and where the first mesh of that shape is.
#[derive(Clone)]
pub(crate) struct PlacedShapes(pub(crate) Arc<[(u32, Motion)]>);

/// What findings of the same two shapes have in common: both shapes, the smaller number first, and the
/// relation in that order.
pub(crate) type AlikeKey = (u32, u32, FindingKind);

impl PlacedShapes {
    /// Compares the meshes of all parts.
    pub(crate) fn new(parts: &[Part]) -> Self {
        let (meshes, mesh_of) = distinct_meshes(parts);
        Self::of_meshes(&Shapes::new(&meshes), parts.iter().map(|part| &part.pose).zip(mesh_of))
    }
    /// The places of parts, from the pose and the mesh of each.
    pub(crate) fn of_meshes<'a>(shapes: &Shapes, parts: impl IntoIterator<Item = (&'a Pose, usize)>) -> Self {
        let place = |(pose, mesh): (&Pose, usize)| {
            let pose = Motion::of(pose);
            (shapes.of[mesh], shapes.moved[mesh].map_or(pose, |moved| pose.after(&moved)))
        };
        Self(parts.into_iter().map(place).collect())
    }
    /// The places of parts whose meshes are not there: parts of one mesh, by its number, are alike.
    pub(crate) fn of_numbers<'a>(parts: impl Iterator<Item = (u32, &'a Pose)>) -> Self {
        Self(parts.map(|(mesh, pose)| (mesh, Motion::of(pose))).collect())
    }
    /// The key of a finding, and whether its parts are exchanged in it. Of one shape, the order of the parts
    /// is that of the finding.
    pub(crate) fn key(&self, [a, b]: [u32; 2], kind: FindingKind) -> (AlikeKey, bool) {
        let shape = |part: u32| self.0[part as usize].0;
        let is_swapped = shape(b) < shape(a);
        let kind = match kind {
            FindingKind::Clash(Some(kind)) if is_swapped => FindingKind::Clash(Some(exchanged(kind))),
            other => other,
        };
        ((shape(a).min(shape(b)), shape(a).max(shape(b)), kind), is_swapped)
    }
    /// Numbers that are nearly equal for nearly equal placements of a second part in the frame of the first.
    pub(crate) fn placement(&self, [a, b]: [u32; 2]) -> [f64; 12] {
        let [a, b] = [a, b].map(|part| &self.0[part as usize].1);
        let relative = a.inverse().after(b);
        std::array::from_fn(|i| if i < 9 { relative.rows[i / 3][i % 3] } else { relative.t[i - 9] })
    }
}

/// The relation of the second part to the first.
fn exchanged(kind: RelationKind) -> RelationKind {
    match kind {
        RelationKind::AInB => RelationKind::BInA,
        RelationKind::BInA => RelationKind::AInB,
        RelationKind::Overlap
        | RelationKind::Same
        | RelationKind::Pierce
        | RelationKind::InsideOpen
        | RelationKind::Meet
        | RelationKind::Touch
        | RelationKind::Apart => kind,
    }
}
