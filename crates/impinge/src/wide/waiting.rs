//! Children that wait to be opened in a traversal, depth first, the nearest of a node first.
//!
//! A node's children are not sorted: few of them are opened, so each time a search takes the nearest.
use super::{
    node::{QuantizedNode, WIDTH},
    tree::TreeView,
};
use crate::simd::{Simd, ordered};

/// Children of a node by lane, as [`Simd::keys`] of their distances. No two keys are alike, and each contains
/// its lane. No key is further than its distance. [`NONE`] where no child waits.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct WaitingChildren {
    keys: [i32; WIDTH],
    node: u32,
}

/// A key beyond every limit.
const NONE: i32 = i32::MAX;

/// The greatest key that is not beyond a limit: see [`furthest`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Furthest(i32);

/// The memory of a traversal.
#[derive(Debug, Default)]
pub(crate) struct WaitingStack(Vec<WaitingChildren>);

/// The greatest key that is not further than a number; all keys are within NaN.
#[inline(always)]
pub(super) fn furthest(most: f32) -> Furthest {
    Furthest(if most.is_nan() { NONE - 1 } else { ordered(most) | 7 })
}

#[inline(always)]
fn least(keys: &[i32; WIDTH]) -> i32 {
    keys.iter().fold(NONE, |least, &key| least.min(key))
}

/// The keys without one. All are written: if one alone were, a read of all would have to wait for it.
#[inline(always)]
fn without(key: i32, keys: &[i32; WIDTH]) -> [i32; WIDTH] {
    let mut rest = *keys;
    for rest in &mut rest {
        *rest = if *rest == key { NONE } else { *rest };
    }
    rest
}

#[inline(always)]
fn lane(key: i32) -> usize {
    (key & 7) as usize
}

impl WaitingStack {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
    /// Takes the nearest of a node's children in some lanes, and lets the others wait. If it is too far,
    /// takes the child that [`Self::pop`] takes. NaN is not allowed: it would be nearer or further than all.
    #[inline(always)]
    pub(super) fn open<S: Simd>(
        &mut self,
        simd: S,
        node: u32,
        near: S::Eight,
        lanes: u8,
        most: Furthest,
    ) -> Option<(u32, usize)> {
        let mut keys = [NONE; WIDTH];
        simd.keys(near, lanes, &mut keys);
        let least = least(&keys);
        if least > most.0 {
            return self.pop(most);
        }
        self.0.push(WaitingChildren { keys: without(least, &keys), node });
        Some((node, lane(least)))
    }
    /// Lets a node's children in some lanes wait. NaN is not allowed.
    #[inline(always)]
    pub(super) fn push<S: Simd>(&mut self, simd: S, node: u32, near: S::Eight, lanes: u8) {
        let mut keys = [NONE; WIDTH];
        simd.keys(near, lanes, &mut keys);
        self.0.push(WaitingChildren { keys, node });
    }
    /// Takes the nearest child of the last node that has one which is near enough: the node, and the lane.
    #[inline(always)]
    pub(super) fn pop(&mut self, most: Furthest) -> Option<(u32, usize)> {
        while let Some(WaitingChildren { keys, node }) = self.0.last_mut() {
            let least = least(keys);
            if least > most.0 {
                self.0.pop();
                continue;
            }
            *keys = without(least, keys);
            return Some((*node, lane(least)));
        }
        None
    }
}

/// Prefetches the child that the traversal opens after the one taken last.
#[inline(always)]
pub(super) fn prefetch<S: Simd>(simd: S, tree: TreeView<'_>, stack: &WaitingStack, most: Furthest) {
    let Some(WaitingChildren { keys, node }) = stack.0.last() else { return };
    let least = least(keys);
    if least > most.0 {
        return;
    }
    prefetch_child(simd, tree, &tree.nodes[*node as usize], lane(least));
}

#[inline(always)]
pub(super) fn prefetch_child<S: Simd>(simd: S, tree: TreeView<'_>, node: &QuantizedNode, lane: usize) {
    if node.leaves >> lane & 1 == 0 {
        simd.prefetch(tree.nodes, node.child(lane) as usize);
        return;
    }
    let leaf = node.leaf(lane, tree.precision);
    // A line has 32 words; a leaf of eight triangles takes four of them.
    for line in 0..4 {
        simd.prefetch(tree.words, leaf.words as usize + 32 * line);
    }
    simd.prefetch(tree.order, leaf.first as usize);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;

    #[test]
    fn the_nearest_of_the_last_node_comes_first_and_what_is_too_far_does_not_come() {
        let mut stack = WaitingStack::default();
        let four = furthest(4.0);
        let open = |stack: &mut WaitingStack, node, near: [f32; WIDTH], lanes| {
            stack.open(Portable, node, Portable.load(&near), lanes, four)
        };
        let near = [4.0, -2.0, 0.0, f32::INFINITY, 1.0, 1.0, 9.0, -3.0];
        assert_eq!(open(&mut stack, 3, near, 0b0111_1111), Some((3, 1)));
        assert_eq!(open(&mut stack, 4, [2.0, 8.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0], 0b111), Some((4, 0)));
        assert_eq!(open(&mut stack, 5, [5.0; WIDTH], 0b1111), Some((4, 2)));
        let mut all = Vec::new();
        while let Some(child) = stack.pop(if all.len() < 3 { four } else { furthest(f32::NAN) }) {
            all.push(child);
        }
        assert_eq!(all, [(3, 2), (3, 4), (3, 5), (3, 0), (3, 6), (3, 3)]);
        let nearest = Portable.load(&[f32::NEG_INFINITY; WIDTH]);
        let far = stack.open(Portable, 1, nearest, 0b1000_0000, furthest(-1e30));
        assert_eq!(far, Some((1, 7)));
        assert_eq!(stack.pop(furthest(f32::INFINITY)), None);
    }
}
