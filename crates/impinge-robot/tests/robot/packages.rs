//! Files of meshes.
use impinge_robot::{Packages, Place, read_text};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// A folder with these empty files.
fn folder(files: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    folder
}

fn resolve(packages: &Packages, mesh: &str, urdf: &Path) -> PathBuf {
    packages.resolve(mesh, urdf).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn packages_are_found_above_the_robot() {
    let root = folder(&["arm/meshes/a.stl", "arm/urdf/arm.urdf", "other/b.stl", "share/third/c.stl"]);
    let urdf = root.path().join("arm/urdf/arm.urdf");
    let none = Packages::new();
    for (mesh, file) in [
        ("package://arm/meshes/a.stl", "arm/meshes/a.stl"),
        ("model://arm/meshes/a.stl", "arm/meshes/a.stl"),
        ("package://other/b.stl", "other/b.stl"),
        ("package://third/c.stl", "share/third/c.stl"),
    ] {
        let found = resolve(&none, mesh, &urdf);
        assert_eq!(found.canonicalize().unwrap(), root.path().join(file).canonicalize().unwrap());
    }
}

#[test]
fn packages_are_found_in_folders() {
    let root = folder(&["x/arm/a b.stl", "y/arm/a b.stl", "y/arm/c.stl"]);
    let urdf = Path::new("nowhere/arm.urdf");
    let [x, y] = ["x", "y"].map(|name| root.path().join(name));
    let list = std::env::join_paths([&x, &y]).unwrap();
    let packages = Packages::new().with_list(&list);
    // The first folder that has the file wins.
    assert_eq!(resolve(&packages, "package://arm/a b.stl", urdf), x.join("arm/a b.stl"));
    assert_eq!(resolve(&packages, "package://arm/a%20b.stl", urdf), x.join("arm/a b.stl"));
    assert_eq!(resolve(&packages, "package://arm/c.stl", urdf), y.join("arm/c.stl"));
    // A folder that is the package.
    let packages = Packages::new().with_folder(y.join("arm"));
    assert_eq!(resolve(&packages, "package://arm/c.stl", urdf), y.join("arm/c.stl"));
    assert_eq!(Packages::new().with_list("".as_ref()), Packages::new());
}

#[test]
fn paths_are_relative_to_the_robot() {
    let root = folder(&["urdf/a.stl", "meshes/b.stl"]);
    let urdf = root.path().join("urdf/arm.urdf");
    let none = Packages::new();
    assert_eq!(resolve(&none, "a.stl", &urdf), root.path().join("urdf/a.stl"));
    assert_eq!(resolve(&none, "../meshes/b.stl", &urdf), root.path().join("urdf/../meshes/b.stl"));
    assert_eq!(resolve(&none, "file://a.stl", &urdf), root.path().join("urdf/a.stl"));
    let absolute = root.path().join("meshes/b.stl");
    assert_eq!(resolve(&none, &format!("file://{}", absolute.display()), &urdf), absolute);
    assert_eq!(resolve(&none, &absolute.display().to_string(), &urdf), absolute);
}

#[test]
fn errors_list_what_was_tried() {
    let root = folder(&["arm.urdf"]);
    let urdf = root.path().join("arm.urdf");
    let packages = Packages::new().with_folder("given");
    for (mesh, words) in [
        (
            "package://arm/a.stl",
            &["'package://arm/a.stl' is not found", "given/arm/a.stl", "folder of the package"][..],
        ),
        ("a.stl", &["not found", "/a.stl"]),
        ("file:///no/such/file", &["/no/such/file"]),
        ("http://host/a.stl", &["scheme 'http'", "download it"]),
        ("package://arm", &["package://NAME/PATH"]),
        ("package:///a.stl", &["package://NAME/PATH"]),
        ("a\n.stl", &["not found"]),
    ] {
        let error = packages.resolve(mesh, &urdf).unwrap_err();
        let error = error.at_place(Place { byte: 30, line: 3, column: 4 }).in_file(Path::new("arm.urdf"));
        let error = error.to_string();
        assert!(error.starts_with("arm.urdf:3:4: the mesh"), "{error}");
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
        assert!(!error.contains(char::is_control), "{error:?}");
    }
}

#[test]
fn texts_are_utf_8() {
    let root = folder(&["a.urdf"]);
    let path = root.path().join("a.urdf");
    fs::write(&path, b"<robot>\n\xC3\xA9\xE9</robot>").unwrap();
    let error = read_text(&path).unwrap_err();
    assert_eq!(error.place().map(|place| (place.line, place.column)), Some((2, 2)));
    assert_eq!(
        error.to_string(),
        format!("{}:2:2: this is not UTF-8; save the file in UTF-8", path.display())
    );
    let error = read_text(&root.path().join("none")).unwrap_err();
    assert!(error.place().is_none() && error.file().is_some(), "{error}");
}
