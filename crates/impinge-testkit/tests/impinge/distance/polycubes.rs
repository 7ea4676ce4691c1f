//! Distances of disjoint polycubes, whose squares are integers.
use crate::relation::{count, style};
use impinge::{
    Body, Model, Query,
    distance::{Accuracy, Margin},
};
use impinge_testkit::{
    polycubes::{N, Polycube, pair},
    rng::Rng,
};
use std::cmp::Ordering;

/// The square of the distance of two sets of cells.
fn square([a, b]: &[Polycube; 2]) -> i64 {
    let cells = |cube: &Polycube| -> Vec<[[i64; 2]; 3]> {
        let held = (0..N * N * N).filter(|&i| cube.labels[i as usize] != 0);
        let side = |i: i64, k: usize| {
            let lo = cube.corner[k] + cube.cell * [i / (N * N), i / N % N, i % N][k];
            [lo, lo + cube.cell]
        };
        held.map(|i| [side(i, 0), side(i, 1), side(i, 2)]).collect()
    };
    let (a, b) = (cells(a), cells(b));
    let gap = |[lo, hi]: [i64; 2], [low, high]: [i64; 2]| (low - hi).max(lo - high).max(0).pow(2);
    let of = |a: &[[i64; 2]; 3], b: &[[i64; 2]; 3]| (0..3).map(|k| gap(a[k], b[k])).sum();
    a.iter().flat_map(|a| b.iter().map(move |b| of(a, b))).min().unwrap_or(0)
}

/// Compares the square of d, over the real numbers, with k.
fn compare_square(d: f64, k: i64) -> Ordering {
    // d d = product + rest, exactly. The difference of nearly equal numbers is exact, too.
    let product = d * d;
    let rest = d.mul_add(d, -product);
    ((product - k as f64) + rest).total_cmp(&0.0)
}

#[test]
fn polycubes_are_as_far_apart_as_their_cells() {
    let (mut apart, mut whole) = (0, 0);
    let mut query = Query::new();
    for index in 0..count() / 4 {
        let mut rng = Rng::for_case(113, index);
        let (mut cubes, roughness) = pair(&mut rng);
        let shift = [(); 3].map(|()| rng.int(-9, 9));
        (0..3).for_each(|k| cubes[1].corner[k] += shift[k]);
        let k = square(&cubes);
        if k == 0 {
            continue;
        }
        let bodies = cubes.each_ref().map(|cube| {
            let style = style(&mut rng, roughness);
            cube.mesh(&mut rng, style)
        });
        let [a, b] = bodies.map(|(mesh, pose)| (Model::new(mesh), pose));
        let (a, b) = (Body::new(&a.0, a.1), Body::new(&b.0, b.1));
        let root = (k as f64).sqrt();
        for d in [root.next_down(), root, root.next_up()] {
            let is_near = compare_square(d, k).is_ge();
            let found = query.within(&a, &b, Margin::new(d).unwrap());
            assert_eq!(found, is_near, "case {index}: square {k}, margin {d:e}");
        }
        let gap = query.distance(&a, &b).unwrap();
        assert!(
            compare_square(gap.lo, k).is_le() && compare_square(gap.hi, k).is_ge(),
            "{index}: {gap:?}, {k}"
        );
        if index % 8 == 0 {
            let gap = query.with_accuracy(Accuracy::new().exact()).distance(&a, &b).unwrap();
            let is_whole = compare_square(root, k).is_eq();
            let width = if is_whole { gap.lo } else { gap.lo.next_up() };
            assert_eq!(gap.hi, width, "{index}: {gap:?}, {k}");
            assert!(
                compare_square(gap.lo, k).is_le() && compare_square(gap.hi, k).is_ge(),
                "{index}: {gap:?}, {k}"
            );
            whole += usize::from(is_whole);
        }
        apart += 1;
    }
    println!("{apart} pairs apart, {whole} whole distances asked for exactly");
    assert!(apart > count() / 8 && whole > 0);
}
