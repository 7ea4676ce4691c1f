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

/// A body after a translation, if f64 holds that.
fn moved<'b>(body: &Body<'b>, t: Point) -> Option<Body<'b>> {
    let from = body.pose.translation();
    let to = [0, 1, 2].map(|k| from[k] + t[k]);
    // Two sums are exact if they lead back, as these numbers are not far apart.
    let exact = (0..3).all(|k| to[k] - from[k] == t[k] && to[k] - t[k] == from[k]);
    exact.then(|| Body::new(body.model, Pose::affine(*body.pose.rows(), to).unwrap()))
}

fn length(t: Point) -> f64 {
    t.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Asserts what has to be true of any answer: how many translations could be proved.
fn is_sound(query: &mut Query, [a, b]: [&Body<'_>; 2], found: &Penetration, context: &str) -> usize {
    let t = found.clear_by.unwrap_or_else(|| panic!("{context}: {found:?}"));
    let meet = query.interiors_meet(a, b);
    assert_eq!(meet, t != [0.0; 3], "{context}: {found:?}");
    if let Some(depth) = found.depth_at_least {
        assert!(meet && depth.length > 0.0 && depth.length <= length(t), "{context}: {found:?}");
        let body = [a, b][depth.body];
        let corner = body.pose.place(body.model.mesh().points()[depth.vertex as usize]);
        if corner.iter().all(|x| x.abs() < 1e3 && (x * 1024.0).fract() == 0.0) {
            // It is where it is, and inside.
            let other = [b, a][depth.body];
            assert_eq!(query.locate(other, &[corner]), [impinge::Location::Inside], "{context}: {found:?}");
        }
    }
    if let Some([lo, hi]) = found.overlap_volume {
        assert!(0.0 <= lo && lo <= hi && (meet || lo == 0.0), "{context}: {found:?}");
    }
    match moved(b, t) {
        Some(b) => {
            assert!(!query.interiors_meet(a, &b), "{context}: {found:?}");
            usize::from(meet)
        }
        None => 0,
    }
}

#[test]
fn bounds_of_the_depth_hold() {
    let mut query = Query::new();
    let options = BuildOptions::new().quality(Quality::OnDemand);
    let (mut proved, mut deep, mut shorter, mut most) = (0, 0, 0, 0);
    for index in 0..count() / 3 {
        let mut rng = Rng::for_case(72, index);
        let cubes = pair(&mut rng);
        let styles = [style(&mut rng), style(&mut rng)];
        let meshes: Vec<_> = (0..2).map(|i| cubes[i].mesh(&mut rng, styles[i])).collect();
        let models: Vec<Model> = meshes.iter().map(|(mesh, _)| Model::new(mesh.clone(), &options)).collect();
        let [a, b] = [0, 1].map(|i| Body::new(&models[i], meshes[i].1));
        let context = format!("case {index}, {cubes:?} {styles:?}");
        for inside in [Inside::NonZero, Inside::Positive, Inside::EvenOdd] {
            query = query.inside(inside);
            let found = query.penetration(&a, &b, &PenetrationParts::all());
            proved += is_sound(&mut query, [&a, &b], &found, &context);
            deep += usize::from(found.depth_at_least.is_some());
            let limit = 1.0;
            let wanted = PenetrationParts::new().at_most(limit);
            let limited = query.penetration(&a, &b, &wanted);
            is_sound(&mut query, [&a, &b], &limited, &context);
            let [t, u] = [found, limited].map(|found| length(found.clear_by.unwrap()));
            assert!(u <= t, "{context}: {t} {u}");
            shorter += usize::from(u < t);
            most += usize::from(u == limit);
            if let Some(depth) = found.depth_at_least {
                assert!(depth.length <= u, "{context}: {depth:?} {u}");
            }
        }
    }
    println!("{proved} proved, {deep} with corners inside, {shorter} shorter, {most} at the limit");
    assert!(proved > 300 && deep > 100 && shorter > 5 && most > 20);
}
