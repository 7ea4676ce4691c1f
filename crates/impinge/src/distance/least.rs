//! The nearest pair so far, and the triangles behind its support.
use super::pairs::TrianglePairDistances;
use crate::{posed::distance::SupportingPair, vector::Vector};

/// The nearest of the compared pairs; the least of several.
#[derive(Clone, Debug)]
pub(super) struct LeastPair {
    pub(super) pair: [u32; 2],
    pub(super) lo: f64,
    /// The support of a pair that is as near, once there is another one to compare.
    pub(super) support: Option<SupportingPair>,
}

/// A flag of each triangle of either side, behind a support or not: 0 before the test, 1 for no, 2 for yes.
#[derive(Debug, Default)]
pub(super) struct Behind([Vec<u8>; 2]);

impl Behind {
    pub(super) fn reset(&mut self, pairs: &TrianglePairDistances<'_>) {
        for (side, shape) in self.0.iter_mut().zip(&pairs.shapes) {
            side.clear();
            side.resize(shape.len() as usize, 0);
        }
    }
    /// True if both triangles of a pair are behind: then it is no nearer than the pair of the support.
    pub(super) fn has(
        &mut self,
        pair: [u32; 2],
        pairs: &TrianglePairDistances<'_>,
        support: &SupportingPair,
    ) -> bool {
        (0..2).all(|side| {
            let known = &mut self.0[side][pair[side] as usize];
            if *known == 0 {
                let triangle: [Vector; 3] = pairs.shapes[side].corners(pair[side]);
                *known = 1 + u8::from(support.is_behind(side, &triangle));
            }
            *known == 2
        })
    }
}
