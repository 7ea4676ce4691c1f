//! Units of squares: see the head of `nearest.rs`.
use super::{
    super::relative::{RelativeTransform, RelativeTransforms, up},
    task::WideNearestTask,
};

/// The square of a length in the world, in the unit of a tree's frame: rounded up, as a limit of lower
/// bounds.
pub(in crate::wide) fn limit(world: f64, length: f64) -> f32 {
    let own = world / length;
    up(own * own * (1.0 + 2e-6))
}

/// True if `near` is certainly beyond `most`: nothing is further than NaN.
#[inline(always)]
pub(in crate::wide) fn is_further(near: f32, most: f32) -> bool {
    near > most
}

/// The unit in which squares are compared, and the factors of squares in the two frames, rounded down. The
/// factor of a frame that is not used is 0.
#[derive(Clone, Copy)]
pub(super) struct SquareUnits {
    /// The unit's length in the world.
    pub(super) length: f64,
    /// The factors of squares in the resting frame and in the moving one.
    pub(super) factors: [f32; 2],
}

impl SquareUnits {
    pub(super) fn of(task: &WideNearestTask<'_>) -> Self {
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

/// Limit of differences of coordinates, 2^60. The squares of smaller ones have a sum that does not overflow,
/// as does the square of a sum of three of them along a unit vector.
const MOST_SIZE: f64 = (1_u64 << 60) as f64;
