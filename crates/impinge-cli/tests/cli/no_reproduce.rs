//! `impinge reproduce` in a build without the feature of that name.
use crate::common::error;

#[test]
fn one_line_says_how_to_get_it() {
    for (asked, rest) in [
        (&[&"reproduce" as &dyn AsRef<std::ffi::OsStr>][..], "reproduce all"),
        (&[&"reproduce", &"hu16", &"--quick", &"--out", &"x"], "reproduce hu16 --quick --out x"),
    ] {
        let said = error(asked);
        let how = format!("cargo run --release --features reproduce -- {rest}");
        assert!(said.contains("not in this build") && said.ends_with(&how), "{said}");
    }
}
