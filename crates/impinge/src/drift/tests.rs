//! Ways of points during an interval, against positions in fixed-point numbers of 700 bits.
use super::*;
use crate::{
    path::{
        Path,
        big::{self, LongFloat, LongVector},
        tests::{back_on, chain, exact_on, pose},
    },
    samples::rng::Rng,
};

/// Two bodies on paths, and an interval.
struct DriftScene {
    paths: [Path; 2],
    frame: NormalizedFrame,
    reach: Vector,
    margin: f64,
    middle: f64,
    half: f64,
    /// True if B has a chain of joints.
    is_chain: bool,
}

impl DriftScene {
    /// A point of B in A's normalized frame.
    fn place(&self, t: &LongFloat, y: &Vector) -> LongVector {
        let [a, b] = &self.paths;
        let local = back_on(a, t, self.middle, &exact_on(b, t, self.middle, y));
        let local = big::difference(&local, &big::vector(&self.frame.origin));
        big::times(&local, &LongFloat::of(self.frame.scale))
    }
    fn drift(&self) -> Drift {
        let [a, b] = &self.paths;
        let at = a.at(self.middle);
        let from_world = Motion::between(&Pose::IDENTITY, &at);
        let norm = Motion::between(&at, &Pose::IDENTITY).norm;
        let radius = length(self.reach.map(|x| x * norm)) * (1.0 + 1e-9);
        let a_now = Resting { pose: &at, frame: &self.frame, from_world: &from_world, norm, radius };
        let mut twists = [a, b].map(|path| path.twist(self.middle, self.half, &self.reach));
        if twists.iter().any(|twist| twist.rates.is_some()) {
            for (twist, path) in twists.iter_mut().zip([a, b]) {
                twist.rates.get_or_insert_with(|| path.rates(self.middle, &self.reach));
            }
        }
        Drift::new(&a_now, &twists, self.half, self.margin)
    }
    /// A point of B that comes within the margin of A in the interval.
    fn point(&self, rng: &mut Rng) -> Vector {
        let [a, b] = &self.paths;
        if self.is_chain {
            // Bounds of chains hold for the points within their reach.
            return self.reach.map(|x| x * if rng.one_in(2) { 1.0 } else { rng.between(-1.0, 1.0) });
        }
        let t = self.middle + rng.between(-0.99, 0.99) * self.half;
        let corner = rng.one_in(2);
        let x = self.reach.map(|x| if corner { x } else { x * rng.between(-1.0, 1.0) });
        let (z, direction, far) = (a.at(t).place(x), rng.direction(), 0.999 * self.margin * rng.unit());
        let z = [0, 1, 2].map(|k| z[k] + far * direction[k]);
        b.at(t).inverse().unwrap().place(z)
    }
}

/// The part of the bound that the rest of a displacement takes at most, over some times.
fn check(scene: &DriftScene, drift: &Drift, rng: &mut Rng) -> f64 {
    let y = scene.point(rng);
    let middle = scene.place(&LongFloat::of(scene.middle), &y);
    let field = |field: &Field| big::sum(&big::image(&field.linear, &middle), &big::vector(&field.offset));
    let (way, turn) = (field(&drift.way), field(&drift.turn));
    // As a pair of triangles has it, but for the error of its corners.
    let turned = big::length(&turn) * (1.0 + 1e-12);
    let size = middle.iter().fold(4.5, |most: f64, x| most.max(x.approximate().abs() * (1.0 + 1e-12)));
    let rounding = (drift.relative_error + 16.0 * UNIT)
        * (drift.way.reach(size) + drift.bend_turn * drift.turn.reach(size));
    let bound = drift.bend_turn * turned * (1.0 + 1e-9) + drift.bend_rest + rounding;
    let mut most = 0.0;
    for k in 0..7 {
        let s = [-1.0, 1.0, -0.5, 0.25, rng.between(-1.0, 1.0), rng.between(-1.0, 1.0), 0.0][k];
        // The time is exact, so that the part of the interval is, too.
        let t = &LongFloat::of(scene.middle) + &(&LongFloat::of(s) * &LongFloat::of(scene.half));
        let moved = big::difference(&scene.place(&t, &y), &middle);
        let rest = big::difference(&moved, &big::times(&way, &LongFloat::of(s)));
        assert!(
            big::is_within(&rest, bound),
            "{s} of {:e} at {}: {bound:e} {y:?} {:?} {drift:?}",
            scene.half,
            scene.middle,
            scene.paths
        );
        most = f64::max(most, big::length(&rest) / bound);
    }
    most
}

fn screw(rng: &mut Rng, is_turning: bool, is_moving: bool, far: f64) -> Path {
    let angle = if is_turning { *rng.pick(&[1.0, -0.2, 20.0]) } else { 0.0 };
    let advance = if is_moving { rng.between(-3.0, 3.0) } else { 0.0 };
    Path::screw(pose(rng, far), rng.point(2.0 * far), rng.direction(), angle, advance).unwrap()
}

fn scene(rng: &mut Rng, kind: u64, is_rigid: bool) -> DriftScene {
    let far = *rng.pick(&[1.0, 1.0, 1e4]);
    let mut paths = [(); 2].map(|()| {
        let poses = [(); 2].map(|()| Pose::rigid(rng.rotation(), rng.point(far)).unwrap());
        Path::between(&poses[0], &poses[1], rng.point(1.0)).unwrap()
    });
    // Only B turns, only A, both, none, both on straight references, three legs of A.
    match kind {
        0 => paths = [screw(rng, false, false, far), screw(rng, true, true, far)],
        1 => paths = [screw(rng, true, true, far), screw(rng, false, false, far)],
        2 => paths = [screw(rng, true, true, far), screw(rng, true, true, far)],
        3 => paths = [screw(rng, false, true, far), screw(rng, false, true, far)],
        4 => {}
        _ => {
            let poses: Vec<Pose> =
                (0..4).map(|_| Pose::rigid(rng.rotation(), rng.point(far)).unwrap()).collect();
            paths[0] = Path::piecewise(&poses).unwrap();
        }
    }
    if is_rigid && kind < 4 {
        // The sharpest bounds are those of rigid bodies about points of their own.
        let turn = |rng: &mut Rng, at: Vector, angle: f64| {
            let start = Pose::rigid(rng.rotation(), at).unwrap();
            Path::screw(start, at, rng.direction(), angle, 0.0).unwrap()
        };
        let angles = [[0.0, 1.0], [1.0, 0.0], [0.7, -0.9], [0.0, 0.0]][kind as usize];
        let points = [rng.point(1.0), rng.point(1.0)];
        paths = [turn(rng, points[0], angles[0]), turn(rng, points[1], angles[1])];
    }
    let size = *rng.pick(&[1.0, 0.01, 100.0]);
    let (reach, low) = (rng.point(size).map(f64::abs), rng.between(-1.0, 0.5));
    let frame = NormalizedFrame::new(reach.map(|x| low * x), reach);
    let middle = rng.between(0.4, 0.6);
    // A leg of three lasts from 1/3 to 2/3.
    let twists = [&paths[0], &paths[1]].map(|path| path.turning(middle));
    let most = (0.5 / (twists[0] + twists[1]).max(1e-9)).min(0.06);
    let half = most * *rng.pick(&[1.0, 0.1, 1e-3, 1e-7, 1e-12]);
    let margin = *rng.pick(&[0.0, 0.0, 0.1, 10.0]);
    DriftScene { paths, frame, reach, margin, middle, half, is_chain: false }
}

#[test]
fn ways_and_bends_hold_every_point_that_comes_near() {
    let mut rng = Rng::new(81);
    for round in 0..1_500 {
        let scene = scene(&mut rng, round % 6, false);
        let drift = scene.drift();
        for _ in 0..2 {
            check(&scene, &drift, &mut rng);
        }
    }
}

/// If bounds were a tenth smaller, this would show: they are sharp for bodies that turn about a point.
#[test]
fn bends_are_no_larger_than_they_need_be() {
    let (mut rng, mut most) = (Rng::new(82), [0.0_f64; 3]);
    for round in 0..600 {
        let kind = round % 3;
        let mut scene = scene(&mut rng, kind as u64, true);
        scene.half = scene.half.max(1e-4);
        let drift = scene.drift();
        most[kind] = most[kind].max(check(&scene, &drift, &mut rng));
    }
    let [of_b, of_a, of_both] = most;
    assert!(of_b > 0.95 && of_a > 0.5 && of_both > 0.3, "{most:?}");
}

/// A body on a chain of joints, and one that rests; or both on chains.
fn chain_scene(rng: &mut Rng, is_still: bool) -> DriftScene {
    let count = 1 + rng.below(7);
    let far = *rng.pick(&[1.0, 0.2]);
    let b = chain(rng, count, far, 2.0);
    let mut scene = scene(rng, 3, false);
    scene.half = (0.5 / b.turning(0.5).max(0.5)) * *rng.pick(&[1.0, 0.2, 1e-2, 1e-5, 1e-10]) * 0.5;
    scene.middle = rng.between(0.3, 0.7);
    let size = *rng.pick(&[1.0, 0.1]);
    scene.reach = rng.point(size).map(f64::abs);
    scene.frame = NormalizedFrame::new(scene.reach.map(|x| -x), scene.reach);
    scene.is_chain = true;
    // Points of B come within the margin of A if that is large.
    scene.margin = 100.0;
    let a = if is_still { Path::still(b.at(0.2)) } else { Ok(chain(rng, 3, far, 2.0)) };
    scene.paths = [a.unwrap(), b];
    scene
}

#[test]
fn bounds_of_chains_hold_and_are_not_silly() {
    let (mut rng, mut most) = (Rng::new(83), [0.0_f64; 2]);
    for round in 0..1_200 {
        let is_still = round % 3 != 0;
        let scene = chain_scene(&mut rng, is_still);
        let drift = scene.drift();
        for _ in 0..2 {
            let part = check(&scene, &drift, &mut rng);
            let of = &mut most[usize::from(is_still)];
            *of = of.max(part);
        }
    }
    assert!(most[1] > 0.3 && most[0] > 0.001, "{most:?}");
}
