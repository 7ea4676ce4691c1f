//! Pairs of many bodies in many configurations: what `check_poses` and the adapters ask.
use super::{distances::stop, solids::by_rule};
use crate::{arrays, errors, model::PyModel, pool, poses, results, run::ask_rows};
use impinge::{
    Error, Pose, Query, Rounded,
    broad_phase::Aabb,
    distance::Margin,
    model::Shape,
    path::Path,
    relation::RelationKind,
    sweep::{Moving, Sweep, SweepOptions},
    world::rotated,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::sync::Arc;

/// Adds the functions of this file to the module.
pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module: _meet_in, _first_in, _relations_in, _gaps_in, _sweeps_in)
}

/// Bodies, where they are in each configuration, and the pairs of them to ask about.
struct Configurations {
    shapes: Vec<Shape>,
    poses: Vec<Pose>,
    pairs: Vec<[u32; 2]>,
}

impl Configurations {
    fn new(
        models: &[Py<PyModel>],
        radii: Option<Vec<f64>>,
        poses: &Bound<'_, PyAny>,
        pairs: &Bound<'_, PyAny>,
        affine: bool,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let radii = radii.unwrap_or_else(|| vec![0.0; models.len()]);
        if radii.len() != models.len() {
            return Err(errors::value(format!("{} bodies, but {} radii", models.len(), radii.len())));
        }
        let shape = |(model, radius): (&Py<PyModel>, f64)| {
            Shape::padded(Arc::clone(&model.get().model), radius).map_err(|error| errors::error(&error))
        };
        let shapes = models.iter().zip(radii).map(shape).collect::<PyResult<Vec<_>>>()?;
        let (poses, pairs) = (
            poses::configurations(poses, models.len(), affine, threads)?,
            arrays::body_pairs(pairs, models.len())?,
        );
        Ok(Self { shapes, poses, pairs })
    }
    fn count(&self) -> usize {
        self.poses.len().checked_div(self.shapes.len()).unwrap_or(0)
    }
    /// The bodies of pair k in configuration i.
    fn bodies(&self, i: usize, k: usize) -> [Rounded<'_>; 2] {
        self.pairs[k].map(|body| {
            let body = body as usize;
            self.shapes[body].at(self.poses[i * self.shapes.len() + body])
        })
    }
    /// The pairs of configuration i whose boxes meet, by their places: all others are apart.
    fn near(&self, i: usize) -> impl Iterator<Item = usize> {
        let count = self.shapes.len();
        let poses = &self.poses[i * count..(i + 1) * count];
        // Once a body, where pairs are many.
        let boxes: Vec<Aabb> =
            self.shapes.iter().zip(poses).map(|(shape, pose)| around(shape, pose)).collect();
        (0..self.pairs.len()).filter(move |&k| {
            let [a, b] = self.pairs[k].map(|body| &boxes[body as usize]);
            a.meets(b)
        })
    }
    /// A row of results for each configuration, which `row` appends.
    fn rows<T: Send + 'static>(
        self,
        py: Python<'_>,
        threads: Option<usize>,
        solids: bool,
        row: impl Fn(&mut Query, &Self, usize, &mut Vec<T>) + Send + Sync + 'static,
    ) -> PyResult<Vec<T>> {
        let triangles: usize = self.shapes.iter().map(|shape| shape.model().mesh().len()).sum();
        // Large solids, and many pairs, take long even in one configuration.
        let is_long = self.pairs.len() > 1_000 || solids && triangles > crate::run::FEW_TRIANGLES;
        ask_rows(py, self.count(), threads, is_long, move |query, i, results| row(query, &self, i, results))
    }
}

/// A box around a shape at a pose.
fn around(shape: &Shape, pose: &Pose) -> Aabb {
    let Aabb { lo, hi } = rotated(shape.model(), pose);
    if shape.radius() == 0.0 || lo[0] > hi[0] {
        return Aabb { lo, hi };
    }
    let by = shape.radius();
    Aabb { lo: lo.map(|x| (x - by).next_down()), hi: hi.map(|x| (x + by).next_up()) }
}

/// Test whether triangles of each pair meet in each configuration. The result has the shape (P, K).
#[pyfunction]
#[pyo3(signature = (models, poses, pairs, affine, threads, radii=None))]
fn _meet_in<'py>(
    py: Python<'py>,
    models: Vec<Py<PyModel>>,
    poses: &Bound<'py, PyAny>,
    pairs: &Bound<'py, PyAny>,
    affine: bool,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
    radii: Option<Vec<f64>>,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let all = Configurations::new(&models, radii, poses, pairs, affine, threads)?;
    let shape = [all.count(), all.pairs.len()];
    let meet = all.rows(py, threads, false, |query, all, i, meet| {
        let row = meet.len();
        meet.resize(row + all.pairs.len(), false);
        for k in all.near(i) {
            let [a, b] = all.bodies(i, k);
            meet[row + k] = query.intersects(&a, &b);
        }
    })?;
    arrays::list(py, meet).reshape(shape)
}

/// The first pair of each configuration whose triangles meet, or -1: shape (P,).
#[pyfunction]
fn _first_in<'py>(
    py: Python<'py>,
    models: Vec<Py<PyModel>>,
    poses: &Bound<'py, PyAny>,
    pairs: &Bound<'py, PyAny>,
    affine: bool,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let all = Configurations::new(&models, None, poses, pairs, affine, threads)?;
    let first = all.rows(py, threads, false, |query, all, i, first| {
        let mut meets = |k: &usize| {
            let [a, b] = all.bodies(i, *k);
            query.intersects(&a, &b)
        };
        first.push(all.near(i).find(|k| meets(k)).map_or(-1, |k| k as i64));
    })?;
    Ok(arrays::list(py, first))
}

/// The relation of each pair in each configuration, by its number in [`results::KINDS`]: shape (P, K).
#[pyfunction]
fn _relations_in<'py>(
    py: Python<'py>,
    models: Vec<Py<PyModel>>,
    poses: &Bound<'py, PyAny>,
    pairs: &Bound<'py, PyAny>,
    affine: bool,
    fill_rule: &str,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let fill_rule = results::fill_rule(fill_rule)?;
    let all = Configurations::new(&models, None, poses, pairs, affine, threads)?;
    let shape = [all.count(), all.pairs.len()];
    let kinds = all.rows(py, threads, true, move |query, all, i, kinds| {
        by_rule(query, fill_rule, |query| {
            let row = kinds.len();
            kinds.resize(row + all.pairs.len(), results::kind_number(RelationKind::Apart));
            for k in all.near(i) {
                let [a, b] = all.bodies(i, k);
                kinds[row + k] = results::kind_number(query.relation(&a.body(), &b.body()).kind);
            }
        });
    })?;
    arrays::list(py, kinds).reshape(shape)
}

/// Bounds of the distance of each pair in each configuration, NaN where it is more than `above`: two arrays
/// of shape (P, K). Solids are 0 apart if one is inside the other.
#[pyfunction]
#[pyo3(signature = (models, poses, pairs, affine, above, solids, threads, radii=None))]
#[expect(clippy::too_many_arguments)]
#[expect(clippy::type_complexity)]
fn _gaps_in<'py>(
    py: Python<'py>,
    models: Vec<Py<PyModel>>,
    poses: &Bound<'py, PyAny>,
    pairs: &Bound<'py, PyAny>,
    affine: bool,
    above: Option<f64>,
    solids: bool,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
    radii: Option<Vec<f64>>,
) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>)> {
    let accuracy = stop(above, false)?;
    let accuracy = if solids { accuracy.solids() } else { accuracy };
    let all = Configurations::new(&models, radii, poses, pairs, affine, threads)?;
    let shape = [all.count(), all.pairs.len()];
    let gaps = all.rows(py, threads, solids, move |query, all, i, gaps| {
        let gap = |k| {
            let [a, b] = all.bodies(i, k);
            query
                .with_accuracy(accuracy)
                .distance(&a, &b)
                .map_or((f64::NAN, f64::NAN), |gap| (gap.lo, gap.hi))
        };
        gaps.extend((0..all.pairs.len()).map(gap));
    })?;
    let (lo, hi) = gaps.into_iter().unzip();
    Ok((arrays::list(py, lo).reshape(shape)?, arrays::list(py, hi).reshape(shape)?))
}

/// The sweep of each pair from each configuration to the next one: its kind by its number, 0 if clear, 1 for a
/// contact and 2 if undecided, `free_until`, and `meets_at`, NaN if there is none. Three arrays of the shape
/// (P - 1, K). `margins` are those of the pairs.
#[pyfunction]
#[expect(clippy::type_complexity)]
fn _sweeps_in<'py>(
    py: Python<'py>,
    models: Vec<Py<PyModel>>,
    poses: &Bound<'py, PyAny>,
    pairs: &Bound<'py, PyAny>,
    margins: Vec<f64>,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<(Bound<'py, PyArray2<u8>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>)> {
    let all = Configurations::new(&models, None, poses, pairs, true, threads)?;
    let options = |margin: &f64| Ok(SweepOptions::new().margin(Margin::new(*margin)?));
    let options = margins.iter().map(options).collect::<Result<Vec<_>, Error>>();
    let options = options.map_err(|error| errors::error(&error))?;
    let edges = Edges::new(all)?;
    let shape = [edges.count(), edges.all.pairs.len()];
    let count = edges.count();
    let sweeps = ask_rows(py, count, threads, true, move |query, i, sweeps| {
        for (k, pair) in edges.all.pairs.iter().enumerate() {
            let [a, b] = pair.map(|body| edges.moving(i, body as usize));
            sweeps.push(query.sweep(a, b, &options[k]));
        }
    })?;
    let kinds = sweeps.iter().map(|sweep| match sweep {
        Sweep::Clear => 0_u8,
        Sweep::Contact { .. } => 1,
        Sweep::Near { .. } => 2,
    });
    let times = sweeps.iter().map(|sweep| sweep.meets_at().unwrap_or(f64::NAN));
    Ok((
        arrays::list(py, kinds.collect()).reshape(shape)?,
        arrays::list(py, sweeps.iter().map(Sweep::free_until).collect()).reshape(shape)?,
        arrays::list(py, times.collect()).reshape(shape)?,
    ))
}

/// Motions of bodies from each configuration to the next one.
struct Edges {
    all: Configurations,
    /// For each configuration but the last, a path of each body; `None` if it rests.
    paths: Vec<Option<Path>>,
}

impl Edges {
    fn new(all: Configurations) -> PyResult<Self> {
        let bodies = all.shapes.len();
        let ends = all.poses.get(bodies..).unwrap_or_default();
        let each = all.poses.iter().zip(ends).enumerate().map(|(i, (start, end))| {
            if start == end {
                return Ok(None);
            }
            let between = Path::between(start, end, [0.0; 3]);
            let place = || format!("poses[{}, {}]", i / bodies, i % bodies);
            between.map(Some).map_err(|error| errors::pose(&error, &place()))
        });
        let paths = each.collect::<PyResult<_>>()?;
        Ok(Self { all, paths })
    }
    fn count(&self) -> usize {
        self.all.count().saturating_sub(1)
    }
    fn moving(&self, i: usize, body: usize) -> Moving<'_> {
        let place = i * self.all.shapes.len() + body;
        let shape = &self.all.shapes[body];
        match &self.paths[place] {
            Some(path) => Moving::new(shape.model(), path),
            None => shape.at(self.all.poses[place]).into(),
        }
    }
}
