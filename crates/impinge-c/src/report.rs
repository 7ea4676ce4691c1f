//! Reports: findings as records, and as files.
use crate::{
    border::{Buffer, place, text},
    handle::{Shell, free, handle, shared},
    model::impinge_interval,
    status::{Done, Failure, call, impinge_status},
};
use ::impinge_report::{FORMATS, Format};
use impinge::relation::RelationKind;
use impinge_check::{Finding, FindingKind, Report, parts::Sure};
use impinge_io::write_whole;
use std::{ffi::c_char, mem::MaybeUninit, path::Path};

/// The result of impinge_check(). It never changes, so that threads can share it.
pub struct impinge_report(Shell<Report>);
handle!(impinge_report, Report, b"im repor");

/// The kind of a finding.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum impinge_finding_kind {
    /// Both parts have inside points in common, and each has others of its own.
    Overlap = 0,
    /// The first part lies in the second.
    Inside = 1,
    /// The second part lies in the first.
    Contains = 2,
    /// Both parts are the same set of points.
    Duplicate = 3,
    /// A surface without an inside crosses a solid.
    Pierce = 4,
    /// A surface without an inside lies in a solid.
    SurfaceInside = 5,
    /// Two surfaces meet.
    Meet = 6,
    /// The parts have points of their surfaces in common, none of their insides.
    Touch = 7,
    /// The parts do not meet, and are within the clearance.
    Near = 8,
    /// The mesh of one part meets itself.
    SelfIntersection = 9,
    /// A part touches nothing.
    Floating = 10,
    /// Another kind, which this version of the header has no name for.
    Other = 11,
}

impl From<FindingKind> for impinge_finding_kind {
    fn from(kind: FindingKind) -> Self {
        match kind {
            FindingKind::Clash(Some(kind)) => match kind {
                RelationKind::Overlap => Self::Overlap,
                RelationKind::Inside => Self::Inside,
                RelationKind::Contains => Self::Contains,
                RelationKind::Duplicate => Self::Duplicate,
                RelationKind::Pierce => Self::Pierce,
                RelationKind::SurfaceInside => Self::SurfaceInside,
                RelationKind::Meet => Self::Meet,
                RelationKind::Touch => Self::Touch,
                RelationKind::Apart => Self::Other,
            },
            FindingKind::Clash(None) => Self::Meet,
            FindingKind::Near => Self::Near,
            FindingKind::SelfIntersection => Self::SelfIntersection,
            FindingKind::Floating => Self::Floating,
            _ => Self::Other,
        }
    }
}

/// Whether the true parts, which the triangles approximate, have the finding.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum impinge_sure {
    /// The check had no chord error.
    Unknown = 0,
    /// The triangles do not determine it.
    Possible = 1,
    /// The true parts certainly have it.
    Definite = 2,
}

/// One finding of a check. What was not measured is NaN.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_finding {
    /// Its kind: the relation of the first part to the second.
    pub kind: impinge_finding_kind,
    /// Whether the true parts have it.
    pub sure: impinge_sure,
    /// The first part, by its index in the assembly.
    pub part_a: u32,
    /// The second part; the same as the first for a finding about one part.
    pub part_b: u32,
    /// The index of its test in the rules; 0 without rules.
    pub test: u32,
    /// The number of pairs of triangles that meet.
    pub triangle_pairs: u64,
    /// A point of it, rounded.
    pub point: [f64; 3],
    /// The volume in common.
    pub overlap_volume: impinge_interval,
    /// The depth of the surface of either part in the other.
    pub interference_depth: impinge_interval,
    /// A translation of the second part that separates them.
    pub separating_translation: [f64; 3],
    /// The distance of near parts.
    pub distance: impinge_interval,
}

fn record(report: &Report, finding: &Finding) -> impinge_finding {
    let parts = finding.parts();
    let (clash, near) = (report.clash_of(finding), report.near_of(finding));
    let depth = clash.and_then(|clash| report.depth(clash));
    let sure = clash.and_then(|clash| clash.certainty).or(near.and_then(|near| near.certainty));
    impinge_finding {
        kind: finding.kind.into(),
        sure: match sure {
            None => impinge_sure::Unknown,
            Some(Sure::Possible) => impinge_sure::Possible,
            Some(Sure::Definite) => impinge_sure::Definite,
        },
        part_a: parts[0],
        part_b: parts[parts.len() - 1],
        test: finding.test,
        triangle_pairs: clash.map_or(0, |clash| clash.triangle_pairs),
        point: report.point_of(finding).unwrap_or([f64::NAN; 3]),
        overlap_volume: depth.and_then(|depth| depth.overlap_volume).into(),
        interference_depth: depth.and_then(|depth| depth.interference_depth).into(),
        separating_translation: depth.and_then(|depth| depth.separating_translation).unwrap_or([f64::NAN; 3]),
        distance: near.map(|near| near.distance).into(),
    }
}

/// Numbers of a check: what was examined, and what not.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_coverage_counts {
    /// Parts.
    pub parts: usize,
    /// Pairs of parts that the check was about.
    pub part_pairs: u64,
    /// Pairs among these whose boxes meet.
    pub boxes_overlap: u64,
    /// Pairs among these whose triangles were tested.
    pub tested: u64,
    /// Pairs that were not examined. Unless it is 0, the check is incomplete.
    pub not_examined: u64,
    /// Parts of files that have no usable mesh. Unless it is 0, the check is incomplete.
    pub parts_not_examined: u64,
    /// Parts that bound no solid.
    pub not_closed: u64,
    /// Findings.
    pub findings: usize,
    /// Warnings: see impinge_report_warning().
    pub warnings: usize,
}

/// Reads the numbers of a check.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_report_counts(
    report: Option<&impinge_report>,
    out_counts: Option<&mut MaybeUninit<impinge_coverage_counts>>,
) -> impinge_status {
    call(|| {
        let (report, out) = (shared(report)?, place(out_counts, "out_counts")?);
        let coverage = report.coverage();
        out.write(impinge_coverage_counts {
            parts: coverage.parts,
            part_pairs: coverage.part_pairs,
            boxes_overlap: coverage.boxes_overlap,
            tested: coverage.tested,
            not_examined: coverage.not_examined,
            parts_not_examined: coverage.parts_not_examined,
            not_closed: coverage.solids.as_ref().map_or(0, |solids| solids.not_closed),
            findings: report.findings().len(),
            warnings: report.warnings().len(),
        });
        Ok(())
    })
}

/// Copies the findings into a buffer, the gravest first.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_report_findings(
    report: Option<&impinge_report>,
    findings: *mut impinge_finding,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let report = shared(report)?;
        let buffer = unsafe { Buffer::new(findings, capacity, out_count) }?;
        buffer.fill(report.ranked_findings().iter().map(|finding| record(report, finding)))
    })
}

/// Copies a warning into a buffer, with a NUL at its end that does not count: "file: place: text".
///
/// Errors: there is no such warning, IMPINGE_STATUS_BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_report_warning(
    report: Option<&impinge_report>,
    index: usize,
    warning: *mut c_char,
    capacity: usize,
    out_length: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let found = shared(report)?.warnings().get(index);
        let found = found.ok_or_else(|| Failure::argument(format!("there is no warning {index}")))?;
        let place = found.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        let line = format!("{}: {place}{}", found.file, found.text);
        unsafe { Buffer::new(warning, capacity, out_length) }?.fill_text(&line)
    })
}

fn format(name: &str) -> Done<Format> {
    let found = FORMATS.iter().find(|format| format.name == name).copied();
    found.ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        Failure::argument(format!("'{name}' is no format; there are {}", names.join(", ")))
    })
}

/// Writes a report to a file, which appears whole or not at all. The format is "table", "json", "html",
/// "csv", "markdown", "junit", "dot", "bcf", "navisworks", "glb" or "xlsx"; empty: that of the path's
/// extension.
///
/// Errors: an unknown format, IMPINGE_STATUS_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_report_save(
    report: Option<&impinge_report>,
    format: *const c_char,
    format_length: usize,
    path: *const c_char,
    path_length: usize,
) -> impinge_status {
    call(|| {
        let report = shared(report)?;
        let name = unsafe { text(format, format_length, "format") }?;
        let path = Path::new(unsafe { text(path, path_length, "path") }?);
        let format = match name {
            "" => Format::of_file(path).ok_or_else(|| {
                Failure::argument(format!("{} has no extension of a format", path.display()))
            })?,
            name => self::format(name)?,
        };
        let written = write_whole(path, |out| (format.writer)().write(report, out));
        written.map_err(|error| Failure::from(error).at(path.display()))
    })
}

/// Writes a report in a format of impinge_report_save() into a buffer of bytes.
///
/// Errors: an unknown format, IMPINGE_STATUS_BUFFER_TOO_SMALL. Each call writes the whole report again: begin
/// with a large buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_report_write(
    report: Option<&impinge_report>,
    format: *const c_char,
    format_length: usize,
    bytes: *mut u8,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let report = shared(report)?;
        let format = self::format(unsafe { text(format, format_length, "format") }?)?;
        let buffer = unsafe { Buffer::new(bytes, capacity, out_count) }?;
        let mut written = Vec::new();
        (format.writer)().write(report, &mut written)?;
        buffer.fill(written.into_iter())
    })
}

/// Frees a report. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_report_free(report: *mut impinge_report) {
    unsafe { free(report) };
}
