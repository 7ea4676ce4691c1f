//! `impinge baseline approve` and `review`.
use super::{conditions::Conditions, existing::existing, remaining};
use crate::{output::Sink, today::today};
use anyhow::bail;
use clap::Args;
use impinge_check::{
    Date,
    baseline::{Baseline, DecisionKind, FindingId, Note, Status},
    values::numbers::count,
};
use std::{env, path::PathBuf};

#[derive(Args)]
pub(crate) struct Decide {
    /// Baseline; it is replaced as a whole or not at all
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Ids of findings, or their first digits (instead of conditions)
    #[arg(value_name = "ID", conflicts_with = "Conditions")]
    ids: Vec<String>,

    #[command(flatten)]
    conditions: Conditions,

    /// Findings with status new
    #[arg(long, conflicts_with = "ids", help_heading = "Conditions")]
    all_new: bool,

    /// State the reason, which is stored
    #[arg(long, value_name = "TEXT", help_heading = "Decision")]
    reason: String,

    /// State who decides [default: $USER]
    #[arg(long, value_name = "NAME", help_heading = "Decision")]
    by: Option<String>,

    /// Let the decision end after this day, as 2027-03-01
    #[arg(long, value_name = "DATE", help_heading = "Decision")]
    until: Option<Date>,
}

impl Decide {
    pub(crate) fn run(self, verdict: DecisionKind) -> anyhow::Result<()> {
        if self.ids.is_empty() && self.conditions.is_empty() && !self.all_new {
            bail!(
                "give the ids of findings, or conditions such as --group ID, --relation overlap or --all-new"
            );
        }
        let (file, baseline) = existing(&self.file)?;
        let date = today();
        if let Some(until) = self.until.filter(|until| *until < date) {
            bail!("--until {until}: this day has passed");
        }
        let ids =
            if self.ids.is_empty() { self.fitting(&baseline, verdict)? } else { self.named(&baseline)? };
        let by = self.by.or_else(|| env::var("USER").ok().filter(|user| !user.is_empty()));
        let by = by.unwrap_or_else(|| "unknown".to_owned()).into();
        let note = Note { reason: self.reason.into(), by, date, until: self.until };
        let next = baseline.decide(&ids, verdict, &note)?;
        if !ids.is_empty() {
            file.write(&next)?;
        }
        let done = if verdict == DecisionKind::Approved { "Approved" } else { "Reviewed" };
        let text = format!("{done} {}.", count(ids.len() as u64, "finding"));
        Sink::Stdout.write(|out| {
            writeln!(out, "{text}")?;
            Ok(remaining::write(&next, &self.file, Sink::Stdout.columns(), out)?)
        })
    }
    /// The findings of the ids, each once.
    fn named(&self, baseline: &Baseline) -> anyhow::Result<Vec<FindingId>> {
        let find = |digits: &String| baseline.find(digits);
        let mut ids: Vec<FindingId> = self.ids.iter().map(find).collect::<Result<_, _>>()?;
        ids.sort_unstable();
        ids.dedup();
        Ok(ids)
    }
    /// The open findings that fit the conditions. Earlier decisions of this kind keep their reasons.
    fn fitting(&self, baseline: &Baseline, verdict: DecisionKind) -> anyhow::Result<Vec<FindingId>> {
        let open = [Status::New, Status::Reopened, Status::Active, Status::Reviewed, Status::Approved];
        let statuses = if self.all_new { vec![Status::New] } else { open.to_vec() };
        let selection = self.conditions.selection(baseline, statuses)?;
        if !self.conditions.is_empty() && baseline.select(&selection).next().is_none() {
            let (path, which) = (self.file.display(), if self.all_new { "new" } else { "open" });
            let alone = self.conditions.none_fits(baseline, &selection);
            bail!("no {which} finding fits: {alone}; impinge baseline list {path} lists them");
        }
        let left = baseline.select(&selection).filter(|finding| finding.status() != verdict.status());
        Ok(left.map(|finding| finding.id).collect())
    }
}
