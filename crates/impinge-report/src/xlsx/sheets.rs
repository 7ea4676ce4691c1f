//! The sheets of a report.
use super::{
    cell::Cell,
    coverage,
    sheet::{Column, Sheet, SheetRow},
};
use crate::{
    groups::{finding_word, parts},
    keys::keys,
    names::Names,
    size_units::SizeUnits,
};
use impinge_check::{
    FindingKind, Report, Unit,
    parts::Sure,
    report::{FindingSize, Group, PartFacts},
};
use std::{
    collections::{BTreeMap, HashMap},
    rc::Rc,
};

/// The sheets, in order; the first `drawn` groups have pictures.
pub(super) fn all<'a>(report: &'a Report, groups: &'a [Group], drawn: usize) -> Vec<Sheet<'a>> {
    let book =
        Rc::new(Book { report, names: Names::of(report), units: SizeUnits::of(report), keys: keys(report) });
    let mut sheets = vec![of_groups(&book, groups, drawn), findings(&book, groups), clashes(&book)];
    sheets.extend((!report.near().is_empty()).then(|| near(&book)));
    sheets.push(matrix(report));
    sheets.extend(types(report));
    sheets.push(coverage::sheet(report));
    sheets.push(not_examined(&book));
    sheets
}

/// Data that the sheets share.
struct Book<'a> {
    report: &'a Report,
    names: Names<'a>,
    units: SizeUnits,
    /// The id of each finding.
    keys: Vec<String>,
}

/// The parts of the gravest finding of a group and their relation, in words.
pub(super) fn title(report: &Report, names: &Names<'_>, group: &Group) -> String {
    let names = group.findings.first().map(|&first| {
        let parts = parts(report, &report.findings()[first as usize]).into_iter().flatten();
        parts.map(|part| names.label(part as usize)).collect::<Vec<_>>().join(" × ")
    });
    format!("{} {}", names.unwrap_or_default(), finding_word(group.kind))
}

const NAME: u32 = 34;
const WORD: u32 = 14;

/// A heading with the unit of its numbers.
fn measured(what: &str, unit: Option<&str>) -> Column {
    let unit = unit.map_or_else(String::new, |unit| format!(" ({unit})"));
    Column::new(format!("{what}{unit}"), WORD)
}

/// Columns of this heading for both parts.
fn pair(what: &str, width: u32) -> [Column; 2] {
    ["A", "B"].map(|part| Column::new(format!("{what} {part}"), width))
}

/// Type, storey, identifier and file of both parts.
fn columns_of_parts() -> impl Iterator<Item = Column> {
    let widths = [("type", 16), ("storey", 16), ("guid", 24), ("file", 24)];
    widths.into_iter().flat_map(|(what, width)| pair(what, width))
}

impl<'a> Book<'a> {
    /// Columns of coordinates, in the unit of the model.
    fn point(&self, names: &[&str]) -> Vec<Column> {
        let unit = self.report.unit().map(Unit::symbol);
        names.iter().map(|name| measured(name, unit)).collect()
    }
    fn length(&self, what: &str) -> Column {
        measured(what, self.units.symbols()[0])
    }
    fn volumes(&self) -> [Column; 2] {
        ["volume at least", "volume at most"].map(|what| measured(what, self.units.symbols()[1]))
    }
    /// Bounds of the volume, depth, separating distance, gap.
    fn columns_of_size(&self) -> impl Iterator<Item = Column> {
        let lengths = ["depth", "separating distance", "gap at most"].map(|what| self.length(what));
        self.volumes().into_iter().chain(lengths)
    }
    fn cells_of_size(&self, size: &FindingSize) -> impl Iterator<Item = Cell<'a>> + use<'a> {
        let lengths = [size.depth, size.separating_distance, size.distance];
        let lengths = lengths.map(|length| length.map(|length| self.units.length_bound(length)));
        self.volume_bounds(size.volume).into_iter().chain(lengths.map(Cell::number))
    }
    fn volume_bounds(&self, bounds: Option<[f64; 2]>) -> [Cell<'a>; 2] {
        let bounds = bounds.map(|bounds| self.units.volume_bounds(bounds));
        bounds.map_or([None; 2], |both| both.map(Some)).map(Cell::number)
    }
    fn length_bounds(&self, bounds: Option<[f64; 2]>) -> [Cell<'a>; 2] {
        let bounds = bounds.map(|bounds| self.units.length_bounds(bounds));
        bounds.map_or([None; 2], |both| both.map(Some)).map(Cell::number)
    }
    /// A part's label, or nothing.
    fn label(&self, part: Option<u32>) -> Cell<'a> {
        part.map_or(Cell::Empty, |part| Cell::text(self.names.label(part as usize)))
    }
    fn cells_of_parts(&self, both: [Option<u32>; 2]) -> impl Iterator<Item = Cell<'a>> + use<'a> {
        let report = self.report;
        let of = both.map(|part| part.map(|part| report.part(part)));
        let texts =
            |text: fn(PartFacts<'a>) -> Option<&'a str>| of.map(|part| Cell::some_text(part.and_then(text)));
        let types = texts(PartFacts::class);
        let storeys = texts(PartFacts::storey);
        let guids = texts(PartFacts::guid);
        let files = of.map(|part| part.map_or(Cell::Empty, |part| Cell::text(part.file().to_string_lossy())));
        [types, storeys, guids, files].into_iter().flatten()
    }
    /// The index of the first finding about each pair: about near pairs, or about pairs that meet.
    fn finding_of_pair(&self, is_near: bool) -> HashMap<[u32; 2], u32> {
        let mut of = HashMap::new();
        for (i, finding) in (0..).zip(self.report.findings()) {
            let is = match is_near {
                true => self.report.near_of(finding).is_some(),
                false => self.report.clash_of(finding).is_some(),
            };
            if let (true, &[a, b]) = (is, finding.parts()) {
                of.entry([a.min(b), a.max(b)]).or_insert(i);
            }
        }
        of
    }
    /// The id of a pair's finding, or nothing.
    fn id(&self, of: &HashMap<[u32; 2], u32>, [a, b]: [u32; 2]) -> Cell<'a> {
        let finding = of.get(&[a.min(b), a.max(b)]);
        finding.map_or(Cell::Empty, |&finding| Cell::text(self.keys[finding as usize].clone()))
    }
}

fn of_groups<'a>(book: &Rc<Book<'a>>, groups: &'a [Group], drawn: usize) -> Sheet<'a> {
    let book = Rc::clone(book);
    let report = book.report;
    let has_labels = groups.iter().any(|group| group.labels.is_some());
    let mut columns = vec![Column::new("picture", 28), Column::new("id", 20), Column::new("group", 8)];
    columns.extend(pair("part", NAME));
    columns.extend(pair("label", NAME).into_iter().filter(|_| has_labels));
    columns.extend(["relation", "test", "severity", "status"].map(|what| Column::new(what, WORD)));
    columns.extend(["findings", "placements"].map(|what| Column::new(what, 11)));
    columns.extend(book.columns_of_size());
    columns.extend(book.point(&["x", "y", "z"]));
    columns.extend(columns_of_parts());
    let row = move |i: usize| -> SheetRow<'a> {
        let group = &groups[i];
        let first = group.findings[0];
        let finding = &report.findings()[first as usize];
        let test = &report.tests()[group.test as usize];
        let both = parts(report, finding);
        let mut row =
            vec![Cell::Empty, Cell::text(book.keys[first as usize].clone()), Cell::Count(i as u64 + 1)];
        row.extend(both.map(|part| book.label(part)));
        if has_labels {
            let labels = group.labels.as_ref().map(|labels| labels.each_ref().map(|label| &**label));
            row.extend(labels.map_or([None; 2], |labels| labels.map(Some)).map(Cell::some_text));
        }
        row.extend([finding_word(group.kind), &test.name, test.severity.name()].map(Cell::text));
        row.push(Cell::some_text(report.status(first as usize).map(|seen| seen.status.name())));
        row.extend([group.findings.len(), group.placements].map(|count| Cell::Count(count as u64)));
        row.extend(book.cells_of_size(&group.size));
        row.extend(Cell::point(report.point_of(finding)));
        row.extend(book.cells_of_parts(both));
        row
    };
    Sheet { title: "Groups", columns, count: groups.len(), row: Box::new(row), pictures: drawn }
}

/// All findings, the gravest first.
fn findings<'a>(book: &Rc<Book<'a>>, groups: &[Group]) -> Sheet<'a> {
    let book = Rc::clone(book);
    let report = book.report;
    let mut group_of = vec![None; report.findings().len()];
    for (number, group) in (1..).zip(groups) {
        group.findings.iter().for_each(|&i| group_of[i as usize] = Some(number));
    }
    let mut order: Vec<usize> = (0..report.findings().len()).collect();
    order.sort_by_cached_key(|&i| report.rank_of(&report.findings()[i]));
    let mut columns = vec![Column::new("id", 20), Column::new("group", 8)];
    columns.extend(pair("part", NAME));
    columns.extend(["relation", "test", "severity", "status"].map(|what| Column::new(what, WORD)));
    columns.extend(book.columns_of_size());
    columns.extend(book.point(&["x", "y", "z"]));
    columns.extend(columns_of_parts());
    let count = order.len();
    let row = move |place: usize| -> SheetRow<'a> {
        let i = order[place];
        let finding = &report.findings()[i];
        let test = &report.tests()[finding.test as usize];
        let both = parts(report, finding);
        let mut row = vec![Cell::text(book.keys[i].clone())];
        row.push(group_of[i].map_or(Cell::Empty, Cell::Count));
        row.extend(both.map(|part| book.label(part)));
        row.extend([finding_word(finding.kind), &test.name, test.severity.name()].map(Cell::text));
        row.push(Cell::some_text(report.status(i).map(|seen| seen.status.name())));
        row.extend(book.cells_of_size(&report.size_of(finding)));
        row.extend(Cell::point(report.point_of(finding)));
        row.extend(book.cells_of_parts(both));
        row
    };
    Sheet { title: "Findings", columns, count, row: Box::new(row), pictures: 0 }
}

/// All pairs that meet, the gravest first, with the id of their first finding.
fn clashes<'a>(book: &Rc<Book<'a>>) -> Sheet<'a> {
    let book = Rc::clone(book);
    let report = book.report;
    let of = book.finding_of_pair(false);
    let mut order: Vec<usize> = (0..report.clashes().len()).collect();
    order.sort_by_cached_key(|&i| (report.rank(&report.clashes()[i]), i));
    let mut columns = vec![Column::new("id", 20)];
    columns.extend(pair("part", NAME));
    columns.extend(["relation", "touching", "counts", "certainty"].map(|what| Column::new(what, WORD)));
    columns.push(Column::new("triangle pairs", WORD));
    columns.extend(book.point(&["x", "y", "z"]));
    columns.extend(book.volumes());
    let lengths = ["interference depth at least", "interference depth at most", "depth at least"];
    columns.extend(lengths.map(|what| book.length(what)));
    let translation = ["x", "y", "z"].map(|axis| format!("separating translation {axis}"));
    columns.extend(book.point(&translation.each_ref().map(|what| &**what)));
    columns.push(book.length("separating distance"));
    columns.extend(["within rounding", "shallow", "depth not computed"].map(|what| Column::new(what, WORD)));
    columns.extend(columns_of_parts());
    let count = order.len();
    let row = move |place: usize| -> SheetRow<'a> {
        let clash = &report.clashes()[order[place]];
        let depth = report.depth(clash);
        let both = report.in_order(clash).map(Some);
        let mut row = vec![book.id(&of, clash.parts)];
        row.extend(both.map(|part| book.label(part)));
        row.push(Cell::text(finding_word(FindingKind::Clash(clash.relation))));
        row.extend([clash.is_touching(), report.counts(clash)].map(Cell::Is));
        row.push(Cell::some_text(clash.certainty.map(Sure::name)));
        row.push(Cell::Count(clash.triangle_pairs));
        row.extend(clash.point.map(Cell::Number));
        row.extend(book.volume_bounds(depth.and_then(|depth| depth.overlap_volume)));
        row.extend(book.length_bounds(depth.and_then(|depth| depth.interference_depth)));
        let least = depth.and_then(|depth| depth.depth_at_least);
        row.push(Cell::number(least.map(|least| book.units.length_bounds([least; 2])[0])));
        row.extend(Cell::point(depth.and_then(|depth| depth.separating_translation)));
        let by = depth.and_then(|depth| depth.separating_distance);
        row.push(Cell::number(by.map(|by| book.units.length_bound(by))));
        row.push(Cell::Is(report.is_within_rounding(clash)));
        row.push(Cell::is(report.is_within_tolerance(clash)));
        let is_unmeasured = report.is_unmeasured(clash);
        row.push(Cell::some_text(is_unmeasured.then_some("too many triangle pairs")));
        row.extend(book.cells_of_parts(both));
        row
    };
    Sheet { title: "Clashes", columns, count, row: Box::new(row), pictures: 0 }
}

/// All near pairs, the nearest first.
fn near<'a>(book: &Rc<Book<'a>>) -> Sheet<'a> {
    let book = Rc::clone(book);
    let report = book.report;
    let of = book.finding_of_pair(true);
    let mut order: Vec<usize> = (0..report.near().len()).collect();
    // Distances are not negative, so their bits have the same order.
    order.sort_by_key(|&i| (report.near()[i].distance[1].to_bits(), i));
    let mut columns = vec![Column::new("id", 20)];
    columns.extend(pair("part", NAME));
    columns.extend(["gap at least", "gap at most"].map(|what| book.length(what)));
    columns.push(Column::new("certainty", WORD));
    columns.extend(book.point(&["x A", "y A", "z A", "x B", "y B", "z B"]));
    columns.extend(columns_of_parts());
    let count = order.len();
    let row = move |place: usize| -> SheetRow<'a> {
        let near = &report.near()[order[place]];
        let both = near.parts.map(Some);
        let mut row = vec![book.id(&of, near.parts)];
        row.extend(both.map(|part| book.label(part)));
        row.extend(book.length_bounds(Some(near.distance)));
        row.push(Cell::some_text(near.certainty.map(Sure::name)));
        row.extend(near.points.into_iter().flatten().map(Cell::Number));
        row.extend(book.cells_of_parts(both));
        row
    };
    Sheet { title: "Near", columns, count, row: Box::new(row), pictures: 0 }
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
        "within rounding",
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
        row.extend([test.tested, test.within_rounding, test.shallow].map(Cell::Count));
        row.extend([test.ignored_findings, test.findings].map(Cell::Count));
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

/// Pairs for which there was no time, then parts of files that the assembly lacks.
fn not_examined<'a>(book: &Rc<Book<'a>>) -> Sheet<'a> {
    let book = Rc::clone(book);
    let report = book.report;
    let (pairs, omissions) = (report.not_examined(), report.omissions());
    let mut columns = vec![Column::new("what", 16)];
    columns.extend(pair("part", NAME));
    columns.extend([Column::new("file", 24), Column::new("guid", 24), Column::new("type", 16)]);
    columns.extend([Column::new("count", 8), Column::new("reason", 60)]);
    let row = move |i: usize| {
        if let Some(parts) = pairs.get(i) {
            let [a, b] = parts.map(|part| book.label(Some(part)));
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
