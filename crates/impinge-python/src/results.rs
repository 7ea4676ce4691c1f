//! Results as Python has them: the classes of `impinge._results`.
use impinge::{
    certainty::Certainty,
    distance::Gap,
    rays::RayHit,
    relation::{Relation, RelationKind},
    solid::{Closedness, FillRule, Location},
};
use pyo3::{BoundObject, intern, prelude::*, sync::PyOnceLock, types::PyTuple};

/// A new instance of a class of `impinge._results`.
pub(crate) fn make<'py>(
    py: Python<'py>,
    class: &str,
    fields: impl IntoPyObject<'py, Target = PyTuple, Error: Into<PyErr>>,
) -> PyResult<Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || {
        Ok::<_, PyErr>(py.import(intern!(py, "impinge._results"))?.into_any().unbind())
    })?;
    let fields = fields.into_pyobject(py).map_err(Into::into)?.into_bound();
    module.bind(py).getattr(class)?.call1(&fields)
}

fn member<'py>(py: Python<'py>, class: &str, name: &str) -> PyResult<Bound<'py, PyAny>> {
    make(py, class, (name,))
}

pub(crate) fn kind_name(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Apart => "apart",
        RelationKind::Touch => "touch",
        RelationKind::Overlap => "overlap",
        RelationKind::AInB => "a_in_b",
        RelationKind::BInA => "b_in_a",
        RelationKind::Same => "same",
        RelationKind::Pierce => "pierce",
        RelationKind::InsideOpen => "inside_open",
        RelationKind::Meet => "meet",
    }
}

pub(crate) fn status(py: Python<'_>, status: Closedness) -> PyResult<Bound<'_, PyAny>> {
    let name = match status {
        Closedness::Closed => "closed",
        Closedness::ClosedByParity => "closed_by_parity",
        Closedness::Open => "open",
        Closedness::NoInterior => "no_interior",
    };
    member(py, "Closedness", name)
}

fn fill_rule_name(fill_rule: FillRule) -> &'static str {
    match fill_rule {
        FillRule::NonZero => "nonzero",
        FillRule::Positive => "positive",
        FillRule::EvenOdd => "parity",
    }
}

/// The rule of that name.
pub(crate) fn fill_rule(name: &str) -> PyResult<FillRule> {
    [FillRule::NonZero, FillRule::Positive, FillRule::EvenOdd]
        .into_iter()
        .find(|&rule| fill_rule_name(rule) == name)
        .ok_or_else(|| {
            crate::errors::value(format!("fill_rule must be 'nonzero', 'positive' or 'parity', not {name:?}"))
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

/// The number that `impinge.Location` has for it.
pub(crate) fn location(location: Location) -> i8 {
    match location {
        Location::Outside => 0,
        Location::Inside => 1,
        Location::OnSurface => 2,
        Location::Undefined => 3,
    }
}

pub(crate) fn relation<'py>(py: Python<'py>, relation: &Relation) -> PyResult<Bound<'py, PyAny>> {
    let kind = member(py, "RelationKind", kind_name(relation.kind))?;
    let [first, second] = relation.status;
    let [of_first, of_second] = relation.rules.map(|rule| member(py, "FillRule", fill_rule_name(rule)));
    let statuses = (status(py, first)?, status(py, second)?);
    let witness = relation.witness.map(|[i, j]| (i, j));
    make(py, "Relation", (kind, relation.touching, witness, statuses, (of_first?, of_second?)))
}

pub(crate) fn gap<'py>(py: Python<'py>, gap: &Gap) -> PyResult<Bound<'py, PyAny>> {
    let points = crate::arrays::table(py, gap.points.to_vec())?;
    make(py, "Gap", (gap.lo, gap.hi, (gap.triangles[0], gap.triangles[1]), points))
}

pub(crate) fn ray_hit<'py>(py: Python<'py>, hit: &RayHit) -> PyResult<Bound<'py, PyAny>> {
    let pair = |[lo, hi]: [f64; 2]| (lo, hi);
    make(py, "RayHit", (hit.triangle, pair(hit.enter), pair(hit.leave), hit.crossing))
}
