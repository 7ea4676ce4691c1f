//! Search for a separating plane of two bodies in a few directions, with the meshes' support functions.
use super::{bodies::Slot, oriented::PlacedObb};
use crate::{
    Pose,
    model::SupportBound,
    vector::{UNIT, Vector, dot, largest, sub},
};

/// The number of directions that are tried: first from centre to centre, then the next one by Chung and Wang
/// (1996).
///
/// Of 191 pairs of teapots that are apart but whose boxes meet, the first direction separates 151, the second
/// another 17; a third would separate 3 more. The mesh's points in place of the 98 directions of the support
/// function, with 60 tries, would separate 183 in all; the eight boxes of a tree's root, 98.
const TRIES: usize = 2;

/// Requests the support functions that [`clearance`] needs. A mesh with enough requests computes its own.
pub(super) fn want(bodies: [&Slot; 2]) {
    if bodies.iter().all(|slot| slot.oriented.is_some()) {
        bodies.iter().filter_map(|slot| slot.model.as_ref()).for_each(|model| model.want_support());
    }
}

/// The support of one of the two bodies.
struct SupportSide<'a> {
    support: &'a SupportBound,
    oriented: &'a PlacedObb,
    pose: &'a Pose,
}

impl<'a> SupportSide<'a> {
    fn of(slot: &'a Slot) -> Option<Self> {
        let support = slot.model.as_ref()?.support()?;
        Some(Self { support, oriented: slot.oriented.as_ref()?, pose: &slot.pose })
    }

    /// An upper bound h of n . (x - centre) over all points x of the body, without rounding errors; a bound
    /// of these errors; and roughly the x - centre at which the maximum is attained.
    ///
    /// Error: m = R^T n rounds by 4 u sum |R_kj n_k|. As h(m) changes by at most half the box's sides times
    /// the change of m, that makes 4 u |n| L, with L = [`PlacedObb::length`] and |n| the greatest component.
    /// Underflow in m counts times the support function's size; h(m) itself has an error of 32 u |m| times
    /// that size.
    fn reach(&self, n: Vector) -> (f64, f64, Vector) {
        let r = self.pose.rows();
        let m = [0, 1, 2].map(|j| r[0][j] * n[0] + r[1][j] * n[1] + r[2][j] * n[2]);
        let (h, v) = self.support.at(m);
        let of_m = 64.0 * UNIT * largest(m.map(f64::abs)) + f64::MIN_POSITIVE;
        let error =
            8.0 * UNIT * largest(n.map(f64::abs)) * self.oriented.length() + of_m * self.support.size();
        (h, error, r.map(|row| dot(row, v)))
    }
}

/// A lower bound of the distance of two bodies in the world, if one of the directions tried separates them.
///
/// With d the difference of the computed centres: for any n and all points x, y of the two bodies,
/// n . (y - x) >= n . d - h_a(n) - h_b(-n).
///
/// Error: |n| (e + 4 u |d|), with |.| the sum of a vector's absolute values and e the sum of the two centres'
/// errors, plus the errors of the two bounds h.
pub(super) fn clearance([a, b]: [&Slot; 2]) -> Option<f64> {
    let (a, b) = (SupportSide::of(a)?, SupportSide::of(b)?);
    let d = sub(b.oriented.centre(), a.oriented.centre());
    let off = (a.oriented.error() + b.oriented.error()) * (1.0 + 8.0 * UNIT);
    let mut n = d;
    for _ in 0..TRIES {
        // Scaled to about 1, so that products neither overflow nor underflow.
        let size = largest(n.map(f64::abs));
        n = n.map(|x| x / size);
        let ((h_a, error_a, p), (h_b, error_b, q)) = (a.reach(n), b.reach(n.map(|x| -x)));
        let sizes = d[0].abs() + d[1].abs() + d[2].abs();
        let error = (n[0].abs() + n[1].abs() + n[2].abs()) * (off + 8.0 * UNIT * sizes) + error_a + error_b;
        let gap = dot(n, d) - (h_a + h_b) - error * (1.0 + 8.0 * UNIT);
        // False if the gap is infinite or NaN. The first bound covers underflow.
        if gap > 64.0 * f64::MIN_POSITIVE && gap < f64::INFINITY {
            return Some(gap / dot(n, n).sqrt() * (1.0 - 8.0 * UNIT));
        }
        // w leads from the furthest point of a to the furthest point of b. n is reflected in the plane
        // perpendicular to w.
        let w = [0, 1, 2].map(|k| d[k] + q[k] - p[k]);
        let twice = 2.0 * dot(n, w) / dot(w, w);
        n = [0, 1, 2].map(|k| n[k] - twice * w[k]);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{meshes, rng::Rng};
    use crate::{Body, Mesh, Model, Query, scene::Enclosure};
    use std::sync::Arc;

    fn slot(model: &Arc<Model>, pose: Pose) -> Slot {
        let mut slot = Slot::default();
        slot.fill(0, Arc::clone(model), pose);
        slot.take(Enclosure::Rotated.of(&slot));
        slot
    }

    /// A support function bounds the points that it was made for; it is dropped when points move.
    #[test]
    fn a_model_that_is_reshaped_has_no_support_function() {
        let mesh = Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]).unwrap();
        let mut model = Model::new(mesh);
        let changes: [fn(&mut Model); 3] = [
            |model| model.refit(&[[0.0; 3], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap(),
            |model| model.refit_some(&[(0, [0.5; 3])]).unwrap(),
            |model| model.rebuild(),
        ];
        for change in changes {
            model.want_support();
            assert!(model.support().is_some() && model.clone().support().is_some());
            change(&mut model);
            assert!(model.support().is_none());
        }
    }

    /// Tests bodies of every size, near and far, rotated, stretched and sheared, that touch, nearly touch, or
    /// are apart. Bodies with a clearance do not meet, not even if one of them comes nearer by 0.999 times as
    /// much. Most bodies that are well apart have one.
    #[test]
    fn a_clearance_is_none_that_is_not_there() {
        let mut rng = Rng::new(23);
        let (mut told, mut met, mut untold) = (0, 0, 0);
        for scale in [1e-200, 1e-3, 1.0, 1e6, 1e150] {
            let models: Vec<_> = [
                meshes::cuboid([1.0, 0.5, 0.25]),
                meshes::cuboid([0.3, 0.6, 0.7]),
                meshes::icosphere(2),
                meshes::torus(12, 8, 0.3),
                meshes::soup(9, 20, 0.4),
            ]
            .iter()
            .zip(1..)
            .map(|(of, k)| {
                // Each away from the origin by another distance, so that poses round differently.
                let shift = 0.123 * f64::from(k);
                let points = of.points().iter().map(|v| v.map(|x| scale * (x + shift))).collect();
                let mesh = Mesh::new(points, of.triangles().to_vec()).unwrap();
                let model = Arc::new(Model::new(mesh));
                (0..1000).for_each(|_| model.want_support());
                model
            })
            .collect();
            for _ in 0..6000 {
                let (a, b) = (rng.pick(&models).clone(), rng.pick(&models).clone());
                let mut rows = || {
                    let mut rows = rng.rotation();
                    match rng.below(4) {
                        0 | 1 => rows = *Pose::IDENTITY.rows(),
                        2 => rows[0] = [0, 1, 2].map(|k| 3.0 * rows[0][k] - 0.5 * rows[1][k]),
                        _ => (),
                    }
                    rows
                };
                let (of_a, of_b) = (rows(), rows());
                let far = *rng.pick(&[0.0, 1.0, 1e9]) * scale;
                let at = rng.point(far);
                // So far apart that they roughly touch in that direction.
                let towards = if rng.one_in(2) { rng.point(1.0) } else { [0.0, 0.0, 1.0] };
                let pose_a = Pose::affine(of_a, at).unwrap();
                let middle =
                    |body: &Model| [0, 1, 2].map(|k| (body.extent()[0][k] + body.extent()[1][k]) / 2.0);
                let reach = |body: &Model, rows: [Vector; 3], sign: f64| {
                    let along =
                        |v: &Vector| sign * dot(towards, rows.map(|row| dot(row, sub(*v, middle(body)))));
                    body.mesh().points().iter().map(along).fold(f64::NEG_INFINITY, f64::max)
                };
                let touch = (reach(&a, of_a, 1.0) + reach(&b, of_b, -1.0)) / dot(towards, towards);
                let more = *rng.pick(&[0.8, 1.0, 1.0 + 1e-15, 1.0 - 1e-15, 1.001, 1.1, 1.5]);
                // The centres lie in that direction from each other: it is the first one that is tried.
                let (from, to) = (pose_a.place(middle(&a)), of_b.map(|row| dot(row, middle(&b))));
                let there = [0, 1, 2].map(|k| from[k] + touch * more * towards[k] - to[k]);
                let pose_b = Pose::affine(of_b, there).unwrap();
                let meet = |pose_b: Pose| {
                    let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
                    Query::new().intersects(&a, &b)
                };
                let clearance = clearance([&slot(&a, pose_a), &slot(&b, pose_b)]);
                let meets = meet(pose_b);
                met += usize::from(meets);
                let Some(clearance) = clearance else {
                    untold += usize::from(more >= 1.5);
                    continue;
                };
                told += 1;
                assert!(!meets, "{pose_a:?} {pose_b:?}: {clearance}");
                let step = rng.rotation()[0].map(|x| 0.999 * clearance * x);
                let nearer =
                    Pose::affine(of_b, [0, 1, 2].map(|k| pose_b.translation()[k] + step[k])).unwrap();
                assert!(far > scale || !meet(nearer), "{pose_a:?} {pose_b:?}: not {clearance} apart");
            }
        }
        assert!(told > 8000 && met > 500 && untold < told / 10, "{told} told, {met} met, {untold} not told");
    }
}
