//! Sweeps of one motion that is told in several ways.
//!
//! Most of the other ways move points by some roundings. So two results are compared by sweeps with a margin
//! that is larger than these: no contact of the one comes before what the other proves with that margin.
use super::{Case, Side, Track, free_until, scenes};
use impinge::{Pose, Query, path::Path, sweep::Sweep};
use impinge_testkit::{cases::is_full, rng::Rng};

const MORE: f64 = 1e-9;

/// Neither case has a contact before what the other one proves with a margin.
#[track_caller]
fn compare(query: &mut Query, index: u64, cases: [&Case; 2]) {
    let found = cases.map(|case| case.sweep(query));
    let within = cases.map(|case| case.sweep_within(query, MORE));
    for k in 0..2 {
        if let Sweep::Contact { meets_at, .. } = found[k] {
            let other = within[1 - k];
            let agrees = other != Sweep::Clear && free_until(&other) <= meets_at;
            assert!(agrees, "case {index}: {found:?}, {within:?}\n{cases:?}");
        }
    }
}

fn count(quick: u64) -> u64 {
    if is_full() { 20 * quick } else { quick }
}

#[test]
fn bodies_may_be_exchanged() {
    let (mut query, mut contacts) = (Query::new(), 0);
    for index in 0..count(300) {
        let case = scenes::case(&mut Rng::for_case(61, index));
        let other = Case { a: case.b.clone(), b: case.a.clone(), ..case };
        compare(&mut query, index, [&case, &other]);
        let both = [case.sweep(&mut query), other.sweep(&mut query)];
        if let [Sweep::Contact { .. }, Sweep::Contact { .. }] = both {
            contacts += 1;
        }
        let is_moved = matches!((&case.a.track, &case.b.track), (Track::Along(_), Track::Along(_)));
        if !is_moved {
            // The one that rests is the first in both: the result is the same.
            match both {
                [
                    Sweep::Contact { free_until: f, meets_at: m, pair: [i, j], .. },
                    Sweep::Contact { free_until, meets_at, pair, .. },
                ] => assert_eq!((f, m, [j, i]), (free_until, meets_at, pair), "case {index}"),
                [Sweep::Clear, Sweep::Clear] | [Sweep::Near { .. }, Sweep::Near { .. }] => {}
                both => panic!("case {index}: {both:?}"),
            }
        }
    }
    assert!(contacts * 4 > count(300), "{contacts}");
}

/// The numbers of a screw.
#[derive(Clone, Copy, Debug)]
struct Screw {
    start: Pose,
    point: [f64; 3],
    axis: [f64; 3],
    angle: f64,
    advance: f64,
}

impl Screw {
    /// From about `far` to the other side of the origin, past it.
    fn random(rng: &mut Rng, far: f64) -> Self {
        let start = scenes::pose(rng, false, far);
        let aside = rng.point(1.0);
        let axis = [0, 1, 2].map(|k| aside[k] - start.translation()[k]);
        let size = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        let angle = *rng.pick(&[0.0, 0.5, -3.0, 8.0]);
        Self { start, point: rng.point(1.0), axis, angle, advance: size * rng.between(0.0, 2.0) }
    }
    fn path(&self) -> Path {
        Path::screw(self.start, self.point, self.axis, self.angle, self.advance).unwrap()
    }
    /// From one time to another, which may be earlier.
    fn part(&self, from: f64, to: f64) -> Self {
        let by = to - from;
        Self { start: self.path().at(from), angle: by * self.angle, advance: by * self.advance, ..*self }
    }
    fn then(&self, map: &Pose) -> Self {
        let rows = map.rows();
        let axis = [0, 1, 2].map(|i| (0..3).map(|k| rows[i][k] * self.axis[k]).sum());
        Self { start: self.start.then(map).unwrap(), point: map.place(self.point), axis, ..*self }
    }
}

fn soups(rng: &mut Rng) -> [impinge::Model; 2] {
    let most = *rng.pick(&[1, 5, 30]);
    [(); 2].map(|()| scenes::soup(rng, false, most))
}

#[test]
fn all_may_be_moved_by_one_map() {
    let mut query = Query::new();
    for index in 0..count(200) {
        let mut rng = Rng::for_case(62, index);
        let ([a, b], screws) = (soups(&mut rng), [1.0, 6.0].map(|far| Screw::random(&mut rng, far)));
        let far = *rng.pick(&[1.0, 1e4]);
        let map = Pose::rigid(rng.rotation(), rng.point(far)).unwrap();
        let case = |[x, y]: [Screw; 2]| {
            Case::new(Side::along(a.clone(), x.path()), Side::along(b.clone(), y.path()))
        };
        let (one, two) = (case(screws), case(screws.map(|screw| screw.then(&map))));
        compare(&mut query, index, [&one, &two]);
    }
}

/// What is clear is so backwards, and contacts of the way back come no later than those of the way there.
#[test]
fn time_may_run_backwards() {
    let (mut query, mut clear) = (Query::new(), 0);
    for index in 0..count(200) {
        let mut rng = Rng::for_case(63, index);
        let ([a, b], screws) = (soups(&mut rng), [1.0, 6.0].map(|far| Screw::random(&mut rng, far)));
        let case = |[x, y]: [Screw; 2]| {
            Case::new(Side::along(a.clone(), x.path()), Side::along(b.clone(), y.path()))
        };
        let (there, back) = (case(screws), case(screws.map(|screw| screw.part(1.0, 0.0))));
        let found = [there.sweep(&mut query), back.sweep(&mut query)];
        let within = [&there, &back].map(|case| case.sweep_within(&mut query, MORE));
        for k in 0..2 {
            if let Sweep::Contact { meets_at, .. } = found[k] {
                assert_ne!(within[1 - k], Sweep::Clear, "case {index}: {found:?}");
                // A moment with a contact is none of those that are free in the other direction.
                assert!(free_until(&within[1 - k]) <= 1.0 - meets_at + 1e-12, "case {index}: {found:?}");
            }
        }
        clear += u64::from(found == [Sweep::Clear; 2]);
    }
    assert!(clear * 8 > count(200) && clear * 8 < 7 * count(200), "{clear}");
}

#[test]
fn paths_may_be_cut() {
    let mut query = Query::new();
    for index in 0..count(200) {
        let mut rng = Rng::for_case(64, index);
        let ([a, b], screws) = (soups(&mut rng), [1.0, 6.0].map(|far| Screw::random(&mut rng, far)));
        let case = |[x, y]: [Screw; 2]| {
            Case::new(Side::along(a.clone(), x.path()), Side::along(b.clone(), y.path()))
        };
        let cut = *rng.pick(&[0.5, 0.25, 0.7]);
        let whole = case(screws);
        let parts = [(0.0, cut), (cut, 1.0)];
        let [early, late] = parts.map(|(from, to)| case(screws.map(|screw| screw.part(from, to))));
        let found = whole.sweep(&mut query);
        let sooner = whole.sweep_within(&mut query, MORE);
        for (part, (from, to)) in [(&early, parts[0]), (&late, parts[1])] {
            if let Sweep::Contact { meets_at, .. } = part.sweep(&mut query) {
                let t = from + (to - from) * meets_at;
                assert_ne!(sooner, Sweep::Clear, "case {index}");
                assert!(free_until(&sooner) <= t + 1e-12, "case {index}: {found:?}");
            }
        }
        if let Sweep::Contact { meets_at, .. } = found {
            let in_early = meets_at <= cut;
            let (part, at) =
                if in_early { (&early, meets_at / cut) } else { (&late, (meets_at - cut) / (1.0 - cut)) };
            let within = part.sweep_within(&mut query, MORE);
            assert_ne!(within, Sweep::Clear, "case {index}: {found:?}");
            assert!(free_until(&within) <= at + 1e-12, "case {index}: {found:?}");
        }
    }
}
