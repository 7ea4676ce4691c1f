//! How much a file may make, and which others it may open: options of every command that reads.
use crate::common::{FIVE, Folder, error, run};
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

/// Half a million parts in one place would be 125 billion pairs: that is said before memory ends.
#[test]
fn too_many_pairs_are_an_error() {
    let folder = Folder::new();
    let file = crate::common::coincident(&folder, 200);
    let said = error(&[&"check", &file, &"--max-pairs", &"19899"]);
    assert!(said.contains("19900 pairs of parts have boxes that overlap; at most 19899 are"), "{said}");
    run(1, &[&"check", &file, &"--max-pairs", &"19900"]);
    let file = crate::common::coincident(&folder, 100_000);
    let said = error(&[&"check", &file]);
    assert!(said.contains("some 5e9 pairs of parts") && said.contains("(--max-pairs)"), "{said}");
}
