//! Rows: many names that are compared by one or two numbers.
use super::{
    axis::Axis,
    grid::mesh,
    legend::Legend,
    marks::{Area, Failure, sign, stroke},
    panel::Spread,
    scale::Scale,
    style::{TICK, text},
};
use crate::table::rounded;
use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

/// Widths for the names, and for the digits of each middle.
const MARGINS: [u32; 2] = [118, 58];

pub(super) fn draw(
    area: &Area<'_>,
    title: &str,
    rows: &[(String, Spread)],
    x: &Axis,
    [middle, range]: &[String; 2],
    legend: &Legend<'_>,
) -> Result<(), Failure> {
    // The scale's names go upwards.
    let names: Vec<String> = rows.iter().rev().map(|row| row.0.clone()).collect();
    let values = rows.iter().flat_map(|(_, s)| [s.least, s.middle, s.most]);
    let scale = Scale::holding(x.division, values);
    let edge = scale.most();
    let place = mesh(area, title, [&x.label, ""], [scale, Scale::names(&names)], MARGINS)?;
    for (k, (_, spread)) in rows.iter().rev().enumerate() {
        let at = |value: f64| place(&(value, k as f64 + 0.5));
        stroke(area, &[at(spread.least), at(spread.most)], false, legend.colour(range))?;
        sign(area, at(spread.middle), legend.index(middle), legend.colour(middle).to_rgba())?;
        let (right, y) = at(edge);
        let style = text(TICK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(rounded(spread.middle), (right + 8, y), style))?;
    }
    Ok(())
}
