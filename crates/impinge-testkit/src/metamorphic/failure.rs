//! Cases that the library gets wrong.
use super::variant::Variant;
use std::fmt;

/// A case that the library gets wrong.
#[derive(Debug)]
pub struct Failure {
    /// The wrong result, and the correct one.
    pub what: String,
    /// The pair.
    pub variant: Box<Variant>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} after {:?}", self.what, self.variant.changes)?;
        f.write_str(&self.variant.obj())
    }
}
