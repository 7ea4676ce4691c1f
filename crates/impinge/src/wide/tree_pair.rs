//! Two trees and the part of them that one walk covers.
use super::{
    leaf::LeafRef,
    relative::RelativeTransforms,
    tree::{TreeView, WideTree},
};
use crate::{narrow::Narrow, simd::MOST_DOUBLES, stop::StopFlag};

/// Lanes of one node against lanes of another, by bits. Each lane is an inner node or a leaf.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodePair {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) rows: u8,
    pub(super) columns: u8,
}

/// Pairs of triangles, by number, that the f32 stage left undecided. They wait until there is one for each
/// lane of f64.
#[derive(Debug, Default)]
pub(super) struct UndecidedPairs {
    pub(super) pairs: [[u32; 2]; MOST_DOUBLES],
    pub(super) len: usize,
}

/// The number of node pairs that are kept from the way to a contact.
pub(crate) const TRAIL: usize = 3;

/// The part of the two trees that one traversal covers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WalkRange<'a> {
    All,
    /// Everything, for bodies that most likely are apart: all of the walk is needed then, and an early search
    /// for a first contact takes 4 to 13 % of its time.
    AllOfApart,
    /// Breadth first from the roots until that many node pairs wait: they stay in the [`TraversalStack`].
    /// None are left if the trees have fewer.
    Top(usize),
    /// Breadth first, too, from node pairs that another traversal left.
    TopOf(&'a [NodePair], usize),
    /// At most that many node pairs: the others stay in the [`TraversalStack`].
    First(usize),
    /// Everything below node pairs that another traversal left.
    Below(&'a [NodePair]),
    /// Everything below these node pairs, the last first, but at most that many node pairs in all.
    Near(&'a [NodePair; TRAIL], usize),
    /// Only collects pairs of leaves, which stay in the [`TraversalStack`], until there are more than
    /// `leaves`, or more than `node_pairs` were opened.
    Gather {
        leaves: usize,
        node_pairs: usize,
    },
    /// Pairs of leaves that another traversal gathered, again of bodies that most likely are apart.
    Leaves(&'a [[LeafRef; 2]]),
}

/// A resting tree and a moving one, or one tree twice, and their relative transforms.
#[derive(Clone, Copy)]
pub(crate) struct RelativeTrees<'a> {
    pub(crate) a: &'a WideTree,
    pub(crate) b: &'a WideTree,
    pub(crate) transforms: &'a RelativeTransforms,
}

/// Two trees, their relative transforms, and the query.
#[derive(Clone, Copy)]
pub(super) struct TreePair<'a> {
    pub(super) a: TreeView<'a>,
    pub(super) b: TreeView<'a>,
    pub(super) transforms: &'a RelativeTransforms,
    pub(super) narrow: &'a Narrow<'a>,
    /// True if pairs are needed one by one: then no work is postponed.
    pub(super) eager: bool,
    /// True if both trees are the same one: only pairs of lanes and triangles (i, j) in order are needed.
    pub(super) within: bool,
    /// True if the pair of lanes with the greatest penetration depth comes first.
    pub(super) deepest: bool,
    pub(super) part: WalkRange<'a>,
    pub(super) stop: StopFlag<'a>,
}
