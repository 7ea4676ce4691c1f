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
    pub(super) margin: f64,
}

impl Default for CoverageOptions {
    fn default() -> Self {
        Self { accuracy: 1e-3, tolerance: None, most_pieces: 10_000_000, verdict_only: false, margin: 0.0 }
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
    /// A length: each point of the part has to be so deep in one element. Then all points no farther than it
    /// from the part are in the proxy. A point of the margin that only several elements cover together does
    /// not count. The depth is the length by which all radii have to grow. By default 0.
    ///
    /// # Errors
    /// It is not positive and finite.
    pub fn margin(self, margin: f64) -> Result<Self, Error> {
        Ok(Self { margin: checked("the margin", margin)?, ..self })
    }
    /// Whether one uncovered point is enough. The depth's upper bound is then infinite. By default false.
    pub fn verdict_only(self, verdict_only: bool) -> Self {
        Self { verdict_only, ..self }
    }
}

/// Settings of [`Query::excess`](crate::Query::excess) and
/// [`Query::proxy_volume`](crate::Query::proxy_volume).
///
/// ```
/// use impinge::coverage::ExcessOptions;
/// let options = ExcessOptions::new().accuracy(0.001)?.most_cells(1_000_000);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ExcessOptions {
    pub(super) accuracy: f64,
    pub(super) most_cells: u64,
}

impl Default for ExcessOptions {
    fn default() -> Self {
        Self { accuracy: 0.01, most_cells: 200_000 }
    }
}

impl ExcessOptions {
    /// The defaults: an accuracy of 1 %, 200,000 boxes.
    pub fn new() -> Self {
        Self::default()
    }
    /// The width of an interval, as a part of its lower bound. By default 0.01.
    ///
    /// # Errors
    /// It is not positive and finite.
    pub fn accuracy(self, accuracy: f64) -> Result<Self, Error> {
        Ok(Self { accuracy: checked("the accuracy", accuracy)?, ..self })
    }
    /// The most boxes that are examined; intervals then stay wider. By default 200,000.
    pub fn most_cells(self, most_cells: u64) -> Self {
        Self { most_cells, ..self }
    }
}

fn checked(what: &'static str, size: f64) -> Result<f64, Error> {
    if size > 0.0 && size < f64::INFINITY {
        return Ok(size);
    }
    Err(ErrorKind::InvalidSize { what, size }.into())
}
