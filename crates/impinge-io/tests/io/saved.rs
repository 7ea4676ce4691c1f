//! Saved models in files.
use impinge::{Mesh, Model};
use impinge_io::{open_model, save_model};
use std::{fs, path::Path};
use tempfile::tempdir;

fn fan(n: u32) -> Model {
    let rim = (0..=n).map(|i| [f64::from(i), f64::from(i * i % 7), 1.0]);
    let points = [[0.0; 3]].into_iter().chain(rim).collect();
    let triangles = (1..=n).map(|i| [0, i, i + 1]).collect();
    Model::new(Mesh::new(points, triangles).unwrap())
}

fn names(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut all: Vec<_> = fs::read_dir(folder).unwrap().map(name).collect();
    all.sort_unstable();
    all
}

/// A process that has opened a file keeps it, whatever replaces it.
#[test]
fn files_are_replaced_as_a_whole() {
    let folder = tempdir().unwrap();
    let path = &folder.path().join("a.impinge");
    let models = [fan(500), fan(40), fan(0)];
    let text = |model: &Model| format!("{model:?}");
    let mut opened = Vec::new();
    for model in &models {
        save_model(model, path).unwrap();
        opened.push(open_model(path).unwrap());
        let mut bytes = Vec::new();
        model.save(&mut bytes).unwrap();
        assert!(fs::read(path).unwrap() == bytes);
    }
    fs::remove_file(path).unwrap();
    for (model, mut opened) in models.iter().zip(opened) {
        assert_eq!(text(&opened), text(model));
        opened.validate().unwrap();
        let moved: Vec<_> = model.mesh().points().iter().map(|v| v.map(|x| x + 1.0)).collect();
        opened.refit(&moved).unwrap();
        opened.validate().unwrap();
        assert_eq!(opened.mesh().points(), moved);
    }
    assert_eq!(names(folder.path()), [""; 0], "no temporary file is left");
}

#[test]
fn what_is_no_saved_model_is_refused() {
    let folder = tempdir().unwrap();
    let path = &folder.path().join("a.impinge");
    let missing = open_model(path).unwrap_err();
    assert!(missing.is_io() && missing.file() == Some(path), "{missing}");
    let refused = |bytes: &[u8]| {
        fs::write(path, bytes).unwrap();
        let error = open_model(path).unwrap_err();
        assert!(error.is_invalid() && error.file() == Some(path), "{error}");
        error.text().to_owned()
    };
    for bytes in [&b""[..], b"solid", b"\x89impinge"] {
        assert_eq!(refused(bytes), "this is no saved model: it does not begin as one does");
    }
    let mut bytes = Vec::new();
    fan(100).save(&mut bytes).unwrap();
    assert!(refused(&bytes[..bytes.len() - 1]).starts_with("the saved model is cut short"));
    bytes[400] ^= 1;
    assert!(refused(&bytes).ends_with("the points were altered"));
    // A folder is not a file, neither to be read nor to be replaced.
    assert!(open_model(folder.path()).unwrap_err().is_io());
    assert!(save_model(&fan(3), folder.path()).unwrap_err().is_unsupported());
    let nowhere = folder.path().join("b/c.impinge");
    assert!(save_model(&fan(3), &nowhere).unwrap_err().is_io());
    assert_eq!(names(folder.path()), ["a.impinge"]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempdir().unwrap();
    let [path, link] = ["a.impinge", "link"].map(|name| folder.path().join(name));
    save_model(&fan(3), &path).unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    save_model(&fan(9), &link).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(open_model(&link).unwrap().mesh().len(), 9);
}
