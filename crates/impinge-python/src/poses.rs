//! Poses: matrices in arrays.
use crate::{
    arrays::{ROWS_AT_A_TIME, floats, in_order, let_others_run, table, wrong_shape},
    errors, pool,
};
use impinge::Pose;
use numpy::{PyArray2, PyUntypedArrayMethods};
use pyo3::{exceptions::PyRuntimeError, prelude::*};
use rayon::{ThreadPoolBuilder, prelude::*};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Most poses that one thread reads alone. This takes a millisecond; to start others, a tenth of that.
const FEW: usize = 1 << 14;
/// Number of poses that a thread reads at a time.
const RUN: usize = 1 << 10;

/// A pose of 12 or 16 numbers, row by row.
fn pose_of(numbers: &[f64], affine: bool) -> Result<Pose, impinge::Error> {
    let (rows, _) = numbers.as_chunks::<4>();
    if let Some(at) = numbers.iter().position(|x| !x.is_finite()) {
        let mut whole = [[0.0; 4]; 4];
        whole[3][3] = 1.0;
        whole[at / 4][at % 4] = numbers[at];
        if at < 12 {
            // It is refused, and the error names the place.
            return Pose::from_matrix(whole);
        }
    }
    if let Some(&last) = rows.get(3)
        && last != [0.0, 0.0, 0.0, 1.0]
    {
        // The error has the reason.
        return Pose::from_matrix([rows[0], rows[1], rows[2], last]);
    }
    let linear = [0, 1, 2].map(|i| [rows[i][0], rows[i][1], rows[i][2]]);
    let translation = [rows[0][3], rows[1][3], rows[2][3]];
    if affine { Pose::affine(linear, translation) } else { Pose::rigid(linear, translation) }
}

/// A pose: a matrix of the shape (4, 4), (3, 4) or (3, 3), or nothing, which is the identity.
pub(crate) fn pose(object: Option<&Bound<'_, PyAny>>, affine: bool) -> PyResult<Pose> {
    let Some(object) = object else { return Ok(Pose::IDENTITY) };
    let numbers = floats("pose", object)?;
    match numbers.shape() {
        [3, 3] => {
            // A rotation alone.
            let rows = in_order(&numbers);
            let whole: Vec<f64> = rows.chunks(3).flat_map(|row| [row[0], row[1], row[2], 0.0]).collect();
            pose_of(&whole, affine).map_err(|error| errors::pose(&error, "the pose"))
        }
        [3 | 4, 4] => pose_of(&in_order(&numbers), affine).map_err(|error| errors::pose(&error, "the pose")),
        shape => Err(wrong_shape("pose", "(4, 4), (3, 4) or (3, 3)", shape)),
    }
}

/// Many poses: matrices of the shape (P, 4, 4) or (P, 3, 4).
pub(crate) fn poses(object: &Bound<'_, PyAny>, affine: bool, threads: Option<usize>) -> PyResult<Vec<Pose>> {
    let numbers = floats("poses", object)?;
    let &[_, rows @ (3 | 4), 4] = numbers.shape() else {
        return Err(wrong_shape("poses", "(P, 4, 4) or (P, 3, 4)", numbers.shape()));
    };
    read(object.py(), &in_order(&numbers), 4 * rows, affine, threads, |i| format!("pose {i}"))
}

/// Poses of so many bodies in each of many configurations: the shape (P, N, 4, 4) or (P, N, 3, 4).
pub(crate) fn configurations(
    object: &Bound<'_, PyAny>,
    bodies: usize,
    affine: bool,
    threads: Option<usize>,
) -> PyResult<Vec<Pose>> {
    let numbers = floats("poses", object)?;
    let wanted = || format!("(P, {bodies}, 4, 4) or (P, {bodies}, 3, 4)");
    let &[_, of_bodies, rows @ (3 | 4), 4] = numbers.shape() else {
        return Err(wrong_shape("poses", &wanted(), numbers.shape()));
    };
    if of_bodies != bodies {
        return Err(wrong_shape("poses", &wanted(), numbers.shape()));
    }
    let place = |i| format!("poses[{}, {}]", i / bodies, i % bodies);
    read(object.py(), &in_order(&numbers), 4 * rows, affine, threads, place)
}

/// Poses of `size` numbers each. `place` names one in an error.
fn read(
    py: Python<'_>,
    numbers: &[f64],
    size: usize,
    affine: bool,
    threads: Option<usize>,
    place: impl Fn(usize) -> String,
) -> PyResult<Vec<Pose>> {
    let count = numbers.len() / size;
    let threads = if count <= FEW { 1 } else { pool::number(threads)? };
    let refused = |i: usize, error| errors::pose(&error, &place(i));
    let mut poses = Vec::with_capacity(count);
    if threads == 1 {
        for (i, numbers) in numbers.chunks_exact(size).enumerate() {
            let_others_run(py, i);
            poses.push(pose_of(numbers, affine).map_err(|error| refused(i, error))?);
        }
        return Ok(poses);
    }
    // This thread holds the interpreter meanwhile, so that no other thread of Python changes the numbers. The
    // pools of queries may be busy with another call, for long: so these are other threads.
    let readers = ThreadPoolBuilder::new().num_threads(threads).build();
    let readers = readers
        .map_err(|error| PyRuntimeError::new_err(format!("cannot start {threads} threads: {error}")))?;
    let first_refused = AtomicUsize::new(usize::MAX);
    for part in numbers.chunks(ROWS_AT_A_TIME * size) {
        let done = poses.len();
        let one = |(i, numbers)| {
            pose_of(numbers, affine).unwrap_or_else(|_| {
                first_refused.fetch_min(done + i, Relaxed);
                Pose::IDENTITY
            })
        };
        let part = part.par_chunks_exact(size).enumerate().with_min_len(RUN);
        readers.install(|| poses.par_extend(part.map(one)));
        let i = first_refused.load(Relaxed);
        if i < count {
            // Read again for its error.
            pose_of(&numbers[i * size..][..size], affine).map_err(|error| refused(i, error))?;
        }
        let_others_run(py, poses.len() - 1);
    }
    Ok(poses)
}

/// A pose as a matrix.
pub(crate) fn matrix<'py>(py: Python<'py>, pose: &Pose) -> PyResult<Bound<'py, PyArray2<f64>>> {
    table(py, pose.to_matrix().to_vec())
}
