//! [`HtmlReport`]: one page for people, with a list of findings and a view of their meshes.
//!
//! The page is one file without requests: its styles, its script, the findings as JSON, and the meshes, each
//! once. Text of files reaches the page as JSON alone, and the page's policy permits only its own script.
mod curves;
mod data;
mod looks;
mod meshes;
mod rows;

pub(crate) use self::meshes::centre;

use crate::{
    Pictures,
    writer::{Format, ReportWriter},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use impinge_check::{Report, report::GroupBy};
use sha2::{Digest, Sha256};
use std::{
    io::{self, Write},
    sync::Arc,
};

/// Report as one HTML file that needs no network, with findings in groups on the left and their parts in 3D
/// on the right.
///
/// Each mesh is stored once, as f32 coordinates relative to its own centre; poses stay f64. A report without
/// an assembly (of a plan's tasks) has only the list. Cost: linear in triangles and findings; meshes are
/// compressed one at a time.
#[derive(Clone)]
pub struct HtmlReport {
    groups: Option<GroupBy>,
    max_size: u64,
    baseline: Option<Arc<str>>,
}

/// The default of [`HtmlReport::max_size`].
const MAX_SIZE: u64 = 50 << 20;

impl Default for HtmlReport {
    fn default() -> Self {
        Self::new()
    }
}

impl HtmlReport {
    /// Report of at most 50 MiB, without a baseline to edit.
    pub fn new() -> Self {
        Self { groups: Some(GroupBy::default()), max_size: MAX_SIZE, baseline: None }
    }
    /// Sets the rule that groups findings into rows; `None` makes a row of each finding. With the same
    /// setting, rows are the topics of [`BcfReport`](crate::BcfReport).
    #[must_use]
    pub fn groups(self, by: impl Into<Option<GroupBy>>) -> Self {
        Self { groups: by.into(), ..self }
    }
    /// Sets the size of the file in bytes above which the writer omits meshes, those of the gravest groups
    /// last. The page lists their parts. The list of findings is always whole.
    #[must_use]
    pub fn max_size(self, bytes: u64) -> Self {
        Self { max_size: bytes, ..self }
    }
    /// Sets the contents of the baseline file that the page edits and saves: that of
    /// [`Report::updated`](impinge_check::Report::updated). Without it, the page only shows statuses.
    #[must_use]
    pub fn baseline(self, text: impl Into<Arc<str>>) -> Self {
        Self { baseline: Some(text.into()), ..self }
    }
}

pub(crate) const FORMAT: Format = Format {
    name: "html",
    extension: "html",
    about: "a page for people, with a 3D view; --max-size bounds it",
    contacts: false,
    writer: || Box::new(HtmlReport::new()),
};

/// The page around styles, script and data.
const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
/// Scripts of one function each, in the order of use.
const SCRIPTS: [&str; 9] = [
    include_str!("html/data.js"),
    include_str!("html/vector.js"),
    include_str!("html/renderer.js"),
    include_str!("html/camera.js"),
    include_str!("html/view.js"),
    include_str!("html/decisions.js"),
    include_str!("html/list.js"),
    include_str!("html/print.js"),
    include_str!("html/page.js"),
];

impl ReportWriter for HtmlReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        self.write_with(&Pictures::new(report), out)
    }
    fn write_with(&self, pictures: &Pictures<'_>, out: &mut dyn Write) -> io::Result<()> {
        let report = pictures.report();
        let script = format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPTS.concat());
        let policy = format!(
            "default-src 'none'; script-src '{}'; style-src '{}'; img-src data: blob:; base-uri 'none'; \
             form-action 'none'",
            hash(&script),
            hash(STYLE)
        );
        let rows = rows::rows(report, self.groups.as_ref());
        let data = data::json(pictures, &rows, self.baseline.as_deref())?;
        let mut rest = PAGE;
        let mut until = |mark: &str| {
            let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
            rest = after;
            before
        };
        let parts = ["{policy}", "{style}", "{data}", "{meshes}", "{script}", "{end}"].map(&mut until);
        let inserted = [policy.as_bytes(), STYLE.as_bytes(), &data];
        for (before, text) in parts.iter().zip(inserted) {
            out.write_all(before.as_bytes())?;
            out.write_all(text)?;
        }
        out.write_all(parts[3].as_bytes())?;
        let used = [PAGE.len(), STYLE.len(), script.len(), policy.len(), data.len()];
        let used = used.into_iter().map(|length| length as u64).sum();
        meshes::write(report, &rows, self.max_size.saturating_sub(used), out)?;
        for text in [parts[4], &script, parts[5]] {
            out.write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

/// The name by which a policy permits a script or style.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::{PAGE, SCRIPTS, STYLE};

    #[test]
    fn sources_fit_into_the_page() {
        for mark in ["{policy}", "{style}", "{data}", "{meshes}", "{script}"] {
            assert_eq!(PAGE.matches(mark).count(), 1, "{mark}");
        }
        let script = SCRIPTS.concat();
        assert!(!script.contains("</script") && !script.contains("<!--") && !STYLE.contains("</style"));
        // Text of files must not become markup, and nothing is requested.
        for word in ["innerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(", "XMLHttp"] {
            assert!(!script.contains(word), "{word}");
        }
    }
}
