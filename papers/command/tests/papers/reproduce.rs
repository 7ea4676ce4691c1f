//! `impinge-papers reproduce` without long experiments, which the crate `impinge-reproduce` tests.
use crate::common::{Folder, error, run, stdout};

#[test]
fn what_cannot_work_is_refused_before_the_work() {
    let folder = Folder::new();
    let file = folder.file("file", "");
    let out = folder.path("out");
    let said = error(&[&"reproduce", &"all", &"--data", &"no/such/folder", &"--out", &out]);
    assert!(said.contains("--data no/such/folder: is not a folder"), "{said}");
    assert!(!out.exists(), "nothing is begun");
    let said = error(&[&"reproduce", &"hu16", &"--out", &file.join("below")]);
    assert!(said.contains("cannot write") && said.contains("below"), "{said}");
    for wrong in [&[&"reproduce" as &dyn AsRef<std::ffi::OsStr>][..], &[&"reproduce", &"gottschalk96"]] {
        run(2, wrong);
    }
}

#[test]
fn help_names_what_data_may_hold_and_no_folder_that_users_lack() {
    let help = stdout(&[&"reproduce", &"--help"]);
    for model in impinge_reproduce::MODELS {
        assert!(help.contains(model), "{model}: {help}");
    }
    assert!(!help.contains("../shared"), "{help}");
    for experiment in impinge_reproduce::Experiment::ALL {
        assert!(help.contains(experiment.name()), "{help}");
    }
}

#[test]
fn unknown_parts_are_refused_with_the_nearest_names() {
    let folder = Folder::new();
    let out = folder.path("out");
    let near = |said: String, name: &str| assert!(said.contains(&format!("'{name}'")), "{said}");
    near(error(&[&"reproduce", &"larson08", &"--out", &out]), "larsson08");
    near(error(&[&"reproduce", &"--only", &"hu16,larsson08/table2", &"--out", &out]), "larsson08/table3");
    assert!(!out.exists(), "nothing is begun");
    run(2, &[&"reproduce", &"hu16", &"--only", &"larsson08"]);
}

#[test]
fn the_list_has_every_part_and_no_long_one() {
    let all = stdout(&[&"reproduce", &"--list"]);
    assert_eq!(all.lines().count(), 1 + impinge_reproduce::Part::all().count(), "{all}");
    for part in impinge_reproduce::Part::all() {
        assert!(
            all.lines().any(|line| line.starts_with(part.name()) && line.ends_with(part.about())),
            "{all}"
        );
    }
    let some = stdout(&[&"reproduce", &"--list", &"--only", &"hu16", &"--only", &"zachmann02/table1"]);
    assert_eq!(some.lines().count(), 3, "{some}");
    assert!(some.contains("zachmann02/table1        1  counts"), "{some}");
}

/// A part that takes no time: it is stored, resumed, and refused if it is damaged.
#[test]
fn a_finished_part_is_kept() {
    let folder = Folder::new();
    let out = folder.path("out");
    let said = stdout(&[&"reproduce", &"--only", &"zachmann02/table1", &"--quick", &"--out", &out]);
    assert!(said.starts_with("1 claims: holds 1. Missing parts: zachmann02/figure9, "), "{said}");
    let part = out.join("parts/zachmann02-table1.json");
    let before = std::fs::read_to_string(&part).unwrap();
    let again =
        stdout(&[&"reproduce", &"--only", &"zachmann02/table1", &"--quick", &"--resume", &"--out", &out]);
    assert_eq!(again, said);
    assert_eq!(std::fs::read_to_string(&part).unwrap(), before);
    std::fs::write(&part, &before[..before.len() - 9]).unwrap();
    let said = error(&[&"reproduce", &"--only", &"zachmann02/table1", &"--quick", &"--out", &out]);
    assert!(said.contains("zachmann02-table1.json: this finished part cannot be used"), "{said}");
}
