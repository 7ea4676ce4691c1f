//! Chord tolerances that parts state themselves.
use impinge::{Mesh, Pose};
use impinge_check::{
    Assembly, Check, Date, Part, Report, Rules, Watch,
    parts::{ChordOf, Sure},
    report::PairDecision,
    sources::Source,
    tasks::{PlanOptions, PlanWriter},
    values::Count,
};
use std::{path::Path, sync::Arc};

/// Cubes of side 1, each 1.25 behind the one before, by name and stated tolerance.
fn cubes(parts: &[(&str, Option<f64>)]) -> Assembly {
    let mut assembly = Assembly::new();
    for (i, &(name, chord)) in parts.iter().enumerate() {
        let pose = Pose::from_translation([1.25 * i as f64, 0.0, 0.0]).unwrap();
        let part = Part::from_mesh(name, Mesh::cuboid([1.0; 3]).unwrap(), pose);
        assembly.push(chord.into_iter().fold(part, Part::with_chord));
    }
    assembly
}

/// A check in which possible findings count.
fn all() -> Check {
    Check::new().count(Count::Possible)
}

fn run(check: &Check, assembly: Assembly) -> Report {
    check.run(assembly, &Watch::new()).unwrap()
}

/// The results that depend on tolerances.
type Found = (Vec<([u32; 2], [f64; 2], Option<Sure>)>, Option<(f64, u64, u64)>, Vec<Option<f64>>, u64);

fn found(report: &Report) -> Found {
    let near = report.near().iter().map(|near| (near.parts, near.distance, near.certainty)).collect();
    let chord = report.coverage().chord.map(|all| (all.tolerance, all.definite, all.possible));
    let chords = report.parts().map(|part| part.chord()).collect();
    (near, chord, chords, report.findings().len() as u64)
}

#[test]
fn a_stated_tolerance_is_one_that_names_the_part() {
    let stated = cubes(&[("a", Some(0.25)), ("b", None), ("c", None), ("d", Some(0.125))]);
    let plain = || cubes(&[("a", None), ("b", None), ("c", None), ("d", None)]);
    let named = |check: Check| check.chord_of("a", 0.25).chord_of("d", 0.125);
    for check in [all(), all().clearance(0.25), all().chord(0.0625)] {
        let report = run(&check, stated.clone());
        assert_eq!(found(&report), found(&run(&named(check.clone()), plain())));
        assert_eq!(report.near()[0].parts, [0, 1]);
    }
    let report = run(&all(), stated.clone());
    // The gap of 1/4 is the tolerance of a alone.
    assert_eq!(found(&report).0, [([0, 1], [0.25; 2], Some(Sure::Possible))]);
    assert_eq!(found(&report).2, [0.25, 0.0, 0.0, 0.125].map(Some));
    // Without such parts there is no certainty.
    let report = run(&all(), plain());
    assert_eq!(found(&report), (vec![], None, vec![None; 4], 0));
}

#[test]
fn equal_names_and_stars_are_no_patterns() {
    let report =
        run(&all(), cubes(&[("*", Some(0.25)), ("x", None), ("bolt", Some(0.0)), ("bolt", Some(0.5))]));
    assert_eq!(found(&report).2, [0.25, 0.0, 0.0, 0.5].map(Some));
    assert_eq!(report.near().iter().map(|near| near.parts).collect::<Vec<_>>(), [[0, 1], [2, 3]]);
}

#[test]
fn a_given_name_goes_before_what_a_part_states() {
    let assembly = || cubes(&[("pipe 1", Some(0.25)), ("pipe 2", Some(0.5))]);
    let report = run(&all().chord_of("pipe*", 0.0625), assembly());
    assert_eq!(found(&report), (vec![], Some((0.0625, 0, 0)), vec![Some(0.0625); 2], 0));
    // A tolerance for all parts does not.
    assert_eq!(found(&run(&all().chord(0.0), assembly())).2, [Some(0.25), Some(0.5)]);
    // Surfaces have no tolerances.
    let report = run(&all().surfaces(true), assembly());
    assert_eq!(found(&report), (vec![], None, vec![None; 2], 0));
    // A negative length is an error.
    let wrong = all().run(cubes(&[("a", Some(-1.0))]), &Watch::new()).err().unwrap();
    assert!(format!("{wrong:#}").contains("the chord error of part 'a'"), "{wrong:#}");
}

#[test]
fn a_cache_tells_stated_tolerances_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cubes.cache");
    let check = all().clearance(0.0);
    for chord in [None, Some(0.25), Some(0.25), Some(0.125), None] {
        let assembly = || cubes(&[("a", chord), ("b", None)]);
        let cache = check.open_cache(&path, &Watch::new()).unwrap();
        let report = check.run_with(assembly(), cache, &Watch::new()).unwrap();
        assert_eq!(found(&report), found(&run(&check, assembly())), "{chord:?}");
    }
}

#[test]
fn a_plan_takes_stated_chords() {
    let folder = tempfile::tempdir().unwrap();
    let add = |name: &str, check: &Check| {
        let options = PlanOptions::new();
        let mut writer = PlanWriter::new(&folder.path().join(name), check, &options)?;
        let assembly = cubes(&[("a", Some(0.25)), ("b", None)]);
        writer.add(&assembly.parts, &Source::new(Path::new("a.obj")), &Watch::new())
    };
    add("one for all", &all().chord(1.0)).unwrap();
    add("named", &all().chords([ChordOf::named("a*", 0.5)])).unwrap();
    add("surfaces", &all().surfaces(true)).unwrap();
}

/// If parts state their chord errors, possible findings count only on request.
#[test]
fn nominal_fits_count_only_where_somebody_asks() {
    // Touching cubes, cubes that overlap by 3/4, and cubes 1/8 apart.
    let at = |places: &[f64], chord: Option<f64>| {
        let mut assembly = Assembly::new();
        for (i, &x) in places.iter().enumerate() {
            let pose = Pose::from_translation([x, 0.0, 0.0]).unwrap();
            let part = Part::from_mesh(format!("p{i}"), Mesh::cuboid([1.0; 3]).unwrap(), pose);
            assembly.push(chord.into_iter().fold(part, Part::with_chord));
        }
        assembly
    };
    let places = [0.0, 1.0, 10.0, 10.25, 20.0, 21.125];
    let report_touch = Check::new().relations("overlap,touch".parse().unwrap());
    let numbers = |check: &Check, chord: Option<f64>| {
        let report = run(check, at(&places, chord));
        let chords = report.coverage().chord.unwrap_or_else(|| panic!("{chord:?}"));
        let [test] = report.tests() else { panic!("one test") };
        let found: Vec<Vec<u32>> = report.findings().iter().map(|finding| finding.parts().to_vec()).collect();
        (found, (chords.definite, chords.possible, chords.uncounted), (test.count, test.possible))
    };
    let stated = Some(0.125);
    let definite = (vec![vec![2, 3]], (1, 0, 2), (Some(Count::Definite), 2));
    assert_eq!(numbers(&report_touch, stated), definite);
    assert_eq!(numbers(&report_touch.clone().count(Count::Definite), stated), definite);
    let everything = (vec![vec![0, 1], vec![2, 3], vec![4, 5]], (1, 2, 0), (Some(Count::Possible), 0));
    assert_eq!(numbers(&report_touch.clone().count(Count::Possible), stated), everything);
    // With a chord error of the check, possible findings count, too.
    assert_eq!(numbers(&report_touch.clone().chord(0.125), None), everything);
    assert_eq!(numbers(&report_touch.clone().chord(0.125).count(Count::Definite), None), definite);
    // A possible finding is explained with its reason, and its clash is in the report all the same.
    let report = run(&report_touch, at(&places, stated));
    let told = |pair| report.explain(pair).iter().map(|one| one.decision).collect::<Vec<_>>();
    assert_eq!(told([0, 1]), [PairDecision::Possible]);
    assert_eq!(told([4, 5]), [PairDecision::Possible]);
    assert_eq!(told([2, 3]), [PairDecision::Finding]);
    assert!(report.clashes().iter().any(|clash| clash.parts == [0, 1]));
    // Without chord errors all findings are certain.
    let report = run(&report_touch.clone().count(Count::Definite), at(&places, None));
    assert_eq!((report.findings().len(), report.coverage().chord.is_none()), (2, true));
}

/// A test of rules states for itself which findings count.
#[test]
fn tests_of_rules_have_counts_of_their_own() {
    let rules = |text: &str| Rules::parse("r.toml", text);
    let text = |count: &str| {
        format!(
            "version = 1\nunit = \"m\"\n[[test]]\nname = \"t\"\na = \"*\"\nreport = [\"touch\"]\n\
             {count}\n"
        )
    };
    let stated = || touching_cubes(0.125);
    for (count, findings) in [("", 0), ("count = \"definite\"", 0), ("count = \"possible\"", 1)] {
        let today: Date = "2026-11-27".parse().unwrap();
        let rules = Arc::new(rules(&text(count)).unwrap());
        let report = run(&Check::new().rules(rules, today), stated());
        assert_eq!(report.findings().len(), findings, "{count}");
    }
    let error = rules(&text("count = \"definit\"")).err().unwrap();
    assert!(error.to_string().contains("r.toml:7"), "{error}");
    assert!(error.to_string().contains("did you mean 'definite'"), "{error}");
}

fn touching_cubes(chord: f64) -> Assembly {
    let mut assembly = Assembly::new();
    for x in [0.0, 1.0] {
        let pose = Pose::from_translation([x, 0.0, 0.0]).unwrap();
        assembly.push(Part::from_mesh("cube", Mesh::cuboid([1.0; 3]).unwrap(), pose).with_chord(chord));
    }
    assembly
}
