//! Relations of two bodies as solids.
use super::distances::margin;
use crate::{
    arrays,
    body::Subject,
    results,
    run::{Work, ask},
};
use impinge::{Query, penetration::PenetrationParts, solid::FillRule};
use pyo3::prelude::*;

/// Adds the functions of this file to the module.
pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module: relation, interiors_meet, penetration, certainty)
}

/// Runs a query with a rule for inner points.
pub(super) fn by_rule<T>(query: &mut Query, fill_rule: FillRule, ask: impl FnOnce(&mut Query) -> T) -> T {
    if fill_rule == FillRule::default() {
        // The usual rule costs nothing: a new query takes longer than many questions.
        return ask(query);
    }
    *query = std::mem::take(query).fill_rule(fill_rule);
    let answer = ask(query);
    *query = std::mem::take(query).fill_rule(FillRule::default());
    answer
}

/// Relation of two bodies as sets of points: apart, touching, overlapping, one in the other.
/// Exact.
///
/// Parameters
/// ----------
/// a, b : Body
///     The bodies. One whose mesh is closed is a solid, others are surfaces.
/// fill_rule : {"nonzero", "positive", "parity"}, optional
///     Which points are inside of a solid, by how often its mesh winds round them.
///
/// Returns
/// -------
/// Relation
///     Its `kind` is a `RelationKind`; it also has whether surfaces touch, which triangles do, and which of the
///     bodies are solids.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], faces))
/// >>> a = impinge.Body(model)
/// >>> b = impinge.Body(model, [[0.5, 0, 0, 0.5], [0, 0.5, 0, 0.5], [0, 0, 0.5, 0.5]], affine=True)
/// >>> relation = impinge.relation(a, b)
/// >>> relation.kind, relation.touching
/// (<RelationKind.B_IN_A: 'b_in_a'>, False)
#[pyfunction]
#[pyo3(signature = (a, b, *, fill_rule="nonzero"))]
fn relation<'py>(
    py: Python<'py>,
    a: Subject<'_, '_>,
    b: Subject<'_, '_>,
    fill_rule: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b, fill_rule) = (a.get().owned(), b.get().owned(), results::fill_rule(fill_rule)?);
    let relation = ask(py, Work::of_bodies([&a, &b]), move |query| {
        by_rule(query, fill_rule, |query| query.relation(&a.body(), &b.body()))
    });
    results::relation(py, &relation?)
}

/// Whether the insides of two solids have a point in common; of a surface and a solid, whether the surface
/// has a point inside of the solid. Touching does not count. Exact.
///
/// Parameters
/// ----------
/// a, b : Body
///     The bodies.
/// fill_rule : {"nonzero", "positive", "parity"}, optional
///     Which points are inside of a solid.
///
/// Returns
/// -------
/// bool
///
/// Examples
/// --------
/// >>> import impinge
/// >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], faces))
/// >>> a, b = impinge.Body(model), impinge.Body(model, [[1, 0, 0, 4], [0, 1, 0, 0], [0, 0, 1, 0]])
/// >>> impinge.intersects(a, b), impinge.interiors_meet(a, b)
/// (True, False)
#[pyfunction]
#[pyo3(signature = (a, b, *, fill_rule="nonzero"))]
fn interiors_meet(py: Python<'_>, a: Subject<'_, '_>, b: Subject<'_, '_>, fill_rule: &str) -> PyResult<bool> {
    let (a, b, fill_rule) = (a.get().owned(), b.get().owned(), results::fill_rule(fill_rule)?);
    ask(py, Work::of_bodies([&a, &b]), move |query| {
        by_rule(query, fill_rule, |query| query.interiors_meet(&a.body(), &b.body()))
    })
}

/// Penetration of two bodies in each other.
///
/// Parameters
/// ----------
/// a, b : Body
///     The bodies.
/// fill_rule : {"nonzero", "positive", "parity"}, optional
///     Which points are inside of a solid.
///
/// Returns
/// -------
/// Penetration
///     The volume in common as an interval, a corner that is deep inside, and a translation of `b` that is
///     proved to part both; None for what is not known.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], faces))
/// >>> a, b = impinge.Body(model), impinge.Body(model, [[1, 0, 0, 3], [0, 1, 0, 0], [0, 0, 1, 0]])
/// >>> found = impinge.penetration(a, b)
/// >>> lo, hi = found.overlap_volume
/// >>> lo <= 1 / 6 <= hi and hi - lo < 1e-12
/// True
/// >>> t = found.separating_translation
/// >>> round(float((t @ t) ** 0.5), 12) == round(3 ** -0.5, 12)
/// True
#[pyfunction]
#[pyo3(signature = (a, b, *, fill_rule="nonzero"))]
fn penetration<'py>(
    py: Python<'py>,
    a: Subject<'_, '_>,
    b: Subject<'_, '_>,
    fill_rule: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b, fill_rule) = (a.get().owned(), b.get().owned(), results::fill_rule(fill_rule)?);
    let found = ask(py, Work::of_bodies([&a, &b]), move |query| {
        by_rule(query, fill_rule, |query| query.penetration(&a.body(), &b.body(), &PenetrationParts::all()))
    })?;
    let depth = found
        .depth_at_least
        .map(|depth| results::make(py, "Depth", (depth.length, depth.body, depth.vertex)));
    let separating_translation = found.separating_translation.map(|by| arrays::list(py, by.to_vec()));
    let volume = found.overlap_volume.map(|[lo, hi]| (lo, hi));
    results::make(py, "Penetration", (volume, depth.transpose()?, separating_translation))
}

/// Whether the true bodies, which the triangles approximate, are as near as a clearance, or in each other:
/// certainly, certainly not, or possibly.
///
/// Parameters
/// ----------
/// a, b : Body
///     The bodies.
/// chords : tuple of (float, float)
///     How far the triangles of each are from its true surface, at most: the chordal error.
/// clearance : float, optional
///     How near they may not be.
///
/// Returns
/// -------
/// Certainty
///
/// Examples
/// --------
/// >>> import impinge
/// >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], faces))
/// >>> a, b = impinge.Body(model), impinge.Body(model, [[1, 0, 0, 4.5], [0, 1, 0, 0], [0, 0, 1, 0]])
/// >>> impinge.certainty(a, b, (0.125, 0.125)), impinge.certainty(a, b, (0.25, 0.25))
/// (<Certainty.CLEAR: 'clear'>, <Certainty.POSSIBLE: 'possible'>)
#[pyfunction]
#[pyo3(signature = (a, b, chords, clearance=0.0))]
fn certainty<'py>(
    py: Python<'py>,
    a: Subject<'_, '_>,
    b: Subject<'_, '_>,
    chords: (f64, f64),
    clearance: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (a.get().owned(), b.get().owned());
    let (chords, clearance) = ([margin(chords.0)?, margin(chords.1)?], margin(clearance)?);
    let certainty = ask(py, Work::of_bodies([&a, &b]), move |query| {
        query.certainty(&a.body(), &b.body(), chords, clearance)
    });
    results::certainty(py, certainty?)
}
