//! [`XlsxReport`]: a workbook for Excel, LibreOffice and others.
//!
//! Sheets are written row by row, and are never in memory as a whole. Text is stored as text (`inlineStr`),
//! so no name is a formula.
mod book;
mod cell;
mod coverage;
mod namespaces;
mod package;
mod sheet;
mod sheets;

use crate::{
    names::Names,
    pictures::{PictureUse, Pictures},
    writer::{Format, ReportWriter},
};
use impinge_check::{Groups, Report, report::GroupBy};
use package::XlsxPackage;
use sheet::Sheet;
use std::io::{self, Write};

/// Report as a workbook for spreadsheets. It has sheets of groups (with pictures), findings, clashes, near
/// pairs, the numbers of each test by relation and of each pair of types, coverage, and pairs and parts not
/// examined.
///
/// Headers are frozen and have filters; numbers are numbers, with the unit in the header. A list of more than
/// 1,048,575 rows goes on in further sheets (`Clashes 2`). Text of more than 32,767 characters, the limit of
/// a cell, is cut and states its length. Control characters are escaped as the format demands (`_x0007_`).
/// The same report gives the same bytes in one build. Cost: linear in rows; a picture takes as long as in [`Pictures`].
#[derive(Clone)]
pub struct XlsxReport {
    groups: GroupBy,
    pictures: usize,
}

impl Default for XlsxReport {
    fn default() -> Self {
        Self::new()
    }
}

/// The default of [`XlsxReport::pictures`].
const PICTURES: usize = 50;

impl XlsxReport {
    /// Report with the default groups and pictures of the first 50.
    pub fn new() -> Self {
        Self { groups: GroupBy::default(), pictures: PICTURES }
    }
    /// Sets the rule that groups findings.
    #[must_use]
    pub fn groups(self, by: GroupBy) -> Self {
        Self { groups: by, ..self }
    }
    /// Sets the number of groups that have a picture, the gravest first.
    #[must_use]
    pub fn pictures(self, most: usize) -> Self {
        Self { pictures: most, ..self }
    }
}

pub(crate) const FORMAT: Format = Format {
    name: "xlsx",
    extension: "xlsx",
    about: "a workbook for spreadsheets, with pictures",
    contacts: false,
    writer: || Box::new(XlsxReport::new()),
};

/// Size of a picture in pixels; it is shown at half that size.
const PICTURE: [u32; 2] = [384, 256];

impl ReportWriter for XlsxReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        self.write_with(&Pictures::new(report), out)
    }
    fn pictures(&self, report: &Report) -> Vec<PictureUse> {
        if report.assembly().is_none() {
            return Vec::new();
        }
        let groups = Groups::by(report, &self.groups).groups;
        let first = groups.iter().take(self.pictures).filter_map(|group| group.findings.first());
        first.map(|&finding| PictureUse::new(finding, PICTURE)).collect()
    }
    fn write_with(&self, pictures: &Pictures<'_>, out: &mut dyn Write) -> io::Result<()> {
        let report = pictures.report();
        let groups = Groups::by(report, &self.groups).groups;
        let drawn = if report.assembly().is_some() { groups.len().min(self.pictures) } else { 0 };
        let sheets = sheets::all(report, &groups, drawn);
        // Sheets that are too long go on in further ones.
        let pages: Vec<(&Sheet<'_>, usize)> =
            sheets.iter().flat_map(|sheet| (0..sheet.pages()).map(move |page| (sheet, page))).collect();
        let names: Vec<String> = pages.iter().map(|(sheet, page)| sheet.name(*page)).collect();
        let mut package = XlsxPackage::new(out);
        package.file("[Content_Types].xml", &book::content_types(pages.len(), drawn > 0))?;
        package.file("_rels/.rels", book::RELATIONSHIPS)?;
        package.file("docProps/core.xml", book::CORE)?;
        package.file("xl/workbook.xml", &book::workbook(&pages, &names))?;
        package.file("xl/_rels/workbook.xml.rels", &book::workbook_relationships(pages.len()))?;
        package.file("xl/styles.xml", book::STYLES)?;
        for (i, &(sheet, page)) in pages.iter().enumerate() {
            package.start(&format!("xl/worksheets/sheet{}.xml", i + 1))?;
            sheet.write(page, i == 0, &mut package)?;
        }
        if drawn == 0 {
            return package.finish();
        }
        package.file("xl/worksheets/_rels/sheet1.xml.rels", book::SHEET_RELATIONSHIPS)?;
        let (mut shown, labels) = (Vec::new(), Names::of(report));
        for (row, group) in groups.iter().take(drawn).enumerate() {
            if let Some(png) =
                group.findings.first().and_then(|&finding| pictures.png_of_size(finding, PICTURE))
            {
                shown.push((row, sheets::title(report, &labels, group)));
                package.stored(&format!("xl/media/image{}.png", shown.len()), &png)?;
            }
        }
        package.file("xl/drawings/drawing1.xml", &book::drawing(&shown, PICTURE.map(|side| side / 2)))?;
        package.file("xl/drawings/_rels/drawing1.xml.rels", &book::drawing_relationships(shown.len()))?;
        package.finish()
    }
}
