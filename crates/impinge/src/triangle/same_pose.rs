//! The triangle test on lanes of f64 for bodies at one pose, whose corners are exactly what is stored: signs
//! may then be certain to be zero, and touching triangles are decided, too.
//!
//! # Signs
//! The orientation of four points is det(u, v, w) = (u x v) . w for three differences of them. Let P, its
//! *permanent*, be the sum of the absolute values of its six monomials, products of three coordinates. Each
//! rounds at most 3 times for differences, 2 for products, 1 in the minor, 2 in the sum: the computed value
//! is within 8 u P of the exact one, to first order. So it has the exact one's sign if it is larger than 10 u
//! times the computed P. And if P is 0, each monomial has a factor that is: a difference of two numbers is 0
//! only if they are equal, hence the exact value is 0. (No product underflows: `is_in_safe_range` in
//! `exact.rs`.) The choice of differences is free; the permanents of some may be 0 where those of others are
//! not. The usual geometry of assemblies comes out exactly: faces perpendicular to an axis, edges along one,
//! common corners.
//!
//! # The test
//! Let p and q be triangles with an area, in different planes. They meet if and only if an edge of one that
//! does not lie in the other's plane meets the other. For p and q meet the line of both planes in two
//! intervals; if these overlap, an end of one lies in the other. Let it be p's: as p has an area, it is a
//! point of an edge of p that does not lie in the line, so not in q's plane.
//!
//! An edge from a to b, not both in q's plane, meets that plane in one point if a and b are not strictly on
//! one side. The orientations of the edge with q's three edges are the point's barycentric coordinates, up to
//! one factor that is not 0: it lies in q if none is positive or none negative, 0 being neither.
//!
//! # Triangles in one plane
//! If all corners of both lie in one plane, and both have an area, they are apart if and only if the line of
//! an edge of one has the other strictly outside. For an edge e from a corner c of p, whose normal is n, a
//! point x of the plane is inside where n . (e x (x - c)) > 0, for n and the product are parallel. With
//! permanents as above, of n and of the product: 3 roundings of differences and 3 of the minor for each, a
//! product and two sums, at most 12 u in all; 16 u is the bound. And where the permanents of all three
//! coordinates of the product are 0, it is 0 too, and x lies on the line. (Products of four differences may
//! underflow, by less than [`f64::MIN_POSITIVE`], or overflow, which proves nothing.)
//!
//! A sign that is not 0 of a point and a triangle's plane shows that the triangle has an area, and, if the
//! point is the other's corner, that the planes are different. Where all are 0, nothing is decided.
use super::lanes::{LaneVector, all, cross, dot, some, sub};
use crate::{
    exact,
    simd::{Lanes, Mask},
};

/// Certain signs: the lanes in which they are positive, negative and zero.
#[derive(Clone, Copy, Default)]
pub(super) struct Signs {
    pub(super) pos: u32,
    pub(super) neg: u32,
    pub(super) zero: u32,
}

#[inline(always)]
fn abs<L: Lanes>(v: LaneVector<L>) -> LaneVector<L> {
    [v[0].abs(), v[1].abs(), v[2].abs()]
}
/// u x v with sums for differences, given |u| and |v|: the sum of the absolute values of each minor's
/// monomials.
#[inline(always)]
fn permanents<L: Lanes>(u: LaneVector<L>, v: LaneVector<L>) -> LaneVector<L> {
    [u[1].mul_add(v[2], u[2] * v[1]), u[2].mul_add(v[0], u[0] * v[2]), u[0].mul_add(v[1], u[1] * v[0])]
}

/// The signs of `det`, given its permanent, and the least one for several choices of differences. The
/// constants are 0 and 10 u.
#[inline(always)]
fn signs<L: Lanes>(det: L, permanent: L, least: L, [zero, unit]: [L; 2]) -> Signs {
    let bound = permanent * unit;
    Signs { pos: det.gt(bound).bits(), neg: (zero - det).gt(bound).bits(), zero: !least.gt(zero).bits() }
}

/// Lanes in which an edge certainly meets the other triangle, and lanes in which it certainly does not, or
/// lies in its plane. Given are the signs of its ends, and those with the other's edges.
#[inline(always)]
pub(super) fn edge(from: &Signs, to: &Signs, [x, y, z]: [&Signs; 3]) -> [u32; 2] {
    let level = from.zero & to.zero;
    let across =
        (from.pos & (to.neg | to.zero)) | (from.neg & (to.pos | to.zero)) | (from.zero & (to.pos | to.neg));
    let aside = from.pos & to.pos | from.neg & to.neg;
    let (pos, neg, zero) = ([x.pos, y.pos, z.pos], [x.neg, y.neg, z.neg], [x.zero, y.zero, z.zero]);
    let not_neg = all([pos[0] | zero[0], pos[1] | zero[1], pos[2] | zero[2]]);
    let not_pos = all([neg[0] | zero[0], neg[1] | zero[1], neg[2] | zero[2]]);
    [across & (not_neg | not_pos), level | aside | some(pos) & some(neg)]
}

/// Two triangles by differences of their corners.
#[derive(Clone, Copy)]
pub(crate) struct Differences<L> {
    /// Edges of p and of q.
    e: [LaneVector<L>; 3],
    v: [LaneVector<L>; 3],
    /// Differences from p's corners to q's.
    d: [[LaneVector<L>; 3]; 3],
}

impl<L: Lanes> Differences<L> {
    #[inline(always)]
    pub(crate) fn of(p: &[LaneVector<L>; 3], q: &[LaneVector<L>; 3]) -> Self {
        Self { e: edges(p), v: edges(q), d: from_to(p, q) }
    }
}

/// Corners moved by an offset, and the rounding errors of the sums.
#[inline(always)]
fn moved<L: Lanes>(
    points: &[LaneVector<L>; 3],
    offset: &LaneVector<L>,
) -> ([LaneVector<L>; 3], [LaneVector<L>; 3]) {
    let (mut high, mut low) = (*points, *points);
    for i in 0..3 {
        for k in 0..3 {
            [high[i][k], low[i][k]] = exact::sum(points[i][k], offset[k]);
        }
    }
    (high, low)
}
#[inline(always)]
fn edges<L: Lanes>(p: &[LaneVector<L>; 3]) -> [LaneVector<L>; 3] {
    [sub(p[1], p[0]), sub(p[2], p[1]), sub(p[0], p[2])]
}
/// Differences from p's corners to q's.
#[inline(always)]
fn from_to<L: Lanes>(p: &[LaneVector<L>; 3], q: &[LaneVector<L>; 3]) -> [[LaneVector<L>; 3]; 3] {
    [
        [sub(q[0], p[0]), sub(q[1], p[0]), sub(q[2], p[0])],
        [sub(q[0], p[1]), sub(q[1], p[1]), sub(q[2], p[1])],
        [sub(q[0], p[2]), sub(q[1], p[2]), sub(q[2], p[2])],
    ]
}

impl<L: Lanes> Differences<L> {
    /// The differences of corners p + s and q + t, which are sums (`exact/sum_point.rs`). Edges are those of
    /// the triangles as they are stored.
    #[inline(always)]
    pub(crate) fn of_moved(points: [&[LaneVector<L>; 3]; 2], [s, t]: [LaneVector<L>; 2], zero: L) -> Self {
        let ((p, p_low), (q, q_low)) = (moved(points[0], &s), moved(points[1], &t));
        let mut lost = zero;
        for i in 0..3 {
            for k in 0..3 {
                lost = lost.max(p_low[i][k].abs()).max(q_low[i][k].abs());
            }
        }
        let mut of = Self { e: edges(points[0]), v: edges(points[1]), d: from_to(&p, &q) };
        if lost.gt(zero).bits() != 0 {
            for i in 0..3 {
                for j in 0..3 {
                    for k in 0..3 {
                        of.d[i][j][k] = exact::difference([q[j][k], q_low[j][k]], [p[i][k], p_low[i][k]]);
                    }
                }
            }
        }
        of
    }
}

/// Results for some pairs: those that certainly meet, those that are uncertain, and of these the ones with
/// all corners in one plane.
#[derive(Clone, Copy)]
pub(crate) struct FilterMasks {
    pub(crate) meet: u32,
    pub(crate) unsure: u32,
    pub(crate) coplanar: u32,
}

/// Decides `count` lanes. `constants` holds 0 and 10 u in each; coordinates are in the safe range.
#[inline(always)]
pub(crate) fn decide<L: Lanes>(
    Differences { e, v, d }: &Differences<L>,
    count: usize,
    constants: [L; 2],
) -> FilterMasks {
    let lanes = ((1_u64 << count) - 1) as u32;
    let zero = constants[0];
    let (ae, av) = (three!(K => abs(e[K])), three!(K => abs(v[K])));
    let ad = three!(I => three!(J => abs(d[I][J])));

    // q's corners and p's plane, then p's corners and q's.
    let (n, an) = (cross(e[0], e[1]), permanents(ae[0], ae[1]));
    let (m, am) = (cross(v[0], v[1]), permanents(av[0], av[1]));
    let of_q = three!(K => {
        let x = three!(I => dot(an, ad[I][K]));
        signs(dot(n, d[0][K]), x[0], x[0].min(x[1]).min(x[2]), constants)
    });
    let of_p = three!(K => {
        let x = three!(J => dot(am, ad[K][J]));
        signs(zero - dot(m, d[K][0]), x[0], x[0].min(x[1]).min(x[2]), constants)
    });
    let (q_pos, q_neg) = ([of_q[0].pos, of_q[1].pos, of_q[2].pos], [of_q[0].neg, of_q[1].neg, of_q[2].neg]);
    let (p_pos, p_neg) = ([of_p[0].pos, of_p[1].pos, of_p[2].pos], [of_p[0].neg, of_p[1].neg, of_p[2].neg]);
    let apart = all(q_pos) | all(q_neg) | all(p_pos) | all(p_neg);
    if apart & lanes == lanes {
        return FilterMasks { meet: 0, unsure: 0, coplanar: 0 };
    }

    // Edge i of p and edge j of q.
    let sides = three!(I => three!(J => {
        const TO: usize = (I + 1) % 3;
        const END: usize = (J + 1) % 3;
        let (c, ac) = (cross(e[I], v[J]), permanents(ae[I], av[J]));
        let x = [dot(ac, ad[I][J]), dot(ac, ad[TO][J]), dot(ac, ad[I][END]), dot(ac, ad[TO][END])];
        signs(dot(c, d[I][J]), x[0], x[0].min(x[1]).min(x[2].min(x[3])), constants)
    }));
    let edges = three!(K => {
        const TO: usize = (K + 1) % 3;
        let of_e = edge(&of_p[K], &of_p[TO], [&sides[K][0], &sides[K][1], &sides[K][2]]);
        let of_v = edge(&of_q[K], &of_q[TO], [&sides[0][K], &sides[1][K], &sides[2][K]]);
        [of_e[0] | of_v[0], of_e[1] & of_v[1]]
    });
    let (meet, miss) = (edges[0][0] | edges[1][0] | edges[2][0], edges[0][1] & edges[1][1] & edges[2][1]);
    // Both have an area, and different planes.
    let proper = (some(q_pos) | some(q_neg)) & (some(p_pos) | some(p_neg));
    let apart = apart | miss & proper;
    let unsure = !(meet | apart) & lanes;
    let level =
        all([of_p[0].zero, of_p[1].zero, of_p[2].zero]) & all([of_q[0].zero, of_q[1].zero, of_q[2].zero]);
    FilterMasks { meet: meet & !apart & lanes, unsure, coplanar: level & unsure }
}

/// Pairs in one plane that certainly meet, and those that are certainly apart. The constants are 0, 10 u, 16
/// u and [`f64::MIN_POSITIVE`] in each lane.
#[inline(always)]
pub(crate) fn decide_coplanar<L: Lanes>(
    Differences { e, v, d }: &Differences<L>,
    [zero, unit, excess, tiny]: [L; 4],
) -> [u32; 2] {
    let (n, an) = (cross(e[0], e[1]), permanents(abs(e[0]), abs(e[1])));
    let (m, am) = (cross(v[0], v[1]), permanents(abs(v[0]), abs(v[1])));
    let proper = has_length(n, an, unit) & has_length(m, am, unit);
    let edges = three!(K => {
        // p's edge and q's corners, then q's edge and p's, for which differences point the other way.
        let of_p = three!(J => inside((n, an), (e[K], d[K][J]), [zero, excess, tiny]));
        let of_q = three!(I => inside((m, am), (d[I][K], v[K]), [zero, excess, tiny]));
        let beside = all([of_p[0][1], of_p[1][1], of_p[2][1]]) | all([of_q[0][1], of_q[1][1], of_q[2][1]]);
        let reached = some([of_p[0][0], of_p[1][0], of_p[2][0]]) & some([of_q[0][0], of_q[1][0], of_q[2][0]]);
        [reached, beside]
    });
    let apart = edges[0][1] | edges[1][1] | edges[2][1];
    let touching = edges[0][0] & edges[1][0] & edges[2][0] & proper;
    [touching, apart & proper]
}

/// Lanes in which a cross product is certainly not zero.
#[inline(always)]
fn has_length<L: Lanes>(n: LaneVector<L>, permanent: LaneVector<L>, unit: L) -> u32 {
    (n[0].abs().gt(permanent[0] * unit)
        | n[1].abs().gt(permanent[1] * unit)
        | n[2].abs().gt(permanent[2] * unit))
    .bits()
}

/// Lanes in which n . (u x w) is certainly not negative, and lanes in which it certainly is.
#[inline(always)]
fn inside<L: Lanes>(
    (n, an): (LaneVector<L>, LaneVector<L>),
    (u, w): (LaneVector<L>, LaneVector<L>),
    [zero, excess, tiny]: [L; 3],
) -> [u32; 2] {
    let (c, ac) = (cross(u, w), permanents(abs(u), abs(w)));
    let (value, bound) = (dot(n, c), dot(an, ac).mul_add(excess, tiny));
    let on_line = !(ac[0] + ac[1] + ac[2]).gt(zero).bits();
    [value.gt(bound).bits() | on_line, (zero - value).gt(bound).bits()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{
        near_degenerate::{FAMILIES, PairCase, near_degenerate},
        rng::Rng,
    };
    use crate::{
        Pose,
        exact::{self, AxisPlacement},
        simd::{MOST_DOUBLES, Simd, SimdLevel, Work, detect},
        vector::UNIT,
    };

    type Triangle = [[f64; 3]; 3];

    /// Triangles as in assemblies: decimals that are no f64 numbers, faces across an axis, edges along one,
    /// common corners, coordinates and planes.
    fn built(rng: &mut Rng) -> [Triangle; 2] {
        let level = |rng: &mut Rng| rng.below(7) as f64 * 0.1;
        let mut pair = [(); 2].map(|()| [(); 3].map(|()| [(); 3].map(|()| level(rng))));
        for t in &mut pair {
            let axis = rng.below(3) as usize;
            match rng.below(4) {
                // A face across an axis, an edge along one, and a wall: two corners one above the other.
                0 => (t[1][axis], t[2][axis]) = (t[0][axis], t[0][axis]),
                1 => (t[1][axis], t[1][(axis + 1) % 3]) = (t[0][axis], t[0][(axis + 1) % 3]),
                2 => t[2] = [t[0][0], t[0][1], t[2][2]],
                _ => {}
            }
        }
        let (a, b) = (rng.below(3) as usize, rng.below(3) as usize);
        match rng.below(6) {
            0 => pair[1][a] = pair[0][b],
            1 => (pair[1][a][0], pair[1][a][1]) = (pair[0][b][0], pair[0][b][1]),
            2 => (0..3).for_each(|k| (pair[0][k][a], pair[1][k][a]) = (0.3, 0.3)),
            // Away from the origin, where differences round.
            3 => pair.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|x| *x += 13.7),
            _ => {}
        }
        pair
    }

    /// Decides pairs in lanes. Returns the bits of the pairs that meet, and those of the undecided pairs.
    struct Ask<'a>(&'a [[Triangle; 2]]);

    impl Work for Ask<'_> {
        type Out = [u32; 2];
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> [u32; 2] {
            let mut rows = [[[0.0; MOST_DOUBLES]; 9]; 2];
            for (lane, pair) in self.0.iter().enumerate() {
                for (rows, t) in rows.iter_mut().zip(pair) {
                    rows.iter_mut().zip(t.as_flattened()).for_each(|(row, &x)| row[lane] = x);
                }
            }
            let (p, q) = (simd.load_triangles(&rows[0]), simd.load_triangles(&rows[1]));
            let of = Differences::of(&p, &q);
            let [zero, unit] = [simd.doubles(0.0), simd.doubles(10.0 * UNIT)];
            let known = decide(&of, self.0.len(), [zero, unit]);
            let constants = [zero, unit, simd.doubles(16.0 * UNIT), simd.doubles(f64::MIN_POSITIVE)];
            let [meet, apart] = decide_coplanar(&of, constants).map(|lanes| lanes & known.coplanar);
            [known.meet | meet, known.unsure & !(meet | apart)]
        }
    }

    /// Checks `rounds` of pairs on every instruction set. Returns the numbers of certain pairs, of those that
    /// meet among them, and of all pairs.
    fn certain_means_true(rounds: u32, mut pair: impl FnMut() -> [Triangle; 2]) -> [u32; 3] {
        let still = crate::triangle::decide::Poses::new(&Pose::IDENTITY, &Pose::IDENTITY);
        let [mut certain, mut meeting, mut all] = [0; 3];
        for _ in 0..rounds {
            // Every instruction set has lanes for four pairs.
            let pairs = [(); 4].map(|()| pair());
            for &level in SimdLevel::ALL {
                let [meet, unsure] = detect(level).call(Ask(&pairs));
                for (lane, pair) in pairs.iter().enumerate().filter(|(lane, _)| unsure >> lane & 1 == 0) {
                    let met = meet >> lane & 1 == 1;
                    assert_eq!(met, still.meet(&pair[0], &pair[1]), "{level:?}: {pair:?}");
                    certain += 1;
                    meeting += u32::from(met);
                }
                all += pairs.len() as u32;
            }
        }
        [certain, meeting, all]
    }

    /// The lanes' results for some pairs at placements.
    struct AskMoved<'a>(&'a [PairCase], [AxisPlacement; 2]);

    impl Work for AskMoved<'_> {
        type Out = [u32; 2];
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> [u32; 2] {
            let Self(cases, places) = self;
            let mut rows = [[[0.0; MOST_DOUBLES]; 9]; 2];
            for (lane, case) in cases.iter().enumerate() {
                for (x, (rows, t)) in rows.iter_mut().zip([&case.p, &case.q]).enumerate() {
                    let turned = t.map(|v| [0, 1, 2].map(|k| places[x].signs[k] * v[places[x].axes[k]]));
                    rows.iter_mut().zip(turned.as_flattened()).for_each(|(row, &x)| row[lane] = x);
                }
            }
            let (p, q) = (simd.load_triangles(&rows[0]), simd.load_triangles(&rows[1]));
            let offsets = places.each_ref().map(|place| simd.splat_doubles(&place.offset));
            let [zero, unit] = [simd.doubles(0.0), simd.doubles(10.0 * UNIT)];
            let of = Differences::of_moved([&p, &q], offsets, zero);
            let known = decide(&of, cases.len(), [zero, unit]);
            let constants = [zero, unit, simd.doubles(16.0 * UNIT), simd.doubles(f64::MIN_POSITIVE)];
            let [meet, apart] = decide_coplanar(&of, constants).map(|lanes| lanes & known.coplanar);
            [known.meet | meet, known.unsure & !(meet | apart)]
        }
    }

    #[test]
    fn what_is_certain_of_sums_is_true() {
        let [mut certain, mut meeting, mut lost, mut all] = [0; 4];
        for index in 0..FAMILIES.len() as u64 * 4000 {
            let case = near_degenerate(61, index);
            let place = |pose: &Pose| AxisPlacement::new(pose.rows(), pose.translation());
            let (Some(a), Some(b)) = (place(&case.pose_p), place(&case.pose_q)) else { continue };
            if !exact::are_in_safe_range([case.p, case.q].as_flattened()) {
                continue;
            }
            all += 1;
            let want = crate::triangle::decide::Poses::new(&case.pose_p, &case.pose_q).meet(&case.p, &case.q);
            lost += u32::from([(a, case.p), (b, case.q)].iter().any(|(place, t)| {
                place.corners(t).iter().any(|v| (0..3).any(|k| exact::ExactPoint::parts(v, k)[1] != 0.0))
            }));
            let by_points = crate::triangle::decide::meet_by_points(&a.corners(&case.p), &b.corners(&case.q));
            assert!(by_points.is_none_or(|met| met == want), "{case:?}");
            let level = SimdLevel::ALL[index as usize / FAMILIES.len() % SimdLevel::ALL.len()];
            let [meet, unsure] = detect(level).call(AskMoved(std::slice::from_ref(&case), [a, b]));
            if unsure & 1 == 0 {
                assert_eq!(meet & 1 == 1, want, "{level:?}: {case:?}");
                (certain, meeting) = (certain + 1, meeting + u32::from(want));
            }
        }
        let counts = format!("{certain} of {all} certain, {meeting} meet, {lost} are no f64");
        assert!(certain > all / 3 && meeting > all / 10 && lost > all / 4, "{counts}");
    }

    #[test]
    fn what_is_certain_is_true() {
        let mut rng = Rng::new(16);
        let [certain, meeting, all] = certain_means_true(30_000, || built(&mut rng));
        assert!(certain > all / 4 * 3 && meeting > all / 8, "{certain} of {all} certain, {meeting} meet");
        let mut index = 0;
        let [certain, meeting, all] = certain_means_true(FAMILIES.len() as u32 * 2000, || {
            loop {
                index += 1;
                let case = near_degenerate(16, index);
                let pair = [case.p, case.q];
                if exact::are_in_safe_range(pair.as_flattened()) {
                    return pair;
                }
            }
        });
        assert!(certain > all / 4 && meeting > all / 20, "{certain} of {all} certain, {meeting} meet");
    }
}
