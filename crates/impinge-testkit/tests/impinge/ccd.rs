//! Continuous collision of moving points: yes or no and the first time, against rational numbers.
mod meshes;
mod reference;

use self::reference::Contacts;
use crate::allocator;
use impinge::{
    ErrorKind,
    ccd::{FirstTime, edge_edge, point_triangle},
};
use impinge_testkit::{cases::is_full, rng::Rng};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    PointTriangle,
    EdgeEdge,
}

type Points = [[[f64; 3]; 4]; 2];

/// A query: four points at the times 0 and 1.
#[derive(Clone, Copy, Debug)]
struct Case {
    kind: Kind,
    points: Points,
}

impl Case {
    fn first(&self) -> Option<FirstTime> {
        let [[a, b, c, d], [p, q, r, s]] = self.points;
        match self.kind {
            Kind::PointTriangle => point_triangle([a, p], [[b, c, d], [q, r, s]]),
            Kind::EdgeEdge => edge_edge([[a, b], [p, q]], [[c, d], [r, s]]),
        }
        .unwrap()
    }
    /// Checks the result against the reference, and returns whether there is a contact.
    fn check(&self) -> bool {
        let (found, mut contacts) = (self.first(), Contacts::of(self));
        let Some(FirstTime { free_until: lo, meets_at: hi }) = found else {
            assert!(contacts.is_empty(), "a missed contact of {self:?}");
            return false;
        };
        assert!(!contacts.is_empty(), "no contact of {self:?}");
        assert!(contacts.first_is_within(lo, hi), "not in [{lo}, {hi}]: {self:?}");
        assert!(0.0 <= lo && hi <= 1.0 && (hi == lo || hi == lo.next_up()), "wide: {found:?} of {self:?}");
        assert!(lo == hi || !contacts.first_is(lo) && !contacts.first_is(hi), "not the narrowest: {self:?}");
        true
    }
    fn map(&self, change: impl Fn([f64; 3]) -> [f64; 3]) -> Self {
        Self { points: self.points.map(|points| points.map(&change)), ..*self }
    }
    fn order(&self, order: [usize; 4]) -> Self {
        Self { points: self.points.map(|points| order.map(|i| points[i])), ..*self }
    }
}

const KINDS: [Kind; 2] = [Kind::PointTriangle, Kind::EdgeEdge];

fn count(quick: u64) -> u64 {
    if is_full() { 20 * quick } else { quick }
}

/// Integer coordinates of few values: points in one plane, parallel and degenerate features, touches.
fn grid(rng: &mut Rng) -> Case {
    let half = *rng.pick(&[1, 1, 2, 3]);
    let kind = *rng.pick(&KINDS);
    let mut points: Points = [0; 2].map(|_| [0; 4].map(|_| rng.grid_point(half)));
    match rng.below(8) {
        // In one plane.
        0 | 1 => points.as_flattened_mut().iter_mut().for_each(|p| p[2] = 0.0),
        // On one line.
        2 => points.as_flattened_mut().iter_mut().for_each(|p| *p = [p[0], 2.0 * p[0], 0.0]),
        // Some points rest.
        3 => {
            let [start, end] = &mut points;
            start.iter().zip(end).filter(|_| rng.one_in(2)).for_each(|(from, to)| *to = *from);
        }
        // All move together.
        4 => {
            let by = rng.grid_point(half);
            let [start, end] = &mut points;
            for (from, to) in start.iter().zip(end) {
                *to = std::array::from_fn(|k| from[k] + by[k]);
            }
        }
        // Two points are one, at one time or always.
        5 => {
            let [i, j] = [0; 2].map(|_| rng.below(4) as usize);
            points[0][i] = points[0][j];
            if rng.one_in(2) {
                points[1][i] = points[1][j];
            }
        }
        _ => (),
    }
    Case { kind, points }
}

/// Random coordinates; the features often meet, at a time near `time` and a place near the boundary.
fn generic(rng: &mut Rng) -> Case {
    let kind = *rng.pick(&KINDS);
    let mut points: Points = [0; 2].map(|_| [0; 4].map(|_| rng.point(1.0)));
    if !rng.one_in(4) {
        let time = *rng.pick(&[0.0, 1.0, 0.5, 0.3, 0.9]);
        let at = |points: &Points, i: usize| -> [f64; 3] {
            std::array::from_fn(|k| (1.0 - time) * points[0][i][k] + time * points[1][i][k])
        };
        let x = [0; 3].map(|_| if rng.one_in(3) { rng.int(0, 1) as f64 } else { rng.between(-0.1, 1.1) });
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| at(&points, i));
        let by: [f64; 3] = std::array::from_fn(|k| match kind {
            Kind::PointTriangle => b[k] + x[0] * ((c[k] - b[k]) + x[1] * (d[k] - c[k])) - a[k],
            Kind::EdgeEdge => c[k] + x[0] * (d[k] - c[k]) - (a[k] + x[1] * (b[k] - a[k])),
        });
        let first = if kind == Kind::EdgeEdge { 2 } else { 1 };
        for time in &mut points {
            time[..first].iter_mut().flatten().zip(by.iter().cycle()).for_each(|(x, by)| *x += by);
        }
    }
    if !rng.one_in(4) {
        // Fewer bits, for the reference's sake.
        points.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|x| *x = f64::from(*x as f32));
    }
    Case { kind, points }
}

/// Coordinates of very different sizes, and of the largest and smallest ones.
fn scaled(rng: &mut Rng) -> Case {
    let case = if rng.one_in(3) { generic(rng) } else { grid(rng) };
    match rng.below(4) {
        0 => {
            let scale = 2.0_f64.powi(*rng.pick(&[-1074, -1060, -500, 300, 1020]));
            case.map(|p| p.map(|x| x * scale))
        }
        1 => {
            let scales = [0; 3].map(|_| 2.0_f64.powi(rng.int(-60, 60) as i32));
            case.map(|p| std::array::from_fn(|k| p[k] * scales[k]))
        }
        // Each coordinate alone.
        2 => {
            let mut case = case;
            let most = if rng.one_in(20) { 900 } else { 60 };
            let all = case.points.as_flattened_mut().as_flattened_mut();
            all.iter_mut().for_each(|x| *x *= 2.0_f64.powi(rng.int(-most, most) as i32));
            case
        }
        _ => {
            let by = rng.point(1e3);
            case.map(|p| std::array::from_fn(|k| p[k] + by[k]))
        }
    }
}

fn check(make: fn(&mut Rng) -> Case, seed: u64, quick: u64) {
    let hits = (0..count(quick)).filter(|i| make(&mut Rng::for_case(seed, *i)).check()).count() as u64;
    println!("{hits} contacts of {}", count(quick));
    assert!(hits > count(quick) / 20 && hits < count(quick) * 19 / 20);
}

#[test]
fn results_on_grids_are_those_of_rational_numbers() {
    check(grid, 1, 2500);
}

#[test]
fn results_of_random_points_are_those_of_rational_numbers() {
    check(generic, 2, 800);
}

#[test]
fn results_at_all_scales_are_those_of_rational_numbers() {
    check(scaled, 3, 300);
}

#[test]
fn changes_that_keep_the_answer_keep_it() {
    for i in 0..count(3000) {
        let rng = &mut Rng::for_case(4, i);
        let case = if rng.one_in(3) { generic(rng) } else { grid(rng) };
        let first = case.first();
        let orders = match case.kind {
            Kind::PointTriangle => [[0, 2, 3, 1], [0, 3, 2, 1], [0, 2, 1, 3]],
            Kind::EdgeEdge => [[1, 0, 2, 3], [2, 3, 0, 1], [0, 1, 3, 2]],
        };
        for order in orders {
            assert_eq!(case.order(order).first(), first, "order {order:?} of {case:?}");
        }
        let [start, end] = case.points;
        let reversed = Case { points: [end, start], ..case };
        assert_eq!(reversed.first().is_some(), first.is_some(), "time reversed: {case:?}");
        // Exact for these coordinates: powers of two, axes in another order, a mirror.
        let mapped = case.map(|[x, y, z]| [-4.0 * z, x * 0.5, 8.0 * y]);
        assert_eq!(mapped.first(), first, "mapped: {case:?}");
        if case.points.as_flattened().as_flattened().iter().all(|x| x.fract() == 0.0) {
            let [p, q, r] = [0; 3].map(|_| rng.int(-9, 9) as f64);
            // A shear of determinant 1 and a translation.
            let sheared = case.map(|[x, y, z]| [x + p * y + r, y + q * z - p, z + 1e6]);
            assert_eq!(sheared.first(), first, "sheared: {case:?}");
        }
    }
}

/// Random points are far from the boundary of a contact: f64 decides, on the stack.
#[test]
fn misses_of_random_points_do_not_allocate() {
    let mut misses = [0; 2];
    for i in 0..2000 {
        let rng = &mut Rng::for_case(5, i);
        let points: Points = [0; 2].map(|_| [0; 4].map(|_| rng.point(1.0)));
        for kind in KINDS {
            let before = allocator::count();
            if (Case { kind, points }).first().is_none() {
                misses[usize::from(allocator::count() > before)] += 1;
            }
        }
    }
    println!("{misses:?}");
    assert!(misses[0] > 1000 && misses[1] < 3, "misses without and with an allocation: {misses:?}");
}

#[test]
fn known_first_times() {
    let rest = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let first = |from, to| {
        let contact = point_triangle([from, to], [rest; 2]).unwrap();
        contact.map(|FirstTime { free_until, meets_at }| [free_until, meets_at])
    };
    // A corner at the end, an edge on the way in its plane, at rest on the boundary, and just beside.
    assert_eq!(first([0.0, 0.0, 1.0], [0.0, 0.0, 0.0]), Some([1.0; 2]));
    assert_eq!(first([-1.0, 1.0, 0.0], [3.0, 1.0, 0.0]), Some([0.25; 2]));
    assert_eq!(first([2.0, 2.0, 0.0], [2.0, 2.0, 0.0]), Some([0.0; 2]));
    assert_eq!(first([2.0, 2.0_f64.next_up(), 1.0], [2.0, 2.0_f64.next_up(), -1.0]), None);
    assert_eq!(first([0.0, 0.0, 1.0], [0.0, 0.0, f64::from_bits(1)]), None);
    // A time below every positive f64 number.
    let third = first([1.0, 1.0, f64::from_bits(1)], [1.0, 1.0, -f64::MAX]);
    assert_eq!(third, Some([0.0, f64::from_bits(1)]));
    // Segments that shrink to one common point at 1.
    let shrink = |x: [f64; 3]| [[x, [-x[0], x[1], x[2]]], [[0.0; 3]; 2]];
    let contact = edge_edge(shrink([1.0, 1.0, 0.0]), shrink([1.0, 2.0, 3.0])).unwrap();
    assert_eq!(contact, Some(FirstTime { free_until: 1.0, meets_at: 1.0 }));
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut end = [[0.0; 3]; 3];
        end[1][2] = bad;
        let error = point_triangle([[0.0; 3]; 2], [[[0.0; 3]; 3], end]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::VertexNotFinite { vertex: 2, .. }), "{error}");
        let error = edge_edge([[[0.0; 3]; 2], [[0.0; 3], [bad, 0.0, 0.0]]], [[[0.0; 3]; 2]; 2]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::VertexNotFinite { vertex: 1, .. }), "{error}");
    }
}
