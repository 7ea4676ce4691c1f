//! Figures in one style, as SVG and as PNG: panels in a grid over one legend.
mod axis;
mod grid;
mod legend;
mod marks;
mod panel;
mod png;
mod rows;
mod scale;
mod style;

pub(crate) use self::{
    axis::Axis,
    legend::FIT,
    panel::{Mark, Panel, Series, Spread},
    png::png,
};

use self::{
    grid::mesh,
    legend::Legend,
    marks::{Area, Failure, sign, stroke},
    scale::Scale,
    style::{FALLBACKS, FONT},
};
use plotters::{
    prelude::*,
    style::{Color, FontStyle},
};
use std::sync::Once;

const HEIGHT: u32 = 330;
/// A panel alone in its row is wider.
const WIDTHS: [u32; 2] = [820, 470];
/// Margins of the plot, with room for the axis labels on the left.
const MARGINS: [u32; 2] = [66, 24];

/// Draws the panels as SVG, with `columns` of them side by side.
pub(crate) fn svg(panels: &[Panel], columns: u32) -> Result<String, String> {
    static FONTS: Once = Once::new();
    FONTS.call_once(|| {
        // This cannot fail, since the data is a font: the tests draw with it.
        let _ = plotters::style::register_font(FONT, FontStyle::Normal, dejavu::sans::regular());
    });
    let mut names: Vec<(&str, Option<Mark>)> = Vec::new();
    for (name, mark) in panels.iter().flat_map(Panel::names) {
        if names.iter().all(|known| known.0 != name) {
            names.push((name, mark));
        }
    }
    let rows = (panels.len() as u32).div_ceil(columns);
    let width = columns * WIDTHS[usize::from(columns > 1)];
    let legend = Legend::new(&names, width)?;
    let height = rows * HEIGHT + legend.height();
    let mut out = String::new();
    draw(panels, [columns, rows], &legend, (width, height), &mut out).map_err(|error| error.to_string())?;
    Ok(out.replace(&format!("font-family=\"{FONT}\""), &format!("font-family=\"{FALLBACKS}\"")))
}

fn draw(
    panels: &[Panel],
    [columns, rows]: [u32; 2],
    legend: &Legend<'_>,
    size: (u32, u32),
    out: &mut String,
) -> Result<(), Failure> {
    let root = SVGBackend::with_string(out, size).into_drawing_area();
    root.fill(&WHITE)?;
    let (top, bottom) = root.split_vertically(rows * HEIGHT);
    for (panel, area) in panels.iter().zip(top.split_evenly((rows as usize, columns as usize))) {
        match panel {
            Panel::Curves { title, x, y, series } => curves(&area, title, [x, y], series, legend)?,
            Panel::Bars { title, groups, x, y, series } => {
                bars(&area, title, groups, x, y, series, legend)?;
            }
            Panel::Rows { title, rows, x, legend: names } => {
                rows::draw(&area, title, rows, x, names, legend)?;
            }
        }
    }
    legend.draw(&bottom)?;
    root.present()?;
    Ok(())
}

fn curves(
    area: &Area<'_>,
    title: &str,
    [x, y]: [&Axis; 2],
    series: &[Series],
    legend: &Legend<'_>,
) -> Result<(), Failure> {
    let points = || series.iter().flat_map(|s| &s.points);
    let scales = [
        Scale::spanning(x.division, points().map(|p| p.0)),
        Scale::holding(y.division, points().map(|p| p.1)),
    ];
    let place = mesh(area, title, [&x.label, &y.label], scales, MARGINS)?;
    for s in series {
        let (index, colour) = (legend.index(&s.name), legend.colour(&s.name));
        let points: Vec<(i32, i32)> =
            s.points.iter().filter(|p| p.0.is_finite() && p.1.is_finite()).map(&place).collect();
        if s.mark != Mark::Dots {
            stroke(area, &points, s.mark == Mark::Dashes, colour)?;
        }
        if matches!(s.mark, Mark::Dots | Mark::Points) {
            let faint = colour.mix(if s.mark == Mark::Dots { 0.35 } else { 1.0 });
            for &at in &points {
                sign(area, at, index, faint)?;
            }
        }
    }
    Ok(())
}

fn bars(
    area: &Area<'_>,
    title: &str,
    groups: &[String],
    x: &str,
    y: &Axis,
    series: &[(String, Vec<f64>)],
    legend: &Legend<'_>,
) -> Result<(), Failure> {
    let values = || series.iter().flat_map(|s| &s.1).copied().filter(|v| v.is_finite());
    let scales = [Scale::names(groups), Scale::holding(y.division, values())];
    let floor = scales[1].least();
    let place = mesh(area, title, [x, &y.label], scales, MARGINS)?;
    let share = 0.8 / series.len().max(1) as f64;
    for (k, (name, values)) in series.iter().enumerate() {
        for (group, &value) in values.iter().enumerate().filter(|(_, v)| v.is_finite()) {
            let left = group as f64 + 0.1 + share * k as f64;
            let corners = [place(&(left, value)), place(&(left + share, floor))];
            area.draw(&Rectangle::new(corners, legend.colour(name).filled()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
