//! Faults found on 26 November 2026: each folder of `shared/faults` beside the checkout has a command
//! here with its right result, or a test elsewhere.
use crate::former_faults::{inputs_in, limited};
use std::{collections::BTreeSet, fs, path::Path};

/// A command that runs in its folder.
struct Case {
    folder: &'static str,
    line: &'static str,
    status: i32,
    /// Words of its output or of its messages.
    words: &'static str,
}

const fn case(folder: &'static str, line: &'static str, status: i32, words: &'static str) -> Case {
    Case { folder, line, status, words }
}

const CASES: [Case; 21] = [
    case("tolerance-grows", "check slot.obj --no-rules --tolerance 1", 0, "Shallow   1   within"),
    case("tolerance-grows", "check slot2.obj --no-rules --tolerance 0.6", 0, "Shallow   1   within"),
    case("tolerance-grows", "check slot2.obj --no-rules --tolerance 1", 0, "Shallow   1   within"),
    case("shallow-incomplete", "check ab.obj --no-rules --tolerance 1.5", 0, "Shallow   1   within"),
    case("groups-placements", "check rotated.obj --no-rules --format json", 1, "\"placements\":1,"),
    case("groups-placements", "check translated.obj --no-rules --format json", 1, "\"placements\":1,"),
    case(
        "groups-placements",
        "check baked_concentric.impinge --no-rules --format json",
        1,
        "\"placements\":1,",
    ),
    case(
        "json-same-dimension",
        "check same.obj --no-rules --contacts --format json",
        1,
        "\"contact\":{\"dimension\":\"volume\"",
    ),
    case("judge-fluid", "judge list.xml a.impinge", 1, ": 1 apart, 1 unknown"),
    case("judge-meet", "judge list.json a.impinge", 1, ": 2 touch, 1 unknown"),
    case("judge-meet", "judge list.json a.impinge", 1, "names one element twice"),
    case("ignored_called_apart", "check a.obj --rules impinge.toml", 0, "nothing was tested"),
    case("volume_bound_shown", "check two_shells_and_box.obj --no-rules", 1, "overlap    200.0"),
    // The link of the folder has become the file that it named.
    case("dangling_rules", "check a.obj --rules impinge.toml", 2, "impinge.toml:1:"),
    case("rules_poses_any_path", "check a.obj --rules impinge.toml", 2, "no such file inside the folder"),
    case("rules_poses_any_path", "check a.obj --rules fifo.toml", 2, "no such file inside the folder"),
    case("threads_1024", "check a.obj --no-rules --threads 1024", 1, "3 overlap"),
    case(
        "output_over_baseline",
        "check a.obj --no-rules --baseline k.jsonl -o k.jsonl --format json",
        2,
        "replace",
    ),
    case("output_over_baseline", "check a.obj -o impinge.toml --format json", 2, "replace"),
    case("sources_quadratic", "info s10000.impinge", 0, "4 parts, 48 triangles"),
    case("cached_bundle_damaged", "info cut.impinge", 2, "cut.impinge"),
];

/// The contact of the two parts of a file whose meshes meet themselves.
const CONTACTS: [(&str, &str); 4] = [
    ("prism_within.obj", "\"length\":[0.0,0.0],\"area\":[128.0,128.0]"),
    ("prism_in_box.obj", "\"length\":[16.0,16.0],\"area\":[128.0,128.0]"),
    ("square_fin.obj", "\"length\":[0.0,0.0],\"area\":[16.0,16.0]"),
    ("min.obj", "\"length\":[0.0,0.0],\"area\":[122324150.95895"),
];

/// Only words were wrong.
const WORDS: &str = "depth-doc";

/// Folders whose input changes files, runs Python, or has to be made: the file of the test, and its name.
const ELSEWHERE: [[&str; 3]; 19] = [
    ["action_file_names", "python/tests/test_gate.py", "test_the_action_takes_files_of_any_name"],
    ["action_module_hijack", "python/tests/test_gate.py", "test_the_action_runs_no_module_of_the_repository"],
    ["baseline-noise-grew", "crates/impinge-check/tests/check/noise.rs", "rounding_does_not_grow"],
    ["baseline_devzero", "crates/impinge-cli/tests/cli/run_files.rs", "devices_are_refused_at_once"],
    [
        "baseline_lost_update",
        "crates/impinge-cli/tests/cli/baseline.rs",
        "processes_that_decide_at_once_lose_no_decision",
    ],
    [
        "bcf_comments_quadratic",
        "crates/impinge-check/src/baseline/import_tests.rs",
        "many_comments_take_time_that_is_linear",
    ],
    ["brep_truncated", "python/tests/test_converter_faults.py", "test_a_brep_without_end"],
    [
        "brep_truncated",
        "python/tests/test_step_damaged.py",
        "test_a_brep_that_is_cut_off_is_an_error_at_once",
    ],
    ["cache_removes_own_bundles", "python/tests/test_convert_cache.py", "test_bundles_of_the_user_stay"],
    ["convert_seconds_inf", "python/tests/test_converter_faults.py", "test_seconds_without_a_limit"],
    [
        "converter_crashes",
        "python/tests/test_converter_faults.py",
        "test_errors_name_the_file_the_reason_and_a_way_out",
    ],
    ["ifc_open_shell_item_lost", "python/tests/test_converter_faults.py", "test_an_open_shell_beside_a_brep"],
    ["iges_lost_faces", "python/tests/test_converter_faults.py", "test_an_iges_that_lost_faces"],
    ["python_check_leak", "python/tests/test_processes.py", "test_checks_keep_no_memory"],
    ["slow-flush-slabs", "crates/impinge/src/relation/halves.rs", "slabs_flush_with_a_plate_are_not_cut"],
    [
        "step_face_unmeshed",
        "python/tests/test_step.py",
        "test_a_cone_that_open_cascade_cannot_mesh_is_divided",
    ],
    ["step_fusion360_dollar", "python/tests/test_step.py", "test_texts_that_are_not_stated_lose_no_shape"],
    [
        "step_names_as1_pe_203",
        "python/tests/test_step.py",
        "test_a_name_that_is_not_stated_is_that_of_the_product",
    ],
    [
        "step_names_solidworks",
        "python/tests/test_step.py",
        "test_a_name_that_is_not_stated_is_that_of_the_product",
    ],
];

#[test]
fn every_fault_has_a_test() {
    let Some(folder) = inputs_in("faults") else { return };
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let all: BTreeSet<String> = entries
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    let tested = CASES.iter().map(|case| case.folder).chain(ELSEWHERE.iter().map(|[folder, ..]| *folder));
    let tested = tested.chain([WORDS, "contact-line-inside-area"]);
    assert_eq!(all, tested.map(str::to_owned).collect());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for [folder, file, name] in ELSEWHERE {
        let text = fs::read_to_string(root.join(file)).unwrap();
        assert!(text.contains(&format!(" {name}(")), "{folder}: there is no test {name} in {file}");
    }
}

#[test]
fn commands_give_the_right_result() {
    let Some(folder) = inputs_in("faults") else { return };
    for Case { folder: name, line, status, words } in CASES {
        let output = limited(&folder.join(name), line);
        let printed = String::from_utf8([&output.stdout[..], &output.stderr].concat()).unwrap();
        assert_eq!(output.status.code(), Some(status), "{name}: {line}: {printed}");
        assert!(printed.contains(words), "{name}: {line}: {printed}");
    }
}

#[test]
fn edges_inside_of_contact_areas_are_no_lines() {
    let Some(folder) = inputs_in("faults") else { return };
    for (file, words) in CONTACTS {
        let line = format!("check {file} --no-rules --contacts --report all --format json");
        let output = limited(&folder.join("contact-line-inside-area"), &line);
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.contains(words), "{file}: {printed}");
    }
}
