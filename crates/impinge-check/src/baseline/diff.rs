//! Comparison of one baseline with another.
use super::{comparison::Comparison, measures::Worse, store::Baseline};
use crate::values::date::Date;
use std::collections::HashSet;

impl Baseline {
    /// Compares the last delivery of another baseline with this one. A finding that the other one does not
    /// have is resolved if the other one has its parts, and findings of its test, resolved ones included. It
    /// is not examined if the other baseline has it as not examined.
    pub fn diff(&self, other: &Self, today: Date, worse: Worse) -> Comparison {
        let delivery = other.delivery();
        let tests: HashSet<&str> = other.findings.iter().map(|finding| &*finding.test).collect();
        // Indices in the delivery, which has no missing parts.
        let mut count = 0;
        let place: Vec<Option<u32>> = other
            .missing
            .iter()
            .map(|is_missing| {
                let place = (!is_missing).then_some(count);
                count += u32::from(!is_missing);
                place
            })
            .collect();
        let not_examined =
            other.findings.iter().filter(|finding| finding.not_examined).filter_map(|finding| {
                let [a, b] = finding.pair;
                let (a, b) = (place[a as usize]?, place[b as usize]?);
                Some((&*finding.test, [a.min(b), a.max(b)]))
            });
        let not_examined: HashSet<(&str, [u32; 2])> = not_examined.collect();
        let is_examined = |test: &str, parts: &[u32], _: &str| {
            tests.contains(test) && !not_examined.contains(&(test, [parts[0], parts[parts.len() - 1]]))
        };
        self.compare(&delivery, is_examined, today, worse)
    }
}
