use crate::{load, load_clean, refuse, shape, warnings};
use impinge_io::Format::Off;

#[test]
fn counts_comments_and_colours_in_any_place() {
    for text in [
        "OFF\n4 1 0\n0.1 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n",
        "OFF 4 1 0\n0.1 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3",
        "4 1\n0.1 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3",
        "# made\r\nSTCNOFF # all\r\n\r\n4 1 4 # counts\r\n0.1 0 0 0 0 1\r\n1 0 0\r\n\r\n1 1 0\r\n\
         0 1 0 255 0 0\r\n4 0 1 2 3 255 0 0\r\n# end",
    ] {
        let assembly = load_clean(Off, text);
        assert_eq!(shape(&assembly), [("file", 2)]);
        assert_eq!(assembly.parts[0].mesh.points()[0], [0.1, 0.0, 0.0]);
        assert_eq!(assembly.parts[0].mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
    }
}

#[test]
fn unused_vertices_go_and_small_faces_are_counted() {
    let assembly = load(Off, "OFF\n4 3 0\n9 9 9\n1 0 0\n1 1 0\n0 1 0\n2 0 1\n3 3 2 1\n0\nmore\n");
    assert_eq!(assembly.parts[0].mesh.points().len(), 3);
    assert_eq!(assembly.parts[0].mesh.triangles(), [[2, 1, 0]]);
    assert_eq!(
        warnings(&assembly),
        [
            "dir/file.x: line 7: faces with fewer than 3 corners contain no triangle and are skipped: 2",
            "dir/file.x: line 10: content after the last face is skipped",
        ]
    );
}

#[test]
fn broken_files_name_the_line() {
    for (text, message) in [
        ("OF\n1 1 0", "line 1: expected 'OFF', found 'OF'"),
        ("4OFF\n3 1 0\n", "line 1: '4OFF' is not supported"),
        ("nOFF\n3 1 0\n", "line 1: 'nOFF' is not supported"),
        ("OFF BINARY\n", "line 1: binary OFF is not supported"),
        ("OFF\n3\n", "line 2: no count of faces"),
        ("OFF\n3 -1\n", "line 2: the count of faces is -1"),
        ("OFF\n3 1 0\n0 0 0\n1 0 0\n          ", "line 5: the file ends before vertex 2 of 3"),
        ("OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n", "line 5: the file ends before face 0 of 1"),
        ("OFF\n3 1 0\n0 0 0\n1 0 x\n1 1 0\n3 0 1 2", "line 4: 'x' is not a number"),
        ("OFF\n3 1 0\n0 0 0\n1 0\n1 1 0\n3 0 1 2", "line 4: a vertex needs 3 coordinates, this one has 2"),
        ("OFF\n3 1 0\n0 0 0\n1 0 nan\n1 1 0\n3 0 1 2", "line 4: the coordinate 'nan' is not finite"),
        ("OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n3 0 1 3", "line 6: a face names vertex 3; there are 3, from 0"),
        ("OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n3 0 1 -1", "line 6: a face names vertex -1; there are 3, from 0"),
        ("OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n4 0 1 2", "line 6: a face of 4 corners names only 3"),
        ("OFF\n0 0 0\n", "the file has no triangle"),
    ] {
        let found = refuse(Off, text);
        assert!(found.contains(message), "{text:?}: {found}");
    }
}
