//! Two placed bodies, and the space in which signs of their features are found.
use super::{
    feature::{NONE, Vertices, chosen},
    spot::Spot,
    trust::Trust,
};
use crate::{
    Body, Pose,
    exact::are_collinear,
    posed::{
        exact_frame::ExactFrame,
        homogeneous::{FeatureCorners, Rounding},
        probe::Space,
    },
    solid::Solid,
    stop::StopFlag,
};

/// Two placed bodies.
pub(super) struct PlacedBodies<'a> {
    pub(super) bodies: [&'a Body<'a>; 2],
    pub(super) solids: [&'a Solid; 2],
    pub(super) space: Space,
    pub(super) trust: Trust,
    pub(super) stop: StopFlag<'a>,
    pub(super) frame: ExactFrame,
}

impl<'a> PlacedBodies<'a> {
    pub(super) fn new(bodies: [&'a Body<'a>; 2], trust: Trust, stop: StopFlag<'a>) -> Self {
        let solids = bodies.map(|body| body.model.solid());
        let poses: [&Pose; 2] = bodies.map(|body| &body.pose);
        let space = Space::in_world(poses, solids.map(Solid::bits));
        let frame = ExactFrame::new(poses, bodies.iter().all(|body| body.model.in_safe_range()));
        Self { bodies, solids, space, trust, stop, frame }
    }
    pub(super) fn round(&self, features: &[FeatureCorners; 2]) -> Rounding {
        match self.trust {
            Trust::Features => self.space.round(self.bodies.map(|body| &body.pose), features),
            Trust::Nothing => self.space.round_exactly(features),
        }
    }
    /// The vertices of a triangle, in the order of its corners.
    #[inline]
    pub(super) fn vertices(&self, body: usize, t: u32) -> Vertices {
        let corners = self.bodies[body].model.mesh().triangles()[t as usize];
        let vertices = self.solids[body].vertices();
        corners.map(|corner| vertices[corner as usize])
    }
    /// The feature of a triangle that has these corners.
    pub(super) fn feature(&self, body: usize, t: u32, carrier: u8) -> Vertices {
        chosen(&self.vertices(body, t), carrier)
    }
    pub(super) fn corners(&self, body: usize, feature: &Vertices) -> FeatureCorners {
        let points = self.bodies[body].model.mesh().points();
        let mut corners = FeatureCorners { body, points: [[0.0; 3]; 3], len: 0 };
        for (to, &vertex) in corners.points.iter_mut().zip(feature).filter(|(_, vertex)| **vertex != NONE) {
            *to = points[vertex as usize];
            corners.len += 1;
        }
        corners
    }
    /// True if two keys are surely one point, without integers of placed corners: the keys are equal, or
    /// edges on one line run through one triangle's plane, as at T-junctions. Vertices that lie on one line
    /// do so wherever the mesh is placed.
    pub(super) fn are_one(&self, key: &[Vertices; 2], other: &[Vertices; 2]) -> bool {
        let is_edge = |feature: &Vertices| feature[1] != NONE && feature[2] == NONE;
        if key == other {
            return true;
        }
        (0..2).any(|x| {
            let points = self.bodies[x].model.mesh().points();
            let on_line = |vertex: u32| {
                let [v, w, _] = key[x];
                vertex == v
                    || vertex == w
                    || are_collinear(&[v, w, vertex].map(|vertex| points[vertex as usize]))
            };
            key[1 - x] == other[1 - x]
                && key[1 - x][2] != NONE
                && is_edge(&key[x])
                && is_edge(&other[x])
                && on_line(other[x][0])
                && on_line(other[x][1])
        })
    }
    pub(super) fn both(&self, key: &[Vertices; 2]) -> [FeatureCorners; 2] {
        [self.corners(0, &key[0]), self.corners(1, &key[1])]
    }
    /// The features that meet in a spot.
    pub(super) fn meeting(&self, spot: &Spot) -> [FeatureCorners; 2] {
        match &spot.own {
            None => self.both(&spot.key),
            Some(own) => own.features.each_ref().map(|feature| self.corners(own.body, feature)),
        }
    }
}
