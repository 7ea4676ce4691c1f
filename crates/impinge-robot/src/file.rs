//! Texts of files.
use crate::error::Error;
use std::{fs, path::Path};

/// Reads a text file in UTF-8.
///
/// # Errors
/// A file that does not open, or whose bytes are not UTF-8.
pub fn read_text(path: &Path) -> Result<String, Error> {
    let bytes =
        fs::read(path).map_err(|e| Error::new(format!("cannot read this file: {e}")).in_file(path))?;
    String::from_utf8(bytes).map_err(|e| {
        let valid = e.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&e.as_bytes()[..valid]).into_owned();
        Error::at(&text, valid, "this is not UTF-8; save the file in UTF-8").in_file(path)
    })
}
