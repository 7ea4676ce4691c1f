//! Exact predicates on placed points: no rounding, no overflow, no allocation.
//!
//! A coordinate R v + t is a sum of three products and one number, all of them dyadic rationals m 2^e. Scaled
//! by one power of two they are integers, as are differences, minors and determinants of them.
//! [`Lattice`] finds that power and the number of bits. All else is integers on the stack: [`Fixed`] of 1 to
//! 4 limbs for the numbers of most meshes, else [`Wide`], compiled in a few widths. The largest holds every
//! number that finite f64 coordinates can give (`MAX_BITS`), so the exact stage has no failure case.
mod axis_placement;
mod coordinate;
mod fixed;
mod integer;
mod lattice;
mod orientation;
mod placed;
mod point;
mod predicates;
mod sixty_bits;
pub(crate) mod size;
mod sum_point;
pub(crate) mod wide;

#[cfg(test)]
pub(crate) use self::size::{limbs, width};
pub(crate) use self::{
    axis_placement::AxisPlacement,
    coordinate::Coordinate,
    fixed::Fixed,
    integer::{Integer, Magnitude},
    lattice::{DyadicPoints, DyadicTransform, ExponentRange, Lattice, TwoTriangles},
    orientation::{InPlane, are_collinear, handedness, is_singular, turn},
    placed::{IntegerPoints, on_lattice},
    point::ExactPoint,
    predicates::{
        OrientationPlane, PointPredicates, Predicates, are_in_safe_range, by_points, is_in_safe_range,
    },
    size::{WIDTHS, at_size, at_width},
    sum_point::{SumPoint, difference, sum},
    wide::Wide,
};
