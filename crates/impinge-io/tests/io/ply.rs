use crate::{load, load_clean, memory::measure, parse, refuse, shape, warnings};
use impinge_io::Format::Ply;

const HEAD: &str =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n";
const FACE: &str = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";

#[test]
fn ascii_keeps_f64_and_passes_over_what_it_does_not_know() {
    let text = "ply\r\nformat ascii 1.0\r\ncomment hi\r\nobj_info x\r\nelement material 1\r\n\
        property list uchar float a\r\n\
        property int b\r\nelement vertex 4\r\nproperty uchar red\r\nproperty double z\r\n\
        property list int int w\r\nproperty double y\r\n\
        property double x\r\nelement face 2\r\nproperty float q\r\n\
        property list uint8 uint32 vertex_index\r\nproperty uchar c\r\n\
        end_header\r\n2 nan inf 7\r\n\r\n1 0.1 0 -1e-310 0\r\n1 0 2 5 5 0 1\r\n1 0 0 1 1\r\n1 0 0 1 0\r\n\
        0 4 0 1 2 3 9\r\n0 3 0 1 2 9\r\n";
    let assembly = load(Ply, text);
    assert_eq!(shape(&assembly), [("file", 3)]);
    assert_eq!(assembly.parts[0].mesh.points()[0], [0.0, -1e-310, 0.1]);
    assert_eq!(assembly.parts[0].mesh.triangles(), [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
    assert_eq!(warnings(&assembly), ["dir/file.x: line 18: 1 rows of the element 'material' are not read"]);
}

/// A face list before the vertices, of every type, in either byte order.
#[test]
fn binary_in_every_type_and_order() {
    macro_rules! one {
        ($name:literal, $type:ty, $index:literal, $index_type:ty, $order:literal, $to:ident) => {{
            let mut bytes = format!(
                "ply\nformat binary_{}_endian 1.0\nelement face 1\nproperty list {} {} vertex_indices\n\
                 property short s\n\
                 element vertex 3\nproperty {} x\nproperty {} y\nproperty {} z\n\
                 property list ushort double l\nend_header\n",
                $order, $index, $index, $name, $name, $name
            )
            .into_bytes();
            for index in [3, 2, 1, 0] {
                bytes.extend((index as $index_type).$to());
            }
            bytes.extend([0, 0]);
            for point in [[0, 1, 2], [3, 4, 5], [7, 8, 10]] {
                point.iter().for_each(|&c| bytes.extend((c as $type).$to()));
                bytes.extend(2_u16.$to());
                bytes.extend([0xFF; 16]);
            }
            let assembly = load_clean(Ply, bytes);
            assert_eq!(assembly.parts[0].mesh.triangles(), [[2, 1, 0]]);
            assert_eq!(assembly.parts[0].mesh.points(), [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [7.0, 8.0, 10.0]]);
        }};
    }
    macro_rules! each {
        ($($name:literal $type:ty, $index:literal $index_type:ty;)*) => {$(
            one!($name, $type, $index, $index_type, "little", to_le_bytes);
            one!($name, $type, $index, $index_type, "big", to_be_bytes);
        )*};
    }
    each! {
        "char" i8, "uchar" u8;
        "uint8" u8, "int8" i8;
        "short" i16, "ushort" u16;
        "uint16" u16, "int16" i16;
        "int" i32, "uint" u32;
        "uint32" u32, "int32" i32;
        "float" f32, "float64" f64;
        "double" f64, "float32" f32;
    }
}

#[test]
fn binary_behind_lone_carriage_returns_may_start_with_a_line_feed() {
    let head = "ply\rformat binary_little_endian 1.0\relement vertex 3\rproperty uchar x\rproperty uchar y\r\
        property uchar z\r\
        element face 1\rproperty list uchar uchar vertex_indices\rend_header\r";
    let mut bytes = head.as_bytes().to_vec();
    bytes.extend([10, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0, 1, 2]);
    assert_eq!(load_clean(Ply, bytes).parts[0].mesh.points()[0], [10.0, 0.0, 0.0]);
}

#[test]
fn strips_are_cut_into_triangles() {
    let text = format!(
        "{}element tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n\
         1 1 0\n9 0 1 2 3 -1 -1 3 1 0\n",
        HEAD.replace("vertex 3", "vertex 4")
    );
    let assembly = load_clean(Ply, text);
    assert_eq!(assembly.parts[0].mesh.triangles(), [[0, 1, 2], [2, 1, 3], [3, 1, 0]]);
}

#[test]
fn leftovers_are_told() {
    let assembly = load(
        Ply,
        format!("{HEAD}{}0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n2 0 1\n\n 3 0", FACE.replace("face 1", "face 2")),
    );
    assert_eq!(
        warnings(&assembly),
        [
            "dir/file.x: line 14: 3 bytes after the last element are skipped",
            "dir/file.x: line 14: faces with fewer than 3 corners contain no triangle and are skipped: 1",
        ]
    );
}

#[test]
fn broken_bodies_name_the_place() {
    for (body, message) in [
        ("0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "line 13: face 0 names vertex 3; there are 3, from 0"),
        ("0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "line 13: face 0 names vertex -1; there are 3, from 0"),
        ("0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n", "line 13: face 0 names vertex 1.5; there are 3, from 0"),
        ("0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n", "line 13: the length of a list is -3"),
        ("0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n", "line 13: the line ends before its row does"),
        ("0 0 0\n1 0 0\n0 1 0\n3 0 1 2 7\n", "line 13: a row of 'face' goes on with '7' after its end"),
        ("0 0 0\n1 x 0\n0 1 0\n3 0 1 2\n", "line 11: 'x' is not a number"),
        ("0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", "line 11: vertex 1: y is NaN"),
        ("0 0 0\n1 0\n0 1 0\n3 0 1 2\n", "line 11: the line ends before its row does"),
        ("0 0 0\n1 0 0\n0 1 0\n\n\n\n", "the header announces 1 rows of the element 'face'"),
        ("0.00000000 0 0\n1 0 0\n\n", "line 12: the file ends before the 3 rows of 'vertex' do"),
    ] {
        let found = refuse(Ply, format!("{HEAD}{FACE}{body}"));
        assert!(found.contains(message), "{body:?}: {found}");
    }
}

#[test]
fn broken_headers_name_the_line() {
    for (text, message) in [
        ("plx\n", "line 1: a PLY file starts with the line 'ply'"),
        ("ply\nformat ascii 1.0\n", "line 2: the file ends inside the header"),
        ("ply\nend_header\n", "line 2: the header has no line 'format'"),
        ("ply\nformat binary\n", "line 2: 'binary' is not a format of PLY"),
        ("ply\nproperty int x\n", "line 2: a property before the first element"),
        ("ply\nelement vertex\n", "line 2: an element needs a name and a count"),
        ("ply\nelement vertex -1\n", "line 2: the count is -1"),
        ("ply\nelement vertex 1\nelement vertex 1\n", "line 3: a second element 'vertex'"),
        ("ply\nelement vertex 1\nproperty half x\n", "line 3: 'half' is not a type of PLY"),
        ("ply\nelement vertex 1\nproperty list int\n", "line 3: a property needs a type and a name"),
        (
            "ply\nelement vertex 1\nproperty int x\nproperty int x\n",
            "line 4: a second property 'x' of 'vertex'",
        ),
        ("ply\nhello\n", "line 2: 'hello' does not belong in a header"),
        (
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nend_header\n0 0",
            "line 3: the element 'vertex' has no number 'y'",
        ),
        (
            "ply\nformat ascii 1.0\nelement face 1\nproperty int x\nend_header\n0",
            "line 3: the element 'face' has no list 'vertex_indices'",
        ),
        ("ply\nformat ascii 1.0\nelement face 0\nend_header\n", "the file has no triangle"),
    ] {
        let found = refuse(Ply, text);
        assert!(found.contains(message), "{text:?}: {found}");
    }
}

#[test]
fn binary_that_ends_early_names_the_byte() {
    let mut bytes = format!("{HEAD}{FACE}").replace("ascii", "binary_big_endian").into_bytes();
    let body = bytes.len();
    bytes.extend([0; 72]);
    bytes.extend([3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    let found = refuse(Ply, &bytes);
    assert!(found.ends_with(&format!("byte {}: the file ends inside its last row", body + 83)), "{found}");
}

/// A megabyte of names: comparing each with all earlier ones took 3 s here.
#[test]
fn a_header_costs_what_its_length_does() {
    let head = "ply\nformat ascii 1.0\n";
    let elements: String = (0..60_000).map(|i| format!("element e{i} 0\n")).collect();
    let properties: String = (0..60_000).map(|i| format!("property float p{i}\n")).collect();
    let vertex = "element vertex 0\nproperty float x\nproperty float y\nproperty float z\n";
    for text in [
        format!("{head}{elements}{vertex}end_header\n"),
        format!("{head}{vertex}{properties}end_header\n"),
        // Blanks after the header, which the reader must not count again for each element.
        format!("{head}{elements}{vertex}end_header\n{}", " \n".repeat(200_000)),
        format!("{head}{elements}{vertex}end_header\n{}.", "\n".repeat(400_000)),
    ] {
        let (result, _, time) = measure(|| parse(Ply, &text));
        assert!(result.unwrap_err().is_no_triangles());
        assert!(time.as_secs_f64() < 1.0, "{time:?}");
    }
    for (text, what) in [
        (format!("{head}element a 0\n{elements}element e7 0\nend_header\n"), "a second element 'e7'"),
        (
            format!("{head}{vertex}{properties}property int p7\nend_header\n"),
            "a second property 'p7' of 'vertex'",
        ),
    ] {
        let found = refuse(Ply, text);
        assert!(found.contains(what), "{found}");
    }
    // Two elements may have a property of the same name.
    let text = format!("{head}element a 0\nproperty int x\n{vertex}end_header\n");
    assert!(parse(Ply, text).unwrap_err().is_no_triangles());
}
