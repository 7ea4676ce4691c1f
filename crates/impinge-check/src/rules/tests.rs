//! Tests of the rules language as a whole.
use super::{Between, Rules, SetRef, Severity};
use crate::{CoordinateUnit, Relations};
use impinge::{Mesh, Pose, relation::RelationKind};
use impinge_io::{Part, Unit};
use std::path::Path;

fn parse(text: &str) -> Rules {
    Rules::parse("f", text).unwrap()
}

fn error(text: &str) -> String {
    Rules::parse("f", text).unwrap_err().to_string()
}

/// A part whose mesh is one triangle with sides of these lengths along x and y.
fn part(name: &str, [x, y]: [f64; 2]) -> Part {
    let mesh = Mesh::new(vec![[0.0; 3], [x, 0.0, 0.0], [0.0, y, 0.0]], vec![[0, 1, 2]]).unwrap();
    Part::new(name, Path::new("dir/a.obj"), mesh, Pose::IDENTITY)
}

/// The names of the parts in each named set.
fn sets(rules: &Rules, parts: &[Part], unit: CoordinateUnit) -> Vec<(String, Vec<String>)> {
    let members = rules.members(parts, unit).unwrap();
    let named = rules.sets().iter().enumerate().filter_map(|(i, set)| Some((i, set.name()?.to_owned())));
    let names = |set| members.parts(SetRef::Set(set)).map(|part| parts[part].name.to_string()).collect();
    named.map(|(i, name)| (name, names(i))).collect()
}

/// The names of the parts that fulfil one condition.
fn held(condition: &str, parts: &[Part]) -> String {
    let rules = parse(&format!("version = 1\n[sets]\nx = {condition}"));
    sets(&rules, parts, CoordinateUnit::Unknown)[0].1.join(" ")
}

#[test]
fn the_example_has_every_construct() {
    let rules = Rules::parse("example", Rules::EXAMPLE).unwrap();
    assert_eq!((rules.unit(), rules.file()), (Some(Unit::Metre), "example"));
    assert_eq!(rules.names().unwrap().fields().collect::<Vec<_>>(), ["file", "type", "guid", "name"]);
    let named: Vec<_> = rules.sets().iter().filter_map(|set| set.name()).collect();
    let all = ["concrete", "steel", "fasteners", "large", "bearing", "pipes", "mep", "heavy_mep"];
    assert_eq!(named, all);
    let names: Vec<_> = rules.tests().iter().map(|test| &*test.name).collect();
    let expected = ["steel x concrete", "trades: concrete x mep", "trades: mep x mep"];
    assert_eq!(names, expected);
    let test = &rules.tests()[0];
    assert_eq!((test.a, test.b, test.severity), (SetRef::Set(1), SetRef::Set(0), Severity::High));
    let words: Relations = "overlap,contained,same,pierce,inside-open".parse().unwrap();
    assert_eq!(test.report, words);
    let lengths = [&test.tolerance, &test.clearance, &test.chord];
    let lengths = lengths.map(|length| length.as_ref().unwrap().within(Some(Unit::Millimetre)));
    assert_eq!(lengths, [Some(2.0), Some(50.0), Some(1.0)]);
    let cell = &rules.tests()[2];
    assert_eq!((cell.severity, cell.report, &cell.clearance), (Severity::Medium, Relations::USUAL, &None));
    assert_eq!(cell.tolerance.as_ref().unwrap().to_string(), "5mm");
    let ignore = &rules.ignores()[0];
    assert_eq!((ignore.a, ignore.b), (SetRef::Set(2), SetRef::All));
    assert_eq!(ignore.between, [Between::SameFile]);
    assert!(ignore.is_of_test("steel x concrete") && !ignore.is_of_test("trades: mep x mep"));
    assert!(ignore.is_of_relation(RelationKind::Overlap) && !ignore.is_of_relation(RelationKind::Same));
    assert!(ignore.is_of_near());
    assert_eq!(ignore.max_volume.as_ref().unwrap().within(Some(Unit::Centimetre)), Some(1.0));
    let day = |text: &str| text.parse().unwrap();
    assert!(!ignore.has_expired(day("2027-03-01")) && ignore.has_expired(day("2027-03-02")));
}

#[test]
fn conditions_hold_as_defined() {
    let parts = [
        part("pipe 1", [2.0, 1.0])
            .with_class("IfcPipe")
            .with_property("Mass", 2.5)
            .with_property("Fire", true),
        part("pipe 2", [3.0, 1.0]).with_path("house/Temporary/pipe 2").with_property("mass", " 7 "),
        part("duct", [1.0, 4.0])
            .with_guid("G")
            .with_property("Material", "S235 J")
            .with_property("Fire", "false"),
    ];
    for (condition, expected) in [
        ("'pipe*'", "pipe 1|pipe 2"),
        ("['duct', '*1']", "pipe 1|duct"),
        ("['duct', { type = '*' }]", "pipe 1|duct"),
        ("{ name = ['duct', '*1'] }", "pipe 1|duct"),
        ("{ name = 'pipe*', type = 'Ifc*' }", "pipe 1"),
        ("{ not = { type = '*' } }", "pipe 2|duct"),
        ("{ not = 'pipe*' }", "duct"),
        ("{ not = ['duct', '*1'] }", "pipe 2"),
        ("{ any = [{ guid = 'G' }, { path = '*/Temporary/*' }] }", "pipe 2|duct"),
        ("{ any = 'duct' }", "duct"),
        ("{ all = ['pipe*', '*2'] }", "pipe 2"),
        ("{ all = [{ name = 'pipe*' }, { name = '*2' }] }", "pipe 2"),
        ("{ file = 'a.obj' }", "pipe 1|pipe 2|duct"),
        ("{ file = 'dir/a*' }", "pipe 1|pipe 2|duct"),
        ("{ file = '*/b*' }", ""),
        ("{ file = 'dir*' }", ""),
        ("{ material = 'S235*' }", "duct"),
        ("{ Mass = '<3' }", "pipe 1"),
        ("{ Mass = 7 }", "pipe 2"),
        ("{ Mass = '2.5..7' }", "pipe 1|pipe 2"),
        ("{ Mass = ['>=7', 2.5] }", "pipe 1|pipe 2"),
        ("{ Mass = '2.?' }", "pipe 1"),
        ("{ Fire = true }", "pipe 1"),
        ("{ Fire = false }", "duct"),
        ("{ Fire = '*' }", "pipe 1|duct"),
        ("{ size = 4 }", "duct"),
        ("{ size = '<=3' }", "pipe 1|pipe 2"),
        ("{ length_x = '>1', length_y = 1, length_z = 0 }", "pipe 1|pipe 2"),
        ("{ triangles = 1 }", "pipe 1|pipe 2|duct"),
        ("{ triangles = '2..9' }", ""),
        // Open meshes have no volume, so that no condition on it holds.
        ("{ volume = '>=0' }", ""),
        ("{ not = { volume = '>=0' } }", "pipe 1|pipe 2|duct"),
    ] {
        let expected = expected.replace('|', " ");
        assert_eq!(held(condition, &parts), expected, "{condition}");
    }
}

/// Each line `=== LINE:COLUMN: TEXT` is the error of the text after it.
#[test]
fn errors_name_line_and_column() {
    let cases: Vec<_> = include_str!("tests/errors.txt").split("=== ").skip(1).collect();
    assert!(cases.len() > 50);
    for case in cases {
        let (expected, text) = case.split_once('\n').unwrap();
        assert_eq!(error(text.trim_end()), format!("f:{expected}"), "{text}");
    }
}
