//! Description of the machine and of the run.
use crate::{clock::CLOCK, load::Load, settings::Used};
use serde::{Deserialize, Serialize};
use std::{
    fs, thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Facts about this machine and this build, by name: times of parts with the same facts can be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Machine {
    pub(crate) facts: Vec<(String, String)>,
}

impl Machine {
    pub(crate) fn here() -> Self {
        let profile =
            if cfg!(debug_assertions) { "with debug assertions: DO NOT USE THE TIMES" } else { "optimised" };
        let cores = thread::available_parallelism().map_or_else(|_| "unknown".into(), |n| n.to_string());
        let facts = [
            ("processor", processor()),
            ("cores available", cores),
            ("clock", CLOCK.into()),
            ("system", system()),
            ("compiler", env!("IMPINGE_RUSTC").into()),
            ("build", profile.into()),
        ];
        Self { facts: facts.map(|(name, fact)| (name.to_owned(), fact)).into() }
    }
}

/// Facts about the run of one part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Origin {
    /// Time of completion, in UTC.
    pub(crate) date: String,
    pub(crate) revision: String,
    pub(crate) quick: bool,
    pub(crate) models: Vec<Used>,
    pub(crate) load: Load,
    /// Duration by the wall clock.
    pub(crate) seconds: u64,
    pub(crate) machine: Machine,
}

impl Origin {
    pub(crate) fn new(
        (revision, quick): (String, bool),
        models: Vec<Used>,
        load: Load,
        took: Duration,
    ) -> Self {
        Self {
            date: date(),
            revision,
            quick,
            models,
            load,
            seconds: took.as_secs(),
            machine: Machine::here(),
        }
    }
    /// The run as text: quick or full.
    pub(crate) fn run(&self) -> &'static str {
        if self.quick { "quick" } else { "full" }
    }
    pub(crate) fn duration(&self) -> String {
        format!("{} min {} s", self.seconds / 60, self.seconds % 60)
    }
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    name("model name").unwrap_or_else(|| format!("unknown ({})", std::env::consts::ARCH))
}

fn system() -> String {
    let text = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let words =
        [name.unwrap_or(std::env::consts::OS).trim_matches('"'), kernel.trim(), std::env::consts::ARCH];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
}

fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let [year, month, day] = civil(seconds / 86_400);
    let minutes = seconds % 86_400 / 60;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02} UTC", minutes / 60, minutes % 60)
}

/// Year, month and day of the given number of days after 1970-01-01, by the calendar's cycle of 400 years
/// that begin in March.
fn civil(days: u64) -> [u64; 3] {
    let days = days + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    [400 * cycle + year + carry, month, day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        for (days, date) in
            [(0, [1970, 1, 1]), (59, [1970, 3, 1]), (11_016, [2000, 2, 29]), (20_777, [2026, 11, 20])]
        {
            assert_eq!(civil(days), date, "{days}");
        }
    }

    #[test]
    fn every_fact_is_known_or_says_that_it_is_not() {
        let load = Load { mean: None, bound: 1.5 };
        let origin = Origin::new(("abc1234".into(), true), Vec::new(), load, Duration::from_secs(75));
        assert!(origin.machine.facts.iter().all(|(_, fact)| !fact.is_empty()));
        assert!(!origin.revision.is_empty() && origin.date.ends_with(" UTC"), "{origin:?}");
        assert_eq!((origin.run(), &*origin.duration()), ("quick", "1 min 15 s"));
    }
}
