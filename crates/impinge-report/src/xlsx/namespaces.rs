//! The first line of XML files, and names that they use.
pub(super) const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
pub(super) const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
pub(super) const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
