//! How much of a tree's boxes is empty: Zachmann 2002, section 3.1 and Figure 1.
use crate::{Mesh, bounds::Bounds, normalized_frame::NormalizedFrame};

/// The child that a node has below one of its links.
#[derive(Clone, Copy, Debug)]
pub enum Child<'a> {
    /// Another node, which stands behind it in the tree.
    Node(usize),
    /// A leaf's triangles.
    Leaf(&'a [u32]),
}

/// Calls a function with each child of a node.
type Children<'a, 't> = dyn Fn(usize, &mut dyn FnMut(Child<'t>)) + 'a;

/// A histogram: for each node, which part of its parent's box it leaves empty, not counting the side at which
/// the parent was split. Ten bins of a tenth each. Boxes are those of the triangles, whatever the volume.
/// Parents come before their children. O(n).
pub fn empty_space<'t>(
    mesh: &Mesh,
    normalized: &NormalizedFrame,
    nodes: usize,
    children_of: &Children<'_, 't>,
) -> [usize; 10] {
    let mut tenths = [0; 10];
    let mut bounds = vec![Bounds::EMPTY; nodes];
    let mut children: Vec<Bounds> = Vec::new();
    for i in (0..nodes).rev() {
        children.clear();
        children_of(i, &mut |child| {
            children.push(match child {
                Child::Node(below) => bounds[below],
                Child::Leaf(run) => normalized.bounds_of(mesh, run),
            });
        });
        bounds[i] = children.iter().fold(Bounds::EMPTY, |sum, child| sum.and(child));
        // An only child has the same triangles as its parent: it leaves nothing empty.
        for child in children.iter().filter(|_| children.len() > 1) {
            tenths[((10.0 * bounds[i].empty_part(child)) as usize).min(9)] += 1;
        }
    }
    tenths
}
