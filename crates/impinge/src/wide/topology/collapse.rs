//! From a binary tree to wide nodes and leaves: the cheapest collapse, by dynamic programming (Ylitie, Karras and Laine
//! 2017, "Efficient incoherent ray traversal on GPUs through compressed wide BVHs", section 3.1).
//!
//! `c[i][k]` is the cost of the best forest of at most k roots over the triangles of binary node i. One root is a leaf, or a
//! wide node over the best forest of 2 to `WIDTH` roots; more roots are shared out among the two children.
//!
//! Measured as 75 blocks + 60 pairs of leaves + 4 candidate pairs a frame, the mean over eight scenes (three of scans, two of CAD, rods, needles, a spacecraft), relative to the tree before, with slabs fitted in f64, which
//! had neither `PLUS` nor `NODE_PLUS` nor multiples in `small` (that alone, with today's slabs: 0.994). In brackets the rods' fill and bytes a triangle.
//! * `TRIANGLE_COST` 0.1: 1.022 (3.75, 52.7); 0.02: 0.980 (3.94, 50.9). `LEAF_COST` 1.5: 0.996 (3.82, 52.7), but needles 2.61 a leaf.
//! * `PLUS` 0.5: 0.972 (5.44, 43.8); 2: 0.961 (5.57, 42.8); 4 at `TRIANGLE_COST` 0.07: 0.962.
//! * `small` with counts rounded up to multiples of 2, 4, 8: 0.996, 0.991, 0.976 (3.82, 51.4).
//! * Both, multiples of 8: `PLUS` 1: 0.954; 2: 0.952 (5.92, 42.0), rods themselves 1.06 and the spacecraft 1.04, scans 0.89 to 0.95; 4: 0.953. Multiples of 4, `PLUS` 1: 0.959.
//! * With `NODE_PLUS` 1 or 2: 0.952 (41.7, 41.6); compact trees of scans then take 32.1 to 32.6 bytes. `PLUS` 10 at `TRIANGLE_COST` 0.03 gives 32.1 to 32.5 at 0.958.
//! * Chosen: `PLUS` 2, `NODE_PLUS` 2, multiples of 8. On two more scenes that had no part in the choice: hands 0.925, but saw-mixed **1.058** (0.99 before these constants): its fuller leaves
//!   have 17 % more candidate pairs. Over all ten: 0.959; rods 1.067, spacecraft 1.030.
use super::{Lane, Topology, WIDTH, Wide, binned::Node, four::Span};
use crate::pool::Crew;

/// A visit of a wide node, per area.
const NODE_COST: f32 = 1.0;
/// A visit of a leaf, per area.
const LEAF_COST: f32 = 1.0;
/// The same for each triangle in it.
const TRIANGLE_COST: f32 = 0.05;
/// Every box counts as larger by so many times the mean area of the items: what it is tested with has a size, too. Fuller leaves and fewer nodes follow.
const PLUS: f32 = 2.0;
/// A node's box by so much more of the same.
const NODE_PLUS: f32 = 2.0;
/// Boxes without a surface count as this large: then, too, fewer nodes are better.
const LEAST_AREA: f32 = 1e-20;

/// What to do with a binary node.
#[derive(Clone, Copy, Default)]
struct Plan {
    /// Triangles below.
    triangles: u32,
    /// With k roots, how many of them go to the left child, in bits 4 (k - 1) and on; 0: only one is used. For k = 1,
    /// how many of `WIDTH` roots do when it becomes a wide node; 0: it is a leaf.
    bits: u32,
}

impl Plan {
    #[inline(always)]
    fn get(self, k: usize) -> usize {
        (self.bits >> (4 * (k - 1)) & 0xf) as usize
    }
}

/// Costs for 1 ..= WIDTH roots.
type Costs = [f32; WIDTH];

fn leaf_cost(area: f32, triangles: u32) -> f32 {
    area * (LEAF_COST + TRIANGLE_COST * triangles as f32)
}

/// Low bits of a cost, which give way to the choice that led to it: 2^-20 of the cost are no reason to choose.
const CHOICE: u32 = 0xf;

/// For every number of roots the cheapest way to share them out among two children: the cost, and in its low bits how many
/// go to the left. One root cannot be shared.
#[inline(always)]
fn share(left: &Costs, right: &Costs) -> [u32; WIDTH] {
    // right[k - a] at k - a + WIDTH, and out of the question for k <= a.
    let mut shifted = [1e38f32; 2 * WIDTH];
    shifted[WIDTH..].copy_from_slice(right);
    let mut best = [u32::MAX; WIDTH];
    for a in 1..WIDTH {
        for k in 0..WIDTH {
            let cost = left[a - 1] + shifted[WIDTH + k - a];
            // Bits of floats that are not negative are in the order of the floats.
            let tagged = (cost.to_bits() & !CHOICE) | a as u32;
            best[k] = if (tagged as i32) < best[k] as i32 || a == 1 { tagged } else { best[k] };
        }
    }
    best
}

#[inline(always)]
fn combine([area, node]: [f32; 2], triangles: u32, most: u32, left: &Costs, right: &Costs) -> (Costs, Plan) {
    let shares = share(left, right);
    let mut costs = shares.map(|x| f32::from_bits(x & !CHOICE));
    let mut one = node * NODE_COST + costs[WIDTH - 1];
    let mut bits = shares[WIDTH - 1] & CHOICE;
    if triangles <= most {
        let leaf = leaf_cost(area, triangles);
        if leaf <= one {
            (one, bits) = (leaf, 0);
        }
    }
    costs[0] = one;
    for k in 1..WIDTH {
        let choice = if costs[k] < one { shares[k] & CHOICE } else { 0 };
        costs[k] = if costs[k] < one { costs[k] } else { one };
        bits |= choice << (4 * k);
    }
    (costs, Plan { triangles, bits })
}

/// The mean area of a tree's items.
fn mean_area(items: &[Span]) -> f32 {
    let sum: f64 = items.iter().map(|item| f64::from(item.area())).sum();
    (sum / items.len().max(1) as f64) as f32
}

/// Subtrees of up to so many binary nodes are left to one thread.
const ALONE: usize = 8192;

/// Plans for all nodes of a tree in preorder; what its root costs, and its triangles. `counts(item)` are an item's triangles; `extra` see [`PLUS`].
fn plan(
    nodes: &[Node],
    items: &[Span],
    plans: &mut [Plan],
    rules: &Rules<'_, impl Fn(&Span) -> u32 + Sync>,
) -> (Costs, u32) {
    if rules.crew == Crew::One || nodes.len() <= ALONE {
        return plan_alone(nodes, items, plans, rules);
    }
    let at = nodes[1].items as usize;
    let (left, right) = nodes[1..].split_at(2 * at - 1);
    let (first, rest) = plans.split_at_mut(1);
    let halves = rest.split_at_mut(2 * at - 1);
    let (left, right) = rules
        .crew
        .join(|| plan(left, &items[..at], halves.0, rules), || plan(right, &items[at..], halves.1, rules));
    let (costs, best) = rules.combine(&nodes[0], &left, &right);
    first[0] = best;
    (costs, best.triangles)
}

/// What is the same for all nodes.
struct Rules<'a, C> {
    crew: Crew,
    /// Most triangles of a leaf.
    most: u32,
    extra: f32,
    counts: &'a C,
}

impl<C> Rules<'_, C> {
    #[inline(always)]
    fn area(&self, node: &Node) -> f32 {
        (node.area + self.extra).max(LEAST_AREA)
    }
    #[inline(always)]
    fn combine(&self, node: &Node, left: &(Costs, u32), right: &(Costs, u32)) -> (Costs, Plan) {
        let area = self.area(node);
        combine([area, area + NODE_PLUS * self.extra], left.1 + right.1, self.most, &left.0, &right.0)
    }
}

fn plan_alone(
    nodes: &[Node],
    items: &[Span],
    plans: &mut [Plan],
    rules: &Rules<'_, impl Fn(&Span) -> u32>,
) -> (Costs, u32) {
    // Backwards: right subtrees, then left ones, then their parents.
    let mut done: Vec<(Costs, u32)> = Vec::new();
    let mut items = items.iter().rev();
    for (node, plan) in nodes.iter().zip(plans).rev() {
        if node.items == 1 {
            let triangles = items.next().map_or(1, rules.counts);
            done.push(([leaf_cost(rules.area(node), triangles); WIDTH], triangles));
            *plan = Plan { triangles, bits: 0 };
        } else if let (Some(left), Some(right)) = (done.pop(), done.pop()) {
            let (costs, best) = rules.combine(node, &left, &right);
            done.push((costs, best.triangles));
            *plan = best;
        }
    }
    done.pop().unwrap_or_default()
}

/// A binary node with its first item.
#[derive(Clone, Copy)]
struct Root {
    node: usize,
    item: usize,
    is_leaf: bool,
}

/// `most` triangles may be in a leaf. `part(item)` says which triangles are in an item, as a first one and a count; `name` what they are called.
pub(super) fn collapse(
    (nodes, items): (&[Node], &[Span]),
    (most, crew): (u32, Crew),
    part: impl Fn(&Span) -> (u32, u32) + Sync,
    name: impl Fn(u32) -> u32 + Sync,
) -> Topology {
    if nodes.is_empty() {
        return Topology { nodes: Vec::new(), order: Vec::new() };
    }
    let mut plans = vec![Plan::default(); nodes.len()];
    let counts = |item: &Span| part(item).1;
    plan(nodes, items, &mut plans, &Rules { crew, most, extra: PLUS * mean_area(items), counts: &counts });
    let root = Root { node: 0, item: 0, is_leaf: plans[0].get(1) == 0 && plans[0].get(WIDTH) == 0 };
    Planned { nodes, items, plans: &plans, crew, part: &part, name: &name }.divide(root)
}

/// A binary tree, and what is to be done with its nodes.
struct Planned<'a, P, N> {
    nodes: &'a [Node],
    items: &'a [Span],
    plans: &'a [Plan],
    crew: Crew,
    part: &'a P,
    name: &'a N,
}

const NO_LANES: Wide = Wide { lanes: [Lane::Leaf { first: 0, count: 0 }; WIDTH], len: 0 };

impl<P: Fn(&Span) -> (u32, u32) + Sync, N: Fn(u32) -> u32 + Sync> Planned<'_, P, N> {
    /// The topology of a subtree by itself, of which the children are done at once. What lies below a child follows what lies below those before it, nodes as well as triangles.
    fn divide(&self, root: Root) -> Topology {
        if self.crew == Crew::One || root.is_leaf || self.nodes[root.node].items as usize <= ALONE {
            return self.grow(root);
        }
        let mut all = Topology { nodes: vec![NO_LANES], order: Vec::new() };
        let mut inner = Vec::new();
        self.fill(root, 0, &mut all, &mut inner);
        let parts = self.crew.map(&inner, &|&(_, root)| self.divide(root));
        for ((place, _), part) in inner.iter().zip(&parts).rev() {
            all.append(*place, part);
        }
        all
    }

    fn grow(&self, root: Root) -> Topology {
        let mut topology = Topology { nodes: vec![NO_LANES], order: Vec::new() };
        topology.order.reserve(self.plans[root.node].triangles as usize);
        // Wide nodes that are to be filled, and the binary nodes that they stand for.
        let mut todo = vec![(0, root)];
        while let Some((index, root)) = todo.pop() {
            self.fill(root, index, &mut topology, &mut todo);
        }
        topology
    }

    /// Fills a wide node, makes room for its children, and adds them to the list: the last one first.
    #[inline(always)]
    fn fill(&self, root: Root, index: usize, topology: &mut Topology, todo: &mut Vec<(usize, Root)>) {
        let mut lanes = [root; WIDTH];
        let len = if root.is_leaf { 1 } else { open(self.nodes, self.plans, root, &mut lanes) };
        let mut inner = topology.nodes.len() as u32;
        for (slot, lane) in lanes[..len].iter().enumerate() {
            topology.nodes[index].lanes[slot] = if lane.is_leaf {
                let first = topology.order.len() as u32;
                for item in &self.items[lane.item..lane.item + self.nodes[lane.node].items as usize] {
                    let (start, count) = (self.part)(item);
                    topology.order.extend((start..start + count).map(self.name));
                }
                Lane::Leaf { first, count: topology.order.len() as u32 - first }
            } else {
                inner += 1;
                Lane::Inner(inner - 1)
            };
        }
        topology.nodes[index].len = len;
        topology.nodes.resize(inner as usize, NO_LANES);
        // The first child comes next: what lies together is stored together.
        let mut place = inner as usize;
        for lane in lanes[..len].iter().rev().filter(|lane| !lane.is_leaf) {
            place -= 1;
            todo.push((place, *lane));
        }
    }
}

impl Topology {
    /// Puts another's root in a place, and what lies below it behind all that there is.
    fn append(&mut self, place: usize, other: &Self) {
        let (node, triangle) = (self.nodes.len() as u32 - 1, self.order.len() as u32);
        let mut moved = other.nodes.iter().map(|wide| {
            let mut wide = wide.clone();
            for lane in &mut wide.lanes[..wide.len] {
                match lane {
                    Lane::Inner(child) => *child += node,
                    Lane::Leaf { first, .. } => *first += triangle,
                }
            }
            wide
        });
        if let Some(root) = moved.next() {
            self.nodes[place] = root;
        }
        self.nodes.extend(moved);
        self.order.extend(&other.order);
    }
}

/// The lanes of a wide node over a binary one; says how many they are.
fn open(nodes: &[Node], plans: &[Plan], root: Root, lanes: &mut [Root; WIDTH]) -> usize {
    let children = |root: Root| {
        let left = Root { node: root.node + 1, ..root };
        let items = nodes[left.node].items as usize;
        [left, Root { node: root.node + 2 * items, item: root.item + items, ..root }]
    };
    let mut len = 0;
    // Every entry has at least one root to give: there are never more than WIDTH.
    let mut todo = [(root, 0); WIDTH];
    let [left, right] = children(root);
    // The root of all may be opened though a leaf in its place would be cheaper: it has to be a node.
    let plan = plans[root.node];
    let at = plan.get(if plan.get(1) == 0 { WIDTH } else { 1 });
    todo[0] = (right, WIDTH - at);
    todo[1] = (left, at);
    let mut waiting = 2;
    while waiting > 0 {
        waiting -= 1;
        let (root, k) = todo[waiting];
        let plan = plans[root.node];
        let at = if k == 1 { 0 } else { plan.get(k) };
        if at == 0 {
            lanes[len] = Root { is_leaf: plan.get(1) == 0, ..root };
            len += 1;
        } else {
            let [left, right] = children(root);
            todo[waiting] = (right, k - at);
            todo[waiting + 1] = (left, at);
            waiting += 2;
        }
    }
    len
}
