//! Properties that must hold for any bytes given as a rules file. The fuzz target and the test `rules` of
//! impinge-check share them.
use impinge::{Mesh, Pose};
use impinge_check::{Part, Rules, Unit, rules::SetRef, sources::CoordinateUnit};
use std::path::Path;

/// Parts with all kinds of fields.
fn parts() -> Vec<Part> {
    let mesh = Mesh::cuboid([1.0, 2.0, 3.0]).expect("a box");
    let open = Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]);
    let part = |name: &str, mesh: Mesh| Part::new(name, Path::new("dir/XELLA-1.obj"), mesh, Pose::IDENTITY);
    vec![
        part("XELLA-1|IfcWall|G|wall", mesh.clone())
            .with_class("IfcWall")
            .with_property("Pset.Material", "S235"),
        part("IPE 200", mesh).with_guid("G").with_property("LoadBearing", true).with_property("Mass", 2.5),
        part("pipe", open.expect("a triangle")).with_path("house/Temporary/pipe"),
    ]
}

/// Panics if an error names no place, or if rules contradict themselves.
pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let rules = match Rules::parse("dir/a.toml", text) {
        Ok(rules) => rules,
        Err(error) => return check_error(&error.to_string(), text),
    };
    assert_eq!(Rules::parse("dir/a.toml", text).as_ref().ok(), Some(&rules));
    let parts = parts();
    for unit in [CoordinateUnit::Unknown, CoordinateUnit::Stated(Unit::Inch)] {
        let members = match rules.members(&parts, unit) {
            Ok(members) => members,
            Err(error) => {
                assert!(error.to_string().starts_with("dir/a.toml:"), "{error}");
                continue;
            }
        };
        assert_eq!(members.classes().count(), parts.len());
        for set in (0..rules.sets().len()).map(SetRef::Set).chain([SetRef::All]) {
            let count = (0..parts.len()).filter(|&part| members.holds(part, set)).count();
            assert_eq!(count, members.count(set));
        }
        for test in rules.tests() {
            let pairs = [[0, 1], [0, 2], [1, 2]];
            let is_some = pairs.iter().any(|&pair| members.is_pair(pair, [test.a, test.b]));
            assert_eq!(is_some, members.has_pair([test.a, test.b]));
        }
        for warning in rules.warnings(&members) {
            assert!(warning.place.is_some() && !warning.line().contains(char::is_control), "{warning:?}");
        }
    }
}

fn check_error(error: &str, text: &str) {
    assert!(!error.contains(char::is_control) && error.chars().count() < 2000, "{error:?}");
    let mut words = error.splitn(4, ':');
    assert_eq!(words.next(), Some("dir/a.toml"), "{error:?}");
    let [line, column] = [words.next(), words.next()].map(|word| word.and_then(|word| word.parse().ok()));
    let (Some(line), Some(column)): (Option<usize>, Option<usize>) = (line, column) else {
        panic!("no place: {error:?}");
    };
    let found = line.checked_sub(1).and_then(|line| text.split('\n').nth(line));
    assert!(found.is_some_and(|found| (1..=found.chars().count() + 1).contains(&column)), "{error:?}");
    assert!(words.next().is_some_and(|what| what.len() > 5), "{error:?}");
}
