//! Boxes that are each cut off their parent by one plane (Zachmann 2002). The two planes of a node lie across
//! one axis, as in the paper, or each across its own.
use super::walk::{Map, ROUNDING, Topology, Tree, Vector, Volume};

#[derive(Clone, Copy, Debug)]
pub(super) struct RestrictedBox {
    lo: Vector,
    hi: Vector,
}

/// The planes that the two children of a node may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Planes {
    /// Both across one axis, as in the paper.
    OneAxis,
    /// Each across the axis that leaves the least of the box, as in impinge's boxtree.
    OwnAxis,
    /// All six: an AABB tree, the best that more planes could do.
    Six,
}

/// Operations and comparisons of SAT lite with transforms, for whole boxes: two centres of 18, two widths of
/// 15, six distances of 2 and six comparisons.
const SAT_LITE: u64 = 2 * (18 + 15) + 18;

impl RestrictedBox {
    fn around(points: &[Vector]) -> Self {
        let mut all = Self { lo: [f64::INFINITY; 3], hi: [f64::NEG_INFINITY; 3] };
        for p in points {
            for (k, &x) in p.iter().enumerate() {
                all.lo[k] = all.lo[k].min(x);
                all.hi[k] = all.hi[k].max(x);
            }
        }
        all
    }
    fn side(&self, axis: usize) -> f64 {
        self.hi[axis] - self.lo[axis]
    }
    /// Cuts this box around `tight` by the better plane across the axis. Returns the part of the box that is
    /// left, and the child.
    fn cut(&self, axis: usize, tight: &Self) -> (f64, Self) {
        let mut child = *self;
        if tight.lo[axis] - self.lo[axis] > self.hi[axis] - tight.hi[axis] {
            child.lo[axis] = tight.lo[axis];
        } else {
            child.hi[axis] = tight.hi[axis];
        }
        let part = if self.side(axis) > 0.0 { child.side(axis) / self.side(axis) } else { 1.0 };
        (part, child)
    }
    /// The children of a node.
    fn children(&self, below: [Self; 2], planes: Planes) -> [Self; 2] {
        let cut = |child: usize, axis: usize| self.cut(axis, &below[child]);
        match planes {
            Planes::OneAxis => {
                let sum = |axis: usize| cut(0, axis).0 + cut(1, axis).0;
                let axis = (1..3).fold(0, |best, axis| if sum(axis) < sum(best) { axis } else { best });
                [0, 1].map(|child| cut(child, axis).1)
            }
            Planes::OwnAxis => [0, 1].map(|child| {
                let axis = (1..3)
                    .fold(0, |best, axis| if cut(child, axis).0 < cut(child, best).0 { axis } else { best });
                cut(child, axis).1
            }),
            Planes::Six => below,
        }
    }
    /// True if the box around the image of `other` misses this box.
    fn misses_image(&self, other: &Self, map: &Map) -> bool {
        let centre = map.point(&std::array::from_fn(|k| (other.lo[k] + other.hi[k]) / 2.0));
        let half: Vector = std::array::from_fn(|k| other.side(k) / 2.0);
        (0..3).any(|k| {
            let width: f64 = (0..3).map(|j| map.rows()[k][j].abs() * half[j]).sum();
            let slack = ROUNDING * (centre[k].abs() + width + self.lo[k].abs() + self.hi[k].abs() + 1.0);
            centre[k] - width > self.hi[k] + slack || centre[k] + width < self.lo[k] - slack
        })
    }
}

/// Tree of restricted boxes.
pub(super) fn fitted(topology: &Topology, planes: Planes) -> Tree<'_, RestrictedBox> {
    topology.fit(|parent: Option<&RestrictedBox>, _, below| match (parent, below) {
        (Some(parent), [first, second]) => {
            parent.children([RestrictedBox::around(first), RestrictedBox::around(second)], planes).into()
        }
        _ => vec![RestrictedBox::around(below[0])],
    })
}

impl Volume for RestrictedBox {
    fn is_apart(&self, moving: &Self, map: &Map, operations: &mut u64) -> bool {
        *operations += SAT_LITE;
        self.misses_image(moving, map) || moving.misses_image(self, &map.inverse())
    }
    fn size(&self) -> f64 {
        const THIN: f64 = 1e-9;
        (0..3).map(|k| self.side(k) + THIN).product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_hold_their_points_and_planes_of_one_axis_are_no_tighter() {
        let mut next = super::super::walk::tests::random(7);
        let mut sums = [0.0; 3];
        for _ in 0..200 {
            let points: Vec<Vector> = (0..12).map(|_| [next(), next(), next()]).collect();
            let parent = RestrictedBox::around(&points);
            let below = [RestrictedBox::around(&points[..6]), RestrictedBox::around(&points[6..])];
            for (sum, planes) in sums.iter_mut().zip([Planes::OneAxis, Planes::OwnAxis, Planes::Six]) {
                let children = parent.children(below, planes);
                for (child, tight) in children.iter().zip(&below) {
                    assert!((0..3).all(|k| child.lo[k] <= tight.lo[k] && child.hi[k] >= tight.hi[k]));
                    let planes_moved = (0..3).filter(|&k| child.side(k) < parent.side(k)).count();
                    assert!(planes == Planes::Six || planes_moved <= 1);
                    *sum += child.size();
                }
            }
        }
        assert!(sums[0] > sums[1] && sums[1] > sums[2], "{sums:?}");
    }
}
