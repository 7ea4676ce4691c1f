//! Title, axes and grid of a panel.
use super::{
    marks::{Area, Failure},
    scale::Scale,
    style::{GRID, INK, LABEL, TICK, TITLE, text},
};
use plotters::prelude::*;

/// Title, axes and grid; returns the map from the coordinate system to the area.
pub(super) fn mesh(
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
