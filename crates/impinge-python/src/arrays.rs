//! Arrays: what is taken, and what is given without a copy.
use crate::errors;
use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods,
    PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
    ndarray::{ArrayView, ArrayViewD},
};
use pyo3::{
    exceptions::PyTypeError,
    intern,
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyList},
};
use std::{borrow::Cow, collections::TryReserveError, fmt::Display, thread, time::Duration};

/// A function or class of numpy, looked up once.
fn numpy_attribute<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyAny>>,
    name: &str,
) -> PyResult<&'py Bound<'py, PyAny>> {
    let found = cell.get_or_try_init(py, || Ok::<_, PyErr>(py.import("numpy")?.getattr(name)?.unbind()))?;
    Ok(found.bind(py))
}

/// The numpy array of an object; `what` names it in errors.
fn array<'py>(what: &str, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    if object.hasattr(intern!(py, "mask"))? && object.hasattr(intern!(py, "filled"))? {
        return Err(PyTypeError::new_err(format!("{what} is a masked array: what is masked has no place")));
    }
    refuse_masked_rows(what, object)?;
    let array = numpy_attribute(py, &ASARRAY, "asarray")?.call1((object,))?;
    Ok(array.cast_into::<PyUntypedArray>()?)
}

/// numpy drops the masks of arrays in a list.
fn refuse_masked_rows(what: &str, object: &Bound<'_, PyAny>) -> PyResult<()> {
    let Ok(rows) = object.cast::<PyList>() else { return Ok(()) };
    for (i, row) in rows.iter().enumerate() {
        if !row.is_instance_of::<PyList>() && row.hasattr(intern!(row.py(), "filled"))? {
            return Err(PyTypeError::new_err(format!(
                "{what}: row {i} is masked: what is masked has no place"
            )));
        }
    }
    Ok(())
}

/// The array as native, aligned numbers of type T: a view, if they are that already.
fn as_type<'py, T: Element>(array: &Bound<'py, PyUntypedArray>) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    static REQUIRE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = array.py();
    let require = numpy_attribute(py, &REQUIRE, "require")?;
    let array = require.call1((array, numpy::dtype::<T>(py), (intern!(py, "ALIGNED"),)))?;
    Ok(array.cast_into::<PyArrayDyn<T>>()?.readonly())
}

/// An array that can be read as it is: of native, aligned f64. To ask numpy takes longer than a short
/// question.
fn as_they_are<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyArrayDyn<f64>>> {
    // The class must be exactly `ndarray`: a masked array is a subclass.
    static NDARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = numpy_attribute(object.py(), &NDARRAY, "ndarray").ok()?;
    let array = object.cast::<PyArrayDyn<f64>>().ok().filter(|_| object.get_type().is(class));
    array.filter(|array| {
        let step = size_of::<f64>() as isize;
        array.data().is_aligned() && array.strides().iter().all(|stride| stride % step == 0)
    })
}

/// Numbers that f64 holds exactly.
pub(crate) fn floats<'py>(what: &str, object: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    if let Some(array) = as_they_are(object) {
        return Ok(array.readonly());
    }
    let array = array(what, object)?;
    let dtype = array.dtype();
    let inexact = |row: Option<usize>| {
        let place = row.map_or(String::new(), |row| format!(", as in row {row}"));
        PyTypeError::new_err(format!("{what}: float64 does not hold all numbers of this {dtype}{place}"))
    };
    match (dtype.kind(), dtype.itemsize()) {
        (b'f', 2 | 4 | 8) | (b'i' | b'u', 1 | 2 | 4) => {}
        (b'i', 8) => {
            let numbers = as_type::<i64>(&array)?;
            check(&numbers.as_array(), |x| i128::from(x) == (x as f64) as i128)
                .map_err(|row| inexact(Some(row)))?;
        }
        (b'u', 8) => {
            let numbers = as_type::<u64>(&array)?;
            check(&numbers.as_array(), |x| i128::from(x) == (x as f64) as i128)
                .map_err(|row| inexact(Some(row)))?;
        }
        (b'f', _) => return Err(inexact(None)),
        _ => return Err(PyTypeError::new_err(format!("{what} must be real numbers, not dtype {dtype}"))),
    }
    as_type(&array)
}

/// The row of the first number that is not as it should be.
fn check<T: Copy>(numbers: &ArrayViewD<'_, T>, is_right: impl Fn(T) -> bool) -> Result<(), usize> {
    let rows = numbers.shape().first().map_or(1, |&rows| rows.max(1));
    let per_row = (numbers.len() / rows).max(1);
    numbers.iter().position(|&x| !is_right(x)).map_or(Ok(()), |at| Err(at / per_row))
}

pub(crate) fn wrong_shape(what: &str, wanted: &str, seen: &[usize]) -> PyErr {
    let seen: Vec<String> = seen.iter().map(usize::to_string).collect();
    let comma = if seen.len() == 1 { "," } else { "" };
    errors::value(format!("{what} must have the shape {wanted}, not ({}{comma})", seen.join(", ")))
}

/// Number of rows after which other threads of Python may run.
pub(crate) const ROWS_AT_A_TIME: usize = 1 << 16;
/// Time for which this thread releases the interpreter. A waiting thread takes some microseconds to wake up:
/// without a pause this thread would get the interpreter back before. Each such wake-up also resets the 5 ms
/// after which CPython switches threads, so others would wait until the end.
const PAUSE: Duration = Duration::from_micros(50);

/// Lets other threads of Python run. Reading stays memory safe: arrays
/// that are borrowed keep their memory, and rows are read while this thread holds the interpreter.
pub(crate) fn let_others_run(py: Python<'_>, row: usize) {
    if row % ROWS_AT_A_TIME == ROWS_AT_A_TIME - 1 {
        py.detach(|| thread::sleep(PAUSE));
    }
}

/// Rows of K numbers.
fn rows<T: Element + Copy + Default, const K: usize>(numbers: &PyReadonlyArrayDyn<'_, T>) -> Vec<[T; K]> {
    // `as_slice` may also return numbers that lie column by column.
    if numbers.is_c_contiguous()
        && let Ok(slice) = numbers.as_slice()
    {
        let rows = slice.as_chunks::<K>().0;
        let mut all = Vec::with_capacity(rows.len());
        for part in rows.chunks(ROWS_AT_A_TIME) {
            all.extend_from_slice(part);
            let_others_run(numbers.py(), all.len() - 1);
        }
        return all;
    }
    let view = numbers.as_array();
    let row = |(i, row): (usize, ArrayView<'_, T, _>)| {
        let_others_run(numbers.py(), i);
        std::array::from_fn(|k| row[k])
    };
    view.outer_iter().enumerate().map(row).collect()
}

/// Points, of the shape (N, 3), with finite coordinates or not.
pub(crate) fn points(what: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<[f64; 3]>> {
    let numbers = floats(what, object)?;
    match numbers.shape() {
        [_, 3] => Ok(rows(&numbers)),
        shape => Err(wrong_shape(what, "(N, 3)", shape)),
    }
}

/// Points that must all be finite.
pub(crate) fn finite_points(what: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<[f64; 3]>> {
    let points = points(what, object)?;
    let not_finite_row = || points.iter().position(|point| !point.iter().all(|x| x.is_finite()));
    match object.py().detach(not_finite_row) {
        Some(row) => Err(not_finite(what, row, &points[row])),
        None => Ok(points),
    }
}

fn not_finite(what: &str, row: usize, [x, y, z]: &[f64; 3]) -> PyErr {
    errors::Error::new_err((format!("{what}: row {row} is not finite: ({x}, {y}, {z})"),))
}

/// One vector, of the shape (3,).
pub(crate) fn vector(what: &str, object: &Bound<'_, PyAny>) -> PyResult<[f64; 3]> {
    let numbers = floats(what, object)?;
    let view = numbers.as_array();
    match view.shape() {
        [3] => Ok([view[[0]], view[[1]], view[[2]]]),
        shape => Err(wrong_shape(what, "(3,)", shape)),
    }
}

/// Numbers, of the shape (N,).
pub(crate) fn numbers(what: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let numbers = floats(what, object)?;
    match numbers.shape() {
        [_] => Ok(numbers.as_array().iter().copied().collect()),
        shape => Err(wrong_shape(what, "(N,)", shape)),
    }
}

/// Integers of any type, of the shape (N, K); `refuse` makes the error of one that is not below `end`.
fn indices<const K: usize>(
    what: &str,
    object: &Bound<'_, PyAny>,
    ends: [usize; K],
    refuse: impl Fn(usize, usize, String) -> PyErr,
) -> PyResult<Vec<[u32; K]>> {
    let array = array(what, object)?;
    let dtype = array.dtype();
    let kind = dtype.kind();
    // numpy has no type for an empty list, and takes float64.
    if array.len() == 0 && !object.is_instance_of::<PyUntypedArray>() && matches!(array.shape(), [0] | [0, _])
    {
        return Ok(Vec::new());
    }
    if !matches!(kind, b'i' | b'u') {
        return Err(PyTypeError::new_err(format!("{what} must be integers, not dtype {dtype}")));
    }
    if !matches!(array.shape(), [_, k] if *k == K) {
        return Err(wrong_shape(what, &format!("(N, {K})"), array.shape()));
    }
    match (kind, dtype.itemsize()) {
        (b'i', 4) => below(&as_type::<i32>(&array)?, ends, refuse),
        (b'u', 4) => below(&as_type::<u32>(&array)?, ends, refuse),
        (b'i', _) => below(&as_type::<i64>(&array)?, ends, refuse),
        _ => below(&as_type::<u64>(&array)?, ends, refuse),
    }
}

/// Indices as u32, if each is below its column's end.
fn below<T: Element + Copy + Default + Display + TryInto<u32>, const K: usize>(
    numbers: &PyReadonlyArrayDyn<'_, T>,
    ends: [usize; K],
    refuse: impl Fn(usize, usize, String) -> PyErr,
) -> PyResult<Vec<[u32; K]>> {
    let view = numbers.as_array();
    let mut all = Vec::with_capacity(view.shape()[0]);
    for (i, row) in view.outer_iter().enumerate() {
        let_others_run(numbers.py(), i);
        let mut indices = [0; K];
        for (k, &index) in row.iter().enumerate() {
            match index.try_into() {
                Ok(small) if (small as usize) < ends[k] => indices[k] = small,
                _ => return Err(refuse(i, k, index.to_string())),
            }
        }
        all.push(indices);
    }
    Ok(all)
}

/// Faces, of the shape (M, 3).
pub(crate) fn faces(object: &Bound<'_, PyAny>, vertices: usize) -> PyResult<Vec<[u32; 3]>> {
    indices("faces", object, [vertices; 3], |row, _, index| errors::face_index(row, index, vertices))
}

/// Pairs of triangles of two meshes, of the shape (K, 2).
pub(crate) fn pairs(object: &Bound<'_, PyAny>, triangles: [usize; 2]) -> PyResult<Vec<[u32; 2]>> {
    indices("pairs", object, triangles, |row, k, index| {
        let which = ["first", "second"][k];
        let n = triangles[k];
        errors::index(format!("pairs: row {row} names triangle {index} of the {which} body, which has {n}"))
    })
}

/// Pairs of bodies, of the shape (K, 2).
pub(crate) fn body_pairs(object: &Bound<'_, PyAny>, bodies: usize) -> PyResult<Vec<[u32; 2]>> {
    indices("pairs", object, [bodies; 2], |row, _, index| {
        errors::index(format!("pairs: row {row} names body {index}, but there are {bodies} bodies"))
    })
}

/// Pairs of an assembly's parts, of the shape (K, 2).
pub(crate) fn part_pairs(object: &Bound<'_, PyAny>, parts: usize) -> PyResult<Vec<[u32; 2]>> {
    indices("pairs", object, [parts; 2], |row, _, index| {
        errors::index(format!("pairs: row {row} names part {index}, but there are {parts} parts"))
    })
}

/// The numbers in their order: as they lie, if they lie so.
pub(crate) fn in_order<'a>(numbers: &'a PyReadonlyArrayDyn<'_, f64>) -> Cow<'a, [f64]> {
    match numbers.as_slice() {
        Ok(slice) if numbers.is_c_contiguous() => Cow::Borrowed(slice),
        _ => Cow::Owned(numbers.as_array().iter().copied().collect()),
    }
}

/// The number of dimensions of an array.
pub(crate) fn dimensions(what: &str, object: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(floats(what, object)?.shape().len())
}

/// A copy, if memory holds it.
pub(crate) fn copied<T: Copy>(rows: &[T]) -> Result<Vec<T>, TryReserveError> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(rows.len())?;
    copy.extend_from_slice(rows);
    Ok(copy)
}

/// Rows as an array of two dimensions, without a copy.
pub(crate) fn table<'py, T: Element, const K: usize>(
    py: Python<'py>,
    mut rows: Vec<[T; K]>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    rows.shrink_to_fit();
    let count = rows.len();
    PyArray1::from_vec(py, rows.into_flattened()).reshape([count, K])
}

/// Rows of rows as an array of three dimensions, without a copy.
pub(crate) fn cube<'py, T: Element, const K: usize, const L: usize>(
    py: Python<'py>,
    mut rows: Vec<[[T; L]; K]>,
) -> PyResult<Bound<'py, PyArray3<T>>> {
    rows.shrink_to_fit();
    let count = rows.len();
    PyArray1::from_vec(py, rows.into_flattened().into_flattened()).reshape([count, K, L])
}

/// Numbers as an array of one dimension, without a copy.
pub(crate) fn list<T: Element>(py: Python<'_>, numbers: Vec<T>) -> Bound<'_, PyArray1<T>> {
    numbers.into_pyarray(py)
}

/// The dict of numpy's array interface for `rows` rows of three numbers at an address: read-only.
pub(crate) fn interface<'py>(
    py: Python<'py>,
    address: usize,
    rows: usize,
    typestr: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let interface = PyDict::new(py);
    interface.set_item("version", 3)?;
    interface.set_item("typestr", typestr)?;
    interface.set_item("shape", (rows, 3))?;
    interface.set_item("data", (address, true))?;
    Ok(interface)
}

/// An array over what has an array interface, which it keeps alive.
pub(crate) fn view<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    Ok(array("view", object)?.into_any())
}

/// Rows of four numbers.
pub(crate) fn quadruples(what: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<[f64; 4]>> {
    let numbers = floats(what, object)?;
    match numbers.shape() {
        [_, 4] => Ok(rows(&numbers)),
        shape => Err(wrong_shape(what, "(K, 4)", shape)),
    }
}
