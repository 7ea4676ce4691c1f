//! The last lines of a report: numbers of examined pairs and of findings.
use crate::{names::Names, near, omissions, self_intersections, size_units::SizeUnits, words};
use impinge::{relation::RelationKind, solid::Closedness};
use impinge_check::{
    Report, Unit,
    parts::Chords,
    report::{Coverage, PartFacts, Slight, Solids},
    values::{
        Warning,
        numbers::{count, count_of, grouped, shortest},
    },
};

/// Numbers of examined pairs and of findings, in words, so that nobody takes 'not examined' for 'no clash'.
/// Names of parts have at most 48 columns.
pub fn summary(report: &Report) -> String {
    counts(report, |name| name) + &warned(report.warnings())
}

/// [`summary`] without warnings, with names of parts as `quote` writes them.
pub(crate) fn counts(report: &Report, quote: fn(String) -> String) -> String {
    let coverage = report.coverage();
    let &Coverage { part_pairs, boxes_overlap, pairs_left_out: left_out, tested, clashing, .. } = coverage;
    let Coverage { triangle_pairs, solids, .. } = coverage;
    let not_examined = report.coverage().not_examined;
    let is_partial = report.coverage().parts_not_examined > 0;
    let clear = match (is_partial, left_out) {
        (true, _) => "No clash among the parts that were examined.",
        (false, 0) => "No clash.",
        (false, _) => "No clash among the pairs that were tested.",
    };
    let mut text = match (part_pairs, boxes_overlap) {
        (0, _) => "Nothing to test: a clash takes two parts.".to_owned(),
        (_, 0) if left_out == 0 => {
            format!("{clear} Of {} none has boxes that overlap.", count(part_pairs, "part pair"))
        }
        (_, 0) => format!(
            "Nothing was tested. {}; the rules leave {}.",
            overlapping(left_out, part_pairs),
            if left_out == 1 { "it out" } else { "all of them out" },
        ),
        _ => {
            let found = solids.as_ref().map_or(clashing, |solids| solids.findings);
            let results = match solids {
                Some(solids) => relations(solids),
                None => format!(
                    "{} {}, {} {} clear",
                    grouped(clashing),
                    if clashing == 1 { "clashes" } else { "clash" },
                    grouped(tested - clashing),
                    if tested - clashing == 1 { "is" } else { "are" },
                ),
            };
            format!(
                "{}{}; {} tested exactly: {results}.",
                match (found, clashing, not_examined) {
                    (0, 0, 0) => format!("{clear} "),
                    (0, _, 0) => "Nothing that counts. ".to_owned(),
                    (0, ..) => "Nothing that counts so far. ".to_owned(),
                    _ => String::new(),
                },
                overlapping(boxes_overlap + left_out, part_pairs),
                match tested {
                    _ if tested < boxes_overlap => format!("only {} of them were", grouped(tested)),
                    1 if left_out > 0 => format!("the rules leave {} out, and 1 was", grouped(left_out)),
                    _ if left_out > 0 =>
                        format!("the rules leave {} out, and {} were", grouped(left_out), grouped(tested)),
                    1 => "it was".to_owned(),
                    _ => format!("all {} were", grouped(tested)),
                },
            )
        }
    };
    if not_examined > 0 {
        let pairs = count_of(not_examined, "part pair was", "part pairs were");
        text += &format!(" {pairs} not examined: the time was up.");
    }
    text += &omissions::ledger(report, quote);
    if clashing > 0 {
        let verb = if *triangle_pairs == 1 { "meets" } else { "meet" };
        text += &format!(" {} {verb}.", count(*triangle_pairs, "triangle pair"));
    }
    match report.clashes().iter().filter(|clash| report.is_unmeasured(clash)).count() as u64 {
        0 => {}
        unmeasured => {
            let clashes = count_of(unmeasured, "clash", "clashes");
            text += &format!(" The depth of {clashes} was not computed: too many triangle pairs meet.");
        }
    }
    if let Some(comparison) = report.comparison() {
        let counts = comparison.counts_of();
        text += &format!(
            " Compared with the baseline, {} new, {} reopened, {} active, {} reviewed, {} approved.",
            count_of(counts.new, "finding is", "findings are"),
            grouped(counts.reopened),
            grouped(counts.active),
            grouped(counts.reviewed),
            grouped(counts.approved),
        );
        if counts.resolved > 0 {
            text += &format!(" {} resolved.", count_of(counts.resolved, "finding is", "findings are"));
        }
        match counts.part_missing + counts.not_examined {
            0 => {}
            left => {
                let findings = count_of(left, "finding of the baseline was", "findings of the baseline were");
                text += &format!(" {findings} not examined: parts are missing, or no test looked at them.");
            }
        }
    }
    if let Some(Slight { clashes: slight @ MANY.., length, .. }) = report.slight() {
        let unit = report.unit().map_or("", Unit::symbol);
        text += &format!(
            " {} or more are undone by a shift of at most {length}{unit}, a millionth of the model's size: \
             --tolerance {length}{unit} lists them apart.",
            count_of(slight, "clash", "clashes"),
        );
    }
    if let Some(fragile @ 1..) = report.fragile() {
        let are = if fragile == 1 { "is" } else { "are" };
        text += &format!(
            " {} of {} {are} fragile: a shift within the placement errors of the rules would undo {}.",
            grouped(fragile),
            count(report.findings().len() as u64, "finding"),
            if fragile == 1 { "it" } else { "them" },
        );
    }
    if let Some(Solids { within_rounding: within @ 1.., .. }) = solids {
        let touch = if *within == 1 { "touches" } else { "touch" };
        text += &format!(
            " {} {touch} within the rounding that the files state, and {} not count.",
            count(*within, "pair"),
            if *within == 1 { "does" } else { "do" },
        );
    }
    if let (Some(tolerance), Some(Solids { shallow: Some(shallow), findings, .. })) =
        (report.tolerance(), solids)
    {
        let (are, units) = (if *shallow == 1 { "is" } else { "are" }, SizeUnits::of(report));
        text += &format!(
            " {} {are} shallow, within the tolerance of {}; {} {}.",
            grouped(*shallow),
            units.with_length_unit(&units.given_length(tolerance)),
            grouped(*findings),
            if *findings == 1 { "counts" } else { "count" },
        );
    }
    if let Some(distances) = &report.coverage().clearance
        && part_pairs > 0
    {
        text += &near::ledger(&SizeUnits::of(report), distances);
    }
    if let Some(chord) = &report.coverage().chord {
        let Chords { tolerance, is_largest, is_of_rounding, definite, possible, uncounted, .. } = *chord;
        let of = match (is_largest, is_of_rounding) {
            (_, true) => "coordinates rounded by at most",
            (true, false) => "chord tolerances of at most",
            (false, false) => "a chord tolerance of",
        };
        // A bound that the user did not set needs only the digits that show its size.
        let tolerance =
            if is_of_rounding { shortest([tolerance, tolerance * 1.01]) } else { tolerance.to_string() };
        let unit = report.unit().map_or(String::new(), |unit| format!(" {}", unit.symbol()));
        let are_definite = count(definite, "finding") + if definite == 1 { " is" } else { " are" };
        text += &format!(" With {of} {tolerance}{unit}, {are_definite} definite");
        if possible > 0 || uncounted == 0 {
            text += &format!(", {} possible", grouped(possible));
        }
        text += &match uncounted {
            0 => ".".to_owned(),
            1 => "; 1 is possible and does not count: --count possible lists it.".to_owned(),
            more => {
                format!("; {} are possible and do not count: --count possible lists them.", grouped(more))
            }
        };
    }
    if let Some(within) = &report.coverage().self_intersections {
        text += &self_intersections::ledger(within);
    }
    if let Some(Solids { not_closed: open @ 1.., .. }) = solids {
        let [are, bound] = if *open == 1 { ["is", "bounds"] } else { ["are", "bound"] };
        let parts = count(*open, "part");
        let named = first_open(report, quote);
        text +=
            &format!(" {parts} {are} not closed and {bound} no solid: {named}; `impinge info` shows where.");
    }
    text
}

fn overlapping(pairs: u64, of: u64) -> String {
    let have = if pairs == 1 { "has" } else { "have" };
    format!("{} of {} {have} boxes that overlap", grouped(pairs), count(of, "part pair"))
}

/// Minimum number of clashes, possibly rounding noise, that the text mentions.
const MANY: u64 = 10;

/// Maximum number of open parts that the last lines name.
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

/// Number of pairs by relation; relations without a pair are omitted.
fn relations(solids: &Solids) -> String {
    let mut counts: Vec<(RelationKind, u64)> = Vec::new();
    for (kind, n) in solids.relations.each() {
        match counts.last_mut() {
            // One number for both relations, whichever part is the inner one.
            Some((RelationKind::Inside, inside)) if kind == RelationKind::Contains => *inside += n,
            _ => counts.push((kind, n)),
        }
    }
    let named = counts.into_iter().filter(|&(_, n)| n > 0);
    named.map(|(kind, n)| format!("{} {}", grouped(n), words::word(kind))).collect::<Vec<_>>().join(", ")
}

/// The text about warnings of readers that ends a table's last line.
pub fn warned(warnings: &[Warning]) -> String {
    match warnings.len() as u64 {
        0 => String::new(),
        n => format!(" {} on stderr.", count(n, "warning")),
    }
}
