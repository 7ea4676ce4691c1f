//! Findings that share parts.
use crate::{report::finding::Finding, values::disjoint::DisjointSets};
use std::{cmp::Reverse, collections::HashMap};

/// Parts that findings connect.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Connected {
    /// The parts, ascending.
    pub parts: Vec<u32>,
    /// The pair of parts of each finding between them, ascending; twice the same part if a finding is about
    /// one.
    pub pairs: Vec<[u32; 2]>,
}

/// Components of the graph whose edges are findings.
pub(super) fn connected(findings: &[Finding], parts: usize) -> Vec<Connected> {
    let mut sets = DisjointSets::new(parts);
    findings.iter().for_each(|finding| sets.unite(finding.pair()));
    let mut found: HashMap<u32, Connected> = HashMap::new();
    let mut sorted: Vec<[u32; 2]> = findings.iter().map(Finding::pair).collect();
    sorted.sort_unstable();
    for pair in sorted {
        let group = sets.find(pair[0]);
        let empty = || Connected { parts: Vec::new(), pairs: Vec::new() };
        found.entry(group).or_insert_with(empty).pairs.push(pair);
    }
    for part in 0..parts as u32 {
        if let Some(group) = found.get_mut(&sets.find(part)) {
            group.parts.push(part);
        }
    }
    let mut all: Vec<Connected> = found.into_values().collect();
    all.sort_unstable_by_key(|group| (Reverse(group.pairs.len()), group.parts[0]));
    all
}
