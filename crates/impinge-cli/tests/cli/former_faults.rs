//! Inputs that once gave a wrong result, hung, or took memory or time out of proportion (issue 33): every
//! file of `shared/findings` beside the checkout, but for its scripts.
use crate::common::data;
use impinge::{Body, Mesh, Model, Pose, Query, penetration::PenetrationParts, relation::RelationKind};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn inputs() -> Option<PathBuf> {
    inputs_in("findings")
}

/// A folder of inputs, beside that of the models; without models there is a notice.
pub(crate) fn inputs_in(name: &str) -> Option<PathBuf> {
    let folder = data("")?.join("..").join(name);
    let in_ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    assert!(
        folder.is_dir() || !in_ci,
        "there is no {}, and with CI set nothing is skipped",
        folder.display()
    );
    folder.is_dir().then_some(folder)
}

/// The command, with a gigabyte of memory and a minute of processor time, on one thread.
pub(crate) fn limited(folder: &Path, line: &str) -> Output {
    let script = "ulimit -v 1000000 -t 60; exec \"$0\" \"$@\"";
    let mut command = Command::new("bash");
    command.current_dir(folder).args(["-c", script, env!("CARGO_BIN_EXE_impinge")]).args(line.split(' '));
    command.output().unwrap()
}

/// A command, its exit status, and words of its output or of its messages.
const COMMANDS: [(&str, i32, &str); 34] = [
    // A sheet with a back is the set of points of the sheet, however the back is cut.
    ("check sheets/inside_one.obj --format csv", 1, ",surface_inside,"),
    ("check sheets/inside_same.obj --format csv", 1, ",surface_inside,"),
    ("check sheets/inside_other.obj --format csv", 1, ",surface_inside,"),
    ("check sheets/through_one.obj --format csv", 1, ",pierce,"),
    ("check sheets/through_same.obj --format csv", 1, ",pierce,"),
    ("check sheets/through_other.obj --format csv", 1, ",pierce,"),
    (
        "pair solids/1-flat-same/flat.obj solids/1-flat-same/flat2.obj --query relation",
        0,
        "open surfaces, and meet",
    ),
    (
        "pair solids/1-flat-same/flat.obj solids/1-flat-same/flat3.obj --query relation",
        0,
        "open surfaces, and meet",
    ),
    ("check solids/1-flat-same/two.obj --format csv", 1, ",meet,"),
    // A body that is far smaller than the gap.
    ("pair near/ball.obj near/noise.obj --query distance", 0, "2029.65153286"),
    ("pair near/noise.obj near/ball.obj --query distance", 0, "2029.65153286"),
    ("check near/both.obj --clearance 2100", 1, "   1 near\n"),
    // A margin that equals the gap.
    ("check near/cones32.obj --clearance 1 --format csv", 1, ",near,"),
    ("check near/cones64.obj --clearance 1 --format csv", 1, ",near,"),
    ("check near/cones128.obj --clearance 1 --format csv", 1, ",near,"),
    ("check near/cones256.obj --clearance 1 --format csv", 1, ",near,"),
    ("check near/plates16.obj --clearance 1 --format csv", 1, ",near,"),
    ("check near/plates32.obj --clearance 1 --format csv", 1, ",near,"),
    ("check near/plates64.obj --clearance 1 --format csv", 1, ",near,"),
    // Lines whose length had no bound.
    ("pair near/coneA.obj near/coneB.obj --query curves", 0, "of length 3.60555127546"),
    ("pair curves/wall.obj curves/plate.obj --query curves", 0, "of length 5.56162536647"),
    // Files that took memory or time out of proportion, or were misread without a word.
    ("check hostile/dup_10000.obj", 1, "100,000,000 triangle pairs meet"),
    ("check hostile/fan_10000.obj", 0, "100,000,000 triangle pairs meet"),
    ("info hostile/amp_all.3mf", 2, "the file makes more than 3000000 triangles"),
    ("info hostile/amp_spread.3mf", 2, "the file makes more than 3000000 triangles"),
    ("info hostile/echo.gltf", 2, "invalid type: string \"AAAA"),
    ("info hostile/elems_80000.ply", 2, "the file has no triangle"),
    ("info hostile/props_80000.ply", 2, "but only 0 bytes follow"),
    ("info hostile/noscene_idx.gltf", 0, "none of its 2 scenes is the default one"),
    ("info hostile/print0.3mf", 0, "1 items of the build are not to be printed"),
    ("info hostile/quat_unnorm.gltf", 0, "not a unit quaternion"),
    ("info hostile/sup.3mf", 0, "1 placed objects are supports of the print"),
    ("info hostile/v21.gltf", 2, "it needs glTF 2.1"),
    ("info hostile/twomesh.3mf", 2, "object 1 has a second element 'mesh'"),
];

/// Two bodies of almost nothing, and the volume that they have in common, from rationals (`exact.py` there).
const UNDERFLOWS: [(&str, &str, f64); 3] = [
    ("a.obj", "b.obj", 1.472_786_093_784_113_9e-205),
    ("depth_a.obj", "depth_b.obj", 4.767_407_779_361_823e-248),
    ("vol_a.obj", "vol_b.obj", 6.900_860_838_581_89e-227),
];

/// Two cubes of side 4 whose corners have a cube of side 2 in common; of some each face is there twice.
const DOUBLED: [[&str; 2]; 4] = [
    ["once.obj", "other.obj"],
    ["twice.obj", "other.obj"],
    ["once.obj", "other_twice.obj"],
    ["twice.obj", "other_twice.obj"],
];

/// Meshes at poses as bits of numbers, in hexadecimal digits.
const CASES: [&str; 3] = [
    "solids/1-flat-same/twin-1-88.case",
    "solids/2-volume-underflow/p8.case",
    "solids/2-volume-underflow/panic.case",
];

/// True for files that are no inputs: descriptions, and programs that write inputs or call the command.
fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ["md", "py", "sh"].iter().any(|&script| ending == script))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn every_input_has_a_test() {
    let Some(folder) = inputs() else { return };
    let mut all = Vec::new();
    files(&folder, &mut all);
    let named = |path: &PathBuf| path.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
    let all: BTreeSet<String> = all.iter().filter(|path| !is_script(path)).map(named).collect();
    let words = COMMANDS.iter().flat_map(|(line, ..)| line.split(' ')).filter(|word| word.contains('/'));
    let volumes = UNDERFLOWS.iter().flat_map(|&(a, b, _)| [a, b]);
    let tested: BTreeSet<String> = words
        .chain(CASES)
        .map(str::to_owned)
        .chain(volumes.map(|name| format!("solids/2-volume-underflow/{name}")))
        .chain(DOUBLED.iter().flatten().map(|name| format!("solids/3-depth-null-doubled/{name}")))
        .collect();
    assert_eq!(all, tested);
}

#[test]
fn commands_give_the_right_result_in_proportion() {
    let Some(folder) = inputs() else { return };
    for (line, status, words) in COMMANDS {
        let output = limited(&folder, line);
        let said = [&output.stdout[..], &output.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        assert_eq!(output.status.code(), Some(status), "{line}: {said}");
        assert!(said.contains(words), "{line}: {said}");
        // An error quotes 200 characters of a file at most.
        assert!(status != 2 || said.lines().all(|line| line.len() < 1000), "{line}: {} bytes", said.len());
    }
}

/// The first frame of `pair --query penetration`.
fn penetration(folder: &Path, files: [&str; 2]) -> Value {
    let output =
        limited(folder, &format!("pair {} {} --query penetration --format json", files[0], files[1]));
    assert_eq!(output.status.code(), Some(0), "{files:?}: {}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["frames"][0].clone()
}

/// The depth is not greater than the translation that parts the bodies.
fn check_depth(found: &Value) {
    let shift = found["separating_translation"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap());
    let length = shift.fold(0.0, f64::hypot);
    assert!(length > 0.0, "{found}");
    assert!(found["depth_at_least"].as_f64().is_none_or(|depth| depth <= length * (1.0 + 1e-12)), "{found}");
}

#[test]
fn volumes_that_underflow_are_in_their_intervals() {
    let Some(folder) = inputs() else { return };
    let folder = folder.join("solids/2-volume-underflow");
    for (a, b, exact) in UNDERFLOWS {
        for files in [[a, b], [b, a]] {
            let found = penetration(&folder, files);
            let [lo, hi] = [0, 1].map(|k| found["overlap_volume"][k].as_f64().unwrap());
            assert!(lo <= exact && exact <= hi, "{files:?}: {found}");
            check_depth(&found);
        }
    }
}

#[test]
fn doubled_parts_have_a_volume_and_a_depth() {
    let Some(folder) = inputs() else { return };
    for files in DOUBLED {
        let found = penetration(&folder.join("solids/3-depth-null-doubled"), files);
        let [lo, hi] = [0, 1].map(|k| found["overlap_volume"][k].as_f64().unwrap());
        assert!(lo <= 8.0 && hi >= 8.0 && hi - lo < 1e-11, "{files:?}: {found}");
        let depth = found["depth_at_least"].as_f64().unwrap();
        assert!((depth - 2.0).abs() < 1e-12, "{files:?}: {found}");
    }
}

/// The two models of a case, and their poses.
fn bodies(text: &str) -> [(Model, Pose); 2] {
    let mut lines = text.lines().skip(1).map(|line| line.split(' ').collect::<Vec<_>>());
    let number = |word: &str| f64::from_bits(u64::from_str_radix(word, 16).unwrap());
    let index = |word: &str| word.parse::<u32>().unwrap();
    let mut mesh = || {
        let counts = lines.next().unwrap();
        let mut some = |count: &str| lines.by_ref().take(index(count) as usize).collect::<Vec<_>>();
        let points = some(counts[0]).iter().map(|words| [0, 1, 2].map(|k| number(words[k]))).collect();
        let triangles = some(counts[1]).iter().map(|words| [0, 1, 2].map(|k| index(words[k]))).collect();
        Mesh::new(points, triangles).unwrap()
    };
    let meshes = [mesh(), mesh()];
    // Three rows of four numbers.
    let mut pose = || {
        let rows: Vec<f64> = lines.next().unwrap().into_iter().map(number).collect();
        let rotation = [0, 1, 2].map(|row| [0, 1, 2].map(|k| rows[4 * row + k]));
        Pose::affine(rotation, [rows[3], rows[7], rows[11]]).unwrap()
    };
    meshes.map(|mesh| (Model::new(mesh), pose()))
}

/// Cases that ended a build with assertions, or whose result depended on the order of bodies.
#[test]
fn cases_do_not_depend_on_the_order_of_bodies() {
    let Some(folder) = inputs() else { return };
    for name in CASES {
        let models = bodies(&fs::read_to_string(folder.join(name)).unwrap());
        let [a, b] = models.each_ref().map(|(model, pose)| Body::new(model, *pose));
        let mut query = Query::new();
        let [one, other] = [query.relation(&a, &b).kind, query.relation(&b, &a).kind];
        let back = match other {
            RelationKind::Inside => RelationKind::Contains,
            RelationKind::Contains => RelationKind::Inside,
            kind => kind,
        };
        assert_eq!(one, back, "{name}");
        let all = PenetrationParts::all();
        let [found, back] = [query.penetration(&a, &b, &all), query.penetration(&b, &a, &all)];
        let bounds = [&found, &back].map(|found| found.overlap_volume.unwrap_or([0.0; 2]));
        assert!(bounds[0][0] <= bounds[1][1] && bounds[1][0] <= bounds[0][1], "{name}: {found:?} {back:?}");
        for found in [found, back] {
            if let (Some(depth), Some(shift)) = (found.depth_at_least, found.separating_translation) {
                let length = shift.into_iter().fold(0.0, f64::hypot);
                assert!(depth.length <= length * (1.0 + 1e-12), "{name}: {depth:?} {shift:?}");
            }
        }
    }
}
