//! A binary tree of boxes, with insertion and removal.
use super::super::aabb::Aabb;

/// No node.
const NONE: u32 = u32::MAX;

/// A tree of boxes, by their indices. Its depth depends on the order of insertions and may reach the number
/// of boxes, so no function recurses.
#[derive(Clone, Debug)]
pub(super) struct BoxTree {
    nodes: Vec<BoxNode>,
    /// Indices of unused nodes.
    free: Vec<u32>,
    root: u32,
    /// The leaf of each box, or [`NONE`].
    leaves: Vec<u32>,
    /// Memory for a traversal: nodes that are still to be visited.
    stack: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct BoxNode {
    /// The box around all boxes below.
    around: Aabb,
    parent: u32,
    /// In a leaf: [`NONE`], and the index of its box.
    children: [u32; 2],
}

impl BoxNode {
    #[inline(always)]
    fn is_leaf(&self) -> bool {
        self.children[0] == NONE
    }
}

impl Default for BoxTree {
    fn default() -> Self {
        Self { nodes: Vec::new(), free: Vec::new(), root: NONE, leaves: Vec::new(), stack: Vec::new() }
    }
}

/// Half the surface area. Infinite sides count as very long ones, so that areas can be compared and
/// subtracted.
#[inline(always)]
fn area(b: &Aabb) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|k| (b.hi[k] - b.lo[k]).min(1e100));
    x * y + y * z + z * x
}

/// The centre of a box on an axis, rounded; finite for infinite boxes, too.
fn centre(b: &Aabb, axis: usize) -> f32 {
    ((b.lo[axis].clamp(-1e30, 1e30) + b.hi[axis].clamp(-1e30, 1e30)) * 0.5) as f32
}

impl BoxTree {
    /// Removes all boxes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.free.clear();
        self.leaves.clear();
        self.root = NONE;
    }

    /// Rebuilds the tree over all boxes that are not empty, by median splits: O(n log n).
    pub(super) fn build(&mut self, boxes: &[Aabb]) {
        self.clear();
        self.leaves.resize(boxes.len(), NONE);
        let centred = |(i, b): (u32, &Aabb)| ([centre(b, 0), centre(b, 1), centre(b, 2)], i);
        let mut all: Vec<([f32; 3], u32)> =
            (0..).zip(boxes).filter(|(_, b)| !b.is_empty()).map(centred).collect();
        self.nodes.reserve(2 * all.len());
        // Ranges of `all` whose subtrees are to be built, each with its parent and which child of it.
        let mut ranges = vec![(0, all.len(), NONE, 0)];
        while let Some((from, to, parent, side)) = ranges.pop() {
            let range = &mut all[from..to];
            let Some(&(_, first)) = range.first() else { continue };
            let node = self.nodes.len() as u32;
            match parent {
                NONE => self.root = node,
                _ => self.nodes[parent as usize].children[side] = node,
            }
            if range.len() == 1 {
                let around = boxes[first as usize];
                self.nodes.push(BoxNode { around, parent, children: [NONE, first] });
                self.leaves[first as usize] = node;
                continue;
            }
            let (mut lo, mut hi) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
            for (c, _) in &*range {
                for k in 0..3 {
                    lo[k] = if c[k] < lo[k] { c[k] } else { lo[k] };
                    hi[k] = if c[k] > hi[k] { c[k] } else { hi[k] };
                }
            }
            let axis = (1..3).fold(0, |best, k| if hi[k] - lo[k] > hi[best] - lo[best] { k } else { best });
            let half = range.len() / 2;
            // Ties are broken by the index, so that the tree depends on the boxes alone.
            range.select_nth_unstable_by(half, |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
            self.nodes.push(BoxNode { around: Aabb::EMPTY, parent, children: [NONE; 2] });
            ranges.push((from + half, to, node, 1));
            ranges.push((from, from + half, node, 0));
        }
        // Children come after their parents.
        for at in (0..self.nodes.len()).rev() {
            if !self.nodes[at].is_leaf() {
                self.nodes[at].around = self.around_children(at as u32);
            }
        }
    }

    /// Inserts a box, moves it to its new place, or removes it if it is now empty: O(depth).
    pub(super) fn set(&mut self, index: u32, b: &Aabb) {
        if self.leaves.len() <= index as usize {
            self.leaves.resize(index as usize + 1, NONE);
        }
        if self.leaves[index as usize] != NONE {
            self.remove(index);
        }
        if !b.is_empty() {
            self.insert(index, b);
        }
    }

    fn new_node(&mut self, node: BoxNode) -> u32 {
        match self.free.pop() {
            Some(at) => {
                self.nodes[at as usize] = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// Replaces the child `old` of `parent` by `new`, or the root if there is no parent.
    fn replace(&mut self, parent: u32, old: u32, new: u32) {
        if new != NONE {
            self.nodes[new as usize].parent = parent;
        }
        if parent == NONE {
            self.root = new;
        } else {
            let children = &mut self.nodes[parent as usize].children;
            children[usize::from(children[1] == old)] = new;
        }
    }

    fn remove(&mut self, index: u32) {
        let leaf = std::mem::replace(&mut self.leaves[index as usize], NONE);
        let parent = self.nodes[leaf as usize].parent;
        self.free.push(leaf);
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let BoxNode { parent: above, children, .. } = self.nodes[parent as usize];
        let sibling = children[usize::from(children[0] == leaf)];
        self.replace(above, parent, sibling);
        self.free.push(parent);
        // Boxes above may shrink; once one does not, those above it do not either.
        let mut at = above;
        while at != NONE {
            let around = self.around_children(at);
            let node = &mut self.nodes[at as usize];
            if node.around == around {
                break;
            }
            node.around = around;
            at = node.parent;
        }
    }

    fn around_children(&self, at: u32) -> Aabb {
        let [left, right] = self.nodes[at as usize].children.map(|c| &self.nodes[c as usize].around);
        left.and(right)
    }

    fn insert(&mut self, index: u32, b: &Aabb) {
        let leaf = self.new_node(BoxNode { around: *b, parent: NONE, children: [NONE, index] });
        self.leaves[index as usize] = leaf;
        if self.root == NONE {
            self.root = leaf;
            return;
        }
        let sibling = self.sibling_for(b);
        let above = self.nodes[sibling as usize].parent;
        let around = self.nodes[sibling as usize].around.and(b);
        let parent = self.new_node(BoxNode { around, parent: above, children: [sibling, leaf] });
        self.replace(above, sibling, parent);
        self.nodes[sibling as usize].parent = parent;
        self.nodes[leaf as usize].parent = parent;
        let mut at = above;
        while at != NONE {
            let node = &mut self.nodes[at as usize];
            node.around = node.around.and(b);
            let next = node.parent;
            self.rotate(at);
            at = next;
        }
    }

    /// Finds the sibling of a new box: the descent takes the child that costs less surface area, and ends
    /// where a new parent costs less than either child (Box2D's greedy descent).
    fn sibling_for(&self, b: &Aabb) -> u32 {
        let mut at = self.root;
        loop {
            let node = &self.nodes[at as usize];
            if node.is_leaf() {
                return at;
            }
            // The area of a new parent here, and the growth of this node if the box is inserted below.
            let with = area(&node.around.and(b));
            let grows = with - area(&node.around);
            let cost = |child: u32| {
                let node = &self.nodes[child as usize];
                let with = area(&node.around.and(b));
                grows + if node.is_leaf() { with } else { with - area(&node.around) }
            };
            let [left, right] = node.children.map(cost);
            if with < left && with < right {
                return at;
            }
            at = node.children[usize::from(right < left)];
        }
    }

    /// Swaps a child with a grandchild below the other child, if that makes the other child smaller (Kensler
    /// 2008).
    fn rotate(&mut self, at: u32) {
        let children = self.nodes[at as usize].children;
        let mut best = (0.0, 0, 0);
        for side in 0..2 {
            // `child` would change places with one of the children of `other`.
            let (child, other) = (children[side], &self.nodes[children[1 - side] as usize]);
            if other.is_leaf() {
                continue;
            }
            let (around, now) = (self.nodes[child as usize].around, area(&other.around));
            for (n, stays) in [(0, other.children[1]), (1, other.children[0])] {
                let gain = now - area(&around.and(&self.nodes[stays as usize].around));
                if gain > best.0 {
                    best = (gain, side, n);
                }
            }
        }
        let (gain, side, n) = best;
        if gain > 0.0 {
            let (child, other) = (children[side], children[1 - side]);
            let grandchild = self.nodes[other as usize].children[n];
            self.nodes[at as usize].children[side] = grandchild;
            self.nodes[grandchild as usize].parent = at;
            self.nodes[other as usize].children[n] = child;
            self.nodes[child as usize].parent = other;
            self.nodes[other as usize].around = self.around_children(other);
        }
    }

    /// Calls `found` with the index of each box in the tree that meets `b`. `b` is not empty.
    pub(super) fn overlapping(&mut self, b: &Aabb, mut found: impl FnMut(u32)) {
        let Self { nodes, stack, root, .. } = self;
        stack.clear();
        if *root != NONE && nodes[*root as usize].around.meets(b) {
            stack.push(*root);
        }
        while let Some(at) = stack.pop() {
            let node = &nodes[at as usize];
            if node.is_leaf() {
                found(node.children[1]);
                continue;
            }
            for child in node.children {
                if nodes[child as usize].around.meets(b) {
                    stack.push(child);
                }
            }
        }
    }

    /// Checks for tests that children have their parents, that boxes contain those below, and that each box
    /// has one leaf.
    #[cfg(test)]
    pub(super) fn check(&self, boxes: &[Aabb]) {
        let mut count = 0;
        let mut stack: Vec<u32> = Some(self.root).filter(|&root| root != NONE).into_iter().collect();
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at as usize];
            count += 1;
            if node.is_leaf() {
                assert_eq!(self.leaves[node.children[1] as usize], at);
                assert_eq!(boxes[node.children[1] as usize], node.around);
                continue;
            }
            assert_eq!(node.around, self.around_children(at));
            for child in node.children {
                assert_eq!(self.nodes[child as usize].parent, at);
                stack.push(child);
            }
        }
        let there = boxes.iter().filter(|b| !b.is_empty()).count();
        assert_eq!(count, (2 * there).saturating_sub(1));
        assert_eq!(self.nodes.len(), count + self.free.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_stays_whole_through_edits() {
        let mut state = 7_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / (1_u64 << 31) as f64
        };
        let (mut boxes, mut tree) = (Vec::new(), BoxTree::default());
        for step in 0..3_000 {
            let index = if boxes.len() < 100 || random() < 0.1 {
                boxes.push(Aabb::EMPTY);
                boxes.len() - 1
            } else {
                (random() * boxes.len() as f64) as usize
            };
            let (p, kind) = ([random(), random(), random()], random());
            boxes[index] = match kind {
                0.0..0.2 => Aabb::EMPTY,
                0.2..0.25 => Aabb { lo: [f64::NEG_INFINITY, 0.0, 0.0], hi: [p[0], f64::INFINITY, 0.0] },
                0.25..0.3 => Aabb { lo: [f64::NEG_INFINITY; 3], hi: [f64::INFINITY; 3] },
                _ => Aabb { lo: p, hi: p.map(|x| x + 0.1 * kind) },
            };
            tree.set(index as u32, &boxes[index]);
            if step % 10 == 0 {
                tree.check(&boxes);
            }
            if !boxes[index].is_empty() {
                let mut got = Vec::new();
                tree.overlapping(&boxes[index], |i| got.push(i));
                got.sort_unstable();
                let meets = |(_, b): &(u32, &Aabb)| !b.is_empty() && b.meets(&boxes[index]);
                let want: Vec<u32> = (0..).zip(&boxes).filter(meets).map(|(i, _)| i).collect();
                assert_eq!(got, want);
            }
            if step % 1_000 == 999 {
                tree.build(&boxes);
                tree.check(&boxes);
            }
        }
    }
}
