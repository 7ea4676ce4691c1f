//! Files by path: extensions that are wrong, unknown or missing, and paths that do not exist.
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
        let what = format!("{name}: the content is {format}, which the extension does not match");
        assert!(told.len() == 1 && told[0].ends_with(&what), "{told:?}");
    }
    assert_eq!(read("a.OFF", OFF).unwrap().warnings, []);
    assert_eq!(shape(&read("no_extension", OFF).unwrap()), [("no_extension", 1)]);
}

#[test]
fn unknown_formats_and_missing_files_are_refused() {
    for (name, bytes, message) in [
        (
            "x.urdf",
            &b"<robot/>"[..],
            "(a robot description): `impinge proxy check` tests its collision geometry; check the folder of its",
        ),
        ("x.usda", &b"#usda 1.0"[..], "(USD): export glTF, OBJ or STL from Blender"),
        (
            "x.STP",
            b"ISO-10303-21;",
            "(CAD surfaces, not triangles): pip install \".[step]\" in a checkout of impinge; the command",
        ),
        (
            "x.txt",
            b"ISO-10303-21;",
            "(CAD surfaces, not triangles): pip install \".[step]\" in a checkout of impinge; the command",
        ),
        (
            "x.igs",
            b"S1",
            "(CAD surfaces, not triangles): pip install \".[step]\" in a checkout of impinge; the command",
        ),
        ("x.brp", b"DBRep_DrawableShape", "(CAD surfaces, not triangles): pip install \".[step]\" in"),
        ("x.h5m", b"\x89HDF", "(a nuclear model (DAGMC)): pip install \".[h5m]\" in a checkout of impinge"),
        ("x.x_t", b"**ABC", "(CAD surfaces, not triangles): export STL, 3MF, OBJ or glTF"),
        ("x.ifc", b"ISO-10303-21;", "(a building model (IFC)): pip install \".[ifc]\" in a checkout of"),
        ("x.IFCZIP", b"PK\x03\x04", "(a building model (IFC)): pip install \".[ifc]\" in a checkout of"),
        ("x", b"ISO-10303-21;\nFILE_SCHEMA(('IFC4'));", "(a building model (IFC)): pip install \".[ifc]\""),
        ("x.fbx", b"Kaydara", "(an animation scene): export glTF"),
        ("x.docx", b"PK\x03\x04", ": export STL, OBJ, glTF or 3MF from the program"),
        ("x", b"?", ": export STL, OBJ, glTF or 3MF from the program"),
    ] {
        let error = read(name, bytes).unwrap_err();
        assert!(error.is_unsupported() && !error.is_invalid());
        let text = error.to_string();
        assert!(text.contains(&format!("{name}: unsupported format")) && text.contains(message), "{text}");
        assert!(
            text.ends_with("; supported are .stl, .obj, .ply, .off, .gltf, .glb, .3mf, .dae, .impinge"),
            "{text}"
        );
    }
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
    assert_eq!(&*all.parts[1].file, Path::new("b.obj"));
}

#[test]
fn errors_and_warnings_say_file_place_and_text() {
    let error = impinge_io::parse(Format::Obj, b"v 1 2 x", Path::new("a.obj")).unwrap_err();
    let place = error.place();
    let found = (error.file(), place.as_deref(), error.text());
    assert_eq!(found, (Some(Path::new("a.obj")), Some("line 1"), "'x' is not a number"));
    assert!(error.is_invalid() && !error.is_io() && !error.is_too_large() && !error.is_no_triangles());
    let triangle = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\np 1\n";
    let assembly = impinge_io::parse(Format::Obj, triangle, Path::new("a.obj")).unwrap();
    let [warning] = &assembly.warnings[..] else { panic!("{:?}", assembly.warnings) };
    let place = warning.place();
    let found = (warning.file(), place.as_deref(), warning.text());
    let text = "points ('p') are not triangles and are skipped: 1, first 'p'";
    assert_eq!(found, (Path::new("a.obj"), Some("line 5"), text));
}

#[test]
fn utf16_is_read_as_text() {
    let text = "o Straße\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for (mark, bytes) in [
        ([0xFF, 0xFE], text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        ([0xFE, 0xFF], text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
    ] {
        let bytes = [&mark[..], &bytes].concat();
        let assembly = impinge_io::parse(Format::Obj, &bytes, Path::new("a.obj")).unwrap();
        assert_eq!(shape(&assembly), [("Straße", 1)]);
        assert_eq!(warnings(&assembly), [""; 0]);
        // Also cut within a character.
        for end in 0..bytes.len() {
            let _ = impinge_io::parse(Format::Obj, &bytes[..end], Path::new("a.obj"));
        }
    }
    let off = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let bytes = [0xFF, 0xFE].into_iter().chain(off.encode_utf16().flat_map(u16::to_le_bytes));
    // The content identifies the format, as in UTF-8.
    assert_eq!(
        shape(&read("no_extension_16", &bytes.collect::<Vec<_>>()).unwrap()),
        [("no_extension_16", 1)]
    );
}
