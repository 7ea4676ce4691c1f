//! Arithmetic for numbers of results, with the same bits on every processor and for one vector or many.
//! numpy's norms, products of matrices, sines and cosines depend on the processor's vector instructions.
use crate::{
    arrays::{cube, floats, in_order, list, numbers, points, table, wrong_shape},
    errors,
};
use impinge::{Pose, circle::turn};
use numpy::{PyArray1, PyArray2, PyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// The unit vectors along vectors of the shape (N, K), of any length; NaN along 0.
#[pyfunction]
pub(crate) fn _units<'py>(vectors: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let given = floats("vectors", vectors)?;
    let &[rows, columns] = given.shape() else { return Err(wrong_shape("vectors", "(N, K)", given.shape())) };
    let mut units = in_order(&given).into_owned();
    units.chunks_exact_mut(columns.max(1)).for_each(scale_to_one);
    list(vectors.py(), units).call_method1("reshape", ((rows, columns),))
}

/// Makes a vector as long as 1, with squares that neither overflow nor vanish.
fn scale_to_one(vector: &mut [f64]) {
    let largest = vector.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    vector.iter_mut().for_each(|x| *x /= largest);
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    vector.iter_mut().for_each(|x| *x /= length);
}

/// The lengths of vectors of the shape (N, 3). With `up` none is less than the true one.
#[pyfunction]
pub(crate) fn _lengths<'py>(vectors: &Bound<'py, PyAny>, up: bool) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let given = floats("vectors", vectors)?;
    let &[_, 3] = given.shape() else { return Err(wrong_shape("vectors", "(N, 3)", given.shape())) };
    let numbers = in_order(&given);
    Ok(list(vectors.py(), numbers.as_chunks().0.iter().map(|&vector| length(vector, up)).collect()))
}

fn length(vector: [f64; 3], up: bool) -> f64 {
    let largest = vector.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    if vector.iter().filter(|x| **x != 0.0).count() <= 1 {
        return if vector.iter().any(|x| x.is_nan()) { f64::NAN } else { largest };
    }
    // A power of two scales without rounding. Squares that vanish beside 1 are below 2^-1074.
    let exponent = (largest.to_bits() >> 52) as i32 - 1023;
    let [half, rest] = [-exponent / 2, -exponent - -exponent / 2].map(|power| 2.0_f64.powi(power));
    let squares: f64 = vector.iter().map(|x| x * half * rest).map(|x| x * x).sum();
    // Three squares and two sums are off by three roundings in all, which the root halves; it adds one.
    let root = if up { squares.sqrt() * (1.0 + 4.0 * f64::EPSILON) } else { squares.sqrt() };
    let length = root / half / rest;
    // Where the result is subnormal, it is rounded once more.
    if up { length.next_up() } else { length }
}

/// The rotations of quaternions x, y, z, w of the shape (N, 4), of any length but 0: shape (N, 3, 3).
#[pyfunction]
pub(crate) fn _rotations<'py>(quaternions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray3<f64>>> {
    let given = floats("quaternions", quaternions)?;
    let &[_, 4] = given.shape() else { return Err(wrong_shape("quaternions", "(N, 4)", given.shape())) };
    let numbers = in_order(&given);
    rotations(quaternions.py(), numbers.as_chunks().0.iter().map(|&q| Pose::from_quaternion(q, [0.0; 3])))
}

/// The right-handed rotations by angles of the shape (N,) about axes of the shape (N, 3): shape (N, 3, 3).
#[pyfunction]
pub(crate) fn _turns<'py>(
    axes: &Bound<'py, PyAny>,
    angles: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray3<f64>>> {
    let each = points("axes", axes)?.into_iter().zip(numbers("angles", angles)?);
    rotations(axes.py(), each.map(|(axis, angle)| Pose::from_axis_angle(axis, angle, [0.0; 3])))
}

fn rotations(
    py: Python<'_>,
    poses: impl Iterator<Item = Result<Pose, impinge::Error>>,
) -> PyResult<Bound<'_, PyArray3<f64>>> {
    let rows = |pose: Pose| *pose.rows();
    let all: Result<Vec<[[f64; 3]; 3]>, impinge::Error> = poses.map(|pose| pose.map(rows)).collect();
    cube(py, all.map_err(|error| errors::error(&error))?)
}

/// The corners of a regular polygon on the unit circle, the first at (1, 0): shape (N, 2).
#[pyfunction]
pub(crate) fn _circle(py: Python<'_>, sides: u32) -> PyResult<Bound<'_, PyArray2<f64>>> {
    table(py, (0..i64::from(sides)).map(|k| turn(k, sides)).collect())
}

/// The product of two matrices of the shape (4, 4).
#[pyfunction]
pub(crate) fn _product<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let matrix = |object: &Bound<'py, PyAny>| {
        let given = floats("a matrix", object)?;
        let &[4, 4] = given.shape() else { return Err(wrong_shape("a matrix", "(4, 4)", given.shape())) };
        Ok(in_order(&given).as_chunks::<4>().0.to_vec())
    };
    let (a_rows, b_rows) = (matrix(a)?, matrix(b)?);
    let row = |row: &[f64; 4]| {
        std::array::from_fn::<f64, 4, _>(|k| row.iter().zip(&b_rows).map(|(x, of)| x * of[k]).sum())
    };
    table(a.py(), a_rows.iter().map(row).collect())
}
