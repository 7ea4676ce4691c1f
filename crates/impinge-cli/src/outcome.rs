//! The report of `check` and `merge`.
use crate::{
    chord::{Chords, Sure, Tolerances},
    clashes::{Clash, Clashes},
    clearance::{Near, Nears},
    coverage::{Coverage, Distances, Solids},
    depth::{self, Depth},
    facts::Facts,
    finding::{Kinds, Rule},
    found::Found,
    question::Asked,
    subject::Subject,
    warning::Warning,
};
use serde::Serialize;

/// The results about an assembly, and which of them count.
pub(crate) struct Report {
    pub(crate) facts: Facts,
    pub(crate) clashes: Clashes,
    pub(crate) coverage: Coverage,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) subject: Subject,
    /// Which points are inside of parts; `None` if they are surfaces.
    pub(crate) rule: Option<Rule>,
    /// The relations that count, and the relations that are listed besides.
    pub(crate) counted: Kinds,
    pub(crate) shown: Kinds,
    pub(crate) tolerance: Option<f64>,
    /// The chord tolerances of triangles, if the query has any.
    pub(crate) chords: Option<Tolerances>,
    /// The near pairs, if the query has distances.
    pub(crate) nears: Option<Nears>,
    /// How many clashes count.
    pub(crate) counting: u64,
    /// Pairs for which there was no time, sorted.
    pub(crate) not_examined: Vec<[u32; 2]>,
}

impl Report {
    /// `shown` is listed besides what counts.
    pub(crate) fn new(
        facts: Facts,
        found: Found,
        asked: &Asked,
        shown: Kinds,
        (subject, warnings): (Subject, Vec<Warning>),
    ) -> Self {
        let not_examined = found.not_examined();
        let Found { clashes, nears } = found;
        let [clashing, contained] = clashes.touching();
        let parts = facts.parts.len();
        let chords = asked.chord.as_ref().map(|chord| {
            Tolerances::known(chord, facts.parts.iter().map(|part| chord.of(&part.name)).collect())
        });
        let coverage = Coverage {
            parts,
            part_pairs: subject.pairs(parts),
            boxes_overlap: clashes.boxes_overlap,
            tested: clashes.boxes_overlap - clashes.not_examined.len() as u64,
            not_examined: not_examined.len() as u64,
            clashing,
            triangle_pairs: clashes.list.iter().map(|clash| clash.triangle_pairs).sum(),
            solids: asked.rule.map(|_| Solids::new(&clashes, &facts, contained)),
            clearance: nears.as_ref().map(|nears| Distances::new(nears, not_examined.len() as u64)),
            chord: None,
        };
        let mut report = Self {
            facts,
            clashes,
            coverage,
            warnings,
            subject,
            rule: asked.rule,
            counted: asked.counted,
            shown,
            tolerance: asked.tolerance,
            chords,
            nears,
            counting: 0,
            not_examined,
        };
        let count =
            |is: &dyn Fn(&Clash) -> bool| report.clashes.list.iter().filter(|clash| is(clash)).count() as u64;
        let counting = count(&|clash| report.counts(clash));
        let shallow = report.tolerance.map(|_| count(&|clash| report.is_shallow(clash)));
        report.counting = counting;
        let findings = report.findings();
        report.coverage.chord = report.chords.as_ref().map(|chords| report.certainties(chords));
        if let Some(solids) = &mut report.coverage.solids {
            (solids.findings, solids.shallow) = (findings, shallow);
        }
        report
    }
    /// The near pairs.
    pub(crate) fn near(&self) -> &[Near] {
        self.nears.as_ref().map_or(&[], |nears| &nears.list)
    }
    /// How many clashes count, and pairs that are near.
    pub(crate) fn findings(&self) -> u64 {
        self.counting + self.near().len() as u64
    }
    /// At each clearance of `--what-if`: how many pairs are near, and how many findings that makes.
    pub(crate) fn what_if(&self) -> impl Iterator<Item = WhatIf> {
        self.nears
            .iter()
            .flat_map(|nears| nears.asked.what_if.iter().zip(&nears.counts))
            .map(|(margin, &near)| WhatIf { clearance: margin.get(), near, findings: self.counting + near })
    }
    pub(crate) fn counts(&self, clash: &Clash) -> bool {
        self.is_of_interest(clash) && !self.clashes.is_shallow(clash)
    }
    /// Whether it would count, but for the tolerance.
    pub(crate) fn is_shallow(&self, clash: &Clash) -> bool {
        self.is_of_interest(clash) && self.clashes.is_shallow(clash)
    }
    /// Whether its depth was wanted, but too many triangle pairs meet to be listed.
    pub(crate) fn is_unmeasured(&self, clash: &Clash) -> bool {
        let triangles = clash.parts.map(|part| self.facts.mesh(part as usize).triangles);
        clash.triangle_pairs > depth::limit(triangles) as u64
            && self.clashes.depth(clash).is_some_and(Depth::is_unknown)
    }
    /// How certain those findings are that count.
    fn certainties(&self, chords: &Tolerances) -> Chords {
        let clashes = self.clashes.list.iter().filter(|clash| self.counts(clash));
        let certainties =
            || clashes.clone().map(|c| c.certainty).chain(self.near().iter().map(|n| n.certainty));
        let count = |sure| certainties().filter(|&found| found == Some(sure)).count() as u64;
        Chords {
            tolerance: chords.chord.largest().get(),
            is_largest: chords.chord.only().is_none(),
            definite: count(Sure::Definite),
            possible: count(Sure::Possible),
        }
    }
    fn is_of_interest(&self, clash: &Clash) -> bool {
        clash.kind.is_none_or(|kind| self.counted.holds(kind))
    }
    /// Whether the table lists a clash. Shallow clashes have a table of their own.
    pub(crate) fn lists(&self, clash: &Clash) -> bool {
        let is_shown = clash.kind.is_some_and(|kind| self.shown.holds(kind));
        self.counts(clash) || is_shown && !self.is_shallow(clash)
    }
}

/// The number of findings at a clearance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct WhatIf {
    pub(crate) clearance: f64,
    pub(crate) near: u64,
    /// Clashes that count, and near pairs.
    pub(crate) findings: u64,
}
