//! Measures the cost of an update of every broad phase: boxes that fill a cube of side 1 evenly, about one
//! neighbour each, and move. `broad_phases [COUNT [MILLISECONDS [ROUNDS]]]`: number of boxes; time for all
//! updates of a row; number of rounds of each row, in which the least time of each update counts. It prints
//! the mean and the largest time of all updates but the first two, in milliseconds, and checks that all sets
//! of pairs are equal.
use impinge::broad_phase::{Aabb, BroadPhase, BruteForce, DynamicTree, Grid};
use impinge_testkit::rng::Rng;
use std::{process::ExitCode, time::Instant};

/// Boxes that move, and their distance per frame.
#[derive(Clone, Copy, Debug)]
enum Motion {
    /// All, by 1 % of their side.
    Slow,
    /// All, by 1 % of the cube's side.
    Fast,
    /// One in a hundred, always the same, by 1 % of their side.
    Few,
}

impl Motion {
    const ALL: [Self; 3] = [Self::Slow, Self::Fast, Self::Few];
    fn name(self) -> &'static str {
        match self {
            Self::Slow => "all, 1 % of their side",
            Self::Fast => "all, 1 % of the cube's side",
            Self::Few => "1 % of them, 1 % of their side",
        }
    }
}

/// Boxes that fly straight on, and turn back at the cube's faces.
struct Scene {
    boxes: Vec<Aabb>,
    moving: Vec<u32>,
    velocities: Vec<[f64; 3]>,
}

impl Scene {
    fn new(count: usize, motion: Motion) -> Self {
        let mut rng = Rng::new(count as u64);
        // Boxes of one half side h meet where their centres are within 2 h on every axis: n (4 h)^3 = 1.
        let half = 0.25 / (count as f64).cbrt();
        let mut scene = Self { boxes: Vec::new(), moving: Vec::new(), velocities: Vec::new() };
        for index in 0..count as u32 {
            let (centre, half) = (rng.point(0.5), half * rng.between(0.5, 1.5));
            scene.boxes.push(Aabb { lo: centre.map(|x| x - half), hi: centre.map(|x| x + half) });
            let direction = rng.direction();
            let moves = !matches!(motion, Motion::Few) || rng.one_in(100);
            if moves {
                let step = if matches!(motion, Motion::Fast) { 0.01 } else { 0.02 * half };
                scene.moving.push(index);
                scene.velocities.push(direction.map(|x| x * step));
            }
        }
        scene
    }
    fn step(&mut self) {
        for (&index, velocity) in self.moving.iter().zip(&mut self.velocities) {
            let b = &mut self.boxes[index as usize];
            for (k, v) in velocity.iter_mut().enumerate() {
                if (*v > 0.0 && b.hi[k] > 0.5) || (*v < 0.0 && b.lo[k] < -0.5) {
                    *v = -*v;
                }
                b.lo[k] += *v;
                b.hi[k] += *v;
            }
        }
    }
}

/// Identity of a set of pairs: their number, and a sum that does not depend on their order.
fn digest(pairs: &[[u32; 2]]) -> (usize, u64) {
    let mix = |&[i, j]: &[u32; 2]| Rng::new((u64::from(i) << 32) | u64::from(j)).next_u64();
    (pairs.len(), pairs.iter().map(mix).fold(0, u64::wrapping_add))
}

fn main() -> ExitCode {
    let arguments: Result<Vec<usize>, _> = std::env::args().skip(1).map(|a| a.parse()).collect();
    let (counts, milliseconds, rounds) = match arguments.as_deref() {
        Ok([]) => (vec![1_000, 10_000, 100_000], None, 2),
        Ok([count]) => (vec![*count], None, 3),
        Ok([count, milliseconds]) => (vec![*count], Some(*milliseconds), 3),
        Ok([count, milliseconds, rounds]) => (vec![*count], Some(*milliseconds), (*rounds).max(1)),
        _ => {
            eprintln!("usage: broad_phases [COUNT [MILLISECONDS [ROUNDS]]]");
            return ExitCode::from(2);
        }
    };
    println!("| Boxes | What moves | Broad phase | Updates | Pairs | Mean ms | Greatest ms | First ms |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut same = true;
    for count in counts {
        // Enough updates to use up the margins.
        let milliseconds = milliseconds.unwrap_or(40 + count / 900) as f64;
        for motion in Motion::ALL {
            let mut digests = Vec::new();
            for name in ["Grid", "DynamicTree", "BruteForce"] {
                if name == "BruteForce" && count > 2_000 {
                    continue;
                }
                let mut times = Vec::new();
                for _ in 0..rounds {
                    let mut phase: Box<dyn BroadPhase> = match name {
                        "Grid" => Box::new(Grid::new()),
                        "DynamicTree" => Box::new(DynamicTree::new()),
                        _ => Box::new(BruteForce),
                    };
                    let scene = Scene::new(count, motion);
                    same &= round(scene, phase.as_mut(), milliseconds, &mut times, &mut digests);
                }
                let (first, later) = (times[0], &times[2..]);
                let mean = later.iter().sum::<f64>() / later.len() as f64;
                let most = later.iter().copied().fold(0.0, f64::max);
                let (motion, updates, pairs) = (motion.name(), times.len(), digests[times.len() - 1].0);
                print!("| {count} | {motion} | {name} | {updates} | {pairs} ");
                println!("| {mean:.3} | {most:.3} | {first:.3} |");
            }
        }
    }
    println!("{}", if same { "The sets of pairs are the same." } else { "The sets of pairs DIFFER." });
    if same { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs updates until the time is spent, or as many as in the round before, and keeps the lesser time of
/// each. Returns true if the pairs equal those of the other broad phases.
fn round(
    mut scene: Scene,
    phase: &mut dyn BroadPhase,
    milliseconds: f64,
    times: &mut Vec<f64>,
    digests: &mut Vec<(usize, u64)>,
) -> bool {
    let all: Vec<u32> = (0..scene.boxes.len() as u32).collect();
    let (mut pairs, mut spent, mut same) = (Vec::new(), 0.0, true);
    let before = times.len();
    for update in 0..2_000 {
        if if before > 0 { update == before } else { update >= 3 && spent > milliseconds } {
            break;
        }
        let changed = if update == 0 { &all } else { &scene.moving };
        let start = Instant::now();
        phase.update(&scene.boxes, changed, &mut pairs);
        let took = start.elapsed().as_secs_f64() * 1e3;
        spent += if update < 2 { 0.0 } else { took };
        match times.get_mut(update) {
            Some(time) => *time = time.min(took),
            None => times.push(took),
        }
        let got = digest(&pairs);
        match digests.get(update) {
            Some(want) => same &= got == *want,
            None => digests.push(got),
        }
        scene.step();
    }
    same
}
