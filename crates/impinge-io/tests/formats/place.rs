//! Files as files: extensions that lie, are unknown or missing, and what is not there.
use crate::{chain, shape, stl, warnings};
use impinge_io::{Assembly, Format};
use std::{error::Error as _, fs, path::Path};

const OFF: &[u8] = b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

fn read(name: &str, bytes: &[u8]) -> Result<Assembly, impinge_io::Error> {
    let folder = std::env::temp_dir().join(format!("impinge-io-place-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    let result = impinge_io::read(&path);
    fs::remove_file(path).unwrap();
    result
}

#[test]
fn content_goes_before_the_extension() {
    let binary = stl::binary(b"solid", &[[[0.0; 3]; 3]]);
    for (name, bytes, format) in [("lie.obj", OFF, "OFF"), ("lie.off", &binary[..], "STL")] {
        let assembly = read(name, bytes).unwrap();
        assert_eq!(shape(&assembly), [("lie", 1)]);
        let told = warnings(&assembly);
        let what = format!("{name}: the content is {format}, whatever the extension says");
        assert!(told.len() == 1 && told[0].ends_with(&what), "{told:?}");
    }
    assert_eq!(read("a.OFF", OFF).unwrap().warnings, []);
    assert_eq!(shape(&read("no_extension", OFF).unwrap()), [("no_extension", 1)]);
}

#[test]
fn unknown_formats_and_missing_files_are_refused() {
    let error = read("x.dae", b"<COLLADA/>").unwrap_err();
    assert!(error.is_unsupported());
    assert!(
        error
            .to_string()
            .ends_with("x.dae: unsupported format; supported are .stl, .obj, .ply, .off, .gltf, .glb, .3mf")
    );
    assert!(read("x.docx", b"PK\x03\x04").unwrap_err().is_unsupported());
    let error = impinge_io::read(Path::new("no/such.obj")).unwrap_err();
    assert!(error.is_io() && error.source().is_some());
    assert_eq!(error.file(), Some(Path::new("no/such.obj")));
    assert!(chain(&error).starts_with("no/such.obj: cannot be read: "), "{error}");
}

#[test]
fn assemblies_of_several_files_are_put_together() {
    let mut all = Assembly::default();
    for name in ["a.off", "b.obj"] {
        all.append(impinge_io::parse(Format::Off, OFF, Path::new(name)).unwrap());
    }
    assert_eq!(shape(&all), [("a", 1), ("b", 1)]);
    assert_eq!(all.triangles(), 2);
    assert_eq!(all.parts[1].file, Path::new("b.obj"));
}
