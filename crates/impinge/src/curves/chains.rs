//! Segments joined to lines.
use crate::{graph::Buckets, stop::StopFlag};
use std::ops::ControlFlow;

/// A segment between two nodes, the lesser first, and whether insides of triangles cross in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CurveSegment {
    pub(super) ends: [u32; 2],
    pub(super) crossing: bool,
}

impl CurveSegment {
    /// A number in the order of segments.
    pub(super) fn key(&self) -> (u64, bool) {
        (u64::from(self.ends[0]) << 32 | u64::from(self.ends[1]), self.crossing)
    }
}

/// Memory of [`Chains::trace`].
#[derive(Debug, Default)]
pub(super) struct Chains {
    /// The nodes that segments have, sorted.
    nodes: Vec<u32>,
    /// The place of a node among these.
    places: Vec<u32>,
    /// For each of `nodes` its neighbours, by place, and the numbers of the segments to them.
    neighbours: Buckets<[u32; 2]>,
    used: Vec<bool>,
    path: Vec<u32>,
}

/// A traced line.
pub(super) struct TracedLine<'a> {
    pub(super) nodes: &'a [u32],
    pub(super) closed: bool,
    /// Has segments that run along an edge; has segments in which insides cross.
    pub(super) has: [bool; 2],
}

impl Chains {
    /// Passes the maximal chains of segments through nodes with two of them to `each`. Segments are sorted
    /// and distinct; `nodes` is the number of nodes.
    ///
    /// An open chain begins at its lesser end. A closed one begins at a node with more than two segments, or
    /// else at its least node, and goes on to its lesser neighbour. Chains through such least nodes come
    /// last. Breaks if it is stopped.
    pub(super) fn trace(
        &mut self,
        segments: &[CurveSegment],
        nodes: usize,
        stop: StopFlag<'_>,
        each: &mut dyn FnMut(&TracedLine<'_>),
    ) -> ControlFlow<()> {
        stop.check()?;
        self.connect(segments, nodes);
        for through in [false, true] {
            for start in 0..self.nodes.len() {
                if (self.degree(start) == 2) != through {
                    continue;
                }
                for i in self.neighbours.starts[start]..self.neighbours.starts[start + 1] {
                    if !self.used[self.neighbours.items[i as usize][1] as usize] {
                        stop.check()?;
                        let (closed, has) = self.walk(segments, start, i);
                        each(&TracedLine { nodes: &self.path, closed, has });
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn connect(&mut self, segments: &[CurveSegment], nodes: usize) {
        self.nodes.clear();
        self.places.resize(self.places.len().max(nodes), 0);
        // Marks the nodes of many segments; sorts the nodes of few, which does not visit all nodes.
        if 4 * segments.len() > nodes {
            self.places[..nodes].fill(0);
            for node in segments.iter().flat_map(|segment| segment.ends) {
                self.places[node as usize] = 1;
            }
            self.nodes.extend((0..nodes as u32).filter(|&node| self.places[node as usize] == 1));
        } else {
            self.nodes.extend(segments.iter().flat_map(|segment| segment.ends));
            self.nodes.sort_unstable();
            self.nodes.dedup();
        }
        for (place, &node) in (0..).zip(&self.nodes) {
            self.places[node as usize] = place;
        }
        let links = (0..).zip(segments).flat_map(|(number, segment)| {
            let [p, q] = segment.ends.map(|node| self.places[node as usize]);
            [(p, [q, number]), (q, [p, number])]
        });
        self.neighbours.fill(self.nodes.len(), links);
        self.used.clear();
        self.used.resize(segments.len(), false);
    }
    fn degree(&self, place: usize) -> u32 {
        self.neighbours.starts[place + 1] - self.neighbours.starts[place]
    }
    /// Walks from a node along one of its segments.
    fn walk(&mut self, segments: &[CurveSegment], start: usize, first: u32) -> (bool, [bool; 2]) {
        let (mut has, mut at, mut by) = ([false; 2], start, first);
        self.path.clear();
        loop {
            self.path.push(self.nodes[at]);
            let [to, segment] = self.neighbours.items[by as usize];
            self.used[segment as usize] = true;
            has[usize::from(segments[segment as usize].crossing)] = true;
            at = to as usize;
            if at == start {
                return (true, has);
            }
            if self.degree(at) != 2 {
                self.path.push(self.nodes[at]);
                return (false, has);
            }
            let from = self.neighbours.starts[at];
            by = if self.neighbours.items[from as usize][1] == segment { from + 1 } else { from };
        }
    }
}
