//! Lines and markers.
use plotters::{coord::Shift, prelude::*};

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

pub(super) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A line through points of the picture.
pub(super) fn stroke(
    area: &Area<'_>,
    points: &[(i32, i32)],
    dashed: bool,
    colour: RGBColor,
) -> Result<(), Failure> {
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
pub(super) fn sign(area: &Area<'_>, at: (i32, i32), index: usize, colour: RGBAColor) -> Result<(), Failure> {
    let (x, y) = at;
    match index % 4 {
        0 => area.draw(&Circle::new(at, 4, colour.filled()))?,
        1 => area.draw(&Rectangle::new([(x - 4, y - 4), (x + 4, y + 4)], colour.filled()))?,
        2 => area.draw(&Polygon::new([(x, y - 5), (x + 5, y + 4), (x - 5, y + 4)], colour))?,
        _ => area.draw(&Polygon::new([(x, y - 5), (x + 5, y), (x, y + 5), (x - 5, y)], colour))?,
    }
    Ok(())
}
