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
};

/// n.x <= d.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfSpace<'a> {
    pub(crate) normal: &'a [f64; 3],
    pub(crate) offset: f64,
}

/// True if the triangle has a point in all of some half-spaces; with `wholly`, if it lies in all of them.
pub(crate) fn is_in<'a>(
    half_spaces: impl Iterator<Item = HalfSpace<'a>> + Clone,
    t: TriangleAt<'_>,
    wholly: bool,
) -> bool {
    let maps = [&Pose::IDENTITY, t.pose].map(|pose| DyadicTransform::new(pose.rows(), pose.translation()));
    let lattice = Lattice::new(maps[1].span(&DyadicPoints::<1>::ranges(t.corners)));
    let bits = half_spaces.clone().map(|half_space| HalfSpaceUnits::new(&half_space, lattice).bits).max();
    // Without planes there are the corners alone.
    let bits = bits.unwrap_or(lattice.bits);
    let space = Space::with_bits(maps, lattice, 3 * bits + 8);
    at_limbs!(space.limbs, N => {
        let exact = Exact::<N>(&space);
        let values = Values { corners: exact.corners(1, t.corners), lattice };
        if wholly { values.are_in(half_spaces) } else { values.meet(half_spaces) }
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
    fn new(half_space: &HalfSpace<'_>, lattice: Lattice) -> Self {
        let [x, y, z] = half_space.normal.map(ExponentRange::of);
        let normal = Lattice::new(x.and(y).and(z));
        let offset = Lattice::new(ExponentRange::of(half_space.offset));
        // 0 has no unit.
        let shift = if half_space.offset == 0.0 { 0 } else { lattice.lo + normal.lo - offset.lo };
        let (up, down) = (shift.max(0) as usize, shift.min(0).unsigned_abs() as usize);
        let bits = (lattice.bits + normal.bits + 2 + up).max(offset.bits + down) + 1;
        Self { normal, offset, shift, bits }
    }
}

struct Values<const N: usize> {
    corners: [Coordinates<Wide<N>>; 3],
    lattice: Lattice,
}

impl<const N: usize> Values<N> {
    /// The values of n.x - d at the corners, times a positive number.
    #[inline(never)]
    fn row(&self, half_space: &HalfSpace<'_>) -> Coordinates<Wide<N>> {
        let units = HalfSpaceUnits::new(half_space, self.lattice);
        let [x, y, z] = half_space.normal;
        let along = |x: &f64| units.normal.number::<Wide<N>>(*x);
        let normal = [along(x), along(y), along(z)];
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
    fn are_in<'a>(&self, mut half_spaces: impl Iterator<Item = HalfSpace<'a>>) -> bool {
        half_spaces.all(|half_space| self.row(&half_space).iter().all(|value| value.sign() <= 0))
    }
    fn meet<'a>(&self, half_spaces: impl Iterator<Item = HalfSpace<'a>> + Clone) -> bool {
        let mut corners_in = [true; 3];
        for half_space in half_spaces.clone() {
            let beyond = self.row(&half_space).map(|value| value.sign() > 0);
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
            .clone()
            .enumerate()
            .filter(|(_, half_space)| self.row(half_space).iter().any(|value| value.sign() > 0));
        for (i, first) in cutting.clone() {
            let first = self.row(&first);
            if (0..3).any(|k| cut_edge(&first, k).is_some_and(|l| self.holds(half_spaces.clone(), &l))) {
                return true;
            }
            for (_, second) in cutting.clone().take_while(|(j, _)| *j < i) {
                let crossing = where_both(&first, &self.row(&second));
                if crossing.is_some_and(|l| self.holds(half_spaces.clone(), &l)) {
                    return true;
                }
            }
        }
        false
    }
    /// True if weights that are not negative make a point of all half-spaces.
    #[inline(never)]
    fn holds<'a>(
        &self,
        mut half_spaces: impl Iterator<Item = HalfSpace<'a>>,
        l: &Coordinates<Wide<N>>,
    ) -> bool {
        half_spaces.all(|half_space| dot(&self.row(&half_space), l).sign() <= 0)
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
