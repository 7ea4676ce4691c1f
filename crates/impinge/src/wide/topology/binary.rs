//! Nodes of a binary tree, and the cheapest of some cuts.
use super::four::FloatQuad;

/// Ranges of up to this many items are swept (`small.rs`), not binned.
pub(super) const SWEPT: usize = 16;

/// A node of the binary tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct BinaryNode {
    /// Half the surface of the box.
    pub(super) area: f32,
    /// Number of items below; a node of 1 is a leaf.
    pub(super) items: u32,
}

/// The axis and the place of the least cost among `costs[1..]`; none if no cost is finite. Among equal costs
/// it takes the one nearest to the middle, so the tree stays balanced where all boxes are equal, or have no
/// surface.
#[inline(always)]
pub(super) fn least(costs: &[FloatQuad]) -> Option<(usize, usize)> {
    let middle = costs.len() / 2;
    // On each axis, since then all three are compared at once.
    let mut best = FloatQuad::all(f32::INFINITY);
    // The places of the best costs, and the numbers of costs before them.
    let (mut places, mut ranks) = ([0_u32; 4], [0_u32; 4]);
    let mut look = |place: usize, rank: u32| {
        for k in 0..4 {
            // NaN is not less.
            let is_less = costs[place].0[k] < best.0[k];
            best.0[k] = if is_less { costs[place].0[k] } else { best.0[k] };
            places[k] = if is_less { place as u32 } else { places[k] };
            ranks[k] = if is_less { rank } else { ranks[k] };
        }
    };
    for i in 1..costs.len() {
        look(if i % 2 == 0 { middle + i / 2 } else { middle - i / 2 }, i as u32);
    }
    let mut axis = 0;
    for k in 1..3 {
        if best.0[k] < best.0[axis] || best.0[k] == best.0[axis] && ranks[k] < ranks[axis] {
            axis = k;
        }
    }
    (best.0[axis] < f32::INFINITY).then_some((axis, places[axis] as usize))
}

impl BinaryNode {
    pub(super) const NONE: Self = Self { area: 0.0, items: 0 };
}
