//! Tests on the files of ../shared/data, if that folder exists. Each awkward file loads or is refused as the
//! table requires, and the whole models have their documented sizes.
use std::{
    collections::BTreeMap,
    env, fs,
    io::Write,
    path::{Path, PathBuf},
};

/// Returns a folder of the data, or prints that the test did not run. If the data exists without the folder,
/// the test fails.
pub(crate) fn data(folder: &str) -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let named = env::var_os("IMPINGE_DATA").map(PathBuf::from);
    let all = named.clone().unwrap_or(default);
    if !all.is_dir() {
        assert!(named.is_none(), "IMPINGE_DATA names {}, which is not there", all.display());
        // The harness would capture the output of a macro when a test passes.
        let text =
            format!("NOT TESTED, there is no folder {}: {folder}; IMPINGE_DATA may name it\n", all.display());
        std::io::stderr().write_all(text.as_bytes()).unwrap();
        return None;
    }
    let folder = all.join(folder);
    assert!(folder.is_dir(), "{} is missing in the data", folder.display());
    Some(folder)
}

/// `PARTS TRIANGLES`, or the message without the folder.
fn outcome(path: &Path) -> String {
    match impinge_io::read(path) {
        Ok(assembly) => format!("{} {}", assembly.parts.len(), assembly.triangles()),
        Err(error) => error.to_string().replace(&path.parent().unwrap().display().to_string(), ""),
    }
}

#[test]
fn awkward_files_load_or_are_refused_as_the_table_says() {
    let Some(folder) = data("degenerate") else { return };
    let table: BTreeMap<&str, &str> = include_str!("degenerate.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut columns = line.split(" | ");
            (columns.next().unwrap(), columns.next().expect("two columns"))
        })
        .collect();
    let mut found: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, table.keys().copied().collect::<Vec<_>>(), "files and rows");

    let mut wrong = Vec::new();
    for (file, expected) in table {
        let outcome = outcome(&folder.join(file));
        let is_count = expected.starts_with(|c: char| c.is_ascii_digit());
        if if is_count { outcome != expected } else { !outcome.contains(expected) } {
            wrong.push(format!("{file}: expected {expected}, found {outcome}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn whole_models_have_their_known_sizes() {
    let Some(folder) = data(".") else { return };
    for (file, expected) in [
        ("anim_gltf_AnimatedMorphSphere.ply", "1 960"),
        ("anim_horse_gallop.ply", "1 16843"),
        ("asm_ReciprocatingSaw.obj", "113 198470"),
        ("asm_as1_oc_214.obj", "18 7512"),
        ("asm_voron_SKR_E3_V3_Din_Mount.obj", "8 36927"),
        ("brep_Axis_of_bearing.obj", "17 30640"),
        ("brep_Motor_c.obj", "17 20228"),
        ("ifc_schependomlaan_root.obj", "765 60204"),
        ("m_armadillo_igl.ply", "1 86482"),
        ("m_beetle_vw.ply", "1 38656"),
        ("m_fandisk.ply", "1 12946"),
        ("m_horse.ply", "1 96966"),
        ("m_oded_skull.ply", "1 100002"),
        ("m_rocker_arm.ply", "1 20088"),
        ("m_spot.ply", "1 5856"),
        ("m_stanford_bunny_35947.ply", "1 69451"),
        ("m_stanford_dragon_res2.ply", "1 202520"),
        ("m_teapot.ply", "1 6320"),
        ("robot_panda_collision.obj", "11 34944"),
        ("robot_ur5_robot.obj", "7 95694"),
    ] {
        let path = folder.join(file);
        assert_eq!(outcome(&path), expected, "{file}");
        let assembly = impinge_io::read(&path).unwrap();
        assert_eq!(assembly.warnings, [], "{file}");
    }
}
