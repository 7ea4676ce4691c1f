//! `impinge pair`: poses, formats, frames.
use crate::common::{FIVE, Folder, TRIANGLE, error, json, run, sheets, stdout};
use serde_json::{Value, json};
use std::path::PathBuf;

/// B far above, B at rest, B one to the right: it touches the triangle at rest in (1, 0, 0).
const SHIFTS: [[f64; 3]; 3] = [[0.0, 0.0, 7.0], [0.0; 3], [1.0, 0.0, 0.0]];

fn pose(t: [f64; 3]) -> [f64; 12] {
    [1.0, 0.0, 0.0, t[0], 0.0, 1.0, 0.0, t[1], 0.0, 0.0, 1.0, t[2]]
}

fn text(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}

fn triangle(folder: &Folder) -> PathBuf {
    folder.file("triangle.obj", TRIANGLE)
}

fn frames(answers: &[bool]) -> Value {
    let frame =
        |(i, &meet): (usize, &bool)| json!({"frame": i, "intersecting": meet, "pair_count": u8::from(meet)});
    json!({ "frames": answers.iter().enumerate().map(frame).collect::<Vec<_>>(), "warnings": [] })
}

#[test]
fn one_frame_as_json() {
    let folder = Folder::new();
    let (five, triangle) = (folder.file("five.obj", FIVE), triangle(&folder));
    assert_eq!(json(0, &[&"pair", &five, &triangle, &"--format", &"json"]), frames(&[true]));
    // Triangle 0 is the one at rest; 2, the blade, touches it. Numbers run through all parts of the file.
    let pairs = json(0, &[&"pair", &triangle, &five, &"--query", &"pairs", &"--format", &"json"]);
    let frame = json!({"frame": 0, "intersecting": true, "pair_count": 2, "pairs": [[0, 0], [0, 2]]});
    assert_eq!(pairs, json!({ "frames": [frame], "warnings": [] }));
}

#[test]
fn poses_on_the_command_line() {
    let folder = Folder::new();
    let mesh = triangle(&folder);
    for ([pose_a, pose_b], meet) in [
        ([pose([0.0; 3]), pose([0.0, 0.0, 7.0])], false),
        ([pose([0.0, 0.0, 7.0]), pose([0.0, 0.0, 7.0])], true),
        ([pose([-1.0, 0.0, 0.0]), pose([0.0; 3])], true),
    ] {
        let (a, b) = (text(&pose_a), text(&pose_b).replace(' ', ", "));
        let report =
            json(0, &[&"pair", &mesh, &mesh, &"--pose-a", &a, &"--pose-b", &b, &"--format", &"json"]);
        assert_eq!(report, frames(&[meet]));
    }
    // A number that begins with a minus is not taken for a flag.
    let mirror = "-1 0 0 0 0 -1 0 0 0 0 1 0";
    run(0, &[&"pair", &mesh, &mesh, &"--pose-b", &mirror]);
    let text = error(&[&"pair", &mesh, &mesh, &"--pose-b", &"1 2 3"]);
    assert_eq!(text, "impinge: error: --pose-b: a pose is 12 numbers, 3 rows of [R | t], but there are 3");
}

#[test]
fn poses_from_a_text() {
    let folder = Folder::new();
    let mesh = triangle(&folder);
    let twelve: String = SHIFTS.iter().map(|&t| text(&pose(t)) + " # a frame\n").collect();
    let twelve = folder.file("twelve.txt", format!("# B\n\n{twelve}"));
    let report = |args: &[&dyn AsRef<std::ffi::OsStr>]| {
        json(0, &[&[&"pair" as &dyn AsRef<_>, &mesh, &mesh, &"--format", &"json", &"--poses"], args].concat())
    };
    assert_eq!(report(&[&twelve]), frames(&[false, true, true]));
    // A stays where --pose-a has put it.
    let up = text(&pose([0.0, 0.0, 7.0]));
    assert_eq!(report(&[&twelve, &"--pose-a", &up]), frames(&[true, false, false]));
    // Both move together: A always meets B at rest.
    let both: String = SHIFTS.iter().map(|&t| format!("{} {}\n", text(&pose(t)), text(&pose(t)))).collect();
    let both = folder.file("both.txt", both);
    assert_eq!(report(&[&both]), frames(&[true; 3]));
    let twice = error(&[&"pair", &mesh, &mesh, &"--poses", &both, &"--pose-a", &up]);
    assert!(twice.contains("and so does --pose-a"), "{twice}");
    run(2, &[&"pair", &mesh, &mesh, &"--poses", &twelve, &"--pose-b", &up]);
}

#[test]
fn errors_in_a_text_have_a_line() {
    let folder = Folder::new();
    let mesh = triangle(&folder);
    let rest = text(&pose([0.0; 3]));
    let scaled = rest.replacen('1', "2", 1);
    for (content, expected) in [
        (format!("{rest}\n1 2 3\n"), "line 2: 3 numbers, where the first frame has 12"),
        (format!("# B\n{rest} 5\n"), "line 2: 13 numbers; a frame has 12"),
        (
            format!("{rest}\n\n{}", rest.replacen('1', "nan", 1)),
            "line 3: the pose's entry in row 0, column 0 is NaN",
        ),
        (format!("{rest}\n{scaled}"), "line 2: the pose is not a rigid motion"),
        (rest.replace('1', "one"), "line 1: 'one' is not a number"),
        ("# nothing\n".to_owned(), "there is no frame in it"),
    ] {
        let poses = folder.file("poses.txt", content);
        let text = error(&[&"pair", &mesh, &mesh, &"--poses", &poses]);
        assert!(text.contains(&format!("poses.txt: {expected}")), "{text}");
    }
    let poses = folder.file("poses.txt", format!("{rest}\n{scaled}"));
    assert!(error(&[&"pair", &mesh, &mesh, &"--poses", &poses]).contains("--affine"));
    run(0, &[&"pair", &mesh, &mesh, &"--poses", &poses, &"--affine"]);
    assert!(error(&[&"pair", &mesh, &mesh, &"--poses", &folder.path("absent.txt")]).contains("absent.txt"));
}

/// An .npy file as NumPy writes it.
fn npy(shape: &str, fortran: bool, values: &[f64]) -> Vec<u8> {
    let fortran = if fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': '<f8', 'fortran_order': {fortran}, 'shape': {shape}, }}");
    while !(10 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// The values of a C-ordered array in Fortran's order, built up by walking over all indices.
fn to_fortran(shape: &[usize], values: &[f64]) -> Vec<f64> {
    let mut out = Vec::new();
    let mut index = vec![0; shape.len()];
    for _ in values {
        out.push(values[index.iter().zip(shape).fold(0, |at, (i, n)| at * n + i)]);
        for (i, n) in index.iter_mut().zip(shape) {
            *i += 1;
            if *i < *n {
                break;
            }
            *i = 0;
        }
    }
    out
}

/// Poses with the last row that makes each of them 4 by 4.
fn square(poses: &[f64]) -> Vec<f64> {
    poses.chunks(12).flat_map(|pose| pose.iter().copied().chain([0.0, 0.0, 0.0, 1.0])).collect()
}

#[test]
fn parts_of_files_are_named() {
    let folder = Folder::new();
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 5\nv 1 0 5\nv 0 1 5\n\
                o floor\nf 1 2 3\no roof\nf 4 5 6\no nut\nf 1 2 3\no bolt\nf 1 2 3\no nut\nf 4 5 6\n";
    let house = folder.file("house.obj", text);
    let part = |name: &str| format!("{}:{name}", house.display());
    let meet = |a: &str, b: &str| {
        let report = json(0, &[&"pair", &part(a), &part(b), &"--format", &"json"]);
        report["frames"][0]["intersecting"].as_bool().unwrap()
    };
    assert!(!meet("floor", "roof") && meet("floor", "bolt"));
    // As tables name parts that share a name.
    assert!(meet("nut (1 of 2)", "floor") && meet("nut (2 of 2)", "roof") && !meet("nut (2 of 2)", "floor"));
    // A part and the whole file.
    let whole = json(0, &[&"pair", &part("roof"), &house, &"--format", &"json"]);
    assert_eq!(whole["frames"][0]["intersecting"], true);
    let text = error(&[&"pair", &part("rof"), &house]);
    assert!(
        text.ends_with("house.obj: has no part 'rof'; the nearest names are 'roof', 'nut', 'bolt'"),
        "{text}"
    );
    let text = error(&[&"pair", &part("nut"), &house]);
    assert!(
        text.ends_with("house.obj: 2 parts have the name 'nut': 'nut (1 of 2)', 'nut (2 of 2)'"),
        "{text}"
    );
    error(&[&"pair", &part("nut (3 of 3)"), &house]);
    assert!(error(&[&"pair", &folder.path("absent.obj:x"), &house]).contains("absent.obj:x"));
}

#[test]
fn poses_from_numpy_in_every_shape() {
    let folder = Folder::new();
    let mesh = triangle(&folder);
    let ask = |bytes: Vec<u8>| {
        let poses = folder.file("poses.npy", bytes);
        json(0, &[&"pair", &mesh, &mesh, &"--poses", &poses, &"--format", &"json"])
    };
    let b: Vec<f64> = SHIFTS.iter().flat_map(|&t| pose(t)).collect();
    // A far above: only B of frame 0 is there, too.
    let up = pose([0.0, 0.0, 7.0]);
    let both: Vec<f64> = SHIFTS.iter().flat_map(|&t| up.into_iter().chain(pose(t))).collect();
    let (of_b, of_both) = (frames(&[false, true, true]), frames(&[true, false, false]));
    for (shape, values, expected) in [
        (&[3, 12][..], &b, &of_b),
        (&[3, 3, 4], &b, &of_b),
        (&[3, 24], &both, &of_both),
        (&[3, 2, 3, 4], &both, &of_both),
        (&[3, 4, 4], &square(&b), &of_b),
        (&[3, 2, 4, 4], &square(&both), &of_both),
    ] {
        let text = format!("{shape:?}").replace('[', "(").replace(']', ")");
        assert_eq!(&ask(npy(&text, false, values)), expected, "{text}");
        assert_eq!(&ask(npy(&text, true, &to_fortran(shape, values))), expected, "{text}, Fortran order");
    }
    for (bytes, expected) in [
        (npy("(12, 3)", false, &b), "its shape is [12, 3]; poses are (N, 12)"),
        (npy("(4, 12)", false, &b), "does not fit"),
        (npy("(1, 4, 4)", false, &[1.0; 16]), "frame 0: the last row of a matrix is 1 1 1 1, not 0 0 0 1"),
        (npy("(0, 12)", false, &[]), "there is no frame in it"),
        (npy("(1, 12)", false, &[0.0; 12]), "frame 0: the pose is not a rigid motion"),
        (b"\x93NUMPY".to_vec(), "ends within the header"),
        (b"1 0 0".to_vec(), "not an .npy file"),
    ] {
        let poses = folder.file("poses.npy", bytes);
        let text = error(&[&"pair", &mesh, &mesh, &"--poses", &poses]);
        assert!(text.contains("poses.npy: ") && text.contains(expected), "{text}");
    }
}

#[test]
fn the_csv_is_as_documented() {
    let folder = Folder::new();
    let mesh = triangle(&folder);
    let poses: String = SHIFTS.iter().map(|&t| text(&pose(t)) + "\n").collect();
    let poses = folder.file("poses.txt", poses);
    let csv = stdout(0, &[&"pair", &mesh, &mesh, &"--poses", &poses, &"--format", &"csv", &"--repeat", &"3"]);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("frame,intersecting,pair_count,volume_tests,triangle_tests,microseconds"));
    for (i, line) in lines.by_ref().enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let meet = if i == 0 { ["false", "0"] } else { ["true", "1"] };
        assert_eq!(cells[..3], [&*i.to_string(), meet[0], meet[1]]);
        assert!(cells[3].parse::<u64>().is_ok() && cells[4].parse::<u64>().is_ok());
        assert!(cells[5].parse::<f64>().unwrap() >= 0.0);
        assert_eq!(cells.len(), 6);
    }
}

#[test]
fn answers_do_not_depend_on_how_they_are_found() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    let poses: String = (0..40).map(|i| text(&pose([f64::from(i) * 0.25, 0.0, 0.0])) + "\n").collect();
    let poses = folder.file("poses.txt", poses);
    let ask = |more: &[&str]| {
        let mut args: Vec<&dyn AsRef<std::ffi::OsStr>> =
            vec![&"pair", &five, &five, &"--poses", &poses, &"--query", &"pairs", &"--format", &"json"];
        args.extend(more.iter().map(|arg| arg as &dyn AsRef<_>));
        stdout(0, &args)
    };
    let one = ask(&[]);
    for more in [&["--threads", "2"][..], &["--threads", "4"], &["--repeat", "2"]] {
        assert_eq!(ask(more), one, "{more:?}");
    }
    let report: Value = serde_json::from_str(&one).unwrap();
    assert!(report["frames"].as_array().unwrap().iter().any(|frame| frame["intersecting"] == false));
}

#[test]
fn one_large_frame_for_many_threads() {
    let folder = Folder::new();
    let [x, y] = sheets(&folder);
    let ask = |threads: &str| {
        stdout(0, &[&"pair", &x, &y, &"--query", &"pairs", &"--format", &"json", &"--threads", &threads])
    };
    let one = ask("1");
    assert!(one.len() > 5000, "{} bytes: many pairs", one.len());
    assert!(ask("2") == one && ask("3") == one);
}

#[test]
fn stats_do_not_spoil_what_programs_read() {
    let folder = Folder::new();
    let mesh = triangle(&folder);
    let output = run(0, &[&"pair", &mesh, &mesh, &"--stats", &"--format", &"json"]);
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap(), frames(&[true]));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("1 frame: "));
    let table = stdout(0, &[&"pair", &mesh, &mesh, &"--stats"]);
    assert!(table.contains("A and B meet.\n") && table.contains(" of them exact; "), "{table}");
    let away = [
        &"pair" as &dyn AsRef<std::ffi::OsStr>,
        &mesh,
        &mesh,
        &"--stats",
        &"--pose-b",
        &"1 0 0 9 0 1 0 0 0 0 1 0",
    ];
    let table = stdout(0, &away);
    assert!(table.contains("\n1 frame: ") && table.contains(" 0 triangle tests"), "{table}");
}

#[test]
fn a_file_without_a_triangle_is_an_error() {
    let folder = Folder::new();
    let (five, points) = (folder.file("five.obj", FIVE), folder.file("points.obj", "v 0 0 0\nv 1 0 0\n"));
    assert!(error(&[&"pair", &five, &points]).contains("points.obj: "));
}

/// Two cubes, frame by frame.
#[test]
fn relations_by_frame() {
    let folder = Folder::new();
    let cube = |size: f64| {
        let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { 0.0 } else { size });
        let mut text: String =
            (0..8).map(|i| format!("v {} {} {}\n", corner(i)[0], corner(i)[1], corner(i)[2])).collect();
        text += "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";
        text
    };
    let (a, b) = (folder.file("a.obj", cube(4.0)), folder.file("b.obj", cube(2.0)));
    let at = |x: f64| format!("1 0 0 {x} 0 1 0 1 0 0 1 1\n");
    let poses = folder.file("poses.txt", [1.0, 2.0, 3.0, 4.0, 5.0].map(at).concat());
    let ask: Vec<&dyn AsRef<std::ffi::OsStr>> =
        vec![&"pair", &a, &b, &"--poses", &poses, &"--query", &"relation", &"--format"];
    let report = json(0, &[&ask[..], &[&"json"]].concat());
    let frames = report["frames"].as_array().unwrap();
    let found: Vec<_> =
        frames.iter().map(|f| (f["relation"].as_str().unwrap(), f["touching"].as_bool().unwrap())).collect();
    let expected =
        [("contains", false), ("contains", true), ("overlap", true), ("touch", true), ("apart", false)];
    assert_eq!(found, expected);
    assert!(frames[0]["witness"].is_null() && frames[1]["witness"].as_array().unwrap().len() == 2);
    assert!(frames[0].get("intersecting").is_none() && frames[0].get("pair_count").is_none());
    let csv = stdout(0, &[&ask[..], &[&"csv"]].concat());
    assert!(
        csv.starts_with(
            "frame,relation,touching,volume_tests,triangle_tests,microseconds\n0,contains,false,"
        )
    );
    let table = stdout(0, &[&ask[..], &[&"table"]].concat());
    assert!(
        table.ends_with("Of 5 frames: overlap in 1, contains in 2, touch in 1, apart in 1.\n"),
        "{table}"
    );
    let one = stdout(0, &[&"pair", &b, &a, &"--query", &"relation"]);
    assert!(one.ends_with("A is inside B. Their surfaces meet.\n"), "{one}");
    assert!(error(&[&"pair", &a, &b, &"--fill-rule", &"even-odd"]).contains("--fill-rule: is about"));
}
