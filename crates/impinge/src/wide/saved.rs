//! The saved form of a tree, and the checks of one that is read.
//!
//! Links are checked against those of a build, which numbers nodes, words and triangles in one way only:
//! depth first, the children of a node side by side. So walks end, and every index is in range. A file may
//! still hold boxes that are not those of its triangles; [`WideTree::validate`] finds that.
use super::{
    leaf::CornerPrecision,
    leaf::{self, HEAD, LEAST_STEP, LeafLattice, TAIL},
    node::{QuantizedNode, WIDTH},
    tree::WideTree,
};
use crate::{
    array::{Array, Shared},
    motion::Rotation,
    normalized_frame::NormalizedFrame,
    vector::{Matrix, Vector},
};
use bytemuck::{Pod, Zeroable};

/// The parts of a tree beside its arrays.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SavedFrame {
    origin: Vector,
    scale: f64,
    turn: Matrix,
    reach: f64,
}

/// No tree is deeper: binned splits end at 64, halving by count takes at most 28 more, and in fast builds
/// the blocks of neighbours as much again.
const MOST_DEPTH: u32 = 256;
/// No coordinate in a tree's frame is larger: those of the normalized frame are at most 4, rotated at most
/// 7, and boxes are a little wider.
const MOST: f32 = 16.0;
/// Largest defect of a rotation from orthonormal; rounding stays below it.
const MOST_DEFECT: f64 = 1e-6;
/// The largest coordinate in a normalized frame.
const FRAME: f64 = 4.0;

impl WideTree {
    /// The tree's arrays, as bytes: nodes, words, order.
    pub(crate) fn saved_arrays(&self) -> [&[u8]; 3] {
        [
            bytemuck::must_cast_slice(&self.nodes),
            bytemuck::must_cast_slice(&self.words),
            bytemuck::must_cast_slice(&self.order),
        ]
    }
    pub(crate) fn saved_frame(&self) -> SavedFrame {
        let NormalizedFrame { origin, scale } = self.normalized;
        SavedFrame { origin, scale, turn: self.turn.rows, reach: self.reach }
    }
    /// The bytes of an item of each array.
    pub(crate) const SAVED_SIZES: [usize; 3] =
        [size_of::<QuantizedNode>(), size_of::<i16>(), size_of::<u32>()];

    /// The tree from its saved parts, for a mesh of so many triangles between two corners. O(n).
    ///
    /// # Errors
    /// Bytes that no build gives. The text names the defect and its place.
    pub(crate) fn from_saved(
        [nodes, words, order]: [&Shared<u8>; 3],
        frame: &SavedFrame,
        compact: bool,
        triangles: usize,
        extent: &[Vector; 2],
    ) -> Result<Self, String> {
        let precision = if compact { CornerPrecision::Compact } else { CornerPrecision::Fine };
        let SavedFrame { origin, scale, turn, reach } = *frame;
        let tree = Self {
            normalized: NormalizedFrame { origin, scale },
            turn: Rotation::new(turn),
            nodes: Array::of_bytes(nodes),
            words: Array::of_bytes(words),
            order: Array::of_bytes(order),
            precision,
            reach,
        };
        tree.check_frame(extent)?;
        check_order(&tree.order, triangles)?;
        if triangles == 0 {
            let none = tree.nodes.is_empty() && tree.words.is_empty();
            return if none { Ok(tree) } else { Err("a tree without triangles has nodes".into()) };
        }
        tree.check_links()?;
        Ok(tree)
    }

    fn check_frame(&self, extent: &[Vector; 2]) -> Result<(), String> {
        let NormalizedFrame { origin, scale } = self.normalized;
        let is_power = scale.is_normal() && scale > 0.0 && scale.to_bits() << 12 == 0;
        let corners = extent.map(|v| self.normalized.apply(&v));
        let inside = corners.as_flattened().iter().all(|x| x.abs() <= FRAME);
        if !(is_power && origin.iter().all(|x| x.is_finite()) && inside) {
            return Err("the tree's frame is not one of its mesh".into());
        }
        // NaN is not less, either.
        let is_rotation = crate::pose::defect(&self.turn.rows) <= MOST_DEFECT;
        if !is_rotation {
            return Err("the tree's rotation is none".into());
        }
        if !(0.0..=f64::from(MOST)).contains(&self.reach) {
            return Err(format!("the tree's reach is {}", self.reach));
        }
        Ok(())
    }

    fn check_links(&self) -> Result<(), String> {
        let (count, triangles) = (self.nodes.len(), self.order.len());
        if !(1..=triangles).contains(&count) {
            return Err(format!("{count} nodes for {triangles} triangles"));
        }
        // The places of the next children, words and triangles.
        let (mut child, mut word, mut triangle) = (1_usize, 0_u64, 0_u64);
        let mut todo = vec![(0_usize, 1)];
        while let Some((index, depth)) = todo.pop() {
            let node = &self.nodes[index];
            let wrong = |what: &str| Err(format!("node {index} {what}"));
            if let Some(what) = node.defect(self.reach) {
                return wrong(what);
            }
            if depth > MOST_DEPTH || (index != 0 && node.len() < 2) {
                return wrong("is deeper, or has fewer children, than any that is built");
            }
            let leaves = node.leaves.count_ones() as usize;
            let inner = node.len() - leaves;
            let links = [node.inner, node.words, node.first];
            let first = if leaves > 0 { triangle } else { 0 };
            let wanted = [if inner > 0 { child as u64 } else { 0 }, word, first];
            if links.map(u64::from) != wanted {
                return wrong("has wrong links");
            }
            if child + inner > count {
                return wrong("has children beyond the last node");
            }
            todo.extend((child..child + inner).rev().map(|place| (place, depth + 1)));
            child += inner;
            for lane in (0..WIDTH).filter(|&lane| node.leaves >> lane & 1 == 1) {
                let count = u32::from(node.counts[lane]);
                let words = self.precision.words(1, count, count & 1);
                let end = word + u64::from(words) + TAIL as u64;
                if end > self.words.len() as u64 {
                    return wrong("has a leaf beyond the last word");
                }
                if !LeafLattice::is_head(&self.words[word as usize..][..HEAD]) {
                    return wrong("has a leaf without a lattice");
                }
                word += u64::from(words);
                triangle += u64::from(count);
            }
            if triangle > triangles as u64 {
                return wrong("has more triangles than there are");
            }
        }
        let ends = [child as u64, word + TAIL as u64, triangle];
        if ends != [count, self.words.len(), triangles].map(|n| n as u64) {
            return Err("the tree does not have all nodes, words and triangles that are there".into());
        }
        Ok(())
    }
}

/// Checks that each triangle occurs in the order once.
fn check_order(order: &[u32], triangles: usize) -> Result<(), String> {
    if order.len() != triangles {
        return Err(format!("the tree is one of {} triangles, the mesh has {triangles}", order.len()));
    }
    let mut seen = vec![0_u64; triangles.div_ceil(64)];
    for (place, &triangle) in order.iter().enumerate() {
        let at = triangle as usize;
        if at >= triangles {
            return Err(format!("place {place} of the tree's order names triangle {triangle}"));
        }
        if seen[at / 64] >> (at % 64) & 1 == 1 {
            return Err(format!("triangle {triangle} stands twice in the tree's order"));
        }
        seen[at / 64] |= 1 << (at % 64);
    }
    Ok(())
}

impl QuantizedNode {
    /// A defect that no node of a build has, other than in links, if there is one.
    fn defect(&self, reach: f64) -> Option<&'static str> {
        let len = self.len();
        if len == 0 || self.used.count_ones() != self.used.trailing_ones() || self.leaves & !self.used != 0 {
            return Some("has lanes that are no children");
        }
        let full = |lane: usize| if self.is_leaf(lane) { 1..=leaf::MOST as u8 } else { 0..=0 };
        if !(0..WIDTH).all(|lane| full(lane).contains(&self.counts[lane])) {
            return Some("has leaves without triangles, or too many in one");
        }
        if self.slabs > 2 || !self.has_sound_numbers(MOST) {
            return Some("has boxes or slabs that are none");
        }
        let is_inside = |lane: usize, k: usize| {
            let [lo, hi] = self.side(k, lane);
            -reach <= lo && lo <= hi && hi <= reach
        };
        if !(0..len).all(|lane| (0..3).all(|k| is_inside(lane, k))) {
            return Some("has a box that is inside out or reaches too far");
        }
        // The rounding of slab tests (`relative.rs`) is bounded for such slabs.
        let is_slab = |lane: usize, which: usize| {
            let (n, mid, half) = self.slab(which, lane);
            let sides: f64 = (0..3).map(|k| f64::from(self.centre_and_half(k, lane).1)).sum();
            n.iter().map(|x| x * x).sum::<f64>() <= 1.0 && mid.abs() + half <= 4.0 * sides
        };
        if !(0..len).all(|lane| (0..usize::from(self.slabs)).all(|which| is_slab(lane, which))) {
            return Some("has a slab that reaches beyond its box");
        }
        None
    }
}

/// The exponent's bits of the shortest step.
const LEAST_EXPONENT: u32 = (LEAST_STEP as f32).to_bits() >> 23;

impl LeafLattice {
    /// True if the head of a leaf's words holds a lattice.
    fn is_head(head: &[i16]) -> bool {
        let exponent = u32::from(head[6] as u16);
        // Read only then: a step has an inverse.
        (LEAST_EXPONENT..=MOST.to_bits() >> 23).contains(&exponent)
            && head[7] == 0
            && Self::read(head).origin.iter().all(|x| x.abs() <= MOST)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Mesh, Model, wide::node::QuantizedNode};

    #[test]
    fn slabs_that_no_build_gives_are_defects() {
        let model = Model::new(Mesh::uv_sphere(1.0, 32, 64).unwrap());
        let nodes = &model.wide().unwrap().nodes;
        let sound = nodes.iter().find(|node| node.slabs > 0).unwrap();
        assert_eq!(sound.defect(f64::INFINITY), None);
        // The three coordinates of the first lane's normal are 1; the unit of intervals is 1.
        for (places, value) in [(&[92, 108, 124][..], 0x7fff_u16), (&[30], 0x3f80)] {
            let mut node: QuantizedNode = *sound;
            for &place in places {
                bytemuck::bytes_of_mut(&mut node)[place..place + 2].copy_from_slice(&value.to_le_bytes());
            }
            assert_eq!(node.defect(f64::INFINITY), Some("has a slab that reaches beyond its box"));
        }
    }
}
