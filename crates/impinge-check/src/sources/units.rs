//! Warnings for files in different units: a check of parts in metres against parts in millimetres would find
//! nothing.
//!
//! Coordinates are taken as they are, so this is only a warning. Files that state their units, and their
//! upward axes, are compared by these. For other files the warning is a guess, and must be rare. It names two
//! files if one of them, scaled about the origin by a factor between two units, would lie where the other one
//! lies. Then, along every axis, the intersection of the two boxes is at least half of their union. This
//! holds for the parts of one assembly in two files. It does not hold for a bolt and a house, whatever the
//! quotient of their sizes.
use crate::sources::hull::Hull;
use impinge_io::{Source, Warning};
use std::collections::HashMap;

/// Factors between units, and an example of each.
const FACTORS: [(f64, &str); 4] = [
    (25.4, "inches and millimetres"),
    (100.0, "metres and centimetres"),
    (304.8, "feet and millimetres"),
    (1000.0, "metres and millimetres"),
];

/// Least share of the intersection of two boxes in their union, along an axis.
const SHARED: f64 = 0.5;

/// A warning for each file that states another unit or another upward axis than the first file that states
/// one, or that seems to be in another unit than any other file. Each file has the approximate hull of its
/// parts. Cost: linear in files, and quadratic in different hulls.
pub fn unit_warnings(files: &[(Source, Hull)]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut first = FirstStated::default();
    let hulls = DifferentHulls::new(files);
    let mut found = vec![None; hulls.first.len()];
    for (i, (source, _)) in files.iter().enumerate() {
        let mut warn = |text| warnings.push(Warning::new(&*source.file, None, text));
        if let Some((other, text)) = first.difference(source) {
            warn(format!("{text} {}; coordinates are compared as they are", other.file.display()));
        }
        first.add(source);
        let Some(hull) = hulls.of[i] else { continue };
        let Some((other, (factor, units))) = *found[hull].get_or_insert_with(|| hulls.larger(hull, files))
        else {
            continue;
        };
        warn(format!(
            "seems to be in another unit than {}: {factor} times larger it would lie where that does, as with \
             {units}; coordinates are compared as they are",
            files[other].0.file.display()
        ));
    }
    warnings
}

/// The first file that states a unit, and the first that states an upward axis.
#[derive(Default)]
struct FirstStated<'a> {
    with_unit: Option<&'a Source>,
    with_axis: Option<&'a Source>,
}

impl<'a> FirstStated<'a> {
    fn add(&mut self, source: &'a Source) {
        self.with_unit = self.with_unit.or(source.unit.map(|_| source));
        self.with_axis = self.with_axis.or(source.up.map(|_| source));
    }
    /// The earlier file from which `source` differs in its unit or its upward axis, and a text with what both
    /// state.
    fn difference(&self, source: &Source) -> Option<(&'a Source, String)> {
        let mut differences = Vec::new();
        let mut with = None;
        if let (Some(unit), Some(other)) = (source.unit, self.with_unit)
            && let Some(first) = other.unit.filter(|&first| first != unit)
        {
            differences.push(format!("is in {}, not in {}", unit.symbol(), first.symbol()));
            with = Some(other);
        }
        if let (Some(up), Some(other)) = (source.up, self.with_axis)
            && let Some(first) = other.up.filter(|&first| first != up)
        {
            differences.push(format!("has {up:?} upwards, not {first:?}"));
            with = with.or(Some(other));
        }
        Some((with?, format!("{} as", differences.join(" and "))))
    }
}

/// The distinct hulls with a size, separately for files that state their unit and for others. A bundle may
/// have many sources without parts, or with equal hulls.
struct DifferentHulls {
    /// The first file of each hull.
    first: Vec<usize>,
    of: Vec<Option<usize>>,
}

impl DifferentHulls {
    fn new(files: &[(Source, Hull)]) -> Self {
        let (mut first, mut known) = (Vec::new(), HashMap::new());
        let number = |(i, (source, hull)): (usize, &(Source, Hull))| {
            if hull.diagonal().is_nan() || hull.diagonal() <= 0.0 {
                return None;
            }
            let key = (hull.low.map(f64::to_bits), hull.high.map(f64::to_bits), source.unit.is_some());
            Some(*known.entry(key).or_insert_with(|| {
                first.push(i);
                first.len() - 1
            }))
        };
        let of = files.iter().enumerate().map(number).collect();
        Self { first, of }
    }
    /// The first file at the place where a hull would be in another unit, with the factor and the units.
    fn larger(&self, hull: usize, files: &[(Source, Hull)]) -> Option<(usize, (f64, &'static str))> {
        let (source, small) = &files[self.first[hull]];
        // Files that state their units need no guess.
        let is_stated = |other: &Source| source.unit.is_some() && other.unit.is_some();
        let mut others = self.first.iter().filter(|&&other| !is_stated(&files[other].0));
        others.find_map(|&other| Some((other, factor(small, &files[other].1)?)))
    }
}

/// True if the intersection of two boxes is most of their union along every axis. Thin sides, such as a
/// plate's, do not count.
fn covers(a: &Hull, b: &Hull) -> bool {
    let thin = a.size().max(b.size()) / 100.0;
    (0..3).all(|k| {
        let together = a.high[k].max(b.high[k]) - a.low[k].min(b.low[k]);
        let shared = a.high[k].min(b.high[k]) - a.low[k].max(b.low[k]);
        together <= thin || shared >= SHARED * together
    })
}

/// The factor between two units that would scale the smaller box to the place of the larger one.
fn factor(small: &Hull, large: &Hull) -> Option<(f64, &'static str)> {
    let quotient = large.diagonal() / small.diagonal();
    // This excludes NaN, too.
    if !(quotient > 10.0 && quotient.is_finite()) {
        return None;
    }
    FACTORS.iter().find(|(factor, _)| covers(&small.scaled(*factor), large)).copied()
}

#[cfg(test)]
mod tests {
    use super::{factor, unit_warnings};
    use crate::sources::hull::Hull;
    use impinge_io::{Source, Unit};
    use std::{path::Path, time::Instant};

    /// A bundle of 29 KB can have ten thousand empty sources.
    #[test]
    fn many_sources_take_time_that_is_linear() {
        let house = hull([10.0, 5.0, 0.0], [30.0, 17.0, 8.0]);
        let file = |name: &str, unit: Option<Unit>, hull| {
            let source = Source::new(Path::new(name));
            (unit.map_or(source.clone(), |unit| source.with_unit(unit)), hull)
        };
        let mut files = vec![file("house", None, house), file("pipes", None, house.scaled(1000.0))];
        files.extend((0..200_000).map(|_| file("empty", None, Hull::EMPTY)));
        files.extend((0..200_000).map(|_| file("again", Some(Unit::Inch), house.scaled(1000.0))));
        files.push(file("last", Some(Unit::Metre), house));
        let from = Instant::now();
        let found: Vec<String> = unit_warnings(&files).iter().map(ToString::to_string).collect();
        assert!(from.elapsed().as_secs() < 10, "{:?}", from.elapsed());
        let [first, unit, guess] = &found[..] else { panic!("{found:?}") };
        assert!(first.starts_with("house: seems to be in another unit than pipes: 1000 times"), "{first}");
        assert!(unit.starts_with("last: is in m, not in in as again"), "{unit}");
        assert!(guess.starts_with("last: seems to be in another unit than pipes"), "{guess}");
    }

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
        // A plate may have any thickness.
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
