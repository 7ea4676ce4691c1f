//! Fonts, sizes and colours.
use plotters::prelude::*;

/// Embedded font: text metrics and PNGs are the same on every machine, even without installed fonts.
pub(super) const FONT: &str = "DejaVu Sans";

/// Fallback fonts of an SVG's reader.
pub(super) const FALLBACKS: &str = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif";

/// Okabe and Ito's colours, which are distinguishable with any colour vision, without the yellow, which is
/// invisible on white paper.
pub(super) const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
];

pub(super) const INK: RGBColor = RGBColor(40, 40, 40);
pub(super) const GRID: RGBColor = RGBColor(225, 225, 225);
pub(super) const TITLE: f64 = 16.0;
pub(super) const LABEL: f64 = 13.0;
pub(super) const TICK: f64 = 12.0;

pub(super) fn text(size: f64) -> TextStyle<'static> {
    TextStyle::from((FONT, size).into_font()).color(&INK)
}
