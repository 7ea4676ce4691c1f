//! The last lines of a report: numbers of findings and of examined pairs.
use crate::{
    groups::finding_word,
    names::Names,
    near, omissions, self_intersections,
    size_units::SizeUnits,
    summary_line::{SummaryLine, aligned},
    words,
};
use impinge::{relation::RelationKind, solid::Closedness};
use impinge_check::{
    Report, Unit,
    parts::Chords,
    report::{Coverage, PartFacts, Slight, Solids},
    values::{
        Warning,
        numbers::{count, grouped, shortest},
    },
};

/// Numbers of findings and of examined pairs, a line each, so that nobody takes 'not examined' for 'no
/// clash'. Names of parts have at most 48 columns.
pub fn summary(report: &Report, columns: Option<u16>) -> String {
    let mut lines = lines(report, |name| name);
    lines.extend(SummaryLine::of_warnings(report.warnings()));
    aligned(&lines, columns)
}

/// All lines but that about warnings, with names of parts as `quote` writes them.
pub(crate) fn lines(report: &Report, quote: fn(String) -> String) -> Vec<SummaryLine> {
    let coverage = report.coverage();
    let mut lines = vec![findings(report)];
    lines.extend(pairs(coverage));
    lines.extend(omissions::summary_lines(report, quote));
    let unmeasured = report.clashes().iter().filter(|clash| report.is_unmeasured(clash)).count() as u64;
    add(&mut lines, "No depth", unmeasured, || "too many triangle pairs of these clashes meet".to_owned());
    lines.extend(compared(report));
    lines.extend(not_counted(report));
    if coverage.part_pairs > 0 {
        let distances = coverage.clearance.as_ref();
        lines.extend(distances.map(|distances| near::summary_line(&SizeUnits::of(report), distances)));
    }
    lines.extend(certain(report));
    lines.extend(coverage.self_intersections.iter().flat_map(self_intersections::summary_lines));
    let open = coverage.solids.as_ref().map_or(0, |solids| solids.not_closed);
    add(&mut lines, "Not closed", open, || {
        format!("{}: no solids; `impinge info` shows where", first_open(report, quote))
    });
    lines
}

/// Adds a line unless the number is 0.
fn add(lines: &mut Vec<SummaryLine>, name: &'static str, number: u64, text: impl FnOnce() -> String) {
    if number > 0 {
        lines.push(SummaryLine::new(name, number, text()));
    }
}

/// The findings by kind, or the meaning of their absence.
fn findings(report: &Report) -> SummaryLine {
    let Coverage { part_pairs, boxes_overlap, pairs_left_out, clashing, not_examined, .. } =
        *report.coverage();
    let Coverage { parts_not_examined, tested, .. } = *report.coverage();
    let inside = report.coverage().solids.as_ref().map_or(0, |solids| solids.inside_without_contact);
    let text = match report.findings().len() {
        1.. => {
            let kinds = report.findings().iter().map(|finding| finding_word(finding.kind));
            count_by_word(kinds)
        }
        0 if part_pairs == 0 => "nothing to test: a clash takes two parts".to_owned(),
        0 if boxes_overlap == 0 && pairs_left_out > 0 => "nothing was tested".to_owned(),
        0 if not_examined > 0 => "nothing that counts so far".to_owned(),
        0 if clashing + inside > 0 => "nothing that counts".to_owned(),
        0 if parts_not_examined > 0 => "no clash among the parts that were examined".to_owned(),
        0 if pairs_left_out > 0 || tested < boxes_overlap => {
            "no clash among the pairs that were tested".to_owned()
        }
        0 => "no clash".to_owned(),
    };
    SummaryLine::new("Findings", report.findings().len() as u64, text)
}

/// Text of the number of occurrences of each word, in the order of the first ones.
fn count_by_word(words: impl Iterator<Item = &'static str>) -> String {
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for word in words {
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, n)) => *n += 1,
            None => counts.push((word, 1)),
        }
    }
    counts.iter().map(|(word, n)| format!("{} {word}", grouped(*n))).collect::<Vec<_>>().join(", ")
}

/// Numbers of candidate pairs, and of the relations of those that were tested.
fn pairs(coverage: &Coverage) -> Vec<SummaryLine> {
    let &Coverage { part_pairs, boxes_overlap, pairs_left_out: left_out, tested, clashing, .. } = coverage;
    let mut lines = Vec::new();
    if part_pairs > 0 {
        let mut parts = Vec::new();
        if left_out > 0 {
            parts.push(format!("the rules leave {} out", grouped(left_out)));
        }
        match tested {
            0 => {}
            _ if tested == boxes_overlap && left_out == 0 => parts.push("all tested".to_owned()),
            _ => parts.push(format!("{} tested", grouped(tested))),
        }
        let text = match (boxes_overlap + left_out, parts.is_empty()) {
            (0, _) => "none with overlapping boxes".to_owned(),
            (n, true) => format!("{} with overlapping boxes, none tested", grouped(n)),
            (n, false) => format!("{} with overlapping boxes, {}", grouped(n), parts.join(", ")),
        };
        lines.push(SummaryLine::new("Pairs", part_pairs, text));
    }
    add(&mut lines, "Tested", tested, || {
        let mut text = match &coverage.solids {
            Some(solids) => relations(solids),
            None => format!("{} meet, {} apart", grouped(clashing), grouped(tested - clashing)),
        };
        if clashing > 0 {
            let triangle_pairs = coverage.triangle_pairs;
            let meet = if triangle_pairs == 1 { "meets" } else { "meet" };
            text += &format!("; {} {meet}", count(triangle_pairs, "triangle pair"));
        }
        text
    });
    add(&mut lines, "Not examined", coverage.not_examined, || "part pairs: the time was up".to_owned());
    lines
}

/// Number of pairs by relation; relations without a pair are omitted.
fn relations(solids: &Solids) -> String {
    let mut counts: Vec<(RelationKind, u64)> = Vec::new();
    for (kind, n) in solids.relations.each() {
        match counts.last_mut() {
            // Whichever part is the inner one.
            Some((RelationKind::Inside, inside)) if kind == RelationKind::Contains => *inside += n,
            _ => counts.push((kind, n)),
        }
    }
    let named = counts.into_iter().filter(|&(_, n)| n > 0);
    named.map(|(kind, n)| format!("{} {}", grouped(n), words::word(kind))).collect::<Vec<_>>().join(", ")
}

/// The comparison with a baseline.
fn compared(report: &Report) -> Vec<SummaryLine> {
    let Some(comparison) = report.comparison() else { return Vec::new() };
    let counts = comparison.counts_of();
    let named = [
        (counts.new, "new"),
        (counts.reopened, "reopened"),
        (counts.active, "active"),
        (counts.reviewed, "reviewed"),
        (counts.approved, "approved"),
        (counts.resolved, "resolved"),
    ];
    let text = named.map(|(n, status)| format!("{} {status}", grouped(n))).join(", ");
    let mut lines = vec![SummaryLine { name: "Baseline", number: None, text }];
    add(&mut lines, "Not examined", counts.part_missing + counts.not_examined, || {
        "findings of the baseline: parts are missing, or no test looked at them".to_owned()
    });
    lines
}

/// A hint to `--tolerance` is worth a line from so many clashes on.
const MANY: u64 = 10;

/// Clashes that do not count, or that tiny shifts remove.
fn not_counted(report: &Report) -> Vec<SummaryLine> {
    let mut lines = Vec::new();
    let units = SizeUnits::of(report);
    if let (Some(tolerance), Some(Solids { shallow: Some(shallow), .. })) =
        (report.tolerance(), &report.coverage().solids)
    {
        let tolerance = units.with_length_unit(&units.given_length(tolerance));
        let text = format!("within the tolerance of {tolerance}: not counted");
        lines.push(SummaryLine::new("Shallow", *shallow, text));
    }
    let within = report.coverage().solids.as_ref().map_or(0, |solids| solids.within_rounding);
    add(&mut lines, "Touching", within, || {
        "within the rounding that the files state: not counted".to_owned()
    });
    if let Some(Slight { clashes: slight @ MANY.., length, .. }) = report.slight() {
        let unit = report.unit().map_or("", Unit::symbol);
        let text = format!(
            "clashes or more that a shift of {length}{unit} removes, a millionth of the model's size: \
             --tolerance {length}{unit} does not count them"
        );
        lines.push(SummaryLine::new("Slight", slight, text));
    }
    add(&mut lines, "Fragile", report.fragile().unwrap_or(0), || {
        "findings that a shift within the placement errors of the rules removes".to_owned()
    });
    lines
}

/// Definite and possible findings of a check with chord errors.
fn certain(report: &Report) -> Option<SummaryLine> {
    let chord = report.coverage().chord.as_ref()?;
    let &Chords { tolerance, is_largest, is_of_rounding, definite, possible, uncounted, .. } = chord;
    let of = match (is_largest, is_of_rounding) {
        (_, true) => "coordinates rounded by at most",
        (true, false) => "chord tolerances of at most",
        (false, false) => "a chord tolerance of",
    };
    // A bound that nobody gave needs no more digits than tell its size.
    let tolerance =
        if is_of_rounding { shortest([tolerance, tolerance * 1.01]) } else { tolerance.to_string() };
    let unit = report.unit().map_or(String::new(), |unit| format!(" {}", unit.symbol()));
    let mut text = String::new();
    if possible > 0 || uncounted == 0 {
        text += &format!("{} possible; ", grouped(possible));
    }
    match uncounted {
        0 => {}
        1 => text += "1 is possible and does not count, --count possible lists it; ",
        more => {
            let more = grouped(more);
            text += &format!("{more} are possible and do not count, --count possible lists them; ");
        }
    }
    Some(SummaryLine::new("Definite", definite, format!("{text}{of} {tolerance}{unit}")))
}

/// Open parts that the last lines name.
const NAMED: usize = 3;

/// The first parts that are not closed, by name.
fn first_open(report: &Report, quote: fn(String) -> String) -> String {
    let names = Names::of(report);
    let is_open = |part: &PartFacts<'_>| !part.closedness().is_some_and(Closedness::is_closed);
    let mut named: Vec<String> = report
        .parts()
        .filter(is_open)
        .take(NAMED + 1)
        .map(|part| quote(names.short(part.index() as usize, None)))
        .collect();
    if named.len() > NAMED {
        named[NAMED] = "...".to_owned();
    }
    named.join(", ")
}

/// The text about warnings of readers that ends a table's last line.
pub fn warned(warnings: &[Warning]) -> String {
    match warnings.len() as u64 {
        0 => String::new(),
        n => format!(" {} on stderr.", count(n, "warning")),
    }
}
