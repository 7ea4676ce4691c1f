//! `impinge baseline approve` and `review`.
use super::existing::existing;
use crate::{output::Sink, today::today};
use anyhow::bail;
use clap::Args;
use impinge_check::{
    Date,
    baseline::{DecisionKind, FindingId, Note, Selection, Status},
    rules::Glob,
    values::numbers::count,
};
use std::{env, path::PathBuf};

#[derive(Args)]
pub(crate) struct Decide {
    /// The baseline. It is replaced whole or not at all.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Ids of findings, or the digits that they begin with.
    #[arg(value_name = "ID", required_unless_present_any = ["part", "test", "all_new"])]
    ids: Vec<String>,

    /// Findings about a part whose name or file fits this pattern.
    #[arg(long, value_name = "GLOB", conflicts_with = "ids")]
    part: Option<Glob>,

    /// Findings of this test.
    #[arg(long, value_name = "NAME", conflicts_with = "ids")]
    test: Option<String>,

    /// Only findings that are new, all of them without another condition.
    #[arg(long, conflicts_with = "ids")]
    all_new: bool,

    /// Why: it is stored with the decision.
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// Who decides [default: the environment's USER, else unknown].
    #[arg(long, value_name = "NAME")]
    by: Option<String>,

    /// The last day on which the decision holds, as 2027-03-01.
    #[arg(long, value_name = "DATE")]
    until: Option<Date>,
}

impl Decide {
    pub(crate) fn run(self, verdict: DecisionKind) -> anyhow::Result<()> {
        let (file, baseline) = existing(&self.file)?;
        let date = today();
        if let Some(until) = self.until.filter(|until| *until < date) {
            bail!("--until {until}: this day has passed");
        }
        let mut ids: Vec<FindingId> =
            self.ids.iter().map(|digits| baseline.find(digits)).collect::<Result<_, _>>()?;
        if ids.is_empty() {
            let open = [Status::New, Status::Reopened, Status::Active, Status::Reviewed, Status::Approved];
            let statuses = if self.all_new { vec![Status::New] } else { open.to_vec() };
            let selection = Selection { ids, statuses, test: self.test, part: self.part };
            if (selection.part.is_some() || selection.test.is_some())
                && baseline.select(&selection).next().is_none()
            {
                let path = self.file.display();
                bail!("no open finding has such a part or test; impinge baseline list {path} lists them");
            }
            // Earlier decisions of this kind keep their reasons.
            let open = baseline.select(&selection).filter(|finding| finding.status() != verdict.status());
            ids = open.map(|finding| finding.id).collect();
        }
        let by = self.by.or_else(|| env::var("USER").ok().filter(|user| !user.is_empty()));
        let by = by.unwrap_or_else(|| "unknown".to_owned()).into();
        let note = Note { reason: self.reason.into(), by, date, until: self.until };
        let next = baseline.decide(&ids, verdict, &note)?;
        ids.sort_unstable();
        ids.dedup();
        if !ids.is_empty() {
            file.write(&next)?;
        }
        let done = if verdict == DecisionKind::Approved { "Approved" } else { "Reviewed" };
        let text = format!("{done} {}.", count(ids.len() as u64, "finding"));
        Sink::Stdout.write(|out| Ok(writeln!(out, "{text}")?))
    }
}
