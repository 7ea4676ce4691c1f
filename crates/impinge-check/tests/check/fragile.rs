//! Tests of placement errors, over boxes at integer places: the shift that undoes a clash is an integer.
use impinge::{Mesh, Pose};
use impinge_check::{Assembly, Check, Date, FindingKind, Part, Rules, Watch};
use impinge_demo::rng::Rng;
use std::{collections::BTreeSet, path::Path};

const RULES: &str = r#"
    version = 1
    [sets]
    loose = "loose*"
    all = "*"
    [placement]
    loose = 2
    all = 1
    [[test]]
    name = "all"
    a = "*"
    report = ["overlap", "inside", "duplicate", "touch"]
    clearance = 3
"#;

#[test]
fn a_shift_by_the_errors_of_both_parts_undoes_fragile_findings() {
    let mut rng = Rng::new(37);
    let mut seen = BTreeSet::new();
    for _ in 0..200 {
        // Sides are even, so that corners are integers.
        let parts: Vec<(bool, [i64; 3], [i64; 3])> = (0..5)
            .map(|_| (rng.one_in(2), [0; 3].map(|_: i64| rng.int(1, 4)), [0; 3].map(|_: i64| rng.int(-8, 8))))
            .collect();
        let mut assembly = Assembly::new();
        for (i, (is_loose, half, at)) in parts.iter().enumerate() {
            let name = if *is_loose { format!("loose {i}") } else { format!("fixed {i}") };
            let mesh = Mesh::cuboid(half.map(|x| 2.0 * x as f64)).unwrap();
            let pose = Pose::from_translation(at.map(|x| x as f64)).unwrap();
            assembly.push(Part::new(name, Path::new("a.obj"), mesh, pose));
        }
        let rules = Rules::parse("r", RULES).unwrap();
        let report = Check::new().rules(rules, Date::from_days(0)).run(assembly, &Watch::new()).unwrap();
        let mut fragile = 0;
        for finding in report.findings() {
            let [a, b] = [0, 1].map(|i| parts[finding.parts()[i] as usize]);
            // The overlap of the boxes along each axis; negative if they are apart.
            let reach: Vec<i64> = (0..3).map(|k| a.1[k] + b.1[k] - (a.2[k] - b.2[k]).abs()).collect();
            let error = [a.0, b.0].into_iter().map(|is_loose| if is_loose { 2 } else { 1 }).sum::<i64>();
            let square: i64 = reach.iter().map(|x| (-x).max(0).pow(2)).sum();
            let expected = match finding.kind {
                // The least shift of boxes is along an axis.
                FindingKind::Clash(_) => *reach.iter().min().unwrap() <= error,
                // A distance is an interval: a finding in doubt is fragile.
                _ => (square as f64).sqrt() + error as f64 >= 3.0,
            };
            assert_eq!(report.is_fragile(finding), Some(expected), "{finding:?} {reach:?} {error}");
            fragile += u64::from(expected);
            seen.insert((finding.kind.name(), expected));
        }
        assert_eq!(report.fragile(), Some(fragile));
    }
    for case in [("overlap", true), ("overlap", false), ("touch", true), ("near", true), ("inside", false)] {
        assert!(seen.contains(&case), "{case:?} did not occur: {seen:?}");
    }
}

#[test]
fn without_placement_errors_nothing_is_marked() {
    let cube = Mesh::cuboid([1.0; 3]).unwrap();
    let mut assembly = Assembly::new();
    for name in ["a", "b"] {
        assembly.push(Part::from_mesh(name, cube.clone(), Pose::IDENTITY));
    }
    let run = |rules: &str| {
        let rules = Rules::parse("r", rules).unwrap();
        Check::new().rules(rules, Date::from_days(0)).run(assembly.clone(), &Watch::new())
    };
    let report = run("version = 1").unwrap();
    assert_eq!((report.fragile(), report.is_fragile(&report.findings()[0])), (None, None));
    // An error of no length undoes nothing; a wrong one is an error with its place.
    let report = run("version = 1\nsets = { a = 'a' }\n[placement]\na = 0\n").unwrap();
    assert_eq!((report.fragile(), report.is_fragile(&report.findings()[0])), (Some(0), None));
    for (line, why) in [("b = 1", "r:4:1: "), ("a = -1", "r:4:5: "), ("a = 'x'", "r:4:5: ")] {
        let text = format!("version = 1\nsets = {{ a = 'a' }}\n[placement]\n{line}");
        let error = Rules::parse("r", &text).unwrap_err().to_string();
        assert!(error.starts_with(why), "{error}\nexpected {why}");
    }
}
