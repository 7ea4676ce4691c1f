//! Relations of solids at many poses.
use super::{batch::Batch, one_body::refuse_no_solid, solids::by_rule};
use crate::{
    arrays,
    body::Subject,
    model::PyModel,
    operand::Operand,
    pool, results,
    run::{FEW_TRIANGLES, ask_each},
};
use impinge::{
    Body, Query,
    penetration::PenetrationParts,
    relation::{Relation, RelationKind},
    solid::FillRule,
};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;

/// Adds the functions of this file to the module.
pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module: relation_at, contains_at, penetration_at)
}

/// The result of a query of solids for each pose of a batch.
fn each<T: Send + 'static>(
    py: Python<'_>,
    batch: Batch,
    fill_rule: FillRule,
    threads: Option<usize>,
    question: impl Fn(&mut Query, &Body<'_>, &Body<'_>) -> T + Send + Sync + 'static,
) -> PyResult<Vec<T>> {
    // The examination of large solids cannot be stopped.
    let is_long = batch.a.body.model.mesh().len() + batch.b.mesh().len() > FEW_TRIANGLES;
    ask_each(py, batch.poses.len(), threads, is_long, move |query, i| {
        let (a, b) = (batch.a.body.body(), Body::new(&batch.b, batch.poses[i]));
        by_rule(query, fill_rule, |query| question(query, &a, &b))
    })
}

/// `relation` of `a` and `model_b` at each of many poses.
///
/// Parameters
/// ----------
/// a : Body
///     The body that stands still.
/// model_b : Model
///     The mesh that moves.
/// poses : array_like, shape (P, 4, 4) or (P, 3, 4)
///     The poses of `model_b`.
/// fill_rule : {"nonzero", "positive", "even_odd"}, optional
///     Which points are inside of a solid.
/// affine : bool, optional
///     Whether poses may scale, shear or mirror.
/// threads : int or None, optional
///     Number of threads that share the poses; None is `set_threads`' number.
///
/// Returns
/// -------
/// Relations
///     An entry for each pose.
///
/// Examples
/// --------
/// >>> import impinge, numpy
/// >>> box = impinge.Model(impinge.Mesh.box([2, 2, 2]))
/// >>> poses = numpy.tile(numpy.eye(4), (4, 1, 1))
/// >>> poses[:, 0, 3] = [0, 1, 2, 3]
/// >>> impinge.relation_at(impinge.Body(box), box, poses).kind.tolist()
/// ['duplicate', 'overlap', 'touch', 'apart']
#[pyfunction]
#[pyo3(signature = (a, model_b, poses, *, fill_rule="nonzero", affine=false, threads=None))]
fn relation_at<'py>(
    py: Python<'py>,
    a: Subject<'_, '_>,
    model_b: &Bound<'_, PyModel>,
    poses: &Bound<'_, PyAny>,
    fill_rule: &str,
    affine: bool,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (batch, fill_rule) =
        (Batch::<Operand>::new(a, model_b, poses, affine, threads)?, results::fill_rule(fill_rule)?);
    let (a, b) = (batch.a.body.clone(), Arc::clone(&batch.b));
    let relations = each(py, batch, fill_rule, threads, |query, a, b| query.relation(a, b))?;
    // They are the same at each pose, and those of the models where there is none.
    let (statuses, rules) =
        relations.first().map(|relation| (relation.status, relation.rules)).unwrap_or_else(|| {
            py.detach(|| ([&*a.model, &*b].map(|model| model.solid().status()), [fill_rule; 2]))
        });
    results::relations(py, &relations, statuses, rules)
}

/// Test whether `a` holds all of `model_b` at each of many poses, as a part of it or as the same set of
/// points. Exact.
///
/// Parameters
/// ----------
/// a : Body
///     The solid that stands still.
/// model_b : Model
///     The body that moves: a solid or a surface.
/// poses : array_like, shape (P, 4, 4) or (P, 3, 4)
///     The poses of `model_b`.
/// fill_rule : {"nonzero", "positive", "even_odd"}, optional
///     Which points are inside of a solid.
/// affine : bool, optional
///     Whether poses may scale, shear or mirror.
/// threads : int or None, optional
///     Number of threads that share the poses; None is `set_threads`' number.
///
/// Returns
/// -------
/// numpy.ndarray of bool, shape (P,)
///
/// Raises
/// ------
/// Error
///     The mesh of `a` bounds no solid: it is open, or has no interior. `relation_at` has a result a pose.
///
/// Examples
/// --------
/// >>> import impinge, numpy
/// >>> crate = impinge.Body(impinge.Model(impinge.Mesh.box([4, 4, 4])))
/// >>> part = impinge.Model(impinge.Mesh.box([2, 2, 2]))
/// >>> poses = numpy.tile(numpy.eye(4), (3, 1, 1))
/// >>> poses[:, 0, 3] = [0, 1, 1.5]
/// >>> impinge.contains_at(crate, part, poses)
/// array([ True,  True, False])
#[pyfunction]
#[pyo3(signature = (a, model_b, poses, *, fill_rule="nonzero", affine=false, threads=None))]
fn contains_at<'py>(
    py: Python<'py>,
    a: Subject<'_, '_>,
    model_b: &Bound<'_, PyModel>,
    poses: &Bound<'_, PyAny>,
    fill_rule: &str,
    affine: bool,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let (batch, fill_rule) =
        (Batch::<Operand>::new(a, model_b, poses, affine, threads)?, results::fill_rule(fill_rule)?);
    let body = batch.a.body.clone();
    let contained = each(py, batch, fill_rule, threads, |query, a, b| holds(&query.relation(a, b)))?;
    refuse_no_solid(&body)?;
    Ok(arrays::list(py, contained))
}

/// True if the first body of a relation is a solid that has all points of the second.
fn holds(relation: &Relation) -> bool {
    let [a, b] = relation.status;
    match relation.kind {
        RelationKind::Contains | RelationKind::Duplicate => a.is_closed(),
        // One of them is a surface, inside of the other.
        RelationKind::SurfaceInside => a.is_closed() && !b.is_closed(),
        _ => false,
    }
}

/// `penetration` of `a` and `model_b` at each of many poses: the depth of the overlap, and a translation that
/// parts the bodies.
///
/// Parameters
/// ----------
/// a : Body
///     The body that stands still.
/// model_b : Model
///     The mesh that moves.
/// poses : array_like, shape (P, 4, 4) or (P, 3, 4)
///     The poses of `model_b`.
/// fill_rule : {"nonzero", "positive", "even_odd"}, optional
///     Which points are inside of a solid.
/// affine : bool, optional
///     Whether poses may scale, shear or mirror.
/// threads : int or None, optional
///     Number of threads that share the poses; None is `set_threads`' number.
///
/// Returns
/// -------
/// Penetrations
///     An entry for each pose; NaN for what is not known.
///
/// Examples
/// --------
/// >>> import impinge, numpy
/// >>> box = impinge.Model(impinge.Mesh.box([2, 2, 2]))
/// >>> poses = numpy.tile(numpy.eye(4), (2, 1, 1))
/// >>> poses[:, 0, 3] = [1.5, 3]
/// >>> found = impinge.penetration_at(impinge.Body(box), box, poses)
/// >>> found.direction[0], found.volume.round(9)
/// (array([1., 0., 0.]), array([2., 0.]))
#[pyfunction]
#[pyo3(signature = (a, model_b, poses, *, fill_rule="nonzero", affine=false, threads=None))]
fn penetration_at<'py>(
    py: Python<'py>,
    a: Subject<'_, '_>,
    model_b: &Bound<'_, PyModel>,
    poses: &Bound<'_, PyAny>,
    fill_rule: &str,
    affine: bool,
    #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (batch, fill_rule) =
        (Batch::<Operand>::new(a, model_b, poses, affine, threads)?, results::fill_rule(fill_rule)?);
    let wanted = PenetrationParts::all();
    let found = each(py, batch, fill_rule, threads, move |query, a, b| query.penetration(a, b, &wanted))?;
    let nan = f64::NAN;
    let volumes = found.iter().map(|found| found.overlap_volume.unwrap_or([nan; 2])).collect();
    let interferences = found.iter().map(|found| found.interference_depth.unwrap_or([nan; 2])).collect();
    let depths = found.iter().map(|found| found.depth_at_least.map_or(nan, |depth| depth.length)).collect();
    let corner = |depth: &impinge::penetration::Depth| [depth.body as i64, i64::from(depth.vertex)];
    let corners = found.iter().map(|found| found.depth_at_least.as_ref().map_or([-1; 2], corner)).collect();
    let ways = found.iter().map(|found| found.separating_translation.unwrap_or([nan; 3])).collect();
    let distances = found.iter().map(|found| found.separating_distance.unwrap_or([nan; 2])).collect();
    let fields = (
        arrays::table(py, volumes)?,
        arrays::table(py, interferences)?,
        arrays::list(py, depths),
        arrays::table::<i64, 2>(py, corners)?,
        arrays::table(py, ways)?,
        arrays::table(py, distances)?,
    );
    results::make_batch(py, "Penetrations", fields)
}
