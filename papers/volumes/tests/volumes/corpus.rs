//! Runs the library's fuzz targets on their committed seeds and on random bytes, the part of fuzzing that CI
//! can afford.
use impinge_testkit::{cases::is_full, fuzz, rng::Rng};
use std::{fs, path::Path};

fn run(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut seeds = 0;
    for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        check(&fs::read(entry.unwrap().path()).unwrap());
        seeds += 1;
    }
    assert!(seeds > 0, "no seed in {}", folder.display());
    let random = if is_full() { 300 } else { 20 };
    for case in 0..random {
        let mut rng = Rng::for_case(77, case);
        let bytes: Vec<u8> = (0..rng.below(400)).map(|_| rng.next_u64() as u8).collect();
        check(&bytes);
    }
    println!("{target}: {seeds} seeds and {random} random inputs");
}

#[test]
fn agreement() {
    run("agreement", fuzz::agreement);
}

#[test]
fn validity() {
    run("validity", fuzz::validity);
}

#[test]
fn relations_of_the_corpus() {
    run("relations", fuzz::relations);
}

#[test]
fn distances_of_the_corpus() {
    run("distances", fuzz::distances);
}

#[test]
fn points_of_the_corpus() {
    run("points", fuzz::points);
}

#[test]
fn curves_of_the_corpus() {
    run("curves", fuzz::curves);
}

#[test]
fn saved_models_of_the_corpus() {
    run("saved", fuzz::saved);
}

/// Random inputs, as at the start of a fuzzing run.
#[test]
fn relations_of_random_bytes() {
    let mut rng = impinge_testkit::rng::Rng::new(33);
    for _ in 0..if is_full() { 2000 } else { 500 } {
        let bytes: Vec<u8> = (0..120).map(|_| rng.int(0, 255) as u8).collect();
        fuzz::relations(&bytes);
    }
}

/// Random inputs of the target for distances.
#[test]
fn distances_of_random_bytes() {
    let mut rng = impinge_testkit::rng::Rng::new(34);
    for _ in 0..if is_full() { 150 } else { 50 } {
        let bytes: Vec<u8> = (0..200).map(|_| rng.int(0, 255) as u8).collect();
        fuzz::distances(&bytes);
    }
}

/// Random inputs of the target for points, rays and regions.
#[test]
fn points_of_random_bytes() {
    let mut rng = impinge_testkit::rng::Rng::new(35);
    for _ in 0..600 {
        let bytes: Vec<u8> = (0..200).map(|_| rng.int(0, 255) as u8).collect();
        fuzz::points(&bytes);
    }
}

/// Random inputs of the target for lines, patches and points where surfaces meet.
#[test]
fn curves_of_random_bytes() {
    let mut rng = impinge_testkit::rng::Rng::new(36);
    for _ in 0..600 {
        let bytes: Vec<u8> = (0..200).map(|_| rng.int(0, 255) as u8).collect();
        fuzz::curves(&bytes);
    }
}
