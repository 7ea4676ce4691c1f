//! Configurations as arrays, and queries for each of them.
use crate::{
    arrays::{floats, in_order, wrong_shape},
    errors,
    run::{self, QueryMemory},
};
use impinge_robot::{Error, Robot, RobotQuery};
use numpy::PyUntypedArrayMethods;
use pyo3::prelude::*;
use std::{
    cell::RefCell,
    sync::{Arc, atomic::AtomicBool},
    thread::LocalKey,
};

thread_local! {
    static QUERY: RefCell<RobotQuery> = RefCell::new(RobotQuery::new());
}

impl QueryMemory for RobotQuery {
    fn own() -> &'static LocalKey<RefCell<Self>> {
        &QUERY
    }
    fn with_stop<T>(
        &mut self,
        flag: &Arc<AtomicBool>,
        question: impl FnOnce(&mut Self) -> T,
    ) -> Result<T, impinge::Error> {
        Self::with_stop(self, flag, question)
    }
}

/// Configurations: an array of the shape (P, n), or one of the shape (n,).
pub(super) struct RobotPositions {
    name: &'static str,
    numbers: Vec<f64>,
    width: usize,
    count: usize,
    is_one: bool,
}

impl RobotPositions {
    /// The positions of an argument. All numbers must be finite.
    pub(super) fn of(name: &'static str, object: &Bound<'_, PyAny>, robot: &Robot) -> PyResult<Self> {
        let (numbers, dofs) = (floats(name, object)?, robot.kinematics().dofs());
        let width = dofs.len();
        let (count, is_one) = match *numbers.shape() {
            [n] if n == width => (1, true),
            [count, n] if n == width => (count, false),
            ref shape => return Err(wrong_shape(name, &format!("({width},) or (P, {width})"), shape)),
        };
        let numbers = in_order(&numbers).into_owned();
        if let Some(at) = numbers.iter().position(|x| !x.is_finite()) {
            let row = if is_one { String::new() } else { format!(", row {}", at / width) };
            let (joint, x) = (&dofs[at % width].name, numbers[at]);
            let text = format!("{name}{row}: the position of '{joint}' is {x}; it must be finite");
            return Err(errors::Error::new_err((text,)));
        }
        Ok(Self { name, numbers, width, count, is_one })
    }
    /// The number of rows of both: one configuration goes with each of the others.
    pub(super) fn rows_with(&self, other: &Self) -> PyResult<usize> {
        if self.is_one || other.is_one || self.count == other.count {
            return Ok(if self.is_one { other.count } else { self.count });
        }
        let (a, b) = (self.name, other.name);
        Err(errors::value(format!("{} rows of {a}, but {} of {b}", self.count, other.count)))
    }
    /// The configuration of a row.
    pub(super) fn at(&self, row: usize) -> &[f64] {
        let row = if self.is_one { 0 } else { row };
        &self.numbers[row * self.width..][..self.width]
    }
}

/// The results of a query for each configuration.
pub(super) fn each<T: Send + 'static>(
    py: Python<'_>,
    robot: Arc<Robot>,
    q: RobotPositions,
    threads: Option<usize>,
    one: impl Fn(&mut RobotQuery, &Robot, &[f64]) -> Result<T, Error> + Send + Sync + 'static,
) -> PyResult<Vec<T>> {
    each_row(py, q.count, threads, move |query, row| one(query, &robot, q.at(row)))
}

/// The results of a query for each row.
pub(super) fn each_row<T: Send + 'static>(
    py: Python<'_>,
    rows: usize,
    threads: Option<usize>,
    one: impl Fn(&mut RobotQuery, usize) -> Result<T, Error> + Send + Sync + 'static,
) -> PyResult<Vec<T>> {
    let done = run::ask_rows_with(py, rows, threads, false, move |query, row, results| {
        results.push(one(query, row));
    })?;
    done.into_iter().map(|one| one.map_err(|error| errors::robot(&error))).collect()
}
