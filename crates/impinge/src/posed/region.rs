//! Exact test for a common point of a placed triangle and an intersection of half-spaces n_i.x <= d_i.
//!
//! With f_i = n_i.x - d_i and F the matrix of the values f_i at the three corners, they do if some weights
//! l >= 0, not all 0, have F l <= 0. Such weights make a closed cone. If it contains more than 0, it contains
//! an extreme ray, where two of the constraints hold with equality: a corner, a point where a plane cuts an
//! edge, or a point where two planes cut the triangle, l = +-F_i x F_j. Each is tried. Triangles that are
//! segments or points are no special case. Planes that no corner is beyond cut nothing.
//!
//! # Sizes
//! A row of F counts up to a positive factor: each has its own power of two. With coordinates of L bits and
//! normals of B bits n.x has L + B + 2, and more where d is shifted to its unit or it to that of d. With R
//! bits in all F_k.(F_i x F_j) has 3 R + 3.
use super::{
    distance::TriangleAt,
    probe::{Coordinates, Exact, PlacedPoints, Space, at_limbs, cross, dot},
};
use crate::{
    Pose,
    exact::{DyadicPoints, DyadicTransform, ExponentRange, Lattice, Magnitude, Wide},
    half_space::HalfSpace,
};
use std::cmp::Ordering;

/// True if the triangle has a point in all of some half-spaces; with `wholly`, if it lies in all of them.
pub(crate) fn is_in(half_spaces: &[HalfSpace], t: TriangleAt<'_>, wholly: bool) -> bool {
    let maps = [&Pose::IDENTITY, t.pose].map(|pose| DyadicTransform::new(pose.rows(), pose.translation()));
    let lattice = Lattice::new(maps[1].span(&DyadicPoints::<1>::ranges(t.corners)));
    let bits = half_spaces.iter().map(|half_space| HalfSpaceUnits::new(half_space, lattice).bits).max();
    // Without planes there are the corners alone.
    let bits = bits.unwrap_or(lattice.bits);
    let space = Space::with_bits(maps, lattice, 3 * bits + 8);
    at_limbs!(space.limbs, N => {
        let exact = Exact::<N>(&space);
        let values = Values { corners: exact.corners(1, t.corners), lattice };
        if wholly { values.are_in(half_spaces) } else { values.meet(half_spaces) }
    })
}

/// Compares the height of a triangle's lowest corner over the plane of a half-space, (n.x - d) / |n|, with
/// the sum of at most 8 numbers that are not negative.
///
/// With a sum m of L + 3 bits it compares (n.x - d)^2 with m^2 n.n. A row of F has R bits, which is no less
/// than L + B + 3 and the shift of n.x. So both sides have at most 2 R + 8.
pub(crate) fn compare_height(half_space: &HalfSpace, t: TriangleAt<'_>, sum: &[f64]) -> Ordering {
    let maps = [&Pose::IDENTITY, t.pose].map(|pose| DyadicTransform::new(pose.rows(), pose.translation()));
    let points = maps[1].span(&DyadicPoints::<1>::ranges(t.corners));
    let lattice = Lattice::new(sum.iter().fold(points, |all, m| all.and(ExponentRange::of(*m))));
    let units = HalfSpaceUnits::new(half_space, lattice);
    let space = Space::with_bits(maps, lattice, 2 * units.bits + 10);
    at_limbs!(space.limbs, N => {
        let exact = Exact::<N>(&space);
        let values = Values { corners: exact.corners(1, t.corners), lattice };
        let sum = sum.iter().fold(Wide::ZERO, |mut all, m| {
            all.add(&space.length(*m));
            all
        });
        let length = units.length::<N>(half_space, &sum);
        let row = values.row(half_space);
        // A corner in the half-space is lower than any sum that is not 0.
        let order = |value: &Wide<N>| match value.sign() {
            ..=-1 => Ordering::Less,
            _ => value.times(value).cmp(&length),
        };
        row.iter().map(order).min().unwrap_or(Ordering::Greater)
    })
}

/// The units of a half-space's numbers.
struct HalfSpaceUnits {
    normal: Lattice,
    offset: Lattice,
    /// The number of bits by which n.x is shifted up against d.
    shift: i32,
    bits: usize,
}

impl HalfSpaceUnits {
    fn new(half_space: &HalfSpace, lattice: Lattice) -> Self {
        let [x, y, z] = half_space.normal.map(ExponentRange::of);
        let normal = Lattice::new(x.and(y).and(z));
        let offset = Lattice::new(ExponentRange::of(half_space.offset));
        // 0 has no unit.
        let shift = if half_space.offset == 0.0 { 0 } else { lattice.lo + normal.lo - offset.lo };
        let (up, down) = (shift.max(0) as usize, shift.min(0).unsigned_abs() as usize);
        let bits = (lattice.bits + normal.bits + 2 + up).max(offset.bits + down) + 1;
        Self { normal, offset, shift, bits }
    }

    /// The square of m |n|, in the square of the unit of n.x - d.
    fn length<const N: usize>(&self, half_space: &HalfSpace, m: &Wide<N>) -> Wide<N> {
        let normal = half_space.normal.map(|x| self.normal.number::<Wide<N>>(x));
        let m = m.times(&Wide::new(1, self.shift.max(0).unsigned_abs()));
        m.times(&m).times(&dot(&normal, &normal))
    }
}

struct Values<const N: usize> {
    corners: [Coordinates<Wide<N>>; 3],
    lattice: Lattice,
}

impl<const N: usize> Values<N> {
    /// The values of n.x - d at the corners, times a positive number.
    #[inline(never)]
    fn row(&self, half_space: &HalfSpace) -> Coordinates<Wide<N>> {
        let units = HalfSpaceUnits::new(half_space, self.lattice);
        let [x, y, z] = half_space.normal.map(|x| units.normal.number::<Wide<N>>(x));
        let normal = [x, y, z];
        let mut offset = units.offset.number::<Wide<N>>(half_space.offset);
        let power = Wide::new(1, units.shift.unsigned_abs());
        if units.shift < 0 {
            offset = offset.times(&power);
        }
        let value = |i: usize| {
            let value = dot(&normal, &self.corners[i]);
            let mut value = if units.shift > 0 { value.times(&power) } else { value };
            value.subtract(&offset);
            value
        };
        [value(0), value(1), value(2)]
    }
    fn are_in(&self, half_spaces: &[HalfSpace]) -> bool {
        half_spaces.iter().all(|half_space| self.row(half_space).iter().all(|value| value.sign() <= 0))
    }
    fn meet(&self, half_spaces: &[HalfSpace]) -> bool {
        let mut corners_in = [true; 3];
        for half_space in half_spaces {
            let beyond = self.row(half_space).map(|value| value.sign() > 0);
            if beyond == [true; 3] {
                return false;
            }
            for (is_in, beyond) in corners_in.iter_mut().zip(beyond) {
                *is_in &= !beyond;
            }
        }
        if corners_in.contains(&true) {
            return true;
        }
        let cutting = half_spaces
            .iter()
            .enumerate()
            .filter(|(_, half_space)| self.row(half_space).iter().any(|value| value.sign() > 0));
        for (i, first) in cutting.clone() {
            let first = self.row(first);
            if (0..3).any(|k| cut_edge(&first, k).is_some_and(|l| self.holds(half_spaces, &l))) {
                return true;
            }
            for (_, second) in cutting.clone().take_while(|(j, _)| *j < i) {
                let crossing = where_both(&first, &self.row(second));
                if crossing.is_some_and(|l| self.holds(half_spaces, &l)) {
                    return true;
                }
            }
        }
        false
    }
    /// True if weights that are not negative make a point of all half-spaces.
    #[inline(never)]
    fn holds(&self, half_spaces: &[HalfSpace], l: &Coordinates<Wide<N>>) -> bool {
        half_spaces.iter().all(|half_space| dot(&self.row(half_space), l).sign() <= 0)
    }
}

/// The weights of the point where a plane cuts the edge that is opposite to corner k, if it is between the
/// edge's ends.
#[inline(never)]
fn cut_edge<const N: usize>(row: &Coordinates<Wide<N>>, k: usize) -> Option<Coordinates<Wide<N>>> {
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    if row[i].sign() * row[j].sign() >= 0 {
        return None;
    }
    let mut l = [Wide::ZERO; 3];
    (l[i], l[j]) = (size(&row[j]), size(&row[i]));
    Some(l)
}

/// The weights of the point where two planes cut the triangle, if there is one.
#[inline(never)]
fn where_both<const N: usize>(
    a: &Coordinates<Wide<N>>,
    b: &Coordinates<Wide<N>>,
) -> Option<Coordinates<Wide<N>>> {
    let l = cross(a, b);
    let signs = [l[0].sign(), l[1].sign(), l[2].sign()];
    if signs == [0; 3] || signs.contains(&1) && signs.contains(&-1) {
        return None;
    }
    Some([size(&l[0]), size(&l[1]), size(&l[2])])
}

fn size<const N: usize>(x: &Wide<N>) -> Wide<N> {
    let mut size = Wide::ZERO;
    if x.sign() < 0 {
        size.subtract(x);
        size
    } else {
        *x
    }
}
