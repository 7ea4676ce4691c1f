//! Growth of boxes: boxes of parts that are within a length meet once each is grown by half of it.
use crate::parts::chord::Tolerances;
use impinge::{broad_phase::Aabb, distance::Margin};

/// Boxes of parts, and the lengths by which they grow.
pub(crate) struct Reaches<'a> {
    /// The box around each part, rounded outwards.
    pub(crate) extents: &'a [Aabb],
    /// The chord errors of the parts, if the check has any.
    pub(crate) tolerances: Option<&'a Tolerances>,
    /// The longest length of the check. The boxes of candidates are within it.
    pub(crate) longest: Option<Margin>,
}

impl Reaches<'_> {
    pub(crate) fn boxes_meet(&self, pair: [u32; 2]) -> bool {
        let [a, b] = pair.map(|part| &self.extents[part as usize]);
        a.meets(b)
    }
    /// True if two parts may be within a length, with their chord errors, judged by their boxes.
    pub(crate) fn boxes_are_within(&self, pair: [u32; 2], length: Margin) -> bool {
        let reach = |part| self.tolerances.map_or(length, |all| all.chord.reach(length, all.of(part)));
        let [a, b] = pair.map(|part| grown(self.extents[part as usize], reach(part)));
        a.meets(&b)
    }
}

/// The box, grown by half of `reach` along each axis and rounded outwards. If two points are no further apart
/// than `reach`, boxes around them meet once both are grown.
pub(crate) fn grown(extent: Aabb, reach: Margin) -> Aabb {
    if extent.is_empty() || reach == Margin::ZERO {
        return extent;
    }
    // Halving is exact except for odd subnormal numbers; the step to the next number makes up for the half
    // that is lost.
    let half = reach.get() / 2.0;
    Aabb { lo: extent.lo.map(|c| (c - half).next_down()), hi: extent.hi.map(|c| (c + half).next_up()) }
}

#[cfg(test)]
mod tests {
    use super::grown;
    use impinge::{broad_phase::Aabb, distance::Margin};

    /// Boxes that are exactly `reach` apart meet once they are grown, at every size of numbers.
    #[test]
    fn growing_loses_no_pair() {
        let at = |x: f64| Aabb { lo: [x, 0.0, 0.0], hi: [x, 1.0, 1.0] };
        let least = f64::from_bits(1);
        for (a, b) in [
            (0.0, 5.0),
            (0.1, 0.3),
            (1e16, 1e16 + 2.0),
            (0.0, least),
            (least, 2.0 * least),
            (-least, 2.0 * least),
            (1.0, 1.0_f64.next_up()),
            (-f64::MAX, 0.0),
            (1e-300, 1e300),
        ] {
            // No less than the distance.
            let reach = Margin::new((b - a).next_up().min(f64::MAX)).unwrap();
            assert!(grown(at(a), reach).meets(&grown(at(b), reach)), "{a:e} {b:e}");
        }
        for reach in [5.0, 5.0_f64.next_up(), 1e300] {
            let reach = Margin::new(reach).unwrap();
            assert!(grown(at(0.0), reach).meets(&grown(at(5.0), reach)));
        }
        let five = Margin::new(5.0).unwrap();
        assert!(!grown(at(0.0), five).meets(&grown(at(5.1), five)));
        assert_eq!(grown(at(0.1), Margin::ZERO), at(0.1));
    }
}
