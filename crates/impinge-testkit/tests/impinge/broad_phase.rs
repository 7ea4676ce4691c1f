//! Every broad phase finds the pairs of brute force, over random edits: boxes appear, vanish, move and jump;
//! touch exactly, contain each other, have no size or no end.
use impinge::broad_phase::{Aabb, BroadPhase, BruteForce, DynamicTree, Grid, pairs};
use impinge_testkit::rng::Rng;

fn all() -> Vec<Box<dyn BroadPhase>> {
    vec![Box::new(Grid::new()), Box::new(DynamicTree::new())]
}

/// Kind of random boxes.
#[derive(Clone, Copy, Debug)]
enum Style {
    /// Small boxes, spread out.
    Sparse,
    /// Corners on a small grid: sides coincide, boxes touch, many are points or flat.
    Lattice,
    /// Sizes that differ by a factor of a million.
    Mixed,
    /// Nearly in one plane, and long.
    Rods,
    /// Some without end.
    Infinite,
}

fn random(rng: &mut Rng, style: Style) -> Aabb {
    let [centre, half] = match style {
        Style::Sparse => [rng.point(1.0), rng.point(0.04).map(f64::abs)],
        Style::Lattice => [rng.point(6.0).map(f64::round), rng.point(1.6).map(|x| x.abs().round())],
        Style::Mixed => {
            let size = 10_f64.powf(rng.between(-6.0, 0.0));
            [rng.point(1.0), rng.point(size).map(f64::abs)]
        }
        Style::Rods => {
            let long = rng.point(1.0)[0] > 0.0;
            let c = rng.point(1.0);
            [[c[0], c[1], 0.01 * c[2]], if long { [0.5, 0.01, 0.01] } else { [0.01, 0.5, 0.01] }]
        }
        Style::Infinite => [rng.point(1.0), rng.point(0.04).map(f64::abs)],
    };
    let mut b =
        Aabb { lo: [0, 1, 2].map(|k| centre[k] - half[k]), hi: [0, 1, 2].map(|k| centre[k] + half[k]) };
    if matches!(style, Style::Infinite) && rng.point(1.0)[0] > 0.9 {
        let k = (rng.between(0.0, 3.0) as usize).min(2);
        (b.lo[k], b.hi[k]) = (f64::NEG_INFINITY, f64::INFINITY);
    }
    b
}

fn sorted(pairs: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable();
    pairs
}

#[test]
fn every_broad_phase_finds_the_pairs_of_brute_force() {
    let (mut updates, mut found) = (0, 0);
    for (seed, style) in [Style::Sparse, Style::Lattice, Style::Mixed, Style::Rods, Style::Infinite]
        .into_iter()
        .flat_map(|style| (0..4).map(move |seed| (seed, style)))
    {
        let mut rng = Rng::new(seed + 100);
        let mut phases = all();
        let (mut boxes, mut want, mut got) = (Vec::<Aabb>::new(), Vec::new(), Vec::new());
        for step in 0..60 {
            let mut changed = Vec::new();
            // Boxes appear in hundreds at first, later one by one.
            let more = if step < 3 { 60 + 200 * seed as usize * usize::from(step == 0) } else { step % 3 };
            for _ in 0..more {
                changed.push(boxes.len() as u32);
                boxes.push(random(&mut rng, style));
            }
            let part = [0.02, 0.3, 1.0][step % 3];
            for k in 0..boxes.len() - more {
                if rng.between(0.0, 1.0) >= part {
                    continue;
                }
                let action = rng.between(0.0, 1.0);
                boxes[k] = if action < 0.1 {
                    if boxes[k].is_empty() {
                        continue;
                    }
                    Aabb::EMPTY
                } else if action < 0.2 || boxes[k].is_empty() {
                    random(&mut rng, style)
                } else {
                    let d = rng.point(0.02);
                    let b = boxes[k];
                    Aabb { lo: [0, 1, 2].map(|k| b.lo[k] + d[k]), hi: [0, 1, 2].map(|k| b.hi[k] + d[k]) }
                };
                changed.push(k as u32);
            }
            BruteForce.update(&boxes, &changed, &mut want);
            for phase in &mut phases {
                phase.update(&boxes, &changed, &mut got);
                assert_eq!(sorted(&got), want, "{style:?}, seed {seed}, step {step}: {phase:?}");
            }
            updates += 1;
            found += want.len();
        }
    }
    println!("{updates} updates, {found} pairs");
    assert!(found > 100_000, "boxes must meet for this test to mean anything");
}

/// Pairs by the definition alone: two boxes meet if their intervals meet on each axis.
#[test]
fn one_call_finds_all_pairs_in_order() {
    let mut found = 0;
    for style in [Style::Sparse, Style::Lattice, Style::Mixed, Style::Rods, Style::Infinite] {
        for count in [0, 1, 2, 47, 48, 49, 50, 400] {
            let mut rng = Rng::new(count);
            let mut boxes: Vec<Aabb> = (0..count).map(|_| random(&mut rng, style)).collect();
            boxes.iter_mut().step_by(9).for_each(|b| *b = Aabb::EMPTY);
            let mut want = Vec::new();
            for i in 0..boxes.len() {
                for j in i + 1..boxes.len() {
                    let (a, b) = (boxes[i], boxes[j]);
                    if (0..3).all(|k| a.lo[k].max(b.lo[k]) <= a.hi[k].min(b.hi[k])) {
                        want.push([i as u32, j as u32]);
                    }
                }
            }
            assert_eq!(pairs(&boxes), want, "{style:?}, {count} boxes");
            found += want.len();
        }
    }
    assert!(found > 2_000, "{found}");
}

/// Boxes under edits, the broad phases that follow them, and counts of updates and of pairs.
struct Course {
    boxes: Vec<Aabb>,
    changed: Vec<u32>,
    phases: Vec<Box<dyn BroadPhase>>,
    updates: usize,
    found: usize,
}

impl Course {
    fn new() -> Self {
        Self { boxes: Vec::new(), changed: Vec::new(), phases: all(), updates: 0, found: 0 }
    }
    /// Replaces a box, at most once between two updates.
    fn set(&mut self, index: usize, b: Aabb) {
        if self.boxes.len() <= index {
            self.boxes.resize(index + 1, Aabb::EMPTY);
        }
        self.boxes[index] = b;
        self.changed.push(index as u32);
    }
    fn shift(&mut self, index: usize, by: [f64; 3]) {
        let b = self.boxes[index];
        let [lo, hi] = [b.lo, b.hi].map(|x| [0, 1, 2].map(|k| x[k] + by[k]));
        self.set(index, Aabb { lo, hi });
    }
    fn update(&mut self, what: &str) {
        let (mut want, mut got) = (Vec::new(), Vec::new());
        BruteForce.update(&self.boxes, &self.changed, &mut want);
        for phase in &mut self.phases {
            phase.update(&self.boxes, &self.changed, &mut got);
            if sorted(&got) != want {
                let name: String = format!("{phase:?}").chars().take(12).collect();
                panic!("{what}, update {}: {name}", self.updates);
            }
        }
        self.updates += 1;
        self.found += want.len();
        self.changed.clear();
    }
    fn end(self, what: &str) {
        println!("{what}: {} updates, {} pairs", self.updates, self.found);
        assert!(self.found > self.updates, "boxes must meet for this test to mean anything");
    }
}

fn cube(centre: [f64; 3], half: f64) -> Aabb {
    Aabb { lo: centre.map(|x| x - half), hi: centre.map(|x| x + half) }
}

#[test]
fn thousands_at_once_appear_leap_and_vanish() {
    let (mut rng, mut course) = (Rng::new(1), Course::new());
    for round in 0..4 {
        // More boxes each time, so that some are appended; all others are replaced.
        for index in 0..2_500 + 500 * round {
            course.set(index, cube(rng.point(1.0), 0.05 * rng.unit()));
        }
        course.update("appear");
        // Over all others, and back.
        for by in [5.0, -10.0, 5.0] {
            for index in (0..course.boxes.len()).step_by([1, 2, 17, 1_000][round]) {
                course.shift(index, [by, 0.0, -by]);
            }
            course.update("leap");
        }
        // All as one, by much and by little.
        for by in [3.0, 1e-3, 1e-3, -3.0] {
            (0..course.boxes.len()).for_each(|index| course.shift(index, [by; 3]));
            course.update("travel");
        }
        for index in 0..course.boxes.len() {
            if round % 2 == 0 || rng.one_in(2) {
                course.set(index, Aabb::EMPTY);
            }
        }
        course.update("vanish");
        // A few come back at other places.
        for index in 0..20 {
            course.set(index, cube(rng.point(0.1), 0.05));
        }
        course.update("return");
    }
    course.end("thousands");
}

#[test]
fn ends_that_coincide_are_shared_points() {
    let (mut rng, mut course) = (Rng::new(2), Course::new());
    for index in 0..600 {
        course.set(index, random(&mut rng, Style::Lattice));
    }
    course.update("lattice");
    for step in 0..160 {
        let part = [2, 10, 300, 1][step % 4];
        for index in 0..600 {
            if !rng.one_in(part) {
                continue;
            }
            // By a grid step, half of one, or 1e-17: apart, touching, and both zeros.
            let by = rng.grid_point(1).map(|x| x * [1.0, 0.5, 1e-17][step % 3]);
            course.shift(index, by);
            if rng.one_in(9) {
                let b = &mut course.boxes[index];
                (b.lo, b.hi) = (b.lo.map(|x| if x == 0.0 { -0.0 } else { x }), b.hi.map(|x| x.max(-0.0)));
            }
        }
        course.update("lattice");
    }
    course.end("lattice");
}

#[test]
fn boxes_come_and_go_among_such_without_end() {
    let (mut rng, mut course) = (Rng::new(3), Course::new());
    let endless = Aabb { lo: [f64::NEG_INFINITY; 3], hi: [f64::INFINITY; 3] };
    // Empty along one axis only, and infinite along another.
    let inside_out = Aabb { lo: [f64::NEG_INFINITY, 1.0, 0.0], hi: [f64::INFINITY, 0.5, 1.0] };
    for step in 0..300 {
        for index in 0..120 + step / 4 {
            if index < course.boxes.len() && !rng.one_in([3, 40][step / 20 % 2]) {
                continue;
            }
            let b = match rng.below(12) {
                0..4 => Aabb::EMPTY,
                4 => inside_out,
                5 if index % 8 == 0 => endless,
                6 => Aabb { lo: [f64::NEG_INFINITY, 0.0, 0.0], hi: rng.point(1.0).map(f64::abs) },
                7 => Aabb { lo: rng.point(1.0), hi: [f64::INFINITY; 3] },
                8 => Aabb { lo: [f64::MAX, 0.0, 0.0], hi: [f64::MAX, 1.0, 1.0] },
                9 => Aabb { lo: [-f64::MAX; 3], hi: [f64::MAX; 3] },
                10 => Aabb { lo: [f64::INFINITY, 0.0, 0.0], hi: [f64::INFINITY; 3] },
                _ => cube(rng.point(1.0), 0.2 * rng.unit()),
            };
            course.set(index, b);
        }
        course.update("without end");
    }
    course.end("without end");
}

#[test]
fn slow_motion_is_followed_for_long() {
    let (mut rng, mut course) = (Rng::new(4), Course::new());
    let mut velocities = Vec::new();
    for index in 0..300 {
        course.set(index, cube(rng.point(1.0), 0.15 * rng.unit()));
        velocities.push(rng.point(0.002));
    }
    course.update("slow");
    for step in 0..2_000 {
        for (index, velocity) in velocities.iter_mut().enumerate() {
            // Some rest, some move now and then, some turn about, and some grow and shrink.
            if index % 3 == 0 || (index % 3 == 1 && step / 50 % 3 != 0) {
                continue;
            }
            for (k, v) in velocity.iter_mut().enumerate() {
                if course.boxes[index].lo[k].abs() > 1.0 {
                    *v = v.abs().copysign(-course.boxes[index].lo[k]);
                }
            }
            if rng.one_in(200) {
                *velocity = rng.point(0.002);
            }
            course.shift(index, *velocity);
            if index % 7 == 0 {
                let by = if step / 100 % 2 == 0 { 0.0005 } else { -0.0005 };
                let b = &mut course.boxes[index];
                b.hi = b.hi.map(|x| x + by);
                for k in 0..3 {
                    b.hi[k] = b.hi[k].max(b.lo[k]);
                }
            }
        }
        course.update("slow");
    }
    course.end("slow");
}

#[test]
fn crowds_and_crumbs_far_from_the_origin() {
    let (mut rng, mut course) = (Rng::new(5), Course::new());
    for index in 0..800 {
        // All in one spot except for a few far off: a grid's cells are of no use.
        let far = if index % 100 == 0 { 1e9 } else { 1e-4 };
        let centre = rng.point(far).map(|x| x + 1e7);
        course.set(index, cube(centre, if index == 7 { 1e8 } else { 1e-5 * rng.unit() }));
    }
    course.update("crowd");
    for step in 0..100 {
        for index in 0..800 {
            if step % 2 == 0 || rng.one_in(30) {
                course.shift(index, rng.point(1e-6));
            }
        }
        course.update("crowd");
    }
    course.end("crowd");
}

#[test]
fn empty_boxes_and_no_boxes_meet_nothing() {
    for mut phase in all() {
        let mut pairs = vec![[0, 1]];
        phase.update(&[], &[], &mut pairs);
        assert!(pairs.is_empty());
        let point = Aabb { lo: [1.0; 3], hi: [1.0; 3] };
        phase.update(&[Aabb::EMPTY, point, Aabb::EMPTY, point], &[1, 3], &mut pairs);
        assert_eq!(pairs, [[1, 3]]);
        phase.update(&[Aabb::EMPTY, point, Aabb::EMPTY, Aabb::EMPTY], &[3], &mut pairs);
        assert!(pairs.is_empty());
    }
}
