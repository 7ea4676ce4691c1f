use crate::{load, load_clean, refuse, shape, warnings};
use impinge_io::Format::Stl;

const FACET: &str =
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";

pub(crate) fn binary(header: &[u8], triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    bytes.resize(80, b' ');
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        bytes.extend(triangle.as_flattened().iter().flat_map(|c| c.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

const TRIANGLE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [0.1, 1.0, 0.0]];

#[test]
fn ascii_keeps_f64_and_merges_equal_points() {
    let text = "solid a b\n\
        facet normal nan nan nan\nouter loop\nvertex 0.1 -0.0 1e-300\nvertex 1 0 0\nvertex 0 1 0\nendloop\n\
        endfacet\n\
        FACET NORMAL 0 0 1\r\nOUTER LOOP\r\nVERTEX 1.0 0 0\nVERTEX 0.1 0.0 1e-300\nVERTEX 3 1 0\nENDLOOP\n\
        ENDFACET\n\
        endsolid a b\n";
    let assembly = load_clean(Stl, text);
    let mesh = &assembly.parts[0].mesh;
    assert_eq!(shape(&assembly), [("a b", 2)]);
    assert_eq!(mesh.points(), [[0.1, 0.0, 1e-300], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [3.0, 1.0, 0.0]]);
    assert_eq!(mesh.triangles(), [[0, 1, 2], [1, 0, 3]]);
    assert!(mesh.points()[0][1].is_sign_positive());
}

/// Other readers skip text after the end of a facet.
#[test]
fn text_behind_a_facet_is_skipped() {
    let noted = FACET.replace("endloop\n", "endloop of 3\n").replace("endfacet\n", "endfacet color 1 0 0\n");
    let assembly = load(Stl, format!("solid a\n{noted}{FACET}endsolid a\n"));
    assert_eq!(shape(&assembly), [("a", 2)]);
    let what = "dir/file.x: line 7: text after the end of a loop or facet is skipped, in 2 lines";
    assert_eq!(warnings(&assembly), [what]);
    // A keyword on the same line is not skipped.
    let facet = FACET.replace("endloop\n", "endloop ").trim_end().to_owned();
    assert_eq!(shape(&load_clean(Stl, format!("solid a\n{facet} {facet} endsolid a\n"))), [("a", 2)]);
    // Text before the next facet could be of either.
    let said = refuse(Stl, format!("solid a\n{} x {FACET}endsolid\n", FACET.trim_end()));
    assert!(said.ends_with("expected 'facet' or 'endsolid', found 'x'"), "{said}");
}

#[test]
fn each_solid_is_a_part() {
    let text = format!(
        "solid\n{FACET}endsolid\nsolid two\n{FACET}{FACET}endsolid two\nsolid\nendsolid\nsolid none\n\
         endsolid\n"
    );
    let assembly = load(Stl, text);
    assert_eq!(shape(&assembly), [("file 1", 1), ("two", 2)]);
    let [unnamed, named] = &warnings(&assembly)[..] else { panic!("{:?}", assembly.warnings) };
    assert_eq!(unnamed, "dir/file.x: line 27: a solid without a triangle is skipped");
    assert_eq!(named, "dir/file.x: part 'none': has no triangle and is skipped");
}

#[test]
fn binary_is_binary_even_if_it_starts_with_solid() {
    let assembly = load_clean(Stl, binary(b"solid facet", &[TRIANGLE, TRIANGLE]));
    assert_eq!(shape(&assembly), [("file", 2)]);
    assert_eq!(assembly.parts[0].mesh.points(), TRIANGLE.map(|p| p.map(f64::from)));
    // Truncated, it is still not ASCII.
    let cut = &binary(b"solid ", &[TRIANGLE, TRIANGLE])[..150];
    assert!(
        refuse(Stl, cut).contains("byte 150: the header counts 2 triangles, but the file ends in triangle 1")
    );
}

#[test]
fn bytes_behind_the_last_triangle_are_told() {
    let mut bytes = binary(b"x", &[TRIANGLE]);
    bytes.extend([7; 3]);
    let assembly = load(Stl, bytes);
    assert_eq!(
        warnings(&assembly),
        ["dir/file.x: byte 134: 3 bytes after the last of 1 triangles are skipped"]
    );
}

#[test]
fn degenerate_triangles_stay() {
    let assembly = load_clean(Stl, binary(b"", &[[[1.0; 3]; 3], TRIANGLE]));
    assert_eq!(assembly.parts[0].mesh.triangles(), [[0, 0, 0], [1, 2, 3]]);
}

#[test]
fn broken_files_name_the_place() {
    let nan = binary(b"", &[TRIANGLE, [[0.0; 3], [0.0, f32::NAN, 0.0], [0.0; 3]]]);
    assert!(refuse(Stl, nan).contains("dir/file.x: byte 162: triangle 1: a coordinate of corner 1 is NaN"));
    for (text, message) in [
        ("solid\nfacet\nouter loop\nvertex 1 2 inf\n", "line 4: the coordinate 'inf' is not finite"),
        ("solid\nfacet\nouter loop\nvertex 1 2 1e999\n", "line 4: the coordinate '1e999' is not finite"),
        ("solid\nfacet\nouter loop\nvertex 1 2 1,5\n", "line 4: '1,5' is not a number"),
        ("solid\nfacet\nouter loop\nvertex 1 2\nvertex 3 3 3", "line 5: 'vertex' is not a number"),
        ("solid\nhello\nendsolid", "line 2: expected 'facet' or 'endsolid', found 'hello'"),
        (
            "solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\n",
            "line 7: expected 'endloop'",
        ),
        ("solid x\nendsolid x\nwhat", "line 3: expected 'solid', found 'what'"),
        ("solid x\nfacet\n", "line 2: the file ends where 'outer' was expected"),
        ("solid x\nendsolid", "the file has no triangle (part 'x': has no triangle and is skipped)"),
        ("garbage", "byte 7: neither ASCII STL"),
        ("", "dir/file.x: the file is empty"),
    ] {
        let found = refuse(Stl, text);
        assert!(found.contains(message), "{text:?}: {found}");
    }
    let unended = refuse(Stl, format!("solid\n{FACET}"));
    assert!(unended.contains("line 8: the file ends inside a solid"), "{unended}");
}
