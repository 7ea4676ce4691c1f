//! Options of the entries of ZIP files, whose bytes do not depend on the time.
use zip::{CompressionMethod, DateTime, write::SimpleFileOptions};

/// Options of a compressed entry, with the first day of ZIP as its date.
pub(crate) fn new() -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(6))
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644)
}
