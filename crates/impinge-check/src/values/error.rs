//! [`Error`]: the error of a check, or of a step of one.
use std::fmt;

/// The error of a check: options that contradict each other, a limit that was exceeded, a file that cannot be
/// used, or a run that was cancelled. One line of text names the fault, the place and the reason.
pub struct Error {
    text: String,
    is_cancelled: bool,
}

impl Error {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_cancelled: false }
    }
    /// True if the run ended because [`Watch::cancel`](crate::Watch::cancel) was set.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }
}

/// The cause of the error of a run that was cancelled.
#[derive(Debug)]
pub(crate) struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the check was cancelled")
    }
}

impl std::error::Error for Cancelled {}

/// Joins the chain of causes into one line.
impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Self {
        Self { text: format!("{error:#}"), is_cancelled: error.is::<Cancelled>() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Error").field(&self.text).finish()
    }
}

impl std::error::Error for Error {}
