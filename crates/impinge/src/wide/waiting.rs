//! Children that wait to be opened in a traversal, depth first, the nearest of a node first.
//!
//! A node's children are not sorted: few of them are opened, so the nearest is looked for each time.
use super::node::WIDTH;

/// Children of a node by lane, as numbers in the order of how near they are, of which the last three bits are
/// the lane: so no two are alike, and the least tells where it is. Taking these bits for it makes none appear
/// further. [`NONE`] where no child waits.
#[derive(Clone, Copy, Debug)]
struct Children {
    keys: [i32; WIDTH],
    node: u32,
}

/// Beyond every limit.
const NONE: i32 = i32::MAX;

/// What is not beyond a limit: see [`furthest`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Furthest(i32);

/// The memory of a traversal.
#[derive(Debug, Default)]
pub(crate) struct WaitingStack(Vec<Children>);

/// As an integer, in the same order.
#[inline(always)]
fn ordered(x: f32) -> i32 {
    let bits = x.to_bits() as i32;
    bits ^ ((bits >> 31) & i32::MAX)
}

/// What is not further than this number; all, if it is NaN.
#[inline(always)]
pub(super) fn furthest(most: f32) -> Furthest {
    Furthest(if most.is_nan() { NONE - 1 } else { ordered(most) | 7 })
}

impl WaitingStack {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
    /// The children of a node in some lanes. NaN is not allowed: it would be nearer or further than all.
    #[inline(always)]
    pub(super) fn push(&mut self, node: u32, near: &[f32; WIDTH], lanes: u8) {
        if lanes == 0 {
            return;
        }
        let mut keys = [NONE; WIDTH];
        for (lane, key) in keys.iter_mut().enumerate() {
            let own = (ordered(near[lane]) & !7) | lane as i32;
            *key = if u32::from(lanes) & (1 << lane) != 0 { own } else { NONE };
        }
        self.0.push(Children { keys, node });
    }
    /// Takes the nearest child of the last node that has one which is near enough: the node, and the lane.
    #[inline(always)]
    pub(super) fn pop(&mut self, most: Furthest) -> Option<(u32, usize)> {
        while let Some(Children { keys, node }) = self.0.last_mut() {
            let least = keys.iter().fold(NONE, |least, &key| least.min(key));
            if least > most.0 {
                self.0.pop();
                continue;
            }
            let lane = (least & 7) as usize;
            keys[lane] = NONE;
            return Some((*node, lane));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_of_the_last_node_comes_first_and_what_is_too_far_does_not_come() {
        let mut stack = WaitingStack::default();
        stack.push(3, &[4.0, -2.0, 0.0, f32::INFINITY, 1.0, 1.0, 9.0, -3.0], 0b0111_1111);
        stack.push(4, &[5.0; WIDTH], 0);
        stack.push(5, &[2.0, 8.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0], 0b111);
        let mut all = Vec::new();
        while let Some(child) = stack.pop(furthest(if all.len() < 4 { 4.0 } else { f32::NAN })) {
            all.push(child);
        }
        assert_eq!(all, [(5, 0), (5, 2), (3, 1), (3, 2), (3, 4), (3, 5), (3, 0), (3, 6), (3, 3)]);
        stack.push(1, &[f32::NEG_INFINITY; WIDTH], 0b1000_0000);
        assert_eq!(stack.pop(furthest(-1e30)), Some((1, 7)));
        assert_eq!(stack.pop(furthest(f32::INFINITY)), None);
    }
}
