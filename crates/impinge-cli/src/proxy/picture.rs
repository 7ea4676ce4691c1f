//! Pictures of links: what the shapes leave uncovered is coloured.
use super::links::LinkInput;
use impinge::Query;
use impinge_report::{PaintedLayer, PaintedScene};
use impinge_robot::cover::paint;

/// Colours of depths up to a third, two thirds and all of the greatest, and of what is covered.
const COLORS: [[u8; 3]; 3] = [[250, 190, 60], [240, 120, 40], [214, 32, 48]];
const COVERED: [u8; 3] = [170, 178, 190];

/// Draws a link as a PNG file.
pub(super) fn picture(link: &LinkInput, depth: f64, size: [u32; 2]) -> anyhow::Result<Vec<u8>> {
    let painted = paint(&mut Query::new(), &link.parts, &link.shapes)?;
    let layer = |color, is_wanted| PaintedLayer { color, is_wanted, ..PaintedLayer::default() };
    let mut layers: Vec<PaintedLayer> = vec![layer(COVERED, false)];
    layers.extend(COLORS.map(|color| layer(color, true)));
    for (triangle, own) in painted.triangles.iter().zip(&painted.depths) {
        let place = match own / depth {
            // Covered, or less than a thousandth of the greatest depth outside.
            share if share.is_nan() || share <= 1e-3 => 0,
            share => 1 + ((3.0 * share) as usize).min(2),
        };
        add(&mut layers[place], triangle);
    }
    let mut ghost = PaintedLayer::default();
    painted.shapes.iter().for_each(|triangle| add(&mut ghost, triangle));
    Ok(PaintedScene { layers, ghosts: vec![ghost] }.png(size))
}

fn add(layer: &mut PaintedLayer, triangle: &[[f64; 3]; 3]) {
    let first = layer.points.len() as u32;
    layer.points.extend(triangle);
    layer.triangles.push([first, first + 1, first + 2]);
}
