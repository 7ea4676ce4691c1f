//! The files of a run: none is read and replaced, and none is written twice.
use anyhow::bail;
use impinge_check::files;
use std::path::Path;

/// The files of a run.
pub(crate) struct RunFiles<'a> {
    /// Inputs.
    pub(crate) reads: Vec<&'a Path>,
    /// Outputs, each with its option.
    pub(crate) writes: Vec<(&'static str, &'a Path)>,
}

impl RunFiles<'_> {
    /// Refuses a place that cannot be written to, a file that is written twice, and one that is read and
    /// written, by whatever names, also where it does not exist yet.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        for (i, &(option, path)) in self.writes.iter().enumerate() {
            for &(other, earlier) in &self.writes[..i] {
                if files::is_one_place(earlier, path) {
                    bail!("{option} and {other} name one file: {}", path.display());
                }
            }
            files::check_output(path, self.reads.iter().copied())?;
        }
        Ok(())
    }
    /// Refuses a folder of pictures that is one of the files, or has one of those that are written.
    pub(crate) fn check_folder(&self, option: &str, folder: &Path) -> anyhow::Result<()> {
        let writes = self.writes.iter().map(|&(_, path)| path);
        for path in writes.chain(self.reads.iter().copied()) {
            if files::is_one_place(folder, path) || files::is_in(folder, path) {
                bail!("{option} {}: {} would be in this folder", folder.display(), path.display());
            }
        }
        Ok(())
    }
}
