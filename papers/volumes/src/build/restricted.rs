//! Zachmann's split rule (2002, section 4): the least sum of the children's volumes, where a child is its
//! parent cut by one plane.
//!
//! On an axis there are three cases: both children keep the lower side of the parent, both the upper, or one
//! each. Each child is grown from a seed, the triangle closest to the side that it keeps; every other
//! triangle goes to the child whose volume grows less by it. The triangles are taken from both ends of the
//! array in turn. If they came in the order of the axis, one child would grow little by little and take all.
//! A cut worse than 10:90 is not considered, for depth and time.
use super::cut::{Cut, halve};
use crate::primitives::{Item, bounds_of};
use impinge::hierarchy::Bounds;

/// The side of the parent that a child keeps.
#[derive(Clone, Copy)]
enum KeptSide {
    Lower,
    Upper,
}

const CASES: [[KeptSide; 2]; 3] = [
    [KeptSide::Lower, KeptSide::Upper],
    [KeptSide::Lower, KeptSide::Lower],
    [KeptSide::Upper, KeptSide::Upper],
];

/// The planes of both children: the axis across which each lies, and the side of the parent that is kept.
#[derive(Clone, Copy)]
struct Planes {
    axes: [usize; 2],
    sides: [KeptSide; 2],
}

/// The paper's cases: both planes lie across one of these axes.
fn parallel(axes: &[usize]) -> impl Iterator<Item = Planes> {
    axes.iter().flat_map(|&axis| CASES.map(|sides| Planes { axes: [axis; 2], sides }))
}

/// Planes at right angles.
fn at_right_angles() -> impl Iterator<Item = Planes> {
    const SIDES: [KeptSide; 2] = [KeptSide::Lower, KeptSide::Upper];
    let sides = || SIDES.into_iter().flat_map(|first| SIDES.map(|second| [first, second]));
    [[0, 1], [0, 2], [1, 2]]
        .into_iter()
        .flat_map(move |axes| sides().map(move |sides| Planes { axes, sides }))
}

/// The planes of both children of some triangles.
struct Case<'a> {
    items: &'a [Item],
    bounds: &'a Bounds,
    planes: Planes,
}

impl Case<'_> {
    /// Distance from the side that a child keeps to the far end of this triangle.
    #[inline(always)]
    fn depth(&self, child: usize, item: &Item) -> f32 {
        let axis = self.planes.axes[child];
        match self.planes.sides[child] {
            KeptSide::Lower => item.bounds.hi[axis] - self.bounds.lo[axis],
            KeptSide::Upper => self.bounds.hi[axis] - item.bounds.lo[axis],
        }
    }
    /// Factors that make the depths of both children comparable, and the unit of the products.
    fn units(&self) -> ([f32; 2], f32) {
        let sides = self.planes.axes.map(|axis| self.bounds.side(axis));
        // Across one axis depths are compared as they are, without rounding.
        if self.planes.axes[0] == self.planes.axes[1] {
            ([1.0; 2], sides[0])
        } else {
            (sides.map(|side| 1.0 / side), 1.0)
        }
    }
    /// The triangle other than `taken` that is closest to the child's side; the first of several.
    fn seed(&self, child: usize, taken: Option<usize>) -> Option<usize> {
        (0..self.items.len())
            .filter(|&i| Some(i) != taken)
            .min_by(|&i, &j| self.depth(child, &self.items[i]).total_cmp(&self.depth(child, &self.items[j])))
    }
    /// Reports each triangle's child to `child_of`. Returns the sum of both children's volumes, in units of
    /// the parent's, and the number of triangles of the first.
    fn grow(&self, mut child_of: impl FnMut(usize, usize)) -> Option<(f32, usize)> {
        let first = self.seed(0, None)?;
        let second = self.seed(1, Some(first))?;
        let seeds = [first, second];
        let (factors, unit) = self.units();
        let mut depths = [0, 1].map(|c| self.depth(c, &self.items[seeds[c]]));
        let mut counts = [1, 1];
        (0..2).for_each(|c| child_of(seeds[c], c));
        let n = self.items.len();
        for i in (0..n).map(|k| if k % 2 == 0 { k / 2 } else { n - 1 - k / 2 }) {
            if seeds.contains(&i) {
                continue;
            }
            let deep = [0, 1].map(|c| self.depth(c, &self.items[i]));
            let grows = [0, 1].map(|c| (deep[c] - depths[c]).max(0.0) * factors[c]);
            // On equal growth the triangle goes to the child with fewer triangles.
            let c = usize::from(grows[1] < grows[0] || grows[1] == grows[0] && counts[1] < counts[0]);
            depths[c] = depths[c].max(deep[c]);
            counts[c] += 1;
            child_of(i, c);
        }
        Some(((depths[0] * factors[0] + depths[1] * factors[1]) / unit, counts[0]))
    }
    fn children(&self) -> [Vec<Item>; 2] {
        let mut children = [Vec::new(), Vec::new()];
        self.grow(|i, c| children[c].push(self.items[i]));
        children
    }
}

/// The best case, with the sum of its children's volumes in units of the parent's.
fn best<'a>(
    items: &'a [Item],
    bounds: &'a Bounds,
    planes: impl Iterator<Item = Planes>,
) -> Option<(f32, Case<'a>)> {
    cases(items, bounds, planes).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// Every case that is not less balanced than 10:90, with the sum of its children's volumes.
fn cases<'a>(
    items: &'a [Item],
    bounds: &'a Bounds,
    planes: impl Iterator<Item = Planes>,
) -> impl Iterator<Item = (f32, Case<'a>)> {
    planes.filter_map(move |planes| {
        let case = Case { items, bounds, planes };
        let (cost, count) = case.grow(|_, _| ())?;
        // A flat parent makes the sum NaN or infinite.
        (cost.is_finite() && count.min(items.len() - count) >= items.len() / 10).then_some((cost, case))
    })
}

const AXES: [usize; 3] = [0, 1, 2];

pub(super) fn cut(items: &mut [Item], bounds: &Bounds, axes: &[usize]) -> Cut {
    cut_by(parallel(axes), items, bounds)
}

/// [`cut`] on all axes, with planes at right angles, too.
pub(super) fn perpendicular(items: &mut [Item], bounds: &Bounds) -> Cut {
    cut_by(parallel(&AXES).chain(at_right_angles()), items, bounds)
}

fn cut_by(planes: impl Iterator<Item = Planes>, items: &mut [Item], bounds: &Bounds) -> Cut {
    match best(items, bounds, planes) {
        Some((_, case)) => apply(case.children(), items),
        None => Cut::at(halve(items, bounds.longest_axis()), items),
    }
}

/// [`cut`] with the sum of the grandchildren's volumes added to that of the children's.
pub(super) fn look_ahead(items: &mut [Item], bounds: &Bounds) -> Cut {
    let second_level = |(cost, case): (f32, Case<'_>)| {
        let children = case.children();
        let below = children.iter().map(|child| {
            let bounds = bounds_of(child);
            // A child too small to be cut again adds no cost.
            volume(&bounds) * best(child, &bounds, parallel(&AXES)).map_or(0.0, |(cost, _)| cost)
        });
        (volume(bounds) * cost + below.sum::<f32>(), children)
    };
    let deep = cases(items, bounds, parallel(&AXES)).map(second_level).min_by(|a, b| a.0.total_cmp(&b.0));
    match deep {
        Some((_, children)) => apply(children, items),
        None => Cut::at(halve(items, bounds.longest_axis()), items),
    }
}

/// The volume; a flat box counts as having some thickness.
fn volume(bounds: &Bounds) -> f32 {
    const THIN: f32 = 1e-6;
    (0..3).map(|axis| bounds.side(axis) + THIN).product()
}

fn apply([left, right]: [Vec<Item>; 2], items: &mut [Item]) -> Cut {
    items[..left.len()].copy_from_slice(&left);
    items[left.len()..].copy_from_slice(&right);
    Cut::at(left.len(), items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slabs(ends: &[[f32; 2]]) -> (Vec<Item>, Bounds) {
        let items: Vec<Item> = (0..)
            .zip(ends)
            .map(|(triangle, &[lo, hi])| Item {
                bounds: Bounds { lo: [lo, 0.0, 0.0], hi: [hi, 1.0, 1.0] },
                triangle,
            })
            .collect();
        let bounds = super::super::bounds_of(&items);
        (items, bounds)
    }
    fn sides(ends: &[[f32; 2]]) -> [Vec<u32>; 2] {
        let (mut items, bounds) = slabs(ends);
        let Cut { at, .. } = cut(&mut items, &bounds, &[0, 1, 2]);
        let names = |part: &[Item]| {
            let mut names: Vec<u32> = part.iter().map(|item| item.triangle).collect();
            names.sort_unstable();
            names
        };
        [names(&items[..at]), names(&items[at..])]
    }

    #[test]
    fn two_heaps_are_taken_apart() {
        let ends = [[0.0, 1.0], [9.0, 10.0], [0.5, 1.5], [8.5, 9.5], [0.1, 0.9], [9.2, 9.9]];
        assert_eq!(sides(&ends), [[0, 2, 4], [1, 3, 5]]);
    }

    /// Two children that both keep the lower side: once the first contains a long triangle, the short ones
    /// cost neither child anything.
    #[test]
    fn both_children_may_keep_one_side() {
        let (items, bounds) = slabs(&[[0.0, 3.0], [0.0, 3.0], [0.0, 3.0], [0.0, 10.0], [0.0, 10.0]]);
        let planes = Planes { axes: [0; 2], sides: [KeptSide::Lower; 2] };
        let case = Case { items: &items, bounds: &bounds, planes };
        let mut children = [2; 5];
        assert_eq!(case.grow(|i, c| children[i] = c), Some((1.3, 3)));
        assert_eq!(children, [0, 1, 1, 0, 0]);
    }

    /// Two levels of tight boxes, over many soups: looking ahead leaves less volume in all, although not in
    /// every soup.
    #[test]
    fn looking_ahead_leaves_less_below() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 16_777_216.0
        };
        let (mut sums, mut less) = ([0.0; 2], 0);
        for _ in 0..200 {
            let mut items: Vec<Item> = (0..24)
                .map(|triangle| {
                    let lo = [0; 3].map(|_| random());
                    Item { bounds: Bounds { lo, hi: lo.map(|x| x + 0.3 * random()) }, triangle }
                })
                .collect();
            let bounds = bounds_of(&items);
            let mut left_over = |rule: fn(&mut [Item], &Bounds) -> Cut| {
                let Cut { at, sides } = rule(&mut items, &bounds);
                let (left, right) = items.split_at_mut(at);
                let below = [left, right].into_iter().zip(&sides).map(|(child, bounds)| {
                    let Cut { sides, .. } = cut(child, bounds, &[0, 1, 2]);
                    volume(bounds) + sides.iter().map(volume).sum::<f32>()
                });
                below.sum::<f32>()
            };
            let [greedy, ahead] =
                [left_over(|items, bounds| cut(items, bounds, &[0, 1, 2])), left_over(look_ahead)];
            sums = [sums[0] + greedy, sums[1] + ahead];
            less += u32::from(ahead < greedy);
        }
        assert!(sums[1] < 0.99 * sums[0] && less > 90, "{sums:?}, less in {less} of 200");
    }

    /// An L of two bars: planes at right angles leave each child a tenth of the box, parallel planes leave
    /// both the whole of it.
    #[test]
    fn planes_at_right_angles_take_an_l_apart() {
        let bar = |lo: [f32; 3], hi: [f32; 3]| Bounds { lo, hi };
        let along_x = bar([0.0, 0.0, 0.0], [10.0, 1.0, 1.0]);
        let along_y = bar([0.0, 1.0, 0.0], [1.0, 10.0, 1.0]);
        let mut items: Vec<Item> = (0..)
            .zip([along_x, along_y].repeat(5))
            .map(|(triangle, bounds)| Item { bounds, triangle })
            .collect();
        let bounds = bounds_of(&items);
        let cost = |planes: &mut dyn Iterator<Item = Planes>| best(&items, &bounds, planes).unwrap().0;
        assert!((cost(&mut parallel(&AXES)) - 1.0).abs() < 1e-6);
        assert!((cost(&mut at_right_angles()) - 0.2).abs() < 1e-6);
        let Cut { at, sides } = perpendicular(&mut items, &bounds);
        assert_eq!((at, sides.map(|side| side.half_area())), (5, [19.0, 21.0]));
    }

    #[test]
    fn equal_ones_go_to_both() {
        let [left, right] = sides(&[[0.0, 1.0]; 20]);
        assert_eq!((left.len(), right.len()), (10, 10));
    }

    /// In the order of the axis, each triangle costs the first child a little less than the other.
    #[test]
    fn nobody_creeps() {
        let ends: Vec<[f32; 2]> = (0..40_u8).map(|i| [f32::from(i), f32::from(i) + 0.5]).collect();
        let [left, right] = sides(&ends);
        assert!(left.len().abs_diff(right.len()) <= 4, "{left:?} {right:?}");
    }
}
