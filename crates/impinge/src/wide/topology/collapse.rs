//! Collapses a binary tree into wide nodes and leaves at the least expected cost, by dynamic programming
//! (Ylitie, Karras and Laine 2017, "Efficient incoherent ray traversal on GPUs through compressed wide BVHs",
//! section 3.1).
//!
//! C(i, k) is the cost of the best forest of at most k roots over the triangles of binary node i. With A the
//! area of its box and n its triangles:
//! * C(i, 1) is the lesser of a leaf, A (`LEAF_COST` + `TRIANGLE_COST` n) if n fits one, and a wide node, A
//!   `NODE_COST` + C(i, `WIDTH`);
//! * C(i, k) is the least of C(i, 1) and C(left, a) + C(right, k - a) for 0 < a < k.
//!
//! Areas are enlarged first: see [`EXTRA`].
use super::{
    binary::BinaryNode,
    four::TaggedBox,
    nodes::{Lane, Topology, WIDTH, WideNode},
};
use crate::{
    pool::Executor,
    simd::{Simd, Work},
    wide::for_builds,
};

/// The cost of visiting a wide node, per area.
const NODE_COST: f32 = 1.0;
/// The cost of visiting a leaf, per area.
const LEAF_COST: f32 = 1.0;
/// The cost of each triangle in it, per area.
const TRIANGLE_COST: f32 = 0.05;
/// Every area is enlarged by this many times the mean area of the items, because the other box of a test has
/// a size, too. This makes leaves fuller and nodes fewer.
const EXTRA: f32 = 2.0;
/// The area of a wide node is enlarged by this many times as much, in addition.
const NODE_EXTRA: f32 = 2.0;
/// The least area that counts: without it, nodes over boxes without a surface would cost nothing.
const LEAST_AREA: f32 = 1e-20;

/// The best choices for a binary node.
#[derive(Clone, Copy, Default)]
struct Choices {
    /// Number of triangles below.
    triangles: u32,
    /// Four bits for each k, from bit 4 (k - 1) on. For k > 1: the number of the k roots that go to the left
    /// child, or 0 if one root is as good. For k = 1: 0 if the root is a leaf; else it is a wide node, and
    /// the bits are the number of its `WIDTH` children that come from the left child.
    bits: u32,
}

impl Choices {
    #[inline(always)]
    fn get(self, k: usize) -> usize {
        (self.bits >> (4 * (k - 1)) & 0xf) as usize
    }
}

/// The costs of at most 1, 2, ... `WIDTH` roots.
type Costs = [f32; WIDTH];

fn leaf_cost(area: f32, triangles: u32) -> f32 {
    area * (LEAF_COST + TRIANGLE_COST * triangles as f32)
}

/// The low bits of a cost hold the choice that led to it. Costs that differ in these bits alone, which is by
/// about 2^-19 of the cost at most, are as good as equal.
const CHOICE: u32 = 0xf;

/// The cheapest division of each number of roots among two children: its cost, and in the low bits the number
/// on the left. The result for 1 root means nothing. At most `most` roots go to the left, as many as that
/// child has items: more are no cheaper there.
#[inline(always)]
fn share(left: &Costs, right: &Costs, most: usize) -> [u32; WIDTH] {
    // right[k - a] is at k - a + WIDTH; for k < a there is no such cost, but a very large number.
    let mut shifted = [1e38f32; 2 * WIDTH];
    shifted[WIDTH..].copy_from_slice(right);
    let mut best = [u32::MAX >> 1; WIDTH];
    // Half of all left children are single items. And the compiler leaves a loop of unknown length as it is:
    // else it would vectorize across the rounds.
    for a in 1..=most.min(WIDTH - 1) {
        let (cost, right) = (left[a - 1], &shifted[WIDTH - a..]);
        let right: &Costs = right[..WIDTH].as_array().expect("all");
        for k in 0..WIDTH {
            // The bits of floats that are not negative, as integers, are in the order of the floats.
            let tagged = ((cost + right[k]).to_bits() & !CHOICE) | a as u32;
            best[k] = if (tagged as i32) < best[k] as i32 { tagged } else { best[k] };
        }
    }
    best
}

/// The costs and the choices of a node, from the costs of its children. The left one has `items` items.
#[inline(always)]
fn combine(
    [area, node]: [f32; 2],
    triangles: u32,
    most: u32,
    left: &Costs,
    right: &Costs,
    items: u32,
) -> (Costs, Choices) {
    let shares = share(left, right, items as usize);
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
    (costs, Choices { triangles, bits })
}

fn mean_area(items: &[TaggedBox]) -> f32 {
    let sum: f64 = items.iter().map(|item| f64::from(item.area())).sum();
    (sum / items.len().max(1) as f64) as f32
}

/// Subtrees of up to this many binary nodes are left to one thread.
const SERIAL: usize = 8192;

/// Finds the best choices for all nodes of a tree, which is in preorder; returns the costs of its root, and
/// the number of triangles.
fn choose(
    nodes: &[BinaryNode],
    items: &[TaggedBox],
    choices: &mut [Choices],
    rules: &Rules<'_, impl Fn(&TaggedBox) -> u32 + Sync>,
) -> (Costs, u32) {
    if rules.executor == Executor::Serial || nodes.len() <= SERIAL {
        return for_builds().call(ChooseSerial { nodes, items, choices, rules });
    }
    let at = nodes[1].items as usize;
    let (left, right) = nodes[1..].split_at(2 * at - 1);
    let (first, rest) = choices.split_at_mut(1);
    let halves = rest.split_at_mut(2 * at - 1);
    let (left, right) = rules.executor.join(
        || choose(left, &items[..at], halves.0, rules),
        || choose(right, &items[at..], halves.1, rules),
    );
    let (costs, best) = rules.combine([&nodes[0], &nodes[1]], &left, &right);
    first[0] = best;
    (costs, best.triangles)
}

/// The rules of all nodes.
struct Rules<'a, C> {
    executor: Executor,
    /// The most triangles of a leaf.
    most: u32,
    /// See [`EXTRA`].
    extra: f32,
    /// Returns the number of triangles in an item.
    counts: &'a C,
}

impl<C> Rules<'_, C> {
    #[inline(always)]
    fn area(&self, node: &BinaryNode) -> f32 {
        (node.area + self.extra).max(LEAST_AREA)
    }
    /// `next` is the left child.
    #[inline(always)]
    fn combine(
        &self,
        [node, next]: [&BinaryNode; 2],
        left: &(Costs, u32),
        right: &(Costs, u32),
    ) -> (Costs, Choices) {
        let area = self.area(node);
        let areas = [area, area + NODE_EXTRA * self.extra];
        combine(areas, left.1 + right.1, self.most, &left.0, &right.0, next.items)
    }
}

/// Does what [`choose`] does, on one thread.
struct ChooseSerial<'a, 'r, C> {
    nodes: &'a [BinaryNode],
    items: &'a [TaggedBox],
    choices: &'a mut [Choices],
    rules: &'a Rules<'r, C>,
}

impl<C: Fn(&TaggedBox) -> u32> Work for ChooseSerial<'_, '_, C> {
    type Out = (Costs, u32);
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> (Costs, u32) {
        let Self { nodes, items, choices, rules } = self;
        // Preorder backwards: a node comes after its right subtree, then its left one.
        let mut done: Vec<(Costs, u32)> = Vec::new();
        let mut items = items.iter().rev();
        // The node that was last seen, which is the left child of one that has children.
        let mut next = &BinaryNode::NONE;
        for (node, choice) in nodes.iter().zip(choices).rev() {
            if node.items == 1 {
                let triangles = items.next().map_or(1, rules.counts);
                done.push(([leaf_cost(rules.area(node), triangles); WIDTH], triangles));
                *choice = Choices { triangles, bits: 0 };
            } else if let (Some(left), Some(right)) = (done.pop(), done.pop()) {
                let (costs, best) = rules.combine([node, next], &left, &right);
                done.push((costs, best.triangles));
                *choice = best;
            }
            next = node;
        }
        done.pop().unwrap_or_default()
    }
}

/// A subtree of the binary tree.
#[derive(Clone, Copy)]
struct Subtree {
    node: usize,
    /// Its first item.
    item: usize,
    /// True if it becomes a leaf, not a wide node.
    is_leaf: bool,
}

/// Collapses a binary tree. Leaves may have `most` triangles. `part(item)` returns the triangles of an item,
/// as the first one's place and a count, and `name` the number of the triangle at a place.
pub(super) fn collapse(
    nodes: &[BinaryNode],
    items: &[TaggedBox],
    most: u32,
    executor: Executor,
    part: impl Fn(&TaggedBox) -> (u32, u32) + Sync,
    name: impl Fn(u32) -> u32 + Sync,
) -> Topology {
    if nodes.is_empty() {
        return Topology { nodes: Vec::new(), order: Vec::new() };
    }
    let mut choices = vec![Choices::default(); nodes.len()];
    let counts = |item: &TaggedBox| part(item).1;
    choose(
        nodes,
        items,
        &mut choices,
        &Rules { executor, most, extra: EXTRA * mean_area(items), counts: &counts },
    );
    let root = Subtree { node: 0, item: 0, is_leaf: choices[0].get(1) == 0 && choices[0].get(WIDTH) == 0 };
    Collapse { nodes, items, choices: &choices, executor, part: &part, name: &name }.emit_parallel(root)
}

/// A binary tree, and the choices by which it is collapsed.
struct Collapse<'a, P, N> {
    nodes: &'a [BinaryNode],
    items: &'a [TaggedBox],
    choices: &'a [Choices],
    executor: Executor,
    part: &'a P,
    name: &'a N,
}

const NO_LANES: WideNode = WideNode { lanes: [Lane::Leaf { first: 0, count: 0 }; WIDTH], len: 0 };

impl<P: Fn(&TaggedBox) -> (u32, u32) + Sync, N: Fn(u32) -> u32 + Sync> Collapse<'_, P, N> {
    /// The topology of a subtree, its places counted from 0. The subtrees of its inner children are emitted
    /// at once by several threads, and appended one after another, as [`Self::emit_serial`] has them.
    fn emit_parallel(&self, root: Subtree) -> Topology {
        if self.executor == Executor::Serial || root.is_leaf || self.nodes[root.node].items as usize <= SERIAL
        {
            return self.emit_serial(root);
        }
        let mut all = Topology { nodes: vec![NO_LANES], order: Vec::new() };
        let mut inner = Vec::new();
        self.fill(root, 0, &mut all, &mut inner);
        let parts = self.executor.map(&inner, &|&(_, root)| self.emit_parallel(root));
        for ((place, _), part) in inner.iter().zip(&parts).rev() {
            all.append(*place, part);
        }
        all
    }

    /// Does what [`Self::emit_parallel`] does, on one thread.
    fn emit_serial(&self, root: Subtree) -> Topology {
        let mut topology = Topology { nodes: vec![NO_LANES], order: Vec::new() };
        topology.order.reserve(self.choices[root.node].triangles as usize);
        // Wide nodes that are to be filled, and the subtrees they are for.
        let mut todo = vec![(0, root)];
        while let Some((index, root)) = todo.pop() {
            self.fill(root, index, &mut topology, &mut todo);
        }
        topology
    }

    /// Fills a wide node: appends the triangles of its leaves, and empty nodes for its inner children, which
    /// it adds to the list of subtrees to do.
    #[inline(always)]
    fn fill(&self, root: Subtree, index: usize, topology: &mut Topology, todo: &mut Vec<(usize, Subtree)>) {
        let mut lanes = [root; WIDTH];
        let len = if root.is_leaf { 1 } else { open(self.nodes, self.choices, root, &mut lanes) };
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
        // The list is a stack: the first child goes on top, so that children that are close in space are
        // close in memory, too.
        let mut place = inner as usize;
        for lane in lanes[..len].iter().rev().filter(|lane| !lane.is_leaf) {
            place -= 1;
            todo.push((place, *lane));
        }
    }
}

impl Topology {
    /// Puts the root of another topology in a place, and appends all the rest of it.
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

/// Finds the children of a wide node by the choices for its subtree, and returns their number.
fn open(nodes: &[BinaryNode], choices: &[Choices], root: Subtree, lanes: &mut [Subtree; WIDTH]) -> usize {
    let children = |root: Subtree| {
        let left = Subtree { node: root.node + 1, ..root };
        let items = nodes[left.node].items as usize;
        [left, Subtree { node: root.node + 2 * items, item: root.item + items, ..root }]
    };
    let mut len = 0;
    // Subtrees, and the number of roots that each may become: at least one, so there are never more than
    // WIDTH.
    let mut todo = [(root, 0); WIDTH];
    let [left, right] = children(root);
    // The root of the whole tree has to be a node, even if a leaf would be cheaper.
    let choice = choices[root.node];
    let at = choice.get(if choice.get(1) == 0 { WIDTH } else { 1 });
    todo[0] = (right, WIDTH - at);
    todo[1] = (left, at);
    let mut waiting = 2;
    while waiting > 0 {
        waiting -= 1;
        let (root, k) = todo[waiting];
        let choice = choices[root.node];
        let at = if k == 1 { 0 } else { choice.get(k) };
        if at == 0 {
            lanes[len] = Subtree { is_leaf: choice.get(1) == 0, ..root };
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
