//! Encoding of a whole tree: jobs, one after another or at once, whose outputs are put together.
//!
//! A job encodes a subtree of up to [`PIECE`](super::plan) triangles, in depth-first order. Above these are
//! *large* nodes: their leaves are jobs, too, and the nodes themselves are encoded at the end, children
//! before parents, from the summaries of what lies below.
//!
//! Places (of words, corners and nodes) are counted in u32. A tree has less than 2^32 words (`leaf.rs`) and
//! at most three corners a triangle, less than 2^29; nodes are fewer than triangles.
use super::plan::{Job, LargeNode, Plan, SubtreeSize, inner_children};
use crate::{
    mesh::MAX_TRIANGLES,
    pool::Executor,
    wide::{
        WideTree, leaf,
        node::QuantizedNode,
        runs::{Encoder, LeafRun, Summary},
    },
};
use std::{mem::swap, ops::Range};

const _: () = assert!(3 * (MAX_TRIANGLES as u64) < 1 << 32);

/// The output of some jobs, done one after another.
#[derive(Default)]
struct Output {
    leaves: LeafRun,
    jobs: Vec<JobOutput>,
    /// One for each leaf of a [`Job::Leaves`], one for each [`Job::Subtree`].
    summaries: Vec<Summary>,
    /// The nodes of each subtree, the last node first.
    nodes: Vec<QuantizedNode>,
    reach: f64,
    scratch: EncoderScratch,
}

/// Position of a job's output.
struct JobOutput {
    /// The first of its words.
    words: u32,
    summaries: Range<usize>,
    nodes: Range<usize>,
}

/// Memory of [`Encoder::subtree`].
#[derive(Default)]
struct EncoderScratch {
    /// For each node its first leaf, and the first of that leaf's words.
    starts: Vec<(usize, u32)>,
    leaves: Vec<Summary>,
    stack: Vec<usize>,
    sums: Vec<Summary>,
}

/// Memory of an encoding. The next one of the same topology reuses it: then one thread allocates nothing.
#[derive(Default)]
pub(in crate::wide) struct Buffers {
    plan: Plan,
    outputs: Vec<Output>,
    summaries: Vec<Summary>,
    /// The summaries of the leaves of large nodes.
    leaves: Vec<Summary>,
    points: [Vec<f32>; 3],
}

/// The input of a node's encoding, beside its children's summaries.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a> {
    /// The leaves' corners, by axis.
    pub(super) points: [&'a [f32]; 3],
    /// The old nodes in a refit; none in a build.
    pub(super) old_nodes: &'a [QuantizedNode],
    pub(super) executor: Executor,
}

impl Encoder<'_> {
    /// Writes the nodes and words of a tree.
    pub(in crate::wide) fn encode(&self, tree: &mut WideTree, buffers: &mut Buffers, executor: Executor) {
        let count = self.topology.nodes.len();
        let Buffers { plan, outputs, summaries, leaves, points } = buffers;
        if plan.jobs.is_empty() {
            *plan = Plan::of(self.topology);
        }
        let Plan { sizes, jobs, large } = plan;
        // One thread writes one output, which need not be put together.
        let batch = if executor == Executor::Serial { jobs.len() } else { 1 };
        if outputs.len() != jobs.len().div_ceil(batch) {
            outputs.clear();
            outputs.resize_with(jobs.len().div_ceil(batch), Output::default);
        }
        if let [one] = &mut outputs[..] {
            swap(&mut one.leaves.words, tree.words.for_overwriting());
        }
        let old_nodes = if self.keep_normals { &tree.nodes[..] } else { &[] };
        executor.each(outputs, &|n, output| {
            let jobs = &jobs[n * batch..][..batch];
            self.run(jobs, sizes, old_nodes, output);
        });

        summaries.clear();
        summaries.resize(count, Summary::EMPTY);
        leaves.clear();
        // Each output counts its words and corners from 0 on.
        let (mut words_before, mut points_before, mut next) = (0, 0, large.iter_mut());
        let nodes = tree.nodes.to_mut();
        nodes.reserve_exact(count - nodes.len());
        for (jobs, output) in jobs.chunks(batch).zip(&*outputs) {
            tree.reach = tree.reach.max(output.reach);
            for (&job, made) in jobs.iter().zip(&output.jobs) {
                let shifted =
                    |sum: &Summary| Summary { points: sum.points.map(|i| i + points_before), ..*sum };
                let sums = &output.summaries[made.summaries.clone()];
                let index = match job {
                    Job::Leaves(_) => {
                        if let Some(large) = next.next() {
                            (large.words, large.leaves) = (made.words + words_before, leaves.len());
                        }
                        leaves.extend(sums.iter().map(shifted));
                        continue;
                    }
                    Job::Subtree(index) => index,
                };
                summaries[index] = shifted(&sums[0]);
                let first = inner_children(&self.topology.nodes[index]).next().unwrap_or(0);
                for (k, node) in output.nodes[made.nodes.clone()].iter().rev().enumerate() {
                    let mut node = *node;
                    node.words += words_before;
                    // A build has no nodes yet: these are all written over.
                    if nodes.is_empty() {
                        nodes.resize(count, node);
                    }
                    let to = if k == 0 { index } else { first + k - 1 };
                    nodes[to] = node;
                }
            }
            words_before += output.leaves.words.len() as u32;
            points_before += output.leaves.points()[0].len() as u32;
        }
        match &mut outputs[..] {
            [one] => swap(&mut one.leaves.words, tree.words.for_overwriting()),
            all => executor
                .concat_into(tree.words.for_overwriting(), leaf::TAIL, all, &|output| &output.leaves.words),
        }
        if large.is_empty() {
            return;
        }
        let points = if let [one] = &outputs[..] {
            one.leaves.points()
        } else {
            for (k, points) in points.iter_mut().enumerate() {
                executor.concat_into(points, 0, outputs, &|output| output.leaves.points()[k]);
            }
            points.each_ref().map(|x| &x[..])
        };
        self.encode_large(tree, large, leaves, summaries, points, executor);
    }

    /// Encodes the large nodes, above the encoded subtrees.
    fn encode_large(
        &self,
        tree: &mut WideTree,
        large: &mut [LargeNode],
        leaves: &[Summary],
        summaries: &mut [Summary],
        points: [&[f32]; 3],
        executor: Executor,
    ) {
        // Backwards, children come before their parents.
        for large in large.iter().rev() {
            let leaves = &leaves[large.leaves..];
            summaries[large.index] = self.sum(&self.children(large.index, leaves, |i| &summaries[i]));
        }
        let inputs =
            Inputs { points, old_nodes: if self.keep_normals { &tree.nodes } else { &[] }, executor };
        executor.each(large, &|_, large| {
            let children = self.children(large.index, &leaves[large.leaves..], |i| &summaries[i]);
            large.made = Some(self.node(large.index, children, large.words, inputs));
        });
        let nodes = tree.nodes.to_mut();
        for large in large {
            if let Some((node, reach)) = large.made.take() {
                nodes[large.index] = node;
                tree.reach = tree.reach.max(reach);
            }
        }
    }

    fn run(&self, jobs: &[Job], sizes: &[SubtreeSize], old_nodes: &[QuantizedNode], output: &mut Output) {
        let mut total = SubtreeSize::default();
        for &job in jobs {
            if let Job::Subtree(index) = job {
                total.nodes += sizes[index].nodes + 1;
                total.leaves += sizes[index].leaves;
                total.triangles += sizes[index].triangles;
            }
        }
        output.leaves.clear(total.leaves, total.triangles, self);
        output.jobs.clear();
        output.jobs.reserve_exact(jobs.len());
        output.summaries.clear();
        output.nodes.clear();
        output.nodes.reserve_exact(total.nodes as usize);
        output.reach = 0.0;
        for &job in jobs {
            let words = output.leaves.words.len() as u32;
            let (summaries, nodes) = (output.summaries.len(), output.nodes.len());
            match job {
                Job::Leaves(index) => output.leaves.append(self, index, &mut output.summaries),
                Job::Subtree(index) => self.subtree(index, sizes[index], old_nodes, output),
            }
            let (summaries, nodes) = (summaries..output.summaries.len(), nodes..output.nodes.len());
            output.jobs.push(JobOutput { words, summaries, nodes });
        }
    }

    /// Encodes a node and all below it.
    fn subtree(&self, top: usize, size: SubtreeSize, old_nodes: &[QuantizedNode], output: &mut Output) {
        let Output { leaves: run, summaries, nodes, reach, scratch, .. } = output;
        let EncoderScratch { starts, leaves, stack, sums } = scratch;
        // All nodes below the top are consecutive in the tree, from its first child on.
        let first = inner_children(&self.topology.nodes[top]).next().unwrap_or(0);
        let place = |index: usize| if index == top { 0 } else { index - first + 1 };
        let count = 1 + size.nodes as usize;
        starts.clear();
        starts.resize(count, (0, 0));
        leaves.clear();
        leaves.reserve(size.leaves as usize);
        stack.push(top);
        while let Some(index) = stack.pop() {
            starts[place(index)] = (leaves.len(), run.words.len() as u32);
            run.append(self, index, leaves);
            stack.extend(inner_children(&self.topology.nodes[index]).rev());
        }
        let inputs = Inputs { points: run.points(), old_nodes, executor: Executor::Serial };
        sums.clear();
        sums.resize(count, Summary::EMPTY);
        for at in (0..count).rev() {
            let index = if at == 0 { top } else { first + at - 1 };
            let (leaf, words) = starts[at];
            let children = self.children(index, &leaves[leaf..], |child| &sums[place(child)]);
            let sum = self.sum(&children);
            let (node, far) = self.node(index, children, words, inputs);
            nodes.push(node);
            *reach = reach.max(far);
            sums[at] = sum;
        }
        summaries.push(sums[0]);
    }
}
