//! Radii are replaced byte for byte.
use crate::seed;
use impinge_robot::{Number, Urdf, spheres, with_radii};

/// All bytes outside the ranges are those of the text.
fn assert_same_around(text: &str, radii: &[Number], replaced: &str) {
    let (mut before, mut after) = (0, replaced);
    for Number { at, .. } in radii {
        let kept = &text[before..at.start];
        after = after.strip_prefix(kept).unwrap_or_else(|| panic!("{kept:?} is lost"));
        after = after.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e'));
        before = at.end;
    }
    assert_eq!(after, &text[before..]);
}

#[test]
fn other_radii_change_their_digits_alone() {
    let files = [
        "curobo.yml",
        "arm.xrdf",
        "levels.json",
        "database.json",
        "proxy.json",
        "hand.csv",
        "hand.txt",
        "arm.srdf",
        "spherized.urdf",
    ];
    for name in files {
        let text = seed(&format!("spheres/{name}"));
        let mut radii: Vec<Number> = spheres::parse(name, &text).unwrap().radii().cloned().collect();
        radii.sort_by_key(|radius| radius.at.start);
        let same: Vec<_> = radii.iter().map(|radius| (radius.at.clone(), radius.value)).collect();
        assert_eq!(with_radii(&text, &same), text);
        for values in [[0.1 + 0.2, 1e-7, 123456789.0], [0.0, 5e-324, f64::MAX], [1.0, 1e22, 1.0 / 3.0]] {
            let new: Vec<f64> = (0..radii.len()).map(|i| values[i % 3]).collect();
            let ranges = radii.iter().map(|radius| radius.at.clone());
            // In any order.
            let replacements: Vec<_> = ranges.zip(new.iter().copied()).rev().collect();
            let replaced = with_radii(&text, &replacements);
            assert_same_around(&text, &radii, &replaced);
            let mut again: Vec<Number> = spheres::parse(name, &replaced).unwrap().radii().cloned().collect();
            again.sort_by_key(|radius| radius.at.start);
            assert!(
                again.iter().map(|radius| radius.value.to_bits()).eq(new.iter().map(|x| x.to_bits())),
                "{name}"
            );
        }
    }
}

#[test]
fn a_urdf_keeps_everything_but_the_digits() {
    let text = seed("urdf/arm.urdf");
    let radii = |text: &str| -> Vec<Number> {
        let urdf = Urdf::parse(text).unwrap();
        let bodies = urdf.links.iter().flat_map(|link| &link.collisions);
        bodies.filter_map(|body| body.geometry.radius().cloned()).collect()
    };
    let old = radii(&text);
    assert_eq!(old.len(), 3);
    let replaced = with_radii(&text, &[(old[1].at.clone(), 0.051)]);
    assert_eq!(replaced, text.replace("\"5e-2\"", "\"0.051\""));
    assert_eq!(radii(&replaced)[1].value, 0.051);
    assert_eq!(with_radii(&text, &[]), text);
}

#[test]
#[should_panic(expected = "overlaps")]
fn ranges_may_not_overlap() {
    with_radii("12345", &[(0..3, 1.0), (2..4, 1.0)]);
}

#[test]
#[should_panic(expected = "negative or not finite")]
fn radii_must_be_finite() {
    with_radii("12345", &[(0..3, f64::NAN)]);
}
