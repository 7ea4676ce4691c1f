//! Figures in one style, as SVG and as PNG: panels in a grid over one legend.
mod png;
mod rows;
mod scale;

pub(crate) use self::{png::png, rows::Spread};

use self::scale::Scale;
use crate::table::rounded;
use plotters::{
    coord::Shift,
    prelude::*,
    style::{
        Color, FontStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};
use std::sync::Once;

/// Embedded, so that text metrics and PNGs are the same on every machine, also without installed fonts.
const FONT: &str = "DejaVu Sans";
/// Fallback fonts of an SVG's reader.
const FALLBACKS: &str = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif";
/// Okabe and Ito's colours, which are distinguishable with any colour vision, without the yellow, which is
/// invisible on white paper.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
];
const INK: RGBColor = RGBColor(40, 40, 40);
const GRID: RGBColor = RGBColor(225, 225, 225);
const HEIGHT: u32 = 330;
/// A panel alone in its row is wider.
const WIDTHS: [u32; 2] = [820, 470];
const LEGEND_LINE: u32 = 24;
/// Margins of the plot, with room for the axis labels on the left.
const MARGINS: [u32; 2] = [66, 24];
const TITLE: f64 = 16.0;
const LABEL: f64 = 13.0;
const TICK: f64 = 12.0;

/// Suffix of the name of a series that fits another, and has its colour.
pub(crate) const FIT: &str = ": fit";

/// Scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// From 0.
    Linear,
    Log,
}

/// Label of an axis, with its unit.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    label: String,
    division: Division,
}

impl Axis {
    pub(crate) fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), division: Division::Linear }
    }
    pub(crate) fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), division: Division::Log }
    }
}

/// Drawing style of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) mark: Mark,
}

/// One coordinate system.
#[derive(Clone, Debug)]
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
    fn names(&self) -> Vec<(&str, Option<Mark>)> {
        match self {
            Self::Curves { series, .. } => series.iter().map(|s| (&*s.name, Some(s.mark))).collect(),
            Self::Bars { series, .. } => series.iter().map(|s| (&*s.0, None)).collect(),
            Self::Rows { legend: [middle, range], .. } => {
                vec![(middle, Some(Mark::Dots)), (range, Some(Mark::Line))]
            }
        }
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The panels as SVG, with a given number side by side.
pub(crate) fn svg(panels: &[Panel], columns: u32) -> Result<String, String> {
    static FONTS: Once = Once::new();
    FONTS.call_once(|| {
        // The data is a font: the tests draw with it.
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

fn text(size: f64) -> TextStyle<'static> {
    TextStyle::from((FONT, size).into_font()).color(&INK)
}

/// Names under all panels.
struct Legend<'a> {
    /// Each name with its position.
    names: Vec<(&'a str, Option<Mark>, [u32; 2])>,
    lines: u32,
}

impl<'a> Legend<'a> {
    /// A sample, a gap, the name, and a gap.
    const SAMPLE: u32 = 30;
    const GAPS: [u32; 2] = [8, 26];

    fn new(names: &[(&'a str, Option<Mark>)], width: u32) -> Result<Self, String> {
        let (mut at, mut line, mut placed) = (20, 0, Vec::new());
        for &(name, mark) in names {
            let (length, _) = (FONT, LABEL).into_font().box_size(name).map_err(|error| error.to_string())?;
            let length = Self::SAMPLE + Self::GAPS[0] + length;
            if at + length > width && at > 20 {
                (at, line) = (20, line + 1);
            }
            placed.push((name, mark, [at, line]));
            at += length + Self::GAPS[1];
        }
        Ok(Self { names: placed, lines: line + 1 })
    }
    fn height(&self) -> u32 {
        self.lines * LEGEND_LINE + 14
    }
    /// A fit has the index of the series that it fits.
    fn index(&self, name: &str) -> usize {
        let base = name.strip_suffix(FIT).unwrap_or(name);
        self.names.iter().position(|known| known.0 == base).unwrap_or(0)
    }
    fn colour(&self, name: &str) -> RGBColor {
        COLOURS[self.index(name) % COLOURS.len()]
    }
    fn draw(&self, area: &Area<'_>) -> Result<(), Failure> {
        for (name, mark, [x, line]) in &self.names {
            let i = self.index(name);
            let (x, y) = (*x as i32, (line * LEGEND_LINE + LEGEND_LINE / 2) as i32);
            let colour = COLOURS[i % COLOURS.len()];
            let end = x + Self::SAMPLE as i32;
            match mark {
                None => {
                    area.draw(&Rectangle::new([(x + 10, y - 7), (end, y + 7)], colour.filled()))?;
                }
                Some(Mark::Dots) => sign(area, (x + 15, y), i, colour.to_rgba())?,
                Some(mark) => {
                    stroke(area, &[(x, y), (end, y)], *mark == Mark::Dashes, colour)?;
                    if *mark == Mark::Points {
                        sign(area, ((x + end) / 2, y), i, colour.to_rgba())?;
                    }
                }
            }
            let style = text(LABEL).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(*name, (end + Self::GAPS[0] as i32, y), style))?;
        }
        Ok(())
    }
}

/// A line through points of the picture.
fn stroke(area: &Area<'_>, points: &[(i32, i32)], dashed: bool, colour: RGBColor) -> Result<(), Failure> {
    let style = colour.stroke_width(2);
    if !dashed {
        area.draw(&PathElement::new(points.to_vec(), style))?;
        return Ok(());
    }
    // The length drawn so far decides between dash and gap, so that corners do not restart the pattern.
    const DASH: f64 = 7.0;
    const PERIOD: f64 = 12.0;
    let mut done = 0.0;
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|(x, y)| [f64::from(x), f64::from(y)]);
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        let at = |s: f64| {
            let f = if length > 0.0 { s / length } else { 0.0 };
            let [x, y] = [0, 1].map(|k| (from[k] + f * (to[k] - from[k])).round() as i32);
            (x, y)
        };
        let mut s = 0.0;
        while s < length {
            let phase = (done + s) % PERIOD;
            let step = if phase < DASH { DASH - phase } else { PERIOD - phase };
            // A step of zero length, by rounding, must not loop forever.
            let end = (s + step.max(1e-3)).min(length);
            if phase < DASH {
                area.draw(&PathElement::new(vec![at(s), at(end)], style))?;
            }
            s = end;
        }
        done += length;
    }
    Ok(())
}

/// A marker of a series: both its shape and its colour identify it.
fn sign(area: &Area<'_>, at: (i32, i32), index: usize, colour: RGBAColor) -> Result<(), Failure> {
    let (x, y) = at;
    match index % 4 {
        0 => area.draw(&Circle::new(at, 4, colour.filled()))?,
        1 => area.draw(&Rectangle::new([(x - 4, y - 4), (x + 4, y + 4)], colour.filled()))?,
        2 => area.draw(&Polygon::new([(x, y - 5), (x + 5, y + 4), (x - 5, y + 4)], colour))?,
        _ => area.draw(&Polygon::new([(x, y - 5), (x + 5, y), (x, y + 5), (x - 5, y)], colour))?,
    }
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

/// Title, axes and grid; returns the map from the coordinate system to the area.
fn mesh(
    area: &Area<'_>,
    title: &str,
    labels: [&str; 2],
    [x, y]: [Scale; 2],
    [left, right]: [u32; 2],
) -> Result<impl Fn(&(f64, f64)) -> (i32, i32) + use<>, Failure> {
    let mut chart = ChartBuilder::on(area)
        .caption(title, text(TITLE))
        .margin(10)
        .margin_right(right)
        .x_label_area_size(48)
        .y_label_area_size(left)
        .build_cartesian_2d(x, y)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(labels[0])
        .y_desc(labels[1])
        .axis_desc_style(text(LABEL))
        .label_style(text(TICK))
        .axis_style(INK)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT);
    mesh.draw()?;
    let (plotting, (left, top)) = (chart.as_coord_spec().clone(), area.get_base_pixel());
    Ok(move |p: &(f64, f64)| {
        let (x, y) = plotters::coord::CoordTranslate::translate(&plotting, p);
        (x - left, y - top)
    })
}

#[cfg(test)]
mod tests;
