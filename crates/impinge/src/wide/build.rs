//! From triangles to a wide tree.
//!
//! What lies below a node of up to [`PIECE`] triangles is encoded as a whole, in depth-first order; that of larger nodes is put together behind it. Pieces are the same whoever makes them, so a tree
//! does not depend on how many threads build it.
//!
//! Measured (medians of 25 builds in turn with those before, one core of a loaded machine, dragon of 202,520 triangles): high quality 564 to 599 ns a triangle (626 before), fast 175 (268 to 282).
//! Two threads: 1.7 to 1.8 times faster (high), 1.4 to 1.5 (fast). The aim of 125 for fast builds is missed: most of it waits for memory, three times for the triangles' corners.
//! * Corners read leaf by leaf, right where they are used, waited for half of that time; a loop that does nothing else fetches 128 triangles ahead (`runs.rs`). Rows that a leaf transposes for itself, and reads
//!   at once as vectors, wait for the cache as well: 233 ns, now 217 at that time (fast).
//! * Failed: whether a corner occurs in its leaf for the second time as a fold of `any | (a == b)`: masks, 44 % of the encoding; minima of exclusive ors are made into vectors.
//! * Failed: no boxes kept for the Morton order, but made twice from corners in f64: no gain (217 and 213 ns); from corners in f32, which fit the cache, 4 %.
mod plan;

use self::plan::{Below, Job, Plan, inner};
use super::{
    Matrix, Placing, Vector, WideTree,
    align::align,
    fit::Cluster,
    leaf::{self, Grain},
    node::{Interval, Node, WIDTH},
    runs::{self, Placed, Runs, Source, Summary},
    topology::{self, Boxes, Four, Lane, Span},
};
use crate::{
    BuildOptions, Mesh, Quality,
    bounds::Bounds,
    motion::{Chart, Turn},
    pool::Crew,
};
use std::{mem::swap, ops::Range};

/// A second slab is tested where it is thinner than this part of its box, on the average of a node.
const SECOND: f64 = 0.5;
/// A first one likewise.
const FIRST: f64 = 0.9;
/// Points that one thread places before it asks for help.
const ALONE: usize = 8192;
/// Subtrees of up to so many triangles are encoded as a whole, while what they are made of is in the cache.
const PIECE: u32 = 8192;

pub(crate) fn build(mesh: &Mesh, options: &BuildOptions, ([lo, hi], crew): (&[Vector; 2], Crew)) -> WideTree {
    let grain = if options.compact { Grain::Compact } else { Grain::Fine };
    let chart = Chart::new(*lo, *hi);
    let turn = align(mesh.len(), |i| mesh.corners(i as u32).map(|v| chart.apply(&v)));
    let placing = Placing { chart: &chart, turn: &turn };
    let mut points = Vec::new();
    place(&mut points, mesh, placing, crew);
    let near = crew.collect(points.len(), ALONE, &|i| points[i].near());
    let ends = turned_box(&turn, [lo, hi].map(|v| chart.apply(v)));
    let topology = topology::build(&Corners { mesh, points: &near, ends }, options, crew);
    drop(near);
    let mut tree = WideTree {
        chart,
        turn: Turn::new(turn),
        nodes: Vec::new(),
        words: Vec::new(),
        order: Vec::new(),
        grain,
        reach: 0.0,
    };
    if topology.nodes.is_empty() {
        return tree;
    }
    let fast = options.quality == Quality::Fast;
    let source = Source { mesh, points: &points, topology: &topology, grain, fast, kept: false };
    source.encode(&mut tree, &mut Memory::default(), crew);
    tree.words.extend([0; leaf::TAIL]);
    tree.order = topology.order;
    tree
}

/// The points of a mesh in a tree's frame.
pub(super) fn place(points: &mut Vec<Placed>, mesh: &Mesh, placing: Placing<'_>, crew: Crew) {
    crew.refill(points, (mesh.points().len(), ALONE), &|i| {
        let [x, y, z]: Vector = placing.place(&mesh.points()[i]);
        Placed([x, y, z, 0.0])
    });
}

/// What boxes are made of.
struct Corners<'a> {
    mesh: &'a Mesh,
    points: &'a [Four],
    ends: [Four; 2],
}

impl Boxes for Corners<'_> {
    fn count(&self) -> usize {
        self.mesh.len()
    }
    #[inline(always)]
    fn of(&self, triangle: usize) -> Span {
        let [a, b, c] = self.mesh.triangles()[triangle];
        let point = |i: u32| self.points[i as usize];
        runs::span_of([point(a), point(b), point(c)], triangle as u32)
    }
    fn ends(&self) -> [Four; 2] {
        self.ends
    }
}

/// The corners of the box around a turned box.
fn turned_box(turn: &Matrix, [lo, hi]: [Vector; 2]) -> [Four; 2] {
    let mut ends = [[0.0; 4]; 2];
    for i in 0..3 {
        for k in 0..3 {
            let both = [turn[i][k] * lo[k], turn[i][k] * hi[k]];
            ends[0][i] += both[0].min(both[1]);
            ends[1][i] += both[0].max(both[1]);
        }
    }
    ends.map(|v| Four(v.map(|x| x as f32)))
}

/// What some jobs make, in a row.
#[derive(Default)]
struct Done {
    runs: Runs,
    made: Vec<Made>,
    /// Of the leaves of a large node, or of a node.
    summaries: Vec<Summary>,
    /// A node and those below it, the last one first.
    nodes: Vec<Node>,
    reach: f64,
    room: Room,
}

/// What a job makes.
struct Made {
    /// Where its words begin.
    words: u32,
    summaries: Range<usize>,
    nodes: Range<usize>,
}

/// Memory of a job.
#[derive(Default)]
struct Room {
    /// Each node's first leaf, and where its words begin.
    starts: Vec<(usize, u32)>,
    leaves: Vec<Summary>,
    stack: Vec<usize>,
    sums: Vec<Summary>,
}

/// Memory of an encoding. It is of use for another one of the same topology alone.
#[derive(Default)]
pub(super) struct Memory {
    plan: Plan,
    done: Vec<Done>,
    summaries: Vec<Summary>,
    /// Those of large nodes.
    leaves: Vec<Summary>,
    points: [Vec<f32>; 3],
}

/// What nodes are made of, and who makes them.
#[derive(Clone, Copy)]
struct Given<'a> {
    /// By axis.
    points: [&'a [f32]; 3],
    /// The nodes that there were; none in a build.
    kept: &'a [Node],
    crew: Crew,
}

/// What the lanes of a node hold.
type Held<'a> = [Option<&'a Summary>; WIDTH];

impl Source<'_> {
    /// Makes the nodes and the words of a tree. One thread that has done so before allocates nothing.
    pub(super) fn encode(&self, tree: &mut WideTree, memory: &mut Memory, crew: Crew) {
        let count = self.topology.nodes.len();
        let Memory { plan, done, summaries, leaves, points } = memory;
        if plan.jobs.is_empty() {
            *plan = Plan::of(self.topology);
        }
        let Plan { below, jobs, large } = plan;
        // One thread need not put pieces together.
        let batch = if crew == Crew::One { jobs.len() } else { 1 };
        if done.len() != jobs.len().div_ceil(batch) {
            done.clear();
            done.resize_with(jobs.len().div_ceil(batch), Done::default);
        }
        if let [one] = &mut done[..] {
            swap(&mut one.runs.words, &mut tree.words);
        }
        let kept = if self.kept { &tree.nodes[..] } else { &[] };
        crew.each(done, &|n, done| {
            let jobs = &jobs[n * batch..][..batch];
            self.work(jobs, below, kept, done);
        });

        summaries.clear();
        summaries.resize(count, Summary::EMPTY);
        leaves.clear();
        let (mut past_words, mut past_points, mut next) = (0, 0, large.iter_mut());
        tree.nodes.reserve_exact(count - tree.nodes.len());
        for (jobs, done) in jobs.chunks(batch).zip(&*done) {
            tree.reach = tree.reach.max(done.reach);
            for (&job, made) in jobs.iter().zip(&done.made) {
                let shifted =
                    |held: &Summary| Summary { points: held.points.map(|i| i + past_points), ..*held };
                let held = &done.summaries[made.summaries.clone()];
                let index = match job {
                    Job::Leaves(_) => {
                        if let Some(large) = next.next() {
                            (large.words, large.leaves) = (made.words + past_words, leaves.len());
                        }
                        leaves.extend(held.iter().map(shifted));
                        continue;
                    }
                    Job::Whole(index) => index,
                };
                summaries[index] = shifted(&held[0]);
                let first = inner(&self.topology.nodes[index]).next().unwrap_or(0);
                for (k, node) in done.nodes[made.nodes.clone()].iter().rev().enumerate() {
                    let mut node = *node;
                    node.words += past_words;
                    // Any node will do where none is yet.
                    if tree.nodes.is_empty() {
                        tree.nodes.resize(count, node);
                    }
                    let to = if k == 0 { index } else { first + k - 1 };
                    tree.nodes[to] = node;
                }
            }
            past_words += done.runs.words.len() as u32;
            past_points += done.runs.points()[0].len() as u32;
        }
        match &mut done[..] {
            [one] => swap(&mut one.runs.words, &mut tree.words),
            all => crew.concat_into(&mut tree.words, leaf::TAIL, all, &|done| &done.runs.words),
        }
        if large.is_empty() {
            return;
        }
        let points = if let [one] = &done[..] {
            one.runs.points()
        } else {
            for (k, points) in points.iter_mut().enumerate() {
                crew.concat_into(points, 0, done, &|done| done.runs.points()[k]);
            }
            points.each_ref().map(|x| &x[..])
        };
        // Backwards, children come before their parents.
        for large in large.iter().rev() {
            let leaves = &leaves[large.leaves..];
            summaries[large.index] = self.sum(&self.held(large.index, leaves, |child| &summaries[child]));
        }
        let given = Given { points, kept: if self.kept { &tree.nodes } else { &[] }, crew };
        crew.each(large, &|_, large| {
            let held = self.held(large.index, &leaves[large.leaves..], |child| &summaries[child]);
            large.made = Some(self.node(large.index, (held, large.words), given));
        });
        for large in large {
            if let Some((node, reach)) = large.made.take() {
                tree.nodes[large.index] = node;
                tree.reach = tree.reach.max(reach);
            }
        }
    }

    /// Some jobs in a row.
    fn work(&self, jobs: &[Job], below: &[Below], kept: &[Node], done: &mut Done) {
        let mut room = Below::default();
        for &job in jobs {
            if let Job::Whole(index) = job {
                room.nodes += below[index].nodes + 1;
                room.leaves += below[index].leaves;
                room.triangles += below[index].triangles;
            }
        }
        done.runs.clear(room.leaves as usize, room.triangles as usize, self.grain);
        done.made.clear();
        done.made.reserve_exact(jobs.len());
        done.summaries.clear();
        done.nodes.clear();
        done.nodes.reserve_exact(room.nodes as usize);
        done.reach = 0.0;
        for &job in jobs {
            let words = done.runs.words.len() as u32;
            let (summaries, nodes) = (done.summaries.len(), done.nodes.len());
            match job {
                Job::Leaves(index) => done.runs.leaves(self, index, &mut done.summaries),
                Job::Whole(index) => self.whole(index, below[index], kept, done),
            }
            let (summaries, nodes) = (summaries..done.summaries.len(), nodes..done.nodes.len());
            done.made.push(Made { words, summaries, nodes });
        }
    }

    fn whole(&self, top: usize, below: Below, kept: &[Node], done: &mut Done) {
        let Done { runs, summaries, nodes, reach, room, .. } = done;
        let Room { starts, leaves, stack, sums } = room;
        // Nodes below are neighbours: by their distance from the first one, but for the top.
        let first = inner(&self.topology.nodes[top]).next().unwrap_or(0);
        let place = |index: usize| if index == top { 0 } else { index - first + 1 };
        let count = 1 + below.nodes as usize;
        starts.clear();
        starts.resize(count, (0, 0));
        leaves.clear();
        leaves.reserve(below.leaves as usize);
        stack.push(top);
        while let Some(index) = stack.pop() {
            starts[place(index)] = (leaves.len(), runs.words.len() as u32);
            runs.leaves(self, index, leaves);
            stack.extend(inner(&self.topology.nodes[index]).rev());
        }
        let given = Given { points: runs.points(), kept, crew: Crew::One };
        sums.clear();
        sums.resize(count, Summary::EMPTY);
        for at in (0..count).rev() {
            let index = if at == 0 { top } else { first + at - 1 };
            let (leaf, words) = starts[at];
            let held = self.held(index, &leaves[leaf..], |child| &sums[place(child)]);
            let sum = self.sum(&held);
            let (node, far) = self.node(index, (held, words), given);
            nodes.push(node);
            *reach = reach.max(far);
            sums[at] = sum;
        }
        summaries.push(sums[0]);
    }

    /// What a node's lanes hold: its leaves in a row, and its children as they are found.
    #[inline(always)]
    fn held<'a>(
        &self,
        index: usize,
        leaves: &'a [Summary],
        child: impl Fn(usize) -> &'a Summary,
    ) -> Held<'a> {
        let wide = &self.topology.nodes[index];
        let mut leaves = leaves.iter();
        let mut held = [None; WIDTH];
        for (to, lane) in held.iter_mut().zip(&wide.lanes[..wide.len]) {
            *to = match *lane {
                Lane::Inner(index) => Some(child(index as usize)),
                Lane::Leaf { .. } => leaves.next(),
            };
        }
        held
    }

    #[inline(always)]
    fn sum(&self, held: &Held<'_>) -> Summary {
        let mut sum = Summary::EMPTY;
        held.iter().flatten().for_each(|part| sum.add(part, self.fast));
        sum
    }

    /// A node of which the leaves' words begin somewhere, and how far it reaches.
    fn node(&self, index: usize, (held, words): (Held<'_>, u32), given: Given<'_>) -> (Node, f64) {
        let wide = &self.topology.nodes[index];
        let mut boxes = [Bounds::EMPTY; WIDTH];
        for (to, held) in boxes.iter_mut().zip(held.iter().flatten()) {
            *to = runs::widened(&held.bounds);
        }
        let mut node = Node::around(&boxes[..wide.len]);
        node.words = words;
        node.inner = inner(wide).next().unwrap_or(0) as u32;
        for (lane, what) in wide.lanes[..wide.len].iter().enumerate().rev() {
            if let Lane::Leaf { first, count } = *what {
                node.leaves |= 1 << lane;
                node.counts[lane] = count as u8;
                node.first = first;
            }
        }
        let mut intervals = [[Interval::NONE; 2]; WIDTH];
        given.crew.each(&mut intervals[..wide.len], &|lane, to| {
            if let Some(held) = held[lane] {
                *to = self.slabs((index, &node), lane, held, given);
            }
        });
        node.set_slabs(&intervals[..wide.len]);
        node.slabs = worth(&node, wide.len);
        (node, node.reach())
    }

    fn slabs(
        &self,
        (index, node): (usize, &Node),
        lane: usize,
        held: &Summary,
        given: Given<'_>,
    ) -> [Interval; 2] {
        let both = [0, 1, 2].map(|k| node.centre_and_half(k, lane));
        let [from, end] = held.points.map(|i| i as usize);
        let mut cluster = Cluster {
            points: given.points.map(|x| &x[from..end]),
            centre: both.map(|b| b.0),
            half: both.map(|b| b.1),
            sides: [0, 1, 2].map(|k| held.bounds.side(k)),
            normal: held.normal,
            largest: Default::default(),
        };
        if let Some(kept) = given.kept.get(index) {
            return cluster.about([0, 1].map(|which| kept.normal(which, lane)));
        }
        if self.fast {
            return cluster.one_slab();
        }
        cluster.largest = held.largest.map(|(_, i)| {
            // In f64 before they are rounded: normals of slivers need that.
            let [a, b, c] = self.mesh.triangles()[i as usize].map(|k| &self.points[k as usize]);
            [b.minus(a), c.minus(b), a.minus(c)]
        });
        cluster.slabs()
    }
}

/// How many slabs pay: by how thin they are, as part of the boxes, weighted by the boxes' areas.
pub(super) fn worth(node: &Node, lanes: usize) -> u8 {
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
