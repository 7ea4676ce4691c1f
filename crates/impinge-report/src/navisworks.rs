//! [`NavisworksReport`]: the XML report of Navisworks' Clash Detective.
use crate::{
    case_text::CaseText,
    groups::{finding_word, parts},
    writer::{Format, ReportWriter},
    xml_writer::XmlWriter,
};
use impinge_check::{
    Report, Rules, Unit,
    baseline::{FindingId, Status},
    report::TestSummary,
    values::text::printable,
};
use std::io::{self, Write};

/// Report as XML for programs that read the clash reports of Navisworks. It has a `clashtest` for each test
/// and a `clashresult` for each finding, the gravest first.
///
/// A distance is the gap, else the negative depth, else the negative separating distance. With a baseline the
/// report has all findings, also known ones, with their status; a reopened one is `new`. The GUID of a result
/// follows from the id of its finding. Without a unit, lengths are stated as metres.
#[derive(Clone, Default)]
pub struct NavisworksReport(());

impl NavisworksReport {
    /// The report.
    pub fn new() -> Self {
        Self::default()
    }
}

pub(crate) const FORMAT: Format = Format {
    name: "navisworks",
    extension: "navisworks.xml",
    about: "as a clash report of Navisworks: XML",
    contacts: false,
    writer: || Box::new(NavisworksReport::new()),
};

const SCHEMA: &str = "http://download.autodesk.com/us/navisworks/schemas/nw-exchange-12.0.xsd";

/// Statuses of results, in the order of summaries.
const STATUSES: [&str; 5] = ["new", "active", "reviewed", "approved", "resolved"];

impl ReportWriter for NavisworksReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let (own, units) = (Rules::new(), report.unit().unwrap_or(Unit::Metre).symbol());
        let results = Results {
            report,
            rules: report.rules().unwrap_or(&own),
            texts: CaseText::new(report),
            ids: report.finding_ids(),
        };
        let mut order: Vec<u32> = (0..report.findings().len() as u32).collect();
        order.sort_by_cached_key(|&i| report.rank_of(&report.findings()[i as usize]));
        let mut of_tests: Vec<Vec<u32>> = vec![Vec::new(); report.tests().len()];
        order.into_iter().for_each(|i| of_tests[report.findings()[i as usize].test as usize].push(i));
        let mut xml = XmlWriter::new(out)?;
        let exchange = [
            ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
            ("xsi:noNamespaceSchemaLocation", SCHEMA),
            ("units", units),
            ("filename", ""),
            ("filepath", ""),
        ];
        let batch = [("name", "impinge"), ("internal_name", "impinge"), ("units", units)];
        xml.element("exchange", &exchange, |xml| {
            xml.element("batchtest", &batch, |xml| {
                xml.element("clashtests", &[], |xml| {
                    let mut tests = report.tests().iter().zip(&of_tests);
                    tests.try_for_each(|(test, of)| results.test(test, of, xml))
                })?;
                xml.element("selectionsets", &[], |_| Ok(()))
            })
        })?;
        xml.finish()?;
        Ok(())
    }
}

/// The findings of a report as results.
struct Results<'a> {
    report: &'a Report,
    rules: &'a Rules,
    texts: CaseText<'a>,
    ids: Vec<FindingId>,
}

impl Results<'_> {
    fn test<W: Write>(&self, test: &TestSummary, of: &[u32], xml: &mut XmlWriter<W>) -> io::Result<()> {
        let kind = if test.clearance.is_some() { "clearance" } else { "hard" };
        let tolerance = test.clearance.or(test.tolerance).unwrap_or(0.0).to_string();
        let attributes = [
            ("name", &*printable(&test.name)),
            ("test_type", kind),
            ("status", "ok"),
            ("tolerance", &tolerance),
            ("merge_composites", "0"),
        ];
        xml.element("clashtest", &attributes, |xml| {
            let count = |status: &str| of.iter().filter(|&&i| self.status(i) == status).count().to_string();
            let counts = STATUSES.map(count);
            let total = of.len().to_string();
            let mut attributes = vec![("total", &*total)];
            attributes.extend(STATUSES.iter().zip(&counts).map(|(status, count)| (*status, &**count)));
            xml.element("summary", &attributes, |xml| {
                xml.text("testtype", if kind == "hard" { "Hard" } else { "Clearance" })?;
                xml.text("teststatus", "OK")
            })?;
            xml.element("clashresults", &[], |xml| {
                (1..).zip(of).try_for_each(|(number, &i)| self.result(number, i, xml))
            })
        })
    }
    fn status(&self, i: u32) -> &'static str {
        match self.report.status(i as usize).map(|seen| seen.status) {
            None | Some(Status::New | Status::Reopened) => "new",
            Some(Status::Reviewed) => "reviewed",
            Some(Status::Approved) => "approved",
            Some(Status::Resolved) => "resolved",
            Some(_) => "active",
        }
    }
    fn result<W: Write>(&self, number: usize, i: u32, xml: &mut XmlWriter<W>) -> io::Result<()> {
        let finding = &self.report.findings()[i as usize];
        let size = self.report.size_of(finding);
        let distance =
            size.distance.or(size.depth.or(size.separating_distance).map(|depth| -depth)).unwrap_or(0.0);
        let status = self.status(i);
        let attributes = [
            ("name", &*format!("Clash{number}")),
            ("guid", &self.ids[i as usize].topic_guid().to_string()),
            ("status", status),
            ("distance", &distance.to_string()),
        ];
        xml.element("clashresult", &attributes, |xml| {
            let word = finding_word(finding.kind);
            let size = self.texts.size(&size, finding, false);
            let description = if size.is_empty() { word.to_owned() } else { format!("{word}, {size}") };
            xml.text("description", &description)?;
            xml.text("resultstatus", &(status[..1].to_uppercase() + &status[1..]))?;
            if let Some(point) = self.report.point_of(finding) {
                let [x, y, z] = point.map(|x| x.to_string());
                xml.element("clashpoint", &[], |xml| xml.empty("pos3f", &[("x", &x), ("y", &y), ("z", &z)]))?;
            }
            xml.element("clashobjects", &[], |xml| {
                let parts = parts(self.report, finding);
                parts.into_iter().flatten().try_for_each(|part| self.object(part, xml))
            })
        })
    }
    fn object<W: Write>(&self, part: u32, xml: &mut XmlWriter<W>) -> io::Result<()> {
        let facts = self.report.part(part);
        let own = self.report.assembly().map(|assembly| &assembly.parts[part as usize]);
        let fields = own.map(|own| self.rules.fields(own));
        let of_facts = (facts.name(), facts.name(), facts.guid(), facts.class());
        let (name, path, guid, class) = fields
            .as_ref()
            .map_or(of_facts, |fields| (fields.name(), fields.path(), fields.guid(), fields.class()));
        let file = facts.file().file_name().unwrap_or_default().to_string_lossy();
        let guid = guid.filter(|guid| !guid.is_empty());
        xml.element("clashobject", &[], |xml| {
            let (key, value) = guid.map_or(("Item ID", path), |guid| ("GlobalId", guid));
            xml.element("objectattribute", &[], |xml| pair(key, value, xml))?;
            if let Some(layer) = fields.as_ref().and_then(|fields| fields.get("layer")) {
                xml.text("layer", &layer.text())?;
            }
            xml.element("pathlink", &[], |xml| {
                let path = path.split('/').filter(|node| !node.is_empty());
                [&*file].into_iter().chain(path).try_for_each(|node| xml.text("node", node))
            })?;
            xml.element("smarttags", &[], |xml| {
                let tags = [("Item Name", Some(name)), ("Item Type", class)];
                let tags = tags.into_iter().filter_map(|(key, value)| Some((key, value?)));
                tags.into_iter()
                    .try_for_each(|(key, value)| xml.element("smarttag", &[], |xml| pair(key, value, xml)))
            })
        })
    }
}

fn pair<W: Write>(key: &str, value: &str, xml: &mut XmlWriter<W>) -> io::Result<()> {
    xml.text("name", key)?;
    xml.text("value", value)
}
