//! The parts that resolve most findings.
use crate::report::finding::Finding;
use std::{cmp::Reverse, collections::BinaryHeap};

/// A part that explains findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explained {
    /// The part.
    pub part: u32,
    /// Number of its findings that no part before it has.
    pub findings: u64,
}

/// A greedy cover: repeatedly takes the part with the most findings that are left; of several, the first.
pub(super) fn explained(findings: &[Finding], parts: usize) -> Vec<Explained> {
    let mut of: Vec<Vec<u32>> = vec![Vec::new(); parts];
    for (i, finding) in (0..).zip(findings) {
        finding.parts().iter().for_each(|&part| of[part as usize].push(i));
    }
    let mut left: Vec<u64> = of.iter().map(|findings| findings.len() as u64).collect();
    let mut is_explained = vec![false; findings.len()];
    let mut heap: BinaryHeap<(u64, Reverse<u32>)> =
        (0..).zip(&left).filter(|(_, n)| **n > 0).map(|(part, &n)| (n, Reverse(part))).collect();
    let mut all = Vec::new();
    while let Some((count, Reverse(part))) = heap.pop() {
        let now = left[part as usize];
        if now == 0 {
            continue;
        }
        if now < count {
            heap.push((now, Reverse(part)));
            continue;
        }
        for &i in &of[part as usize] {
            if !std::mem::replace(&mut is_explained[i as usize], true) {
                findings[i as usize].parts().iter().for_each(|&part| left[part as usize] -= 1);
            }
        }
        all.push(Explained { part, findings: now });
    }
    all
}
