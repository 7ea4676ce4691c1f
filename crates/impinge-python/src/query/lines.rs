//! Curves along which surfaces meet.
use crate::{
    arrays,
    body::Subject,
    results,
    run::{Work, ask},
};
use impinge::curves::{Curves, Feature, Line, LineKind, Patch};
use pyo3::prelude::*;

/// Adds the functions of this file to the module.
pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module: curves)
}

/// Find where the surfaces of two bodies meet: lines, patches in which faces coincide, and single points.
/// Exact but for the last rounding of each coordinate.
///
/// Parameters
/// ----------
/// a, b : Body
///     The bodies.
///
/// Returns
/// -------
/// Curves
///     Lines and patches name nodes, whose places are an array.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], faces))
/// >>> a, b = impinge.Body(model), impinge.Body(model, [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]])
/// >>> curves = impinge.curves(a, b)  # the corner of the second comes out of the slope of the first
/// >>> [line] = curves.lines
/// >>> line.closed, curves.nodes[line.nodes].tolist()
/// (True, [[1.0, 1.0, 2.0], [1.0, 2.0, 1.0], [2.0, 1.0, 1.0]])
#[pyfunction]
fn curves<'py>(py: Python<'py>, a: Subject<'_, '_>, b: Subject<'_, '_>) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (a.get().owned(), b.get().owned());
    let found = ask(py, Work::of_bodies([&a, &b]), move |query| query.curves(&a.body(), &b.body()).clone())?;
    make(py, &found)
}

fn make<'py>(py: Python<'py>, curves: &Curves) -> PyResult<Bound<'py, PyAny>> {
    let nodes = curves.nodes().iter().map(|node| node.point).collect();
    let features: Vec<_> = curves.nodes().iter().map(|node| node.features.map(feature)).collect();
    let features: Vec<(FeatureFields, FeatureFields)> = features.into_iter().map(|[a, b]| (a, b)).collect();
    let lines = curves.lines().map(|line| self::line(py, &line)).collect::<PyResult<Vec<_>>>()?;
    let patches = curves.patches().map(|patch| self::patch(py, &patch)).collect::<PyResult<Vec<_>>>()?;
    let interval = |[lo, hi]: [f64; 2]| (lo, hi);
    let fields = (
        arrays::table(py, nodes)?,
        features,
        lines,
        patches,
        arrays::list(py, curves.points().to_vec()),
        interval(curves.length()),
        interval(curves.area()),
        curves.self_crossing(),
    );
    results::make(py, "Curves", fields)
}

type FeatureFields = (&'static str, Vec<u32>);

fn feature(feature: Feature) -> FeatureFields {
    match feature {
        Feature::Vertex(v) => ("vertex", vec![v]),
        Feature::Edge(ends) => ("edge", ends.to_vec()),
        Feature::Triangle(t) => ("triangle", vec![t]),
    }
}

fn line<'py>(py: Python<'py>, line: &Line<'_>) -> PyResult<Bound<'py, PyAny>> {
    let kind = match line.kind {
        LineKind::Crossing => "crossing",
        LineKind::Edge => "edge",
        LineKind::Mixed => "mixed",
    };
    let [lo, hi] = line.length;
    let bounds = arrays::table(py, line.bounds.to_vec())?;
    results::make(py, "Line", (arrays::list(py, line.nodes.to_vec()), line.closed, kind, (lo, hi), bounds))
}

fn patch<'py>(py: Python<'py>, patch: &Patch<'_>) -> PyResult<Bound<'py, PyAny>> {
    let border = patch.border().map(|line| self::line(py, &line)).collect::<PyResult<Vec<_>>>()?;
    let (pairs, normal) =
        (arrays::table(py, patch.pairs().to_vec())?, arrays::list(py, patch.normal().to_vec()));
    let [lo, hi] = patch.area();
    results::make(py, "Patch", (pairs, normal, (lo, hi), border))
}
