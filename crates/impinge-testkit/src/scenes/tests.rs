//! Tests of the catalogue, the sources and the bytes.
mod assemblies;
mod gaps;
mod knots;
mod motions;
mod shapes;

use super::*;
use crate::cases::data;
use impinge::{Body, Model, Query};
use std::collections::HashSet;
use std::fs;

const GENERATED: Sources<'_> = Sources { data: None, quick: false };
const QUICK: Sources<'_> = Sources { data: None, quick: true };

fn models(scene: &Scene) -> [Model; 2] {
    [0, 1].map(|i| Model::new(Arc::clone(&scene.meshes[i])))
}

/// Number of intersecting pairs in each frame.
fn hits(scene: &Scene) -> Vec<usize> {
    let (models, mut query) = (models(scene), Query::new());
    let mut count = |[a, b]: &[Pose; 2]| {
        let (a, b) = (Body::new(&models[0], *a), Body::new(&models[1], *b));
        query.pairs(&a, &b).len()
    };
    scene.frames.iter().map(&mut count).collect()
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Triangles of both meshes without data, and the file that the scene needs.
const CONTENTS: [(&str, [usize; 2], &str); 43] = [
    ("spheres-l1", [20_480; 2], ""),
    ("spheres-l2", [81_920; 2], ""),
    ("spheres-nested", [20_480; 2], ""),
    ("knots-l1", [3528, 3672], ""),
    ("knots-l2", [6860, 7140], ""),
    ("knots-l3", [10_976, 11_424], ""),
    ("horses", [97_200; 2], "m_horse.ply"),
    ("hands", [202_800; 2], "m_stanford_dragon_res2.ply"),
    ("buddhas", [86_700; 2], "m_armadillo_igl.ply"),
    ("bunny-offset", [69_312; 2], "m_stanford_bunny_35947.ply"),
    ("tumble-torus", [40_320; 2], ""),
    ("tumble-sphere", [39_600; 2], ""),
    ("tumble-saw", [205_140; 2], "asm_ReciprocatingSaw.obj"),
    ("tumble-motor", [20_134; 2], "brep_Motor_c.obj"),
    ("tumble-torus-1k", [1008; 2], ""),
    ("tumble-torus-4k", [4032; 2], ""),
    ("tumble-torus-16k", [16_128; 2], ""),
    ("tumble-torus-65k", [64_512; 2], ""),
    ("tumble-torus-101k", [100_800; 2], ""),
    ("tumble-sphere-1k", [1280; 2], ""),
    ("tumble-sphere-5k", [5120; 2], ""),
    ("tumble-sphere-20k", [20_480; 2], ""),
    ("tumble-sphere-82k", [81_920; 2], ""),
    ("random-torus", [5000; 2], ""),
    ("random-teapot", [6320; 2], ""),
    ("random-spacecraft", [6440; 2], "X-wing"),
    ("rods", [9996; 2], ""),
    ("needles", [10_000; 2], ""),
    ("motor-mixed", [20_134; 2], "brep_Motor_c.obj"),
    ("saw-mixed", [205_140; 2], "asm_ReciprocatingSaw.obj"),
    ("held-axis", [20_134; 2], "brep_Axis_of_bearing.obj"),
    ("held-as1", [20_134; 2], "asm_as1_oc_214.obj"),
    ("held-voron", [20_134; 2], "asm_voron_SKR_E3_V3_Din_Mount.obj"),
    ("held-ur5", [102_570; 2], "robot_ur5_robot.obj"),
    ("held-panda", [20_134; 2], "robot_panda_collision.obj"),
    ("asm-saw", [102_570; 2], "asm_ReciprocatingSaw.obj"),
    ("asm-saw-moved", [102_570; 2], "asm_ReciprocatingSaw.obj"),
    ("asm-house", [59_130, 43_440], "ifc_schependomlaan_root.obj"),
    ("asm-house-moved", [59_130, 43_440], "ifc_schependomlaan_root.obj"),
    ("asm-as1", [9940, 10_194], "asm_as1_oc_214.obj"),
    ("asm-as1-moved", [9940, 10_194], "asm_as1_oc_214.obj"),
    ("asm-voron", [9940, 10_194], "asm_voron_SKR_E3_V3_Din_Mount.obj"),
    ("asm-voron-moved", [9940, 10_194], "asm_voron_SKR_E3_V3_Din_Mount.obj"),
];

#[test]
fn names_are_unique_and_say_what() {
    let names: Vec<&str> = catalogue().map(|e| e.name).chain(MANY_BODIES.iter().map(|m| m.0)).collect();
    let kebab = |n: &str| n.bytes().all(|b| b == b'-' || b.is_ascii_lowercase() || b.is_ascii_digit());
    assert!(names.iter().all(|n| kebab(n)), "{names:?}");
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
    assert!(catalogue().all(|e| e.about.len() > 30 && !e.about.contains('\n')));
    assert!(catalogue().map(|e| e.name).eq(CONTENTS.map(|c| c.0)));
    for error in [build("nothing", &QUICK).map(|_| ()), build_many("rods", &QUICK).map(|_| ())] {
        assert!(error.unwrap_err().to_string().starts_with("there is no scene"));
    }
}

#[test]
fn without_data_something_stands_in_and_is_named() {
    for (name, triangles, file) in CONTENTS {
        let scene = build(name, &QUICK).unwrap();
        assert_eq!(scene.meshes.each_ref().map(|m| m.len()), triangles, "{name}");
        assert_ne!(scene.meshes[0], scene.meshes[1], "{name}");
        assert_eq!(scene.stand_in.is_some(), !file.is_empty(), "{name}");
        assert!(scene.stand_in.unwrap_or_default().contains(file), "{name}");
    }
}

#[test]
fn with_data_the_models_are_read() {
    let Some(folder) = data("") else { return };
    let sources = Sources { data: Some(&folder), quick: true };
    for (name, file, triangles) in [
        ("horses", "m_horse.ply", [96_966; 2]),
        ("tumble-motor", "brep_Motor_c.obj", [20_228; 2]),
        ("tumble-saw", "asm_ReciprocatingSaw.obj", [198_470; 2]),
        ("saw-mixed", "asm_ReciprocatingSaw.obj", [198_470; 2]),
        ("bunny-offset", "m_stanford_bunny_35947.ply", [69_451; 2]),
        ("held-axis", "brep_Axis_of_bearing.obj", [30_640; 2]),
        ("held-as1", "asm_as1_oc_214.obj", [7512; 2]),
        ("held-voron", "asm_voron_SKR_E3_V3_Din_Mount.obj", [36_927; 2]),
        ("held-ur5", "robot_ur5_robot.obj", [95_694; 2]),
        ("held-panda", "robot_panda_collision.obj", [34_944; 2]),
        ("asm-saw", "asm_ReciprocatingSaw.obj", [112_988, 85_482]),
        ("asm-house", "ifc_schependomlaan_root.obj", [30_888, 29_316]),
        ("asm-as1", "asm_as1_oc_214.obj", [4456, 3056]),
        ("asm-voron-moved", "asm_voron_SKR_E3_V3_Din_Mount.obj", [11_943, 24_984]),
    ] {
        if data(file).is_none() {
            continue;
        }
        let scene = build(name, &sources).unwrap();
        assert_eq!((scene.meshes.each_ref().map(|m| m.len()), &scene.stand_in), (triangles, &None), "{name}");
    }
    // A replacement for the paper's model is named, even if its own file exists.
    let hands = build("hands", &sources).unwrap();
    assert!(hands.stand_in.unwrap().contains("hands"));
}

#[test]
fn bad_sources_are_one_clear_error() {
    let folder = std::env::temp_dir().join(format!("impinge-scenes-{}", std::process::id()));
    let missing = folder.join("missing");
    let error = build("rods", &Sources { data: Some(&missing), quick: true }).unwrap_err().to_string();
    assert!(error.contains("missing: is not a folder"), "{error}");
    fs::create_dir_all(&folder).unwrap();
    for (content, part) in
        [(&b"ply\nformat nonsense 1.0\n"[..], "m_horse.ply: "), (b"", "m_horse.ply: the file is empty")]
    {
        fs::write(folder.join("m_horse.ply"), content).unwrap();
        let error = build("horses", &Sources { data: Some(&folder), quick: true }).unwrap_err();
        assert!(matches!(error, Error::Model(_)) && error.to_string().contains(part), "{error}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_bits_are_pinned() {
    for (name, want) in [
        ("spheres-nested", 0xe633_6e93_d6da_2350),
        ("knots-l1", 0x422e_69e9_fb1d_5746),
        ("tumble-torus-1k", 0xafbb_aef5_7d44_1244),
        ("random-teapot", 0x76b3_3a54_eb7f_ade0),
        ("random-spacecraft", 0x5d4c_ea66_4cad_2f5f),
        ("rods", 0x93d1_0314_fe7e_edf0),
        ("needles", 0x0d19_f740_c6cd_4f8c),
        ("bunny-offset", 0xd498_7336_c770_6699),
        ("tumble-motor", 0x565c_3cb0_0426_ce61),
    ] {
        let bytes = build(name, &QUICK).unwrap().to_bytes();
        assert_eq!(bytes, build(name, &QUICK).unwrap().to_bytes(), "{name}");
        assert_eq!(hash(&bytes), want, "{name}: {:#018x}", hash(&bytes));
    }
}

#[test]
fn bytes_give_the_scene_back() {
    let scene = build("tumble-torus-1k", &QUICK).unwrap();
    let bytes = scene.to_bytes();
    let back = Scene::from_bytes(&bytes).unwrap();
    assert_eq!((&back.meshes, &back.frames), (&scene.meshes, &scene.frames));
    assert_eq!(back.to_bytes(), bytes);
    // Read as a foreign program would.
    let u32_at = |i: usize| u32::from_le_bytes(bytes[i..i + 4].try_into().unwrap());
    let f64_at = |i: usize| f64::from_le_bytes(bytes[i..i + 8].try_into().unwrap());
    assert_eq!((&bytes[..8], u32_at(8), u32_at(12), u32_at(16)), (&b"IMPSCENE"[..], 1, 504, 1008));
    assert_eq!([f64_at(20), f64_at(28), f64_at(36)], scene.meshes[0].points()[0]);
    let frames = bytes.len() - 192 * scene.frames.len();
    assert_eq!(u32_at(frames - 4) as usize, scene.frames.len());
    let last = scene.frames.last().unwrap()[1];
    assert_eq!(f64_at(bytes.len() - 24), last.translation()[0]);
    assert_eq!(f64_at(bytes.len() - 88), last.rows()[0][1]);
}

#[test]
fn broken_bytes_are_an_error_that_says_where() {
    let corner = Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]).unwrap();
    let mut scene = build("spheres-nested", &QUICK).unwrap();
    scene.meshes = [Arc::new(corner.clone()), Arc::new(corner)];
    scene.frames.truncate(2);
    let bytes = scene.to_bytes();
    assert!(Scene::from_bytes(&bytes).is_ok());
    for n in 0..bytes.len() {
        let error = Scene::from_bytes(&bytes[..n]).unwrap_err().to_string();
        assert!(error.starts_with("byte ") && error.contains("needs"), "{n}: {error}");
    }
    let changed = |at: usize, with: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        Scene::from_bytes(&bytes).unwrap_err().to_string()
    };
    let first_pose = bytes.len() - 4 * 96;
    for (error, part) in [
        (changed(0, b"X"), "byte 0: does not begin with IMPSCENE"),
        (changed(8, &[2]), "byte 8: version 2"),
        (changed(12, &[255; 4]), "a list of 4294967295 points needs"),
        (changed(16, &[255; 4]), "a list of 4294967295 triangles needs"),
        (changed(20, &[255; 8]), "byte 12: the first mesh: "),
        (changed(92, &[3]), "byte 12: the first mesh: "),
        (changed(first_pose - 4, &[255; 4]), "a list of 4294967295 frames needs"),
        (changed(first_pose + 96, &[255; 8]), "frame 0, pose 1: "),
        (changed(first_pose + 192, &[0; 72]), "frame 1, pose 0: "),
    ] {
        assert!(error.contains(part), "{error}");
    }
    let error = Scene::from_bytes(&[&bytes[..], &[0]].concat()).unwrap_err().to_string();
    assert_eq!(error, format!("byte {}: 1 bytes more than the scene has", bytes.len()));
}
