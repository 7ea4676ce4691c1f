//! Units of squares: see the head of `nearest.rs`.
use super::{
    super::relative::{RelativeTransform, RelativeTransforms, up},
    task::Task,
};

/// The square of a length in the world, in that of a tree's frame: not less, for lower bounds to be compared
/// with.
pub(in crate::wide) fn limit(world: f64, length: f64) -> f32 {
    let own = world / length;
    up(own * own * (1.0 + 2e-6))
}

/// Whether that is certain: nothing is further than NaN.
#[inline(always)]
pub(in crate::wide) fn is_further(near: f32, most: f32) -> bool {
    near > most
}

/// The unit in which squares are compared, and what squares in the two frames are multiplied with for that:
/// not more than they are. 0 where a frame is not used.
#[derive(Clone, Copy)]
pub(super) struct Units {
    /// In the world.
    pub(super) length: f64,
    /// The factors of squares in the resting frame and in the moving one.
    pub(super) factors: [f32; 2],
}

impl Units {
    pub(super) fn of(task: &Task<'_>) -> Self {
        let RelativeTransforms { to_resting, to_moving, .. } = task.transforms;
        let [resting, moving] = task.lengths;
        // NaN is not longer.
        let length = if moving > resting { moving } else { resting };
        let factor = |own: f64, transform: &RelativeTransform, [target, source]: [f64; 2]| {
            let ratio = own / length;
            if ratio == 1.0 {
                return 1.0;
            }
            let square = ratio * ratio * (1.0 - 1e-6);
            // Subnormal factors are not precise.
            let is_used = transform.reach_of_image(source) + target < MOST_SIZE
                && square > f64::from(f32::MIN_POSITIVE);
            if is_used { square as f32 } else { 0.0 }
        };
        let [a, b] = task.trees.map(|tree| tree.reach);
        Self { length, factors: [factor(resting, to_resting, [a, b]), factor(moving, to_moving, [b, a])] }
    }
}

/// Differences of coordinates below this, 2^60, and along a unit vector of sums of three of them, have
/// squares whose sum does not overflow.
const MOST_SIZE: f64 = (1_u64 << 60) as f64;
