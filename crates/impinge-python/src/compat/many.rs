//! Many placed shapes: pairs that meet, and the nearest pair.
use super::{
    apart::{Apart, PyApart, apart},
    meet::meet,
    shape::{Placed, PySolid, bounds_apart},
};
use crate::run::{Work, ask};
use impinge::Query;
use pyo3::prelude::*;
use std::{cmp::Reverse, collections::BinaryHeap, sync::Arc};

type Shapes = Vec<Arc<Placed>>;

fn shapes(all: Vec<PyRef<'_, PySolid>>) -> Shapes {
    all.iter().map(|one| Arc::clone(&one.0)).collect()
}

/// Pairs whose bounds meet, of one list (i < j) or of two, sorted by j, then i.
fn candidates(mine: &Shapes, theirs: Option<&Shapes>) -> Vec<(u32, u32)> {
    /// Bounds and number, and whether it is one of `theirs`.
    type Entry<'a> = (&'a [[f64; 3]; 2], u32, bool);
    let mut all: Vec<Entry<'_>> = Vec::new();
    all.extend((0..).zip(mine).map(|(i, one)| (&one.bounds, i, false)));
    all.extend((0..).zip(theirs.into_iter().flatten()).map(|(i, one)| (&one.bounds, i, true)));
    // Sweep along x: those that began before and have not ended.
    all.sort_unstable_by(|a, b| a.0[0][0].total_cmp(&b.0[0][0]));
    let (mut active, mut pairs): (Vec<Entry<'_>>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
    for entry in all {
        let (bounds, i, is_other) = entry;
        active.retain(|(known, ..)| known[1][0] >= bounds[0][0]);
        for &(known, j, was_other) in &active {
            let meets = (1..3).all(|k| known[0][k] <= bounds[1][k] && bounds[0][k] <= known[1][k]);
            match theirs {
                _ if !meets => {}
                None => pairs.push((i.min(j), i.max(j))),
                Some(_) if is_other != was_other => pairs.push(if is_other { (j, i) } else { (i, j) }),
                Some(_) => {}
            }
        }
        active.push(entry);
    }
    pairs.sort_unstable_by_key(|&(i, j)| (j, i));
    pairs
}

/// Pairs whose bounds meet, of one list (i < j) or of two, sorted by j, then i.
#[pyfunction]
#[pyo3(signature = (mine, theirs))]
pub(crate) fn _candidates(
    py: Python<'_>,
    mine: Vec<PyRef<'_, PySolid>>,
    theirs: Option<Vec<PyRef<'_, PySolid>>>,
) -> Vec<(u32, u32)> {
    let (mine, theirs) = (shapes(mine), theirs.map(shapes));
    py.detach(|| candidates(&mine, theirs.as_ref()))
}

fn work(mine: &Shapes, theirs: Option<&Shapes>) -> Work {
    let largest = |all: &Shapes| all.iter().map(|one| one.len()).max().unwrap_or(0);
    Work::of(largest(mine) + theirs.map_or(0, largest))
}

/// Pairs that meet, of one list (i < j) or of two, sorted by j, then i; or the first one that is found.
#[pyfunction]
#[pyo3(signature = (mine, theirs, only_first))]
pub(crate) fn _meeting(
    py: Python<'_>,
    mine: Vec<PyRef<'_, PySolid>>,
    theirs: Option<Vec<PyRef<'_, PySolid>>>,
    only_first: bool,
) -> PyResult<Vec<(u32, u32)>> {
    let (mine, theirs) = (shapes(mine), theirs.map(shapes));
    ask(py, work(&mine, theirs.as_ref()), move |query| {
        let others = theirs.as_ref().unwrap_or(&mine);
        let pairs = candidates(&mine, theirs.as_ref()).into_iter();
        let mut meeting = pairs.filter(|&(i, j)| meet(query, &mine[i as usize], &others[j as usize]));
        if only_first { meeting.next().into_iter().collect() } else { meeting.collect() }
    })
}

/// Pairs with lower bounds of their distances, the least first: an iterator of (i, j, bound).
#[pyclass(name = "_Gaps", module = "impinge._core")]
pub(crate) struct PyGaps(BinaryHeap<Reverse<(Bound64, u32, u32)>>);

/// A bound of a distance: not negative and not NaN, so that its bits are in order.
type Bound64 = u64;

#[pymethods]
impl PyGaps {
    #[new]
    #[pyo3(signature = (mine, theirs))]
    fn new(py: Python<'_>, mine: Vec<PyRef<'_, PySolid>>, theirs: Option<Vec<PyRef<'_, PySolid>>>) -> Self {
        let (mine, theirs) = (shapes(mine), theirs.map(shapes));
        py.detach(|| {
            let others = theirs.as_ref().unwrap_or(&mine);
            let mut all = Vec::new();
            for (j, b) in (0..).zip(others) {
                let count = if theirs.is_some() { mine.len() } else { j as usize };
                let gap = |(i, a): (u32, &Arc<Placed>)| Reverse((bounds_apart(a, b).to_bits(), j, i));
                all.extend((0..).zip(&mine[..count]).map(gap));
            }
            Self(all.into())
        })
    }
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __next__(&mut self) -> Option<(u32, u32, f64)> {
        let Reverse((bound, j, i)) = self.0.pop()?;
        Some((i, j, f64::from_bits(bound)))
    }
}

/// The pair of the least distance; if any pair meets, the first that is found, as in FCL.
fn nearest(query: &mut Query, mine: &Shapes, theirs: Option<&Shapes>) -> Option<((u32, u32), Apart)> {
    let others = theirs.unwrap_or(mine);
    let candidates = candidates(mine, theirs);
    let meeting = candidates.iter().find(|&&(i, j)| meet(query, &mine[i as usize], &others[j as usize]));
    if let Some(&(i, j)) = meeting {
        let found = apart(query, &mine[i as usize], &others[j as usize], f64::INFINITY, true)?;
        return Some(((i, j), found));
    }
    let count = |j: usize| if theirs.is_none() { j } else { mine.len() };
    let each = || (0..others.len()).flat_map(|j| (0..count(j)).map(move |i| (i, j)));
    let bound = |&(i, j): &(usize, usize)| bounds_apart(&mine[i], &others[j]);
    // The pair whose bounds are nearest first: few others are then near enough to matter.
    let start = each().min_by(|one, two| bound(one).total_cmp(&bound(two)))?;
    let mut best: Option<((u32, u32), Apart)> = None;
    for (i, j) in std::iter::once(start).chain(each().filter(|&pair| pair != start)) {
        let least = best.as_ref().map_or(f64::INFINITY, |(_, best)| best.distance);
        if bound(&(i, j)) < least
            && let Some(found) = apart(query, &mine[i], &others[j], least, true)
            && found.distance < least
        {
            best = Some(((i as u32, j as u32), found));
        }
    }
    best
}

/// The nearest pair of one list or of two, and its distance as `_apart` gives it.
#[pyfunction]
#[pyo3(signature = (mine, theirs))]
pub(crate) fn _nearest<'py>(
    py: Python<'py>,
    mine: Vec<PyRef<'_, PySolid>>,
    theirs: Option<Vec<PyRef<'_, PySolid>>>,
) -> PyResult<Option<((u32, u32), PyApart<'py>)>> {
    let (mine, theirs) = (shapes(mine), theirs.map(shapes));
    let found = ask(py, work(&mine, theirs.as_ref()), move |query| nearest(query, &mine, theirs.as_ref()))?;
    found.map(|(pair, found)| Ok((pair, found.to_python(py)?))).transpose()
}
