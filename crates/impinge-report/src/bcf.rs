//! [`BcfReport`]: issues for BIM coordination programs, in the BIM Collaboration Format.
mod component;
mod markup;
mod package;
mod topic;
mod version;
mod view;
mod world;

pub use self::version::BcfVersion;

use self::{package::BcfPackage, topic::Topics, view::Viewpoint};
use crate::{
    pictures::{PictureUse, Pictures},
    writer::{Format, ReportWriter},
};
use impinge_check::{Date, Groups, Report, baseline::Baseline, report::GroupBy};
use std::{
    io::{self, Write},
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

/// Report as BCF 2.1 or 3.0, with a topic for each group of findings, for BIM coordination programs.
///
/// A topic describes its findings, each with its id, and has a viewpoint of the gravest one. The viewpoint
/// has both parts selected and coloured, a camera in metres with z upwards, and a picture. With a baseline,
/// known findings have topics with their status, too, and resolved findings keep the topic that they had.
///
/// The GUID of a topic follows from the id of a finding, so that a program updates the topics of an earlier
/// file. The same report, date and baseline give the same bytes. Cost: a picture for each group; the file is
/// made in memory.
#[derive(Clone)]
pub struct BcfReport {
    groups: Option<GroupBy>,
    version: BcfVersion,
    date: Option<Date>,
    author: String,
    baseline: Option<Arc<Baseline>>,
    has_pictures: bool,
}

/// The size of pictures in pixels.
const PICTURE: [u32; 2] = [720, 480];

impl Default for BcfReport {
    fn default() -> Self {
        Self::new()
    }
}

impl BcfReport {
    /// BCF 2.1 by the author `impinge`, dated the day on which it is written (UTC).
    pub fn new() -> Self {
        Self {
            groups: Some(GroupBy::default()),
            version: BcfVersion::default(),
            date: None,
            author: "impinge".to_owned(),
            baseline: None,
            has_pictures: true,
        }
    }
    /// Sets the rule that groups findings into topics; `None` makes a topic of each finding.
    #[must_use]
    pub fn groups(self, by: Option<GroupBy>) -> Self {
        Self { groups: by, ..self }
    }
    /// Sets the version of the format.
    #[must_use]
    pub fn version(self, version: BcfVersion) -> Self {
        Self { version, ..self }
    }
    /// Sets the day of the check. Programs without a clock, as those in a browser, have to set it.
    #[must_use]
    pub fn date(self, date: Date) -> Self {
        Self { date: Some(date), ..self }
    }
    /// Sets the author of the topics.
    #[must_use]
    pub fn author(self, author: impl Into<String>) -> Self {
        Self { author: author.into(), ..self }
    }
    /// Sets the baseline after this report ([`Report::updated`]), with the status words and comments of other
    /// programs.
    #[must_use]
    pub fn baseline(self, baseline: impl Into<Arc<Baseline>>) -> Self {
        Self { baseline: Some(baseline.into()), ..self }
    }
    /// Enables or disables the pictures of viewpoints [default: enabled].
    #[must_use]
    pub fn pictures(self, has_pictures: bool) -> Self {
        Self { has_pictures, ..self }
    }
}

/// Today (UTC).
fn today() -> Date {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Date::from_days((since.as_secs() / 86_400) as i64)
}

pub(crate) const FORMAT: Format = Format {
    name: "bcf",
    extension: "bcf",
    about: "issues for BIM programs: BCF 2.1, or 3.0 with --bcf-version",
    contacts: false,
    writer: || Box::new(BcfReport::new()),
};

impl ReportWriter for BcfReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        self.write_with(&Pictures::new(report), out)
    }
    fn pictures(&self, report: &Report) -> Vec<PictureUse> {
        if !self.has_pictures || report.assembly().is_none() {
            return Vec::new();
        }
        let groups = Groups::of_all(report, self.groups.as_ref());
        groups.into_iter().map(|group| PictureUse::new(group.findings[0], PICTURE)).collect()
    }
    fn write_with(&self, pictures: &Pictures<'_>, out: &mut dyn Write) -> io::Result<()> {
        let report = pictures.report();
        let date = self.date.unwrap_or_else(today);
        let topics = Topics::new(report, self.baseline.as_deref(), date, &self.author);
        let mut package = BcfPackage::new(self.version, &self.author)?;
        for group in Groups::of_all(report, self.groups.as_ref()) {
            let topic = topics.of(&group);
            let gravest = group.findings[0];
            let camera = pictures.camera(gravest);
            let picture = camera.as_ref().filter(|_| self.has_pictures);
            let picture = picture.and_then(|_| pictures.png_of_size(gravest, PICTURE));
            let guid = topic.view.unwrap_or(topic.guid);
            let view = Viewpoint::of(report, topics.rules(), gravest, guid, camera.as_ref(), self.version);
            package.add(&topic, Some(&view), picture.as_deref())?;
        }
        topics.resolved().try_for_each(|topic| package.add(&topic, None, None))?;
        out.write_all(&package.finish()?)
    }
}
