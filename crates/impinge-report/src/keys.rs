//! Names of findings in links and in the names of files.
use impinge_check::{Finding, Report};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// The fragment of each finding's link: its id in the baseline, else a hash of its test and of the names and
/// files of its parts. Findings with the same hash are numbered.
pub(crate) fn keys(report: &Report) -> Vec<String> {
    let mut seen: HashMap<String, u32> = HashMap::new();
    let key = |(i, finding): (usize, &Finding)| {
        if let Some(seen) = report.status(i) {
            return seen.id.to_string();
        }
        let mut hash = Sha256::new();
        let mut add = |text: &[u8]| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        };
        add(report.tests()[finding.test as usize].name.as_bytes());
        for &part in finding.parts() {
            let part = report.part(part);
            add(part.name().as_bytes());
            add(part.file().to_string_lossy().as_bytes());
        }
        let text: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let count = seen.entry(text.clone()).and_modify(|count| *count += 1).or_insert(1);
        if *count == 1 { text } else { format!("{text}-{count}") }
    };
    report.findings().iter().enumerate().map(key).collect()
}
