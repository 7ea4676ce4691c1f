//! Exact test of two placed triangles for a common point, decided over the real numbers.
use super::exact::{fold, meet};
use crate::{
    Pose,
    exact::{
        DyadicTransform, ExactPoint, Fixed, Integer, IntegerPoints, Lattice, PointPredicates, TwoTriangles,
        WIDTHS, Wide, at_size, at_width, by_points, is_in_safe_range, on_lattice,
    },
};

/// True if two triangles share a point, for exact coordinates in the safe range; `None` if that takes longer
/// integers.
pub(crate) fn meet_by_points<P: ExactPoint>(p: &[P; 3], q: &[P; 3]) -> Option<bool> {
    by_points(&[p[0], p[1], p[2], q[0], q[1], q[2]], |six| meet(six))
}

/// Two poses, prepared for the exact stage once for all pairs of a query.
#[derive(Clone, Debug)]
pub(crate) struct Poses {
    /// True if one injective map moves both bodies: then it does not affect the result.
    same: bool,
    maps: [DyadicTransform<3>; 2],
}

impl Poses {
    pub(crate) fn new(a: &Pose, b: &Pose) -> Self {
        let same = a == b;
        let maps = if same { [&Pose::IDENTITY; 2] } else { [a, b] };
        Self { same, maps: maps.map(|pose| DyadicTransform::new(pose.rows(), pose.translation())) }
    }
    /// True if two triangles share a point, the first placed by the first pose and the second by the second
    /// one; decided over the real numbers.
    pub(crate) fn meet(&self, p: &[[f64; 3]; 3], q: &[[f64; 3]; 3]) -> bool {
        let in_safe_range = || p.iter().chain(q).flatten().all(|&x| is_in_safe_range(x));
        if self.same
            && in_safe_range()
            && let Some(answer) = meet_by_points(p, q)
        {
            return answer;
        }
        let six = TwoTriangles::new(&self.maps, [p, q]);
        on_lattice!(at_size, &six, 3, g => meet(g))
    }
    /// True if triangle `t` meets the triangle of its corners 0 and 1 and of `third` elsewhere than in the
    /// edge 0 1, at equal poses.
    pub(crate) fn fold(&self, t: &[[f64; 3]; 3], third: &[f64; 3]) -> bool {
        let six = [t[0], t[1], t[2], *third, *third, *third];
        if six.iter().flatten().all(|&x| is_in_safe_range(x)) {
            let raw = PointPredicates::new(&six);
            let answer = fold(&raw);
            if !raw.is_unsure() {
                return answer;
            }
        }
        let six = TwoTriangles::new(&self.maps, [t, &[*third; 3]]);
        on_lattice!(at_width, &six, 3, g => fold(g))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact;
    use crate::samples::{
        near_degenerate::{FAMILIES, near_degenerate},
        oracle,
    };
    use std::collections::BTreeMap;

    /// The decision by integers where floating point decides nothing, and their width.
    fn by_integers_alone(six: &TwoTriangles<'_>) -> (bool, usize) {
        let lattice = six.lattice();
        let answer = at_size!(lattice.bits, 3, I => {
            let mut placed = IntegerPoints::<I>::ZERO;
            placed.put(lattice, six);
            placed.distrust();
            meet(&placed)
        });
        let limbs = exact::limbs(lattice.bits);
        (answer, if limbs <= 4 { limbs } else { exact::width(lattice.bits, 3) })
    }

    fn check(tally: &mut BTreeMap<usize, [u32; 2]>, pair: [([[f64; 3]; 3], Pose); 2], want: bool) {
        let [(p, a), (q, b)] = pair;
        let [maps, exchanged] = [[a, b], [b, a]]
            .map(|poses| poses.map(|pose| DyadicTransform::new(pose.rows(), pose.translation())));
        let (answer, width) = by_integers_alone(&TwoTriangles::new(&maps, [&p, &q]));
        assert_eq!(answer, want, "{width} limbs alone: {pair:?}");
        let placed = |maps, p, q| Poses { same: false, maps }.meet(p, q);
        assert_eq!(placed(maps, &p, &q), want, "{width} limbs: {pair:?}");
        assert_eq!(placed(exchanged, &q, &p), want, "{width} limbs, exchanged: {pair:?}");
        assert_eq!(Poses::new(&a, &b).meet(&p, &q), want, "{width} limbs, equal poses apart: {pair:?}");
        tally.entry(width).or_default()[usize::from(want)] += 1;
    }

    #[test]
    fn integers_of_every_width_decide_as_the_oracle_does() {
        let mut tally = BTreeMap::new();
        for i in 0..FAMILIES.len() as u64 * 4000 {
            let case = near_degenerate(31, i);
            let want = oracle::intersects(&case.p, &case.pose_p, &case.q, &case.pose_q);
            // The testkit's poses are of another build of this library.
            let own = |rows: &[[f64; 3]; 3], t: &[f64; 3]| Pose::affine(*rows, *t).unwrap();
            let a = own(case.pose_p.rows(), case.pose_p.translation());
            let b = own(case.pose_q.rows(), case.pose_q.translation());
            check(&mut tally, [(case.p, a), (case.q, b)], want);
        }
        // A touch at the origin of triangles that span the range of f64, or a part of it.
        for (huge, tiny) in [(f64::MAX, f64::from_bits(1)), (2.0_f64.powi(70), 2.0_f64.powi(-70))] {
            let rows = [[huge, 0.0, 0.0], [0.0, tiny, 0.0], [0.0, 0.0, 1.0]];
            let stretched = Pose::affine(rows, [0.0; 3]).unwrap();
            let p = [[-huge, 0.0, 0.0], [huge, tiny, 0.0], [huge, -tiny, 0.0]];
            for (z, want) in [(0.0, true), (tiny, false)] {
                let q = [[0.0, 0.0, z], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];
                check(&mut tally, [(p, stretched), (q, Pose::IDENTITY)], want);
            }
        }
        for width in [1, 2, 3, 4, 16, 64, 200] {
            let seen = tally.get(&width);
            assert!(seen.is_some_and(|s| s[0] > 0 && s[1] > 0), "{width} limbs: {seen:?} of {tally:?}");
        }
    }
}
