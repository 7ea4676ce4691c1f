//! How the encoding of a tree is divided.
use super::PIECE;
use crate::wide::{
    node::Node,
    topology::{Lane, Topology, Wide},
};

/// What lies below a node.
#[derive(Clone, Copy, Default)]
pub(super) struct Below {
    pub(super) nodes: u32,
    pub(super) leaves: u32,
    pub(super) triangles: u32,
}

impl Below {
    fn of(topology: &Topology) -> Vec<Self> {
        let mut all = vec![Self::default(); topology.nodes.len()];
        for (index, wide) in topology.nodes.iter().enumerate().rev() {
            let mut sum = Self::default();
            for lane in &wide.lanes[..wide.len] {
                let part = match *lane {
                    Lane::Inner(child) => {
                        let below = all[child as usize];
                        Self { nodes: below.nodes + 1, ..below }
                    }
                    Lane::Leaf { count, .. } => Self { nodes: 0, leaves: 1, triangles: count },
                };
                sum.nodes += part.nodes;
                sum.leaves += part.leaves;
                sum.triangles += part.triangles;
            }
            all[index] = sum;
        }
        all
    }
}

/// Work that leaves a run of words and points, in depth-first order.
#[derive(Clone, Copy)]
pub(super) enum Job {
    /// The leaves of a large node.
    Leaves(usize),
    /// A node that is not large, and all below.
    Whole(usize),
}

/// How the work on a topology is divided.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) below: Vec<Below>,
    pub(super) jobs: Vec<Job>,
    /// Nodes of which the jobs make the leaves alone, in the same order: parents first.
    pub(super) large: Vec<Large>,
}

impl Plan {
    pub(super) fn of(topology: &Topology) -> Self {
        let below = Below::of(topology);
        let (mut large, mut jobs, mut stack) = (Vec::new(), Vec::new(), vec![0]);
        while let Some(index) = stack.pop() {
            if below[index].triangles <= PIECE {
                jobs.push(Job::Whole(index));
            } else {
                large.push(Large { index, words: 0, leaves: 0, made: None });
                jobs.push(Job::Leaves(index));
                stack.extend(inner(&topology.nodes[index]).rev());
            }
        }
        Self { below, jobs, large }
    }
}

/// A large node.
pub(super) struct Large {
    pub(super) index: usize,
    /// Where its words begin.
    pub(super) words: u32,
    /// Where its leaves begin among those of large nodes.
    pub(super) leaves: usize,
    /// The node itself, and how far it reaches.
    pub(super) made: Option<(Node, f64)>,
}

/// A node's inner children, in lane order.
pub(super) fn inner(wide: &Wide) -> impl DoubleEndedIterator<Item = usize> {
    wide.lanes[..wide.len].iter().filter_map(|lane| match *lane {
        Lane::Inner(child) => Some(child as usize),
        Lane::Leaf { .. } => None,
    })
}
