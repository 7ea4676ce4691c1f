//! A report as bytes, for other processes, and back.
//!
//! The bytes have what was decided and measured. Findings, groups and numbers that follow from that are
//! computed again, by the functions that computed them first. Meshes are not in the bytes.
use super::Report;
use crate::{
    check::Check,
    chord::Stated,
    clash::Clashes,
    date::Date,
    demands::Ledger,
    digest::Digest,
    error::Error,
    file_units::CoordinateUnit,
    finding::Finding,
    floating::Floating,
    motion_gaps::MotionGap,
    named,
    near::{Near, Nears},
    offsets::FileOffset,
    omission::Omission,
    pairs::Pairs,
    parts::{MeshFacts, PartRecord, Parts, SolidFacts},
    placed_shapes::{PlacedShape, PlacedShapes},
    pose_numbers,
    records::Records,
    rules::Rules,
    self_intersections,
    settings::Settings,
    slight::Slight,
    stored::{StoredClash, ascend},
    warning::Warning,
};
use anyhow::{Context, bail, ensure};
use impinge::distance::Margin;
use impinge_io::{Assembly, Unit};
use serde::{Deserialize, Serialize};
use std::{path::Path, sync::Arc};

const NAME: &[u8; 8] = b"impreprt";
const HEADER: usize = 40;
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What [`Report::from_bytes`] takes besides the bytes. It must be what the check had.
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
    /// Settings and omissions as JSON, which can leave out fields of theirs.
    json: String,
    floating: bool,
    #[serde(with = "named::option")]
    stated_unit: Option<Unit>,
    has_rules: bool,
    /// The largest tolerance that a part states.
    stated_chord: Option<f64>,
    pairs: SavedPairs,
    unit: CoordinateUnit,
    part_count: u32,
    /// Without an assembly.
    parts: Option<Vec<SavedPart>>,
    meshes: Vec<(u64, Option<SolidFacts>)>,
    extent: Option<[[f64; 3]; 2]>,
    clashes: Vec<StoredClash>,
    boxes_overlap: u64,
    pairs_left_out: [u64; 2],
    clashes_not_examined: Vec<[u32; 2]>,
    nears: Option<SavedNears>,
    tests: Vec<SavedTest>,
    /// Pairs and findings of each ignore rule.
    ignores: Vec<[u64; 2]>,
    warnings: Vec<Warning>,
    offsets: Vec<(String, [f64; 3])>,
    slight: Option<Slight>,
    not_examined: Vec<[u32; 2]>,
    found_floating: Option<Vec<Floating>>,
    motion_gaps: Option<Vec<MotionGap>>,
    within: Option<self_intersections::OfParts>,
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
    guid: Option<String>,
    class: Option<String>,
    mesh: u32,
    pose: [f64; 12],
    stated: Stated,
}

#[derive(Serialize, Deserialize)]
struct SavedNears {
    list: Vec<Near>,
    reached: Vec<([u32; 2], u32)>,
    counts: Vec<u64>,
    boxes_within: u64,
    not_examined: Vec<[u32; 2]>,
}

/// The numbers of a test that need pairs which the report does not list.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct SavedTest {
    asked: u64,
    boxes_apart: u64,
    ignored: u64,
    not_examined: u64,
    tested: u64,
    shallow: u64,
    ignored_findings: u64,
}

impl Report {
    /// The report as bytes, for another process with the same version of this library: see
    /// [`Report::from_bytes`]. Meshes, rules, a function that chooses pairs and the comparison with a
    /// baseline are not in them. About 150 bytes a clash or near pair.
    ///
    /// ```
    /// use impinge_check::{Assembly, Check, Origin, Part, Report, Watch};
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
    /// An error of the serializer, which has no cause that we know.
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
    /// The report of [`Report::to_bytes`]. A comparison with a baseline is made again:
    /// [`Report::with_baseline`].
    ///
    /// # Errors
    /// The bytes are damaged or of another version, or `origin` is not that of the report: it has other
    /// parts, or lacks the rules or pairs.
    pub fn from_bytes(bytes: &[u8], origin: Origin) -> Result<Self, Error> {
        Ok(decode(bytes).and_then(|saved| saved.report(origin)).context("a saved report")?)
    }

    fn saved(&self) -> anyhow::Result<Saved> {
        let part = |part: &PartRecord| SavedPart {
            name: (*part.name).to_owned(),
            file: part.file.to_string_lossy().into_owned(),
            guid: part.guid.as_deref().map(str::to_owned),
            class: part.class.as_deref().map(str::to_owned),
            mesh: part.mesh,
            pose: pose_numbers::of(&part.pose),
            stated: part.stated,
        };
        let nears = self.nears.as_ref().map(|nears| SavedNears {
            list: nears.list.clone(),
            reached: nears.reached.clone(),
            counts: nears.counts.clone(),
            boxes_within: nears.boxes_within,
            not_examined: nears.not_examined.clone(),
        });
        let tests = self.tests.iter().map(|test| SavedTest {
            asked: test.asked,
            boxes_apart: test.boxes_apart,
            ignored: test.ignored,
            not_examined: test.not_examined,
            tested: test.tested,
            shallow: test.shallow,
            ignored_findings: test.ignored_findings,
        });
        let clash = |clash| StoredClash::new(clash, &self.clashes, clash.parts);
        Ok(Saved {
            json: serde_json::to_string(&(&self.question.settings, &self.omissions))?,
            floating: self.question.finds_floating,
            stated_unit: self.question.unit,
            has_rules: self.rules.is_some(),
            stated_chord: self.chords.as_ref().and_then(|all| all.chord.stated()).map(Margin::get),
            pairs: match self.pairs() {
                Pairs::All => SavedPairs::All,
                Pairs::Across { second } => SavedPairs::Across(*second as u64),
                Pairs::Where(_) => SavedPairs::ByFunction,
            },
            unit: self.unit,
            part_count: self.part_count() as u32,
            parts: self.assembly.is_none().then(|| self.parts.parts.iter().map(part).collect()),
            meshes: self.parts.meshes().map(|mesh| (mesh.triangles as u64, mesh.solid.clone())).collect(),
            extent: self.parts.extent,
            clashes: self.clashes().iter().map(clash).collect(),
            boxes_overlap: self.clashes.boxes_overlap,
            pairs_left_out: [
                self.coverage.pairs_left_out,
                self.coverage.clearance.as_ref().map_or(0, |near| near.pairs_left_out),
            ],
            clashes_not_examined: self.clashes.not_examined.clone(),
            nears,
            tests: tests.collect(),
            ignores: self.ignores().iter().map(|ignore| [ignore.pairs, ignore.findings]).collect(),
            warnings: self.warnings.clone(),
            offsets: self.offsets.iter().map(|one| (one.file.clone(), one.offset)).collect(),
            slight: self.slight,
            not_examined: self.not_examined.clone(),
            found_floating: self.floating.clone(),
            motion_gaps: self.motion_gaps.clone(),
            within: self.within.clone(),
            placed: self.placed.as_ref().map(|placed| placed.0.to_vec()),
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
        let mut check = Check::of(settings, pairs).unit(self.stated_unit).floating(self.floating);
        let question = check.question();
        if let Some((rules, today)) = rules {
            check = check.rules(rules, today);
        }
        let (asked, assembly) = match (assembly, &self.parts) {
            (Some(assembly), None) => {
                let (asked, _, assembly) = check.asked(assembly)?;
                (asked, Some(assembly))
            }
            _ => {
                let stated = self.stated_chord.map(Margin::new).transpose()?;
                (check.settings().asked_of_largest(stated)?, None)
            }
        };
        let parts = match (&assembly, self.parts.take()) {
            (Some(assembly), _) => {
                let solids = |mesh: usize| self.meshes.get(mesh).and_then(|(_, solid)| solid.clone());
                Parts::new(&assembly.parts, &[], (asked.rule, self.extent), solids)
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
        self.check(count, question.pairs.count(count as usize))?;
        let mut memory = (Vec::new(), Vec::new(), Vec::new());
        for stored in &self.clashes {
            let (clash, depth, contact) = stored.restored(stored.parts);
            memory.0.push(clash);
            memory.1.extend(depth.map(|depth| (stored.parts, depth)));
            memory.2.extend(contact.map(|contact| (stored.parts, contact)));
        }
        let mut clashes = Clashes::known(memory.0, (memory.1, memory.2), self.boxes_overlap);
        clashes.not_examined = self.clashes_not_examined;
        let nears = match (self.nears, asked.clearance.clone()) {
            (None, None) => None,
            (Some(SavedNears { list, reached, counts, boxes_within, not_examined }), Some(asked)) => {
                Some(Nears { asked, list, reached, counts, boxes_within, not_examined })
            }
            _ => bail!("its lengths are others"),
        };
        let offsets = self.offsets.into_iter().map(|(file, offset)| FileOffset { file, offset }).collect();
        let records = Records { clashes, nears };
        let ledger = asked.demands.clone().map(|demands| {
            let ledger = Ledger { left_out: self.pairs_left_out, ..Ledger::new(&demands) };
            (demands, ledger)
        });
        let mut report = Report::new(parts, records, (question, &asked), (self.warnings, self.unit))
            .with_omissions(omissions, offsets)
            .with_rules(ledger);
        report.slight = self.slight;
        report.assembly = assembly;
        if let Some(gaps) = self.motion_gaps {
            let findings = gaps.iter().enumerate().map(|(i, gap)| Finding::of_motion_gap(gap, i));
            report.findings.extend(findings);
            report.motion_gaps = Some(gaps);
        }
        report.coverage.not_examined = self.not_examined.len() as u64;
        report.not_examined = self.not_examined;
        report = report.with_floating(self.found_floating).with_self_intersections(self.within);
        report.placed = self.placed.map(|placed| PlacedShapes(placed.into()));
        report.count_again(&self.tests, &self.ignores)?;
        Ok(report)
    }
}

/// What functions of reports rely on, whoever wrote the bytes.
impl Saved {
    fn check(&self, count: u32, part_pairs: u64) -> anyhow::Result<()> {
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
        if let Some(nears) = &self.nears {
            let list = nears.list.iter().map(|near| near.parts);
            ensure!(ascend(list, is_pair), "its near pairs are not in order");
            most = most.max(nears.boxes_within);
        }
        let not_tested =
            self.nears.iter().flat_map(|nears| &nears.not_examined).chain(&self.clashes_not_examined);
        let within = self.nears.as_ref().map_or(self.boxes_overlap, |nears| nears.boxes_within);
        ensure!(not_tested.count() as u64 <= within && most <= part_pairs, "it has more pairs than parts");
        ensure!(self.not_examined.iter().all(|&pair| is_pair(pair)), "it has pairs of other parts");
        for group in self.found_floating.iter().flatten() {
            let nearest = group.nearest.iter().flat_map(|nearest| [nearest.part, nearest.other]);
            let parts = group.parts.iter().copied().chain(nearest);
            ensure!(
                !group.parts.is_empty() && parts.into_iter().all(|part| is_part(&part)),
                "a group has other parts"
            );
        }
        let mut gaps = self.motion_gaps.iter().flatten();
        let is_gap = |gap: &MotionGap| (gap.test as usize) < self.tests.len() && is_pair(gap.parts);
        ensure!(gaps.all(is_gap), "a motion has other parts");
        let lengths = [self.within.as_ref().map(Vec::len), self.placed.as_ref().map(Vec::len)];
        ensure!(lengths.iter().flatten().all(|&length| length == count as usize), "its parts are others");
        Ok(())
    }
}

impl Report {
    /// Sets the numbers of pairs that are not listed, and counts the findings of each test.
    fn count_again(&mut self, tests: &[SavedTest], ignores: &[[u64; 2]]) -> anyhow::Result<()> {
        ensure!(
            tests.len() == self.tests.len() && ignores.len() == self.ignores().len(),
            "its rules are others"
        );
        for (test, counts) in self.tests.iter_mut().zip(tests) {
            (test.asked, test.boxes_apart, test.ignored) = (counts.asked, counts.boxes_apart, counts.ignored);
            (test.not_examined, test.tested) = (counts.not_examined, counts.tested);
            (test.shallow, test.ignored_findings, test.findings) =
                (counts.shallow, counts.ignored_findings, 0);
        }
        for finding in &self.findings {
            self.tests[finding.test as usize].findings += 1;
        }
        if let Some(rules) = &mut self.rules {
            for (ignore, &[pairs, findings]) in rules.ignores.iter_mut().zip(ignores) {
                (ignore.pairs, ignore.findings) = (pairs, findings);
            }
        }
        Ok(())
    }
}

impl SavedPart {
    fn record(self) -> anyhow::Result<PartRecord> {
        Ok(PartRecord {
            name: self.name.into(),
            file: Path::new(&self.file).into(),
            guid: self.guid.map(Arc::from),
            class: self.class.map(Arc::from),
            mesh: self.mesh,
            pose: pose_numbers::pose(&self.pose)?,
            stated: self.stated,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Origin;
    use crate::{Assembly, Check, DepthOf, Part, Report, Watch};
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
