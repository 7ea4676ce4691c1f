//! The revision of the sources.
use std::process::Command;

/// Present revision of this crate's sources: that of this build, unless they changed since. A run reads it at
/// its beginning, since it does not measure a later commit. Recording it at build time would need a build at
/// every commit.
pub(crate) fn revision() -> String {
    revision_of(env!("CARGO_MANIFEST_DIR"))
}

fn revision_of(folder: &str) -> String {
    let describe = ["describe", "--always", "--dirty=, with changes", "--exclude=*"];
    let done = Command::new("git").arg("-C").arg(folder).args(describe).output();
    let text = done.ok().filter(|done| done.status.success());
    let text = text.map(|done| String::from_utf8_lossy(&done.stdout).trim().replace(['\n', '\r'], " "));
    text.filter(|text| !text.is_empty())
        .unwrap_or_else(|| "unknown: the sources are not in a git checkout".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_outside_of_git_has_no_revision() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        assert!(revision_of(path).starts_with("unknown"), "{}", revision_of(path));
        let git = |args: &[&str]| {
            let name = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
            let done = Command::new("git").arg("-C").arg(path).args(name).args(args).output().unwrap();
            assert!(done.status.success(), "{done:?}");
        };
        git(&["init", "--quiet"]);
        git(&["commit", "--quiet", "--allow-empty", "--message=one"]);
        let first = revision_of(path);
        assert!(first.len() >= 7 && first.chars().all(|c| c.is_ascii_hexdigit()), "{first}");
        // The same program sees another commit, without a build in between.
        git(&["commit", "--quiet", "--allow-empty", "--message=two"]);
        assert_ne!(revision_of(path), first);
    }
}
