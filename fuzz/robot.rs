//! Properties that must hold for any bytes given as a URDF, an SRDF or a sphere model. The fuzz targets and
//! the test `robot` of impinge-robot share them.
#![allow(dead_code)] // A fuzz target uses one of the functions.
use impinge_robot::{Error, Number, Place, Srdf, Urdf, spheres, with_radii};
use std::ops::Range;

/// Reads bytes as a URDF, and panics if the result contradicts itself.
pub(crate) fn check_urdf(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let radii = |urdf: &Urdf| -> Vec<Number> {
        let bodies = urdf.links.iter().flat_map(|link| link.visuals.iter().chain(&link.collisions));
        bodies.filter_map(|body| body.geometry.radius().cloned()).collect()
    };
    let urdf = match Urdf::parse(text) {
        Ok(urdf) => urdf,
        Err(error) => return check_error(&error, text),
    };
    assert_eq!(urdf.joints.len() + 1, urdf.links.len());
    assert_eq!(urdf.links[urdf.root].joint, None);
    for (index, joint) in urdf.joints.iter().enumerate() {
        assert_eq!(urdf.links[joint.child].joint, Some(index));
        assert!(joint.origin.is_rigid());
    }
    if let Ok(groups) = urdf.rigid_groups() {
        assert_eq!(groups.iter().map(|group| group.links.len()).sum::<usize>(), urdf.links.len());
    }
    check_radii(text, &radii(&urdf), |text| Urdf::parse(text).map(|urdf| radii(&urdf)));
}

/// Reads bytes as an SRDF, and panics if the result contradicts itself.
pub(crate) fn check_srdf(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let radii = |srdf: &Srdf| -> Vec<Number> {
        srdf.spheres.iter().flat_map(|link| &link.spheres).map(|sphere| sphere.radius.clone()).collect()
    };
    match Srdf::parse(text) {
        Ok(srdf) => check_radii(text, &radii(&srdf), |text| Srdf::parse(text).map(|srdf| radii(&srdf))),
        Err(error) => check_error(&error, text),
    }
}

/// Reads bytes as a sphere model of each format, and panics if a result contradicts itself.
pub(crate) fn check_spheres(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    for name in ["a", "a.yml", "a.json", "a.csv", "a.srdf", "a.xrdf"] {
        let read = |text: &str| -> Result<Vec<Number>, Error> {
            Ok(spheres::parse(name, text)?.radii().cloned().collect())
        };
        match read(text) {
            Ok(radii) => check_radii(text, &radii, read),
            Err(error) => check_error(&error, text),
        }
    }
}

/// Replaces radii, and panics if the text read again has others.
fn check_radii(text: &str, radii: &[Number], read: impl Fn(&str) -> Result<Vec<Number>, Error>) {
    for Number { value, at } in radii {
        assert_eq!(text[at.clone()].parse::<f64>().map(f64::abs), Ok(*value));
    }
    let replacements: Vec<(Range<usize>, f64)> =
        radii.iter().map(|radius| (radius.at.clone(), radius.value)).collect();
    let same = with_radii(text, &replacements);
    assert_eq!(same, text);
    let new: Vec<(Range<usize>, f64)> =
        radii.iter().map(|radius| (radius.at.clone(), (radius.value + 0.1) * 0.7)).collect();
    let new: Vec<_> = new.into_iter().filter(|(_, value)| value.is_finite()).collect();
    let replaced = with_radii(text, &new);
    let again = read(&replaced).expect("radii have other digits, and nothing else changed");
    if new.len() == radii.len() {
        assert!(again.iter().map(|radius| radius.value).eq(new.iter().map(|(_, value)| *value)));
    }
}

/// Panics if an error has no place, or does not fit a line.
pub(crate) fn check_error(error: &Error, text: &str) {
    let message = error.to_string();
    assert!(!message.contains(char::is_control) && message.chars().count() < 1000, "{message:?}");
    assert!(error.text().len() > 10, "{message:?}");
    let place = error.place().unwrap_or_else(|| panic!("no place: {message:?}"));
    assert!(place.byte <= text.len() && Place::of(text, place.byte) == place, "{message:?}");
    let line = text.split('\n').nth(place.line - 1);
    assert!(line.is_some_and(|line| (1..=line.chars().count() + 1).contains(&place.column)), "{message:?}");
}
