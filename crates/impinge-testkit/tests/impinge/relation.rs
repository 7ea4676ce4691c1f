//! Relations of solids, against sets of cells.
use impinge::{
    Body, BuildOptions, Model, Pose, Quality, Query, SimdLevel, Threads, brute_force,
    relation::RelationKind,
    solid::{Closedness, FillRule},
};
use impinge_testkit::{
    cases::is_full,
    meshes,
    polycubes::{Roughness, Style, pair},
    rng::Rng,
};
use rayon::prelude::*;
use std::collections::BTreeMap;

fn kind([both, only_a, only_b]: [bool; 3], fins: [bool; 4], touching: bool) -> RelationKind {
    match (both, only_a || fins[2], only_b || fins[3]) {
        (false, ..) if fins[0] || fins[1] => RelationKind::Pierce,
        (false, ..) if touching => RelationKind::Touch,
        (false, ..) => RelationKind::Apart,
        (true, true, true) => RelationKind::Overlap,
        (true, false, true) => RelationKind::Inside,
        (true, true, false) => RelationKind::Contains,
        (true, false, false) => RelationKind::Duplicate,
    }
}

/// Number of pairs: `IMPINGE_PAIRS`, or 5,000, or 20,000 with `IMPINGE_FULL` set.
pub(crate) fn count() -> u64 {
    std::env::var("IMPINGE_PAIRS").ok().map_or(if is_full() { 20_000 } else { 5_000 }, |n| n.parse().unwrap())
}

/// Style of a mesh. Plain pairs, which are most, have plain meshes, as it takes long to cut faces into cells.
/// The others have any.
pub(crate) fn style(rng: &mut Rng, roughness: Roughness) -> Style {
    let is_plain = roughness == Roughness::Plain;
    Style {
        cells: !is_plain && rng.one_in(3),
        split: if is_plain { 0 } else { *rng.pick(&[0, 0, 8]) },
        open: false,
        flip: if is_plain { u64::from(rng.one_in(4)) } else { *rng.pick(&[0, 1, 8]) },
        posed: rng.one_in(6),
    }
}

/// Counts of relations, and of properties of meshes.
type Seen = BTreeMap<String, u64>;

fn sum(mut all: Seen, more: Seen) -> Seen {
    more.into_iter().for_each(|(what, n)| *all.entry(what).or_default() += n);
    all
}

/// Decides one pair, and counts its relation.
fn check_pair(index: u64, query: &mut Query, seen: &mut Seen) {
    let options = BuildOptions::new().quality(Quality::OnDemand);
    let mut rng = Rng::for_case(17, index);
    let (cubes, roughness) = pair(&mut rng);
    let styles = [style(&mut rng, roughness), style(&mut rng, roughness)];
    let meshes: Vec<_> = (0..2).map(|i| cubes[i].mesh(&mut rng, styles[i])).collect();
    let models: Vec<Model> =
        meshes.iter().map(|(mesh, _)| Model::with_options(mesh.clone(), &options)).collect();
    let [a, b] = [0, 1].map(|i| Body::new(&models[i], meshes[i].1));
    let context = || format!("case {index}: {cubes:?} {styles:?}");
    let found = query.relation(&a, &b);
    let touching = brute_force::intersects(&a, &b);
    assert_eq!(found.touching, touching, "{}", context());
    for i in 0..2 {
        let is_empty = cubes[i].labels.iter().all(|&w| w == 0);
        let status = models[i].solid().status();
        match (is_empty, styles[i].flip) {
            (true, _) => assert_eq!(status, Closedness::NoInterior, "{}", context()),
            (false, 0 | 1) => assert_eq!(status, Closedness::Closed, "{}", context()),
            // Equal triangles cancel if one of them is reversed. Without any triangle the mesh is no solid.
            (false, _) => assert_ne!(status, Closedness::Open, "{}", context()),
        }
        if !status.is_closed() {
            return;
        }
        let by_parity = status == Closedness::ClosedByEvenOdd;
        assert_eq!(found.rules[i], if by_parity { FillRule::EvenOdd } else { FillRule::NonZero });
    }
    let fins = cubes[0].fins(&cubes[1], [styles[0], styles[1]], found.rules);
    let want = kind(cubes[0].cells(&cubes[1], found.rules), fins, touching);
    assert_eq!(found.kind, want, "{}", context());
    let swapped = match query.relation(&b, &a).kind {
        RelationKind::Inside => RelationKind::Contains,
        RelationKind::Contains => RelationKind::Inside,
        kind => kind,
    };
    assert_eq!(swapped, want, "swapped, {}", context());
    assert_eq!(query.overlaps(&a, &b), found.overlaps(), "{}", context());

    let any = |is: fn(&Style) -> bool| styles.iter().any(is);
    let multiple = cubes.iter().any(|cube| cube.labels.iter().any(|&w| w != 0 && w != 1));
    for (what, is) in [
        (&*format!("{want:?}"), true),
        ("cells with their own triangles", any(|style| style.cells)),
        ("T-junctions", any(|style| style.split > 0)),
        ("all reversed", any(|style| style.flip == 1)),
        ("by parity", found.rules.contains(&FillRule::EvenOdd)),
        ("poses", any(|style| style.posed)),
        ("other winding numbers than 1", multiple),
        ("two sizes", cubes[0].cell != cubes[1].cell),
    ] {
        *seen.entry(what.to_owned()).or_default() += u64::from(is);
    }
}

/// Polycubes have the relations of their cells. Each relation and each property of meshes occurs in at least
/// one of a hundred pairs, slow ones in one of two hundred.
#[test]
fn polycubes_are_what_their_cells_are() {
    let run = |first: u64| {
        let (mut query, mut seen) = (Query::new(), Seen::new());
        (first..count().min(first + 100)).for_each(|index| check_pair(index, &mut query, &mut seen));
        seen
    };
    let starts: Vec<u64> = (0..count()).step_by(100).collect();
    let mut seen = starts.into_par_iter().map(run).reduce(Seen::new, sum);
    // Fins alone in the other body are rare.
    println!("{} pierce", seen.remove("Pierce").unwrap_or(0));
    assert_eq!(seen.len(), 13, "{seen:?}");
    for (what, &n) in &seen {
        let is_slow = ["T-junctions", "by parity", "cells", "other"].iter().any(|s| what.starts_with(s));
        assert!(n * if is_slow { 200 } else { 100 } >= count(), "{what}: {seen:?}");
    }
}

/// A mesh without a face is open, and has the relation of brute force.
#[test]
fn polycubes_without_a_face_are_open() {
    let (mut query, mut seen) = (Query::new(), Seen::new());
    for index in 0..count() / 40 {
        let mut rng = Rng::for_case(19, index);
        let (cubes, roughness) = pair(&mut rng);
        if cubes.iter().any(|cube| cube.labels.iter().all(|&w| w == 0)) {
            continue;
        }
        let styles = [Style { open: true, ..style(&mut rng, roughness) }, style(&mut rng, roughness)];
        let meshes = [0, 1].map(|i| cubes[i].mesh(&mut rng, styles[i]));
        let models = meshes.each_ref().map(|(mesh, _)| Model::new(mesh.clone()));
        assert_eq!(models[0].solid().status(), Closedness::Open, "case {index}: {cubes:?} {styles:?}");
        assert!(models[0].solid().open_edges() > 0 && !models[0].solid().boundaries().is_empty());
        let [a, b] = [0, 1].map(|i| Body::new(&models[i], meshes[i].1));
        let (found, want) = (query.relation(&a, &b), brute_force::relation(&a, &b, FillRule::NonZero));
        assert_eq!((found.kind, found.touching), (want.kind, want.touching), "case {index}: {cubes:?}");
        assert_eq!(query.relation(&b, &a).kind, want.kind, "case {index}, swapped");
        *seen.entry(format!("{:?}", found.kind)).or_default() += 1;
    }
    for kind in ["Apart", "Touch", "Pierce", "SurfaceInside"] {
        assert!(seen.get(kind).is_some_and(|&n| n * 100 >= count() / 40), "{kind}: {seen:?}");
    }
}

/// Instruction sets, trees, batches and threads change no relation.
#[test]
fn nothing_but_the_bodies_matters() {
    let mut meshes = Vec::new();
    for index in 0..150 {
        let mut rng = Rng::for_case(18, index);
        let (cubes, roughness) = pair(&mut rng);
        meshes.push(cubes.map(|cube| {
            let style = style(&mut rng, roughness);
            cube.mesh(&mut rng, style)
        }));
    }
    let mut first: Option<Vec<(RelationKind, bool)>> = None;
    for quality in [Quality::OnDemand, Quality::High] {
        let options = BuildOptions::new().quality(quality);
        let models: Vec<[Model; 2]> = meshes
            .iter()
            .map(|pair| pair.each_ref().map(|(mesh, _)| Model::with_options(mesh.clone(), &options)))
            .collect();
        let bodies: Vec<[Body<'_>; 2]> =
            (0..meshes.len()).map(|i| [0, 1].map(|k| Body::new(&models[i][k], meshes[i][k].1))).collect();
        for &simd in SimdLevel::ALL {
            for threads in [Threads::One, Threads::Pool] {
                let mut query = Query::new().simd(simd).threads(threads);
                let all = query.relation_each(&bodies);
                let found: Vec<_> = all.iter().map(|r| (r.kind, r.touching)).collect();
                let first = first.get_or_insert_with(|| found.clone());
                assert_eq!(*first, found, "{quality:?} {simd:?} {threads:?}");
            }
        }
    }
    let met = first.iter().flatten().filter(|(_, touching)| *touching).count();
    assert!(met > 50, "{met}");
    // One body at the poses of all others.
    let model = Model::new(meshes[0][1].0.clone());
    let a = Body::new(&model, meshes[0][1].1);
    let poses: Vec<Pose> = meshes.iter().map(|pair| pair[0].1).collect();
    let mut query = Query::new();
    let single: Vec<_> =
        poses.iter().map(|pose| query.relation(&a, &Body::new(&model, *pose)).kind).collect();
    let at = query.relation_at(&a, &model, &poses).iter().map(|relation| relation.kind);
    assert!(at.eq(single));
}

/// A query keeps the relation of its last list of pairs, which holds by the rule of that time.
#[test]
fn a_remembered_relation_is_that_of_the_list_and_the_rule() {
    let cube = |half: f64| meshes::cuboid([half; 3]);
    // Its winding number is 2 inside.
    let twice = Model::new(meshes::merged(&[&cube(2.0), &cube(2.0)]));
    let small = Model::new(cube(1.0));
    let at = |x: f64| Body::new(&small, Pose::from_translation([x, 0.0, 0.0]).unwrap());
    let (a, inside, beside) = (Body::new(&twice, Pose::IDENTITY), at(1.0), at(3.0));
    let mut query = Query::new();
    let [into, next] = [&inside, &beside].map(|b| query.contact_pairs(&a, b));
    for _ in 0..2 {
        query = query.fill_rule(FillRule::NonZero);
        assert_eq!(query.relation_of_pairs(&into).kind, RelationKind::Contains);
        assert_eq!(query.relation_of_pairs(&next).kind, RelationKind::Touch);
        query = query.fill_rule(FillRule::EvenOdd);
        for pairs in [&into, &into.clone(), &next] {
            let [a, b] = pairs.bodies();
            assert_eq!(query.relation_of_pairs(pairs).kind, query.relation(&a, &b).kind);
        }
    }
}
