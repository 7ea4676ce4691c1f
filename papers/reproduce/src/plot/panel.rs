//! Panels and the series that they show.
use super::axis::Axis;
use serde::{Deserialize, Serialize};

/// Drawing style of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Mark {
    Line,
    /// A line with a marker at every point.
    Points,
    /// Markers only, faint: there are many.
    Dots,
    /// A fit, or the paper's numbers.
    Dashes,
}

/// Points with one name, which has one colour in all panels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) mark: Mark,
}

/// Mean and range of values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub(crate) middle: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

/// One coordinate system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Panel {
    Curves {
        title: String,
        x: Axis,
        y: Axis,
        series: Vec<Series>,
    },
    /// A bar per series for each group.
    Bars {
        title: String,
        groups: Vec<String>,
        x: String,
        y: Axis,
        series: Vec<(String, Vec<f64>)>,
    },
    /// A row for each name, the first on top: a marker at the middle, a line from the least to the most.
    Rows {
        title: String,
        rows: Vec<(String, Spread)>,
        x: Axis,
        /// Description of the marker and of the line.
        legend: [String; 2],
    },
}

impl Panel {
    /// The name of each series, and its drawing style.
    pub(super) fn names(&self) -> Vec<(&str, Option<Mark>)> {
        match self {
            Self::Curves { series, .. } => series.iter().map(|s| (&*s.name, Some(s.mark))).collect(),
            Self::Bars { series, .. } => series.iter().map(|s| (&*s.0, None)).collect(),
            Self::Rows { legend: [middle, range], .. } => {
                vec![(middle, Some(Mark::Dots)), (range, Some(Mark::Line))]
            }
        }
    }
}
