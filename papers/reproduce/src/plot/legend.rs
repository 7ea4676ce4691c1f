//! The names of all series, under the panels.
use super::{
    marks::{Area, Failure, sign, stroke},
    panel::Mark,
    style::{COLOURS, FONT, LABEL, text},
};
use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

pub(super) const LEGEND_LINE: u32 = 24;

/// Suffix of the name of a series that fits another, and has its colour.
pub(crate) const FIT: &str = ": fit";

/// Names under all panels.
pub(super) struct Legend<'a> {
    /// Each name with its position.
    names: Vec<(&'a str, Option<Mark>, [u32; 2])>,
    lines: u32,
}

impl<'a> Legend<'a> {
    /// Widths of an entry: a sample, a gap, the name, and a gap.
    const SAMPLE: u32 = 30;
    const GAPS: [u32; 2] = [8, 26];

    pub(super) fn new(names: &[(&'a str, Option<Mark>)], width: u32) -> Result<Self, String> {
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
    pub(super) fn height(&self) -> u32 {
        self.lines * LEGEND_LINE + 14
    }
    /// Index of a series. A fit has the index of the series that it fits.
    pub(super) fn index(&self, name: &str) -> usize {
        let base = name.strip_suffix(FIT).unwrap_or(name);
        self.names.iter().position(|known| known.0 == base).unwrap_or(0)
    }
    pub(super) fn colour(&self, name: &str) -> RGBColor {
        COLOURS[self.index(name) % COLOURS.len()]
    }
    pub(super) fn draw(&self, area: &Area<'_>) -> Result<(), Failure> {
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
