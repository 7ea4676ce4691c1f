//! Conditions by which findings of a baseline are listed or decided.
use crate::args;
use anyhow::{Context, bail};
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use impinge_check::{
    Unit,
    baseline::{Baseline, FindingId, SelectedRelation, Selection, Status},
    rules::{Glob, VolumeSize},
};

/// Conditions: a finding must fit all that are given.
#[derive(Args)]
pub(crate) struct Conditions {
    /// Findings of the same group as the finding ID
    ///
    /// A group has the same two shapes with the same relation: a row of the HTML page, a topic of BCF.
    #[arg(long, value_name = "ID", value_delimiter = ',', help_heading = "Conditions")]
    group: Vec<String>,

    /// Findings with one of these relations
    #[arg(
        long,
        value_name = "RELATIONS",
        value_delimiter = ',',
        value_parser = relations(),
        help_heading = "Conditions"
    )]
    relation: Vec<SelectedRelation>,

    /// Findings with at most this overlap volume, as 5cm3
    ///
    /// The upper bound of the volume must fit. Findings without a volume do not fit. If the baseline states
    /// no unit of its coordinates, --unit states it.
    #[arg(long, value_name = "VOLUME", help_heading = "Conditions")]
    max_volume: Option<VolumeSize>,

    /// Findings of a part that fits A and one that fits B
    ///
    /// A and B are globs of names or files.
    #[arg(long, num_args = 2, value_names = ["A", "B"], help_heading = "Conditions")]
    between: Vec<Glob>,

    /// Findings of a part whose name or file fits GLOB
    #[arg(long, value_name = "GLOB", help_heading = "Conditions")]
    part: Option<Glob>,

    /// Findings of this test
    #[arg(long, value_name = "NAME", help_heading = "Conditions", hide_short_help = true)]
    test: Option<String>,

    /// State the unit of the baseline's coordinates, for --max-volume
    #[arg(
        long,
        value_name = "UNIT",
        requires = "max_volume",
        value_parser = args::unit,
        help_heading = "Conditions",
        hide_short_help = true
    )]
    unit: Option<Unit>,
}

fn relations() -> impl TypedValueParser<Value = SelectedRelation> {
    // Words of earlier versions.
    let alias = |word| match word {
        "inside" => Some("contained"),
        "duplicate" => Some("same"),
        "surface-inside" => Some("inside-open"),
        _ => None,
    };
    let value =
        |word| alias(word).map_or(PossibleValue::new(word), |alias| PossibleValue::new(word).alias(alias));
    PossibleValuesParser::new(SelectedRelation::ALL.map(|one| value(one.word()))).try_map(move |word| {
        let is_named = |one: &SelectedRelation| one.word() == word || alias(one.word()) == Some(&word);
        SelectedRelation::ALL.into_iter().find(is_named).ok_or("no such relation")
    })
}

impl Conditions {
    /// True if no condition is given.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { group, relation, max_volume, between, part, test, unit: _ } = self;
        group.is_empty()
            && relation.is_empty()
            && max_volume.is_none()
            && between.is_empty()
            && part.is_none()
            && test.is_none()
    }
    /// The findings with one of these statuses that fit.
    pub(crate) fn selection(&self, baseline: &Baseline, statuses: Vec<Status>) -> anyhow::Result<Selection> {
        let groups = self.group.iter().map(|digits| group(baseline, digits)).collect::<Result<_, _>>()?;
        baseline.check_unit(self.unit).context("--unit")?;
        let volume = |most: &VolumeSize| {
            most.within(self.unit.or(baseline.unit())).with_context(|| {
                format!("--max-volume {most}: the baseline has no unit; --unit m states that of the model")
            })
        };
        let max_volume = self.max_volume.as_ref().map(volume).transpose()?;
        let between = self.between.clone().try_into().ok();
        let (part, test) = (self.part.clone(), self.test.clone());
        let relations = self.relation.clone();
        Ok(Selection { ids: Vec::new(), statuses, test, part, groups, relations, max_volume, between })
    }
    /// Number of findings that fit each condition alone, for the error that none fits all.
    pub(crate) fn none_fits(&self, baseline: &Baseline, selection: &Selection) -> String {
        let Selection { statuses, test, part, groups, relations, max_volume, between, ids: _ } = selection;
        let base = || Selection { statuses: statuses.clone(), ..Selection::default() };
        let fit = |name: &str, one: Selection| format!("{name} fits {}", baseline.select(&one).count());
        let mut alone = Vec::new();
        if !groups.is_empty() {
            alone.push(fit("--group", Selection { groups: groups.clone(), ..base() }));
        }
        if !relations.is_empty() {
            alone.push(fit("--relation", Selection { relations: relations.clone(), ..base() }));
        }
        if max_volume.is_some() {
            alone.push(fit("--max-volume", Selection { max_volume: *max_volume, ..base() }));
        }
        if between.is_some() {
            alone.push(fit("--between", Selection { between: between.clone(), ..base() }));
        }
        if part.is_some() {
            alone.push(fit("--part", Selection { part: part.clone(), ..base() }));
        }
        if test.is_some() {
            alone.push(fit("--test", Selection { test: test.clone(), ..base() }));
        }
        alone.join(", ")
    }
}

/// The group of the finding whose id begins with these digits.
fn group(baseline: &Baseline, digits: &str) -> anyhow::Result<FindingId> {
    let id = baseline.find(digits).with_context(|| format!("--group {digits}"))?;
    if !baseline.has_groups() {
        bail!("--group {digits}: this file has no groups yet; impinge check --update-baseline adds them");
    }
    Ok(baseline.finding(id).map_or(id, |finding| baseline.group_of(finding)))
}
