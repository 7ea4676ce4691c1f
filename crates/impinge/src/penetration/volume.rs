//! The volume of what two solids have in common, without building it.
//!
//! # The sum
//! Let v and w be the winding numbers of A and B. With the divergence of (x - o) / 3, which is 1, and the
//! gradients of v and w, which are on the faces alone, the integral of v w is 1/3 of the sum of
//! (p - o) . n times the integral of w over the face, for all faces of A, with a point p of the face's plane
//! and its normal n; and the same for the faces of B and v (after Franklin 1987, who sums over polygons).
//!
//! The integral of w over a face, times n, is half the sum of w (x x dx) along its boundary, and of the
//! jumps of w times x x dx along the segments in which the face meets B. Such a vector is parallel to n, so
//! (p - o) . n times the integral is the product of p - o with the vector: no normal is calculated, and
//! slivers do no harm. In all, six times the volume is the sum over faces of p . L, all points relative to o,
//! where L is the sum of
//!
//! * y x z for each segment from y to z in which the face meets a face of the other body, that one's back on
//!   the left;
//! * for each edge m x Y, where Y is the sum of c_k y_k over its *events* y_k: points where it runs through
//!   the other body, and its ends inside; c_k is what the winding number falls by there (its ends lie in
//!   nothing on their far sides). For on a line x x dx is m x dx, whatever point m of it one takes, and all
//!   c_k add up to 0. Here m is one of the events, and so nothing is sorted.
//!
//! p is an event too: all points that are calculated with lie in the box that both bodies have in common, and
//! long edges make no large numbers that cancel. Winding numbers change under a small translation of B
//! nowhere but in a small volume, so degenerate contacts are decided by such a translation (`pierce.rs`).
//!
//! # Errors
//! Every number carries a bound of its error, roundings included ([`Rounded`]).
use super::overlay::{Memory, Met, Overlay};
use crate::{
    Inside,
    exact::probe::{Algebra, Number, Point, Rounded},
    vector::UNIT,
};

/// A lower and an upper bound of the volume, if the solids' winding numbers define one: see
/// [`Penetration::overlap_volume`](crate::Penetration::overlap_volume).
pub(super) fn overlap_volume(overlay: &Overlay<'_>, inside: Inside, memory: &Memory) -> Option<[f64; 2]> {
    let (mut least, mut most, mut sign) = (1.0, 1.0, 1.0);
    for x in 0..2 {
        let (solid, model) = (overlay.solids[x], overlay.bodies[x].model);
        let levels = solid.levels(model)?;
        if !levels.are_inside(solid.rule(inside))? {
            return Some([0.0; 2]);
        }
        least *= f64::from(levels.least);
        most *= f64::from(levels.most);
        sign *= f64::from(levels.sign * overlay.handedness[x]);
    }
    let [lo, hi] = memory.points.common_box();
    let (mut all, mut cap) = (six_times(overlay, memory), 1.0);
    for k in 0..3 {
        cap *= (hi[k] - lo[k]).max(0.0) * (1.0 + 4.0 * UNIT);
    }
    cap += if cap > 0.0 { f64::MIN_POSITIVE } else { 0.0 };
    if overlay.bodies[0].pose == overlay.bodies[1].pose {
        // Both were left where their meshes are.
        let stretch = determinant(overlay.bodies[0].pose.rows());
        all = all.times(&stretch);
        cap *= (stretch.value() + stretch.error()) * (1.0 + 4.0 * UNIT);
    }
    let (value, error) = (sign * all.value() / 6.0, all.error() / 6.0 + UNIT * all.value().abs());
    let (lo, hi) = ((value - error) / most, (value + error) / least);
    let widened = [lo - 4.0 * UNIT * lo.abs(), hi + 4.0 * UNIT * hi.abs()];
    if !(widened[0].is_finite() && widened[1].is_finite() && cap.is_finite()) {
        // Beyond the range of f64.
        return None;
    }
    let hi = widened[1].clamp(0.0, cap);
    Some([widened[0].clamp(0.0, hi), hi])
}

/// The absolute value of a determinant.
fn determinant(rows: &[[f64; 3]; 3]) -> Rounded {
    let exactly = |x: f64| Rounded::new(x, 0.0);
    let [u, v, w] = rows.map(|row| row.map(exactly));
    let value = u.cross(&v).dot(&w);
    Rounded::new(value.value().abs(), value.error())
}

fn six_times(overlay: &Overlay<'_>, memory: &Memory) -> Rounded {
    let mut sum = Rounded::ZERO;
    for x in 0..2 {
        let (mesh, windings) = (overlay.bodies[x].model.mesh(), &memory.windings[x]);
        for t in (0..mesh.len() as u32).filter(|&t| overlay.solids[x].is_face(t)) {
            let corners = mesh.triangles()[t as usize];
            let w = corners.map(|v| windings[v as usize]);
            let at = |k: usize| memory.points.point(x, corners[k]);
            if let Some(met) = overlay.met(x, t, memory) {
                sum = sum.plus(&part(met, w, at));
            } else if w[0] != 0 {
                // All of it is inside.
                let (p, q, r) = (at(0), at(1), at(2));
                let cone = q.difference(&p).cross(&r.difference(&p)).dot(&p);
                sum = sum.plus(&cone.times(&Rounded::small(w[0])));
            }
        }
    }
    sum
}

/// p . L of a face that the other body meets, whose corners have these winding numbers.
fn part(met: &Met, w: [i32; 3], at: impl Fn(usize) -> Point<Rounded>) -> Rounded {
    let mut all = met.along;
    for (k, edge) in met.edges.iter().enumerate() {
        let (mut sum, mut point) = (edge.sum, edge.point);
        for (end, falls) in [(k, -1), ((k + 1) % 3, 1)] {
            if w[end] != 0 {
                let corner = at(end);
                sum = sum.sum(&corner.scaled(&Rounded::small(falls * w[end])));
                point.get_or_insert(corner);
            }
        }
        if let Some(point) = point {
            all = all.sum(&point.cross(&sum));
        }
    }
    met.point.dot(&all)
}
