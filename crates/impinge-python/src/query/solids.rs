//! Relations of two bodies as solids.
use super::distances::{margin, stop_at};
use crate::{
    arrays,
    body::Subject,
    errors, results,
    run::{Work, ask},
};
use impinge::{
    Query,
    farthest::{Farthest, SolidSide},
    penetration::PenetrationParts,
    solid::FillRule,
};
use pyo3::prelude::*;

/// Adds the functions of this file to the module.
pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module: relation, overlaps, penetration, farthest_distance, certainty)
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
/// fill_rule : {"nonzero", "positive", "even_odd"}, optional
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
/// (<RelationKind.CONTAINS: 'contains'>, False)
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

/// Test whether the insides of two solids have a point in common. For a surface and a solid, test whether the
/// surface has a point inside of the solid. Touching does not count. Exact.
///
/// Parameters
/// ----------
/// a, b : Body
///     The bodies.
/// fill_rule : {"nonzero", "positive", "even_odd"}, optional
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
/// >>> impinge.intersects(a, b), impinge.overlaps(a, b)
/// (True, False)
#[pyfunction]
#[pyo3(signature = (a, b, *, fill_rule="nonzero"))]
fn overlaps(py: Python<'_>, a: Subject<'_, '_>, b: Subject<'_, '_>, fill_rule: &str) -> PyResult<bool> {
    let (a, b, fill_rule) = (a.get().owned(), b.get().owned(), results::fill_rule(fill_rule)?);
    ask(py, Work::of_bodies([&a, &b]), move |query| {
        by_rule(query, fill_rule, |query| query.overlaps(&a.body(), &b.body()))
    })
}

/// Measure the penetration of two bodies.
///
/// Parameters
/// ----------
/// a, b : Body
///     The bodies.
/// fill_rule : {"nonzero", "positive", "even_odd"}, optional
///     Which points are inside of a solid.
///
/// Returns
/// -------
/// Penetration
///     The volume in common as an interval, a corner that is deep inside, a translation of `b` that is
///     proved to part both, and bounds of the shortest one's length; None for what is not known.
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
/// >>> lo, hi = found.separating_distance
/// >>> lo <= 3 ** -0.5 <= hi and hi - lo < 1e-12
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
    let [volume, interference, distance] =
        [found.overlap_volume, found.interference_depth, found.separating_distance]
            .map(|both| both.map(|[lo, hi]| (lo, hi)));
    let fields = (volume, interference, depth.transpose()?, separating_translation, distance);
    results::make(py, "Penetration", fields)
}

/// Greatest distance of the points of `a`'s surface from `b`'s surface: of all, the directed Hausdorff
/// distance; of those inside of the solid `b`, how deep `a` reaches into it.
///
/// Parameters
/// ----------
/// a, b : Body
///     The bodies.
/// side : {"any", "inside", "outside"}, optional
///     The points that count, by the solid `b`. Points on its surface are on both sides.
/// rel : float, optional
///     Relative width of the interval: larger is faster.
/// abs : float, optional
///     Absolute width of the interval; the wider of both counts.
/// fill_rule : {"nonzero", "positive", "even_odd"}, optional
///     Which points are inside of a solid.
///
/// Returns
/// -------
/// DistanceBounds or None
///     An interval `lo` to `hi` that holds the distance; a point of `a` that is at least `lo` away, the
///     nearest point of `b` to it, and the triangles that they are of. None if no point of `a` is on the side,
///     or a body has no triangles.
///
/// Raises
/// ------
/// Error
///     A side is wanted, but `b` bounds no solid.
///
/// Examples
/// --------
/// >>> import impinge
/// >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
/// >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], faces))
/// >>> a = impinge.Body(model, [[1, 0, 0, 1], [0, 1, 0, 0.5], [0, 0, 1, 0.25]])
/// >>> found = impinge.farthest_distance(a, impinge.Body(model), side="inside")
/// >>> found.lo <= 3 / (2 + 3**0.5) <= found.hi and found.hi - found.lo < 0.001
/// True
#[pyfunction]
#[pyo3(signature = (a, b, *, side="any", rel=0.001, abs=0.0, fill_rule="nonzero"))]
fn farthest_distance<'py>(
    py: Python<'py>,
    a: Subject<'_, '_>,
    b: Subject<'_, '_>,
    side: &str,
    rel: f64,
    abs: f64,
    fill_rule: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (a, b, fill_rule) = (a.get().owned(), b.get().owned(), results::fill_rule(fill_rule)?);
    let side = match side {
        "any" => SolidSide::Any,
        "inside" => SolidSide::Inside,
        "outside" => SolidSide::Outside,
        other => {
            let text = format!("side must be 'any', 'inside' or 'outside', not '{other}'");
            return Err(errors::Error::new_err((text,)));
        }
    };
    let accuracy = stop_at(None, false, rel, false)?.abs(margin(abs)?);
    let found = ask(py, Work::of_bodies([&a, &b]), move |query| {
        by_rule(query, fill_rule, |query| {
            query.with_accuracy(accuracy).farthest_distance(&a.body(), &b.body(), side)
        })
    })?;
    match found {
        Farthest::At(found) => results::farthest(py, &found).map(Some),
        Farthest::NoPoint => Ok(None),
        Farthest::NoSolid => {
            let text = "b bounds no solid, so that no point is inside or outside of it; see Model.boundaries";
            Err(errors::Error::new_err((text,)))
        }
    }
}

/// Test whether the true bodies, which the triangles approximate, are as near as a clearance, or in each
/// other. They certainly are, certainly are not, or possibly are.
///
/// Parameters
/// ----------
/// a, b : Body
///     The bodies.
/// chords : tuple of (float, float)
///     The chordal error of each: the largest distance of its triangles from its true surface.
/// clearance : float, optional
///     The largest distance that counts as too near.
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
