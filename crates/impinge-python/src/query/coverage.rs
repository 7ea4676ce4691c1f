//! Whether simple shapes cover a part: `coverage`.
use crate::{
    arrays,
    body::Subject,
    errors,
    operand::Operand,
    pool,
    run::{Work, ask, ask_each},
};
use impinge::{
    Query,
    coverage::{Coverage, CoverageOptions, Excess, ExcessOptions, Proxy},
};
use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyList, PyTuple},
};

/// Adds the functions of this file to the module.
pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module: coverage, coverage_each)
}

/// The result of `coverage`: what is proved about the cover of a part.
///
/// Attributes
/// ----------
/// covered : bool or None
///     Whether each point of the part is in an element of the proxy; None if it is undecided.
/// uncovered : tuple of (float, float)
///     Bounds of the greatest distance of a point of the part from the proxy, which is also the least length
///     by which all radii have to grow. Both are 0 if it is covered.
/// witness : numpy.ndarray of float64, shape (3,), or None
///     A point of the part that is in no element, and as far outside as the lower bound.
/// triangle : int or None
///     The triangle of the part that has the witness.
/// excess : tuple of (float, float) or None
///     Bounds of the greatest distance of a point of the proxy from the part, or from its inside if the mesh
///     is closed. None unless it was asked for.
/// excess_witness : numpy.ndarray of float64, shape (3,), or None
///     A point of the proxy that is as far from the part as the lower bound.
/// proxy_volume : tuple of (float, float) or None
///     Bounds of the volume of the proxy, the union of its elements. None unless it was asked for.
/// pieces : int
///     The number of pieces into which triangles were divided.
#[pyclass(frozen, name = "Coverage", module = "impinge.results")]
pub(crate) struct PyCoverage {
    found: Coverage,
    excess: Option<Excess>,
    volume: Option<[f64; 2]>,
}

#[pymethods]
impl PyCoverage {
    #[getter]
    fn covered(&self) -> Option<bool> {
        self.found.covered
    }
    #[getter]
    fn uncovered(&self) -> (f64, f64) {
        self.found.depth.into()
    }
    #[getter]
    fn witness<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.found.witness.map(|witness| arrays::list(py, witness.point.to_vec()))
    }
    #[getter]
    fn triangle(&self) -> Option<u32> {
        self.found.witness.map(|witness| witness.triangle)
    }
    #[getter]
    fn excess(&self) -> Option<(f64, f64)> {
        self.excess.map(|excess| excess.distance.into())
    }
    #[getter]
    fn excess_witness<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.excess?.witness.map(|witness| arrays::list(py, witness.to_vec()))
    }
    #[getter]
    fn proxy_volume(&self) -> Option<(f64, f64)> {
        self.volume.map(Into::into)
    }
    #[getter]
    fn pieces(&self) -> u64 {
        self.found.pieces
    }
    fn __repr__(&self) -> String {
        let [lo, hi] = self.found.depth;
        match self.found.covered {
            Some(true) => "Coverage(covered=True)".into(),
            Some(false) => format!("Coverage(covered=False, uncovered=({lo}, {hi}))"),
            None => format!("Coverage(covered=None, uncovered=({lo}, {hi}))"),
        }
    }
}

/// The elements of a proxy.
#[derive(Default)]
struct Elements {
    balls: Vec<[f64; 4]>,
    bodies: Vec<Operand>,
}

impl Elements {
    /// Takes a body, an array of balls, or a list of both.
    fn take(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(body) = object.extract::<Operand>() {
            self.bodies.push(body);
            return Ok(());
        }
        let is_list = object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>();
        if is_list {
            let items = object.try_iter()?.collect::<PyResult<Vec<_>>>()?;
            // Rows of numbers are one array.
            let is_element = |item: &Bound<'_, PyAny>| {
                item.extract::<Operand>().is_ok() || item.hasattr("ndim").unwrap_or(false)
            };
            if items.iter().any(is_element) {
                return items.iter().try_for_each(|item| self.take(item));
            }
        }
        let numbers = arrays::floats("proxy", object)?;
        let &[_, 4] = numbers.shape() else {
            return Err(arrays::wrong_shape("proxy", "(N, 4): x, y, z and radius", numbers.shape()));
        };
        let numbers = arrays::in_order(&numbers);
        self.balls.extend_from_slice(numbers.as_chunks::<4>().0);
        Ok(())
    }
}

/// Decide whether simple shapes cover a part, and by how much they do not. Proved, not sampled.
///
/// The part is its surface. It is covered if each of its points is in an element of the proxy.
///
/// Parameters
/// ----------
/// body : Body
///     The part.
/// proxy : array_like of shape (N, 4), Body, Rounded, or a list of these
///     Shapes that stand for the part: balls (x, y, z and radius, in the world), bodies with their insides,
///     capsules, hulls, all with or without radii.
/// accuracy : float, optional
///     The width of the interval `uncovered`, as a part of it.
/// tolerance : float, optional
///     A length: pieces that stick out by less are divided no further, and leave the result undecided if
///     nothing else is uncovered. None is 2**-20 of the part's size.
/// margin : float, optional
///     A length: each point of the part has to be so deep in one element. Then all points no farther than it
///     from the part are in the proxy.
/// excess : bool, optional
///     Whether to find how far the proxy reaches beyond the part, to 1 %, and its volume.
/// verdict_only : bool, optional
///     Whether one uncovered point is enough; the upper bound is then infinite.
///
/// Returns
/// -------
/// results.Coverage
///
/// Raises
/// ------
/// Error
///     A ball that is not finite or has a negative radius; an accuracy or a tolerance that is not positive;
///     a negative margin.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> box = impinge.Body(impinge.Model(impinge.Mesh.box([2, 1, 1])))
/// >>> impinge.coverage(box, [[-0.5, 0, 0, 0.9], [0.5, 0, 0, 0.9]])
/// Coverage(covered=True)
/// >>> found = impinge.coverage(box, [[-0.5, 0, 0, 0.8], [0.5, 0, 0, 0.8]])
/// >>> found.covered, round(found.uncovered[1], 4), abs(found.witness).tolist()
/// (False, 0.066, [1.0, 0.5, 0.5])
/// >>> lo, hi = impinge.coverage(box, [[-0.5, 0, 0, 0.9], [0.5, 0, 0, 0.9]], excess=True).excess
/// >>> lo <= 0.4 <= hi < 0.405
/// True
#[pyfunction]
#[pyo3(signature = (
    body, proxy, *, accuracy=1e-3, tolerance=None, margin=0.0, excess=false, verdict_only=false
))]
#[expect(clippy::too_many_arguments)]
fn coverage(
    py: Python<'_>,
    body: Subject<'_, '_>,
    proxy: &Bound<'_, PyAny>,
    accuracy: f64,
    tolerance: Option<f64>,
    margin: f64,
    excess: bool,
    verdict_only: bool,
) -> PyResult<PyCoverage> {
    let options = options(accuracy, tolerance, margin, verdict_only)?;
    let pair = Covered::new(body, proxy)?;
    ask(py, Work::Long, move |query| pair.decide(query, &options, excess))
}

/// Decide for each of many parts whether simple shapes cover it: `coverage`, on all cores.
///
/// Parameters
/// ----------
/// pairs : sequence of (Body, proxy)
///     Each part with its proxy: see `coverage`.
/// accuracy, tolerance, margin, excess, verdict_only : optional
///     See `coverage`.
/// threads : int or None, optional
///     Number of threads that share the pairs; None is `set_threads`' number.
///
/// Returns
/// -------
/// list of results.Coverage
///
/// Examples
/// --------
/// >>> import impinge
/// >>> box = impinge.Body(impinge.Model(impinge.Mesh.box([2, 1, 1])))
/// >>> small, large = ([[-0.5, 0, 0, radius], [0.5, 0, 0, radius]] for radius in (0.8, 0.9))
/// >>> [found.covered for found in impinge.coverage_each([(box, small), (box, large)])]
/// [False, True]
#[pyfunction]
#[pyo3(signature = (
    pairs, *, accuracy=1e-3, tolerance=None, margin=0.0, excess=false, verdict_only=false, threads=None
))]
#[expect(clippy::too_many_arguments)]
fn coverage_each(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    accuracy: f64,
    tolerance: Option<f64>,
    margin: f64,
    excess: bool,
    verdict_only: bool,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Vec<PyCoverage>> {
    let options = options(accuracy, tolerance, margin, verdict_only)?;
    let mut all = Vec::new();
    for (row, pair) in pairs.try_iter()?.enumerate() {
        let pair = pair?;
        let (body, proxy) = pair.extract::<(Subject<'_, '_>, Bound<'_, PyAny>)>().map_err(|_| {
            PyTypeError::new_err(format!("pairs: row {row} must be a Body and its proxy, as (body, proxy)"))
        })?;
        all.push(Covered::new(body, &proxy)?);
    }
    ask_each(py, all.len(), threads, true, move |query, i| all[i].decide(query, &options, excess))
}

fn options(
    accuracy: f64,
    tolerance: Option<f64>,
    margin: f64,
    verdict_only: bool,
) -> PyResult<CoverageOptions> {
    let options = || {
        let options = CoverageOptions::new().accuracy(accuracy)?.verdict_only(verdict_only);
        let options = if margin == 0.0 { options } else { options.margin(margin)? };
        tolerance.map_or(Ok(options), |tolerance| options.tolerance(tolerance))
    };
    options().map_err(|error| errors::error(&error))
}

/// A part and what may cover it.
struct Covered {
    part: Operand,
    balls: Proxy<'static>,
    bodies: Vec<Operand>,
}

impl Covered {
    fn new(body: Subject<'_, '_>, proxy: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut elements = Elements::default();
        elements.take(proxy)?;
        let Elements { balls, bodies } = elements;
        let balls = Proxy::balls(&balls).map_err(|error| errors::error(&error))?;
        Ok(Self { part: Operand::from(body), balls, bodies })
    }
    fn decide(&self, query: &mut Query, options: &CoverageOptions, excess: bool) -> PyCoverage {
        let proxy = self.bodies.iter().fold(self.balls.clone(), |proxy, body| proxy.with(body.get()));
        let (body, wanted) = (self.part.body.body(), ExcessOptions::new());
        PyCoverage {
            found: query.coverage(&body, &proxy, options),
            excess: excess.then(|| query.excess(&body, &proxy, &wanted)),
            volume: excess.then(|| query.proxy_volume(&proxy, &wanted)),
        }
    }
}
