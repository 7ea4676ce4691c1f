//! Bounds of a body in the world.
use super::oriented::PlacedObb;
use crate::{Model, broad_phase::Aabb, vector::UNIT, world::WorldBox};

/// Bounds of a body's place that an update computes.
#[derive(Debug, Default)]
pub(super) struct WorldBounds {
    /// The box, rounded outwards.
    pub(super) aabb: Aabb,
    /// The exact box, for `Enclosure::Exact`.
    pub(super) exact: Option<Box<WorldBox>>,
    pub(super) oriented: Option<PlacedObb>,
    pub(super) ball: Option<Ball>,
    /// An upper bound of the distance that any point has moved since the last update.
    pub(super) moved: f64,
}

/// A ball around a mesh in its own coordinates. It takes O(vertices) to compute, so the scene keeps it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    pub(super) centre: [f64; 3],
    pub(super) radius: f64,
}

impl Ball {
    /// The ball around the centre of the mesh's box. (Hu et al. take the mean of the corners, equation (1);
    /// either ball may be the smaller one.)
    pub(super) fn new(model: &Model) -> Self {
        let [lo, hi] = model.extent();
        let centre = [0, 1, 2].map(|k| lo[k] / 2.0 + hi[k] / 2.0);
        let mesh = model.mesh();
        let radius = mesh.triangles().as_flattened().iter().fold(0.0, |most: f64, &i| {
            let v = mesh.points()[i as usize];
            let d = [0, 1, 2].map(|k| v[k] - centre[k]);
            most.max((d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt())
        });
        // Eight roundings; and the square of a very small number underflows to 0.
        Self { centre, radius: radius * (1.0 + 16.0 * UNIT) + 1e-150 }
    }
}
