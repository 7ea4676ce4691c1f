//! Axes of a plot.
use serde::{Deserialize, Serialize};

/// Scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Division {
    /// From 0.
    Linear,
    Log,
}

/// Label of an axis, with its unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Axis {
    pub(super) label: String,
    pub(super) division: Division,
}

impl Axis {
    pub(crate) fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), division: Division::Linear }
    }
    pub(crate) fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), division: Division::Log }
    }
}
