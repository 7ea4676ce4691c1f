//! Encoding of one node: the boxes of its children, links, and the slabs that are fitted to the corners below
//! them.
use super::{encode::Inputs, plan::inner_children};
use crate::{
    bounds::Bounds,
    simd::{Simd, Work},
    wide::{
        fit::Cluster,
        node::{Interval, QuantizedNode, WIDTH},
        runs::{self, Encoder, Summary},
        topology::Lane,
    },
};

/// Second slabs are tested if, in the mean of a node, they are thinner than this part of their boxes.
const SECOND: f64 = 0.5;
/// First slabs are tested if they are thinner than this part.
const FIRST: f64 = 0.9;

/// The summaries of a node's children, by lane.
pub(super) type ChildSummaries<'a> = [Option<&'a Summary>; WIDTH];

impl Encoder<'_> {
    /// The summaries of a node's children: for leaves the next ones in `leaves`, for the others the results
    /// of `inner`.
    #[inline(always)]
    pub(super) fn children<'a>(
        &self,
        index: usize,
        leaves: &'a [Summary],
        inner: impl Fn(usize) -> &'a Summary,
    ) -> ChildSummaries<'a> {
        let wide = &self.topology.nodes[index];
        let mut leaves = leaves.iter();
        let mut children = [None; WIDTH];
        for (to, lane) in children.iter_mut().zip(&wide.lanes[..wide.len]) {
            *to = match *lane {
                Lane::Inner(index) => Some(inner(index as usize)),
                Lane::Leaf { .. } => leaves.next(),
            };
        }
        children
    }

    #[inline(always)]
    pub(super) fn sum(&self, children: &ChildSummaries<'_>) -> Summary {
        let mut sum = Summary::EMPTY;
        children.iter().flatten().for_each(|part| sum.add(part, self.fast));
        sum
    }

    /// A node and its reach (see [`QuantizedNode::reach`]). The words of its first leaf begin at `words`.
    pub(super) fn node(
        &self,
        index: usize,
        children: ChildSummaries<'_>,
        words: u32,
        inputs: Inputs<'_>,
    ) -> (QuantizedNode, f64) {
        self.simd.call(NodeWork { encoder: self, index, children: &children, words, inputs })
    }

    #[inline(always)]
    fn make_node(
        &self,
        index: usize,
        children: &ChildSummaries<'_>,
        words: u32,
        inputs: Inputs<'_>,
    ) -> (QuantizedNode, f64) {
        let wide = &self.topology.nodes[index];
        let mut boxes = [Bounds::EMPTY; WIDTH];
        for (to, child) in boxes.iter_mut().zip(children.iter().flatten()) {
            *to = runs::padded(&child.bounds);
        }
        let mut node = QuantizedNode::with_boxes(&boxes[..wide.len]);
        node.words = words;
        node.inner = inner_children(wide).next().unwrap_or(0) as u32;
        for (lane, what) in wide.lanes[..wide.len].iter().enumerate().rev() {
            if let Lane::Leaf { first, count } = *what {
                node.leaves |= 1 << lane;
                // At most 8.
                node.counts[lane] = count as u8;
                node.first = first;
            }
        }
        let mut intervals = [[Interval::NONE; 2]; WIDTH];
        inputs.executor.each(&mut intervals[..wide.len], &|lane, to| {
            if let Some(child) = children[lane] {
                *to = self.simd.call(Slabs { encoder: self, index, node: &node, lane, child, inputs });
            }
        });
        node.set_slabs(&intervals[..wide.len]);
        node.slabs = worth(&node, wide.len);
        (node, node.reach())
    }

    #[inline(always)]
    fn slabs(
        &self,
        index: usize,
        node: &QuantizedNode,
        lane: usize,
        child: &Summary,
        inputs: Inputs<'_>,
    ) -> [Interval; 2] {
        let both =
            [node.centre_and_half(0, lane), node.centre_and_half(1, lane), node.centre_and_half(2, lane)];
        let [from, end] = child.points.map(|i| i as usize);
        let mut cluster = Cluster {
            points: inputs.points.map(|x| &x[from..end]),
            centre: both.map(|b| b.0),
            half: both.map(|b| b.1),
            sides: [0, 1, 2].map(|k| child.bounds.side(k)),
            normal: child.normal,
            largest: Default::default(),
        };
        if let Some(old) = inputs.old_nodes.get(index) {
            return cluster.refitted([0, 1].map(|which| old.normal(which, lane)));
        }
        if self.fast {
            return cluster.one_slab();
        }
        for (to, (_, i)) in cluster.largest.iter_mut().zip(child.largest) {
            // Subtracted in f64, then rounded: the normals of slivers need that.
            let [a, b, c] = self.mesh.triangles()[i as usize];
            let (a, b, c) = (&self.points[a as usize], &self.points[b as usize], &self.points[c as usize]);
            *to = [b.minus(a), c.minus(b), a.minus(c)];
        }
        cluster.slabs()
    }
}

/// The arguments of [`Encoder::make_node`].
struct NodeWork<'a> {
    encoder: &'a Encoder<'a>,
    index: usize,
    children: &'a ChildSummaries<'a>,
    words: u32,
    inputs: Inputs<'a>,
}

impl Work for NodeWork<'_> {
    type Out = (QuantizedNode, f64);
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> (QuantizedNode, f64) {
        self.encoder.make_node(self.index, self.children, self.words, self.inputs)
    }
}

/// The arguments of [`Encoder::slabs`].
struct Slabs<'a> {
    encoder: &'a Encoder<'a>,
    index: usize,
    node: &'a QuantizedNode,
    lane: usize,
    child: &'a Summary,
    inputs: Inputs<'a>,
}

impl Work for Slabs<'_> {
    type Out = [Interval; 2];
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> [Interval; 2] {
        self.encoder.slabs(self.index, self.node, self.lane, self.child, self.inputs)
    }
}

/// Number of slabs of each child that are worth testing. It depends on the mean thickness of the slabs, as
/// parts of their boxes, weighted by the boxes' areas.
#[inline(always)]
pub(in crate::wide) fn worth(node: &QuantizedNode, lanes: usize) -> u8 {
    let mut thin = [0.0; 2];
    let mut total = 0.0;
    for lane in 0..lanes {
        let e = [0, 1, 2].map(|k| f64::from(node.centre_and_half(k, lane).1));
        let area = e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
        total += area;
        for (which, sum) in thin.iter_mut().enumerate() {
            let (n, _, half) = node.slab(which, lane);
            let radius: f64 = (0..3).map(|k| n[k].abs() * e[k]).sum();
            *sum += area * if radius > 0.0 { half / radius } else { 1.0 };
        }
    }
    if thin[1] < SECOND * total {
        2
    } else if thin[0] < FIRST * total {
        1
    } else {
        0
    }
}
