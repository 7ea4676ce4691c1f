//! Results as Python has them: the classes of `impinge._results` and `impinge._batches`.
use impinge::{
    Body,
    certainty::Certainty,
    distance::DistanceBounds,
    farthest::FarthestPoint,
    rays::{Ray, RayHit},
    relation::{Relation, RelationKind},
    solid::{Closedness, FillRule, Location},
};
use impinge_check::relations as names;
use pyo3::{BoundObject, prelude::*, sync::PyOnceLock, types::PyTuple};

/// A new instance of a class of `impinge._results`.
pub(crate) fn make<'py>(
    py: Python<'py>,
    class: &str,
    fields: impl IntoPyObject<'py, Target = PyTuple, Error: Into<PyErr>>,
) -> PyResult<Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    of_module(py, &MODULE, "impinge._results", class, fields)
}

/// A new instance of a class of `impinge._batches`.
pub(crate) fn make_batch<'py>(
    py: Python<'py>,
    class: &str,
    fields: impl IntoPyObject<'py, Target = PyTuple, Error: Into<PyErr>>,
) -> PyResult<Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    of_module(py, &MODULE, "impinge._batches", class, fields)
}

fn of_module<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyAny>>,
    module: &str,
    class: &str,
    fields: impl IntoPyObject<'py, Target = PyTuple, Error: Into<PyErr>>,
) -> PyResult<Bound<'py, PyAny>> {
    let module = cell.get_or_try_init(py, || Ok::<_, PyErr>(py.import(module)?.into_any().unbind()))?;
    let fields = fields.into_pyobject(py).map_err(Into::into)?.into_bound();
    module.bind(py).getattr(class)?.call1(&fields)
}

/// A member of an enumeration of `impinge._results`.
pub(crate) fn member<'py>(py: Python<'py>, class: &str, name: &str) -> PyResult<Bound<'py, PyAny>> {
    make(py, class, (name,))
}

/// All kinds of relations, in the order of `impinge.results.RelationKind`.
const KINDS: [RelationKind; 9] = [
    RelationKind::Apart,
    RelationKind::Touch,
    RelationKind::Overlap,
    RelationKind::Inside,
    RelationKind::Contains,
    RelationKind::Duplicate,
    RelationKind::Pierce,
    RelationKind::SurfaceInside,
    RelationKind::Meet,
];

/// The number of a kind in the order of `impinge.results.RelationKind`.
pub(crate) fn kind_number(kind: RelationKind) -> u8 {
    KINDS.iter().position(|&one| one == kind).map_or(u8::MAX, |number| number as u8)
}

/// Relations of two models at many poses: `impinge.results.Relations`.
pub(crate) fn relations<'py>(
    py: Python<'py>,
    all: &[Relation],
    [first, second]: [Closedness; 2],
    rules: [FillRule; 2],
) -> PyResult<Bound<'py, PyAny>> {
    let kinds = all.iter().map(|relation| kind_number(relation.kind)).collect();
    let touching = all.iter().map(|relation| relation.touching).collect();
    let witness = |relation: &Relation| relation.witness.map_or([-1; 2], |pair| pair.map(i64::from));
    let witnesses = crate::arrays::table(py, all.iter().map(witness).collect())?;
    let [of_first, of_second] = rules.map(|rule| member(py, "FillRule", names::fill_rule_name(rule)));
    let statuses = (status(py, first)?, status(py, second)?);
    let kinds = crate::arrays::list::<u8>(py, kinds);
    let touching = crate::arrays::list::<bool>(py, touching);
    make_batch(py, "Relations", (kinds, touching, witnesses, statuses, (of_first?, of_second?)))
}

pub(crate) fn status(py: Python<'_>, status: Closedness) -> PyResult<Bound<'_, PyAny>> {
    member(py, "Closedness", names::closedness_name(status))
}

/// The rule of that name.
pub(crate) fn fill_rule(name: &str) -> PyResult<FillRule> {
    [FillRule::NonZero, FillRule::Positive, FillRule::EvenOdd]
        .into_iter()
        .find(|&rule| names::fill_rule_name(rule) == name)
        .ok_or_else(|| {
            crate::errors::value(format!(
                "fill_rule must be 'nonzero', 'positive' or 'even_odd', not {name:?}"
            ))
        })
}

pub(crate) fn certainty(py: Python<'_>, certainty: Certainty) -> PyResult<Bound<'_, PyAny>> {
    let name = match certainty {
        Certainty::Clear => "clear",
        Certainty::Possible => "possible",
        Certainty::Definite => "definite",
    };
    member(py, "Certainty", name)
}

/// The number that `impinge.results.Location` has for it.
pub(crate) fn location(location: Location) -> i8 {
    match location {
        Location::Outside => 0,
        Location::Inside => 1,
        Location::OnSurface => 2,
        Location::Undefined => 3,
    }
}

pub(crate) fn relation<'py>(py: Python<'py>, relation: &Relation) -> PyResult<Bound<'py, PyAny>> {
    let kind = member(py, "RelationKind", names::name(relation.kind))?;
    let [first, second] = relation.status;
    let [of_first, of_second] =
        relation.rules.map(|rule| member(py, "FillRule", names::fill_rule_name(rule)));
    let statuses = (status(py, first)?, status(py, second)?);
    let witness = relation.witness.map(|[i, j]| (i, j));
    make(py, "Relation", (kind, relation.touching, witness, statuses, (of_first?, of_second?)))
}

pub(crate) fn gap<'py>(py: Python<'py>, gap: &DistanceBounds) -> PyResult<Bound<'py, PyAny>> {
    let points = crate::arrays::table(py, gap.points.to_vec())?;
    make(py, "DistanceBounds", (gap.lo, gap.hi, (gap.triangles[0], gap.triangles[1]), points))
}

pub(crate) fn farthest<'py>(py: Python<'py>, found: &FarthestPoint) -> PyResult<Bound<'py, PyAny>> {
    let points = crate::arrays::table(py, found.points.to_vec())?;
    make(py, "DistanceBounds", (found.lo, found.hi, (found.triangles[0], found.triangles[1]), points))
}

pub(crate) fn ray_hit<'py>(
    py: Python<'py>,
    hit: &RayHit,
    body: &Body<'_>,
    ray: &Ray,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = |[lo, hi]: [f64; 2]| (lo, hi);
    let [point, normal] = [hit_point(hit, ray), normal(body, hit.triangle)];
    let fields = (
        hit.triangle,
        pair(hit.enter),
        pair(hit.leave),
        hit.crossing,
        crate::arrays::list(py, point.to_vec()),
        crate::arrays::list(py, normal.to_vec()),
    );
    make(py, "RayHit", fields)
}

/// The first point at which a ray meets a triangle, rounded.
pub(crate) fn hit_point(hit: &RayHit, ray: &Ray) -> [f64; 3] {
    ray.at(hit.enter[0] + (hit.enter[1] - hit.enter[0]) / 2.0)
}

/// The unit normal of a triangle in the world, rounded; NaN where f64 gives none.
pub(crate) fn normal(body: &Body<'_>, triangle: u32) -> [f64; 3] {
    let [a, b, c] = body.model.mesh().corners(triangle).map(|corner| body.pose.place(corner));
    let [u, v] = [b, c].map(|end| std::array::from_fn::<f64, 3, _>(|k| end[k] - a[k]));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = cross[0].hypot(cross[1]).hypot(cross[2]);
    cross.map(|x| x / length)
}
