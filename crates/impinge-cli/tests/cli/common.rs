//! Helpers of the command line's tests.
use serde_json::Value;
use std::{
    ffi::OsStr,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Five parts, ten pairs. `frame` is two triangles far from each other. `blade` meets the first in (0, 0, 0)
/// and nothing else; `between` lies within the box of `frame` but is clear of it; `tip` touches `blade` in
/// its vertex (0, 0, -1); `away` is far from everything.
pub(crate) const FIVE: &str = "\
o frame
v 0 0 0\nv 1 0 0\nv 0 1 0\nv 10 0 0\nv 9 0 0\nv 10 1 0
f 1 2 3\nf 4 5 6
o blade
v 0 0 -1\nv 0 0 1\nv 0 -1 0
f 7 8 9
o between
v 5 0 -1\nv 5 1 1\nv 5.5 0.5 0
f 10 11 12
o away
v 100 0 0\nv 101 0 0\nv 100 1 0
f 13 14 15
o tip
v 0 0 -1\nv -1 0 -2\nv 0 1 -2
f 16 17 18
";

/// One triangle in the plane z = 0 with a corner in the origin.
pub(crate) const TRIANGLE: &str = "o triangle\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// A folder that is removed at the end of the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }
    pub(crate) fn count(&self) -> usize {
        fs::read_dir(self.0.path()).unwrap().count()
    }
}

pub(crate) fn command(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impinge"));
    command.args(args);
    command
}

/// The output of `impinge ARGS`, which must end with `status`.
pub(crate) fn run(status: i32, args: &[&dyn AsRef<OsStr>]) -> Output {
    let output = command(args.iter().map(|arg| arg.as_ref())).output().unwrap();
    assert_eq!(output.status.code(), Some(status), "stderr: {}", String::from_utf8_lossy(&output.stderr));
    output
}

pub(crate) fn stdout(status: i32, args: &[&dyn AsRef<OsStr>]) -> String {
    String::from_utf8(run(status, args).stdout).unwrap()
}

pub(crate) fn json(status: i32, args: &[&dyn AsRef<OsStr>]) -> Value {
    serde_json::from_str(&stdout(status, args)).unwrap()
}

/// The words of a text, with one blank between them.
pub(crate) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The one line on stderr of a run that must fail, writing nothing to stdout.
pub(crate) fn error(args: &[&dyn AsRef<OsStr>]) -> String {
    let output = run(2, args);
    assert!(output.stdout.is_empty());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("impinge: error: "), "{text}");
    assert_eq!(text.matches('\n').count(), 1, "{text}");
    text.trim_end().to_owned()
}

/// A file of ../shared/data (or of $IMPINGE_DATA). Without it the test is skipped, and prints so; with CI set
/// nothing passes by being skipped, unless the whole folder is absent.
pub(crate) fn data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("IMPINGE_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    let in_ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    assert!(
        !(in_ci && folder.exists()),
        "there is no {}, and with CI set nothing is skipped",
        path.display()
    );
    // Past the test harness, which would keep `eprintln!` of a test that passes to itself.
    writeln!(io::stderr().lock(), "SKIPPED: there is no {}; IMPINGE_DATA names the folder", path.display())
        .unwrap();
    None
}

/// Coincident triangles, `parts` of them. Each is a part and meets every other.
pub(crate) fn coincident(folder: &Folder, parts: usize) -> PathBuf {
    let faces: String = (0..parts).map(|i| format!("o {i}\nf 1 2 3\n")).collect();
    folder.file("coincident.obj", format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{faces}"))
}

/// Two waving sheets of 20,000 triangles that cross: as one query, much for one thread.
pub(crate) fn sheets(folder: &Folder) -> [PathBuf; 2] {
    let n = 100;
    ["x", "y"].map(|axis| {
        let mut text = format!("o {axis}\n");
        for k in 0..(n + 1) * (n + 1) {
            let [x, y] = [k % (n + 1), k / (n + 1)].map(|i| f64::from(i) / f64::from(n));
            text += &format!("v {x} {y} {}\n", 0.1 * (9.0 * if axis == "x" { x } else { y }).sin());
        }
        for k in 0..n * n {
            let corner = k / n * (n + 1) + k % n + 1;
            text += &format!("f {corner} {} {} {}\n", corner + 1, corner + n + 2, corner + n + 1);
        }
        folder.file(&format!("{axis}.obj"), text)
    })
}
