//! Arguments about groups of findings.
use crate::args;
use anyhow::{Context, bail};
use clap::Args;
use impinge_check::{Length, Report, Rules, report::GroupBy};
use regex_lite::Regex;
use std::sync::Arc;

/// Options that choose the groups of findings.
#[derive(Args)]
pub(crate) struct Grouping {
    /// List every pair, not groups of equal ones
    ///
    /// A group has findings of the same two shapes with the same relation.
    #[arg(long, conflicts_with_all = ["near", "statistics", "group_by"], help_heading = "Groups")]
    ungrouped: bool,

    /// Group findings by a field, or a regular expression
    ///
    /// A field is file, type, guid or another property of both parts, or one of --names. A regular expression
    /// is searched in names: its first group, else the whole match, labels a part.
    #[arg(long, value_name = "FIELD", conflicts_with = "near", help_heading = "Groups")]
    group_by: Option<String>,

    /// Group findings that lie at most this far from each other
    ///
    /// Each finding is that close to another one of its group.
    #[arg(long, value_name = "LENGTH", value_parser = args::length, help_heading = "Groups")]
    near: Option<Length>,

    /// Omit the coordinates of an example of each group
    ///
    /// With --group-by, the names of two parts are shown instead.
    #[arg(long, help_heading = "Groups", hide_short_help = true)]
    pub(crate) statistics: bool,
}

impl Grouping {
    /// True if findings are grouped by their shapes or not at all. The depths of the first rows are then
    /// enough.
    pub(crate) fn is_usual(&self) -> bool {
        self.near.is_none() && self.group_by.is_none()
    }
    /// True if every finding has a row of its own.
    pub(crate) fn is_ungrouped(&self) -> bool {
        self.ungrouped
    }
    /// The property that findings of one group share; `None` if findings are not grouped.
    pub(crate) fn by(&self, report: &Report) -> anyhow::Result<Option<GroupBy>> {
        if self.ungrouped {
            return Ok(None);
        }
        if let Some(field) = &self.group_by {
            return Ok(Some(GroupBy::Labels(labels(field, report)?)));
        }
        let Some(length) = &self.near else { return Ok(Some(GroupBy::Shapes)) };
        let number = length
            .within(report.unit())
            .with_context(|| format!("--near {length}: the files state no unit; --unit sets it"))?;
        if number <= 0.0 {
            bail!("--near {length}: must be more than 0");
        }
        Ok(Some(GroupBy::Near(number)))
    }
}

/// The label of each part: a field, or what a regular expression finds in its name.
fn labels(field: &str, report: &Report) -> anyhow::Result<Vec<Arc<str>>> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    let Some(assembly) = report.assembly() else {
        bail!("--group-by: the parts of a plan have no fields");
    };
    if field.chars().all(is_name) {
        let own = Rules::new();
        let rules = report.rules().unwrap_or(&own);
        let of = |part| rules.fields(part).get(field).map(|value| Arc::from(&*value.text()));
        let labels: Vec<Option<Arc<str>>> = assembly.parts.iter().map(of).collect();
        if labels.iter().all(Option::is_none) && !labels.is_empty() {
            bail!("--group-by {field}: no part has that; --names splits names into fields");
        }
        return Ok(labels.into_iter().map(|label| label.unwrap_or_else(|| Arc::from("(none)"))).collect());
    }
    let regex = Regex::new(field).with_context(|| format!("--group-by {field}"))?;
    let of = |name: &str| {
        let found = regex.captures(name)?;
        found.get(1).or_else(|| found.get(0)).map(|found| Arc::from(found.as_str()))
    };
    let labels = assembly.parts.iter().map(|part| of(&part.name).unwrap_or_else(|| Arc::from("(none)")));
    Ok(labels.collect())
}
