use crate::{chain, load, load_clean, refuse, shape, warnings};
use impinge_io::{Assembly, Error, Format, Format::Obj, parse, read};

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn groups_with_faces_are_parts_and_materials_are_not() {
    let text = format!(
        "mtllib C:\\m\\\n{SQUARE}o box\nusemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\n\
         o rod\ng head\nf 2/1 3/1 4/1\ng foot\nf 2//1 3//1 4//1\ng head\nf 2/1/1 1/2/2 4/3/3\ng\nf 1 2 3\n\
         o rod\nf 1 2 4\n"
    );
    let assembly = load_clean(Obj, text);
    let parts = [("box", 2), ("rod/head", 2), ("rod/foot", 1), ("rod", 1), ("rod", 1)];
    assert_eq!(shape(&assembly), parts);
    // Only its own vertices, in the order in which faces name them.
    assert_eq!(
        assembly.parts[1].mesh.points(),
        [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]]
    );
    assert_eq!(assembly.parts[1].mesh.triangles(), [[0, 1, 2], [0, 3, 2]]);
}

#[test]
fn one_part_keeps_the_order_of_its_vertices() {
    let assembly = load_clean(Obj, "v 9 9 9\nv 0.1 1e-320 -2.5e300\nv 1 0 0 1.0\nv 0 1 0 1 0 0\nf 4 3 2\n");
    assert_eq!(shape(&assembly), [("file", 1)]);
    let mesh = &assembly.parts[0].mesh;
    assert_eq!(mesh.points(), [[0.1, 1e-320, -2.5e300], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(mesh.triangles(), [[2, 1, 0]]);
}

#[test]
fn negative_indices_polygons_continuations_and_line_ends() {
    let text = format!("\u{FEFF}# remark \\\r\n{SQUARE}f -4 \\\r\n  -3/-1 -2//-1 \\\n -1 # tail\rf 1 2 3");
    let assembly = load_clean(Obj, text);
    assert_eq!(assembly.parts[0].mesh.triangles(), [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
}

#[test]
fn names_are_printable_and_of_a_decent_length() {
    let name = |name: &[u8]| {
        let text = [SQUARE.as_bytes(), b"o ", name, b"\nf 1 2 3\n"].concat();
        load_clean(Obj, text).parts[0].name.to_string()
    };
    assert_eq!(name(b" Stra\xC3\x9Fe 7 \t"), "Straße 7");
    assert_eq!(name(b"a\x07\xFFb"), "a\u{FFFD}\u{FFFD}b");
    assert_eq!(name("é".repeat(1000).as_bytes()), "é".repeat(1000));
    assert_eq!(name("é".repeat(5000).as_bytes()), format!("{}…", "é".repeat(999)));
}

#[test]
fn faces_may_come_before_their_vertices() {
    assert_eq!(load_clean(Obj, format!("f 1 2 3\n{SQUARE}")).triangles(), 1);
    let found = refuse(Obj, format!("f 1 2 3\nf 1 2 5\n{SQUARE}f 1 2 5"));
    assert!(found.ends_with("line 2: a face names vertex 5; the file has 4"), "{found}");
}

#[test]
fn what_is_no_triangle_is_counted() {
    let text = format!(
        "{SQUARE}p 1\np 2\nl 1 2\nf 1 2\nf\ncurv 0 1 1 2\nhello\no camera\no lost\ng inner\no box\nf 1 2 3"
    );
    let assembly = load(Obj, text);
    assert_eq!(shape(&assembly), [("box", 1)]);
    assert_eq!(
        warnings(&assembly),
        [
            "dir/file.x: line 8: faces with fewer than 3 corners contain no triangle and are skipped: 2",
            "dir/file.x: line 5: points ('p') are not triangles and are skipped: 2, first 'p'",
            "dir/file.x: line 7: lines ('l') are not triangles and are skipped: 1, first 'l'",
            "dir/file.x: line 10: statements of free-form curves and surfaces are not read: 1, first 'curv'",
            "dir/file.x: line 11: unknown statements are not read: 1, first 'hello'",
            "dir/file.x: line 12: groups without a face: 2, first 'camera'",
        ]
    );
}

#[test]
fn broken_files_name_the_line() {
    for (tail, message) in [
        ("f 1 2 0", "line 5: a face names vertex 0; there are 4 so far"),
        ("f 1 2 -5", "line 5: a face names vertex -5; there are 4 so far"),
        ("f 1 2 -0", "line 5: a face names vertex -0; there are 4 so far"),
        ("f 1 2 5", "line 5: a face names vertex 5; the file has 4"),
        ("f 1 2 99999999999999999999", "line 5: a face names vertex 99999999999999999999"),
        ("f 1 2 3.5", "line 5: '3.5' is not a corner of a face"),
        ("f 1 2 x", "line 5: 'x' is not a corner of a face"),
        ("f 1 2 3/x", "line 5: '3/x' is not a corner of a face"),
        ("v 1 2", "line 5: a vertex needs 3 coordinates, this one has 2"),
        ("v 1 2 zero", "line 5: 'zero' is not a number"),
        ("v 1 2 nan", "line 5: the coordinate 'nan' is not finite"),
        ("l 1 2", "the file has no triangle (line 5: lines ('l') are not triangles"),
        ("", "the file has no triangle"),
    ] {
        let found = refuse(Obj, format!("{SQUARE}{tail}"));
        assert!(found.contains(message), "{tail:?}: {found}");
    }
}

/// Lines of the usual kind take a fast path. Its result equals that of the general path for all line ends.
#[test]
fn usual_lines_and_others_give_the_same() {
    let mut text = String::from("o one\n");
    for i in 0..40_i32 {
        let (x, y) = (f64::from(i - 20) / 7.0, f64::from(i * i * 31 % 17) * 1e-9);
        text += &format!("v {x} {y:e}\t{}.{i:08} \nvn 0 0 1\n", -i);
    }
    for (i, face) in
        ["1 2 3", "4//1  5//1 6//2", "7/1/-1 8/2/2 9/3/3 10/1/1", "-1 -2 -39", "-1/-1 12\t3/", "1 2"]
            .iter()
            .cycle()
            .take(30)
            .enumerate()
    {
        text += &format!("f {face}{}\n", if i % 2 == 0 { "" } else { " " });
        text += if i == 12 { "g two\n" } else { "" };
    }
    let parts = |text: &str| load(Obj, text).parts.into_iter().map(|part| part.mesh).collect::<Vec<_>>();
    let expected = parts(&text);
    assert_eq!(expected.len(), 2);
    for end in ["\r\n", "\r", " \n", " # a remark\n", " \\\n\n", "\\\n\n"] {
        assert_eq!(parts(&text.replace('\n', end)), expected, "{end:?}");
    }
    // A keyword followed by something other than a blank, and a last line without a line end.
    assert_eq!(parts(text.replace("\nv ", "\nv\x0B").replace("\nf ", "\nfo ").trim_end()), expected);
}

#[test]
fn usual_lines_are_refused_as_others_are() {
    for (line, expected) in [
        ("v 1 2", "line 5: a vertex needs 3 coordinates, this one has 2"),
        ("v 1 2\nv 3 4 5", "line 5: a vertex needs 3 coordinates, this one has 2"),
        ("v 1 2 3#", "line 5: '3#' is not a number"),
        ("v 1 2 1e400", "line 5: the coordinate '1e400' is not finite"),
        ("v 1 nan 1", "line 5: the coordinate 'nan' is not finite"),
        ("v 1 0x1 1", "line 5: '0x1' is not a number"),
        ("f 1 2 3x", "line 5: '3x' is not a corner of a face"),
        ("f 1 2 3 4/x", "line 5: '4/x' is not a corner of a face"),
        ("f 1 2 0", "line 5: a face names vertex 0; there are 4 so far"),
        ("f 1 2 -0", "line 5: a face names vertex -0; there are 4 so far"),
        ("f 1 2 -5", "line 5: a face names vertex -5; there are 4 so far"),
        ("f 1 2 +3", "line 5: '+3' is not a corner of a face"),
        ("f 1 2 4294967297", "line 5: a face names vertex 4294967297; there are 4 so far"),
        ("f 1 2 5", "line 5: a face names vertex 5; the file has 4"),
    ] {
        // The first face of a part takes the general path.
        let first = refuse(Obj, format!("{SQUARE}{line}\nf 1 2 3\n"));
        assert!(first.ends_with(expected), "{first}");
        let later = refuse(Obj, format!("{SQUARE}f 1 2 3\n{line}\n"));
        assert!(later.ends_with(&expected.replace("line 5", "line 6")), "{later}");
    }
}

/// A file is parsed in blocks, bytes in memory as a whole: both must give the same result.
#[test]
fn files_are_what_their_bytes_are() {
    let mut long = String::from("\u{FEFF}# made up \\\nmtllib C:\\m\\\n");
    for i in 0..9000_u32 {
        let end = ["\n", "\r\n", " # \\ no end\n", "\r", "\\\n 1\n"][(i % 5) as usize];
        long += &format!("v {i} 0.{i} -{i}.5e-3{end}");
        if i % 3 == 2 {
            long += &format!("o part {i}\nf -1 \\\n-2 {}\n", i - 1);
        }
    }
    let utf16: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(long.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let ply = b"ply\nformat ascii 1.0\nelement vertex 3\n\
                property float x\nproperty float y\nproperty float z\n\
                element face 1\nproperty list uchar int vertex_indices\nend_header\n\
                0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let texts = [
        long.clone().into_bytes(),
        long.replace("\r\n", "\n").replace("\\\n", " ").replace('\n', "\r").into_bytes(),
        format!("{long}v 1 2 x\n").into_bytes(),
        format!("{long}f 1 2 99999\n{long}").into_bytes(),
        format!("{long}f 1 2 3 \\").into_bytes(),
        format!("{SQUARE}g{}\nf 1 2 3\n", " long".repeat(40_000)).into_bytes(),
        utf16,
        ply.to_vec(),
        b"".to_vec(),
        b"f 1 2 3".to_vec(),
        SQUARE.into(),
    ];
    let file = std::env::temp_dir().join(format!("impinge-io-blocks-{}.obj", std::process::id()));
    let shown = |read: Result<Assembly, Error>| match read {
        Ok(assembly) => format!("{:?} {:?}", assembly.parts, assembly.warnings),
        Err(error) => chain(&error),
    };
    for (k, text) in texts.iter().enumerate() {
        std::fs::write(&file, text).unwrap();
        let format = Format::sniff(text).unwrap_or(Obj);
        let (of_file, of_bytes) = (shown(read(&file)), shown(parse(format, text, &file)));
        // Only `read` sees the path, so only it warns of a wrong extension.
        assert!(of_file == of_bytes || format != Obj && of_file.contains("extension"), "{k}: {of_file:.300}");
    }
    std::fs::remove_file(&file).unwrap();
}
