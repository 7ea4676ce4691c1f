//! Every box against every other one: the reference for the other broad phases.
use super::{aabb::Aabb, interface::BroadPhase};

/// Tests every box against every other one: O(n^2), and the fastest for a few dozen boxes. It has no state.
#[derive(Clone, Copy, Debug, Default)]
pub struct BruteForce;

impl BroadPhase for BruteForce {
    fn update(&mut self, boxes: &[Aabb], _: &[u32], pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        for (i, a) in (0..).zip(boxes) {
            if a.is_empty() {
                continue;
            }
            let meets = |(j, b): (u32, &Aabb)| (!b.is_empty() && a.meets(b)).then_some([i, j]);
            pairs.extend((i + 1..).zip(&boxes[i as usize + 1..]).filter_map(meets));
        }
    }
}
