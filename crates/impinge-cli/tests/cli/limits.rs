//! Options of every command that reads files: limits on the contents of a file, and permission for it to open
//! others.
use crate::common::{FIVE, Folder, error, json, run, stdout, words};
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;

#[test]
fn a_limit_can_be_set_and_its_error_names_the_option() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    let commands: [&[&dyn AsRef<OsStr>]; 3] =
        [&[&"check", &five], &[&"info", &five], &[&"pair", &five, &five]];
    for command in commands {
        let said = error(&[command, &[&"--max-parts", &"4"]].concat());
        assert!(said.contains("five.obj: ") && said.contains("more than 4 parts"), "{said}");
        assert!(said.contains("--max-parts"), "{said}");
    }
    run(1, &[&"check", &five, &"--max-parts", &"5"]);
    run(2, &[&"check", &five, &"--max-parts", &"some"]);
    // The built-in assembly is read from no file.
    assert!(error(&[&"check", &"--max-parts", &"5"]).contains("read from no file"));
    assert!(error(&[&"check", &"--demo", &"gearbox", &"--outside-folder"]).contains("read from no file"));
}

#[test]
fn a_file_outside_of_the_folder_is_read_only_if_that_is_allowed() {
    let folder = Folder::new();
    fs::create_dir(folder.path("inner")).unwrap();
    let floats = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    folder.file("data.bin", floats.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>());
    let gltf = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
        "min":[0,0,0],"max":[1,1,0]}],"bufferViews":[{"buffer":0,"byteLength":36}],
        "buffers":[{"byteLength":36,"uri":"../data.bin"}]}"#;
    let file = folder.file("inner/a.gltf", gltf);
    assert!(error(&[&"info", &file]).contains("--outside-folder allows it"));
    run(0, &[&"info", &file, &"--outside-folder"]);
}

/// 100,000 parts in one place have 5 billion pairs: the error comes before memory runs out.
#[test]
fn too_many_pairs_are_an_error() {
    let folder = Folder::new();
    let file = crate::common::coincident(&folder, 200);
    let said = error(&[&"check", &file, &"--max-pairs", &"19899"]);
    assert!(said.contains("19900 part pairs have boxes that overlap; at most 19899 are"), "{said}");
    run(1, &[&"check", &file, &"--max-pairs", &"19900"]);
    let file = crate::common::coincident(&folder, 100_000);
    let said = error(&[&"check", &file]);
    assert!(said.contains("some 5e9 part pairs") && said.contains("(max_pairs)"), "{said}");
}

/// Every triangle of the one part meets every one of the other, and no list holds them: 10 MB for 1,280,000
/// pairs. The counts and the relation are as they are for fewer; the result reports that it has no depth.
#[test]
fn more_triangle_pairs_than_are_listed_are_counted() {
    let folder = Folder::new();
    // `a` is a box, `copies` times; `b` is one that is moved by half.
    let boxes = |copies: usize| {
        let corner = |i: usize, x: f64| format!("v {} {} {}\n", (i & 1) as f64 + x, i >> 1 & 1, i >> 2);
        let corners = |x: f64| (0..8).map(move |i| corner(i, x)).collect::<String>();
        let faces = [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]];
        let face =
            |f: [usize; 4], by: usize| format!("f {} {} {} {}\n", f[0] + by, f[1] + by, f[2] + by, f[3] + by);
        let part = |by: usize| (0..copies).flat_map(|_| faces).map(|f| face(f, by)).collect::<String>();
        format!("{}{}o a\n{}o b\n{}", corners(0.0), corners(0.5), part(0), part(8))
    };
    let report = |copies: usize| {
        let file = folder.file("boxes.obj", boxes(copies));
        json(1, &[&"check", &file, &"--format", &"json"])
    };
    let (few, many) = (report(1), report(170));
    let (one, all) = (&few["clashes"][0], &many["clashes"][0]);
    let pairs = |clash: &Value| clash["triangle_pairs"].as_u64().unwrap();
    assert_eq!(pairs(all), pairs(one) * 170 * 170);
    assert!(pairs(all) > (1 << 20) + 64 * 170 * 12, "{all}");
    for key in ["relation", "touching", "a", "b", "point"] {
        assert_eq!(one[key], all[key], "{key}");
    }
    assert!(one["overlap_volume"].is_array() && one["depth_not_computed"].is_null(), "{one}");
    assert_eq!(
        (&all["overlap_volume"], &all["separating_translation"]),
        (&Value::Null, &Value::Null),
        "{all}"
    );
    assert_eq!(all["depth_not_computed"], "too many triangle pairs", "{all}");
    let file = folder.path("boxes.obj");
    let text = stdout(1, &[&"check", &file]);
    assert!(words(&text).contains("No depth 1 too many triangle pairs of these clashes meet"), "{text}");
}

/// A list of triangle pairs has a limit, of all frames together: more are an error and no output.
#[test]
fn lists_of_pair_have_a_limit() {
    let folder = Folder::new();
    let file = crate::common::coincident(&folder, 3);
    let poses = folder.file("poses", "1 0 0 0 0 1 0 0 0 0 1 0\n".repeat(4));
    let out = folder.path("out.json");
    let pair: [&dyn AsRef<OsStr>; 5] = [&"pair", &file, &file, &"--format", &"json"];
    for (query, frames) in [("pairs", 1), ("pairs", 4), ("curves", 1), ("curves", 4)] {
        let count = 9 * frames;
        let more: &[&dyn AsRef<OsStr>] = if frames == 1 { &[] } else { &[&"--poses", &poses] };
        let asked = [&pair[..], &[&"--query", &query], more].concat();
        let want = stdout(0, &asked);
        for threads in ["1", "4"] {
            let asked = [&asked[..], &[&"--threads", &threads]].concat();
            let limit = count.to_string();
            let found = stdout(0, &[&asked[..], &[&"--max-pairs", &limit]].concat());
            assert_eq!(found, want, "{query}, {frames} frames");
            let limit = (count - 1).to_string();
            let said = error(&[&asked[..], &[&"--max-pairs", &limit, &"-o", &out]].concat());
            let text = format!("more than {limit} triangle pairs meet, in all frames together");
            assert!(said.contains(&text) && said.contains("--max-pairs"), "{said}");
            assert!(!out.exists());
        }
    }
    let said = error(&[&pair[..], &[&"--max-pairs", &"9"]].concat());
    assert!(said.contains("--max-pairs: is about --query pairs and --query curves"), "{said}");
}
