//! Numbers of a changed pair: volumes against the reference, distances and lengths against those of other
//! meshes of the same sets.
use super::{Base, failure::Failure, placed_models, variant::Variant};
use crate::{oracle::Term, rng::Rng};
use impinge::{Body, Query, distance::Accuracy, penetration::PenetrationParts};
use num_bigint::BigInt;
use num_rational::Ratio;

/// A number to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// The interval of the common volume contains the volume of the reference.
    Volume,
    /// The distance of exchanged bodies is the same interval. The exact distance is equal for all meshes.
    Distance,
    /// The length of the intersection curves has a finite upper bound.
    Curves,
}

/// Checks the numbers of one variant. `distance` is the exact distance of the variants before.
///
/// # Errors
/// Returns an error if one of them is wrong.
pub fn check_numbers(
    base: &Base,
    variant: &Variant,
    rng: &mut Rng,
    query: &mut Query,
    which: &[Number],
    distance: &mut Option<[f64; 2]>,
) -> Result<(), Failure> {
    let placed = variant.placed(rng);
    let models = placed_models(&placed);
    let [a, b] = [0, 1].map(|i| Body::new(&models[i], placed[i].1));
    let fail = |what: String| Err(Failure { what, variant: Box::new(variant.clone()) });
    let is_near_one = variant.scale.abs() < 150;
    if which.contains(&Number::Volume) && is_near_one {
        let wanted = PenetrationParts::new().overlap_volume(true);
        if let Some([lo, hi]) = query.penetration(&a, &b, &wanted).overlap_volume {
            let scale = Term { mantissa: 1, exponent: 3 * variant.scale };
            let volume = base.volume() * scale.rational();
            let is_between = rational(lo) <= volume && (hi == f64::INFINITY || volume <= rational(hi));
            if !is_between {
                return fail(format!("volume [{lo:e}, {hi:e}] without {volume}"));
            }
        }
    }
    if which.contains(&Number::Distance) && is_near_one && !variant.has_walls {
        let mut gap = |x: &Body<'_>, y: &Body<'_>, stop| {
            query.with_accuracy(stop).distance(x, y).map(|gap| [gap.lo, gap.hi])
        };
        let [there, back] = [gap(&a, &b, Accuracy::new()), gap(&b, &a, Accuracy::new())];
        if there != back {
            return fail(format!("distance {there:?}, exchanged {back:?}"));
        }
        // The exact distance is one number, or two adjacent ones around it: equal for all meshes of the set.
        let (Some([lo, hi]), Some(exact)) = (there, gap(&a, &b, Accuracy::new().exact())) else {
            return Ok(());
        };
        if !(lo <= exact[0] && exact[1] <= hi) {
            return fail(format!("distance [{lo:e}, {hi:e}], exactly {exact:?}"));
        }
        let by = f64::from_bits(u64::from((1023 - variant.scale).unsigned_abs()) << 52);
        let exact = exact.map(|x| x * by);
        if *distance.get_or_insert(exact) != exact {
            return fail(format!("distance {exact:?}, of another mesh {distance:?}"));
        }
    }
    if which.contains(&Number::Curves) {
        let [lo, hi] = query.curves(&a, &b).length();
        if !(hi.is_finite() && 0.0 <= lo && lo <= hi) && is_near_one {
            return fail(format!("curves as long as [{lo}, {hi}]"));
        }
    }
    Ok(())
}

fn rational(x: f64) -> Ratio<BigInt> {
    Term::of(x).rational()
}
