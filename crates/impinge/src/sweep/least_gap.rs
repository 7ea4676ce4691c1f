//! The least distance of two bodies along their paths.
use super::{Moving, Sweep, SweepOptions};
use crate::{Query, distance::Margin, query::QueryParts};

/// The least distance of two bodies over all times of a sweep, less their radii: an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastGap {
    /// Lower bound of the least distance: at no time are they nearer.
    pub lo: f64,
    /// Upper bound of the least distance. 0 if and only if they come into contact.
    pub hi: f64,
    /// A time at which they are as near as `hi`.
    pub at: f64,
}

/// The width of the interval, relative to the least distance at some times.
const WIDTH: f64 = 1e-6;

impl Query {
    /// The least distance of two bodies in motion, over all times: the clearance of a whole travel. `None` if
    /// a body has no triangles.
    ///
    /// It halves the interval of distances by sweeps with a margin, until it is a millionth of the distance
    /// wide or as narrow as the tolerance of the options: some twenty sweeps. Their margin is not used.
    ///
    /// ```
    /// use impinge::{Body, Model, Pose, Query, path::Path, sweep::{Moving, SweepOptions}};
    /// // Two spheres of radius 1 pass each other.
    /// let center = Model::points(&[[0.; 3]])?;
    /// let path = Path::translation(Pose::from_translation([-5., 2.5, 0.])?, [10., 0., 0.])?;
    /// let resting = Body::new(&center, Pose::IDENTITY).rounded(1.)?;
    /// let moving = Moving::new(&center, &path).rounded(1.)?;
    /// let gap = Query::new().least_gap(resting, moving, &SweepOptions::new()).expect("both have points");
    /// assert!(gap.lo <= 0.5 && 0.5 <= gap.hi && gap.hi - gap.lo < 1e-6 && (gap.at - 0.5).abs() < 1e-3);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn least_gap<'a>(
        &mut self,
        a: impl Into<Moving<'a>>,
        b: impl Into<Moving<'a>>,
        options: &SweepOptions,
    ) -> Option<LeastGap> {
        let (a, b) = (a.into(), b.into());
        let mut least = LeastGap { lo: 0.0, hi: f64::INFINITY, at: options.after };
        for k in 0..=8 {
            let t = options.after + (1.0 - options.after) * (f64::from(k) / 8.0);
            self.approach(&mut least, [&a, &b], t)?;
        }
        let tolerance = (least.hi * WIDTH).max(options.tolerance.unwrap_or(0.0));
        // The first sweep has no margin: only it can find a contact. `high` is a margin that is not clear.
        let (mut margin, mut high) = (0.0, least.hi);
        loop {
            let options = SweepOptions { margin: Margin::of(margin), verdict_only: margin > 0.0, ..*options };
            let QueryParts { ask, scratches, .. } = self.parts();
            let sweep = ask.sweep([a, b], &options, 1.0, &mut scratches.first().scratch);
            match sweep {
                Sweep::Clear => least.lo = margin,
                Sweep::Contact { meets_at, .. } if margin == 0.0 => {
                    return Some(LeastGap { lo: 0.0, hi: 0.0, at: meets_at });
                }
                Sweep::Contact { meets_at: t, .. } | Sweep::Near { free_until: t, .. } => {
                    self.approach(&mut least, [&a, &b], t)?;
                    high = margin;
                }
            }
            margin = least.lo / 2.0 + high / 2.0;
            if high - least.lo <= tolerance || !(least.lo < margin && margin < high) {
                return Some(least);
            }
        }
    }

    /// Takes the distance at a time for an upper bound.
    fn approach(&mut self, least: &mut LeastGap, [a, b]: [&Moving<'_>; 2], t: f64) -> Option<()> {
        let [first, second] = [a, b].map(|side| side.rounded_at(t));
        let bounds = self.distance(&first, &second)?;
        // The paths' own poses are that near to those computed.
        let hi = (bounds.hi + a.error(t, 0.0) + b.error(t, 0.0)) * (1.0 + 4.0 * f64::EPSILON);
        if hi < least.hi {
            (least.hi, least.at) = (hi, t);
        }
        Some(())
    }
}
