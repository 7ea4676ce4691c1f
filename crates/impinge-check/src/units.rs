//! Files in different units: parts in metres checked against parts in millimetres would pass in silence.
//!
//! Coordinates are taken as they are, so this is only a warning. Files that state their units, and their
//! upward axes, are compared by these. For others the warning is a guess, and must be a rare one. Two files
//! are suspected if one of them, scaled about the origin by a factor between two units, would lie where the
//! other one lies: along every axis the two boxes would then share at least half of what they cover together.
//! The parts of one assembly in two files do; a bolt and a house do not, whatever the quotient of their
//! sizes.
use crate::hull::Hull;
use impinge_io::{Source, Warning};

/// Factors between units, and an example of each.
const FACTORS: [(f64, &str); 4] = [
    (25.4, "inches and millimetres"),
    (100.0, "metres and centimetres"),
    (304.8, "feet and millimetres"),
    (1000.0, "metres and millimetres"),
];

/// How much of what the boxes cover together along an axis they must share.
const SHARED: f64 = 0.5;

/// A warning for each file that states another unit or another upward axis than the first that states one, or
/// that seems to be in another unit than one before or after it. Each file has the rough hull of its parts.
pub fn unit_warnings(files: &[(Source, Hull)]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for (i, (source, hull)) in files.iter().enumerate() {
        let mut warn = |text| warnings.push(Warning::new(&*source.file, None, text));
        let before = || files[..i].iter().map(|(other, _)| other);
        if let Some((other, text)) = stated(source, before()) {
            warn(format!("{text} {}; coordinates are compared as they are", other.file.display()));
        }
        // Files that state their units need no guess.
        let is_stated = |other: &Source| source.unit.is_some() && other.unit.is_some();
        let found = files
            .iter()
            .filter(|(other, _)| !is_stated(other))
            .find_map(|(other, large)| Some((other, factor(hull, large)?)));
        let Some((other, (factor, units))) = found else { continue };
        warn(format!(
            "seems to be in another unit than {}: {factor} times larger it would lie where that does, as with \
             {units}; coordinates are compared as they are",
            other.file.display()
        ));
    }
    warnings
}

/// The first file that states another unit, or another upward axis, and what both state.
fn stated<'a>(
    source: &Source,
    before: impl Iterator<Item = &'a Source> + Clone,
) -> Option<(&'a Source, String)> {
    let mut differences = Vec::new();
    let mut with = None;
    let with_unit = before.clone().find(|other| other.unit.is_some());
    if let (Some(unit), Some(other)) = (source.unit, with_unit)
        && let Some(first) = other.unit.filter(|&first| first != unit)
    {
        differences.push(format!("is in {}, not in {}", unit.symbol(), first.symbol()));
        with = Some(other);
    }
    let with_axis = before.clone().find(|other| other.up.is_some());
    if let (Some(up), Some(other)) = (source.up, with_axis)
        && let Some(first) = other.up.filter(|&first| first != up)
    {
        differences.push(format!("has {up:?} upwards, not {first:?}"));
        with = with.or(Some(other));
    }
    Some((with?, format!("{} as", differences.join(" and "))))
}

/// Whether along every axis the boxes share most of what they cover; thin sides, such as a plate's, say
/// nothing.
fn covers(a: &Hull, b: &Hull) -> bool {
    let thin = a.size().max(b.size()) / 100.0;
    (0..3).all(|k| {
        let together = a.high[k].max(b.high[k]) - a.low[k].min(b.low[k]);
        let shared = a.high[k].min(b.high[k]) - a.low[k].max(b.low[k]);
        together <= thin || shared >= SHARED * together
    })
}

/// The factor between two units that would bring the smaller box to where the larger one is.
fn factor(small: &Hull, large: &Hull) -> Option<(f64, &'static str)> {
    let quotient = large.diagonal() / small.diagonal();
    // NaN and infinity are no quotients of sizes.
    if !(quotient > 10.0 && quotient.is_finite()) {
        return None;
    }
    FACTORS.iter().find(|(factor, _)| covers(&small.scaled(*factor), large)).copied()
}

#[cfg(test)]
mod tests {
    use super::factor;
    use crate::hull::Hull;

    fn hull(low: [f64; 3], high: [f64; 3]) -> Hull {
        Hull { low, high }
    }

    #[test]
    fn one_assembly_in_two_units_is_seen() {
        // A house of 20 by 12 by 8 m, and its pipes in millimetres, in centimetres, in feet.
        let house = hull([10.0, 5.0, 0.0], [30.0, 17.0, 8.0]);
        let pipes = hull([11.0, 6.0, -0.5], [29.0, 16.0, 6.0]);
        for (unit, expected) in [(1000.0, 1000.0), (100.0, 100.0)] {
            assert_eq!(factor(&house, &pipes.scaled(unit)).map(|f| f.0), Some(expected));
        }
        assert_eq!(factor(&house.scaled(39.37), &pipes.scaled(1000.0)).map(|f| f.0), Some(25.4));
        assert_eq!(factor(&house.scaled(3.2808), &pipes.scaled(1000.0)).map(|f| f.0), Some(304.8));
        // A plate is as thin as it likes.
        let plate = hull([0.0; 3], [2.0, 1.0, 0.0]);
        assert!(factor(&plate, &hull([0.0; 3], [2000.0, 1000.0, 1.0])).is_some());
    }

    #[test]
    fn parts_of_any_size_in_one_unit_are_not() {
        let house = hull([10.0, 5.0, 0.0], [30.0, 17.0, 8.0]);
        for other in [
            hull([11.0, 6.0, -0.5], [29.0, 16.0, 6.0]),
            // Bolts, here and there, with any quotient of sizes.
            hull([12.0, 6.0, 2.0], [12.02, 6.008, 2.008]),
            hull([20.0, 11.0, 4.0], [20.2, 11.2, 4.1]),
            hull([-0.4, -0.4, -0.4], [0.4, 0.4, 0.4]),
            hull([0.0; 3], [0.0; 3]),
            Hull::EMPTY,
        ] {
            assert!(factor(&other, &house).is_none() && factor(&house, &other).is_none(), "{other:?}");
        }
    }
}
