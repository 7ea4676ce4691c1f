//! Input from readers, and content without a name that gives its format.
use crate::{chain, dae, gltf, shape, stl, threemf};
use impinge_io::{
    Assembly, Error,
    Format::{self, Dae, Gltf, Obj, Off, Ply, Stl, ThreeMf},
    Limits, Options, parse, read_from,
};
use serde_json::json;
use std::{
    fs,
    io::{self, Read},
    path::Path,
};

/// Returns a few bytes at a time, as a pipe may.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let n = to.len().min(self.0.len()).min(7);
        to[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}

/// Parts with points and triangles, sources and warnings, as text.
fn contents(assembly: &Assembly) -> String {
    let parts: Vec<_> =
        assembly.parts.iter().map(|p| (&p.name, &p.path, p.mesh.points(), p.mesh.triangles())).collect();
    format!("{parts:?} {:?} {:?}", assembly.sources, assembly.warnings)
}

const ASCII_STL: &str = "solid s\n facet normal 0 0 0\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n \
                         vertex 0 1 0\n endloop\n endfacet\nendsolid s\n";
const OBJ: &str = "# a comment\nmtllib a\\\nb.mtl\no x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
const OFF: &str = "# a comment\n\nOFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
                   property float z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n\
                   0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

/// A file of each format, and of each kind of it.
fn files() -> Vec<(Format, Vec<u8>)> {
    let glb = gltf::glb(&gltf::with([("/buffers/0", json!({ "byteLength": 76 }))]), &gltf::data());
    let model =
        threemf::model(&format!("<object id='1'>{}</object>", threemf::triangle()), "<item objectid='1'/>");
    let utf16 = [0xFF, 0xFE].into_iter().chain(OBJ.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    vec![
        (Stl, stl::binary(b"solid", &[[[0.0; 3]; 3]; 2])),
        (Stl, ASCII_STL.into()),
        (Stl, ASCII_STL.to_uppercase().replace('\n', "\r\n").into()),
        (Obj, OBJ.into()),
        (Obj, utf16),
        (Obj, format!("{OBJ}{}", "v 1 2 3 1 0 0\nvn 0 0 1\n".repeat(10_000)).into()),
        (Ply, PLY.into()),
        (Off, OFF.into()),
        (Off, OFF.replace("OFF", "CNOFF").into()),
        (Gltf, glb),
        (Gltf, format!("\u{FEFF} \n{}", gltf::document()).into()),
        (ThreeMf, threemf::of_model(model)),
        (Dae, dae::sample().into()),
        (
            Dae,
            format!(
                "\u{FEFF}<?xml?><!-- <a> -->\n{}",
                dae::sample().replace("<?xml version=\"1.0\" encoding=\"utf-8\"?>", "")
            )
            .into(),
        ),
    ]
}

#[test]
fn every_format_is_read_from_a_reader() {
    let options = Options::new();
    for (format, bytes) in files() {
        // The format comes from the caller, from the name, or from the content.
        for (name, said) in
            [("-", Some(format)), (&*format!("a.{format}"), None), ("-", None), ("input.data", None)]
        {
            if format == ThreeMf && name == "input.data" {
                continue;
            }
            let expected = parse(format, &bytes, Path::new(name)).unwrap_or_else(|e| panic!("{e}"));
            let found = read_from(Slow(&bytes), name, said, &options)
                .unwrap_or_else(|e| panic!("{format} {name}: {}", chain(&e)));
            assert_eq!(contents(&found), contents(&expected));
            assert_eq!(found.sources[0].format, Some(format));
        }
        // And the same from a file without an extension.
        let path = std::env::temp_dir().join(format!("impinge-io-reader-{}", std::process::id()));
        fs::write(&path, &bytes).unwrap();
        let found = impinge_io::read(&path);
        fs::remove_file(&path).unwrap();
        assert_eq!(contents(&found.unwrap()), contents(&parse(format, &bytes, &path).unwrap()));
    }
}

fn refused(name: &str, bytes: impl AsRef<[u8]>) -> (Error, String) {
    let error = read_from(bytes.as_ref(), name, None, &Options::new()).unwrap_err();
    let text = chain(&error);
    (error, text)
}

/// A wrong guess never gives parts. Its error names the guessed format.
#[test]
fn wrong_guesses_are_errors_that_name_the_format() {
    for (bytes, format, what) in [
        (&b"solid s\nfacet of the matter\n"[..], "STL", "line 2: the file ends where 'outer' was expected"),
        (b"{ \"asset\": 1 }", "glTF", "JSON line 1 column 12: the JSON is not that of a glTF"),
        (b"{ \"name\": \"asset\", \"asset\"", "glTF", "this is not JSON"),
        (b"v 1 2 3\n", "OBJ", "the file has no triangle"),
        (b"v 1 2 3\nf 1 2 9\n", "OBJ", "line 2"),
        (b"PK\x03\x04 a document", "3MF", "this is not a whole ZIP package"),
    ] {
        let (error, text) = refused("-", bytes);
        let end = format!("; the name gives no format, and the content was taken for {format}");
        assert!(text.starts_with("-: ") && text.contains(what) && error.text().ends_with(&end), "{text}");
        // If the caller gives the format, the error has no such words.
        let format: Format = format.parse().unwrap_or(Gltf);
        assert!(!parse(format, bytes, Path::new("-")).unwrap_err().text().contains("taken for"));
    }
    // An input beyond the limit is no wrong guess.
    let few = Options::new().with_limits(Limits::new().with_parts(0));
    let error = read_from(OBJ.as_bytes(), "-", None, &few).unwrap_err();
    assert!(error.is_too_large() && !error.text().contains("taken for"), "{error}");
}

/// A first word alone is not enough for a guess.
#[test]
fn other_content_is_not_guessed() {
    for bytes in [
        &b"solid ground is what this letter is about\n"[..],
        b"solid\n",
        b"{ \"assets\": [] }",
        b"[\"asset\"]",
        b"v one two three\nf 1 2 3\n",
        b"v 1 2\nf 1 2 3\n",
        b"f 1 2 3\n",
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nand then some text\n",
        b"1 2 3\n4 5 6\n",
        b"off we go\n",
        b"OFFICE\n",
        b"newmtl x\nKd 1 1 1\n",
        b"ply wood\n",
        b"<?xml version=\"1.0\"?><model/>",
        b"<!-- <COLLADA> --><x/>",
        b"<!-- <COLLADA>",
        b"<COLLADAS/>",
        b"\0\0\0\0",
    ] {
        let (error, text) = refused("-", bytes);
        assert!(error.is_unsupported() && text.starts_with("-: unsupported format: "), "{text}");
        assert!(
            text.ends_with("; supported are .stl, .obj, .ply, .off, .gltf, .glb, .3mf, .dae, .impinge"),
            "{text}"
        );
    }
    // A name that gives another format counts more than a guess, and a package of an unknown name is no 3MF.
    for (name, bytes) in
        [("a.ifc", OBJ.as_bytes()), ("a.fbx", ASCII_STL.as_bytes()), ("a.kmz", b"PK\x03\x04")]
    {
        assert!(refused(name, bytes).1.starts_with(&format!("{name}: unsupported format")));
    }
    let (error, text) = refused("-", "");
    assert!(error.is_invalid() && text == "-: the file is empty", "{text}");
}

#[test]
fn a_format_that_is_said_is_taken() {
    let error = read_from(OFF.as_bytes(), "a.off", Some(Ply), &Options::new()).unwrap_err();
    assert_eq!(error.to_string(), "a.off: line 1: a PLY file starts with the line 'ply'");
    // OFF without its keyword has no signature.
    let bare = OFF.replace("OFF\n", "");
    let assembly = read_from(bare.as_bytes(), "dir/x", Some(Off), &Options::new()).unwrap();
    assert_eq!(shape(&assembly), [("x", 1)]);
    assert!(refused("dir/x", bare).0.is_unsupported());
}

#[test]
fn readers_have_limits_and_errors() {
    let few = Options::new().with_limits(Limits::new().with_bytes(1000));
    let error = read_from(io::repeat(b'v'), "-", None, &few).unwrap_err();
    assert!(error.is_too_large(), "{error}");
    assert!(error.text().contains("more than 1000 bytes, and its size is not known"), "{error}");
    assert!(read_from(&stl::binary(b"", &[[[0.0; 3]; 3]; 18])[..], "-", None, &few).is_ok());

    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the line is dead"))
        }
    }
    let error = read_from(Broken, "-", Some(Stl), &few).unwrap_err();
    assert!(error.is_io());
    assert_eq!(chain(&error), "-: cannot be read: the line is dead");
    // No file is opened.
    let document = gltf::with([("/buffers/0", json!({ "byteLength": 76, "uri": "a.bin" }))]);
    let text = refused("a.gltf", document).1;
    assert!(text.contains("the file 'a.bin' is needed, but only bytes were given"), "{text}");
}

#[test]
fn formats_have_extensions() {
    let files = files();
    for format in files.iter().map(|(format, _)| *format) {
        let extension = format.to_string();
        assert_eq!(extension.parse(), Ok(format));
        assert_eq!(extension.to_uppercase().parse(), Ok(format));
        assert_eq!(Format::of(Path::new(&format!("dir.x/a.{extension}"))), Some(format));
    }
    assert_eq!("glb".parse(), Ok(Gltf));
    for text in ["", ".stl", "stl ", "glTF 2", "step"] {
        let error = text.parse::<Format>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "not a format; known are stl, obj, ply, off, gltf, glb, 3mf, dae, impinge"
        );
    }
}
