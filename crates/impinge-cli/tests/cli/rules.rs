//! `impinge rules`: files of rules, without any model.
use crate::common::{Folder, error, run, stdout};

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
