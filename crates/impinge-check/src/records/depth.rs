//! [`Depth`]: overlap volume, depth and separating translation of two parts that overlap.
use impinge::{
    Body, Query,
    penetration::{Penetration, PenetrationParts},
    query::ContactPairs,
};
use serde::{Deserialize, Serialize};

/// Measures of the overlap of two parts; unknown ones are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Depth {
    /// Lower and upper bound of the volume that both have in common.
    pub overlap_volume: Option<[f64; 2]>,
    /// Lower and upper bound of the interference depth: how deep the surface of either part reaches into the
    /// other ([`Penetration::interference_depth`]). `None`, too, if more than half of one part is, or may be,
    /// in the other. Such parts do not fit together, and their depth has no meaning: that of two equal parts
    /// is 0.
    pub interference_depth: Option<[f64; 2]>,
    /// Depth of a corner of one of them inside the other.
    pub depth_at_least: Option<f64>,
    /// A translation of the second part after which no point is inside of both.
    pub separating_translation: Option<[f64; 3]>,
    /// Length of that translation, if it is less than the least side of both parts' boxes: a longer one is no
    /// correction.
    pub separating_distance: Option<f64>,
}

impl Depth {
    /// Measures the depth of two bodies. `pairs` are all pairs of triangles that meet. Without them all
    /// measures are `None`.
    pub(crate) fn measure(pairs: Option<&ContactPairs<'_>>, query: &mut Query) -> Self {
        let Some(pairs) = pairs else { return Self::default() };
        let wanted = PenetrationParts::all().interference_depth(false);
        let Penetration { overlap_volume, depth_at_least, separating_translation, .. } =
            query.penetration_of_pairs(pairs, &wanted);
        let separating_length = separating_translation.map(length);
        // Two copies nearly in one place do not fit together. Their depth is expensive, and has no meaning.
        let bodies = pairs.bodies();
        let is_fit = overlap_volume.is_some_and(|[_, hi]| hi <= 0.5 * least_volume(bodies));
        let wanted = PenetrationParts::new().interference_depth(true);
        let deep = is_fit.then(|| query.penetration_of_pairs(pairs, &wanted).interference_depth).flatten();
        // A separating translation takes the deepest point out: its length is an upper bound.
        let most = separating_length.unwrap_or(f64::INFINITY);
        Self {
            overlap_volume,
            interference_depth: deep.map(|[lo, hi]| [lo, hi.min(most)]),
            depth_at_least: depth_at_least.map(|depth| depth.length),
            separating_translation,
            separating_distance: separating_length.filter(|&length| length < least_side(bodies)),
        }
    }
    /// The length of [`Depth::separating_translation`], rounded up; exact along an axis.
    pub fn separating_length(&self) -> Option<f64> {
        self.separating_translation.map(length)
    }
    /// Lower and upper bound of the interference depth. If that is unknown, bounds of the length of the
    /// shortest separating translation; `None` if no translation was found. The lower bound is the depth of a
    /// corner, else 0. Surfaces have neither that depth nor a volume that could show growth: their lower
    /// bound is the length of the translation that was found, less the rounding of coordinates up to
    /// `largest`.
    pub(crate) fn bounds(&self, largest: f64) -> Option<[f64; 2]> {
        if self.interference_depth.is_some() {
            return self.interference_depth;
        }
        let upper = self.separating_length()?;
        let lower = match (self.depth_at_least, self.overlap_volume) {
            // A separating translation takes the corner out.
            (Some(depth), _) => depth.min(upper),
            (None, Some(_)) => 0.0,
            (None, None) => (upper - ROUNDING * largest).max(0.0),
        };
        Some([lower, upper])
    }
    /// True if the interference depth, or the length of the translation that was found, is at most a
    /// tolerance. It is then true for every larger tolerance, too.
    pub(crate) fn is_within(&self, tolerance: f64) -> bool {
        let depth = self.interference_depth.map(|[_, hi]| hi);
        depth.into_iter().chain(self.separating_length()).any(|length| length <= tolerance)
    }
    /// Size of the clash, for ranks: lower and upper bound of the volume in common. Parts without one, such
    /// as a surface in a solid, have the volume of a cube over the separating translation. Not negative.
    pub(crate) fn size(&self) -> [f64; 2] {
        let cube = || self.separating_length().map(|length| [length * length * length; 2]);
        self.overlap_volume.or_else(cube).unwrap_or([0.0; 2]).map(|size| size.max(0.0))
    }
    /// True if all measures are unknown.
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

/// Largest rounding in a translation, relative to the largest coordinate: the rounding of the coordinates of
/// both parts, and what the search adds to prove that the parts are apart.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Largest number of pairs of triangles that are listed for two parts. Meshes that are not degenerate have at
/// most some 13 pairs for each triangle: two equal meshes have so many.
pub(crate) fn most_listed(bodies: [&Body<'_>; 2]) -> usize {
    pair_limit(bodies.map(|body| body.model.mesh().len()))
}

/// Largest number of pairs of triangles that are listed for parts with these numbers of triangles.
pub fn pair_limit(triangles: [usize; 2]) -> usize {
    (1 << 20) + 32 * (triangles[0] + triangles[1])
}

/// Lower bound of the volume of the smaller of two bodies, up to rounding; 0 if it is unknown.
fn least_volume(bodies: [Body<'_>; 2]) -> f64 {
    let volume = |body: &Body<'_>| {
        let [lo, hi] = body.model.winding_volume()?;
        let [x, y, z] = *body.pose.rows();
        let cross = [1, 2, 0].map(|k| y[k] * z[(k + 1) % 3] - y[(k + 1) % 3] * z[k]);
        // The volume of a mesh whose triangles face inwards is negative.
        let of_mesh = lo.max(-hi).max(0.0);
        Some(of_mesh * (x[0] * cross[0] + x[1] * cross[1] + x[2] * cross[2]).abs())
    };
    bodies.iter().fold(f64::INFINITY, |least, body| least.min(volume(body).unwrap_or(0.0)))
}

/// The least side, other than 0, of the placed boxes around two meshes.
fn least_side(bodies: [Body<'_>; 2]) -> f64 {
    let sides = |body: &Body<'_>| {
        let ([lo, hi], rows) = (body.model.extent(), body.pose.rows());
        let side = |k: usize| (hi[k] - lo[k]) * rows.iter().map(|row| row[k] * row[k]).sum::<f64>().sqrt();
        // A flat surface has no thickness to compare with.
        [side(0), side(1), side(2)].into_iter().filter(|&side| side > 0.0).fold(f64::INFINITY, f64::min)
    };
    bodies.iter().map(sides).fold(f64::INFINITY, f64::min)
}

/// The length of a vector, rounded up; exact along an axis.
fn length(v: [f64; 3]) -> f64 {
    if v.iter().filter(|x| **x != 0.0).count() <= 1 {
        return v.iter().fold(0.0, |length, x| length + x.abs());
    }
    // The factor covers four roundings, the summand underflow.
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
