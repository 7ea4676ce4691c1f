//! Intervals of a DOP on a ray and in a direction.
use super::Dop;
use crate::{
    line::{Across, Interval, Line, meet},
    volume::shape::{PlaneNormal, Shape},
};
use impinge::hierarchy::Vector;

/// A direction as a vector, and as a combination of three normals: see [`Dop::combination`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct DopDirection {
    own: PlaneNormal,
    terms: [(u8, f64, f64); 3],
}

/// A ray passes a DOP where it passes all of its slabs. In a direction, it reaches no further than its box,
/// and than the combination of its slabs that bounds the images of other DOPs.
impl<const H: usize> Shape for Dop<H> {
    type Ray = [Across; H];
    type Direction = DopDirection;

    fn ray(line: &Line) -> [Across; H] {
        Self::DIRECTIONS.map(|d| {
            let taxicab = d.iter().map(|x| f64::from(x.abs())).sum();
            line.across(&d.map(f64::from), taxicab)
        })
    }
    #[inline(always)]
    fn passage(&self, ray: &[Across; H]) -> Interval {
        let slab = |i: usize| ray[i].slab([f64::from(self.lo[i]), f64::from(self.hi[i])]);
        let axes = meet(meet(slab(0), slab(1)), slab(2));
        if axes[0] > axes[1] {
            return axes;
        }
        (3..H).fold(axes, |passage, i| meet(passage, slab(i)))
    }
    fn direction(a: &Vector) -> DopDirection {
        DopDirection { own: PlaneNormal::new(a), terms: Self::combination(a) }
    }
    #[inline(always)]
    fn range(&self, DopDirection { own, terms }: &DopDirection) -> Interval {
        let axes = |of: &[f32; H]| [of[0], of[1], of[2]].map(f64::from);
        let (mut middle, mut half) = (0.0, 0.0);
        for &(slab, signed, weight) in terms {
            let (lo, hi) =
                (f64::from(self.lo[usize::from(slab) % H]), f64::from(self.hi[usize::from(slab) % H]));
            middle += signed * (hi + lo);
            half += weight * (hi - lo);
        }
        meet(own.cuboid(&axes(&self.lo), &axes(&self.hi)), [0.5 * (middle - half), 0.5 * (middle + half)])
    }
}
