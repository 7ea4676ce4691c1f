//! [`ClashList`]: entries, each with the elements that it names.
use impinge_check::baseline::FindingId;

/// A clash list of another program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClashList {
    /// Its format.
    pub format: ListFormat,
    /// Its entries, in the order of the file.
    pub entries: Vec<Entry>,
}

/// The format of a clash list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ListFormat {
    /// JSON of ifcclash.
    IfcClash,
    /// BIM Collaboration Format, versions 1 to 3.0.
    Bcf,
    /// The XML report of Navisworks.
    Navisworks,
}

impl ListFormat {
    /// Name in texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::IfcClash => "ifcclash",
            Self::Bcf => "BCF",
            Self::Navisworks => "Navisworks",
        }
    }
}

/// An entry of a clash list.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// Its name or title, or its place in the file.
    pub name: String,
    /// The test or clash set that it belongs to.
    pub test: Option<String>,
    /// The program's own word for its kind, such as `hard`, `pierce` or `clearance`; for BCF the topic type.
    pub word: Option<String>,
    /// The program's own status, unchanged.
    pub status: Option<String>,
    /// The distance that the program states, in its own unit; negative for a penetration.
    pub distance: Option<f64>,
    /// The elements that it names: two, as a rule.
    pub elements: Vec<Element>,
    /// The findings of impinge that it names: a topic of its BCF is a group of findings.
    pub findings: Vec<FindingId>,
}

/// An element that an entry names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Element {
    /// Its identifiers, the best first: a GlobalId, or values of attributes that identify it.
    pub ids: Vec<String>,
    /// Its name.
    pub name: Option<String>,
    /// Its type.
    pub class: Option<String>,
    /// Names from the file down to the element, in the program's own words.
    pub path: Vec<String>,
    /// The name of the file that its path is in, if the list has it: BCF's originating system.
    pub file: Option<String>,
}
