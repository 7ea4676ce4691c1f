//! Contacts and groups that float of a report.
use crate::report::{PointTuple, PyReport, triple};
use impinge_check::{records::Dimension, relations};
use pyo3::prelude::*;

type Bounds = (f64, f64);
/// Parts, whether they are a finding, relation, dimension, length and area, point.
type EdgeTuple =
    (u32, u32, bool, Option<&'static str>, Option<&'static str>, Option<(Bounds, Bounds)>, PointTuple);
/// Parts of a group; of the nearest parts: the own, the other, bounds of the distance, points.
type FloatingTuple = (Vec<u32>, Option<(u32, u32, Bounds, (PointTuple, PointTuple))>);

fn pair([a, b]: [f64; 2]) -> Bounds {
    (a, b)
}

/// Edges and components of the contact graph.
#[pyfunction]
pub(crate) fn _contact_graph(py: Python<'_>, report: &PyReport) -> (Vec<EdgeTuple>, Vec<Vec<u32>>) {
    let report = report.shared();
    py.detach(move || {
        let graph = report.contact_graph();
        let counts = report.clashes().iter().map(|clash| report.counts(clash));
        let edges = graph.edges().iter().zip(counts).map(|(edge, counts)| {
            let [a, b] = edge.parts;
            let contact = edge.contact.map(|contact| (pair(contact.length), pair(contact.area)));
            let relation = edge.relation.map(relations::name);
            (a, b, counts, relation, edge.dimension.map(Dimension::name), contact, triple(edge.point))
        });
        (edges.collect(), graph.components().to_vec())
    })
}

/// Groups that float, if the check looked for them.
#[pyfunction]
pub(crate) fn _floating(report: &PyReport) -> Option<Vec<FloatingTuple>> {
    let report = report.shared();
    let all = report.floating()?.iter().map(|one| {
        let nearest = one.nearest.map(|near| {
            let [p, q] = near.points;
            (near.part, near.other, pair(near.distance), (triple(p), triple(q)))
        });
        (one.parts.clone(), nearest)
    });
    Some(all.collect())
}
