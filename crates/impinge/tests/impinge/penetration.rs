//! How far bodies are in each other, against sets of cells, clipped tetrahedra and what is known.
use impinge::{
    Body, BuildOptions, Inside, Mesh, Model, Penetration, PenetrationParts, Pose, Quality, Query,
};
use impinge_testkit::{
    cases::is_ci,
    polycubes::{N, Polycube, Style, pair},
    rng::Rng,
};

type Point = [f64; 3];

/// How many pairs the ordinary run asks about, and with `CI` set.
fn count() -> u64 {
    std::env::var("IMPINGE_PAIRS").ok().map_or(if is_ci() { 20_000 } else { 1_500 }, |n| n.parse().unwrap())
}

fn style(rng: &mut Rng) -> Style {
    Style { cells: rng.one_in(6), split: *rng.pick(&[0, 0, 0, 8]), open: false, posed: rng.one_in(3) }
}

/// The volume of what both have, and the integral of both winding numbers.
fn volumes(a: &Polycube, b: &Polycube) -> [f64; 2] {
    let lo = |k: usize| a.corner[k].min(b.corner[k]);
    let hi = |k: usize| (a.corner[k] + N * a.cell).max(b.corner[k] + N * b.cell);
    let mut sums = [0; 2];
    for x in lo(0)..hi(0) {
        for y in lo(1)..hi(1) {
            for z in lo(2)..hi(2) {
                let p = [2 * x + 1, 2 * y + 1, 2 * z + 1];
                let (a, b) = (a.at(p), b.at(p));
                sums[0] += i32::from(a != 0 && b != 0);
                sums[1] += a * b;
            }
        }
    }
    sums.map(f64::from)
}

/// Least and greatest winding number in size; `None` if there are both signs.
fn levels(cube: &Polycube) -> Option<[i32; 2]> {
    let some: Vec<i32> = cube.labels.iter().copied().filter(|&w| w != 0).collect();
    let both = some.iter().any(|&w| w > 0) && some.iter().any(|&w| w < 0);
    let sizes = || some.iter().map(|w| w.abs());
    (!both).then(|| [sizes().min().unwrap_or(1), sizes().max().unwrap_or(1)])
}

#[test]
fn polycubes_have_the_volume_of_their_cells() {
    let mut query = Query::new();
    let options = BuildOptions::new().quality(Quality::OnDemand);
    let wanted = PenetrationParts::new().overlap_volume(true);
    let (mut exactly, mut between, mut none) = (0, 0, 0);
    for index in 0..count() {
        let mut rng = Rng::for_case(71, index);
        let cubes = pair(&mut rng);
        let styles = [style(&mut rng), style(&mut rng)];
        let meshes: Vec<_> = (0..2).map(|i| cubes[i].mesh(&mut rng, styles[i])).collect();
        let models: Vec<Model> = meshes.iter().map(|(mesh, _)| Model::new(mesh.clone(), &options)).collect();
        let [a, b] = [0, 1].map(|i| Body::new(&models[i], meshes[i].1));
        if cubes.iter().any(|cube| cube.labels.iter().all(|&w| w == 0)) {
            assert_eq!(query.penetration(&a, &b, &wanted).overlap_volume, None, "case {index}");
            continue;
        }
        let [volume, integral] = volumes(&cubes[0], &cubes[1]);
        let found = query.penetration(&a, &b, &wanted).overlap_volume;
        let (Some([l, m]), Some([n, o])) = (levels(&cubes[0]), levels(&cubes[1])) else {
            assert_eq!(found, None, "case {index}");
            none += 1;
            continue;
        };
        let [lo, hi] = found.unwrap_or_else(|| panic!("case {index}: {cubes:?} {styles:?}"));
        assert!(lo <= volume && volume <= hi, "case {index}: {lo} {volume} {hi}, {cubes:?} {styles:?}");
        let (least, most) = (f64::from(m * o), f64::from(l * n));
        let error = 1e-9 * volume.max(1.0);
        assert!(lo >= integral.abs() / least - error, "case {index}: {lo} {integral} {cubes:?} {styles:?}");
        // The common box may be smaller.
        assert!(hi <= integral.abs() / most + error, "case {index}: {hi} {integral} {cubes:?} {styles:?}");
        exactly += i32::from(hi - lo < error && volume > 0.0);
        between += i32::from(hi - lo >= error);
        let swapped = query.penetration(&b, &a, &wanted).overlap_volume.unwrap();
        assert!(swapped[0] <= volume && volume <= swapped[1], "case {index}, swapped");
    }
    println!("{exactly} volumes, {between} bounds, {none} without");
    assert!(exactly > 100 && between > 10 && none > 10, "{exactly} {between} {none}");
}
