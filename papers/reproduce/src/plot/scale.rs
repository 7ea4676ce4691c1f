//! Scale of an axis: maps values to positions, and places the ticks.
use super::axis::Division;
use crate::table::rounded;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// From the least to the greatest value, or names side by side.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    range: Range<f64>,
    division: Division,
    names: Vec<String>,
}

impl Scale {
    /// Scale like that of `holding`, but without 0 if it is linear and 0 is far from all values. It suits
    /// quantities that no length shows.
    pub(super) fn spanning(division: Division, values: impl Iterator<Item = f64> + Clone) -> Self {
        let mut scale = Self::holding(division, values.clone());
        let lo = values.filter(|v| v.is_finite()).fold(f64::INFINITY, f64::min);
        if division == Division::Linear && lo > 0.1 * scale.range.end && lo < scale.range.end {
            scale.range.start = lo - 0.05 * (scale.range.end - lo);
        }
        scale
    }
    /// Scale that includes all values, with a little room above. A linear one also includes 0.
    pub(super) fn holding(division: Division, values: impl Iterator<Item = f64> + Clone) -> Self {
        let usable = values.filter(|v| v.is_finite() && (division == Division::Linear || *v > 0.0));
        let lo = usable.clone().fold(f64::INFINITY, f64::min);
        let hi = usable.fold(f64::NEG_INFINITY, f64::max);
        let range = match division {
            _ if lo > hi => 0.0..1.0,
            Division::Linear => lo.min(0.0)..(if hi > 0.0 { 1.05 * hi } else { 1.0 }),
            Division::Log => 0.8 * lo..1.25 * hi,
        };
        // A logarithmic scale without a value becomes linear.
        let division = if range.start > 0.0 { division } else { Division::Linear };
        Self { range, division, names: Vec::new() }
    }
    /// Scale of names: name k occupies k to k + 1.
    pub(super) fn names(names: &[String]) -> Self {
        Self { range: 0.0..names.len().max(1) as f64, division: Division::Linear, names: names.to_vec() }
    }
    pub(super) fn least(&self) -> f64 {
        self.range.start
    }
    pub(super) fn most(&self) -> f64 {
        self.range.end
    }

    pub(super) fn ticks(&self) -> Vec<f64> {
        if !self.names.is_empty() {
            return (0..self.names.len()).map(|k| k as f64 + 0.5).collect();
        }
        let inside = |tick: &f64| self.range.contains(tick);
        match self.division {
            Division::Linear => {
                let rough = (self.range.end - self.range.start) / 6.0;
                let power = 10_f64.powf(rough.log10().floor());
                let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough);
                let step = step.unwrap_or(rough);
                let first = (self.range.start / step).ceil() as i64;
                (first..).map(|k| k as f64 * step).take_while(|t| *t < self.range.end).collect()
            }
            Division::Log => {
                let decades = (self.range.end / self.range.start).log10();
                let digits: &[f64] = if decades < 0.8 {
                    &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0]
                } else if decades < 2.5 {
                    &[1.0, 2.0, 5.0]
                } else {
                    &[1.0]
                };
                let powers = self.range.start.log10().floor() as i32..=self.range.end.log10().ceil() as i32;
                powers.flat_map(|p| digits.iter().map(move |d| d * 10_f64.powi(p))).filter(inside).collect()
            }
        }
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;
    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let Range { start, end } = self.range;
        let part = match self.division {
            Division::Linear => (value - start) / (end - start),
            // A value without a logarithm is drawn at the edge.
            Division::Log => (value.max(start) / start).ln() / (end / start).ln(),
        };
        let [from, to] = [limit.0, limit.1].map(f64::from);
        (from + part * (to - from)).round() as i32
    }
    fn key_points<H: KeyPointHint>(&self, _hint: H) -> Vec<f64> {
        self.ticks()
    }
    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Scale {
    fn format(value: &f64) -> String {
        tick(*value)
    }
    fn format_ext(&self, value: &f64) -> String {
        match self.names.get(value.floor() as usize) {
            Some(name) => name.clone(),
            None => tick(*value),
        }
    }
}

/// Text of a tick: 20000 as 20k, 0.3 as 0.3.
pub(super) fn tick(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        v if v >= 0.999_999e6 => (value / 1e6, "M"),
        v if v >= 0.999_999e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let text = if scaled.abs() >= 1000.0 { format!("{scaled:.0}") } else { rounded(scaled) };
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{unit}")
}
