//! Pairs of triangles of two shapes: which meet, where, and how far one has to move.
use super::{
    decide::work,
    shape::{Placed, PySolid},
    vector::{Point, cross, dot, minus, unit},
};
use crate::{arrays, run::ask};
use impinge::Query;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::{ops::ControlFlow, sync::Arc};

/// Pairs of triangles that meet: all of them, sorted, or the first that are found.
#[pyfunction]
#[pyo3(signature = (a, b, most))]
pub(crate) fn _first_pairs<'py>(
    py: Python<'py>,
    a: &Bound<'_, PySolid>,
    b: &Bound<'_, PySolid>,
    most: Option<usize>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let (a, b) = (Arc::clone(&a.get().0), Arc::clone(&b.get().0));
    let pairs = ask(py, work(&a, &b), move |query| first_pairs(query, &a, &b, most.unwrap_or(usize::MAX)))?;
    arrays::table(py, pairs)
}

pub(crate) fn first_pairs(query: &mut Query, a: &Placed, b: &Placed, most: usize) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    if most == usize::MAX {
        query.pairs_into(&a.body(), &b.body(), &mut pairs);
        return pairs;
    }
    let _ = query.find_pairs(&a.body(), &b.body(), |pair| {
        if pairs.len() < most {
            pairs.push(pair);
        }
        if pairs.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    pairs.sort_unstable();
    pairs
}

/// Of pairs of triangles that meet: a point of both, and along which of their two normals the least shift of
/// the second parts them, and how long it is.
#[pyfunction]
#[expect(clippy::type_complexity)]
pub(crate) fn _pair_contacts<'py>(
    py: Python<'py>,
    a: &Bound<'_, PySolid>,
    b: &Bound<'_, PySolid>,
    pairs: &Bound<'_, PyAny>,
) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>)> {
    let (a, b) = (Arc::clone(&a.get().0), Arc::clone(&b.get().0));
    let pairs = arrays::pairs(pairs, [a.len(), b.len()])?;
    let (points, (normals, depths)): (Vec<Point>, (Vec<Point>, Vec<f64>)) = py.detach(|| {
        let (of_a, of_b) = (a.body(), b.body());
        let one = |&pair: &[u32; 2]| {
            let point = impinge::contact_point(&of_a, &of_b, pair).point;
            (point, separation(a.triangle(pair[0]), b.triangle(pair[1])))
        };
        pairs.iter().map(one).unzip()
    });
    Ok((arrays::table(py, points)?, arrays::table(py, normals)?, arrays::list(py, depths)))
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
