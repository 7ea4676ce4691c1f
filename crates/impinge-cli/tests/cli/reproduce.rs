//! `impinge reproduce` without running an experiment: the crate of the experiments tests them.
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
    let help = stdout(0, &[&"reproduce", &"--help"]);
    for model in impinge_reproduce::MODELS {
        assert!(help.contains(model), "{model}: {help}");
    }
    assert!(!help.contains("../shared"), "{help}");
    for experiment in impinge_reproduce::Experiment::ALL {
        assert!(help.contains(experiment.name()), "{help}");
    }
}
