//! Lines along which two surfaces meet.
use super::{chains::TracedLine, measure, node::Node};
use crate::{
    posed::probe::{Number, RoundedNumber},
    vector::extent,
};
use std::ops::Range;

/// Kind of contact of two surfaces along a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum LineKind {
    /// Insides of triangles cross all along the line.
    Crossing,
    /// The whole line runs along edges of one mesh or of both. The surfaces may cross there, or touch.
    Edge,
    /// Parts of both kinds.
    Mixed,
}

/// A line along which two surfaces meet: one of [`Curves::lines`](super::Curves::lines), or of a
/// [`Patch`](super::Patch)'s border.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Line<'a> {
    /// Numbers of nodes, in the order of the line. A closed one names its first node once.
    pub nodes: &'a [u32],
    /// True if the last node is joined to the first.
    pub closed: bool,
    /// Kind of contact.
    pub kind: LineKind,
    /// Two numbers between which its length lies.
    pub length: [f64; 2],
    /// The least and the greatest coordinates of its nodes, as they are rounded.
    pub bounds: [[f64; 3]; 2],
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct LineData {
    pub(super) nodes: Range<usize>,
    pub(super) closed: bool,
    pub(super) kind: LineKind,
    pub(super) length: [f64; 2],
    pub(super) bounds: [[f64; 3]; 2],
}

/// Appends a line, and returns its length.
pub(super) fn line(
    chain: &TracedLine<'_>,
    nodes: &[Node],
    along: &mut Vec<u32>,
    lines: &mut Vec<LineData>,
) -> RoundedNumber {
    let at = |node: u32| {
        let node = &nodes[node as usize];
        measure::coordinates(&node.point, node.exact)
    };
    let mut length = RoundedNumber::ZERO;
    let bounds = extent(chain.nodes.iter().map(|&node| &nodes[node as usize].point));
    let mut last = at(chain.nodes[0]);
    let closing = chain.closed.then_some(chain.nodes[0]);
    for node in chain.nodes[1..].iter().copied().chain(closing) {
        let next = at(node);
        let step = [next[0].minus(&last[0]), next[1].minus(&last[1]), next[2].minus(&last[2])];
        length = length.plus(&measure::length(&step));
        last = next;
    }
    let kind = match chain.has {
        [false, _] => LineKind::Crossing,
        [true, false] => LineKind::Edge,
        [true, true] => LineKind::Mixed,
    };
    let first = along.len();
    along.extend_from_slice(chain.nodes);
    let (nodes, closed) = (first..along.len(), chain.closed);
    lines.push(LineData { nodes, closed, kind, length: measure::interval(&length), bounds });
    length
}
