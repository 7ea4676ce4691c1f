//! Conversion of a report to bytes, for other processes, and back.
//!
//! The bytes contain decisions and measurements. Findings, groups and numbers that follow from them are
//! computed again, by the functions that computed them first. Meshes are not in the bytes.
use super::{Input, Report};
use crate::{
    parts::{
        MeshFacts, PartRecord, Parts, SolidFacts,
        chord::{Chord, Stated},
        placed_shapes::{PlacedShape, PlacedShapes},
        texts::PartTexts,
    },
    question::{
        Question,
        asked::Asked,
        pairs::Pairs,
        settings::Settings,
        test_plan::{Ledger, TestCounts},
    },
    records::{
        Records,
        clash::Clashes,
        floating::Floating,
        motion_gaps::{MotionCounts, MotionGap, Motions},
        near::Nears,
        self_intersections,
        stored::{StoredClash, ascend},
    },
    report::slight::Slight,
    rules::Rules,
    sources::{file_units::CoordinateUnit, offsets::FileOffset, omission::Omission},
    values::{date::Date, digest::Digest, error::Error, named, pose_numbers, warning::Warning},
};
use anyhow::{Context, bail, ensure};
use impinge::{Pose, distance::Margin};
use impinge_io::{Assembly, Unit};
use serde::{Deserialize, Serialize};
use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

const NAME: &[u8; 8] = b"imprept4";
const HEADER: usize = 40;
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The input of a check that [`Report::from_bytes`] needs besides the bytes. It must be the same as in the
/// check.
#[derive(Default)]
pub struct Origin {
    /// The parts, if the report has them ([`Report::assembly`]).
    pub assembly: Option<Arc<Assembly>>,
    /// The choice of pairs, if it is a function ([`Pairs::Where`]).
    pub pairs: Option<Pairs>,
    /// The rules, and the day on which they were applied.
    pub rules: Option<(Arc<Rules>, Date)>,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    /// Settings and omissions as JSON, which allows missing fields.
    json: String,
    floating: bool,
    #[serde(with = "named::option")]
    stated_unit: Option<Unit>,
    self_intersections: bool,
    has_rules: bool,
    /// The largest tolerance that a part states.
    stated_chord: Option<f64>,
    pairs: SavedPairs,
    unit: CoordinateUnit,
    part_count: u32,
    /// `None` with an assembly.
    parts: Option<Vec<SavedPart>>,
    meshes: Vec<(u64, Option<SolidFacts>)>,
    extent: Option<[[f64; 3]; 2]>,
    clashes: Vec<StoredClash>,
    boxes_overlap: u64,
    clashes_not_examined: Vec<[u32; 2]>,
    nears: Option<Nears>,
    ledger: Ledger,
    motions: Option<Motions>,
    found_floating: Option<Vec<Floating>>,
    within: Option<self_intersections::OfParts>,
    warnings: Vec<Warning>,
    offsets: Vec<(String, [f64; 3])>,
    slight: Option<Slight>,
    placed: Option<Vec<PlacedShape>>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum SavedPairs {
    All,
    Across(u64),
    ByFunction,
}

#[derive(Serialize, Deserialize)]
struct SavedPart {
    name: String,
    file: String,
    /// [`PartTexts::each`].
    texts: [Option<String>; 4],
    mesh: u32,
    pose: [f64; 12],
    stated: Stated,
}

impl Report {
    /// The report as bytes, for another process with the same version of this library: see
    /// [`Report::from_bytes`]. Meshes, rules, a function that chooses pairs and the comparison with a
    /// baseline are not in them. About 150 bytes a clash or near pair.
    ///
    /// ```
    /// use impinge_check::{Assembly, Check, Part, Report, Watch, report::Origin};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(impinge::Mesh::cuboid([1.0; 3])?);
    /// let mut assembly = Assembly::new();
    /// for name in ["a", "b"] {
    ///     assembly.push(Part::from_mesh(name, cube.clone(), impinge::Pose::IDENTITY));
    /// }
    /// let assembly = Arc::new(assembly);
    /// let report = Check::new().run(assembly.clone(), &Watch::new())?;
    /// let origin = Origin { assembly: Some(assembly), ..Origin::default() };
    /// let again = Report::from_bytes(&report.to_bytes()?, origin)?;
    /// assert_eq!(again.clashes(), report.clashes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An error of the serializer, without a known cause.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.encode()?)
    }
    fn encode(&self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = postcard::to_extend(&(VERSION, self.saved()?), vec![0; HEADER])?;
        let digest = Digest::of(&bytes[HEADER..]);
        bytes[..NAME.len()].copy_from_slice(NAME);
        bytes[NAME.len()..HEADER].copy_from_slice(digest.bytes());
        Ok(bytes)
    }
    /// Reads the bytes of [`Report::to_bytes`]. They contain no comparison with a baseline: call
    /// [`Report::with_baseline`] again.
    ///
    /// # Errors
    /// The bytes are damaged or of another version, or `origin` is not that of the report: it has other
    /// parts, or lacks the rules or pairs.
    pub fn from_bytes(bytes: &[u8], origin: Origin) -> Result<Self, Error> {
        Ok(decode(bytes).and_then(|saved| saved.report(origin)).context("a saved report")?)
    }

    fn saved(&self) -> anyhow::Result<Saved> {
        let input = &self.input;
        let Records { clashes, nears, ledger, motions, floating, within } = &self.records;
        let part = |part: &PartRecord| SavedPart {
            name: (*part.name).to_owned(),
            file: part.file.to_string_lossy().into_owned(),
            texts: part.texts.each().map(|text| text.map(|text| (**text).to_owned())),
            mesh: part.mesh,
            pose: pose_numbers::of(&part.pose),
            stated: part.stated,
        };
        let clash = |clash| StoredClash::new(clash, clashes, clash.parts);
        Ok(Saved {
            json: serde_json::to_string(&(&self.question.settings, &input.omissions))?,
            floating: self.question.finds_floating,
            stated_unit: self.question.unit,
            self_intersections: self.question.finds_self_intersections,
            has_rules: self.question.rules.is_some(),
            stated_chord: self.asked.chord.as_ref().and_then(Chord::stated).map(Margin::get),
            pairs: match self.pairs() {
                Pairs::All => SavedPairs::All,
                Pairs::Across { second } => SavedPairs::Across(*second as u64),
                Pairs::Where(_) => SavedPairs::ByFunction,
            },
            unit: input.unit,
            part_count: self.part_count() as u32,
            parts: input.assembly.is_none().then(|| input.parts.parts.iter().map(part).collect()),
            meshes: input.parts.meshes().map(|mesh| (mesh.triangles as u64, mesh.solid.clone())).collect(),
            extent: input.parts.extent,
            clashes: self.clashes().iter().map(clash).collect(),
            boxes_overlap: clashes.boxes_overlap,
            clashes_not_examined: clashes.not_examined.clone(),
            nears: nears.clone(),
            ledger: ledger.clone(),
            motions: motions.clone(),
            found_floating: floating.clone(),
            within: within.clone(),
            warnings: input.warnings.clone(),
            offsets: input.offsets.iter().map(|one| (one.file.clone(), one.offset)).collect(),
            slight: self.slight,
            // A report with an assembly computes its shapes again.
            placed: input.shapes.get().filter(|_| input.assembly.is_none()).map(|shapes| shapes.0.to_vec()),
        })
    }
}

fn decode(bytes: &[u8]) -> anyhow::Result<Saved> {
    let Some((header, body)) = bytes.split_first_chunk::<HEADER>() else { bail!("it ends early") };
    if !header.starts_with(NAME) || header[NAME.len()..] != *Digest::of(body).bytes() {
        bail!("its content does not match its digest");
    }
    let (version, rest) = postcard::take_from_bytes::<&str>(body)?;
    ensure!(version == VERSION, "impinge {version} wrote it, and this is {VERSION}");
    Ok(postcard::from_bytes(rest)?)
}

impl Saved {
    fn report(mut self, Origin { assembly, pairs, rules }: Origin) -> anyhow::Result<Report> {
        let pairs = match (self.pairs, pairs) {
            (SavedPairs::All, _) => Pairs::All,
            (SavedPairs::Across(second), _) => Pairs::Across { second: second.try_into()? },
            (SavedPairs::ByFunction, Some(pairs)) => pairs,
            (SavedPairs::ByFunction, None) => {
                bail!("its pairs were chosen by a function, which is not given")
            }
        };
        ensure!(self.parts.is_some() || assembly.is_some(), "its assembly is not given");
        ensure!(self.has_rules == rules.is_some(), "its rules are not given, or it has none");
        let (settings, omissions): (Settings, Vec<Omission>) = serde_json::from_str(&self.json)?;
        let question = Question {
            settings,
            pairs,
            unit: self.stated_unit,
            finds_floating: self.floating,
            finds_self_intersections: self.self_intersections,
            rules,
        };
        let (asked, assembly) = match (assembly, &self.parts) {
            (Some(assembly), None) => {
                let (asked, _, assembly) = question.asked(assembly)?;
                (asked, Some(assembly))
            }
            _ => {
                let stated = self.stated_chord.map(Margin::new).transpose()?;
                (question.settings.asked_of_largest(stated, self.part_count as usize)?, None)
            }
        };
        let parts = match (&assembly, self.parts.take()) {
            (Some(assembly), _) => {
                let solids = |mesh: usize| self.meshes.get(mesh).and_then(|(_, solid)| solid.clone());
                Parts::new(&assembly.parts, &[], asked.rule, self.extent, solids)
            }
            (None, parts) => {
                let parts = parts.unwrap_or_default().into_iter().map(SavedPart::record);
                let facts = |(triangles, solid): &(u64, Option<SolidFacts>)| MeshFacts {
                    triangles: *triangles as usize,
                    solid: solid.clone(),
                };
                let meshes = self.meshes.iter().map(facts).collect();
                Parts::of(parts.collect::<anyhow::Result<_>>()?, meshes, self.extent)
            }
        };
        let count = parts.parts.len() as u32;
        let is_same =
            parts.meshes().map(|mesh| mesh.triangles as u64).eq(self.meshes.iter().map(|mesh| mesh.0));
        ensure!(
            is_same
                && count == self.part_count
                && parts.parts.iter().all(|part| (part.mesh as usize) < self.meshes.len()),
            "its parts are others"
        );
        self.check(count, &question.pairs, &asked)?;
        let (mut clashes, mut depths, mut contacts) = (Vec::new(), Vec::new(), Vec::new());
        for stored in &self.clashes {
            let (clash, depth, contact) = stored.restored(stored.parts);
            clashes.push(clash);
            depths.extend(depth.map(|depth| (stored.parts, depth)));
            contacts.extend(contact.map(|contact| (stored.parts, contact)));
        }
        let mut clashes = Clashes::known(clashes, depths, contacts, self.boxes_overlap);
        clashes.not_examined = self.clashes_not_examined;
        let records = Records {
            clashes,
            nears: self.nears,
            ledger: self.ledger,
            motions: self.motions,
            floating: self.found_floating,
            within: self.within,
        };
        let offsets = self.offsets.into_iter().map(|(file, offset)| FileOffset { file, offset }).collect();
        let shapes =
            self.placed.map(|placed| PlacedShapes(placed.into())).map_or_else(OnceLock::new, OnceLock::from);
        let (warnings, unit) = (self.warnings, self.unit);
        let input = Input { assembly, parts, warnings, omissions, offsets, unit, shapes };
        let mut report = Report::new(input, question, asked, records);
        report.slight = self.slight;
        Ok(report)
    }
}

/// Checks of what the functions of reports rely on: the bytes may come from another writer.
impl Saved {
    fn check(&self, count: u32, pairs: &Pairs, asked: &Asked) -> anyhow::Result<()> {
        let (part_pairs, plan) = (pairs.count(count as usize), &asked.tests);
        let is_pair = |[a, b]: [u32; 2]| a < b && b < count;
        let is_part = |part: &u32| *part < count;
        ensure!(
            ascend(self.clashes.iter().map(|clash| clash.parts), is_pair),
            "its clashes are not in order"
        );
        self.clashes.iter().try_for_each(StoredClash::check)?;
        let sum = self.clashes.iter().try_fold(0_u64, |sum, clash| sum.checked_add(clash.triangle_pairs));
        ensure!(sum.is_some(), "it has more triangle pairs than can be counted");
        let tested = (self.clashes.len() + self.clashes_not_examined.len()) as u64;
        let mut most = self.boxes_overlap;
        ensure!(tested <= most, "it has more clashes than pairs");
        let what_if = asked.clearance.as_ref().map(|clearance| clearance.what_if.len());
        ensure!(what_if == self.nears.as_ref().map(|nears| nears.counts.len()), "its lengths are others");
        if let Some(nears) = &self.nears {
            let mut pairs: Vec<_> = nears.list.iter().chain(&nears.left_out).map(|near| near.parts).collect();
            pairs.sort_unstable();
            ensure!(ascend(pairs, is_pair), "its near pairs are not in order");
            let is_count = |count: &u64| *count <= nears.boxes_within;
            ensure!(nears.counts.iter().all(is_count), "more pairs are near than there are");
            most = most.max(nears.boxes_within);
        }
        let Ledger { tests, removed_by, .. } = &self.ledger;
        let are_others = tests.len() != plan.tests.len() || removed_by.len() != plan.ignores.len();
        ensure!(!are_others, "its rules are others");
        let is_sum = |counts: &TestCounts, most: u64| {
            let TestCounts { ignored, not_examined, tested } = *counts;
            ignored
                .checked_add(not_examined)
                .and_then(|sum| sum.checked_add(tested))
                .is_some_and(|sum| sum <= most)
        };
        let is_whole = |(i, counts): (usize, &TestCounts)| is_sum(counts, plan.pairs_of(i, pairs));
        ensure!(tests.iter().enumerate().all(is_whole), "a test has more pairs than parts");
        let not_tested =
            self.nears.iter().flat_map(|nears| &nears.not_examined).chain(&self.clashes_not_examined);
        let within = self.nears.as_ref().map_or(self.boxes_overlap, |nears| nears.boxes_within);
        ensure!(
            not_tested.clone().count() as u64 <= within && most <= part_pairs,
            "it has more pairs than parts"
        );
        let of_motions = self.motions.iter().flat_map(|motions| &motions.not_examined);
        let mut not_examined = not_tested.clone().chain(of_motions);
        ensure!(not_examined.all(|&pair| is_pair(pair)), "it has pairs of other parts");
        for group in self.found_floating.iter().flatten() {
            let nearest = group.nearest.iter().flat_map(|nearest| [nearest.part, nearest.other]);
            let parts = group.parts.iter().copied().chain(nearest);
            ensure!(
                !group.parts.is_empty() && parts.into_iter().all(|part| is_part(&part)),
                "a group has other parts"
            );
        }
        let motions: Vec<usize> = plan.motions().map(|(test, _)| test).collect();
        let is_gap = |gap: &MotionGap| {
            let is_pose = |poses: &[Pose]| (gap.pose as usize) < poses.len();
            let is_of_test = plan.motions().any(|(test, poses)| test == gap.test as usize && is_pose(poses));
            let is_after = (0.0..1.0).contains(&gap.after);
            is_of_test && is_after && is_pair(gap.parts) && gap.parts.contains(&gap.moving)
        };
        let is_test = |counts: &MotionCounts| {
            counts.removed_by.len() == plan.ignores.len() && is_sum(&counts.pairs, counts.asked)
        };
        if let Some(all) = &self.motions {
            let are_same = all.tests.iter().map(|counts| counts.test as usize).eq(motions.iter().copied());
            let are_whole = are_same && all.tests.iter().all(is_test) && all.gaps.iter().all(is_gap);
            ensure!(are_whole, "a motion has other parts");
        }
        let lengths = [self.within.as_ref().map(Vec::len), self.placed.as_ref().map(Vec::len)];
        ensure!(lengths.iter().flatten().all(|&length| length == count as usize), "its parts are others");
        Ok(())
    }
}

impl SavedPart {
    fn record(self) -> anyhow::Result<PartRecord> {
        Ok(PartRecord {
            name: self.name.into(),
            file: Path::new(&self.file).into(),
            texts: PartTexts::from_each(self.texts.map(|text| text.map(Arc::from))),
            mesh: self.mesh,
            pose: pose_numbers::pose(&self.pose)?,
            stated: self.stated,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Origin;
    use crate::{Assembly, Check, Part, Report, Watch, records::DepthOf};
    use impinge::{Mesh, Pose};
    use std::sync::Arc;

    fn assembly(count: usize) -> Arc<Assembly> {
        let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
        let mut assembly = Assembly::new();
        for i in 0..count {
            let pose = Pose::from_translation([0.75 * i as f64, 0.0, 0.0]).unwrap();
            assembly.push(Part::from_mesh(format!("part {i}"), cube.clone(), pose).with_chord(0.01));
        }
        Arc::new(assembly)
    }

    fn origin(assembly: &Arc<Assembly>) -> Origin {
        Origin { assembly: Some(assembly.clone()), ..Origin::default() }
    }

    #[test]
    fn a_report_comes_back() {
        let parts = assembly(4);
        let check = Check::new().depth(DepthOf::All).clearance(0.6).what_if([0.1, 1.0]).floating(true);
        let report = check.self_intersections(true).run(parts.clone(), &Watch::new()).unwrap();
        let bytes = report.to_bytes().unwrap();
        let again = Report::from_bytes(&bytes, origin(&parts)).unwrap();
        assert_eq!(again.to_bytes().unwrap(), bytes);
        assert_eq!((again.clashes(), again.near()), (report.clashes(), report.near()));
        assert_eq!((again.findings(), again.floating()), (report.findings(), report.floating()));
        assert!(!report.near().is_empty() && report.clashes().iter().all(|one| again.depth(one).is_some()));
        assert!(report.what_if().eq(again.what_if()) && report.what_if().count() == 2);
    }

    #[test]
    fn damage_and_other_origins_are_errors() {
        let parts = assembly(3);
        let report = Check::new().run(parts.clone(), &Watch::new()).unwrap();
        let bytes = report.to_bytes().unwrap();
        let error = |bytes: &[u8], origin| Report::from_bytes(bytes, origin).err().unwrap().to_string();
        for i in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 1;
            error(&damaged, origin(&parts));
            error(&bytes[..i], origin(&parts));
        }
        assert_eq!(error(&bytes, Origin::default()), "a saved report: its assembly is not given");
        for count in [0, 2, 4] {
            let text = error(&bytes, origin(&assembly(count)));
            assert!(text.starts_with("a saved report: "), "{text}");
        }
    }
}
