//! The interface of all broad phases.
use super::aabb::Aabb;
use std::fmt::Debug;

/// Finds the pairs of boxes that meet, update after update.
///
/// ```
/// use impinge::broad_phase::{Aabb, BroadPhase, DynamicTree};
/// let unit_at = |x: f64| Aabb { lo: [x, 0., 0.], hi: [x + 1., 1., 1.] };
/// let mut boxes = vec![unit_at(0.), unit_at(1.), unit_at(5.)];
/// let (mut broad_phase, mut pairs) = (DynamicTree::new(), Vec::new());
/// // At first every box is new.
/// broad_phase.update(&boxes, &[0, 1, 2], &mut pairs);
/// assert_eq!(pairs, [[0, 1]]);
/// // Then one is removed and one is added.
/// boxes[0] = Aabb::EMPTY;
/// boxes.push(unit_at(4.5));
/// broad_phase.update(&boxes, &[0, 3], &mut pairs);
/// assert_eq!(pairs, [[2, 3]]);
/// ```
#[doc(alias("broadphase", "btBroadphaseInterface"))]
pub trait BroadPhase: Debug + Send + Sync {
    /// Writes every pair of boxes that share a point to `pairs`, which is cleared first. A pair is
    /// `[i, j]` with `i < j`, indices into `boxes`; each pair once, in any order.
    ///
    /// The caller promises from one call to the next:
    /// * `boxes` never gets shorter. Boxes may have been appended at the end.
    /// * `changed` lists, each once, every index whose box differs from the last call's. That includes boxes
    ///   that became [`Aabb::EMPTY`], boxes that were empty and no longer are, and appended boxes unless
    ///   they are empty.
    ///
    /// At the first call every box counts as appended.
    ///
    /// An implementation may rely on that list and skip all other boxes. So an index that the caller leaves
    /// out can lose pairs. An index whose box has not changed does no harm.
    fn update(&mut self, boxes: &[Aabb], changed: &[u32], pairs: &mut Vec<[u32; 2]>);
}
