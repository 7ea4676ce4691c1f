//! Lines of a summary about parts that files have and an assembly has not.
use impinge_io::{Omission, OmissionKind};
use impinge_report::SummaryLine;

/// The line about parts without a mesh, and that about parts left out on purpose, where there are some.
pub(crate) fn lines(omissions: &[Omission]) -> impl Iterator<Item = SummaryLine> {
    let line = |kind, name, text| {
        let some = omissions.iter().filter(|omission| omission.kind == kind);
        let count = some.map(|omission| omission.count as u64).sum();
        (count > 0).then(|| SummaryLine::new(name, count, text))
    };
    let why = "parts, in whole or in part: no mesh could be made of what the files have";
    let lines = [
        line(OmissionKind::Failed, "Missing", why),
        line(OmissionKind::LeftOut, "Left out", "parts, on purpose"),
    ];
    lines.into_iter().flatten()
}
