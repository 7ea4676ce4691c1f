//! The argument about pictures.
use crate::progress::Progress;
use anyhow::Context;
use clap::Args;
use impinge_check::{
    Groups,
    report::GroupBy,
    values::{numbers::count, text::printable},
};
use impinge_report::{Pictures, check_pictures_folder};
use std::{
    num::NonZero,
    path::{Path, PathBuf},
};

/// Pictures of the groups of findings.
#[derive(Args)]
pub(crate) struct Images {
    /// Draw a PNG picture of each group into the folder DIR
    ///
    /// A picture shows the gravest finding of its group. Its name has the number of the group and the id of
    /// the finding. DIR is new, empty, or has pictures of an earlier run, which are replaced. If anything
    /// fails, no picture is written. Markdown of the same run shows the pictures.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    images: Option<PathBuf>,
}

impl Images {
    /// Their folder.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.images.as_deref()
    }
    /// Refuses what can be seen to fail before the work is done.
    pub(crate) fn refuse(&self) -> anyhow::Result<()> {
        match &self.images {
            Some(folder) => check_pictures_folder(folder).with_context(|| self.about()),
            None => Ok(()),
        }
    }
    fn about(&self) -> String {
        let folder = self.images.as_deref().unwrap_or("".as_ref());
        format!("--images: cannot write {}", folder.display())
    }
    /// Writes the pictures and notes how many there are.
    fn write(
        &self,
        pictures: &Pictures<'_>,
        by: Option<&GroupBy>,
        threads: NonZero<usize>,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        let Some(folder) = &self.images else { return Ok(()) };
        let groups = Groups::by(pictures.report(), by.unwrap_or(&GroupBy::default())).groups;
        progress.stage("drawing pictures", groups.len() as u64);
        let show = |_| {
            progress.step(1);
            Ok(())
        };
        let drawn = pictures.save(&groups, folder, threads, &show).with_context(|| self.about())?;
        let folder = printable(&folder.to_string_lossy());
        progress.note(&format!("{} written to {folder}", count(drawn as u64, "picture")));
        Ok(())
    }
}

/// Draws the pictures of a folder, and those that formats share and the folder has not.
pub(crate) fn draw(
    pictures: &Pictures<'_>,
    images: Option<&Images>,
    by: Option<&GroupBy>,
    threads: u16,
    progress: &Progress,
) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let threads = NonZero::new(usize::from(threads)).unwrap_or(cores);
    if let Some(images) = images {
        images.write(pictures, by, threads, progress)?;
    }
    let left = pictures.undrawn();
    if left > 0 {
        progress.stage("drawing pictures", left as u64);
        let show = || {
            progress.step(1);
            Ok(())
        };
        pictures.draw(threads, &show)?;
    }
    Ok(())
}
