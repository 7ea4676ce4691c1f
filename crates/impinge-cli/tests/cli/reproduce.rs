//! `impinge reproduce`, as far as no experiment runs: those are tested in their own crate.
use crate::common::{Folder, error};

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
        crate::common::run(2, wrong);
    }
}
