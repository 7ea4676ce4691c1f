//! The order of hits: by the exact t at which the ray enters, then by triangle.
use super::{cast::Cast, hit::RayHit};
use crate::{
    posed::{distance::TriangleAt, ray},
    vector::Vector,
};
use std::cmp::Ordering;

/// Sorts hits by f64. After that the exact sort compares each of many hits at one t with the next mostly only
/// once.
fn sort_roughly(hits: &mut [RayHit]) {
    hits.sort_unstable_by(|a, b| a.enter[0].total_cmp(&b.enter[0]).then(a.triangle.cmp(&b.triangle)));
}

impl Cast<'_> {
    fn compare_by_integers(&self, a: &RayHit, b: &RayHit) -> Ordering {
        let corners = [a, b].map(|hit| self.body.model.mesh().corners(hit.triangle));
        self.compare_corners(&corners).then(a.triangle.cmp(&b.triangle))
    }
    /// Sorts hits by the exact t at which the ray enters, then by triangle.
    pub(crate) fn sort(&self, hits: &mut [RayHit]) {
        sort_roughly(hits);
        hits.sort_unstable_by(|a, b| self.compare(a, b));
    }
    pub(crate) fn sort_by_integers(&self, hits: &mut [RayHit]) {
        sort_roughly(hits);
        hits.sort_unstable_by(|a, b| self.compare_by_integers(a, b));
    }
    /// The order of hits: by the exact t at which the ray enters, then by triangle.
    pub(crate) fn compare(&self, a: &RayHit, b: &RayHit) -> Ordering {
        if a.enter[1] < b.enter[0] {
            return Ordering::Less;
        }
        if b.enter[1] < a.enter[0] {
            return Ordering::Greater;
        }
        if a.enter[0] == a.enter[1] && a.enter == b.enter {
            return a.triangle.cmp(&b.triangle);
        }
        self.compare_exactly(a, b).then(a.triangle.cmp(&b.triangle))
    }
    #[cold]
    #[inline(never)]
    fn compare_exactly(&self, a: &RayHit, b: &RayHit) -> Ordering {
        let corners = [a, b].map(|hit| self.body.model.mesh().corners(hit.triangle));
        if self.enter_at_one_corner(&corners) {
            return Ordering::Equal;
        }
        self.compare_corners(&corners)
    }
    fn compare_corners(&self, corners: &[[Vector; 3]; 2]) -> Ordering {
        let [p, q] = [0, 1].map(|i| TriangleAt { pose: &self.body.pose, corners: &corners[i] });
        ray::compare(&self.ray.as_given(), [p, q])
    }
}
