//! The elements that may be the nearest ones to a triangle: a tree of their boxes.
use super::element::Element;
use crate::{
    broad_phase::Aabb,
    vector::{Vector, length},
};

/// Elements of a leaf.
const FEW: usize = 4;

/// A binary tree over the elements' boxes.
#[derive(Clone, Debug)]
pub(super) struct ElementTree {
    nodes: Vec<ElementNode>,
    /// The elements, those of a leaf side by side.
    order: Vec<u32>,
}

#[derive(Clone, Debug)]
struct ElementNode {
    extent: Aabb,
    /// Of `order`.
    first: u32,
    count: u32,
    /// The second child; the first one follows. 0 in a leaf.
    second: u32,
}

impl ElementTree {
    pub(super) fn new(elements: &[Element<'_>]) -> Self {
        let boxes: Vec<Aabb> = elements.iter().map(Element::extent).collect();
        let mut tree = Self { nodes: Vec::new(), order: (0..elements.len() as u32).collect() };
        if !elements.is_empty() {
            tree.build(&boxes, 0, elements.len());
        }
        tree
    }

    fn build(&mut self, boxes: &[Aabb], first: usize, count: usize) {
        let own = &self.order[first..first + count];
        let mut extent = Aabb::EMPTY;
        for &i in own {
            let of = &boxes[i as usize];
            for k in 0..3 {
                extent.lo[k] = extent.lo[k].min(of.lo[k]);
                extent.hi[k] = extent.hi[k].max(of.hi[k]);
            }
        }
        let at = self.nodes.len();
        self.nodes.push(ElementNode { extent, first: first as u32, count: count as u32, second: 0 });
        if count <= FEW {
            return;
        }
        let sides = [0, 1, 2].map(|k| extent.hi[k] - extent.lo[k]);
        let axis = (0..3).max_by(|&i, &j| sides[i].total_cmp(&sides[j])).unwrap_or(0);
        let middle = |i: &u32| {
            let of = &boxes[*i as usize];
            of.lo[axis] / 2.0 + of.hi[axis] / 2.0
        };
        let half = count / 2;
        self.order[first..first + count]
            .select_nth_unstable_by(half, |i, j| middle(i).total_cmp(&middle(j)).then(i.cmp(j)));
        self.build(boxes, first, half);
        self.nodes[at].second = self.nodes.len() as u32;
        self.build(boxes, first + half, count - half);
    }

    /// Shows the elements whose boxes are no farther from a point than a limit, which may fall meanwhile, the
    /// nearer half of each node first. `look` returns the new limit.
    pub(super) fn near(&self, point: &Vector, mut limit: f64, mut look: impl FnMut(u32) -> f64) {
        if self.nodes.is_empty() {
            return;
        }
        // A path of halves is no longer than this.
        let mut stack = [(0_u32, 0.0); 64];
        let mut count = 1;
        stack[0] = (0, distance(&self.nodes[0].extent, point));
        while count > 0 {
            count -= 1;
            let (at, far) = stack[count];
            if far > limit {
                continue;
            }
            let node = &self.nodes[at as usize];
            if node.second == 0 {
                for &i in &self.order[node.first as usize..][..node.count as usize] {
                    limit = look(i);
                }
                continue;
            }
            let children =
                [at + 1, node.second].map(|i| (i, distance(&self.nodes[i as usize].extent, point)));
            let is_second_nearer = children[1].1 < children[0].1;
            let [far, near] = if is_second_nearer { children } else { [children[1], children[0]] };
            stack[count] = far;
            stack[count + 1] = near;
            count += 2;
        }
    }
}

/// The distance of a point from a box, rounded down.
fn distance(extent: &Aabb, point: &Vector) -> f64 {
    let gaps = [0, 1, 2].map(|k| (extent.lo[k] - point[k]).max(point[k] - extent.hi[k]).max(0.0));
    let far = length(gaps);
    // An overflow is no distance.
    if far < f64::INFINITY { far * (1.0 - 1e-15) - 1e-150 } else { 0.0 }
}
