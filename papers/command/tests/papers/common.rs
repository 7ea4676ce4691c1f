//! Helpers of the tests.
use serde_json::Value;
use std::{
    ffi::OsStr,
    fs,
    path::PathBuf,
    process::{Command, Output},
};

/// One triangle in the plane z = 0 with a corner in the origin.
pub(crate) const TRIANGLE: &str = "o triangle\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// A triangle that crosses [`TRIANGLE`] in its corner, and one far away.
pub(crate) const TWO: &str = "v 0 0 -1\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nv 9 0 0\nv 9 1 0\nv 9 0 1\nf 4 5 6\n";

/// A folder that is removed at the end of the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }
}

/// The output of `impinge-papers ARGS`, which must end with `status`.
pub(crate) fn run(status: i32, args: &[&dyn AsRef<OsStr>]) -> Output {
    let args = args.iter().map(|arg| arg.as_ref());
    let output = Command::new(env!("CARGO_BIN_EXE_impinge-papers")).args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(status), "stderr: {}", String::from_utf8_lossy(&output.stderr));
    output
}

pub(crate) fn stdout(args: &[&dyn AsRef<OsStr>]) -> String {
    String::from_utf8(run(0, args).stdout).unwrap()
}

pub(crate) fn json(args: &[&dyn AsRef<OsStr>]) -> Value {
    serde_json::from_str(&stdout(args)).unwrap()
}

/// The text on stderr of a run that must fail; it writes nothing to stdout.
pub(crate) fn error(args: &[&dyn AsRef<OsStr>]) -> String {
    let output = run(2, args);
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}
