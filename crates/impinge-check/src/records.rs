//! Results of a check, of one run or collected from several.
pub(crate) mod bodies;
pub(crate) mod candidates;
pub(crate) mod clash;
pub(crate) mod contact;
pub(crate) mod decide;
pub(crate) mod depth;
pub(crate) mod first_depths;
pub(crate) mod floating;
pub(crate) mod graph;
pub(crate) mod motion_gaps;
pub(crate) mod near;
pub(crate) mod run;
pub(crate) mod self_intersections;
pub(crate) mod stored;

pub use self::{
    candidates::extent_of,
    contact::{Contact, Dimension},
    depth::{Depth, pair_limit},
    floating::{Floating, Neighbour},
    graph::{ContactGraph, Edge},
    motion_gaps::MotionGap,
    near::Near,
    self_intersections::SelfIntersections,
};
pub use crate::question::depth_of::DepthOf;

use self::{
    clash::{Clash, Clashes},
    motion_gaps::Motions,
    near::Nears,
    stored::StoredClash,
};
use crate::question::{asked::Asked, test_plan::Ledger};
use anyhow::bail;

/// All measured results of an assembly. The report applies the tests to them.
#[derive(Default)]
pub(crate) struct Records {
    pub(crate) clashes: Clashes,
    /// The near pairs, if the check has distances.
    pub(crate) nears: Option<Nears>,
    /// The numbers of pairs by test.
    pub(crate) ledger: Ledger,
    /// The gaps along poses, if a test needs them.
    pub(crate) motions: Option<Motions>,
    /// The groups that float, if the check searched for them.
    pub(crate) floating: Option<Vec<Floating>>,
    /// The self-intersections of parts, if the check searched for them.
    pub(crate) within: Option<self_intersections::OfParts>,
}

impl Records {
    /// Pairs that were not examined for lack of time, sorted.
    pub(crate) fn not_examined(&self) -> Vec<[u32; 2]> {
        let not_measured = self.nears.as_ref().map_or(&[][..], |nears| &nears.not_examined);
        let of_motions = self.motions.as_ref().map_or(&[][..], |motions| &motions.not_examined);
        let mut all = [&self.clashes.not_examined, not_measured, of_motions].concat();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The results of several tasks, or of earlier runs and this run, in any order.
#[derive(Default)]
pub(crate) struct Collected {
    clashes: Vec<Clash>,
    depths: Vec<([u32; 2], Depth)>,
    contacts: Vec<([u32; 2], Contact)>,
    pub(crate) boxes_overlap: u64,
    pub(crate) near: Vec<Near>,
    pub(crate) reached: Vec<([u32; 2], u32)>,
    pub(crate) counts: Vec<u64>,
    pub(crate) boxes_within: u64,
    pub(crate) ledger: Ledger,
    /// Pairs of [`Clashes`] and of [`Nears`] that were not examined. Results of tasks and caches have none.
    not_examined: [Vec<[u32; 2]>; 2],
}

impl Collected {
    /// Adds a clash of these parts. It must have passed [`StoredClash::check`].
    pub(crate) fn add_clash(&mut self, clash: &StoredClash, parts: [u32; 2]) {
        let (clash, depth, contact) = clash.restored(parts);
        self.contacts.extend(contact.map(|contact| (parts, contact)));
        self.clashes.push(clash);
        self.depths.extend(depth.map(|depth| (parts, depth)));
    }
    pub(crate) fn with(mut self, Records { clashes, nears, .. }: Records) -> Self {
        let depths = clashes.list.iter().filter_map(|clash| Some((clash.parts, *clashes.depth(clash)?)));
        self.depths.extend(depths);
        self.contacts.extend(clashes.contacts());
        self.boxes_overlap += clashes.boxes_overlap;
        self.clashes.extend(clashes.list);
        self.not_examined[0].extend(clashes.not_examined);
        if let Some(nears) = nears {
            self.near.extend(nears.list);
            self.reached.extend(nears.reached);
            self.boxes_within += nears.boxes_within;
            self.not_examined[1].extend(nears.not_examined);
            self.add_counts(&nears.counts);
        }
        self
    }
    /// Adds numbers of near pairs, for each clearance.
    pub(crate) fn add_counts(&mut self, counts: &[u64]) {
        self.counts.resize(counts.len().max(self.counts.len()), 0);
        self.counts.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    /// All results, in the order of the parts. Returns an error if a pair occurs twice.
    pub(crate) fn found(self, asked: &Asked) -> anyhow::Result<Records> {
        // The pairs of one run, which has sorted them.
        let [not_examined, not_measured] = self.not_examined;
        let mut clashes = Clashes::known(self.clashes, self.depths, self.contacts, self.boxes_overlap);
        clashes.not_examined = not_examined;
        let mut near = self.near;
        near.sort_unstable_by_key(|near| near.parts);
        let mut triangle_pairs = clashes.list.iter().map(|clash| clash.triangle_pairs);
        if triangle_pairs.try_fold(0_u64, |sum, n| sum.checked_add(n)).is_none() {
            bail!("the results have more triangle pairs than can be counted");
        }
        let is_twice = clashes.list.windows(2).any(|pair| pair[0].parts == pair[1].parts)
            || near.windows(2).any(|pair| pair[0].parts == pair[1].parts);
        if is_twice {
            bail!("one pair was answered twice");
        }
        let nears = asked.clearance.as_ref().map(|asked| {
            let (mut counts, mut reached) = (self.counts, self.reached);
            counts.resize(asked.what_if.len(), 0);
            reached.sort_unstable_by_key(|&(parts, _)| parts);
            let (not_examined, boxes_within) = (not_measured, self.boxes_within);
            Nears { list: near, left_out: Vec::new(), reached, counts, boxes_within, not_examined }
        });
        Ok(Records { clashes, nears, ledger: self.ledger, ..Records::default() })
    }
}
