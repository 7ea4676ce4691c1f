//! [`Component`], the reference to a part in BCF.
use crate::xml_writer::XmlWriter;
use impinge_check::{Report, Rules, values::Guid};
use std::io;

/// A part in a viewpoint, named by its IFC GlobalId, or else by its file and its identifier, path or name
/// there.
#[derive(PartialEq, Eq)]
pub(super) enum Component {
    Ifc(String),
    Other { system: String, id: String },
}

impl Component {
    /// Component of a part; `rules` find GUIDs in names.
    pub(super) fn of(report: &Report, rules: &Rules, part: u32) -> Self {
        let facts = report.part(part);
        let own = report.assembly().map(|assembly| &assembly.parts[part as usize]);
        let fields = own.map(|own| rules.fields(own));
        let guid = fields.as_ref().map_or_else(|| facts.guid(), |fields| fields.guid());
        if let Some(guid) = guid.and_then(Guid::parse) {
            return Self::Ifc(guid.ifc());
        }
        let path = fields.as_ref().map_or_else(|| facts.name(), |fields| fields.path());
        let names = [guid.unwrap_or_default(), path, facts.name()];
        let name = names.into_iter().find(|name| !name.trim().is_empty());
        let file = facts.file().file_name().unwrap_or_default().to_string_lossy();
        Self::Other {
            system: if file.trim().is_empty() { "impinge".to_owned() } else { file.into_owned() },
            id: name.map_or_else(|| format!("part {part}"), str::to_owned),
        }
    }
    pub(super) fn write<W: io::Write>(&self, xml: &mut XmlWriter<W>) -> io::Result<()> {
        match self {
            Self::Ifc(guid) => xml.empty("Component", &[("IfcGuid", guid)]),
            Self::Other { system, id } => xml.element("Component", &[], |xml| {
                xml.text("OriginatingSystem", system)?;
                xml.text("AuthoringToolId", id)
            }),
        }
    }
}
