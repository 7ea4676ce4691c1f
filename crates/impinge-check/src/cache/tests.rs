//! Tests that a run with a cache finds the results of a run without, after any edits.
use super::{digest, file::Stored, find};
use crate::{
    parts::chord::ChordOf,
    pool::Pool,
    question::{Question, asked::Asked, depth_of::DepthOf, pairs::Pairs, settings::Settings},
    records::{
        decide::{self, Decided},
        run::Run,
    },
    report::{Input, Report},
    sources::file_units::CoordinateUnit,
    values::{digest::Digest, relations::Relations},
    watch::Watch,
};
use impinge::{Mesh, Pose, solid::FillRule};
use impinge_demo::{icosphere, rng::Rng};
use impinge_io::Part;
use std::{
    cell::Cell,
    path::Path,
    sync::{Arc, OnceLock},
};

/// Number of edits for all questions together. `.ci/full` makes 10,000 of them.
fn edits() -> usize {
    if std::env::var_os("IMPINGE_FULL").is_some_and(|full| !full.is_empty()) { 10_000 } else { 1_000 }
}

fn questions() -> [Settings; 5] {
    let usual = Settings::default;
    [
        usual(),
        Settings { surfaces: true, contacts: true, ..usual() },
        Settings { clearance: Some(0.5), what_if: vec![0.25, 1.0, 2.0], report: Relations::ALL, ..usual() },
        Settings {
            what_if: vec![1.0],
            chord: vec![ChordOf::all(0.125)],
            fill_rule: FillRule::EvenOdd,
            ..usual()
        },
        Settings {
            tolerance: Some(0.75),
            depth: DepthOf::All,
            fill_rule: FillRule::Positive,
            clearance: Some(0.0),
            ..usual()
        },
    ]
}

fn cuboid(size: [f64; 3], is_open: bool) -> Mesh {
    let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 1 { size[k] } else { 0.0 });
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let faces = &faces[usize::from(is_open)..];
    let triangles = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Mesh::new((0..8).map(corner).collect(), triangles).unwrap()
}

/// Small parts on a coarse grid. Many touch, contain or equal each other.
struct Editor {
    rng: Rng,
    parts: Vec<Part>,
    before: Vec<Part>,
}

impl Editor {
    fn mesh(&mut self) -> Arc<Mesh> {
        let side = |rng: &mut Rng| rng.int(1, 3) as f64;
        Arc::new(match self.rng.below(8) {
            0 => icosphere(0),
            1 => Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]).unwrap(),
            2 => Mesh::new(vec![[0.5; 3]], vec![[0, 0, 0]]).unwrap(),
            3 => Mesh::default(),
            4 => cuboid([0; 3].map(|_| side(&mut self.rng)), true),
            _ => cuboid([0; 3].map(|_| side(&mut self.rng)), false),
        })
    }
    fn pose(&mut self) -> Pose {
        let place = self.rng.grid_point(3).map(|x| x / 2.0);
        match self.rng.below(4) {
            0 => Pose::rigid(self.rng.rotation(), place).unwrap(),
            _ => Pose::from_translation(place).unwrap(),
        }
    }
    fn part(&mut self) -> Part {
        let (mesh, pose) = (self.mesh(), self.pose());
        Part::new(format!("part {}", self.rng.below(100)), Path::new("test"), mesh, pose)
    }
    fn edit(&mut self) {
        let was = self.parts.clone();
        let count = self.parts.len() as u64;
        let [i, j] = [0; 2].map(|_| self.rng.below(count.max(1)) as usize);
        match self.rng.below(12) {
            _ if count < 3 => {
                let part = self.part();
                self.parts.push(part);
            }
            0 if count < 12 => {
                let part = self.part();
                self.parts.insert(i, part);
            }
            1 => drop(self.parts.remove(i)),
            2 => self.parts.swap(i, j),
            3 if count < 12 => self.parts.push(self.parts[i].clone()),
            // An equal mesh at another address.
            4 => self.parts[i].mesh = Arc::new(Mesh::clone(&self.parts[i].mesh)),
            5 => self.parts[i].mesh = self.mesh(),
            6 => self.parts[i].mesh = Arc::clone(&self.parts[j].mesh),
            7 => self.parts[i].pose = self.parts[j].pose,
            8 => self.parts[i].name = "another name".into(),
            9 => self.parts = self.before.clone(),
            _ => self.parts[i].pose = self.pose(),
        }
        self.before = was;
    }
}

/// The whole contents of a report.
fn all(Decided { records, parts, .. }: Decided, asked: Asked, pairs: Pairs) -> String {
    let question = Question::of(Settings::default(), pairs);
    let input = Input {
        assembly: None,
        parts,
        warnings: Vec::new(),
        omissions: Vec::new(),
        offsets: Vec::new(),
        unit: CoordinateUnit::Unknown,
        shapes: OnceLock::new(),
    };
    let report = Report::new(input, question, asked, records);
    let parts: Vec<_> = report.parts().map(|part| (part.name(), part.triangles(), part.solid())).collect();
    let clashes: Vec<_> = report
        .clashes()
        .iter()
        .map(|clash| {
            (
                clash.parts,
                clash.point,
                clash.relation,
                clash.triangle_pairs,
                clash.certainty,
                report.depth(clash),
                (report.counts(clash), report.contact(clash)),
            )
        })
        .collect();
    let what_if: Vec<_> = report.what_if().collect();
    let rest = (report.near(), report.coverage(), report.tests(), report.not_examined(), what_if);
    format!("{parts:?} {clashes:?} {rest:?}")
}

#[test]
fn after_random_edits_all_is_as_without_a_cache() {
    let (pool, watch) = (Pool::new(1).unwrap(), Watch::new());
    let (recalled, decided) = (Cell::new(0), Cell::new(0));
    for (seed, question) in (0..).zip(questions()) {
        let name = digest(&question).unwrap();
        let mut editor = Editor { rng: Rng::new(seed), parts: Vec::new(), before: Vec::new() };
        (0..8).for_each(|_| editor.edit());
        let mut bytes = Stored::default().encode(name).unwrap().0;
        for edit in 0..edits() / questions().len() {
            editor.edit();
            let parts = editor.parts.clone();
            // The query and its pairs change, too.
            let second = editor.rng.below(4 * parts.len() as u64) as usize;
            let subject = || match second < parts.len() {
                true => Pairs::Across { second },
                false => Pairs::All,
            };
            let asked = || question.asked_of_largest(None, parts.len()).unwrap();
            let own = asked();
            let run = Run::new(&parts, &own, &pool, &watch).unwrap();
            let fresh = decide::assembly(&run, &subject(), None).unwrap();
            let tell = |known: usize, open: usize| {
                recalled.set(recalled.get() + known);
                decided.set(decided.get() + open);
            };
            let (old, _) = Stored::decode(&bytes, name).unwrap().unwrap();
            let (new_found, new) = find(old, &run, &subject(), tell).unwrap();
            let [fresh, cached] = [fresh, new_found].map(|found| all(found, asked(), subject()));
            assert_eq!(fresh, cached, "edit {edit} of {question:?}");
            bytes = new.encode(name).unwrap().0;
        }
    }
    // An edit changes one part in ten, or the choice of pairs.
    let (recalled, decided) = (recalled.get(), decided.get());
    assert!(recalled > 2 * decided, "{recalled} pairs were recalled, {decided} decided");
}

/// The bytes of a cache, its parts, and the settings with their digest.
fn example() -> (Vec<u8>, Vec<Part>, Settings, Digest) {
    let (pool, watch) = (Pool::new(1).unwrap(), Watch::new());
    let [_, _, question, ..] = questions();
    let name = digest(&question).unwrap();
    let mut editor = Editor { rng: Rng::new(7), parts: Vec::new(), before: Vec::new() };
    (0..10).for_each(|_| {
        let part = editor.part();
        editor.parts.push(part);
    });
    let asked = question.asked_of_largest(None, editor.parts.len()).unwrap();
    let run = Run::new(&editor.parts, &asked, &pool, &watch).unwrap();
    let (_, stored) = find(Stored::default(), &run, &Pairs::All, |_, _| {}).unwrap();
    assert!(!stored.found.clashes.is_empty() && !stored.found.near.is_empty());
    (stored.encode(name).unwrap().0, editor.parts, question, name)
}

#[test]
fn what_is_damaged_is_not_used() {
    let (bytes, _, _, name) = example();
    assert!(Stored::decode(&bytes, name).unwrap().is_some());
    for end in 0..bytes.len() {
        assert!(Stored::decode(&bytes[..end], name).is_err(), "{end}");
    }
    for at in 8..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Stored::decode(&damaged, name).is_err(), "{at}");
    }
    let other = digest(&questions()[1]).unwrap();
    assert!(Stored::decode(&bytes, other).unwrap().is_none());
}

/// Stored results with a digest that fits can be false. Even then nothing panics, and nothing is counted
/// twice.
#[test]
fn what_was_forged_does_not_panic() {
    let (bytes, parts, question, name) = example();
    let (pool, watch, mut rng) = (Pool::new(1).unwrap(), Watch::new(), Rng::new(3));
    let mut used = 0;
    for _ in 0..2_000 {
        let mut forged = bytes.clone();
        let at = 72 + rng.below(bytes.len() as u64 - 72) as usize;
        forged[at] = rng.next_u64() as u8;
        let digest = Digest::of(&forged[40..]);
        forged[8..40].copy_from_slice(digest.bytes());
        if let Ok(Some((old, _))) = Stored::decode(&forged, name) {
            used += 1;
            let asked = question.asked_of_largest(None, parts.len()).unwrap();
            let run = Run::new(&parts, &asked, &pool, &watch).unwrap();
            if let Ok((decided, _)) = find(old, &run, &Pairs::All, |_, _| {}) {
                all(decided, question.asked_of_largest(None, parts.len()).unwrap(), Pairs::All);
            }
        }
    }
    assert!(used > 500, "{used}");
}

/// A cache stays valid after a change that affects no result.
#[test]
fn a_cache_is_for_one_question() {
    let name = |settings: &Settings| digest(settings).unwrap();
    let usual = name(&Settings::default());
    assert_eq!(usual, name(&Settings { max_pairs: 7, ..Settings::default() }));
    let all = questions();
    for (i, one) in all.iter().enumerate() {
        assert!(all[..i].iter().all(|other| name(one) != name(other)), "{one:?}");
    }
}
