//! Penetration of bodies against sets of cells, clipped tetrahedra and known results.
mod clipping;
mod ranges;
mod scales;
mod shells;

use impinge::{
    Body, BuildOptions, Mesh, Model, Pose, Quality, Query, SimdLevel, Threads,
    penetration::{Penetration, PenetrationParts},
    solid::{FillRule, Location},
};
use impinge_testkit::{
    cases::is_full,
    polycubes::{N, Polycube, Roughness, Style, pair_of},
    rng::Rng,
};

type Point = [f64; 3];

/// Number of pairs: `IMPINGE_PAIRS`, or 400, or 4,000 with `IMPINGE_FULL` set.
fn count() -> u64 {
    std::env::var("IMPINGE_PAIRS").ok().map_or(if is_full() { 4_000 } else { 400 }, |n| n.parse().unwrap())
}

/// A pair of all kinds. Several winding numbers occur more often than in the tests of relations.
fn pair(rng: &mut Rng) -> [Polycube; 2] {
    let roughness = *rng.pick(&[Roughness::Plain, Roughness::Boxes, Roughness::Cells]);
    pair_of(rng, Some(roughness)).0
}

fn style(rng: &mut Rng) -> Style {
    Style {
        cells: rng.one_in(6),
        split: *rng.pick(&[0, 0, 0, 8]),
        open: false,
        flip: 0,
        posed: rng.one_in(3),
    }
}

/// The volume of the intersection, and the integral of the product of both winding numbers.
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

/// Least and greatest magnitude of a winding number. `None` if there are both signs.
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
        let models: Vec<Model> =
            meshes.iter().map(|(mesh, _)| Model::with_options(mesh.clone(), &options)).collect();
        let [a, b] = [0, 1].map(|i| Body::new(&models[i], meshes[i].1));
        if cubes.iter().any(|cube| cube.labels.iter().all(|&w| w == 0)) {
            assert_eq!(query.penetration(&a, &b, &wanted).overlap_volume, None, "case {index}");
            continue;
        }
        let [volume, integral] = volumes(&cubes[0], &cubes[1]);
        let found = query.penetration(&a, &b, &wanted).overlap_volume;
        let levels = [0, 1].map(|x| levels(&cubes[x]));
        let Some([lo, hi]) = found else {
            assert!(levels.contains(&None), "case {index}: {cubes:?} {styles:?}");
            none += 1;
            continue;
        };
        assert!(lo <= volume && volume <= hi, "case {index}: {lo} {volume} {hi}, {cubes:?} {styles:?}");
        let swapped = query.penetration(&b, &a, &wanted).overlap_volume.unwrap();
        assert!(swapped[0] <= volume && volume <= swapped[1], "case {index}, swapped");
        let error = 1e-9 * volume.max(1.0);
        if let [Some([l, m]), Some([n, o])] = levels
            && [l, m, n, o] == [1; 4]
        {
            let context = format!("case {index}: {lo} {hi} {integral}, {cubes:?} {styles:?}");
            assert!(volume == integral.abs() && lo >= volume - error && hi <= volume + error, "{context}");
        }
        exactly += i32::from(hi - lo < error && volume > 0.0);
        between += i32::from(hi - lo >= error);
    }
    println!("{exactly} volumes, {between} bounds, {none} without");
    assert!(exactly > 100 && between > 10 && none > 3, "{exactly} {between} {none}");
}

/// A body after a translation, if f64 represents it exactly.
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

/// Asserts what is true of any result. Returns 1 if the bodies overlap and the translation was checked, else
/// 0.
fn is_sound(query: &mut Query, [a, b]: [&Body<'_>; 2], found: &Penetration, context: &str) -> usize {
    let t = found.separating_translation.unwrap_or_else(|| panic!("{context}: {found:?}"));
    let meet = query.overlaps(a, b);
    assert_eq!(meet, t != [0.0; 3], "{context}: {found:?}");
    if let Some(depth) = found.depth_at_least {
        assert!(meet && depth.length > 0.0 && depth.length <= length(t), "{context}: {found:?}");
        let body = [a, b][depth.body];
        let corner = body.pose.place(body.model.mesh().points()[depth.vertex as usize]);
        if corner.iter().all(|x| x.abs() < 1e3 && (x * 1024.0).fract() == 0.0) {
            // The corner's place is exact, and inside.
            let other = [b, a][depth.body];
            // Triangles that cancel each other are no surface here.
            assert_ne!(query.locate(other, &[corner]), [Location::Outside], "{context}: {found:?}");
        }
    }
    if let Some([lo, hi]) = found.overlap_volume {
        assert!(0.0 <= lo && lo <= hi && (meet || lo == 0.0), "{context}: {found:?}");
    }
    match moved(b, t) {
        Some(b) => {
            assert!(!query.overlaps(a, &b), "{context}: {found:?}");
            usize::from(meet)
        }
        None => 0,
    }
}

#[test]
fn bounds_of_the_depth_hold() {
    let mut query = Query::new();
    let options = BuildOptions::new().quality(Quality::OnDemand);
    let (mut proved, mut deep) = (0, 0);
    for index in 0..count() / 5 {
        let mut rng = Rng::for_case(72, index);
        let cubes = pair(&mut rng);
        let styles = [style(&mut rng), style(&mut rng)];
        let meshes: Vec<_> = (0..2).map(|i| cubes[i].mesh(&mut rng, styles[i])).collect();
        let models: Vec<Model> =
            meshes.iter().map(|(mesh, _)| Model::with_options(mesh.clone(), &options)).collect();
        let [a, b] = [0, 1].map(|i| Body::new(&models[i], meshes[i].1));
        let context = format!("case {index}, {cubes:?} {styles:?}");
        {
            let rules = [FillRule::NonZero, FillRule::NonZero, FillRule::Positive, FillRule::EvenOdd];
            query = query.fill_rule(*rng.pick(&rules));
            let found = query.penetration(&a, &b, &PenetrationParts::all());
            proved += is_sound(&mut query, [&a, &b], &found, &context);
            deep += usize::from(found.depth_at_least.is_some());
        }
    }
    println!("{proved} proved, {deep} with corners inside");
    assert!(proved > 20 && deep > 10);
}

/// Translations of integer cells are compared with all translations by integers: mostly none is shorter.
#[test]
fn few_shorter_translations_exist() {
    let mut query = Query::new();
    let (mut meet, mut longer) = (0, 0);
    for index in 0..count() {
        let mut rng = Rng::for_case(49, index);
        let (cubes, _) = pair_of(&mut rng, Some(Roughness::Plain));
        let models = [0, 1].map(|i| {
            let (mesh, _) = cubes[i].mesh(&mut rng, Style::default());
            Model::new(mesh)
        });
        let [a, b] = models.each_ref().map(still);
        let found = query.penetration(&a, &b, &PenetrationParts::all());
        is_sound(&mut query, [&a, &b], &found, "cells");
        let by = found.separating_translation.unwrap();
        if by == [0.0; 3] {
            continue;
        }
        let reach = length(by).ceil() as i64;
        let is_shorter = |t: [i64; 3]| {
            let square = t.iter().map(|x| x * x).sum::<i64>() as f64;
            let [x, y, z] = cubes[1].corner;
            let moved = Polycube { corner: [x + t[0], y + t[1], z + t[2]], ..cubes[1].clone() };
            square < by.iter().map(|x| x * x).sum::<f64>() * (1.0 - 1e-9)
                && !cubes[0].cells(&moved, [FillRule::NonZero; 2])[0]
        };
        let all = -reach..=reach;
        let shorter = all.clone().any(|x| all.clone().any(|y| all.clone().any(|z| is_shorter([x, y, z]))));
        meet += 1;
        longer += i32::from(shorter);
    }
    println!("{meet} pairs, of {longer} there is a shorter translation");
    assert!(meet > 100 && longer * 50 <= meet, "{meet} {longer}");
}

/// A box, its faces outwards.
fn cuboid(lo: Point, hi: Point) -> Vec<[Point; 3]> {
    let at = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { lo[k] } else { hi[k] });
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
        .map(|q| q.map(at));
    quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect()
}
fn cube(lo: f64, hi: f64) -> Vec<[Point; 3]> {
    cuboid([lo; 3], [hi; 3])
}
fn reversed(mut triangles: Vec<[Point; 3]>) -> Vec<[Point; 3]> {
    triangles.iter_mut().for_each(|t| t.reverse());
    triangles
}
fn joined(parts: impl IntoIterator<Item = Vec<[Point; 3]>>) -> Vec<[Point; 3]> {
    parts.into_iter().flatten().collect()
}
fn model(triangles: &[[Point; 3]]) -> Model {
    let points = triangles.iter().flatten().copied().collect();
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Model::new(Mesh::new(points, faces).unwrap())
}
fn still(model: &Model) -> Body<'_> {
    Body::new(model, Pose::IDENTITY)
}
fn image(rows: &[Point; 3], t: &Point, v: Point) -> Point {
    [0, 1, 2].map(|k| rows[k][0] * v[0] + rows[k][1] * v[1] + rows[k][2] * v[2] + t[k])
}
fn determinant(m: &[Point; 3]) -> f64 {
    (0..3)
        .map(|k| m[0][k] * (m[1][(k + 1) % 3] * m[2][(k + 2) % 3] - m[1][(k + 2) % 3] * m[2][(k + 1) % 3]))
        .sum()
}

/// Asserts a volume, to within 1e-9 relative and absolute: as it is, exchanged, reversed; mapped by oblique
/// matrices of short numbers, in both meshes, in both poses, and in a mesh and a pose.
fn has_volume(name: &str, [a, b]: [&[[Point; 3]]; 2], volume: f64) {
    let maps: [([Point; 3], Point); 4] = [
        ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]),
        ([[0.625, -0.5, 0.25], [0.375, 1.125, -0.5], [-0.25, 0.75, 0.875]], [100.5, -3.0, 0.25]),
        ([[-1.0, 0.0, 0.0], [0.0, 0.5, 2.0], [0.25, 1.0, 0.0]], [0.0, 1.0, 0.0]),
        ([[3.0, 1.0, -2.0], [0.0, -1.0, 4.0], [5.0, 0.0, 0.5]], [-7.0, 0.0, 1000.0]),
    ];
    let mut query = Query::new();
    let wanted = PenetrationParts::new().overlap_volume(true);
    for (i, (rows, t)) in maps.iter().enumerate() {
        let pose = Pose::affine(*rows, *t).unwrap();
        let truth = volume * determinant(rows).abs();
        for flip in 0..4 {
            let turned = |x: &[[Point; 3]], flip: bool| if flip { reversed(x.to_vec()) } else { x.to_vec() };
            let own = [turned(a, flip & 1 != 0), turned(b, flip & 2 != 0)];
            let mapped = own.clone().map(|x| x.iter().map(|t3| t3.map(|v| image(rows, t, v))).collect());
            let mapped: [Vec<[Point; 3]>; 2] = mapped;
            let [own, mapped] = [own, mapped].map(|both| both.map(|x| model(&x)));
            for way in 0..4 {
                let body =
                    |x: usize| if way >> x & 1 == 0 { still(&mapped[x]) } else { Body::new(&own[x], pose) };
                let (a, b) = (body(0), body(1));
                for (a, b) in [(&a, &b), (&b, &a)] {
                    let [lo, hi] = query.penetration(a, b, &wanted).overlap_volume.unwrap();
                    let context = format!("{name}, map {i}, flip {flip}, way {way}: {lo} {truth} {hi}");
                    assert!(lo <= truth && truth <= hi, "{context}");
                    assert!(hi - lo <= 1e-9 * truth + 1e-9, "{context}");
                }
            }
        }
    }
}

#[test]
fn awkward_contacts_have_their_volumes() {
    let a = cube(0.0, 4.0);
    let boxes = |name: &str, lo: Point, hi: Point, volume| has_volume(name, [&a, &cuboid(lo, hi)], volume);
    boxes("apart", [5.0; 3], [6.0; 3], 0.0);
    boxes("through", [1.0, 1.0, -1.0], [2.0, 2.0, 5.0], 4.0);
    boxes("walls of one axis", [3.5, 0.0, 0.0], [9.0, 4.0, 4.0], 8.0);
    boxes("walls at a corner", [3.5, 0.0, 0.0], [4.0, 9.0, 4.0], 8.0);
    boxes("the same", [0.0; 3], [4.0; 3], 64.0);
    boxes("face on face", [4.0, 0.0, 0.0], [8.0, 4.0, 4.0], 0.0);
    boxes("face on a larger face", [4.0, -3.0, -3.0], [8.0, 9.0, 9.0], 0.0);
    boxes("edge on edge", [4.0, 4.0, 0.0], [8.0, 8.0, 4.0], 0.0);
    boxes("corner on corner", [4.0; 3], [8.0; 3], 0.0);
    boxes("inside", [1.0; 3], [2.0; 3], 1.0);
    boxes("inside, on a face", [1.0, 1.0, 0.0], [2.0; 3], 2.0);
    boxes("inside, on a corner", [0.0; 3], [2.0; 3], 8.0);
    boxes("from face to face", [0.0, 1.0, 1.0], [4.0, 2.0, 2.0], 4.0);
    boxes("half and more", [0.0, 0.0, 2.0], [4.0, 4.0, 9.0], 32.0);
    // Corners on faces, edges in faces, faces on both sides of a face.
    let turned =
        |f: fn(Point) -> Point| -> Vec<[Point; 3]> { cube(0.0, 1.0).iter().map(|t| t.map(f)).collect() };
    has_volume("half way in, on its edge", [&a, &turned(|[x, y, z]| [4.0 + x - y, x + y, z])], 1.0);
    has_volume("an edge in a face", [&a, &turned(|[x, y, z]| [4.0 + x + y, 2.0 + x - y, 1.0 + z])], 0.0);
    let deep = turned(|[x, y, z]| [3.0 + x + y, 2.0 + x - y, 1.0 + z]);
    has_volume("an edge inside", [&a, &deep], 1.0);
    let hollow = joined([cube(0.0, 8.0), reversed(cube(2.0, 6.0))]);
    has_volume("in a cavity", [&hollow, &cube(3.0, 4.0)], 0.0);
    has_volume("fills a cavity", [&hollow, &cube(2.0, 6.0)], 0.0);
    has_volume("more than a cavity", [&hollow, &cube(1.0, 7.0)], 152.0);
    has_volume("around all", [&hollow, &cube(-1.0, 9.0)], 448.0);
    has_volume("hollow in hollow", [&hollow, &hollow], 448.0);
    // Layers: their common wall is there twice, cut in two ways.
    let layers = joined([cuboid([0.0; 3], [4.0, 4.0, 2.0]), cuboid([1.0, 0.0, 2.0], [4.0; 3])]);
    has_volume("layers", [&layers, &cuboid([0.0, 1.0, 1.0], [2.0, 3.0, 9.0])], 8.0);
    let combs =
        joined((0..5).map(|i| cuboid([2.0 * f64::from(i), 0.0, 0.0], [2.0 * f64::from(i) + 1.0, 4.0, 1.0])));
    let other: Vec<_> = combs.iter().map(|t| t.map(|[x, y, z]| [x + 0.5, y + 1.0, z])).collect();
    has_volume("combs", [&combs, &other], 7.5);
}

#[test]
fn winding_numbers_bound_the_volume() {
    let mut query = Query::new();
    let wanted = PenetrationParts::new().overlap_volume(true);
    let nested = model(&joined([cube(0.0, 8.0), cube(2.0, 6.0)]));
    let b = model(&cuboid([-1.0, 0.0, 0.0], [4.0, 8.0, 8.0]));
    // 256, all of the common box, which contains the 32 with winding number 2.
    let [lo, hi] = query.penetration(&still(&nested), &still(&b), &wanted).overlap_volume.unwrap();
    assert!((lo - 256.0).abs() < 1e-9 && (hi - 256.0).abs() < 1e-9, "{lo} {hi}");
    // A body of winding number 1 inside the other one has its volume, too.
    let within = model(&cuboid([1.0; 3], [5.0; 3]));
    let [lo, hi] = query.penetration(&still(&nested), &still(&within), &wanted).overlap_volume.unwrap();
    assert!(lo <= 64.0 && 64.0 <= hi && hi - lo < 1e-12, "{lo} {hi}");
    let mut odd = Query::new().fill_rule(FillRule::EvenOdd);
    assert_eq!(odd.penetration(&still(&nested), &still(&b), &wanted).overlap_volume, None);
    // A reversed body, and a rule by which it has no inside.
    let inverted = model(&reversed(cube(2.0, 6.0)));
    let [lo, hi] = query.penetration(&still(&inverted), &still(&b), &wanted).overlap_volume.unwrap();
    assert!(lo <= 32.0 && 32.0 <= hi && hi - lo < 1e-12, "{lo} {hi}");
    let mut positive = Query::new().fill_rule(FillRule::Positive);
    assert_eq!(positive.penetration(&still(&inverted), &still(&b), &wanted).overlap_volume, Some([0.0; 2]));
    let both = model(&joined([cube(0.0, 1.0), reversed(cube(2.0, 6.0))]));
    assert_eq!(query.penetration(&still(&both), &still(&b), &wanted).overlap_volume, None);
    // Beams that overlap: only the volume with winding number 2 is uncertain.
    let beams = joined([cuboid([0.0; 3], [100.0, 1.0, 1.0]), cuboid([50.0, 0.5, 0.0], [51.0, 100.0, 1.0])]);
    let beams = model(&beams);
    let b = model(&cuboid([-1.0, -1.0, 0.25], [101.0, 101.0, 0.75]));
    let [lo, hi] = query.penetration(&still(&beams), &still(&b), &wanted).overlap_volume.unwrap();
    let truth = 0.5 * (100.0 + 99.0);
    assert!(lo <= truth && truth <= hi && hi - lo < 3.0, "{lo} {truth} {hi}");
    // Bodies with winding number 2 or 3 everywhere have the same depth and volume.
    let b = model(&cube(2.0, 9.0));
    let all = PenetrationParts::all();
    let once = query.penetration(&still(&model(&cube(0.0, 4.0))), &still(&b), &all);
    for copies in 2..4 {
        let part = |lo, hi| model(&joined(vec![cube(lo, hi); copies]));
        for (a, b) in [(part(0.0, 4.0), model(&cube(2.0, 9.0))), (part(0.0, 4.0), part(2.0, 9.0))] {
            for (a, b) in [(&a, &b), (&b, &a)] {
                let found = query.penetration(&still(a), &still(b), &all);
                let [lo, hi] = found.overlap_volume.unwrap();
                assert!(lo <= 8.0 && 8.0 <= hi && hi - lo < 1e-12, "{copies}: {lo} {hi}");
                let length = |found: &Penetration| found.depth_at_least.map(|depth| depth.length);
                assert_eq!(length(&found), length(&once), "{copies}");
            }
        }
        let [lo, hi] =
            query.penetration(&still(&part(1.0, 3.0)), &still(&part(0.0, 9.0)), &all).overlap_volume.unwrap();
        assert!(lo <= 8.0 && 8.0 <= hi && hi - lo < 1e-12, "{copies}, within: {lo} {hi}");
    }
    // An open mesh, and one that is closed by parity only.
    let open = model(&cube(0.0, 4.0)[..10]);
    let found = query.penetration(&still(&open), &still(&inverted), &all);
    assert_eq!((found.overlap_volume, found.depth_at_least), (None, None));
    assert_eq!(found.separating_translation.map(length), Some(2.0));
    let mut mixed = cube(0.0, 4.0);
    mixed[3].reverse();
    let found = query.penetration(&still(&model(&mixed)), &still(&inverted), &all);
    assert!(found.overlap_volume.is_none() && found.depth_at_least.is_some(), "{found:?}");
}

#[test]
fn a_thin_slab_far_away() {
    let mut query = Query::new();
    let a = model(&cuboid([0.0; 3], [1000.0, 10.0, 10.0]));
    let from = 1000.0 - 1e-7;
    let (overlap, b) = (1000.0 - from, model(&cuboid([from, 0.0, 0.0], [2000.0, 10.0, 10.0])));
    let at_origin = model(&cuboid([0.0; 3], [1000.0, 10.0, 10.0]));
    let posed = Body::new(&at_origin, Pose::from_translation([from, 0.0, 0.0]).unwrap());
    let truth = overlap * 100.0;
    for b in [still(&b), posed] {
        let found = query.penetration(&still(&a), &b, &PenetrationParts::all());
        let [lo, hi] = found.overlap_volume.unwrap();
        assert!(lo <= truth && truth <= hi && hi - lo <= 1e-9 * truth, "{lo} {truth} {hi}");
        let t = found.separating_translation.unwrap();
        assert!(t[0] >= overlap && t[0] - overlap < 1e-11 && t[1..] == [0.0; 2], "{t:?}");
    }
    assert_eq!(
        query.penetration(&still(&a), &still(&b), &PenetrationParts::all()).separating_translation,
        Some([overlap, 0.0, 0.0])
    );
    // At every scale of f64 a result is right, or missing.
    for scale in [1e-300, 1e-160, 1e100, 1e290] {
        let sized = |t: Vec<[Point; 3]>| -> Vec<[Point; 3]> {
            t.iter().map(|t| t.map(|p| p.map(|x| x * scale))).collect()
        };
        let (a, b) = (model(&sized(cube(0.0, 4.0))), model(&sized(cube(2.0, 6.0))));
        let found = query.penetration(&still(&a), &still(&b), &PenetrationParts::all());
        if let Some([lo, hi]) = found.overlap_volume {
            assert!(lo <= 8.0 * scale * scale * scale && 8.0 * scale * scale * scale <= hi, "{found:?}");
        }
        assert!(
            found.separating_translation.is_none_or(|t| length(t.map(|x| x / scale)) >= 2.0 - 1e-15),
            "{found:?}"
        );
    }
}

#[test]
fn translations_are_as_short_as_they_are() {
    let mut query = Query::new();
    let all = PenetrationParts::all();
    let a = model(&cube(0.0, 4.0));
    let mut clear = |a: &Model, b: &Model, wanted: &PenetrationParts| {
        let found = query.penetration(&still(a), &still(b), wanted);
        is_sound(&mut query, [&still(a), &still(b)], &found, "by hand");
        let back = query.penetration(&still(b), &still(a), wanted).separating_translation.unwrap();
        let t = found.separating_translation.unwrap();
        // If two ways out are equally long, up and down, either may be taken.
        let is_opposite = back.map(|x| 0.0 - x) == t;
        assert!(is_opposite || t == [0.0, 0.0, 1.0] && back == t, "exchanged: {t:?} {back:?}");
        (t, found.depth_at_least.map(|depth| (depth.length, depth.body)))
    };
    let wall = model(&cuboid([3.5, 0.0, 0.0], [9.0, 4.0, 4.0]));
    assert_eq!(clear(&a, &wall, &all).0, [0.5, 0.0, 0.0]);
    let (t, depth) = clear(&a, &model(&cuboid([1.0, 1.0, 3.0], [2.0, 2.0, 9.0])), &all);
    assert_eq!(t, [0.0, 0.0, 1.0]);
    assert!(
        depth.is_some_and(|(length, body)| (1.0 - 1e-13..=1.0).contains(&length) && body == 1),
        "{depth:?}"
    );
    assert_eq!(clear(&a, &model(&cube(4.0, 5.0)), &all).0, [0.0; 3]);
    assert_eq!(clear(&a, &model(&cube(7.0, 8.0)), &all).0, [0.0; 3]);
    // A beam in the wall of a wide U, from within: a plane between both wholes is much farther away.
    let u = joined([
        cuboid([0.0; 3], [10.0, 1.0, 1.0]),
        cuboid([0.0, 1.0, 0.0], [1.0, 10.0, 1.0]),
        cuboid([9.0, 1.0, 0.0], [10.0, 10.0, 1.0]),
    ]);
    let beam = model(&cuboid([5.0, 4.0, -5.0], [9.125, 5.0, 5.0]));
    let (t, _) = clear(&model(&u), &beam, &all);
    assert_eq!(t, [-0.125, 0.0, 0.0]);
    // A rod through a ring: 0.25 from one side of its hole, and 0.125 deep in the wall of the other side.
    let ring = |lo: f64, hi: f64| {
        joined([
            cuboid([lo, lo, 0.0], [hi, 0.0, 1.0]),
            cuboid([lo, 4.0, 0.0], [hi, hi, 1.0]),
            cuboid([lo, 0.0, 0.0], [0.0, 4.0, 1.0]),
            cuboid([4.0, 0.0, 0.0], [hi, 4.0, 1.0]),
        ])
    };
    let (ring, rod) = (model(&ring(-5.0, 9.0)), model(&cuboid([0.25, 1.0, -50.0], [4.125, 2.0, 50.0])));
    let (t, _) = clear(&ring, &rod, &all);
    assert_eq!(t, [-0.125, 0.0, 0.0]);
    // Two pairs of prongs, shifted by half a prong: the common box is wide, but half a width suffices.
    let prongs = |x: f64| {
        joined([cuboid([x, 0.0, 0.0], [x + 1.0, 9.0, 1.0]), cuboid([x + 4.0, 0.0, 0.0], [x + 5.0, 9.0, 1.0])])
    };
    let (a, b) = (model(&prongs(0.0)), model(&prongs(0.5)));
    assert_eq!(clear(&a, &b, &all).0, [0.5, 0.0, 0.0]);
}

/// Results depend on the bodies only: not on trees, instruction sets, threads or the order of pairs.
#[test]
fn answers_depend_on_bodies_alone() {
    let mut first: Option<Vec<Penetration>> = None;
    for quality in [Quality::OnDemand, Quality::High, Quality::Fast] {
        let options = BuildOptions::new().quality(quality);
        for (simd, threads) in [
            (SimdLevel::Portable, Threads::One),
            (SimdLevel::default(), Threads::One),
            (SimdLevel::default(), Threads::Pool),
        ] {
            let mut query = Query::new().simd(simd).threads(threads);
            let mut all = Vec::new();
            for index in 0..40 {
                let mut rng = Rng::for_case(74, index);
                let cubes = pair(&mut rng);
                let meshes = cubes.map(|cube| {
                    let style = style(&mut rng);
                    cube.mesh(&mut rng, style)
                });
                let models = meshes.each_ref().map(|(mesh, _)| Model::with_options(mesh.clone(), &options));
                let [a, b] = [0, 1].map(|i| Body::new(&models[i], meshes[i].1));
                all.push(query.penetration(&a, &b, &PenetrationParts::all()));
                let pairs = query.contact_pairs(&a, &b);
                let of_pairs = query.penetration_of_pairs(&pairs, &PenetrationParts::all());
                assert_eq!(all.last(), Some(&of_pairs), "case {index}");
            }
            match &first {
                Some(first) => assert_eq!(first, &all, "{quality:?}, {simd:?}"),
                None => first = Some(all),
            }
        }
    }
}
