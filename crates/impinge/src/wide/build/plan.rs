//! Division of a tree's encoding into jobs.
use crate::wide::{
    node::QuantizedNode,
    topology::{Lane, Topology, WideNode},
};

/// A subtree of up to this many triangles is one job: its data then stays in the cache.
const PIECE: u32 = 8192;

/// Numbers of nodes, leaves and triangles below a node.
#[derive(Clone, Copy, Default)]
pub(super) struct SubtreeSize {
    pub(super) nodes: u32,
    pub(super) leaves: u32,
    pub(super) triangles: u32,
}

impl SubtreeSize {
    fn of_all(topology: &Topology) -> Vec<Self> {
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

/// Work that writes words and corners of leaves, in depth-first order.
#[derive(Clone, Copy)]
pub(super) enum Job {
    /// The leaves of a large node.
    Leaves(usize),
    /// A node that is not large, and all below it.
    Subtree(usize),
}

/// Division of the work on a topology.
#[derive(Default)]
pub(super) struct Plan {
    /// The size of every node.
    pub(super) sizes: Vec<SubtreeSize>,
    pub(super) jobs: Vec<Job>,
    /// The nodes of [`Job::Leaves`], in the same order: parents first.
    pub(super) large: Vec<LargeNode>,
}

impl Plan {
    pub(super) fn of(topology: &Topology) -> Self {
        let sizes = SubtreeSize::of_all(topology);
        let (mut large, mut jobs, mut stack) = (Vec::new(), Vec::new(), vec![0]);
        while let Some(index) = stack.pop() {
            if sizes[index].triangles <= PIECE {
                jobs.push(Job::Subtree(index));
            } else {
                large.push(LargeNode { index, words: 0, leaves: 0, made: None });
                jobs.push(Job::Leaves(index));
                stack.extend(inner_children(&topology.nodes[index]).rev());
            }
        }
        Self { sizes, jobs, large }
    }
}

/// A node over more triangles than a job may have.
pub(super) struct LargeNode {
    pub(super) index: usize,
    /// The first of its leaves' words.
    pub(super) words: u32,
    /// Its first leaf among those of all large nodes.
    pub(super) leaves: usize,
    /// The node, once it is encoded, and its reach.
    pub(super) made: Option<(QuantizedNode, f64)>,
}

/// A node's inner children, in lane order.
pub(super) fn inner_children(wide: &WideNode) -> impl DoubleEndedIterator<Item = usize> {
    wide.lanes[..wide.len].iter().filter_map(|lane| match *lane {
        Lane::Inner(child) => Some(child as usize),
        Lane::Leaf { .. } => None,
    })
}
