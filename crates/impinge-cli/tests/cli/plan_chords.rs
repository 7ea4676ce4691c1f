//! Plans of parts that state a chord error or a rounding, as converted IFC and STEP files do.
use crate::{
    common::{Folder, json, run},
    plan::{CSV, JSON, TABLE, Word, agree, words},
};
use impinge::{Mesh, Pose};
use impinge_demo::rng::Rng;
use impinge_io::{Assembly, Part, Source};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A bundle of several files, as from STEP: pins in a row of bores, some nominally of the same radius. Only
/// `curved` of the files state a chord error, each part its own; some parts also state a rounding.
fn pins(folder: &Folder, seed: u64, curved: &[usize]) -> PathBuf {
    let mut rng = Rng::new(seed);
    let mut assembly = Assembly::new();
    let block = Mesh::cuboid([8.0, 1.0, 1.0]).unwrap();
    let meshes = [7, 12, 24].map(|sides| std::sync::Arc::new(Mesh::prism(0.5, 2.0, sides).unwrap()));
    for file in 0..3 {
        let path = format!("file {file}.step");
        let mut source = Source::new(Path::new(&path));
        let before = assembly.parts.len();
        for i in 0..8 {
            let place =
                [f64::from(i) + 0.125 * rng.int(-2, 2) as f64, file as f64, 0.25 * rng.int(-8, 8) as f64];
            let mesh = meshes[rng.below(3) as usize].clone();
            let mut part =
                Part::new(format!("pin {i}"), Path::new(&path), mesh, Pose::from_translation(place).unwrap());
            if curved.contains(&file) && !rng.one_in(4) {
                part = part.with_chord([0.0, 0.02, 0.07][rng.below(3) as usize]);
            }
            if rng.one_in(3) {
                part = part.with_rounding(0.01);
            }
            assembly.parts.push(part.with_guid(format!("{file}-{i}")).with_class("Pin"));
        }
        let place = Pose::from_translation([3.5, file as f64, 0.0]).unwrap();
        assembly.parts.push(Part::new("block", Path::new(&path), block.clone(), place));
        source.parts = assembly.parts.len() - before;
        assembly.sources.push(source);
    }
    let name = folder.path(&format!("pins {seed}.impinge"));
    impinge_io::save_bundle(&assembly, &name).unwrap();
    name
}

#[test]
fn stated_chords_in_tasks_are_those_of_one_check() {
    let folder = Folder::new();
    let all: &[&[Word<'_>]] = &[JSON, CSV, TABLE];
    for (seed, curved) in [(1, &[0, 1, 2][..]), (2, &[2]), (3, &[1]), (4, &[])] {
        let file = pins(&folder, seed, curved);
        let questions: [&[Word<'_>]; 7] = [
            &[],
            &[&"--rounding"],
            &[&"--clearance", &"0.1"],
            &[&"--clearance", &"0.1", &"--count", &"possible"],
            &[&"--chord", &"0.05"],
            &[&"--chord", &"pin 3=0.2", &"--rounding", &"--clearance", &"0.01"],
            &[&"--surfaces", &"--clearance", &"0.1"],
        ];
        for question in questions {
            agree(&words(&[&[&file], question]), all, &[Some(4)]);
        }
        // CSV has no place for counts.
        agree(&[&file, &"--clearance", &"0.1", &"--what-if", &"0.05,0.3"], &[JSON, TABLE], &[Some(3)]);
    }
    // The worlds are of use: what is stated makes findings, and makes some uncertain.
    let file = pins(&folder, 2, &[2]);
    let coverage = |more: &[Word<'_>]| {
        json(1, &words(&[&[&"check", &file, &"--format", &"json"], more]))["coverage"].take()
    };
    let all: [Word<'_>; 2] = [&"--count", &"possible"];
    let stated = coverage(&all);
    assert!(stated["chord"]["possible"].as_u64() > Some(3) && stated["chord"]["definite"].as_u64() > Some(3));
    let rounded = coverage(&words(&[&all, &[&"--rounding"]]));
    assert!(rounded["chord"]["possible"].as_u64() > stated["chord"]["possible"].as_u64());
    // Without being asked for, what is possible is counted apart.
    let definite = coverage(&[]);
    assert_eq!(definite["chord"]["definite"], stated["chord"]["definite"]);
    assert_eq!(definite["chord"]["uncounted"], stated["chord"]["possible"]);
    let none = pins(&folder, 4, &[]);
    assert!(json(1, &[&"check", &none, &"--format", &"json"])["coverage"].get("chord").is_none());
}

/// A later file that states a chord error makes the boxes of the earlier ones grow, wherever they lie.
#[test]
fn boxes_in_files_grow_as_those_in_memory() {
    let folder = Folder::new();
    let file = pins(&folder, 3, &[2]);
    let read = |memory: &str| {
        let path = folder.path(memory);
        run(
            0,
            &[
                &"plan",
                &file,
                &"-o",
                &path,
                &"--tasks",
                &"3",
                &"--clearance",
                &"0.2",
                &"--box-memory",
                &memory,
            ],
        );
        fs::read_to_string(path.join("plan.json")).unwrap()
    };
    let whole = read("4G");
    // A box takes 52 bytes, and there are 27 parts.
    for memory in ["1300", "1040", "936"] {
        assert_eq!(read(memory), whole, "{memory}");
    }
}

/// A chord error that cannot be a length is refused before there is a plan.
#[test]
fn sums_of_chords_that_are_no_length_are_refused() {
    let folder = Folder::new();
    let mut assembly = Assembly::new();
    for name in ["a", "b"] {
        let mesh = Mesh::cuboid([1.0; 3]).unwrap();
        assembly.push(Part::new(name, Path::new("x.step"), mesh, Pose::IDENTITY).with_chord(f64::MAX));
    }
    let (file, plan) = (folder.path("x.impinge"), folder.path("plan"));
    impinge_io::save_bundle(&assembly, &file).unwrap();
    let said = crate::common::error(&[&"plan", &file, &"-o", &plan]);
    assert!(said.contains("chord") && !plan.exists(), "{said}");
    assert_eq!(said, crate::common::error(&[&"check", &file]));
}
