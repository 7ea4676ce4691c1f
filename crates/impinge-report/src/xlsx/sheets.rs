//! The sheets of a report.
use super::{
    cell::Cell,
    coverage,
    sheet::{Column, Sheet, SheetRow},
};
use crate::{
    groups::{finding_word, parts},
    keys::keys,
};
use impinge_check::{
    FindingKind, Report, Unit,
    parts::Sure,
    relations,
    report::{FindingSize, Group},
};
use std::{
    collections::{BTreeMap, HashMap},
    rc::Rc,
};

/// The sheets, in order; the first `drawn` groups have pictures.
pub(super) fn all<'a>(report: &'a Report, groups: &'a [Group], drawn: usize) -> Vec<Sheet<'a>> {
    let mut sheets = vec![of_groups(report, groups, drawn), findings(report, groups), clashes(report)];
    sheets.extend((!report.near().is_empty()).then(|| near(report)));
    sheets.push(matrix(report));
    sheets.extend(types(report));
    sheets.push(coverage::sheet(report));
    sheets.push(not_examined(report));
    sheets
}

/// The parts of the gravest finding of a group and their relation, in words.
pub(super) fn title(report: &Report, group: &Group) -> String {
    let names = group.findings.first().map(|&first| {
        let parts = parts(report, &report.findings()[first as usize]).into_iter().flatten();
        parts.map(|part| report.part(part).name()).collect::<Vec<_>>().join(" × ")
    });
    format!("{} {}", names.unwrap_or_default(), finding_word(group.kind))
}

/// A heading with the unit of its numbers; `power` 3 is of volumes.
fn measured(report: &Report, what: &str, power: usize) -> Column {
    let unit = report.unit().map(Unit::symbol);
    let unit = unit.map_or_else(String::new, |unit| format!(" ({unit}{})", ["", "", "²", "³"][power]));
    Column::new(format!("{what}{unit}"), 14)
}

fn point(report: &Report) -> [Column; 3] {
    ["x", "y", "z"].map(|axis| measured(report, axis, 1))
}

/// Columns of this heading for both parts.
fn pair(what: &str, width: u32) -> [Column; 2] {
    ["A", "B"].map(|part| Column::new(format!("{what} {part}"), width))
}

const NAME: u32 = 34;
const WORD: u32 = 14;

/// A part's name, or nothing.
fn name(report: &Report, part: Option<u32>) -> Cell<'_> {
    Cell::some_text(part.map(|part| report.part(part).name()))
}

/// A lower and an upper bound.
fn bounds<'a>(both: Option<[f64; 2]>) -> [Cell<'a>; 2] {
    both.map_or([None; 2], |both| both.map(Some)).map(Cell::number)
}

/// Bounds of the volume, depth, separating distance, gap.
fn of_size<'a>(size: &FindingSize) -> [Cell<'a>; 5] {
    let [least, most] = bounds(size.volume);
    let [depth, separating, gap] = [size.depth, size.separating_distance, size.distance].map(Cell::number);
    [least, most, depth, separating, gap]
}

fn of_groups<'a>(report: &'a Report, groups: &'a [Group], drawn: usize) -> Sheet<'a> {
    let has_labels = groups.iter().any(|group| group.labels.is_some());
    let keys = Rc::new(keys(report));
    let mut columns = vec![Column::new("picture", 28), Column::new("group", 8)];
    columns.extend(pair("part", NAME));
    columns.extend(pair("label", NAME).into_iter().filter(|_| has_labels));
    columns.extend(["relation", "test", "severity", "status"].map(|what| Column::new(what, WORD)));
    columns.extend(["findings", "placements"].map(|what| Column::new(what, 11)));
    columns.extend([
        measured(report, "volume at least", 3),
        measured(report, "volume at most", 3),
        measured(report, "depth", 1),
        measured(report, "separating distance", 1),
        measured(report, "gap at most", 1),
    ]);
    columns.extend(point(report));
    columns.push(Column::new("id of the gravest", 20));
    let row = move |i: usize| -> SheetRow<'a> {
        let group = &groups[i];
        let first = group.findings[0];
        let finding = &report.findings()[first as usize];
        let test = &report.tests()[group.test as usize];
        let mut row = vec![Cell::Empty, Cell::Count(i as u64 + 1)];
        row.extend(parts(report, finding).map(|part| name(report, part)));
        if has_labels {
            let labels = group.labels.as_ref().map(|labels| labels.each_ref().map(|label| &**label));
            row.extend(labels.map_or([None; 2], |labels| labels.map(Some)).map(Cell::some_text));
        }
        row.extend([finding_word(group.kind), &test.name, test.severity.name()].map(Cell::text));
        row.push(Cell::some_text(report.status(first as usize).map(|seen| seen.status.name())));
        row.extend([group.findings.len(), group.placements].map(|count| Cell::Count(count as u64)));
        row.extend(of_size(&group.size));
        row.extend(Cell::point(report.point_of(finding)));
        row.push(Cell::text(keys[first as usize].clone()));
        row
    };
    Sheet { title: "Groups", columns, count: groups.len(), row: Box::new(row), pictures: drawn }
}

fn findings<'a>(report: &'a Report, groups: &[Group]) -> Sheet<'a> {
    let mut group_of = vec![None; report.findings().len()];
    for (number, group) in (1..).zip(groups) {
        group.findings.iter().for_each(|&i| group_of[i as usize] = Some(number));
    }
    let keys = keys(report);
    let mut columns = vec![Column::new("id", 20), Column::new("group", 8)];
    columns.extend(["relation", "test", "severity", "status"].map(|what| Column::new(what, WORD)));
    columns.extend(pair("part", NAME));
    columns.extend(["volume at least", "volume at most"].map(|what| measured(report, what, 3)));
    columns.extend(["depth", "separating distance", "gap at most"].map(|what| measured(report, what, 1)));
    columns.extend(point(report));
    let row = move |i: usize| -> SheetRow<'a> {
        let finding = &report.findings()[i];
        let test = &report.tests()[finding.test as usize];
        let mut row = vec![Cell::text(keys[i].clone())];
        row.push(group_of[i].map_or(Cell::Empty, Cell::Count));
        row.extend([finding_word(finding.kind), &test.name, test.severity.name()].map(Cell::text));
        row.push(Cell::some_text(report.status(i).map(|seen| seen.status.name())));
        row.extend(parts(report, finding).map(|part| name(report, part)));
        row.extend(of_size(&report.size_of(finding)));
        row.extend(Cell::point(report.point_of(finding)));
        row
    };
    let count = report.findings().len();
    Sheet { title: "Findings", columns, count, row: Box::new(row), pictures: 0 }
}

/// Index, name, file, type and identifier of both parts.
fn columns_of_parts() -> impl Iterator<Item = Column> {
    let widths = [("index", 8), ("part", NAME), ("file", 24), ("type", 16), ("guid", 24)];
    widths.into_iter().flat_map(|(what, width)| pair(what, width))
}

fn cells_of_parts(report: &Report, both: [u32; 2]) -> impl Iterator<Item = Cell<'_>> {
    let of = both.map(|part| report.part(part));
    let index = of.map(|part| Cell::Count(u64::from(part.index())));
    let names = of.map(|part| Cell::text(part.name()));
    let files = of.map(|part| Cell::text(part.file().to_string_lossy()));
    let types = of.map(|part| Cell::some_text(part.class()));
    let guids = of.map(|part| Cell::some_text(part.guid()));
    [index, names, files, types, guids].into_iter().flatten()
}

fn clashes(report: &Report) -> Sheet<'_> {
    let mut columns: Vec<Column> = columns_of_parts().collect();
    columns.extend(["relation", "touching", "counts", "certainty"].map(|what| Column::new(what, WORD)));
    columns.push(Column::new("triangle pairs", WORD));
    columns.extend(point(report));
    columns.extend(["volume at least", "volume at most"].map(|what| measured(report, what, 3)));
    let lengths = ["interference depth at least", "interference depth at most", "depth at least"];
    columns.extend(lengths.map(|what| measured(report, what, 1)));
    columns
        .extend(["x", "y", "z"].map(|axis| measured(report, &format!("separating translation {axis}"), 1)));
    columns.push(measured(report, "separating distance", 1));
    columns.extend(["shallow", "depth not computed"].map(|what| Column::new(what, WORD)));
    let row = move |i: usize| {
        let clash = &report.clashes()[i];
        let depth = report.depth(clash);
        let mut row: SheetRow<'_> = cells_of_parts(report, clash.parts).collect();
        row.push(Cell::text(clash.relation.map_or("meet", relations::name)));
        row.extend([clash.is_touching(), report.counts(clash)].map(Cell::Is));
        row.push(Cell::some_text(clash.certainty.map(Sure::name)));
        row.push(Cell::Count(clash.triangle_pairs));
        row.extend(clash.point.map(Cell::Number));
        row.extend(bounds(depth.and_then(|depth| depth.overlap_volume)));
        row.extend(bounds(depth.and_then(|depth| depth.interference_depth)));
        row.push(Cell::number(depth.and_then(|depth| depth.depth_at_least)));
        row.extend(Cell::point(depth.and_then(|depth| depth.separating_translation)));
        row.push(Cell::number(depth.and_then(|depth| depth.separating_distance)));
        row.push(Cell::is(report.is_within_tolerance(clash)));
        let is_unmeasured = report.is_unmeasured(clash);
        row.push(Cell::some_text(is_unmeasured.then_some("too many triangle pairs")));
        row
    };
    let count = report.clashes().len();
    Sheet { title: "Clashes", columns, count, row: Box::new(row), pictures: 0 }
}

fn near(report: &Report) -> Sheet<'_> {
    let mut columns: Vec<Column> = columns_of_parts().collect();
    columns.extend(["gap at least", "gap at most"].map(|what| measured(report, what, 1)));
    columns.push(Column::new("certainty", WORD));
    let of = ["x A", "y A", "z A", "x B", "y B", "z B"];
    columns.extend(of.map(|what| measured(report, what, 1)));
    let row = move |i: usize| {
        let near = &report.near()[i];
        let mut row: SheetRow<'_> = cells_of_parts(report, near.parts).collect();
        row.extend(near.distance.map(Cell::Number));
        row.push(Cell::some_text(near.certainty.map(Sure::name)));
        row.extend(near.points.into_iter().flatten().map(Cell::Number));
        row
    };
    Sheet { title: "Near", columns, count: report.near().len(), row: Box::new(row), pictures: 0 }
}

/// The numbers of each test, and of its findings by relation.
fn matrix(report: &Report) -> Sheet<'_> {
    let mut kinds: Vec<FindingKind> = Vec::new();
    let mut counts: HashMap<(u32, FindingKind), u64> = HashMap::new();
    for finding in report.findings() {
        let count = counts.entry((finding.test, finding.kind)).or_default();
        *count += 1;
        if *count == 1 && !kinds.contains(&finding.kind) {
            kinds.push(finding.kind);
        }
    }
    kinds.sort_by_key(|kind| kind.name());
    let mut columns = vec![Column::new("test", NAME), Column::new("severity", WORD)];
    let numbers = [
        "pairs",
        "boxes apart",
        "ignored",
        "not examined",
        "tested",
        "shallow",
        "ignored findings",
        "findings",
    ];
    columns.extend(numbers.map(|what| Column::new(what, 11)));
    columns.extend(kinds.iter().map(|kind| Column::new(kind.name(), 11)));
    let row = move |i: usize| {
        let test = &report.tests()[i];
        let mut row = vec![Cell::text(&*test.name), Cell::text(test.severity.name())];
        row.extend([test.asked, test.boxes_apart, test.ignored, test.not_examined].map(Cell::Count));
        row.extend([test.tested, test.shallow, test.ignored_findings, test.findings].map(Cell::Count));
        let of = |kind: &FindingKind| counts.get(&(i as u32, *kind)).copied().unwrap_or_default();
        row.extend(kinds.iter().map(|kind| Cell::Count(of(kind))));
        row
    };
    Sheet { title: "Matrix", columns, count: report.tests().len(), row: Box::new(row), pictures: 0 }
}

/// Findings by the types of their parts, if parts have types.
fn types(report: &Report) -> Option<Sheet<'_>> {
    report.parts().any(|part| part.class().is_some()).then_some(())?;
    let mut counts: BTreeMap<[Option<&str>; 2], u64> = BTreeMap::new();
    for finding in report.findings() {
        let class = |part: &u32| report.part(*part).class();
        let mut both = match finding.parts() {
            [a, b] => [class(a), class(b)],
            one => [one.first().and_then(class), None],
        };
        if finding.parts().len() == 2 {
            both.sort_unstable();
        }
        *counts.entry(both).or_default() += 1;
    }
    let rows: Vec<_> = counts.into_iter().collect();
    let mut columns: Vec<Column> = pair("type", NAME).into();
    columns.push(Column::new("findings", 11));
    let count = rows.len();
    let row = move |i: usize| {
        let (both, count) = rows[i];
        let [a, b] = both.map(Cell::some_text);
        vec![a, b, Cell::Count(count)]
    };
    Some(Sheet { title: "Types", columns, count, row: Box::new(row), pictures: 0 })
}

/// Pairs for which there was no time, then parts of files that the assembly has not.
fn not_examined(report: &Report) -> Sheet<'_> {
    let (pairs, omissions) = (report.not_examined(), report.omissions());
    let mut columns = vec![Column::new("what", 16)];
    columns.extend(pair("part", NAME));
    columns.extend([Column::new("file", 24), Column::new("guid", 24), Column::new("type", 16)]);
    columns.extend([Column::new("count", 8), Column::new("reason", 60)]);
    let row = move |i: usize| {
        if let Some(parts) = pairs.get(i) {
            let [a, b] = parts.map(|part| Cell::text(report.part(part).name()));
            let reason = Cell::text("the time was up");
            return vec![
                Cell::text("pair"),
                a,
                b,
                Cell::Empty,
                Cell::Empty,
                Cell::Empty,
                Cell::Count(1),
                reason,
            ];
        }
        let one = &omissions[i - pairs.len()];
        let what = if one.is_failed() { "part not read" } else { "part left out" };
        vec![
            Cell::text(what),
            Cell::some_text(one.name.as_deref()),
            Cell::Empty,
            Cell::text(&*one.file),
            Cell::some_text(one.guid.as_deref()),
            Cell::some_text(one.class.as_deref()),
            Cell::Count(one.count),
            Cell::text(&*one.reason),
        ]
    };
    let count = pairs.len() + omissions.len();
    Sheet { title: "Not examined", columns, count, row: Box::new(row), pictures: 0 }
}
