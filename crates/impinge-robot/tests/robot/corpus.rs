//! Runs the seeds of the fuzz targets, and damaged ones, through the targets' own check.
use crate::check;
use std::{fs, path::Path};

type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 3] =
    [("urdf", check::check_urdf), ("srdf", check::check_srdf), ("spheres", check::check_spheres)];

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

#[test]
fn every_seed_passes_its_target() {
    for (target, check) in TARGETS {
        seeds(target).iter().for_each(|seed| check(seed));
    }
}

#[test]
fn no_prefix_and_no_suffix_panics() {
    for (target, check) in TARGETS {
        for seed in seeds(target) {
            for at in 0..seed.len() {
                check(&seed[..at]);
                check(&seed[at..]);
            }
        }
    }
}

#[test]
fn no_changed_byte_panics() {
    for (target, check) in TARGETS {
        for seed in seeds(target) {
            for at in 0..seed.len() {
                for byte in
                    [b'<', b'>', b'"', b'-', b'9', b' ', b'\n', b'&', b'{', b']', b',', b':', b'*', 0, 0xC3]
                {
                    let mut damaged = seed.clone();
                    damaged[at] = byte;
                    check(&damaged);
                }
                let mut shorter = seed.clone();
                shorter.remove(at);
                check(&shorter);
            }
        }
    }
}
