//! What a sweep proves, against exact queries at many moments.
use super::{Case, Seen, Side, free_until, scenes::case};
use impinge::{
    Query, SimdLevel,
    sweep::{Sweep, Undecided},
};
use impinge_testkit::{cases::is_full, oracle::compare_distance_with_sum, rng::Rng};

/// Times before the end of what is proved: spread over all of it, and close to its end.
fn times(rng: &mut Rng, sweep: &Sweep, count: u32) -> Vec<f64> {
    let end = free_until(sweep);
    let mut all: Vec<f64> = (0..count).map(|_| end * rng.unit()).collect();
    all.extend((1..40).step_by(3).map(|k| end * (1.0 - 2_f64.powi(-k))));
    all.extend([0.0, end.next_down()]);
    if *sweep == Sweep::Clear {
        all.push(1.0);
    } else {
        all.retain(|t| (0.0..end).contains(t));
    }
    all
}

/// Checks a contact: the pair meets by integers, and the two times are close.
pub(super) fn check_contact(case: &Case, sweep: &Sweep) {
    let Sweep::Contact { free_until, meets_at, pose, pair: [i, j] } = *sweep else { return };
    let (a, b) = (case.a.at(meets_at), case.b.at(meets_at));
    assert_eq!(pose, b.pose);
    let (p, q) = (a.model.mesh().corners(i), b.model.mesh().corners(j));
    let order = compare_distance_with_sum(&p, &a.pose, &q, &pose, &case.distances());
    assert!(order.is_le(), "no contact of {i} and {j} at {meets_at}: {case:?}");
    assert!((0.0..=1.0).contains(&meets_at) && 0.0 <= free_until && free_until <= meets_at);
    if meets_at - free_until <= 1e-9 {
        return;
    }
    // Then no point moved by more than the tolerance, relative to the other body: as seen from there.
    let place = |t: f64, v: [f64; 3]| case.a.at(t).pose.inverse().unwrap().place(case.b.at(t).pose.place(v));
    let extent = b.model.extent();
    let corners = (0..8).map(|k| [0, 1, 2].map(|axis| extent[k >> axis & 1][axis]));
    let size = |[lo, hi]: &[[f64; 3]; 2]| (0..3).map(|k| (hi[k] - lo[k]).powi(2)).sum::<f64>().sqrt();
    let sizes = [&case.a, &case.b].map(|side| size(side.model.extent()));
    let tolerance = sizes[0].max(sizes[1]).max(2.0 * case.distances().iter().sum::<f64>()) * 2_f64.powi(-30);
    for v in corners {
        let (from, to) = (place(free_until, v), place(meets_at, v));
        let way = (0..3).map(|k| (to[k] - from[k]).powi(2)).sum::<f64>().sqrt();
        // Poses may scale lengths by 2.
        assert!(way <= 4.0 * tolerance, "{way:e}, {tolerance:e} in {:e}: {case:?}", meets_at - free_until);
    }
}

/// Looks at moments of what is proved. Returns their number, and how many show a contact by less than the errors.
pub(super) fn nothing_meets_before(
    case: &Case,
    sweep: &Sweep,
    rng: &mut Rng,
    samples: u32,
    query: &mut Query,
) -> [u64; 2] {
    let (mut seen, mut marginal) = (0, 0);
    for t in times(rng, sweep, samples) {
        seen += 1;
        match case.look(query, t) {
            Seen::Apart => {}
            Seen::Marginal => marginal += 1,
            Seen::Contact => panic!("contact at {t}, {sweep:?}\n{case:?}"),
        }
    }
    [seen, marginal]
}

#[test]
fn nothing_meets_before_a_sweep_ends() {
    let (cases, samples) = if is_full() { (70_000, 150) } else { (1_200, 40) };
    let mut query = Query::new();
    let (mut kinds, mut marginal, mut seen, mut slowest) = ([0; 4], 0, 0, (0.0, 0));
    for index in 0..cases {
        let mut rng = Rng::for_case(57, index);
        let case = case(&mut rng);
        let start = std::time::Instant::now();
        let sweep = case.sweep(&mut query);
        let took = start.elapsed().as_secs_f64();
        slowest = if took > slowest.0 { (took, index) } else { slowest };
        kinds[match sweep {
            Sweep::Clear => 0,
            Sweep::Contact { meets_at, .. } => 1 + usize::from(meets_at > 0.0),
            Sweep::Near { .. } => 3,
        }] += 1;
        let looks = nothing_meets_before(&case, &sweep, &mut rng, samples, &mut query);
        (seen, marginal) = (seen + looks[0], marginal + looks[1]);
        check_contact(&case, &sweep);
        if let Sweep::Near { until, meets_at, why, .. } = sweep {
            assert_ne!(why, Undecided::Budget, "case {index}: {sweep:?}\n{case:?}");
            let free = free_until(&sweep);
            assert!(free <= until && until <= 1.0);
            // They come as near as some tolerances, and as the way of the shortest intervals.
            let gap = query.distance(&case.a.at(free), &case.b.at(free)).unwrap();
            // Where both poses shear, a margin counts too far: see `SweepOptions::margin`.
            let is_rigid = |side: &Side| side.at(free).pose.is_rigid();
            let most = if is_rigid(&case.a) || is_rigid(&case.b) { 1.0 } else { 8.0 };
            let near = most * case.distances().iter().sum::<f64>() + 1e-6;
            assert!(gap.lo <= near, "case {index}: {gap:?}, {sweep:?}\n{case:?}");
            if let Some(t) = meets_at {
                assert_ne!(case.look(&mut query, t), Seen::Apart, "case {index}: {sweep:?}");
            }
        }
    }
    println!("clear, at 0, later, near: {kinds:?}; {marginal} of {seen} marginal; slowest {slowest:?}");
    let [clear, at_start, later, near] = kinds;
    assert!(clear * 8 > cases && later * 6 > cases && at_start * 4 < cases && near * 20 < cases, "{kinds:?}");
    assert!(marginal * 2_000 < seen, "{marginal} of {seen}");
}

/// A verdict agrees with a full sweep, and its contact is one.
#[test]
fn verdicts_agree_with_sweeps() {
    let mut query = Query::new().simd(SimdLevel::Auto);
    for index in 0..if is_full() { 10_000 } else { 500 } {
        let mut rng = Rng::for_case(58, index);
        let case = case(&mut rng);
        let (full, verdict) =
            (case.sweep(&mut query), case.sweep_with(&mut query, &case.options().verdict_only(true)));
        match verdict {
            Sweep::Clear => assert_eq!(full, Sweep::Clear, "case {index}"),
            Sweep::Contact { free_until, meets_at, pose, pair: [i, j] } => {
                let (a, b) = (case.a.at(meets_at), case.b.at(meets_at));
                let (p, q) = (a.model.mesh().corners(i), b.model.mesh().corners(j));
                let order = compare_distance_with_sum(&p, &a.pose, &q, &pose, &case.distances());
                assert!(pose == b.pose && order.is_le(), "case {index}: {verdict:?}");
                assert!(free_until <= meets_at && full != Sweep::Clear, "case {index}: {full:?}");
            }
            Sweep::Near { .. } => assert!(matches!(full, Sweep::Near { .. }), "case {index}: {full:?}"),
        }
    }
}
