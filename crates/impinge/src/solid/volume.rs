//! The volume that a mesh bounds.
use super::{
    Solid,
    chain::{Closed, NONE},
};
use crate::{
    geometry::Geometry,
    posed::probe::{Algebra, Number, RoundedNumber},
    vector::{UNIT, Vector, cross, dot, sub},
};

impl Solid {
    /// See [`Model::winding_volume`](crate::Model::winding_volume).
    pub(crate) fn winding_volume(&self, geometry: &Geometry) -> Option<[f64; 2]> {
        if self.chain.closed != Closed::Oriented {
            return None;
        }
        if self.chain.is_sheet {
            return Some([0.0; 2]);
        }
        let sum = self.six_volumes(geometry);
        let [volume, error] = sum.over(&RoundedNumber::small(6));
        // A number that overflows becomes an interval without ends.
        let bound = |x: f64, end: f64| if x.is_nan() { end } else { x };
        Some([
            bound((volume - error).next_down(), f64::NEG_INFINITY),
            bound((volume + error).next_up(), f64::INFINITY),
        ])
    }
    /// Six times the integral of the winding number, in the mesh's own frame.
    pub(crate) fn six_volumes(&self, geometry: &Geometry) -> RoundedNumber {
        *self.six_volumes.get_or_init(|| {
            let [lo, hi] = geometry.extent();
            // Any point does; halves do not overflow.
            let origin = [0, 1, 2].map(|k| RoundedNumber::new(lo[k] / 2.0 + hi[k] / 2.0, 0.0));
            let mut sum = RoundedNumber::ZERO;
            for t in (0..geometry.mesh().len() as u32).filter(|&t| self.is_face(t)) {
                let [p, q, r] = geometry.mesh().corners(t).map(|v| {
                    let at = |k: usize| RoundedNumber::new(v[k], 0.0).minus(&origin[k]);
                    [at(0), at(1), at(2)]
                });
                // Differences first: of a small face all factors but one are small.
                let cone = q.difference(&p).cross(&r.difference(&p)).dot(&p);
                sum = sum.plus(&cone);
            }
            sum
        })
    }
}

/// The sign of the [volume](crate::Model::winding_volume) of a mesh of one component; 0 if f64 is not certain
/// of it, or the mesh is not closed with orientation.
pub(super) fn sign(solid: &Solid, geometry: &Geometry) -> i32 {
    if solid.chain.closed != Closed::Oriented { 0 } else { sign_of_components(solid, geometry) }
}

/// The sign of the volumes of all components, if they are all closed by themselves and have one sign; else 0.
pub(super) fn sign_of_shells(solid: &Solid, geometry: &Geometry) -> i32 {
    let mut faces = (0..geometry.mesh().len() as u32).filter(|&t| solid.is_face(t));
    let is_closed = |t: u32| {
        (3 * t..3 * t + 3).all(|edge| {
            let twin = solid.twin(edge);
            twin != NONE && !solid.runs_alike(geometry.mesh(), edge, twin)
        })
    };
    if faces.all(is_closed) { sign_of_components(solid, geometry) } else { 0 }
}

/// The one sign of all components' volumes, or 0.
///
/// Each difference is rounded once, a product of three and sums of six by less than 8 u of the sum of
/// absolute values, and n sums by n u of that over all triangles; twice as much is taken. In the safe range
/// minors do not underflow, and products of three differences underflow by less than 2^-1072 in all.
fn sign_of_components(solid: &Solid, geometry: &Geometry) -> i32 {
    if !geometry.in_safe_range() {
        return 0;
    }
    let mesh = geometry.mesh();
    let mut sums: Vec<(Vector, f64, f64)> =
        solid.components().iter().map(|&first| (mesh.corners(first)[0], 0.0, 0.0)).collect();
    for t in (0..mesh.len() as u32).filter(|&t| solid.is_face(t)) {
        let (origin, sum, size) = &mut sums[solid.component(t) as usize];
        let [p, q, r] = mesh.corners(t).map(|v| sub(v, *origin));
        *sum += dot(p, cross(q, r));
        let [p, q, r] = [p, q, r].map(|v| v.map(f64::abs));
        let permanent = |i: usize, j: usize| q[i] * r[j] + q[j] * r[i];
        *size += dot(p, [permanent(1, 2), permanent(2, 0), permanent(0, 1)]);
    }
    let rounding = 2.0 * (mesh.len() as f64 + 16.0) * UNIT;
    let sign = |&(_, sum, size): &(Vector, f64, f64)| {
        let bound = rounding * size + f64::MIN_POSITIVE;
        i32::from(sum > bound) - i32::from(sum < -bound)
    };
    let first = sums.first().map_or(0, sign);
    if sums.iter().all(|component| sign(component) == first) { first } else { 0 }
}
