//! [`RestingShapes`]: the shapes of obstacles, and a tree of their boxes.
use super::placed::{PlacedShape, ShapeBox};
use std::array;

/// Shapes that rest, and which of them are near a box: a robot among thousands of obstacles.
#[derive(Clone, Debug, Default)]
pub(super) struct RestingShapes {
    placed: Vec<PlacedShape>,
    /// The largest error of their poses.
    error: f64,
    tree: Vec<BoxNode>,
}

/// A node of a tree in depth-first order: the first child of an inner node follows it.
#[derive(Clone, Copy, Debug)]
struct BoxNode {
    around: ShapeBox,
    kind: NodeKind,
}

#[derive(Clone, Copy, Debug)]
enum NodeKind {
    /// The second child.
    Inner(u32),
    /// The shape.
    Leaf(u32),
}

/// Halves of at most 2^32 shapes.
const MOST_DEPTH: usize = 33;

impl RestingShapes {
    pub(super) fn new(placed: Vec<PlacedShape>) -> Self {
        let error = placed.iter().map(|shape| shape.error).fold(0.0, f64::max);
        let tree = tree(&placed);
        Self { placed, error, tree }
    }
    pub(super) fn placed(&self) -> &[PlacedShape] {
        &self.placed
    }
    pub(super) fn error(&self) -> f64 {
        self.error
    }

    /// Calls `found` with the index of each shape whose box is not farther than `reach` from a box; of all, if
    /// `reach` is NaN.
    pub(super) fn for_each_within(&self, of: &ShapeBox, reach: f64, mut found: impl FnMut(u32)) {
        self.descend(of, |distance| distance > reach, |shape, _| found(shape));
    }
    /// The least distance of a box from those of the shapes; infinity if there is none.
    pub(super) fn least_box_distance(&self, of: &ShapeBox) -> f64 {
        let least = std::cell::Cell::new(f64::INFINITY);
        self.descend(of, |distance| distance >= least.get(), |_, distance| least.set(distance));
        least.get()
    }
    /// Visits the shapes, but leaves out those with a box around them, of one or more, that `is_out`.
    fn descend(&self, of: &ShapeBox, is_out: impl Fn(f64) -> bool, mut visit: impl FnMut(u32, f64)) {
        let mut open = [0_u32; MOST_DEPTH];
        let mut count = usize::from(!self.tree.is_empty());
        while count > 0 {
            count -= 1;
            let at = open[count];
            let node = &self.tree[at as usize];
            let distance = node.around.distance(of);
            if is_out(distance) {
                continue;
            }
            match node.kind {
                NodeKind::Leaf(shape) => visit(shape, distance),
                NodeKind::Inner(second) => {
                    // One of two nodes is left for later in each level.
                    open[count] = second;
                    open[count + 1] = at + 1;
                    count += 2;
                }
            }
        }
    }
}

/// The tree of boxes, split at the median of the middles along the longest side of the box around these.
fn tree(placed: &[PlacedShape]) -> Vec<BoxNode> {
    let mut shapes: Vec<u32> = (0..placed.len() as u32).collect();
    let mut nodes: Vec<BoxNode> = Vec::with_capacity(2 * placed.len());
    // Ranges of `shapes`, and the node whose second child each is.
    let mut open = vec![(0..shapes.len(), None)];
    while let Some((range, parent)) = open.pop() {
        let of = &mut shapes[range.clone()];
        let Some(&first) = of.first() else { continue };
        let at = nodes.len() as u32;
        if let Some(parent) = parent {
            let node: &mut BoxNode = &mut nodes[parent as usize];
            node.kind = NodeKind::Inner(at);
        }
        let around = of.iter().map(|k| *placed[*k as usize].bounds()).reduce(|a, b| a.with(&b));
        let Some(around) = around else { continue };
        nodes.push(BoxNode { around, kind: NodeKind::Leaf(first) });
        if of.len() == 1 {
            continue;
        }
        let middle = |k: &u32| placed[*k as usize].bounds().middle();
        let [mut lower, mut upper] = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for point in of.iter().map(middle) {
            lower = array::from_fn(|k| lower[k].min(point[k]));
            upper = array::from_fn(|k| upper[k].max(point[k]));
        }
        let side = |k: &usize| upper[*k] - lower[*k];
        let axis = (0..3).max_by(|a, b| side(a).total_cmp(&side(b))).unwrap_or(0);
        let half = of.len() / 2;
        of.select_nth_unstable_by(half, |a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
        open.push((range.start + half..range.end, Some(at)));
        open.push((range.start..range.start + half, None));
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robot::{part::PartKind, part::RobotPart, shape::RobotShape};
    use impinge::{Model, Pose};
    use std::sync::Arc;

    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1_u64 << 53) as f64
    }

    #[test]
    fn finds_what_all_boxes_find() {
        let mut state = 7;
        let model = Arc::new(Model::points(&[[0.0; 3]]).unwrap());
        let part =
            RobotPart { name: String::new(), kind: PartKind::Obstacle, shapes: Vec::new(), padding: 0.0 };
        for count in [0, 1, 2, 3, 7, 100, 1000] {
            let placed: Vec<PlacedShape> = (0..count)
                .map(|_| {
                    // Some at one place.
                    let t = [(); 3].map(|()| (20.0 * random(&mut state)).floor());
                    let pose = Pose::from_translation(t).unwrap();
                    let shape = RobotShape::new(Arc::clone(&model), pose, random(&mut state)).unwrap();
                    PlacedShape::at(*shape.pose(), &part, &shape)
                })
                .collect();
            let resting = RestingShapes::new(placed.clone());
            for probe in &placed {
                let distances: Vec<f64> =
                    placed.iter().map(|other| other.bounds().distance(probe.bounds())).collect();
                assert_eq!(resting.least_box_distance(probe.bounds()), 0.0);
                for reach in [0.0, 2.0 * random(&mut state), f64::INFINITY, f64::NAN] {
                    let mut found = Vec::new();
                    resting.for_each_within(probe.bounds(), reach, |k| found.push(k));
                    found.sort_unstable();
                    let reach = if reach.is_nan() { f64::INFINITY } else { reach };
                    let near = (0..count as u32).filter(|k| distances[*k as usize] <= reach);
                    assert!(near.eq(found.iter().copied()));
                }
                if count > 200 {
                    break;
                }
            }
            let far = PlacedShape::at(
                *RobotShape::new(Arc::clone(&model), Pose::from_translation([90., 3., 5.]).unwrap(), 0.5)
                    .unwrap()
                    .pose(),
                &part,
                &RobotShape::new(Arc::clone(&model), Pose::IDENTITY, 0.5).unwrap(),
            );
            let least = placed.iter().map(|other| other.bounds().distance(far.bounds()));
            assert_eq!(resting.least_box_distance(far.bounds()), least.fold(f64::INFINITY, f64::min));
        }
    }
}
