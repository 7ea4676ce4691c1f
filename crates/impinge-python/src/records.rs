//! Parts, clashes, near pairs and findings of a report: the classes of `impinge._records` and
//! `impinge._findings` inherit from these.
use crate::{
    errors, part,
    report::{PointTuple, PyReport, triple},
    results,
};
use impinge_check::{Report, baseline::Why, parts::Sure, relations};
use pyo3::{prelude::*, types::PyDict};
use std::{path::PathBuf, sync::Arc};

type BoundsTuple = (f64, f64);
type Member = Option<Py<PyAny>>;

/// The report of a `Report` of Python.
fn native(report: &Bound<'_, PyAny>) -> PyResult<Arc<Report>> {
    Ok(report.getattr("_native")?.cast::<PyReport>()?.get().shared())
}

pub(crate) fn check_index(index: usize, count: usize) -> PyResult<()> {
    if index < count { Ok(()) } else { Err(errors::index(format!("{index} is not below {count}"))) }
}

/// A member of an enumeration of `impinge._results`.
fn member(py: Python<'_>, class: &str, name: Option<&str>) -> PyResult<Member> {
    name.map(|name| results::member(py, class, name).map(Bound::unbind)).transpose()
}

fn pair([lo, hi]: [f64; 2]) -> BoundsTuple {
    (lo, hi)
}

/// A class whose fields are given as `name: type = value`. A call of it takes a `Report` of Python and an
/// index, the first field. The values may use the interpreter and the report by the names in parentheses.
macro_rules! record {
    (
        $(#[$about:meta])*
        $class:ident $name:literal ($py:ident, $all:ident) { $($prepare:tt)* }
        $(#[$of_index:meta])* $index:ident,
        $($(#[$doc:meta])* $field:ident: $type:ty = $value:expr,)*
    ) => {
        $(#[$about])*
        #[pyclass(frozen, subclass, get_all, name = $name, module = "impinge._core")]
        pub(crate) struct $class {
            $(#[$of_index])* $index: usize,
            $($(#[$doc])* $field: $type,)*
        }
        #[pymethods]
        impl $class {
            #[new]
            fn new(report: &Bound<'_, PyAny>, $index: usize) -> PyResult<Self> {
                let ($py, $all) = (report.py(), native(report)?);
                $($prepare)*
                Ok(Self { $index, $($field: $value,)* })
            }
        }
    };
}

record! {
    /// What `CheckedPart` inherits.
    PyCheckedPart "_CheckedPart" (py, all) {
        check_index(index, all.part_count())?;
        let part = all.part(index as u32);
        let solid = part.solid();
        let known = all.assembly().and_then(|all| all.parts.get(index));
        let text = |text: &Option<Arc<str>>| text.as_deref().map(str::to_owned);
        let properties = known.map(|known| part::to_dict(py, &known.properties)).transpose()?;
    }
    /// Its index in the assembly.
    index,
    /// Its name.
    name: String = part.name().to_owned(),
    /// The file that it came from; ``memory`` if it came from none.
    file: PathBuf = part.file().to_path_buf(),
    /// The number of its triangles.
    triangles: usize = part.triangles(),
    /// Whether its mesh bounds a solid; None if the check was about surfaces alone.
    status: Member = member(py, "Closedness", solid.map(|it| relations::closedness_name(it.status)))?,
    /// Which points are inside of it; None of a surface.
    fill_rule: Member = member(py, "FillRule", part.fill_rule().map(relations::fill_rule_name))?,
    /// The number of edges that do not close.
    open_edges: usize = solid.map_or(0, |it| it.open_edges),
    /// The number of holes, or borders, that they make up.
    holes: usize = solid.map_or(0, |it| it.holes),
    /// The middle of an edge of the widest hole, where the part is; rounded.
    open_at: Option<PointTuple> = solid.and_then(|it| it.at).map(|at| triple(part.pose().place(at))),
    /// The longest side of the box around that hole, in the mesh's own frame.
    hole_width: Option<f64> = solid.and_then(|it| it.width),
    /// Its chord tolerance in the check, if that had any.
    chord: Option<f64> = part.chord(),
    /// Names in the file's hierarchy, as of `Part`; None if the report came from a plan.
    path: Option<String> = known.map(|known| known.path.to_string()),
    /// The identifier that the input gives.
    guid: Option<String> = known.and_then(|known| text(&known.guid)),
    /// The type that the input gives.
    r#type: Option<String> = known.and_then(|known| text(&known.class)),
    /// Further data of the input.
    properties: Py<PyDict> = properties.unwrap_or_else(|| PyDict::new(py)).unbind(),
}

record! {
    /// What `Clash` inherits.
    PyClash "_Clash" (py, all) {
        check_index(index, all.clashes().len())?;
        let clash = &all.clashes()[index];
        let depth = all.depth(clash).copied().unwrap_or_default();
    }
    /// Its index in `Report.clashes`.
    index,
    /// Indices of both parts.
    _parts: (u32, u32) = clash.parts.into(),
    /// Whether it is a finding.
    counts: bool = all.counts(clash),
    /// The relation of `a` to `b`; None if the check was about surfaces alone.
    relation: Member = member(py, "RelationKind", clash.relation.map(relations::name))?,
    /// Whether the true parts clash for certain, if the check has chord tolerances.
    certainty: Member = member(py, "Certainty", clash.certainty.map(Sure::name))?,
    /// The number of pairs of their triangles that meet.
    triangle_pairs: u64 = clash.triangle_pairs,
    /// A point of both, rounded: where they meet, or in the one that is inside the other.
    point: PointTuple = triple(clash.point),
    /// Lower and upper bound of the volume that both have in common, if it was computed.
    volume: Option<BoundsTuple> = depth.overlap_volume.map(pair),
    /// Lower and upper bound of how deep the surface of either part reaches into the other. None if it is not
    /// known, and of parts that have more than half of one in common.
    interference_depth: Option<BoundsTuple> = depth.interference_depth.map(pair),
    /// A corner of one of them lies so deep inside of the other.
    depth_at_least: Option<f64> = depth.depth_at_least,
    /// A translation of `b` after which no point is inside of both.
    separating_translation: Option<PointTuple> = depth.separating_translation.map(triple),
    /// The length of that translation, rounded up; None if it is not less than the least side of both parts.
    separating_distance: Option<f64> = depth.separating_distance,
    /// Whether the interference depth or that translation is within the check's tolerance; None without one.
    shallow: Option<bool> = all.is_within_tolerance(clash),
    /// Whether the depth was wanted, but more triangle pairs meet than are listed.
    depth_not_computed: bool = all.is_unmeasured(clash),
}

record! {
    /// What `NearPair` inherits.
    PyNearPair "_NearPair" (py, all) {
        check_index(index, all.near().len())?;
        let near = &all.near()[index];
    }
    /// Its index in `Report.near`.
    index,
    /// Indices of both parts.
    _parts: (u32, u32) = near.parts.into(),
    /// Lower and upper bound of the distance.
    distance: BoundsTuple = pair(near.distance),
    /// The nearest points, on `a` and on `b`; rounded.
    points: (PointTuple, PointTuple) = near.points.map(triple).into(),
    /// Whether the true parts are so near for certain, if the check has chord tolerances.
    certainty: Member = member(py, "Certainty", near.certainty.map(Sure::name))?,
}

record! {
    /// What `Finding` inherits.
    PyFinding "_Finding" (_py, all) {
        check_index(index, all.findings().len())?;
        let finding = &all.findings()[index];
        let test = &all.tests()[finding.test as usize];
        let (size, seen) = (all.size_of(finding), all.status(index));
    }
    /// Its index in `Report.findings`.
    index,
    /// Its place in the list of its kind.
    _record: u32 = finding.record(),
    /// Indices of its parts.
    _parts: Vec<u32> = finding.parts().to_vec(),
    /// The name of the test; "check" in a check without rules.
    test: String = test.name.clone(),
    /// The severity of the test: "low", "medium", "high" or "critical".
    severity: &'static str = test.severity.name(),
    /// The relation of the parts, a member of `RelationKind`; or "near", "self", "floating", "lost_contact"
    /// or "min_gap".
    kind: &'static str = finding.kind.name(),
    /// Upper bound of the volume that both parts have in common, if it was computed.
    volume: Option<f64> = size.volume.map(|[_, hi]| hi),
    /// Lower bound of that volume. Ranks go by it.
    volume_at_least: Option<f64> = size.volume.map(|[lo, _]| lo),
    /// Upper bound of the interference depth: how deep the surface of either part reaches into the other.
    depth: Option<f64> = size.depth,
    /// The length of a translation that takes the parts out of each other, if it is shorter than they are
    /// thick.
    separating_distance: Option<f64> = size.separating_distance,
    /// Upper bound of the distance of parts that are near, of the gap around a group that floats, or of the
    /// least gap along poses.
    distance: Option<f64> = size.distance,
    /// A point of it, rounded: of both parts, or of the first one.
    point: Option<PointTuple> = all.point_of(finding).map(triple),
    /// Whether a placement error that the rules state (``[placement]``) would undo it; None if not known.
    fragile: Option<bool> = all.is_fragile(finding),
    /// Its id, which stays from delivery to delivery; None without a baseline.
    id: Option<String> = seen.map(|seen| seen.id.to_string()),
    /// "new", "reopened", "active", "reviewed" or "approved"; None without a baseline.
    status: Option<&'static str> = seen.map(|seen| seen.status.name()),
    /// Why it was reopened: "came back", "expired", "graver" or "grew"; None if it was not.
    reopened: Option<&'static str> = seen.and_then(|seen| seen.why).map(Why::name),
}
