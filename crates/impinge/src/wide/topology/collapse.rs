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
fn mean_area(nodes: &[Node]) -> f32 {
    let (mut sum, mut count) = (0.0_f64, 0_u32);
    for node in nodes.iter().filter(|node| node.items == 1) {
        sum += f64::from(node.area);
        count += 1;
    }
    (sum / f64::from(count.max(1))) as f32
}

/// Plans for all nodes of a tree in preorder, and what its root costs. `counts` are the triangles of the items, last first.
fn plan(nodes: &[Node], plans: &mut [Plan], most: u32, mut counts: impl Iterator<Item = u32>) -> Costs {
    // Backwards: right subtrees, then left ones, then their parents.
    let mut done: Vec<(Costs, u32)> = Vec::new();
    let extra = PLUS * mean_area(nodes);
    for (node, plan) in nodes.iter().zip(plans).rev() {
        let area = (node.area + extra).max(LEAST_AREA);
        if node.items == 1 {
            let triangles = counts.next().unwrap_or(1);
            done.push(([leaf_cost(area, triangles); WIDTH], triangles));
            *plan = Plan { triangles, bits: 0 };
        } else if let (Some(left), Some(right)) = (done.pop(), done.pop()) {
            let (costs, best) =
                combine([area, area + NODE_PLUS * extra], left.1 + right.1, most, &left.0, &right.0);
            done.push((costs, best.triangles));
            *plan = best;
        }
    }
    done.pop().unwrap_or_default().0
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
    nodes: &[Node],
    items: &[Span],
    most: u32,
    part: impl Fn(&Span) -> (u32, u32),
    name: impl Fn(u32) -> u32,
) -> Topology {
    let mut topology = Topology { nodes: Vec::new(), order: Vec::new() };
    if nodes.is_empty() {
        return topology;
    }
    let mut plans = vec![Plan::default(); nodes.len()];
    plan(nodes, &mut plans, most, items.iter().rev().map(|item| part(item).1));
    let empty = Wide { lanes: [Lane::Leaf { first: 0, count: 0 }; WIDTH], len: 0 };
    topology.order.reserve(plans[0].triangles as usize);
    topology.nodes.push(empty.clone());
    // Wide nodes that are to be filled, and the binary nodes that they stand for.
    let mut todo =
        vec![(0, Root { node: 0, item: 0, is_leaf: plans[0].get(1) == 0 && plans[0].get(WIDTH) == 0 })];
    while let Some((index, root)) = todo.pop() {
        let mut lanes = [root; WIDTH];
        let len = if root.is_leaf { 1 } else { open(nodes, &plans, root, &mut lanes) };
        let below = topology.nodes.len();
        let mut inner = below as u32;
        for (slot, lane) in lanes[..len].iter().enumerate() {
            topology.nodes[index].lanes[slot] = if lane.is_leaf {
                let first = topology.order.len() as u32;
                for item in &items[lane.item..lane.item + nodes[lane.node].items as usize] {
                    let (start, count) = part(item);
                    topology.order.extend((start..start + count).map(&name));
                }
                Lane::Leaf { first, count: topology.order.len() as u32 - first }
            } else {
                inner += 1;
                Lane::Inner(inner - 1)
            };
        }
        topology.nodes[index].len = len;
        topology.nodes.resize(inner as usize, empty.clone());
        // The first child comes next: what lies together is stored together.
        let mut place = inner as usize;
        for lane in lanes[..len].iter().rev().filter(|lane| !lane.is_leaf) {
            place -= 1;
            todo.push((place, *lane));
        }
    }
    topology
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
