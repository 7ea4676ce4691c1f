//! Tests of lost contacts, over random deliveries of cubes at integer places.
use impinge::{Mesh, Pose};
use impinge_check::{
    Assembly, Check, Date, FindingKind, Part, Report, Rules, Watch,
    baseline::{Baseline, Fate, Status, Worse},
};
use impinge_demo::rng::Rng;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

const RULES: &str = r#"
    version = 1
    [sets]
    fixed = "fixed*"
    loose = "loose*"
    [[test]]
    name = "stands"
    find = "lost-contact"
    a = "loose"
    b = "fixed"
    [[test]]
    name = "all"
    a = "*"
    [[ignore]]
    reason = "this one hangs"
    a = { name = "loose 0" }
    test = "stands"
"#;

/// Corners of unit cubes, by the names of the parts.
type World = BTreeMap<String, [i32; 3]>;
type Pair = [String; 2];

fn check(world: &World, is_reversed: bool) -> Report {
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    let mut assembly = Assembly::new();
    let part = |(name, at): (&String, &[i32; 3])| {
        let pose = Pose::from_translation(at.map(f64::from)).unwrap();
        Part::new(name.as_str(), Path::new("yard.obj"), Arc::clone(&cube), pose)
    };
    let mut parts: Vec<Part> = world.iter().map(part).collect();
    if is_reversed {
        parts.reverse();
    }
    parts.into_iter().for_each(|part| assembly.push(part));
    let rules = Rules::parse("impinge.toml", RULES).unwrap();
    Check::new().rules(rules, Date::from_days(0)).run(assembly, &Watch::new()).unwrap()
}

/// Pairs of the test that have a point in common.
fn contacts(world: &World) -> BTreeSet<Pair> {
    let mut pairs = BTreeSet::new();
    for (a, p) in world.iter().filter(|(a, _)| a.starts_with("loose") && *a != "loose 0") {
        for (b, q) in world.iter().filter(|(b, _)| b.starts_with("fixed")) {
            if (0..3).all(|k| (p[k] - q[k]).abs() <= 1) {
                pairs.insert([a.clone(), b.clone()]);
            }
        }
    }
    pairs
}

fn lost_of(report: &Report) -> BTreeMap<Pair, Status> {
    let lost = (0..).zip(report.findings()).filter(|(_, one)| one.kind == FindingKind::LostContact);
    let pair = |parts: &[u32]| {
        let mut names = [0, 1].map(|i| report.part(parts[i]).name().to_owned());
        names.sort_by_key(|name| name.starts_with("fixed"));
        names
    };
    lost.map(|(i, one)| (pair(one.parts()), report.status(i).unwrap().status)).collect()
}

#[test]
fn contacts_are_lost_and_found_again() {
    let mut rng = Rng::new(36);
    let mut seen = BTreeSet::new();
    for _ in 0..60 {
        let mut world = World::new();
        for i in 0..4 {
            world.insert(format!("fixed {i}"), [3 * i, 0, 0]);
            world.insert(format!("loose {i}"), [3 * i, rng.below(3) as i32, 0]);
        }
        let mut baseline = Baseline::new();
        let mut known: BTreeSet<Pair> = BTreeSet::new();
        let mut open: BTreeSet<Pair> = BTreeSet::new();
        for step in 0..6 {
            if step > 0 {
                for i in 0..4 {
                    let name = format!("loose {i}");
                    match rng.below(8) {
                        0 => drop(world.remove(&name)),
                        1..4 => drop(world.insert(name, [3 * i, rng.below(3) as i32, 0])),
                        _ => {}
                    }
                }
            }
            let today = Date::from_days(step);
            let report = check(&world, rng.one_in(2)).with_baseline(&baseline, today, Worse::default());
            let now = contacts(&world);
            let is_there = |pair: &&Pair| pair.iter().all(|name| world.contains_key(name));
            let expected: BTreeMap<Pair, Status> = known
                .iter()
                .filter(is_there)
                .filter(|pair| !now.contains(*pair))
                .map(|pair| (pair.clone(), if open.contains(pair) { Status::Active } else { Status::New }))
                .collect();
            // A contact that came back and was lost again is reopened.
            let found: BTreeMap<Pair, Status> = lost_of(&report)
                .into_iter()
                .map(|(pair, status)| {
                    seen.insert(format!("{status:?}"));
                    (pair, if status == Status::Reopened { Status::New } else { status })
                })
                .collect();
            assert_eq!(found, expected);
            let numbers: u64 = report.tests().iter().map(|test| test.findings).sum();
            assert_eq!(numbers, report.findings().len() as u64);
            let comparison = report.comparison().unwrap();
            for gone in comparison.gone() {
                seen.insert(format!("{:?}", gone.fate));
                let finding = baseline.finding(gone.id).unwrap();
                let is_lost = &*finding.measures.relation == FindingKind::LostContact.name();
                if !is_lost || gone.fate == Fate::StillResolved {
                    continue;
                }
                let mut pair = baseline.names(finding);
                pair.sort_by_key(|name| name.starts_with("fixed"));
                let pair = [pair[0].to_owned(), pair[1].to_owned()];
                assert_eq!(gone.fate == Fate::PartMissing, !is_there(&&pair), "{pair:?} {:?}", gone.fate);
                assert!(gone.fate == Fate::PartMissing || now.contains(&pair));
            }
            open.retain(|pair| !now.contains(pair));
            open.extend(expected.into_keys());
            known.extend(now);
            let text = report.updated(&baseline, today).unwrap().to_text();
            baseline = Baseline::parse("b", &text).unwrap();
            assert_eq!(baseline.to_text(), text);
            if rng.one_in(6) {
                baseline = baseline.prune();
                known.retain(|pair| pair.iter().all(|name| world.contains_key(name)));
            }
            assert_eq!(baseline.contacts().len(), known.len());
        }
    }
    for word in ["New", "Active", "Reopened", "Resolved", "StillResolved", "PartMissing"] {
        assert!(seen.contains(word), "{word} did not occur: {seen:?}");
    }
}

#[test]
fn what_no_test_examines_is_not_lost() {
    let at = |x: i32| World::from([("fixed 0".into(), [0, 0, 0]), ("loose 1".into(), [x, 0, 0])]);
    let today = Date::from_days(0);
    // A test that examines nothing gives a warning.
    let alone = check(&at(1), false);
    let warns = |report: &Report| report.warnings().iter().any(|one| one.text.contains("without a baseline"));
    assert!(warns(&alone));
    let first = alone.with_baseline(Baseline::new(), today, Worse::default());
    assert!(first.is_clean() && !warns(&first));
    let baseline = first.updated(&Baseline::new(), today).unwrap();
    assert_eq!(baseline.contacts().len(), 1);
    let lost = check(&at(5), false).with_baseline(&baseline, today, Worse::default());
    assert_eq!(lost.listed(), 1);
    // Without the test there is no finding, and the contact stays in the baseline.
    let rules = Rules::parse("r", "version = 1\n[[test]]\nname = \"all\"\na = \"*\"").unwrap();
    let assembly = lost.assembly().unwrap().clone();
    let other = Check::new().rules(rules, today).run(assembly, &Watch::new()).unwrap();
    let other = other.with_baseline(&baseline, today, Worse::default());
    assert!(other.is_clean());
    assert_eq!(other.updated(&baseline, today).unwrap().contacts().len(), 1);
}
