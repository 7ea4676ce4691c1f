//! Sweeps of bodies that are shifted, against the exact time of their first contact.
use super::{
    Case, Side,
    exact_first::{Corners, Fraction, first},
    free_until, shift,
};
use impinge::{
    Body, Mesh, Model, Pose, Query,
    path::Path,
    sweep::{Moving, Sweep, Undecided},
};
use impinge_testkit::{cases::is_full, oracle, rng::Rng};

/// Triangles with integer coordinates of at most 2^14, and an integer shift of at most 2^15.
struct Shifted {
    a: Vec<Corners>,
    b: Vec<Corners>,
    by: [i64; 3],
    /// All numbers are multiplied by this power of two.
    unit: f64,
}

fn corners(rng: &mut Rng, half: i64, at: [i64; 3], flat: Option<usize>) -> Corners {
    let mut t: Corners = [(); 3].map(|()| at.map(|x| (x + rng.int(-half, half)).clamp(-(1 << 14), 1 << 14)));
    match rng.below(8) {
        0 => t = [t[0]; 3],
        1 => t[2] = t[1],
        _ => {}
    }
    if let Some(axis) = flat {
        t.iter_mut().for_each(|v| v[axis] = 0);
    }
    t
}

fn random(rng: &mut Rng) -> Shifted {
    // Coarse grids have touches of all kinds, fine ones few.
    let (half, space) = *rng.pick(&[(1, 2), (3, 5), (300, 2000), (2000, 3000), (16_000, 100)]);
    // Some bodies lie in one plane, the same or not; some slide in it.
    let flat = [(); 2].map(|()| rng.one_in(4).then_some(2));
    let soup = |rng: &mut Rng, flat: Option<usize>, center: [i64; 3]| -> Vec<Corners> {
        let most = *rng.pick(&[1, 4, 30]);
        (0..=rng.below(most))
            .map(|_| {
                let at = [0, 1, 2].map(|k| center[k] + rng.int(-space, space));
                corners(rng, half, at, flat)
            })
            .collect()
    };
    let away = *rng.pick(&[0, 2, 6]) * space;
    let center = [(); 3].map(|()| rng.int(-away, away));
    let (a, b) = (soup(rng, flat[0], [0; 3]), soup(rng, flat[1], center));
    let mut by = [0, 1, 2].map(|k| (-2 * center[k] + rng.int(-space, space)).clamp(-(1 << 15), 1 << 15));
    match rng.below(4) {
        0 => by[2] = 0,
        1 => by = [0, 1, 2].map(|k| if k == rng.below(3) as usize { by[k] } else { 0 }),
        _ => {}
    }
    Shifted { a, b, by, unit: *rng.pick(&[1.0, 1.0, 2_f64.powi(-12), 2_f64.powi(100), 2_f64.powi(-100)]) }
}

impl Shifted {
    fn corners(&self, t: &Corners) -> [[f64; 3]; 3] {
        t.map(|v| v.map(|x| x as f64 * self.unit))
    }
    fn model(&self, all: &[Corners]) -> Model {
        let points: Vec<[f64; 3]> = all.iter().flat_map(|t| self.corners(t)).collect();
        let faces = (0..all.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        Model::new(Mesh::new(points, faces).unwrap())
    }
    fn by(&self) -> [f64; 3] {
        self.by.map(|x| x as f64 * self.unit)
    }
    /// True if the boxes of p and of q's way have a point in common.
    fn is_near(&self, p: &Corners, q: &Corners) -> bool {
        (0..3).all(|k| {
            let [p, q] = [p, q].map(|t| [t[0][k], t[1][k], t[2][k]]);
            let (lo, hi) = (q[0].min(q[1]).min(q[2]), q[0].max(q[1]).max(q[2]));
            let (lo, hi) = (lo.min(lo + self.by[k]), hi.max(hi + self.by[k]));
            p.iter().any(|x| *x <= hi) && p.iter().any(|x| *x >= lo)
        })
    }
    /// Whether there is a contact at 0, and the first contact after that, if it is no later than 1.
    fn first(&self) -> (bool, Option<Fraction>) {
        let mut best: Option<Fraction> = None;
        for p in &self.a {
            for q in self.b.iter().filter(|q| self.is_near(p, q)) {
                let (x, y) = (self.corners(p), self.corners(q));
                if oracle::intersects(&x, &Pose::IDENTITY, &y, &Pose::IDENTITY) {
                    return (true, None);
                }
                let Some(t) = first(p, q, &self.by).filter(|t| t.compare(1.0).is_ge()) else { continue };
                if best.is_none_or(|best| t.is_less(&best)) {
                    best = Some(t);
                }
            }
        }
        (false, best)
    }
}

#[test]
fn shifts_meet_when_rational_numbers_do() {
    let (mut query, mut kinds) = (Query::new(), [0; 4]);
    let count = if is_full() { 100_000 } else { 3_000 };
    for index in 0..count {
        let mut rng = Rng::for_case(59, index);
        let shifted = random(&mut rng);
        let case = Case::new(
            Side::still(shifted.model(&shifted.a), Pose::IDENTITY),
            Side::along(shifted.model(&shifted.b), Path::translation(Pose::IDENTITY, shifted.by()).unwrap()),
        );
        let (at_start, exact) = shifted.first();
        let found = case.sweep(&mut query);
        let why = || format!("case {index}: {found:?}, exact {exact:?}, by {:?}\n{case:?}", shifted.by());
        match (at_start, &exact, found) {
            (true, _, Sweep::Contact { free_until: 0.0, meets_at: 0.0, .. }) => kinds[0] += 1,
            (false, Some(t), Sweep::Contact { free_until, meets_at, .. }) => {
                assert!(t.compare(free_until).is_le() && t.compare(meets_at).is_ge(), "{}", why());
                kinds[1] += 1;
            }
            (false, None, Sweep::Clear) => kinds[2] += 1,
            (false, _, Sweep::Near { meets_at, why: reason, .. }) => {
                assert_eq!(reason, Undecided::Grazing, "{}", why());
                if let Some(t) = &exact {
                    assert!(t.compare(free_until(&found)).is_le(), "{}", why());
                    assert!(meets_at.is_none_or(|later| t.compare(later).is_ge()), "{}", why());
                }
                // They come within some tolerances, and within what they move in the shortest times.
                let t = free_until(&found);
                let gap = query.distance(&case.a.at(t), &case.b.at(t)).unwrap();
                let way = shifted.by().iter().map(|x| x.abs()).fold(0.0, f64::max);
                let size = (case.a.reach() + case.b.reach()) * 2_f64.powi(-29);
                assert!(gap.lo <= size + 1e-8 * way, "{gap:?}, {}", why());
                kinds[3] += 1;
            }
            _ => panic!("{}", why()),
        }
    }
    println!("at 0, later, clear, near: {kinds:?}");
    let [at_start, later, clear, near] = kinds;
    assert!(at_start * 20 > count && later * 10 > count && clear * 5 > count, "{kinds:?}");
    assert!(near * 50 < count, "{kinds:?}");
}

/// The same shift divided between both bodies, and with both bodies shifted together.
#[test]
fn shifts_of_both_bodies_meet_when_rational_numbers_do() {
    let (mut query, mut contacts) = (Query::new(), 0);
    for index in 0..if is_full() { 20_000 } else { 700 } {
        let mut rng = Rng::for_case(60, index);
        let shifted = random(&mut rng);
        let (at_start, exact) = shifted.first();
        let [a, b] = [&shifted.a, &shifted.b].map(|all| shifted.model(all));
        let more = rng.grid_point(1 << 10).map(|x| x * shifted.unit);
        let start = rng.grid_point(1 << 10).map(|x| x * shifted.unit);
        let by = shifted.by();
        let path_a = Path::translation(shift(start), more).unwrap();
        let path_b = Path::translation(shift(start), [0, 1, 2].map(|k| by[k] + more[k])).unwrap();
        let (x, y) = (Moving::new(&a, &path_a), Moving::new(&b, &path_b));
        match query.sweep(x, y, &Default::default()) {
            Sweep::Contact { free_until, meets_at, .. } => {
                contacts += 1;
                let is_right = match &exact {
                    _ if at_start => meets_at == 0.0,
                    Some(t) => t.compare(free_until).is_le() && t.compare(meets_at).is_ge(),
                    None => false,
                };
                assert!(is_right, "case {index}: {free_until} {meets_at}, {exact:?}");
            }
            Sweep::Clear => assert!(!at_start && exact.is_none(), "case {index}: {exact:?}"),
            Sweep::Near { free_until, .. } => {
                assert!(!at_start && exact.is_none_or(|t| t.compare(free_until).is_le()), "case {index}");
            }
        }
    }
    assert!(contacts > 100, "{contacts}");
}

/// The exact time, for the bodies as they are and for both at a pose of integers, which may shear.
#[test]
fn exact_times_enclose_rational_numbers() {
    let (mut query, mut kinds) = (Query::new(), [0; 4]);
    for index in 0..if is_full() { 20_000 } else { 1_500 } {
        let mut rng = Rng::for_case(63, index);
        let shifted = random(&mut rng);
        let (at_start, exact) = shifted.first();
        let [a, b] = [&shifted.a, &shifted.b].map(|all| shifted.model(all));
        let rows = [(); 3].map(|()| rng.grid_point(3));
        let pose = match Pose::affine(rows, rng.grid_point(1 << 10).map(|x| x * shifted.unit)) {
            Ok(pose) if rng.one_in(2) => pose,
            _ => Pose::IDENTITY,
        };
        let by = pose.rows().map(|row| (0..3).map(|k| row[k] * shifted.by()[k]).sum());
        let [x, y] = [&a, &b].map(|model| Body::new(model, pose));
        let found = query.first_shift_contact(&x, &y, by).unwrap();
        let why = || format!("case {index}: {found:?}, exact {exact:?} at {pose:?}");
        match (&exact, found) {
            (_, Some(found)) if at_start => {
                assert_eq!([found.time.free_until, found.time.meets_at], [0.0; 2], "{}", why());
                kinds[0] += 1;
            }
            (Some(t), Some(found)) => {
                let [lo, hi] = [found.time.free_until, found.time.meets_at];
                assert!(t.compare(lo).is_le() && t.compare(hi).is_ge(), "{}", why());
                assert!(hi == lo || (hi == lo.next_up() && t.compare(lo).is_ne()), "{}", why());
                // The pair meets then.
                let [i, j] = found.pair.map(|k| k as usize);
                let own = first(&shifted.a[i], &shifted.b[j], &shifted.by).unwrap();
                assert!(own.compare(lo).is_le() && own.compare(hi).is_ge(), "{}", why());
                kinds[1] += 1;
                kinds[2] += usize::from(hi == lo);
            }
            (None, None) if !at_start => kinds[3] += 1,
            _ => panic!("{}", why()),
        }
    }
    assert!(kinds.iter().all(|count| *count > 20), "{kinds:?}");
}

/// At poses that turn, the exact time is where the sweep finds it.
#[test]
fn exact_times_of_turned_bodies_are_those_of_sweeps() {
    let (mut query, mut contacts) = (Query::new(), 0);
    let spheres =
        [Mesh::uv_sphere(1.0, 8, 12), Mesh::uv_sphere(0.7, 7, 9)].map(|mesh| Model::new(mesh.unwrap()));
    for index in 0..if is_full() { 2_000 } else { 100 } {
        let mut rng = Rng::for_case(64, index);
        let poses = [(); 2].map(|()| Pose::rigid(rng.rotation(), rng.point(2.5)).unwrap());
        let by = rng.point(6.0);
        let [x, y] = [0, 1].map(|k| Body::new(&spheres[k], poses[k]));
        let found = query.first_shift_contact(&x, &y, by).unwrap();
        let path = Path::translation(poses[1], by).unwrap();
        let swept = query.sweep(x, Moving::new(&spheres[1], &path), &Default::default());
        match (found, swept) {
            (Some(found), Sweep::Contact { free_until, meets_at, .. }) => {
                assert!(found.time.meets_at >= free_until && found.time.free_until <= meets_at + 1e-12);
                contacts += usize::from(free_until > 0.0);
            }
            (None, Sweep::Clear) => {}
            (found, swept) => {
                assert!(matches!(swept, Sweep::Near { .. }), "case {index}: {found:?} {swept:?}")
            }
        }
    }
    assert!(contacts > 5, "{contacts}");
}
