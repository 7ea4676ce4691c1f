//! Tests of the rules language as a whole.
use super::{Between, Rules, SetRef, Severity};
use crate::{Relations, sources::CoordinateUnit};
use impinge::{Mesh, Pose, relation::RelationKind};
use impinge_io::{Assembly, Part, Source, Unit};
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
    let expected = [
        "steel x concrete",
        "nothing floats",
        "steel stands on concrete",
        "trades: concrete x mep",
        "trades: mep x mep",
    ];
    assert_eq!(names, expected);
    let test = &rules.tests()[0];
    assert_eq!((test.a, test.b, test.severity), (SetRef::Set(1), SetRef::Set(0), Severity::High));
    let words: Relations = "overlap,inside,duplicate,pierce,surface-inside".parse().unwrap();
    assert_eq!(test.report, words);
    let lengths = [&test.tolerance, &test.clearance, &test.chord];
    let lengths = lengths.map(|length| length.as_ref().unwrap().within(Some(Unit::Millimetre)));
    assert_eq!(lengths, [Some(2.0), Some(50.0), Some(1.0)]);
    let cell = &rules.tests()[4];
    assert_eq!((cell.severity, cell.report, &cell.clearance), (Severity::Medium, Relations::USUAL, &None));
    assert_eq!(cell.tolerance.as_ref().unwrap().to_string(), "5mm");
    let ignore = &rules.ignores()[0];
    assert_eq!((ignore.a, ignore.b), (SetRef::Set(2), SetRef::All));
    assert_eq!(ignore.between, [Between::SameFile]);
    assert!(ignore.is_of_test("steel x concrete") && !ignore.is_of_test("trades: mep x mep"));
    assert!(ignore.is_of_relation(RelationKind::Overlap) && !ignore.is_of_relation(RelationKind::Duplicate));
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
        // Open meshes have no volume, so no condition on it holds.
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

#[test]
fn parts_of_one_class_are_in_the_same_sets() {
    let rules = parse(
        "version = 1\n[sets]\nlater = { set = ['a', 'b'] }\na = 'a*'\nb = ['*b']\nnone = { not = { set = 'later' } }\n\
         [[test]]\nname = 't'\na = 'a'\nb = { name = 'c' }",
    );
    let parts = ["c", "ab", "a", "xb", "d", "ab"].map(|name| part(name, [1.0; 2]));
    let members = rules.members(&parts, CoordinateUnit::Unknown).unwrap();
    assert_eq!((members.classes().collect(), members.class_count()), (vec![0, 1, 2, 3, 4, 1], 5));
    let of = |set: usize| members.parts(SetRef::Set(set)).collect::<Vec<_>>();
    assert_eq!([of(0), of(1), of(2), of(3)], [vec![1, 2, 3, 5], vec![1, 2, 5], vec![1, 3, 5], vec![0, 4]]);
    assert_eq!(of(4), [0]);
    let pair = [rules.tests()[0].a, rules.tests()[0].b];
    assert!(members.is_pair([0, 2], pair) && members.is_pair([2, 0], pair) && !members.is_pair([2, 5], pair));
    let has_pair = |a: usize, b: usize| members.has_pair([SetRef::Set(a), SetRef::Set(b)]);
    // Set 4 has one part, which is no pair with itself.
    assert!(members.has_pair(pair) && has_pair(1, 1) && has_pair(4, 3) && !has_pair(4, 4));
    assert!(members.has_pair([SetRef::Set(4), SetRef::All]));
}

#[test]
fn rules_about_nothing_are_warned_of() {
    let rules = parse(
        "version = 1\n[sets]\nsteel = { nmae = 'IPE*' }\nmass = { Masse = '<5', Zzz = true }\npipe = 'pipe'\n\
         [[test]]\nname = 't'\na = 'pipe'\n[[test]]\nname = 'u'\na = 'pipe'\nb = '*'",
    );
    let warnings = |parts: &[Part]| {
        let members = rules.members(parts, CoordinateUnit::Unknown).unwrap();
        rules.warnings(&members).iter().map(crate::values::Warning::line).collect::<Vec<_>>()
    };
    let two = [part("pipe", [1.0; 2]), part("duct", [1.0; 2]).with_property("Mass", 1.0)];
    assert_eq!(
        warnings(&two),
        [
            "f: line 3: no part has 'nmae'; did you mean 'name'?",
            "f: line 3: the set 'steel' is not used by a test, an ignore rule or another set",
            "f: line 3: no part is in the set 'steel'",
            "f: line 4: no part has 'Masse'; did you mean 'Mass'?",
            "f: line 4: no part has 'Zzz'",
            "f: line 4: the set 'mass' is not used by a test, an ignore rule or another set",
            "f: line 4: no part is in the set 'mass'",
            "f: line 6: the test 't' has no pair of parts",
        ]
    );
    let none = warnings(&[]);
    assert!(none.iter().all(|warning| !warning.contains("no part has")) && none.len() == 7, "{none:?}");
}

/// Such a test is about each part, and not about pairs.
#[test]
fn a_floating_test_of_one_part_is_no_mistake() {
    let rules = parse(
        "version = 1\n[sets]\npipe = 'pipe'\nnone = 'x'\n\
         [[test]]\nname = 't'\nfind = 'floating'\na = 'pipe'\n\
         [[test]]\nname = 'u'\nfind = 'floating'\na = 'none'\n",
    );
    let parts = [part("pipe", [1.0; 2]), part("duct", [1.0; 2])];
    let members = rules.members(&parts, CoordinateUnit::Unknown).unwrap();
    let lines: Vec<String> = rules.warnings(&members).iter().map(crate::values::Warning::line).collect();
    let expected = ["f: line 4: no part is in the set 'none'", "f: line 9: the test 'u' has no part"];
    assert_eq!(lines, expected);
}

/// A set that a test, an ignore rule, a placement or another set refers to is used.
#[test]
fn unused_sets_are_warned_of() {
    let rules = parse(
        "version = 1\n[sets]\na = 'a'\nb = 'b'\nc = { set = 'b' }\nd = 'd'\ne = 'e'\nf = 'f'\n\
         [[test]]\nname = 't'\na = 'a'\nb = 'c'\n[[ignore]]\nreason = 'r'\na = 'd'\nb = '*'\n",
    );
    let parts = ["a", "b", "d", "e", "f"].map(|name| part(name, [1.0; 2]));
    let members = rules.members(&parts, CoordinateUnit::Unknown).unwrap();
    let lines: Vec<String> = rules.warnings(&members).iter().map(crate::values::Warning::line).collect();
    let unused = |line, name| {
        format!("f: line {line}: the set '{name}' is not used by a test, an ignore rule or another set")
    };
    assert_eq!(lines, [unused(7, "e"), unused(8, "f")]);
}

#[test]
fn units_of_conditions() {
    let parts = [part("a", [5.0, 1.0]), part("b", [50.0, 1.0])];
    let of = |text: &str, unit| {
        let rules = parse(&format!("version = 1\n{text}"));
        let members = rules.members(&parts, unit).map_err(|error| error.to_string())?;
        Ok::<_, String>(members.parts(SetRef::Set(0)).collect::<Vec<_>>())
    };
    let (mm, cm) = (CoordinateUnit::Stated(Unit::Millimetre), CoordinateUnit::OfFiles(Unit::Centimetre));
    let with_unit = "[sets]\nx = { size = '<2cm' }";
    assert_eq!((of(with_unit, mm), of(with_unit, cm)), (Ok(vec![0]), Ok(vec![])));
    let unknown =
        "f:3: size <2cm: the unit of the coordinates is unknown; state it: unit = \"m\" in the rules";
    assert_eq!(of(with_unit, CoordinateUnit::Unknown).unwrap_err(), unknown);
    let stated = "unit = 'mm'\n[sets]\nx = { size = '<20' }";
    assert_eq!(of(stated, CoordinateUnit::Unknown), Ok(vec![0]));
    assert_eq!((of(stated, mm), of(stated, cm)), (Ok(vec![0]), Ok(vec![])));
    let bare = "[sets]\nx = { length_x = 5 }";
    assert_eq!((of(bare, CoordinateUnit::Unknown), of(bare, mm)), (Ok(vec![0]), Ok(vec![0])));
    let volume = "[sets]\nx = { volume = '1m3..1e300m3' }";
    assert!(of(volume, CoordinateUnit::Stated(Unit::Micrometre)).unwrap_err().contains("too large"));
    let rules =
        parse("version = 1\nunit = 'cm'\n[[test]]\nname = 't'\na = '*'\ntolerance = 0x10\nchord = '1mm'");
    let lengths = [&rules.tests()[0].tolerance, &rules.tests()[0].chord];
    let lengths = lengths.map(|length| length.as_ref().unwrap().within(Some(Unit::Millimetre)));
    assert_eq!(lengths, [Some(160.0), Some(1.0)]);
}

#[test]
fn the_unit_of_the_rules_is_that_of_files_without_one() {
    let source = |unit: Option<Unit>| {
        let source = Source::new(Path::new("a.obj"));
        unit.map_or(source.clone(), |unit| source.with_unit(unit))
    };
    let known = |files: &[Option<Unit>], stated| {
        let mut assembly = Assembly::new();
        assembly.sources = files.iter().map(|&unit| source(unit)).collect();
        let units = parse("version = 1\nunit = 'm'").file_units(&assembly, stated);
        units.map(|units| units.known()).map_err(|error| error.to_string())
    };
    let (m, mm) = (Some(Unit::Metre), Some(Unit::Millimetre));
    assert_eq!(known(&[None, m], None), Ok(CoordinateUnit::Stated(Unit::Metre)));
    assert_eq!(known(&[mm], None), Ok(CoordinateUnit::OfFiles(Unit::Millimetre)));
    assert!(known(&[m, mm, None], None).is_err());
    assert_eq!(known(&[m, mm, None], mm), Ok(CoordinateUnit::Stated(Unit::Millimetre)));
    assert_eq!(known(&[None], mm), Ok(CoordinateUnit::Stated(Unit::Millimetre)));
    let error = known(&[None, mm], None).unwrap_err();
    assert_eq!(error, "the unit of the rules, m: a.obj states another unit, mm");
}

#[test]
fn names_are_split_into_fields() {
    let rules = parse(
        "version = 1\nnames.pattern = '{file}|{storey}|{name}'\n[sets]\na = { file = 'F' }\nb = { storey = '>1' }\n\
         c = 'pipe'\nd = { storey = '*' }",
    );
    let parts = [part("F|2|pipe", [1.0; 2]), part("G|x|duct|1", [1.0; 2]), part("pipe", [1.0; 2])];
    let found = sets(&rules, &parts, CoordinateUnit::Unknown);
    let found: Vec<_> = found.iter().map(|(_, names)| names.join(" ")).collect();
    assert_eq!(found, ["F|2|pipe", "F|2|pipe", "F|2|pipe pipe", "F|2|pipe G|x|duct|1"]);
}

#[test]
fn a_matrix_has_each_pair_once() {
    let rules = parse(
        "version = 1\nsets = { a = 'a', b = 'b' }\n[[matrix]]\nname = 'm'\nseverity = 'low'\nreport = 'pierce'\n\
         clearance = 2\ncolumns = ['a', 'b', '*']\n[matrix.rows]\nb = ['10mm', '-', 0]\na = [false, '1cm', '-']",
    );
    let tests: Vec<_> = rules.tests().iter().map(|test| (&*test.name, test.a, test.b, test.line)).collect();
    let (a, b) = (SetRef::Set(0), SetRef::Set(1));
    assert_eq!(tests, [("m: b x a", b, a, 10), ("m: b x *", b, SetRef::All, 10)]);
    for test in rules.tests() {
        assert_eq!((test.severity, test.report), (Severity::Low, "pierce".parse().unwrap()));
        assert_eq!(test.clearance.as_ref().unwrap().number(), 2.0);
    }
}

#[test]
fn short_options_are_rules() {
    let file = parse("version = 1\n[sets]\nx = 'x'\n[[ignore]]\nreason = 'r'\na = 'x'");
    let quick = Rules::quick(Some(r"a*,b\,"), &["bolt", "nut,washer"], Some(["pipe,duct", "*"])).unwrap();
    let rules = file.clone().and(quick.clone());
    assert_eq!(rules.file(), "f");
    let parts = ["ax", "b,", "bolt", "nut", "washer", "duct", "x"].map(|name| part(name, [1.0; 2]));
    let members = rules.members(&parts, CoordinateUnit::Unknown).unwrap();
    let of = |set: SetRef| members.parts(set).collect::<Vec<_>>();
    let scopes: Vec<_> = rules.scopes().iter().map(|scope| scope.map(of)).collect();
    let all: Vec<_> = (0..parts.len()).collect();
    assert_eq!(scopes, [[vec![0, 1], vec![0, 1]], [vec![5], all.clone()]]);
    let ignores: Vec<_> =
        rules.ignores().iter().map(|ignore| (&*ignore.reason, of(ignore.a), of(ignore.b))).collect();
    let expected =
        [("r", vec![6], all.clone()), ("ignore bolt", vec![2], all), ("ignore nut,washer", vec![3], vec![4])];
    assert_eq!(ignores, expected);
    let [nut, washer] = [rules.ignores()[2].a, rules.ignores()[2].b];
    assert!(members.is_pair([4, 3], [nut, washer]) && !members.is_pair([3, 5], [nut, washer]));
    // Sets without names are no reason for a warning.
    assert!(rules.warnings(&members).is_empty());
    assert_eq!(Rules::new().and(quick.clone()), quick);
    for (ignore, why) in [
        ("a,b,c", "--ignore a,b,c: write GLOB"),
        ("a,", "--ignore a,: a glob is empty"),
        ("[", "--ignore [: a glob has '['"),
    ] {
        let error = Rules::quick(None, &[ignore], None).unwrap_err().to_string();
        assert!(error.starts_with(why), "{error}");
    }
}
