//! Rules, compared with definitions that are applied to the clashes of a check without rules.
use impinge::{Mesh, Pose, relation::RelationKind};
use impinge_check::{
    Assembly, Check, Date, FindingKind, Part, Relations, Report, Rules, Watch, records::DepthOf,
    rules::Ignore,
};
use impinge_demo::rng::Rng;
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    path::Path,
    sync::Arc,
};

const KINDS: [&str; 3] = ["wall", "pipe", "bolt"];
const LENGTHS: [f64; 4] = [0.1, 0.25, 0.5, 1.0];

/// Boxes and an open surface at random, of three kinds, from two files.
fn assembly(rng: &mut Rng) -> Assembly {
    let mut assembly = Assembly::new();
    let mut meshes: Vec<Arc<Mesh>> =
        (1..5).map(|n| Arc::new(Mesh::cuboid([f64::from(n) / 2.0, 1.0, 2.0]).unwrap())).collect();
    let open = Mesh::new(meshes[1].points().to_vec(), meshes[1].triangles()[..10].to_vec()).unwrap();
    meshes.push(Arc::new(open));
    for i in 0..25 {
        let file = if i < 12 { "a.obj" } else { "b.obj" };
        let name = format!("{}_{i:02}", rng.pick(&KINDS));
        let t = [0; 3].map(|_| rng.int(-20, 20) as f64 / 8.0);
        let pose = Pose::from_translation(t).unwrap();
        assembly.push(Part::new(name, Path::new(file), Arc::clone(rng.pick(&meshes)), pose));
    }
    assembly
}

fn glob(rng: &mut Rng) -> String {
    match rng.int(0, 5) {
        0 => "*".to_owned(),
        1 => format!("*{}", rng.int(0, 9)),
        _ => format!("{}*", rng.pick(&KINDS)),
    }
}

/// The properties of a test or an ignore rule that the reference needs.
struct Line {
    globs: [String; 2],
    relations: Relations,
    is_near: bool,
    tolerance: Option<f64>,
    clearance: Option<f64>,
    max_volume: Option<f64>,
    same_file: bool,
}

fn some<T>(rng: &mut Rng, value: T) -> Option<T> {
    rng.one_in(2).then_some(value)
}

const WORDS: [&str; 7] = ["overlap", "inside", "duplicate", "pierce", "surface-inside", "meet", "touch"];

fn words(rng: &mut Rng) -> Vec<&'static str> {
    let all: Vec<_> = WORDS.into_iter().filter(|_| rng.one_in(2)).collect();
    if all.is_empty() { vec!["overlap"] } else { all }
}

fn relations(words: &[&str]) -> Relations {
    words.iter().map(|word| word.parse().unwrap()).fold(Relations::NONE, Relations::and)
}

fn lines(rng: &mut Rng) -> (String, Vec<Line>, Vec<Line>) {
    let (mut text, mut tests, mut ignores) = ("version = 1\n".to_owned(), Vec::new(), Vec::new());
    let list = |words: &[&str]| {
        format!("[{}]", words.iter().map(|w| format!("{w:?}")).collect::<Vec<_>>().join(","))
    };
    for i in 0..rng.int(1, 4) {
        let globs = [glob(rng), glob(rng)];
        let words = words(rng);
        let (tolerance, clearance) = (*rng.pick(&LENGTHS), *rng.pick(&LENGTHS));
        let (tolerance, clearance) = (some(rng, tolerance), some(rng, clearance));
        text += &format!(
            "[[test]]\nname = \"{i}\"\na = {{ name = {:?} }}\nb = {{ name = {:?} }}\n",
            globs[0], globs[1]
        );
        text += &format!("report = {}\n", list(&words));
        text += &tolerance.map_or(String::new(), |t| format!("tolerance = {t}\n"));
        text += &clearance.map_or(String::new(), |t| format!("clearance = {t}\n"));
        tests.push(Line {
            globs,
            relations: relations(&words),
            is_near: false,
            tolerance,
            clearance,
            max_volume: None,
            same_file: false,
        });
    }
    for i in 0..rng.int(0, 4) {
        let globs = [glob(rng), glob(rng)];
        let depth = *rng.pick(&LENGTHS);
        let tolerance = rng.one_in(3).then_some(depth);
        let max_volume = rng.one_in(3).then_some(0.5);
        let same_file = rng.one_in(3);
        text += &format!(
            "[[ignore]]\nreason = \"r{i}\"\na = {{ name = {:?} }}\nb = {{ name = {:?} }}\n",
            globs[0], globs[1]
        );
        let mut line = Line {
            globs,
            relations: Relations::ALL,
            is_near: true,
            tolerance,
            clearance: None,
            max_volume,
            same_file,
        };
        if rng.one_in(2) {
            let mut words = words(rng);
            line.relations = relations(&words);
            line.is_near = rng.one_in(2);
            words.extend(line.is_near.then_some("near"));
            text += &format!("relation = {}\n", list(&words));
        }
        text += &tolerance.map_or(String::new(), |t| format!("max_depth = {t}\n"));
        text += &max_volume.map_or(String::new(), |v| format!("max_volume = {v}\n"));
        text += if same_file { "between = \"same-file\"\n" } else { "" };
        ignores.push(line);
    }
    (text, tests, ignores)
}

/// The globs of this test: `*` at the end or at the beginning.
fn fits(glob: &str, name: &str) -> bool {
    match (glob.strip_suffix('*'), glob.strip_prefix('*')) {
        (Some(start), _) => name.starts_with(start),
        (None, Some(end)) => name.ends_with(end),
        (None, None) => name == glob,
    }
}

/// All facts of pairs, from checks without rules.
struct Facts {
    report: Report,
    /// For each length, the clashes that a shift by it undoes.
    shallow: Vec<HashSet<[u32; 2]>>,
    /// For each length, the pairs that are no further apart.
    near: Vec<HashSet<[u32; 2]>>,
}

impl Facts {
    fn new(assembly: &Arc<Assembly>) -> Self {
        let all = || Check::new().relations(Relations::ALL).depth(DepthOf::All).threads(1);
        let run = |check: Check| check.run(Arc::clone(assembly), &Watch::new()).unwrap();
        let shallow = LENGTHS.map(|length| {
            let report = run(all().tolerance(length));
            report.clashes().iter().filter(|c| report.is_shallow(c)).map(|c| c.parts).collect()
        });
        let near =
            LENGTHS.map(|length| run(all().clearance(length)).near().iter().map(|near| near.parts).collect());
        Self { report: run(all()), shallow: shallow.into(), near: near.into() }
    }
    fn is_shallow(&self, pair: [u32; 2], length: f64) -> bool {
        self.shallow[LENGTHS.iter().position(|l| *l == length).unwrap()].contains(&pair)
    }
    fn is_near(&self, pair: [u32; 2], length: f64) -> bool {
        self.near[LENGTHS.iter().position(|l| *l == length).unwrap()].contains(&pair)
    }
}

type Found = BTreeSet<(u32, Vec<u32>, &'static str)>;

/// The findings by definition.
fn expected(facts: &Facts, tests: &[Line], ignores: &[Line]) -> Found {
    let report = &facts.report;
    let relation: BTreeMap<[u32; 2], RelationKind> =
        report.clashes().iter().map(|clash| (clash.parts, clash.relation.unwrap())).collect();
    let volume = |pair: [u32; 2]| {
        let clash = report.clashes().iter().find(|clash| clash.parts == pair)?;
        report.depth(clash)?.overlap_volume.map(|[_, hi]| hi)
    };
    let mut found = Found::new();
    for b in 0..report.part_count() as u32 {
        for a in 0..b {
            let pair = [a, b];
            let [p, q] = pair.map(|part| report.part(part).name());
            let is_in = |line: &Line| {
                let [g, h] = &line.globs;
                fits(g, p) && fits(h, q) || fits(g, q) && fits(h, p)
            };
            let is_same_file = report.part(a).file() == report.part(b).file();
            for (i, test) in (0..).zip(tests).filter(|(_, test)| is_in(test)) {
                let applies = |rule: &&Line| is_in(rule) && (!rule.same_file || is_same_file);
                let mut rules = ignores.iter().filter(applies);
                match relation.get(&pair) {
                    Some(&kind) => {
                        let is_ignored = rules.any(|rule| {
                            rule.relations.holds(kind)
                                && rule.tolerance.is_none_or(|most| facts.is_shallow(pair, most))
                                && rule.max_volume.is_none_or(|most| volume(pair).is_some_and(|v| v <= most))
                        });
                        let is_shallow = test.tolerance.is_some_and(|most| facts.is_shallow(pair, most));
                        if test.relations.holds(kind) && !is_ignored && !is_shallow {
                            found.insert((i, pair.into(), FindingKind::Clash(Some(kind)).name()));
                        }
                    }
                    None => {
                        let is_ignored = rules.any(|rule| {
                            rule.is_near && rule.tolerance.is_none() && rule.max_volume.is_none()
                        });
                        if test.clearance.is_some_and(|most| facts.is_near(pair, most)) && !is_ignored {
                            found.insert((i, pair.into(), "near"));
                        }
                    }
                }
            }
        }
    }
    found
}

fn found(report: &Report) -> Found {
    let one = |f: &impinge_check::Finding| (f.test, f.parts().to_vec(), f.kind.name());
    report.findings().iter().map(one).collect()
}

fn today() -> Date {
    "2026-11-25".parse().unwrap()
}

fn rules(text: &str) -> Arc<Rules> {
    Arc::new(Rules::parse("rules.toml", text).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

/// The numbers of each test add up.
fn check_ledger(report: &Report, assembly: &Assembly, tests: &[Line]) {
    for (summary, test) in report.tests().iter().zip(tests) {
        let sum = summary.boxes_apart + summary.ignored + summary.not_examined + summary.tested;
        assert_eq!(sum, summary.asked);
        let names: Vec<&str> = assembly.parts.iter().map(|part| &*part.name).collect();
        let [g, h] = &test.globs;
        let pairs = (0..names.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let asks = |&(a, b): &(usize, usize)| {
            fits(g, names[a]) && fits(h, names[b]) || fits(g, names[b]) && fits(h, names[a])
        };
        assert_eq!(summary.asked, pairs.filter(asks).count() as u64);
        let own = report.findings().iter().filter(|f| report.tests()[f.test as usize].name == summary.name);
        assert_eq!(summary.findings, own.count() as u64);
    }
    let by_rule: u64 = report.ignores().iter().map(|rule| rule.findings).sum();
    let by_test: u64 = report.tests().iter().map(|test| test.ignored_findings).sum();
    assert_eq!(by_rule, by_test);
}

#[test]
fn findings_are_those_of_the_definitions() {
    let (mut seen, mut ignored, mut shallow) = (0, 0, 0);
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let whole = Arc::new(assembly(&mut rng));
        let facts = Facts::new(&whole);
        for n in 0..4 {
            let (text, tests, ignores) = lines(&mut rng);
            let rules = rules(&text);
            let check = |threads| Check::new().threads(threads).rules(Arc::clone(&rules), today());
            let expected = expected(&facts, &tests, &ignores);
            let report = match check(1).run(Arc::clone(&whole), &Watch::new()) {
                Ok(report) => report,
                Err(error) => {
                    assert_eq!(error.to_string(), "rules.toml: its tests ask no pair of parts");
                    assert!(expected.is_empty());
                    continue;
                }
            };
            assert_eq!(found(&report), expected, "{seed} {n}\n{text}");
            check_ledger(&report, &whole, &tests);
            // An ignore rule never changes another finding.
            if let Some(cut) = text.rfind("[[ignore]]") {
                let fewer = Check::new().rules(self::rules(&text[..cut]), today());
                let fewer = fewer.run(Arc::clone(&whole), &Watch::new()).unwrap();
                assert!(found(&report).is_subset(&found(&fewer)), "{seed} {n}\n{text}");
                for clash in report.clashes().iter().filter(|clash| report.counts(clash)) {
                    let other = fewer.clashes().iter().find(|other| other.parts == clash.parts).unwrap();
                    let of = |report: &Report, clash| {
                        report.depth(clash).map(|d| (d.overlap_volume, d.separating_translation))
                    };
                    assert_eq!(of(&report, clash), of(&fewer, other), "{seed} {n}\n{text}");
                }
            }
            // With a cache, twice; with other threads.
            let path = folder.path().join("cache");
            for _ in 0..2 {
                let check = check(3);
                let cache = check.open_cache(&path, &Watch::new()).unwrap();
                let again = check.run_with(Arc::clone(&whole), cache, &Watch::new()).unwrap();
                assert_eq!(found(&again), expected, "{seed} {n}\n{text}");
                let numbers = |report: &Report| format!("{:?} {:?}", report.tests(), report.ignores());
                assert_eq!(numbers(&again), numbers(&report), "{seed} {n}\n{text}");
            }
            seen += expected.len();
            ignored += report.tests().iter().map(|test| test.ignored_findings + test.ignored).sum::<u64>();
            shallow += report.tests().iter().map(|test| test.shallow).sum::<u64>();
        }
    }
    assert!(seen > 2000 && ignored > 500 && shallow > 100, "{seen} {ignored} {shallow}");
}

/// Parts in another order have the same findings.
#[test]
fn the_order_of_parts_does_not_matter() {
    let mut seen = 0;
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let whole = assembly(&mut rng);
        let (text, ..) = lines(&mut rng);
        let mut order: Vec<usize> = (0..whole.parts.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.int(0, i as i64) as usize);
        }
        let mut other = Assembly::new();
        order.iter().for_each(|&part| other.push(whole.parts[part].clone()));
        let run = |assembly: Assembly| {
            let check = Check::new().threads(2).rules(rules(&text), today());
            check.run(assembly, &Watch::new())
        };
        let names = |report: &Report| -> BTreeSet<_> {
            let one = |(test, parts, _): (u32, Vec<u32>, _)| {
                let mut names: Vec<String> =
                    parts.iter().map(|&part| report.part(part).name().to_owned()).collect();
                names.sort();
                (test, names)
            };
            found(report).into_iter().map(one).collect()
        };
        let (Ok(one), Ok(two)) = (run(whole), run(other)) else { continue };
        seen += 1;
        assert_eq!(names(&one), names(&two), "{seed}\n{text}");
        let numbers = |report: &Report| format!("{:?} {:?}", report.tests(), report.ignores());
        assert_eq!(numbers(&one), numbers(&two), "{seed}\n{text}");
    }
    assert!(seen > 15, "{seen}");
}

#[test]
fn rules_that_do_nothing_are_named() {
    let mut rng = Rng::new(1);
    let text = "version = 1\n[sets]\nnone = \"nothing*\"\n[[test]]\nname = \"t\"\na = \"*\"\n\
                [[ignore]]\nreason = \"no such pair\"\na = \"none\"\n\
                [[ignore]]\nreason = \"old\"\nuntil = 2020-01-01\n";
    let report = Check::new().rules(rules(text), today()).run(assembly(&mut rng), &Watch::new()).unwrap();
    let lines: Vec<String> = report.warnings().iter().map(|warning| warning.line()).collect();
    assert_eq!(
        lines,
        [
            "rules.toml: line 3: no part is in the set 'none'",
            "rules.toml: line 7: this ignore rule never applies: no such pair",
            "rules.toml: line 10: this ignore rule ended on 2020-01-01: old",
        ]
    );
    // On the last day it still applies, and removes all.
    let check = Check::new().rules(rules(text), "2020-01-01".parse().unwrap());
    assert!(check.run(assembly(&mut Rng::new(1)), &Watch::new()).unwrap().findings().is_empty());
    let ignores: &[Ignore] = &[];
    assert!(Rules::new().ignores() == ignores);
}

/// Lengths of rules and coordinates have units.
#[test]
fn lengths_have_the_unit_of_the_rules() {
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    let two = || {
        let mut assembly = Assembly::new();
        for (name, x) in [("a", 0.0), ("b", 1.5)] {
            assembly.push(Part::from_mesh(
                name,
                Arc::clone(&cube),
                Pose::from_translation([x, 0.0, 0.0]).unwrap(),
            ));
        }
        assembly
    };
    for (unit, clearance, near) in [
        ("m", "0.5", 1),
        ("m", "\"500mm\"", 1),
        ("m", "\"499mm\"", 0),
        ("mm", "0.5", 1),
        ("mm", "\"0.4cm\"", 1),
    ] {
        let text = format!(
            "version = 1\nunit = {unit:?}\n[[test]]\nname = \"t\"\na = \"*\"\nclearance = {clearance}\n"
        );
        let report = Check::new().rules(rules(&text), today()).run(two(), &Watch::new()).unwrap();
        assert_eq!(report.findings().len(), near, "{text}");
        assert_eq!(report.unit().map(|unit| unit.symbol()), Some(unit));
    }
    let text = "version = 1\n[[test]]\nname = \"t\"\na = \"*\"\nclearance = \"5mm\"\n";
    let error = Check::new().rules(rules(text), today()).run(two(), &Watch::new()).err().unwrap().to_string();
    assert!(error.starts_with("rules.toml:2: the unit of the coordinates is unknown"), "{error}");
}

/// The numbers of several tolerances are those of a run with each.
#[test]
fn tolerances_are_counted_in_one_run() {
    let mut sums = [0; 2];
    for seed in 0..30 {
        let whole = Arc::new(assembly(&mut Rng::new(seed)));
        let run = |check: Check| check.threads(1).run(Arc::clone(&whole), &Watch::new()).unwrap();
        let report = run(Check::new().what_if_tolerance(LENGTHS));
        for (one, length) in report.what_if_tolerance().zip(LENGTHS) {
            let own = run(Check::new().tolerance(length));
            let shallow = own.clashes().iter().filter(|clash| own.is_shallow(clash)).count() as u64;
            assert_eq!((one.tolerance, one.shallow), (length, shallow), "{seed}");
            assert_eq!(one.findings, own.findings().len() as u64, "{seed}");
            sums[0] += shallow;
            sums[1] += one.findings;
            let both = run(Check::new().tolerance(length).what_if_tolerance([0.3]));
            assert_eq!(found(&both), found(&own), "{seed}");
        }
    }
    assert!(sums[0] > 100 && sums[1] > 100, "{sums:?}");
}

/// Clashes of boxes that overlap by next to nothing are counted.
#[test]
fn slight_clashes_are_counted() {
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    for (overlap, slight) in [(1e-9, 9), (1e-4, 0), (0.0, 0)] {
        let mut row = Assembly::new();
        for i in 0..10 {
            let pose = Pose::from_translation([f64::from(i) * (1.0 - overlap), 0.0, 0.0]).unwrap();
            row.push(Part::from_mesh(format!("{i}"), Arc::clone(&cube), pose));
        }
        let report = Check::new().run(row, &Watch::new()).unwrap();
        let found = report.slight().unwrap();
        // The row is some 10 long.
        assert_eq!(found.clashes, slight, "{overlap}");
        assert!((1e-5..=1.1e-5).contains(&found.length), "{}", found.length);
    }
}

/// A test of floating parts, while no other test is about all pairs that touch.
#[test]
fn what_floats_can_be_a_test() {
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    let mut whole = Assembly::new();
    for (name, x) in
        [("frame_1", 0.0), ("frame_2", 1.0), ("frame_3", 2.0), ("bolt_1", 5.0), ("nut", 6.0), ("bolt_2", 9.0)]
    {
        let pose = Pose::from_translation([x, 0.0, 0.0]).unwrap();
        whole.push(Part::from_mesh(name, Arc::clone(&cube), pose));
    }
    let text = "version = 1\n[sets]\nbolts = \"bolt*\"\n[[test]]\nname = \"bolts are held\"\nfind = \"floating\"\n\
                a = \"bolts\"\nseverity = \"high\"\n[[test]]\nname = \"clashes\"\na = \"bolts\"\n";
    let report = Check::new().rules(rules(text), today()).run(whole, &Watch::new()).unwrap();
    let expected = Found::from([(0, vec![3], "floating"), (0, vec![5], "floating")]);
    assert_eq!(found(&report), expected);
    assert_eq!(report.tests()[0].findings, 2);
    let ranked = report.ranked_findings();
    let gap = |finding| report.floating_of(finding).unwrap().nearest.unwrap().distance;
    assert_eq!((gap(&ranked[0]), gap(&ranked[1])), ([2.0; 2], [2.0; 2]));
    let wrong = text.replace("a = \"bolts\"\nseverity", "a = \"bolts\"\nclearance = 1\nseverity");
    let error = Rules::parse("r", &wrong).unwrap_err().to_string();
    assert_eq!(error, "r:8:13: 'clearance' has no meaning in a test of what floats");
}

/// Chord errors of tests are those of their parts: the same as with `Check::chord_of`.
#[test]
fn tests_state_chord_errors_of_their_parts() {
    let mut seen = 0;
    for seed in 0..20 {
        let whole = Arc::new(assembly(&mut Rng::new(seed)));
        let run = |check: Check| check.threads(1).run(Arc::clone(&whole), &Watch::new()).unwrap();
        let text = "version = 1\n[[test]]\nname = \"t\"\na = { name = \"pipe*\" }\nb = { name = [\"pipe*\", \"bolt*\"] }\n\
                    chord = 0.1\nclearance = 0.25\n[[test]]\nname = \"u\"\na = { name = \"bolt*\" }\nchord = 0.05\n";
        let report = run(Check::new().rules(rules(text), today()));
        let plain = Check::new().clearance(0.25).chord_of("pipe*", 0.1).chord_of("bolt*", 0.1);
        let is_pipe = |part: u32| whole.parts[part as usize].name.starts_with("pipe");
        let is_wall = |part: u32| whole.parts[part as usize].name.starts_with("wall");
        let of_first = |[a, b]: [u32; 2]| (is_pipe(a) || is_pipe(b)) && !is_wall(a) && !is_wall(b);
        let plain = run(plain);
        let clashes: Vec<_> = plain
            .clashes()
            .iter()
            .filter(|clash| of_first(clash.parts) && plain.counts(clash))
            .map(|clash| (clash.parts, clash.certainty))
            .collect();
        let near: Vec<_> = plain.near().iter().filter(|near| of_first(near.parts)).collect();
        let first = || report.findings().iter().filter(|finding| finding.test == 0);
        let found: Vec<_> =
            first().filter_map(|f| report.clash_of(f)).map(|clash| (clash.parts, clash.certainty)).collect();
        assert_eq!(found, clashes, "{seed}");
        let found: Vec<_> = first().filter_map(|f| report.near_of(f)).collect();
        assert_eq!(found.len(), near.len(), "{seed}");
        for (one, other) in found.iter().zip(&near) {
            assert_eq!(
                (one.parts, one.distance, one.certainty),
                (other.parts, other.distance, other.certainty)
            );
        }
        seen += clashes.len() + near.len();
    }
    assert!(seen > 100, "{seen}");
}
