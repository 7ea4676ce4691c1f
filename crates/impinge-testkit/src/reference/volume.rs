//! Exact volumes of cells.
use super::{
    cells::{Arrangement, Cell, Corner, bits, is_edge},
    numbers::RationalPoint,
};
use crate::oracle::Term;
use num_bigint::BigInt;
use num_rational::Ratio;

type Rational = Ratio<BigInt>;

/// The sum of the volumes of some cells, times the cube of 2^unit.
pub(super) fn of_cells(all: &Arrangement, wanted: impl Fn(usize) -> bool, unit: i32) -> Rational {
    let mut six = Rational::from_integer(BigInt::ZERO);
    for (_, cell) in all.cells.iter().enumerate().filter(|(i, _)| wanted(*i)) {
        six += six_volumes(cell);
    }
    six / BigInt::from(6) * Term { mantissa: 1, exponent: 3 * unit }.rational()
}

/// Six times the volume of a cell. The cell is the union of the pyramids with the first corner as apex over
/// the facets without it. A facet is the union of the triangles with one of its corners as apex over its
/// edges without that corner.
fn six_volumes(cell: &Cell) -> Rational {
    let corners = &cell.corners;
    let mut sum = Rational::from_integer(BigInt::ZERO);
    let Some((apex, rest)) = corners.split_first() else { return sum };
    let facets = rest.iter().fold(0, |all, corner| all | corner.on) & !apex.on;
    for facet in bits(facets) {
        let on: Vec<&Corner> = corners.iter().filter(|corner| corner.on >> facet & 1 == 1).collect();
        let foot = on[0];
        for (i, u) in on.iter().enumerate().skip(1) {
            for v in &on[i + 1..] {
                if is_edge(corners, u.on & v.on) {
                    sum += six_volume([apex.at, foot.at, u.at, v.at]);
                }
            }
        }
    }
    sum
}

/// Six times the volume of a tetrahedron, positive.
fn six_volume(points: [RationalPoint; 4]) -> Rational {
    let rational = |x: i128, w: i128| Rational::new(BigInt::from(x), BigInt::from(w));
    let [o, a, b, c] = points.map(|p| p.x.map(|x| rational(x, p.w)));
    let [a, b, c] = [a, b, c].map(|p| [0, 1, 2].map(|k| &p[k] - &o[k]));
    let minor = |i: usize, j: usize| &b[i] * &c[j] - &b[j] * &c[i];
    let six = &a[0] * minor(1, 2) + &a[1] * minor(2, 0) + &a[2] * minor(0, 1);
    if six < Rational::from_integer(BigInt::ZERO) { -six } else { six }
}
