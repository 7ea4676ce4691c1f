//! What solids are to each other, against sets of cells.
use impinge::{Body, BuildOptions, Inside, Kind, Model, Quality, Query, SimdLevel, Threads, brute_force};
use impinge_testkit::{
    cases::is_ci,
    polycubes::{Polycube, Style, pair},
    rng::Rng,
};
use std::collections::BTreeMap;

fn kind([both, only_a, only_b]: [bool; 3], touching: bool) -> Kind {
    match (both, only_a, only_b) {
        (false, ..) if touching => Kind::Touch,
        (false, ..) => Kind::Apart,
        (true, true, true) => Kind::Overlap,
        (true, false, true) => Kind::AInB,
        (true, true, false) => Kind::BInA,
        (true, false, false) => Kind::Same,
    }
}

/// How many pairs the ordinary run asks about, and with `CI` set.
fn count() -> u64 {
    std::env::var("IMPINGE_PAIRS").ok().map_or(if is_ci() { 20_000 } else { 4_000 }, |n| n.parse().unwrap())
}

fn style(rng: &mut Rng) -> Style {
    Style { cells: rng.one_in(4), split: *rng.pick(&[0, 0, 0, 8]), open: false, posed: rng.one_in(4) }
}

#[test]
fn polycubes_are_what_their_cells_are() {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    let mut query = Query::new();
    let options = BuildOptions::new().quality(Quality::OnDemand);
    for index in 0..count() {
        let mut rng = Rng::for_case(17, index);
        let cubes = pair(&mut rng);
        let styles = [style(&mut rng), style(&mut rng)];
        let meshes: Vec<_> = (0..2).map(|i| cubes[i].mesh(&mut rng, styles[i])).collect();
        let models: Vec<Model> = meshes.iter().map(|(mesh, _)| Model::new(mesh.clone(), &options)).collect();
        let [a, b] = [0, 1].map(|i| Body::new(&models[i], meshes[i].1));
        let empty = cubes.iter().any(|cube: &Polycube| cube.labels.iter().all(|&w| w == 0));
        let touching = brute_force::intersects(&a, &b);
        let found = query.relation(&a, &b);
        assert_eq!(found.touching, touching, "case {index}");
        if empty {
            continue;
        }
        let want = kind(cubes[0].cells(&cubes[1], Inside::NonZero), touching);
        assert_eq!(found.kind, want, "case {index}: {cubes:?} {styles:?}");
        let swapped = match query.relation(&b, &a).kind {
            Kind::AInB => Kind::BInA,
            Kind::BInA => Kind::AInB,
            kind => kind,
        };
        assert_eq!(swapped, want, "case {index}, swapped");
        assert_eq!(query.interiors_meet(&a, &b), found.interiors_meet(), "case {index}");
        *seen.entry(format!("{want:?}")).or_default() += 1;
    }
    println!("{seen:?}");
    for kind in ["Apart", "Touch", "Overlap", "AInB", "BInA", "Same"] {
        assert!(seen.get(kind).is_some_and(|&n| n * 100 >= count()), "{kind}: {seen:?}");
    }
}

/// Instruction sets, trees, batches and threads change no relation.
#[test]
fn nothing_but_the_bodies_matters() {
    let mut meshes = Vec::new();
    for index in 0..150 {
        let mut rng = Rng::for_case(18, index);
        let cubes = pair(&mut rng);
        meshes.push(cubes.map(|cube| {
            let style = style(&mut rng);
            cube.mesh(&mut rng, style)
        }));
    }
    let mut first: Option<Vec<(Kind, bool)>> = None;
    for quality in [Quality::OnDemand, Quality::High] {
        let options = BuildOptions::new().quality(quality);
        let models: Vec<[Model; 2]> = meshes
            .iter()
            .map(|pair| pair.each_ref().map(|(mesh, _)| Model::new(mesh.clone(), &options)))
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
}
