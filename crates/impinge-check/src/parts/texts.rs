//! [`PartTexts`]: the texts of a part in its input, besides its name and its file.
use impinge_io::Part;
use std::sync::Arc;

/// The texts of a part in its input, besides its name and its file.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartTexts {
    pub(crate) guid: Option<Arc<str>>,
    /// Type, such as `IfcWall`.
    pub(crate) class: Option<Arc<str>>,
    /// Names from the root of the hierarchy to the part's own, joined by `/`; `None` if that is only its
    /// name.
    pub(crate) path: Option<Arc<str>>,
    /// Property `storey`.
    pub(crate) storey: Option<Arc<str>>,
}

impl PartTexts {
    /// Names of the texts, in the order of [`PartTexts::each`].
    pub(crate) const NAMES: [&str; 4] = ["GUID", "type", "path", "storey"];

    pub(crate) fn of(part: &Part) -> Self {
        let storey = part.properties.get("storey").and_then(|storey| storey.as_text());
        Self {
            guid: part.guid.clone(),
            class: part.class.clone(),
            path: (part.path != part.name).then(|| Arc::clone(&part.path)),
            storey: storey.map(Arc::from),
        }
    }
    /// All texts, in the order in which files store them.
    pub(crate) fn each(&self) -> [Option<&Arc<str>>; 4] {
        [&self.guid, &self.class, &self.path, &self.storey].map(Option::as_ref)
    }
    /// The inverse of [`PartTexts::each`].
    pub(crate) fn from_each([guid, class, path, storey]: [Option<Arc<str>>; 4]) -> Self {
        Self { guid, class, path, storey }
    }
}
