//! The dual-tree traversal of two wide trees.
//!
//! It is not the traversal of the crate `impinge-volumes`: there one pair of volumes is tested at a time, and
//! two leaves end in triangle numbers. Here the unit is a *node pair*, some lanes of one node against some of
//! another, where everything that depends on one of the eight lanes alone is computed once. And leaves keep
//! their triangles in the form that the first, f32 stage of the triangle test takes. That stage returns
//! "meet" or "apart" where it is certain, and leaves the rest to [`Narrow`], where every query of every kind
//! ends.
use super::{
    leaf::LeafRef,
    margin, meet,
    node_pair::{self, AtRest},
    pending::PendingPairs,
    tree_pair::{NodePair, RelativeTrees, TRAIL, TreePair, UndecidedPairs, WalkRange},
};
use crate::{
    SimdLevel,
    counters::Count,
    simd::{Simd, Work, detect},
    sink::Sink,
    task::Task,
};
use std::ops::ControlFlow;

/// The memory of a traversal.
#[derive(Debug, Default)]
pub(crate) struct TraversalStack {
    pub(crate) node_pairs: Vec<NodePair>,
    pub(crate) leaves: Vec<[LeafRef; 2]>,
    /// Allocated by the first traversal: a scratch that is not used takes no memory.
    pending: Option<Box<PendingPairs>>,
    undecided: UndecidedPairs,
    /// The number of node pairs that the last traversal opened.
    pub(crate) opened: usize,
    /// The number of pairs of leaves that the last traversal reached.
    pub(crate) met: usize,
    /// The last node pairs that the last traversal opened, if pairs were wanted one by one; the latest last.
    /// Unused ones have no rows.
    pub(crate) trail: [NodePair; TRAIL],
}

/// The largest number of pairs of leaves that wait, so that prefetched memory has time to arrive.
const WAITING: usize = 32;

/// First contact: the number of node pairs for which the walk follows one guess. It opens the deepest pair of
/// lanes first. After `GUESSES` node pairs without a contact it takes the oldest waiting pair, follows that
/// for `OTHERWISE` node pairs in the nodes' own order, and then returns to where it was.
///
/// Where bodies cross, deepest first finds a contact at once. Where they only touch it can pass by every
/// contact. Measurements: `docs/notebook.md`, "Traversal".
const GUESSES: usize = 6;
const OTHERWISE: usize = 5;

/// The number of node pairs that are opened between two checks of the stop flag, a power of two: some 5 us.
const BETWEEN_LOOKS: usize = 64;

struct TreePairWalk<'a, 'h, 's> {
    trees: TreePair<'a>,
    stack: &'s mut TraversalStack,
    count: &'s mut Count,
    hits: &'s mut Sink<'h>,
}

impl Work for TreePairWalk<'_, '_, '_> {
    type Out = ControlFlow<()>;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Out {
        run(simd, self.trees, self.stack, self.count, self.hits)
    }
}

#[inline(always)]
fn run<S: Simd>(
    simd: S,
    mut trees: TreePair<'_>,
    stack: &mut TraversalStack,
    count: &mut Count,
    hits: &mut Sink<'_>,
) -> ControlFlow<()> {
    let TraversalStack { node_pairs, leaves, pending, undecided, opened, met, trail, .. } = stack;
    let pending = &mut **pending.get_or_insert_default();
    pending.len = 0;
    undecided.len = 0;
    match trees.part {
        WalkRange::Below(left) | WalkRange::TopOf(left, _) => node_pairs.extend_from_slice(left),
        WalkRange::Near(trail, _) => node_pairs.extend(trail.iter().filter(|node_pair| node_pair.rows != 0)),
        WalkRange::Leaves(known) => leaves.extend_from_slice(known),
        WalkRange::All
        | WalkRange::AllOfApart
        | WalkRange::Top(_)
        | WalkRange::First(_)
        | WalkRange::Gather { .. } => {
            let (root_a, root_b) = (&trees.a.nodes[0], &trees.b.nodes[0]);
            node_pairs.push(NodePair { a: 0, b: 0, rows: root_a.used, columns: root_b.used });
        }
    }
    // In a breadth-first traversal `node_pairs` is a queue: this many have left it.
    let mut done = 0;
    loop {
        if trees.eager {
            let next = *opened + 1;
            if next == GUESSES || next == GUESSES + OTHERWISE {
                node_pairs.reverse();
            }
            trees.deepest = !(GUESSES..GUESSES + OTHERWISE).contains(&next);
        }
        let next = match trees.part {
            WalkRange::Top(most) | WalkRange::TopOf(_, most)
                if done < node_pairs.len() && node_pairs.len() - done < most =>
            {
                done += 1;
                Some(node_pairs[done - 1])
            }
            WalkRange::Top(_) | WalkRange::TopOf(..) => None,
            WalkRange::Near(_, most) | WalkRange::First(most) if *opened == most => None,
            WalkRange::Gather { leaves: most, node_pairs } if leaves.len() > most || *opened > node_pairs => {
                None
            }
            _ => node_pairs.pop(),
        };
        if let Some(node_pair) = next {
            if trees.eager {
                *trail = [trail[1], trail[2], node_pair];
            }
            if *opened & (BETWEEN_LOOKS - 1) == 0 {
                trees.stop.check()?;
            }
            node_pair::open(simd, &trees, AtRest, node_pair, node_pairs, leaves, count);
            *opened += 1;
        } else {
            node_pairs.drain(..done);
        }
        if let WalkRange::Gather { .. } = trees.part {
            if next.is_none() {
                return ControlFlow::Continue(());
            }
            continue;
        }
        let last = next.is_none();
        if last || leaves.len() >= WAITING || (trees.eager && !leaves.is_empty()) {
            *met += leaves.len();
            if trees.transforms.is_loosened() {
                simd.call(margin::SendNear { trees: &trees, leaves, count, hits })?;
                if last {
                    return ControlFlow::Continue(());
                }
                continue;
            }
            meet::meet_leaves(simd, &trees, leaves, pending, undecided, count, hits)?;
            if last || trees.eager {
                meet::decide(simd, &trees, pending, undecided, true, count, hits)?;
                meet::decide_undecided(simd, &trees, undecided, count, hits)?;
            }
            if last {
                return ControlFlow::Continue(());
            }
        }
    }
}

impl RelativeTrees<'_> {
    /// Sends every pair of triangles that meet to the sink, until the sink or the stop flag breaks; with
    /// margins, those that may be as near. A part of the traversal sends only its own pairs.
    ///
    /// It is not generic over its callers, so that it is compiled once for each instruction set, in this
    /// crate. Counting always costs a few additions a node pair.
    pub(crate) fn walk(
        self,
        level: SimdLevel,
        part: WalkRange<'_>,
        &Task { narrow, stop, .. }: &Task<'_>,
        stack: &mut TraversalStack,
        count: &mut Count,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let (a, b, transforms) = (self.a.view(), self.b.view(), self.transforms);
        let within = narrow.is_within();
        // Most meshes do not cross themselves: then the whole traversal is needed, and looking for a first
        // contact early costs time.
        let likely_apart = matches!(part, WalkRange::AllOfApart | WalkRange::Leaves(_));
        // A breadth-first walk opens node pairs in the order of its queue.
        let in_order = matches!(part, WalkRange::Top(_) | WalkRange::TopOf(..));
        let eager = matches!(sink, Sink::Each(_)) && !within && !likely_apart && !in_order;
        let trees = TreePair { a, b, transforms, narrow, eager, within, deepest: eager, part, stop };
        stack.node_pairs.clear();
        stack.leaves.clear();
        (stack.opened, stack.met) = (0, 0);
        stack.trail = if let WalkRange::Near(&trail, _) = part { trail } else { Default::default() };
        if a.nodes.is_empty() || b.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        detect(level).call(TreePairWalk { trees, stack, count, hits: sink })
    }

    /// Collects in `stack` the pairs of leaves that boxes and slabs do not separate. Returns false if some
    /// are missing: if there are more than `leaves`, it took more than `node_pairs`, or it was stopped.
    pub(crate) fn gather(
        self,
        level: SimdLevel,
        [leaves, node_pairs]: [usize; 2],
        task: &Task<'_>,
        stack: &mut TraversalStack,
        count: &mut Count,
    ) -> bool {
        let (part, mut none) = (WalkRange::Gather { leaves, node_pairs }, Vec::new());
        // No pair of triangles is tested, so the sink cannot stop it.
        let done = self.walk(level, part, task, stack, count, &mut Sink::All(&mut none));
        done.is_continue() && stack.leaves.len() <= leaves && stack.opened <= node_pairs
    }
}
