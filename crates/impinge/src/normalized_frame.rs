//! The normalized frame: a tree's own coordinates.
use crate::{
    Mesh,
    bounds::Bounds,
    vector::{UNIT, Vector, largest, shrinking},
};

/// A tree's own coordinates: x -> (x - origin) scale, which takes the mesh into [-1, 1]^3 (or [-4, 4]^3, for
/// coordinates near the largest of f64).
///
/// Bounds in f32 keep their precision in them, however far from the origin the mesh lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalizedFrame {
    /// The centre of the mesh's box, rounded.
    pub origin: Vector,
    /// A power of two.
    pub scale: f64,
}

impl NormalizedFrame {
    /// The identity: the world's coordinates.
    pub(crate) const WORLD: Self = Self { origin: [0.0; 3], scale: 1.0 };
    /// Bound of the coordinates of a tree's mesh: 4, and a rounding.
    pub(crate) const REACH: f64 = 4.5;
    /// The frame of a mesh between two corners.
    pub fn new(lo: Vector, hi: Vector) -> Self {
        // Halved first, so that nothing overflows.
        let origin = std::array::from_fn(|i| lo[i] / 2.0 + hi[i] / 2.0);
        let reach = largest((0..3).flat_map(|i| [hi[i] - origin[i], origin[i] - lo[i]]));
        // The largest meshes then reach 4.
        Self { origin, scale: shrinking(reach) }
    }
    /// The coordinates of a point, each within 2^-50 of the exact ones: one rounding of a number of at most
    /// 4, and some underflow.
    #[inline]
    pub fn apply(&self, v: &Vector) -> Vector {
        std::array::from_fn(|i| (v[i] - self.origin[i]) * self.scale)
    }
    /// Lower bound of the distance in the world of points that are 1 apart in these coordinates. The inverse
    /// of the pose's linear part lengthens nothing by more than the factor `inverse_norm`. NaN stays NaN.
    pub(crate) fn unit_length(&self, inverse_norm: f64) -> f64 {
        // The scale is a power of two. A product that underflows must not make the length infinite.
        let longest = self.scale * inverse_norm * (1.0 + 1e-12);
        1.0 / if longest < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { longest }
    }
    /// Intervals that contain the exact coordinates of `v`: the difference rounds once, by u of its size, and
    /// the product with the scale rounds only where it is subnormal.
    #[inline]
    pub fn bounds(&self, v: &Vector) -> [Vector; 2] {
        let x = self.apply(v);
        [
            x.map(|x| (x * (1.0 - x.signum() * 2.0 * UNIT)).next_down()),
            x.map(|x| (x * (1.0 + x.signum() * 2.0 * UNIT)).next_up()),
        ]
    }
    /// The coordinates of all points of a mesh.
    pub fn points_of(&self, mesh: &Mesh) -> Vec<Vector> {
        mesh.points().iter().map(|v| self.apply(v)).collect()
    }
    /// The f32 box of these coordinates of some triangles' corners, rounded outwards: it contains the exact
    /// triangles.
    pub fn bounds_of(&self, mesh: &Mesh, triangles: &[u32]) -> Bounds {
        triangles.iter().flat_map(|&triangle| mesh.corners(triangle)).fold(Bounds::EMPTY, |sum, v| {
            let [lo, hi] = self.bounds(&v);
            sum.and(&Bounds::outward(&lo, &hi))
        })
    }
}
