//! Settings of the proof that a proxy covers a part.
use crate::{Error, ErrorKind};

/// Settings of [`Query::coverage`](crate::Query::coverage).
///
/// ```
/// use impinge::coverage::CoverageOptions;
/// let options = CoverageOptions::new().verdict_only(true).most_pieces(100_000);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CoverageOptions {
    pub(super) accuracy: f64,
    pub(super) tolerance: Option<f64>,
    pub(super) most_pieces: u64,
    pub(super) verdict_only: bool,
}

impl Default for CoverageOptions {
    fn default() -> Self {
        Self { accuracy: 1e-3, tolerance: None, most_pieces: 10_000_000, verdict_only: false }
    }
}

impl CoverageOptions {
    /// The defaults: depths to a thousandth, ten million pieces.
    pub fn new() -> Self {
        Self::default()
    }
    /// The width of the depth's interval, as a part of the depth. By default 1e-3.
    ///
    /// # Errors
    /// It is not positive and finite.
    pub fn accuracy(self, accuracy: f64) -> Result<Self, Error> {
        Ok(Self { accuracy: checked("the accuracy", accuracy)?, ..self })
    }
    /// A length: pieces that stick out by less are divided no further. They leave the result undecided, if no
    /// other point is uncovered. By default 2^-20 of the part's size.
    ///
    /// # Errors
    /// It is not positive and finite.
    pub fn tolerance(self, tolerance: f64) -> Result<Self, Error> {
        Ok(Self { tolerance: Some(checked("the tolerance", tolerance)?), ..self })
    }
    /// The most pieces that are made; beyond that the rest is undecided. By default ten million.
    pub fn most_pieces(self, most_pieces: u64) -> Self {
        Self { most_pieces, ..self }
    }
    /// Whether one uncovered point is enough. The depth's upper bound is then infinite. By default false.
    pub fn verdict_only(self, verdict_only: bool) -> Self {
        Self { verdict_only, ..self }
    }
}

fn checked(what: &'static str, size: f64) -> Result<f64, Error> {
    if size > 0.0 && size < f64::INFINITY {
        return Ok(size);
    }
    Err(ErrorKind::InvalidSize { what, size }.into())
}
