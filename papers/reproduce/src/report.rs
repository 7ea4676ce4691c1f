//! The report: one structure, from which the Markdown, HTML, CSV and picture files are made.
mod html;
mod page;
mod section;
mod verdict;

pub(crate) use self::{
    section::{Block, Figure, Section},
    verdict::{By, Judged, Outcome, Verdict},
};

use crate::{Error, Experiment, Part, finished::Finished, plot};
use std::collections::BTreeMap;

/// The finished parts, ready to be [written](crate::Folder::write).
#[derive(Debug)]
pub struct Report {
    /// Finished parts in the order of the catalogue.
    finished: Vec<Finished>,
    missing: Vec<&'static Part>,
}

/// Files by name within the report's folder.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

impl Report {
    /// A report on finished parts. Its missing parts are the other parts of their experiments, and of the
    /// experiments of `asked`.
    pub(crate) fn new(catalogue: &[&'static Part], finished: Vec<Finished>, asked: &[&'static Part]) -> Self {
        let is_of = |part: &Part| {
            let same = |other: &Part| other.experiment == part.experiment;
            finished.iter().any(|one| same(one.part)) || asked.iter().any(|other| same(other))
        };
        let is_done = |part: &Part| finished.iter().any(|one| one.part == part);
        let missing = catalogue.iter().copied().filter(|part| is_of(part) && !is_done(part)).collect();
        let place = |one: &Finished| catalogue.iter().position(|part| **part == *one.part);
        let mut finished = finished;
        finished.sort_by_key(place);
        Self { finished, missing }
    }

    /// The number of claims for each outcome, and parts that are missing, differ in their setting, or were
    /// measured on a busy machine.
    pub fn summary(&self) -> String {
        let verdicts = || self.finished.iter().flat_map(|one| &one.section.verdicts);
        let count = |outcome| verdicts().filter(|verdict| verdict.outcome == outcome).count();
        let counts: Vec<_> = Outcome::ALL
            .into_iter()
            .filter(|outcome| count(*outcome) > 0)
            .map(|outcome| format!("{} {}", outcome.words(), count(outcome)))
            .collect();
        let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
        let mut out = format!("{} claims{counts}.", verdicts().count());
        let busy = self.finished.iter().filter(|one| one.was_too_busy());
        let busy: Vec<_> = busy
            .map(|one| {
                let load = one.origin.load;
                format!("{} at load {} (bound {:.1})", one.part.name, load.words(), load.bound)
            })
            .collect();
        if !busy.is_empty() {
            out += &format!(" The machine was too busy to judge times: {}.", busy.join(", "));
        }
        if !self.missing.is_empty() {
            let names: Vec<&str> = self.missing.iter().map(|part| part.name).collect();
            out += &format!(" Missing parts: {}.", names.join(", "));
        }
        let differences = self.differences();
        if !differences.is_empty() {
            out += &format!(" Parts differ in {}.", differences.join(", "));
        }
        out
    }

    /// Names of the facts that are not the same for all parts.
    fn differences(&self) -> Vec<&'static str> {
        let [first, rest @ ..] = &self.finished[..] else { return Vec::new() };
        let origins = || rest.iter().map(|one| &one.origin);
        let differ = [
            ("commit", origins().any(|other| other.revision != first.origin.revision)),
            ("machine", origins().any(|other| other.machine != first.origin.machine)),
            ("run (quick or full)", origins().any(|other| other.quick != first.origin.quick)),
        ];
        differ.into_iter().filter(|(_, differ)| *differ).map(|(name, _)| name).collect()
    }

    fn title(&self) -> &'static str {
        let mut experiments = self.experiments();
        match (experiments.next(), experiments.next()) {
            (Some(one), None) if !Experiment::PAPERS.contains(&one) => one.chapter().title,
            _ => "Four papers, measured again",
        }
    }
    /// Experiments with a part that is finished or missing.
    fn experiments(&self) -> impl Iterator<Item = Experiment> {
        let parts = || self.finished.iter().map(|one| one.part).chain(self.missing.iter().copied());
        Experiment::ALL.into_iter().filter(move |it| parts().any(|part| part.experiment == *it))
    }

    pub(crate) fn files(&self) -> Result<Files, Error> {
        let mut files = Files::new();
        let mut add = |name: String, bytes: Vec<u8>| match files.insert(name.clone(), bytes) {
            Some(_) => Err(Error::SameFile(name)),
            None => Ok(()),
        };
        for block in self.finished.iter().flat_map(|one| &one.section.blocks) {
            match block {
                Block::Table(table) | Block::Data(table) => add(format!("{}.csv", table.file), table.csv())?,
                Block::Figure(Figure { panels, columns, data, .. }) => {
                    let failed = |reason| Error::Plot(data.file.clone(), reason);
                    let svg = plot::svg(panels, *columns).map_err(failed)?;
                    let png = plot::png(&svg).map_err(failed)?;
                    add(format!("{}.csv", data.file), data.csv())?;
                    add(format!("{}.svg", data.file), svg.into_bytes())?;
                    add(format!("{}.png", data.file), png)?;
                }
                Block::Heading(_) | Block::Text(_) => {}
            }
        }
        let markdown = self.markdown();
        add("report.html".into(), html::html(self.title(), &markdown).into_bytes())?;
        add("REPORT.md".into(), markdown.into_bytes())?;
        Ok(files)
    }
}

#[cfg(test)]
pub(crate) mod tests;
