//! Every broad phase finds the pairs of brute force, over random edits: boxes appear, vanish, move and jump; touch exactly, contain each other, have no size or no end.
#![allow(clippy::print_stdout)] // What was counted, with --nocapture.
use impinge::broad_phase::{BroadPhase, BruteForce, DynamicTree, Extent, Grid, SortedLists};
use impinge_testkit::rng::Rng;

fn all() -> Vec<Box<dyn BroadPhase>> {
    vec![Box::new(Grid::new()), Box::new(SortedLists::new()), Box::new(DynamicTree::new())]
}

/// How a scene's boxes come about.
#[derive(Clone, Copy, Debug)]
enum Style {
    /// Small boxes, spread out.
    Sparse,
    /// Corners on a small grid: sides coincide, boxes touch, many are points or flat.
    Lattice,
    /// Of sizes that differ by a factor of a million.
    Mixed,
    /// All but in one plane, and long.
    Rods,
    /// Some without end.
    Infinite,
}

fn random(rng: &mut Rng, style: Style) -> Extent {
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
        Extent { lo: [0, 1, 2].map(|k| centre[k] - half[k]), hi: [0, 1, 2].map(|k| centre[k] + half[k]) };
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
        let (mut boxes, mut want, mut got) = (Vec::<Extent>::new(), Vec::new(), Vec::new());
        for step in 0..60 {
            let mut changed = Vec::new();
            // Appear at first in hundreds, later one by one.
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
                    Extent::EMPTY
                } else if action < 0.2 || boxes[k].is_empty() {
                    random(&mut rng, style)
                } else {
                    let d = rng.point(0.02);
                    let b = boxes[k];
                    Extent { lo: [0, 1, 2].map(|k| b.lo[k] + d[k]), hi: [0, 1, 2].map(|k| b.hi[k] + d[k]) }
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

#[test]
fn empty_boxes_and_no_boxes_meet_nothing() {
    for mut phase in all() {
        let mut pairs = vec![[0, 1]];
        phase.update(&[], &[], &mut pairs);
        assert!(pairs.is_empty());
        let point = Extent { lo: [1.0; 3], hi: [1.0; 3] };
        phase.update(&[Extent::EMPTY, point, Extent::EMPTY, point], &[1, 3], &mut pairs);
        assert_eq!(pairs, [[1, 3]]);
        phase.update(&[Extent::EMPTY, point, Extent::EMPTY, Extent::EMPTY], &[3], &mut pairs);
        assert!(pairs.is_empty());
    }
}
