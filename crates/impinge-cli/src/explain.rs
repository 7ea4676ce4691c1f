//! `impinge rules explain`: what the rules decide of two parts, and which line does.
use crate::{
    args, input, inputs::Inputs, output::Sink, part_name, progress::Progress, question::Question,
    ruling::Ruling, threads, today::today,
};
use anyhow::{Context, bail};
use clap::Args;
use impinge_check::{
    FindingKind, Pairs, Report, Watch,
    report::{Explanation, IgnoreSummary, PairDecision},
    values::text::{folded, printable},
};
use impinge_report::{Names, SizeUnits, finding_word};

const EXAMPLES: &str = "\
Examples:
  impinge rules explain bolt_07 housing_lower engine.glb --rules impinge.toml
  impinge rules explain bolt_07 housing_lower --ignore 'bolt*'   of the built-in gearbox";

/// Show what each test of the rules decides of two parts, and why
///
/// Reads the FILEs and checks this one pair. A part is named as tables name it.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explain {
    /// The name of one part.
    #[arg(value_name = "PART")]
    a: String,

    /// The name of the other part.
    #[arg(value_name = "PART")]
    b: String,

    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    question: Question,

    #[command(flatten)]
    ruling: Ruling,

    #[command(flatten)]
    reading: args::Reading,
}

impl Explain {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let globs = self.inputs.globs();
        let Some(rules) = self.ruling.read(globs, true)?.rules else {
            bail!("there are no rules: --rules FILE names them");
        };
        self.question.refuse_with(&rules)?;
        let (progress, pool) = (Progress::new(), threads::pool(0, self.inputs.each())?);
        let (assembly, _) = self.inputs.load(&self.reading, self.question.fill_rule(), &pool, &progress)?;
        let find = |name: &str| part_name::find(&assembly.parts, name, "the assembly");
        let pair = [find(&self.a)?, find(&self.b)?].map(|part| part as u32);
        if pair[0] == pair[1] {
            bail!("{} and {} are one part", self.a, self.b);
        }
        let units = input::units(&assembly, self.question.unit(), &progress)?;
        let check = self.question.check(&units)?.pool(&pool).pairs(Pairs::listed([pair]));
        let check = check.rules(rules, today());
        let report = check.run(assembly, &Watch::new().listener(&progress))?;
        drop(progress);
        let columns = Sink::Stdout.columns();
        Sink::Stdout.write(|out| {
            for line in lines(&report, pair)? {
                writeln!(out, "{}", folded(&line, columns))?;
            }
            Ok(())
        })
    }
}

/// A line on the pair, then one for each test.
fn lines(report: &Report, pair: [u32; 2]) -> anyhow::Result<Vec<String>> {
    let rules = report.rules().context("a check without rules")?;
    let file = if rules.file().is_empty() { "command line" } else { rules.file() };
    let at = |line: usize| match line {
        0 => printable(file),
        line => format!("{}:{line}", printable(file)),
    };
    let found = report.clashes().iter().find(|clash| clash.parts.contains(&pair[0].min(pair[1])));
    let depth = found.and_then(|clash| report.depth(clash));
    let (names, units) = (Names::of(report), SizeUnits::of(report));
    let length = |length: f64| units.with_length_unit(&units.length(length));
    let names = pair.map(|part| names.label(part as usize)).join(", ");
    let mut lines = vec![match (found.and_then(|clash| clash.relation), report.near().first()) {
        (Some(kind), _) => {
            let volume = depth.and_then(|depth| depth.overlap_volume);
            let volume =
                volume.map(|bounds| format!(", volume {}", units.with_volume_unit(&units.volume(bounds))));
            let deep = depth.and_then(|depth| depth.interference_depth);
            let deep = deep.map(|[_, hi]| format!(", depth {}", length(hi)));
            let by = depth.and_then(|depth| depth.separating_distance);
            let by = by.map(|by| format!(", separating distance {}", length(by)));
            let more = [volume, deep, by].into_iter().flatten().collect::<String>();
            format!("{names}: {}{more}", finding_word(FindingKind::Clash(Some(kind))))
        }
        (None, Some(near)) => format!("{names}: near, gap {}", length(near.distance[1])),
        (None, None) => format!("{names}: apart, or not tested"),
    }];
    for Explanation { test, decision, .. } in report.explain(pair) {
        let summary = &report.tests()[test as usize];
        let line = rules.tests().get(test as usize).map_or(0, |test| test.line);
        let rule = |index: u32| {
            let IgnoreSummary { reason, line, .. } = &report.ignores()[index as usize];
            format!("{}: {}", at(*line), printable(reason))
        };
        let text = match decision {
            PairDecision::NotAsked => "not asked: the parts are not in its sets".to_owned(),
            PairDecision::Removed(index) => format!("ignored by {}", rule(index)),
            PairDecision::Apart => "apart: no finding".to_owned(),
            PairDecision::NotReported => "not among the relations that it reports".to_owned(),
            PairDecision::WithinRounding => {
                "touching within the rounding of the files: no finding".to_owned()
            }
            PairDecision::Shallow => match summary.tolerance {
                Some(tolerance) => {
                    let tolerance = units.with_length_unit(&units.given_length(tolerance));
                    format!("shallow: within its tolerance of {tolerance}")
                }
                None => "shallow".to_owned(),
            },
            PairDecision::Possible => "possible, and only definite findings count".to_owned(),
            PairDecision::Ignored(index) => format!("found, and ignored by {}", rule(index)),
            PairDecision::Finding => {
                let gap = report.motion_gaps().unwrap_or_default().iter().find(|gap| gap.test == test);
                let gap = gap.map(|gap| format!(", gap {} at pose {}", length(gap.distance[1]), gap.place()));
                let gap = gap.unwrap_or_default();
                format!("a finding, severity {}{gap}", summary.severity.name())
            }
            _ => "not examined".to_owned(),
        };
        lines.push(format!("test '{}' ({}): {text}", printable(&summary.name), at(line)));
    }
    Ok(lines)
}
