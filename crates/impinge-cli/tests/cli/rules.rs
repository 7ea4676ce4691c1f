//! `impinge rules`: files of rules, without any model.
use crate::common::{Folder, coincident, error, run, stdout, words};
use std::ffi::OsStr;

#[test]
fn the_example_is_valid() {
    let folder = Folder::new();
    let file = folder.file("impinge.toml", stdout(0, &[&"rules", &"example"]));
    let counts = format!("{}: 5 tests, 8 sets, 1 ignore rule\n", file.display());
    assert_eq!(stdout(0, &[&"rules", &"check", &file]), counts);
}

#[test]
fn a_misspelt_word_has_line_and_column() {
    let folder = Folder::new();
    let file = folder.file("a.toml", "version = 1\n\n[[test]]\nname = 'x'\na = '*'\ntolerence = '1mm'\n");
    let expected =
        format!("impinge: error: {}:6:1: unknown key 'tolerence'; did you mean 'tolerance'?", file.display());
    assert_eq!(error(&[&"rules", &"check", &file]), expected);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::new();
    assert!(error(&[&"rules", &"check", &folder.path("none.toml")]).contains("none.toml: cannot be read: "));
    let binary = folder.file("binary.toml", [0xff, 0xfe, 0x00]);
    assert!(error(&[&"rules", &"check", &binary]).contains("binary.toml: cannot be read: "));
    let large = folder.file("large.toml", " ".repeat(9 << 20));
    assert!(error(&[&"rules", &"check", &large]).contains("large.toml:1:1: a rules file has at most 4 MiB"));
    run(2, &[&"rules"]);
    run(2, &[&"rules", &"chekc"]);
    for command in ["check", "example"] {
        let help = stdout(0, &[&"rules", &command, &"--help"]);
        assert!(help.contains("Examples:\n") && help.contains(&format!("impinge rules {command}")), "{help}");
    }
}

#[test]
fn pairs_that_rules_leave_out_are_not_called_apart() {
    let folder = Folder::new();
    // Four sheets in one place: six pairs.
    let file = coincident(&folder, 4);
    let check = |status: i32, words: &[&dyn AsRef<OsStr>]| {
        let first: [&dyn AsRef<OsStr>; 3] = [&"check", &"--no-rules", &file];
        stdout(status, &[&first, words].concat())
    };
    let all = check(0, &[&"--ignore", &"*"]);
    let said = "Findings 0 nothing was tested Pairs 6 6 with overlapping boxes, the rules leave 6 out";
    assert!(words(&all).contains(said), "{all}");
    assert!(!all.contains("no clash"), "{all}");
    let some = check(1, &[&"--ignore", &"0"]);
    let said = "Pairs 6 6 with overlapping boxes, the rules leave 3 out, 3 tested";
    assert!(words(&some).contains(said), "{some}");
    // A test that is about some pairs leaves the others out.
    let some = check(1, &[&"--only", &"1,2"]);
    assert!(some.contains("the rules leave 5 out, 1 tested"), "{some}");
    let near = check(0, &[&"--ignore", &"*", &"--clearance", &"1"]);
    let said = "of 6 part pairs within 1 by their boxes, 0 of them tested, the rules leave 6 out";
    assert!(near.contains(said), "{near}");
    let json: serde_json::Value =
        serde_json::from_str(&check(1, &[&"--ignore", &"0", &"--format", &"json"])).unwrap();
    let coverage = &json["coverage"];
    assert_eq!((&coverage["boxes_overlap"], &coverage["pairs_left_out"]), (&3.into(), &3.into()));
    // A check without rules tests all of them.
    let json: serde_json::Value = serde_json::from_str(&check(1, &[&"--format", &"json"])).unwrap();
    assert!(json["coverage"].get("pairs_left_out").is_none());
}
