//! Reports.
use crate::{errors::error, today::today};
use impinge_check::Report;
use impinge_report::{BcfReport, FORMATS, ReportWriter};
use wasm_bindgen::{JsCast, prelude::*};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A format of reports. */
export type ReportFormat = "bcf" | "csv" | "dot" | "glb" | "html" | "json" | "junit" | "markdown" | "navisworks"
  | "table" | "xlsx";
"#;

#[wasm_bindgen]
extern "C" {
    /// The name of a format.
    #[wasm_bindgen(typescript_type = "ReportFormat")]
    pub type ReportFormat;
    /// A report as an object.
    #[wasm_bindgen(typescript_type = "any")]
    pub type ReportRecord;
}

/// The findings of a check.
#[wasm_bindgen(js_name = Report)]
pub struct JsReport(Report);

#[wasm_bindgen(js_class = Report)]
impl JsReport {
    /// Number of findings.
    #[wasm_bindgen(getter)]
    pub fn findings(&self) -> usize {
        self.0.findings().len()
    }
    /// Number of parts.
    #[wasm_bindgen(getter)]
    pub fn parts(&self) -> usize {
        self.0.part_count()
    }
    /// The report in a format, as the bytes of a file.
    pub fn bytes(&self, format: &ReportFormat) -> Result<Vec<u8>, JsValue> {
        let name = format.as_string().unwrap_or_default();
        let Some(format) = FORMATS.iter().find(|format| format.name == name) else {
            let names = FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ");
            return Err(error(format!("format must be one of {names}")));
        };
        let writer = match format.name {
            // The platform has no clock.
            "bcf" => Box::new(BcfReport::new().date(today())) as Box<dyn ReportWriter>,
            _ => (format.writer)(),
        };
        let mut bytes = Vec::new();
        writer.write(&self.0, &mut bytes).map_err(error)?;
        Ok(bytes)
    }
    /// The report in a format of text, as all but "bcf", "glb" and "xlsx" are.
    pub fn text(&self, format: &ReportFormat) -> Result<String, JsValue> {
        let bytes = self.bytes(format)?;
        String::from_utf8(bytes).map_err(|_| error("the format is no text: use bytes"))
    }
    /// The report as an object: the fields of the format JSON.
    #[wasm_bindgen(js_name = toJSON)]
    pub fn to_json(&self) -> Result<ReportRecord, JsValue> {
        let text = self.text(&JsValue::from_str("json").unchecked_into())?;
        Ok(js_sys::JSON::parse(&text)?.unchecked_into())
    }
}

impl JsReport {
    pub(crate) fn new(report: Report) -> Self {
        Self(report)
    }
}
