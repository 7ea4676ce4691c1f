//! The empty part of a tree's boxes: Zachmann 2002, section 3.1 and Figure 1.
use crate::{any_tree::AnyTree, link::Target, topology::Topology};
use impinge::{Mesh, Model, hierarchy::Bounds};
use std::any::Any;

/// Histogram of the nodes by the part of their parent's axis-aligned box that their triangles leave empty,
/// not counting the side at which the parent was split. It has ten bins: [0, 1/10), ..., [9/10, 1]. `None`
/// for the fast tree. O(n).
pub fn empty_space(model: &Model) -> Option<[usize; 10]> {
    let tree = model.hierarchy().and_then(|tree| (tree as &dyn Any).downcast_ref::<AnyTree>())?;
    Some(histogram(tree.topology(), model.mesh()))
}

/// Computes [`empty_space`] from the last node to the first, since parents come before their children.
fn histogram(topology: &dyn Topology, mesh: &Mesh) -> [usize; 10] {
    let mut tenths = [0; 10];
    let mut bounds = vec![Bounds::EMPTY; topology.node_count()];
    for i in (0..bounds.len()).rev() {
        let links = topology.links_of(i).iter();
        let children: Vec<Bounds> = links
            .map(|&link| match link.target() {
                Target::Inner(below) => bounds[below as usize],
                Target::Leaf { .. } => topology.normalized().bounds_of(mesh, topology.triangles(link)),
            })
            .collect();
        bounds[i] = children.iter().fold(Bounds::EMPTY, |sum, child| sum.and(child));
        // An only child has the same triangles as its parent: it leaves nothing empty.
        for child in children.iter().filter(|_| children.len() > 1) {
            tenths[((10.0 * empty_part(&bounds[i], child)) as usize).min(9)] += 1;
        }
    }
    tenths
}

/// The part of a box's volume that a child leaves empty, after the one plane that cuts most off the box has
/// cut it back to the child. Sides of no length leave nothing.
fn empty_part(parent: &Bounds, child: &Bounds) -> f32 {
    let part = |x: f32, axis: usize| if parent.side(axis) > 0.0 { x / parent.side(axis) } else { 0.0 };
    let gaps: [[f32; 2]; 3] =
        std::array::from_fn(|k| [part(child.lo[k] - parent.lo[k], k), part(parent.hi[k] - child.hi[k], k)]);
    let most = gaps.as_flattened().iter().copied().fold(0.0, f32::max);
    let kept: f32 = gaps.iter().map(|[low, high]| 1.0 - low - high).product();
    // Cut back, the box has 1 - most of its volume; the child has `kept` of it.
    if most < 1.0 { 1.0 - kept / (1.0 - most) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::{empty_part, empty_space};
    use crate::{Kind, Options};
    use impinge::{Mesh, hierarchy::Bounds};

    #[test]
    fn the_side_that_was_cut_does_not_count_as_empty() {
        let cuboid = |lo, hi| Bounds { lo, hi };
        let parent = cuboid([0.0; 3], [4.0, 2.0, 1.0]);
        assert_eq!(empty_part(&parent, &parent), 0.0);
        assert_eq!(empty_part(&parent, &cuboid([0.0; 3], [1.0, 2.0, 1.0])), 0.0);
        assert_eq!(empty_part(&parent, &cuboid([3.0, 0.5, 0.0], [4.0, 2.0, 0.5])), 1.0 - 0.75 * 0.5);
        let sheet = cuboid([0.0; 3], [4.0, 2.0, 0.0]);
        assert_eq!(empty_part(&sheet, &cuboid([0.0; 3], [1.0, 1.0, 0.0])), 0.5);
        assert_eq!(empty_part(&sheet, &cuboid([0.0; 3], [0.0, 0.0, 0.0])), 0.0);
    }

    /// All nodes but the root, where each leaf has one triangle.
    #[test]
    fn every_node_is_counted() {
        let mesh = Mesh::uv_sphere(1.0, 8, 8).unwrap();
        for &kind in Kind::ALL {
            let model = Options::new(kind).leaf_size(1).build(mesh.clone()).unwrap();
            let counted = empty_space(&model).map(|tenths| tenths.iter().sum::<usize>());
            assert_eq!(counted, (kind != Kind::Wide).then_some(2 * mesh.len() - 2), "{}", kind.name());
        }
    }
}
