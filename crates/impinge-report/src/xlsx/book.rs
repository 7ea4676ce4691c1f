//! The files of a workbook besides its sheets.
use super::{
    cell::escaped,
    namespaces::{MAIN, RELATIONS, XML},
    sheet::Sheet,
};

pub(super) const RELATIONSHIPS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>"#;

/// Properties of the workbook. The date is fixed, so that the same report gives the same bytes.
pub(super) const CORE: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:creator>impinge</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">1980-01-01T00:00:00Z</dcterms:created></cp:coreProperties>"#;

/// Styles in the order of [`Style`](super::cell::Style): plain, header, text.
pub(super) const STYLES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE4E8EE"/><bgColor indexed="64"/></patternFill></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment vertical="top"/></xf><xf numFmtId="0" fontId="1" fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top"/></xf></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>"#;

pub(super) const SHEET_RELATIONSHIPS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/drawing" Target="../drawings/drawing1.xml"/></Relationships>"#;

pub(super) fn content_types(sheets: usize, has_pictures: bool) -> String {
    const SPREADSHEET: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";
    let mut xml = format!(
        "{XML}<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default \
         Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default \
         Extension=\"xml\" ContentType=\"application/xml\"/><Default Extension=\"png\" \
         ContentType=\"image/png\"/>"
    );
    let mut part = |name: &str, of: &str| {
        xml += &format!("<Override PartName=\"{name}\" ContentType=\"{of}\"/>");
    };
    part("/docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml");
    part("/xl/workbook.xml", &format!("{SPREADSHEET}.sheet.main+xml"));
    part("/xl/styles.xml", &format!("{SPREADSHEET}.styles+xml"));
    for i in 1..=sheets {
        part(&format!("/xl/worksheets/sheet{i}.xml"), &format!("{SPREADSHEET}.worksheet+xml"));
    }
    if has_pictures {
        part("/xl/drawings/drawing1.xml", "application/vnd.openxmlformats-officedocument.drawing+xml");
    }
    xml + "</Types>"
}

pub(super) fn workbook(pages: &[(&Sheet<'_>, usize)], names: &[String]) -> String {
    let mut xml = format!("{XML}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{RELATIONS}\"><sheets>");
    for (i, name) in (1..).zip(names) {
        xml += &format!("<sheet name=\"{}\" sheetId=\"{i}\" r:id=\"rId{i}\"/>", escaped(name));
    }
    // Excel keeps the area of each filter under this name.
    xml += "</sheets><definedNames>";
    for (i, ((sheet, page), name)) in pages.iter().zip(names).enumerate() {
        xml += &format!(
            "<definedName name=\"_xlnm._FilterDatabase\" localSheetId=\"{i}\" hidden=\"1\">'{name}'!{}</definedName>",
            sheet.area(*page)
        );
    }
    xml + "</definedNames></workbook>"
}

pub(super) fn workbook_relationships(sheets: usize) -> String {
    let mut xml = relationships();
    for i in 1..=sheets {
        xml += &relationship(i, "worksheet", &format!("worksheets/sheet{i}.xml"));
    }
    xml + &relationship(sheets + 1, "styles", "styles.xml") + "</Relationships>"
}

pub(super) fn drawing_relationships(pictures: usize) -> String {
    let each = (1..=pictures).map(|i| relationship(i, "image", &format!("../media/image{i}.png")));
    relationships() + &each.collect::<String>() + "</Relationships>"
}

fn relationships() -> String {
    format!("{XML}<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">")
}

fn relationship(id: usize, kind: &str, target: &str) -> String {
    format!("<Relationship Id=\"rId{id}\" Type=\"{RELATIONS}/{kind}\" Target=\"{target}\"/>")
}

/// English Metric Units of a pixel.
const PIXEL: u32 = 9525;

/// Places pictures in the first column; `shown` has the row and the description of each. A picture moves, and
/// hides, with its row. `size` is in pixels.
pub(super) fn drawing(shown: &[(usize, String)], size: [u32; 2]) -> String {
    let mut xml = format!(
        "{XML}<xdr:wsDr xmlns:xdr=\"http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing\" \
         xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" xmlns:r=\"{RELATIONS}\">"
    );
    let [width, height] = size.map(|side| side * PIXEL);
    for (i, (row, what)) in (1..).zip(shown) {
        // Row 0 is the header.
        let row = row + 1;
        let corner = |name: &str, [x, y]: [u32; 2]| {
            format!(
                "<xdr:{name}><xdr:col>0</xdr:col><xdr:colOff>{x}</xdr:colOff><xdr:row>{row}</xdr:row><xdr:rowOff>{y}\
                 </xdr:rowOff></xdr:{name}>"
            )
        };
        let from = corner("from", [2 * PIXEL; 2]);
        let to = corner("to", [width + 2 * PIXEL, height + 2 * PIXEL]);
        xml += &format!(
            "<xdr:twoCellAnchor>{from}{to}<xdr:pic><xdr:nvPicPr><xdr:cNvPr id=\"{i}\" name=\"Picture {i}\" \
             descr=\"{}\"/><xdr:cNvPicPr><a:picLocks noChangeAspect=\"1\"/></xdr:cNvPicPr></xdr:nvPicPr>\
             <xdr:blipFill><a:blip r:embed=\"rId{i}\"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill>\
             <xdr:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"{width}\" cy=\"{height}\"/></a:xfrm>\
             <a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/>\
             </xdr:twoCellAnchor>",
            escaped(what).replace(['\n', '\t'], " ")
        );
    }
    xml + "</xdr:wsDr>"
}
