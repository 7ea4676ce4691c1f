//! How far two parts are in each other.
use impinge::{
    Body, Query,
    penetration::{Penetration, PenetrationParts},
    query::ContactPairs,
};
use serde::Serialize;

/// Depth of two parts in each other; a measure that is unknown is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Depth {
    /// Lower and upper bound of the volume that both have in common.
    pub overlap_volume: Option<[f64; 2]>,
    /// A corner of one of them lies so deep inside of the other.
    pub depth_at_least: Option<f64>,
    /// A translation of the second part after which no point is inside of both.
    pub separating_translation: Option<[f64; 3]>,
}

impl Depth {
    /// Measures the depth of two bodies. `pairs` are all pairs of triangles that meet. Without them the depth
    /// has no numbers.
    pub(crate) fn measure(pairs: Option<&ContactPairs<'_>>, query: &mut Query) -> Self {
        let measure = |pairs: &ContactPairs<'_>| query.penetration_of_pairs(pairs, &PenetrationParts::all());
        let found = pairs.map_or_else(Penetration::default, measure);
        let Penetration { overlap_volume, depth_at_least, separating_translation, .. } = found;
        let depth_at_least = depth_at_least.map(|depth| depth.length);
        Self { overlap_volume, depth_at_least, separating_translation }
    }
    /// The length of [`Depth::separating_translation`]: no less than it is, and exact along an axis.
    pub fn separating_length(&self) -> Option<f64> {
        self.separating_translation.map(length)
    }
    /// Two numbers between which the length of the shortest separating translation lies, if one was found. Of
    /// surfaces, which have no volume that could show growth, the lower one is the length of the translation
    /// that was found, less what is rounding where coordinates are up to `largest`.
    pub(crate) fn bounds(&self, largest: f64) -> Option<[f64; 2]> {
        let upper = self.separating_length()?;
        let lower = match (self.depth_at_least, self.overlap_volume) {
            // A corner that lies so deep inside has to come out.
            (Some(depth), _) => depth.min(upper),
            (None, Some(_)) => 0.0,
            (None, None) => (upper - ROUNDING * largest).max(0.0),
        };
        Some([lower, upper])
    }
    /// Whether the translation that was found is no longer than a tolerance: then it is no longer than any
    /// larger one.
    pub(crate) fn is_within(&self, tolerance: f64) -> bool {
        self.separating_length().is_some_and(|length| length <= tolerance)
    }
    /// The size of the clash, for ranks: the volume in common that is proved, and its upper bound. Parts that
    /// have none in common, as a surface in a solid, have that of a cube over the separating translation. Not
    /// negative.
    pub(crate) fn size(&self) -> [f64; 2] {
        let cube = || self.separating_length().map(|length| [length * length * length; 2]);
        self.overlap_volume.or_else(cube).unwrap_or([0.0; 2]).map(|size| size.max(0.0))
    }
    /// Whether it has no number at all.
    pub fn is_unknown(&self) -> bool {
        (self.overlap_volume, self.depth_at_least, self.separating_translation) == (None, None, None)
    }
}

/// What can be rounding in a translation, relative to the largest coordinate: that of the coordinates of both
/// parts, and what the search adds so that it can prove that the parts are apart.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The most pairs of triangles that are listed for two parts. Meshes that are not degenerate have some 13
/// pairs for each triangle at most: those of two equal ones.
pub(crate) fn most_listed(bodies: [&Body<'_>; 2]) -> usize {
    pair_limit(bodies.map(|body| body.model.mesh().len()))
}

/// The most pairs of triangles that are listed for parts of so many triangles.
pub fn pair_limit(triangles: [usize; 2]) -> usize {
    (1 << 20) + 32 * (triangles[0] + triangles[1])
}

/// The length of a vector: no less than it is, and exact along an axis.
fn length(v: [f64; 3]) -> f64 {
    if v.iter().filter(|x| **x != 0.0).count() <= 1 {
        return v.iter().fold(0.0, |length, x| length + x.abs());
    }
    // Four roundings, and what underflows.
    let squares: f64 = v.iter().map(|x| x * x).sum();
    squares.sqrt() * (1.0 + 4.0 * f64::EPSILON) + f64::MIN_POSITIVE
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn a_length_is_no_less_than_it_is() {
        assert_eq!(length([0.0, -0.25, 0.0]), 0.25);
        assert_eq!(length([0.0; 3]), 0.0);
        let five = length([3.0, 4.0, 0.0]);
        assert!((5.0..5.0 + 1e-14).contains(&five));
    }
}
