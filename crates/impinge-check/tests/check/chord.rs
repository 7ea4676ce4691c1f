//! Chord tolerances that parts state themselves.
use impinge::{Mesh, Pose};
use impinge_check::{
    Assembly, Check, Part, Report, Watch,
    parts::{ChordOf, Sure},
    sources::Source,
    tasks::{PlanOptions, PlanWriter},
};
use std::path::Path;

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

fn run(check: &Check, assembly: Assembly) -> Report {
    check.run(assembly, &Watch::new()).unwrap()
}

/// All that depends on tolerances.
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
    for check in [Check::new(), Check::new().clearance(0.25), Check::new().chord(0.0625)] {
        let report = run(&check, stated.clone());
        assert_eq!(found(&report), found(&run(&named(check.clone()), plain())));
        assert_eq!(report.near()[0].parts, [0, 1]);
    }
    let report = run(&Check::new(), stated.clone());
    // A gap of 1/4: a alone is off by as much.
    assert_eq!(found(&report).0, [([0, 1], [0.25; 2], Some(Sure::Possible))]);
    assert_eq!(found(&report).2, [0.25, 0.0, 0.0, 0.125].map(Some));
    // Without such parts there is no certainty.
    let report = run(&Check::new(), plain());
    assert_eq!(found(&report), (vec![], None, vec![None; 4], 0));
}

#[test]
fn equal_names_and_stars_are_no_patterns() {
    let report = run(
        &Check::new(),
        cubes(&[("*", Some(0.25)), ("x", None), ("bolt", Some(0.0)), ("bolt", Some(0.5))]),
    );
    assert_eq!(found(&report).2, [0.25, 0.0, 0.0, 0.5].map(Some));
    assert_eq!(report.near().iter().map(|near| near.parts).collect::<Vec<_>>(), [[0, 1], [2, 3]]);
}

#[test]
fn a_given_name_goes_before_what_a_part_states() {
    let assembly = || cubes(&[("pipe 1", Some(0.25)), ("pipe 2", Some(0.5))]);
    let report = run(&Check::new().chord_of("pipe*", 0.0625), assembly());
    assert_eq!(found(&report), (vec![], Some((0.0625, 0, 0)), vec![Some(0.0625); 2], 0));
    // The tolerance of all others does not.
    assert_eq!(found(&run(&Check::new().chord(0.0), assembly())).2, [Some(0.25), Some(0.5)]);
    // Surfaces have no tolerances.
    let report = run(&Check::new().surfaces(true), assembly());
    assert_eq!(found(&report), (vec![], None, vec![None; 2], 0));
    // What is no length is an error.
    let wrong = Check::new().run(cubes(&[("a", Some(-1.0))]), &Watch::new()).err().unwrap();
    assert!(format!("{wrong:#}").contains("the chord error of part 'a'"), "{wrong:#}");
}

#[test]
fn a_cache_tells_stated_tolerances_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cubes.cache");
    let check = Check::new().clearance(0.0);
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
    add("one for all", &Check::new().chord(1.0)).unwrap();
    add("named", &Check::new().chords([ChordOf::named("a*", 0.5)])).unwrap();
    add("surfaces", &Check::new().surfaces(true)).unwrap();
}
