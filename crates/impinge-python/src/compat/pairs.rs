//! Pairs of triangles of two shapes: which meet, where, and how far one has to move.
use super::{
    meet::work,
    overlap::{Numbers, numbers},
    shape::{Placed, PySolid},
    vector::{Point, cross, dot, minus, unit},
};
use crate::{errors, run::ask};
use impinge::{Query, SimdLevel};
use pyo3::prelude::*;
use std::{
    mem,
    ops::ControlFlow,
    sync::{Arc, OnceLock},
};

/// Contacts of two surfaces: one for each pair of triangles that meet, computed when one of them is read.
#[pyclass(frozen, name = "_Pairs", module = "impinge._core")]
pub(crate) struct PyPairs {
    shapes: [Arc<Placed>; 2],
    pairs: Vec<[u32; 2]>,
    found: OnceLock<Vec<Touch>>,
}

/// Contact of two triangles: the one of their two normals along which the second has the least shift that
/// parts them, the length of the shift, and a point of both.
struct Touch {
    normal: Point,
    depth: f64,
    point: Point,
}

/// Pairs of triangles that meet: all of them, sorted, or the first that are found.
#[pyfunction]
#[pyo3(signature = (a, b, most))]
pub(crate) fn _pairs_of(
    py: Python<'_>,
    a: &Bound<'_, PySolid>,
    b: &Bound<'_, PySolid>,
    most: Option<usize>,
) -> PyResult<PyPairs> {
    let shapes = [a, b].map(|one| Arc::clone(&one.get().0));
    let [a, b] = shapes.clone();
    let pairs = ask(py, work(&a, &b), move |query| first_pairs(query, &a, &b, most.unwrap_or(usize::MAX)))?;
    Ok(PyPairs { shapes, pairs, found: OnceLock::new() })
}

impl PyPairs {
    fn place(&self, k: usize) -> PyResult<[u32; 2]> {
        let found = self.pairs.get(k).copied();
        found.ok_or_else(|| errors::index(format!("contact {k} of {}", self.pairs.len())))
    }
    pub(super) fn numbers_of<'py>(&self, py: Python<'py>, k: usize) -> PyResult<Numbers<'py>> {
        self.place(k)?;
        let all = match self.found.get() {
            Some(all) => all,
            None => py.detach(|| self.found.get_or_init(|| self.touches())),
        };
        let Touch { normal, depth, point } = &all[k];
        Ok(numbers(py, *normal, *depth, *point))
    }
    pub(super) fn triangles_of(&self, k: usize) -> PyResult<(u32, u32)> {
        self.place(k).map(|[i, j]| (i, j))
    }
    fn touches(&self) -> Vec<Touch> {
        let [a, b] = &self.shapes;
        let (of_a, of_b) = (a.body(), b.body());
        let one = |&pair: &[u32; 2]| {
            let point = impinge::contact::contact_point(&of_a, &of_b, pair).point;
            let (normal, depth) = separation(a.triangle(pair[0]), b.triangle(pair[1]));
            Touch { normal, depth, point }
        };
        self.pairs.iter().map(one).collect()
    }
}

#[pymethods]
impl PyPairs {
    fn __len__(&self) -> usize {
        self.pairs.len()
    }
    /// Normal, depth, and a point of both.
    fn numbers<'py>(&self, py: Python<'py>, k: usize) -> PyResult<Numbers<'py>> {
        self.numbers_of(py, k)
    }
    /// The two triangles.
    fn triangles(&self, k: usize) -> PyResult<(u32, u32)> {
        self.triangles_of(k)
    }
}

pub(crate) fn first_pairs(query: &mut Query, a: &Placed, b: &Placed, most: usize) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    if most == usize::MAX {
        query.pairs_into(&a.body(), &b.body(), &mut pairs);
        return pairs;
    }
    on_any_machine(query, |query| {
        let _ = query.for_each_pair(&a.body(), &b.body(), |pair| {
            if pairs.len() < most {
                pairs.push(pair);
            }
            if pairs.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
    });
    pairs.sort_unstable();
    pairs
}

/// Runs a search that stops early. Which pairs it finds first depends on the instruction set, so it runs on
/// the one that every machine has.
pub(super) fn on_any_machine<T>(query: &mut Query, search: impl FnOnce(&mut Query) -> T) -> T {
    *query = mem::take(query).simd(SimdLevel::Portable);
    let found = search(query);
    *query = mem::take(query).simd(SimdLevel::Auto);
    found
}

fn separation(a: [Point; 3], b: [Point; 3]) -> (Point, f64) {
    let normal = |[p, q, r]: [Point; 3]| unit(cross(minus(q, p), minus(r, p)));
    let (mut best, mut least) = ([0.0; 3], f64::INFINITY);
    for normal in [normal(a), normal(b)].into_iter().flatten() {
        for direction in [normal, normal.map(|x| -x)] {
            let most = a.iter().map(|&p| dot(p, direction)).fold(f64::NEG_INFINITY, f64::max);
            let lowest = b.iter().map(|&p| dot(p, direction)).fold(f64::INFINITY, f64::min);
            if most - lowest < least {
                (best, least) = (direction, most - lowest);
            }
        }
    }
    (best, if least.is_finite() { least.max(0.0) } else { 0.0 })
}
