//! From a binary tree to wide nodes and leaves: the cheapest collapse, by dynamic programming (Ylitie, Karras and Laine
//! 2017, "Efficient incoherent ray traversal on GPUs through compressed wide BVHs", section 3.1).
//!
//! `c[i][k]` is the cost of the best forest of at most k roots over the triangles of binary node i. One root is a leaf, or a
//! wide node over the best forest of 2 to `WIDTH` roots; more roots are shared out among the two children.
use super::{LEAF, Lane, Topology, WIDTH, Wide, binned::Node, four::Span};

/// A visit of a wide node, per area.
const NODE_COST: f32 = 1.0;
/// A visit of a leaf, per area.
const LEAF_COST: f32 = 1.0;
/// The same for each triangle in it.
const TRIANGLE_COST: f32 = 0.05;
/// Boxes without a surface count as this large: then, too, fewer nodes are better.
const LEAST_AREA: f32 = 1e-20;

/// What to do with a binary node that gets k roots, for k = 1 ..= WIDTH, four bits each: how many go to the left child
/// (0: do as for k - 1), or for k = 1 whether it is a leaf.
#[derive(Clone, Copy, Default)]
struct Plan {
    bits: u32,
    /// How many roots of a full wide node over this one go to the left.
    open: u8,
}

impl Plan {
    fn get(self, k: usize) -> usize {
        (self.bits >> (4 * (k - 1)) & 0xf) as usize
    }
}

/// Costs for 1 ..= WIDTH roots.
type Costs = [f32; WIDTH];

fn leaf_cost(area: f32, triangles: u32) -> f32 {
    area * (LEAF_COST + TRIANGLE_COST * triangles as f32)
}

/// The cheapest way to share `k` roots out among two children.
#[inline(always)]
fn share(left: &Costs, right: &Costs, k: usize) -> (f32, usize) {
    let mut best = (left[0] + right[k - 2], 1);
    for a in 2..k {
        let cost = left[a - 1] + right[k - a - 1];
        if cost < best.0 {
            best = (cost, a);
        }
    }
    best
}

#[inline(always)]
fn combine(node: &Node, left: &Costs, right: &Costs) -> (Costs, Plan) {
    let area = node.area.max(LEAST_AREA);
    let (mut costs, mut plan) = ([0.0; WIDTH], Plan::default());
    let shares: [(f32, usize); WIDTH] =
        std::array::from_fn(|i| if i == 0 { (0.0, 0) } else { share(left, right, i + 1) });
    let (open, at) = shares[WIDTH - 1];
    plan.open = at as u8;
    costs[0] = area * NODE_COST + open;
    if node.triangles <= LEAF {
        let leaf = leaf_cost(area, node.triangles);
        if leaf <= costs[0] {
            costs[0] = leaf;
            plan.bits = 1;
        }
    }
    for k in 2..=WIDTH {
        let (cost, at) = shares[k - 1];
        costs[k - 1] = costs[k - 2];
        if cost < costs[k - 2] {
            costs[k - 1] = cost;
            plan.bits |= (at as u32) << (4 * (k - 1));
        }
    }
    (costs, plan)
}

/// Plans for all nodes of a tree in preorder, and what its root costs.
fn plan(nodes: &[Node], plans: &mut [Plan]) -> Costs {
    // Backwards: right subtrees, then left ones, then their parents.
    let mut done: Vec<Costs> = Vec::new();
    for (node, plan) in nodes.iter().zip(plans).rev() {
        if node.items == 1 {
            done.push([leaf_cost(node.area.max(LEAST_AREA), node.triangles); WIDTH]);
            *plan = Plan { bits: 1, open: 0 };
        } else if let (Some(left), Some(right)) = (done.pop(), done.pop()) {
            let (costs, best) = combine(node, &left, &right);
            done.push(costs);
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

/// `part(item)` says which triangles are in an item, as a first one and a count; `name` what they are called.
pub(super) fn collapse(
    nodes: &[Node],
    items: &[Span],
    part: impl Fn(&Span) -> (u32, u32),
    name: impl Fn(u32) -> u32,
) -> Topology {
    let mut topology = Topology { nodes: Vec::new(), order: Vec::new() };
    if nodes.is_empty() {
        return topology;
    }
    let mut plans = vec![Plan::default(); nodes.len()];
    plan(nodes, &mut plans);
    let empty = Wide { lanes: [Lane::Leaf { first: 0, count: 0 }; WIDTH], len: 0 };
    topology.order.reserve(nodes[0].triangles as usize);
    topology.nodes.push(empty.clone());
    // Wide nodes that are to be filled, and the binary nodes that they stand for.
    let mut todo = vec![(0, Root { node: 0, item: 0, is_leaf: plans[0].get(1) == 1 })];
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
    let at = plans[root.node].open as usize;
    todo[0] = (right, WIDTH - at);
    todo[1] = (left, at);
    let mut waiting = 2;
    while waiting > 0 {
        waiting -= 1;
        let (root, mut k) = todo[waiting];
        let plan = plans[root.node];
        while k > 1 && plan.get(k) == 0 {
            k -= 1;
        }
        if k == 1 {
            lanes[len] = Root { is_leaf: plan.get(1) == 1, ..root };
            len += 1;
        } else {
            let ([left, right], at) = (children(root), plan.get(k));
            todo[waiting] = (right, k - at);
            todo[waiting + 1] = (left, at);
            waiting += 2;
        }
    }
    len
}
