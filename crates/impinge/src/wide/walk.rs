//! The walk over two wide trees.
//!
//! It is not the traversal of the crate `impinge-volumes`: there a pair of volumes is tested at a time, and two leaves end in triangle numbers. Here the unit is a *block*, some lanes
//! of one node against some of another, with everything about the eight lanes made ready once; and leaves keep their triangles in the form that the first, f32 stage of the triangle
//! test wants. That stage says "meet" or "apart" where it is certain, and leaves the rest to [`Narrow`], where every query of every kind ends.
use super::{WideTree, block, frame::Frame, leaf::LeafRef, meet, pending::PendingPairs};
use crate::{
    Count, SimdLevel,
    hierarchy::{Stop, Task},
    narrow::Narrow,
    simd::{MOST_DOUBLES, Simd, Work, detect},
    sink::Sink,
};
use std::ops::ControlFlow;

/// Lanes of one node against lanes of another: inner ones stand for their children's nodes, leaves for themselves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) rows: u8,
    pub(super) columns: u8,
}

/// Memory of the walk.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    pub(crate) blocks: Vec<Block>,
    pub(crate) leaves: Vec<[LeafRef; 2]>,
    /// From the first walk on: a scratch that is not used takes no memory.
    pending: Option<Box<PendingPairs>>,
    doubts: Doubts,
    /// Blocks that the last walk has opened.
    pub(crate) opened: usize,
    /// Pairs of leaves that it has met.
    pub(crate) met: usize,
    /// The last blocks that the last walk has opened, if pairs were wanted one by one; the latest last. Unused ones have no rows.
    pub(crate) trail: [Block; TRAIL],
}

/// Pairs that the f32 stage leaves, by number, until there is one for each lane of f64.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    pub(super) pairs: [[u32; 2]; MOST_DOUBLES],
    pub(super) len: usize,
}

/// Pairs of leaves that wait at most, so that their memory has time to come.
const WAITING: usize = 32;

/// Blocks that are remembered of a way to a contact.
pub(crate) const TRAIL: usize = 3;

/// First contact: how long the walk follows one guess. It opens the deepest pair of lanes first. After
/// `GUESSES` blocks without a contact it takes the block that has waited longest, follows that for `OTHERWISE`
/// blocks in the nodes' own order, and then returns to where it was.
///
/// Where bodies cross, deepest first finds a contact at once. Where they only touch it can pass by every one.
const GUESSES: usize = 6;
const OTHERWISE: usize = 5;

/// Blocks that are opened between two looks at the stop flag, a power of two: some 5 us.
const BETWEEN_LOOKS: usize = 64;

/// How much of the two trees one walk takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'a> {
    All,
    /// Breadth first from the roots until that many blocks wait: they stay in the [`Stack`]. None do if there was less to walk.
    Top(usize),
    /// What lies below blocks that another walk left.
    Below(&'a [Block]),
    /// What lies below blocks, the last first, but no more than so many blocks in all.
    Near(&'a [Block; TRAIL], usize),
    /// Pairs of leaves alone, which stay in the [`Stack`], until there are more than so many, or more blocks were opened.
    Gather {
        leaves: usize,
        blocks: usize,
    },
    /// Pairs of leaves that another walk gathered.
    Leaves(&'a [[LeafRef; 2]]),
}

/// Two trees, one to the other.
#[derive(Clone, Copy)]
pub(super) struct Trees<'a> {
    pub(super) a: &'a WideTree,
    pub(super) b: &'a WideTree,
    pub(super) frame: &'a Frame,
    pub(super) narrow: &'a Narrow<'a>,
    /// Pairs are wanted one by one: then nothing is put off.
    pub(super) eager: bool,
    /// They are one: pairs of lanes and triangles in order alone.
    pub(super) within: bool,
    /// Of a block's pairs, the one that lies deepest in each other first.
    pub(super) deepest: bool,
    part: Part<'a>,
    stop: Stop<'a>,
}

/// Sends the pairs that meet to `hits`.
///
/// Nothing of it is generic for its callers, so that it is compiled once an instruction set, and in this crate.
/// Counting always costs a few additions a block.
pub(crate) fn walk(
    (a, b): (&WideTree, &WideTree),
    frame: &Frame,
    (level, part): (SimdLevel, Part<'_>),
    task: &Task<'_>,
    stack: &mut Stack,
    count: &mut Count,
    hits: &mut Sink<'_>,
) -> ControlFlow<()> {
    let Task { narrow, stop, .. } = *task;
    let within = narrow.is_within();
    // Most meshes do not cross themselves: then all of the walk is needed, and haste costs time.
    let eager = matches!(hits, Sink::Each(_)) && !within;
    let trees = Trees { a, b, frame, narrow, eager, within, deepest: eager, part, stop };
    stack.blocks.clear();
    stack.leaves.clear();
    (stack.opened, stack.met) = (0, 0);
    stack.trail = if let Part::Near(&trail, _) = part { trail } else { Default::default() };
    if a.nodes.is_empty() || b.nodes.is_empty() {
        return ControlFlow::Continue(());
    }
    detect(level).call(Walk { trees, stack, count, hits })
}

struct Walk<'a, 'h, 's> {
    trees: Trees<'a>,
    stack: &'s mut Stack,
    count: &'s mut Count,
    hits: &'s mut Sink<'h>,
}

impl Work for Walk<'_, '_, '_> {
    type Out = ControlFlow<()>;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Out {
        run(simd, self.trees, self.stack, self.count, self.hits)
    }
}

#[inline(always)]
fn run<S: Simd>(
    simd: S,
    mut trees: Trees<'_>,
    stack: &mut Stack,
    count: &mut Count,
    hits: &mut Sink<'_>,
) -> ControlFlow<()> {
    let Stack { blocks, leaves, pending, doubts, opened, met, trail, .. } = stack;
    let pending = &mut **pending.get_or_insert_default();
    pending.len = 0;
    doubts.len = 0;
    match trees.part {
        Part::Below(left) => blocks.extend_from_slice(left),
        Part::Near(trail, _) => blocks.extend(trail.iter().filter(|block| block.rows != 0)),
        Part::Leaves(known) => leaves.extend_from_slice(known),
        Part::All | Part::Top(_) | Part::Gather { .. } => {
            let (root_a, root_b) = (&trees.a.nodes[0], &trees.b.nodes[0]);
            blocks.push(Block { a: 0, b: 0, rows: root_a.used, columns: root_b.used });
        }
    }
    // Of a walk from the top, blocks are a queue: this many have left it.
    let mut done = 0;
    loop {
        if trees.eager {
            let next = *opened + 1;
            if next == GUESSES || next == GUESSES + OTHERWISE {
                blocks.reverse();
            }
            trees.deepest = !(GUESSES..GUESSES + OTHERWISE).contains(&next);
        }
        let next = match trees.part {
            Part::Top(most) if done < blocks.len() && blocks.len() - done < most => {
                done += 1;
                Some(blocks[done - 1])
            }
            Part::Top(_) => None,
            Part::Near(_, most) if *opened == most => None,
            Part::Gather { leaves: most, blocks } if leaves.len() > most || *opened > blocks => None,
            _ => blocks.pop(),
        };
        if let Some(block) = next {
            if trees.eager {
                *trail = [trail[1], trail[2], block];
            }
            if *opened & (BETWEEN_LOOKS - 1) == 0 {
                trees.stop.check()?;
            }
            block::open(simd, &trees, block, blocks, leaves, count);
            *opened += 1;
        } else {
            blocks.drain(..done);
        }
        if let Part::Gather { .. } = trees.part {
            if next.is_none() {
                return ControlFlow::Continue(());
            }
            continue;
        }
        let last = next.is_none();
        if last || leaves.len() >= WAITING || (trees.eager && !leaves.is_empty()) {
            *met += leaves.len();
            meet::meet_leaves(simd, &trees, leaves, (pending, doubts), count, hits)?;
            if last || trees.eager {
                meet::decide(simd, &trees, (pending, doubts), true, count, hits)?;
                meet::settle(simd, &trees, doubts, count, hits)?;
            }
            if last {
                return ControlFlow::Continue(());
            }
        }
    }
}
