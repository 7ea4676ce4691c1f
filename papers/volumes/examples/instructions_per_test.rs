//! First contacts or all pairs of one scene, for callgrind, which counts the instructions of the walk:
//! `instructions_per_test SCENE VOLUME SPLIT OVERLAP first|pairs [FOLDER OF MODELS]`. One triangle a leaf.
//!
//! Prints the scene, its triangles, the options, and the numbers of queries, volume tests (Nv) and pairs of
//! leaves (Np). With `valgrind --tool=callgrind --toggle-collect='*query::Query::intersects*'` only the
//! queries count, not the builds. The instructions of the functions `traverse` and `memcpy` alone (the walk
//! and its stack), divided by Nv, are those of one test; the rest are leaves and the start of a query.
use impinge::{Body, Query};
use impinge_testkit::scenes::{Sources, build};
use impinge_volumes::{Kind, Options, Overlap, Split};
use std::{error::Error, hint::black_box, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // Defaults, so that it runs without arguments as every other example does.
    let (scene, names, ask, data) = match arguments[..] {
        [scene, volume, split, overlap, ask] => (scene, [volume, split, overlap], ask, None),
        [scene, volume, split, overlap, ask, data] => (scene, [volume, split, overlap], ask, Some(data)),
        _ => ("tumble-torus-1k", ["boxtree", "sah", "sat-lite"], "first", None),
    };
    let [volume, split, overlap] = names;
    let options = Options::new(named(Kind::ALL, Kind::name, volume)?)
        .split(named(Split::ALL, Split::name, split)?)
        .overlap(named(Overlap::ALL, Overlap::name, overlap)?)
        .leaf_size(1);
    let scene = build(scene, &Sources { data: data.map(Path::new), quick: true })?;
    let [a, b] = scene.meshes.map(|mesh| options.build(mesh));
    let (a, b) = (a?, b?);
    // The counting query runs another copy of the walk, by another name: callgrind must not add the two.
    let (mut query, mut counting) = (Query::new(), Query::new().counting(true));
    for &[pose_a, pose_b] in &scene.frames {
        let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
        if ask == "first" {
            black_box(query.intersects(&a, &b));
            counting.first_contact(&a, &b);
        } else {
            black_box(query.pairs(&a, &b).len());
            counting.pairs(&a, &b);
        }
    }
    let count = counting.counters().ok_or("a query that counts")?.count;
    let (queries, nv, np) = (scene.frames.len(), count.volume_tests, count.leaf_pairs);
    println!(
        "{}\t{}\t{volume}\t{split}\t{overlap}\t{ask}\t{queries}\t{nv}\t{np}",
        scene.name,
        a.mesh().len()
    );
    Ok(())
}

fn named<T: Copy>(all: &[T], name_of: impl Fn(T) -> &'static str, name: &str) -> Result<T, String> {
    all.iter().copied().find(|&one| name_of(one) == name).ok_or(format!("there is no '{name}'"))
}
