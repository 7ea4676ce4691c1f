//! Lines on top of a picture: contact curves, and a ring at the point of the finding.
use super::{color::mix, raster::Lens};
use crate::contact_lines::Contact;

/// Lines and rings on top of everything.
pub(super) struct Lines {
    /// Contact of the parts, relative to the finding and in its unit.
    pub(super) contact: Contact,
    pub(super) has_ring: bool,
    /// A point that has a ring, too: its place across and down, as shares of the picture.
    pub(super) marked: Option<[f64; 2]>,
}

/// Half of the width of a line, and of a line with its border, in pixels.
const CORE: f64 = 1.3;
const BORDER: f64 = 2.7;
const RING: f64 = 13.0;
/// The radius of the ring in the overview.
const MARK: f64 = 5.0;

impl Lines {
    /// Draws white lines with a dark border.
    pub(super) fn draw(&self, lens: &Lens, pixels: &mut [u8]) {
        let mut covered =
            Covered { size: lens.size, least: vec![f32::INFINITY; lens.size[0] * lens.size[1]] };
        for line in self.contact.lines() {
            for ends in line.windows(2) {
                covered.segment(lens, [ends[0], ends[1]]);
            }
        }
        if self.has_ring {
            covered.ring(lens.centre, RING);
        }
        if let Some(marked) = self.marked {
            covered.ring([0, 1].map(|k| marked[k] * lens.size[k] as f64), MARK);
        }
        for (pixel, &distance) in pixels.chunks_exact_mut(3).zip(&covered.least) {
            let share = |half: f64| ((half + 0.5 - f64::from(distance)).clamp(0.0, 1.0) * 256.0) as u32;
            if share(BORDER) == 0 {
                continue;
            }
            let color = mix([pixel[0], pixel[1], pixel[2]], [16, 18, 24], share(BORDER));
            pixel.copy_from_slice(&mix(color, [255, 255, 255], share(CORE)));
        }
    }
}

/// The distance of each pixel from the nearest line; infinite where it is more than a border.
struct Covered {
    size: [usize; 2],
    least: Vec<f32>,
}

impl Covered {
    fn set(&mut self, x: i64, y: i64, distance: f64) {
        let [width, height] = self.size.map(|n| n as i64);
        if (0..width).contains(&x) && (0..height).contains(&y) {
            let least = &mut self.least[(y * width + x) as usize];
            *least = least.min(distance as f32);
        }
    }
    /// Draws a segment of a curve. Cost: linear in its length in the picture.
    fn segment(&mut self, lens: &Lens, points: [[f64; 3]; 2]) {
        // A section does not cut a curve; a plane in front of the eye does.
        let near = 0.02 * lens.distance;
        let [p, q] = points.map(|point| lens.project(point));
        let ends = match [p.1 >= near, q.1 >= near] {
            [true, true] => [p.0, q.0],
            [false, false] => return,
            [is_first, _] => {
                let share = (near - p.1) / (q.1 - p.1);
                let cut = [0, 1, 2].map(|k| points[0][k] + (points[1][k] - points[0][k]) * share);
                let (cut, kept) = (lens.project(cut).0, if is_first { p.0 } else { q.0 });
                [kept, cut]
            }
        };
        let [p, q] = ends;
        let along = [q[0] - p[0], q[1] - p[1]];
        let square = along[0] * along[0] + along[1] * along[1];
        if !square.is_finite() {
            return;
        }
        // Goes along the longer side, so that a few pixels across suffice.
        let k = usize::from(along[1].abs() > along[0].abs());
        let [low, high] = [p[k].min(q[k]), p[k].max(q[k])];
        let reach = BORDER + 1.0;
        let first = (low - reach).floor().max(0.0);
        let last = (high + reach).ceil().min(self.size[k] as f64);
        for step in first as i64..last as i64 {
            let here = step as f64 + 0.5;
            let share = if along[k] == 0.0 { 0.0 } else { ((here - p[k]) / along[k]).clamp(0.0, 1.0) };
            let across = p[1 - k] + along[1 - k] * share;
            let (low, high) = ((across - 2.0 * reach).max(0.0), across + 2.0 * reach);
            for other in low as i64..=(high.min(self.size[1 - k] as f64)) as i64 {
                let at = if k == 0 { [here, other as f64 + 0.5] } else { [other as f64 + 0.5, here] };
                let from = [at[0] - p[0], at[1] - p[1]];
                let share = (from[0] * along[0] + from[1] * along[1]) / square;
                let share = if square > 0.0 { share.clamp(0.0, 1.0) } else { 0.0 };
                let [x, y] = [from[0] - along[0] * share, from[1] - along[1] * share];
                let distance = (x * x + y * y).sqrt();
                if distance <= reach {
                    self.set(at[0] as i64, at[1] as i64, distance);
                }
            }
        }
    }
    fn ring(&mut self, centre: [f64; 2], radius: f64) {
        let reach = (radius + BORDER + 1.0) as i64;
        let [x, y] = centre.map(|c| c as i64);
        for j in y - reach..=y + reach {
            for i in x - reach..=x + reach {
                let [a, b] = [i as f64 + 0.5 - centre[0], j as f64 + 0.5 - centre[1]];
                let distance = ((a * a + b * b).sqrt() - radius).abs();
                if distance <= BORDER + 1.0 {
                    self.set(i, j, distance);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Covered;
    use crate::pictures::raster::Lens;

    /// Compares each pixel's distance with that from many points of the segment.
    #[test]
    fn distances_from_a_segment() {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let lens =
            Lens { axes, distance: 1.0, near: 0.02, size: [60, 50], scale: [1.0; 2], centre: [30.0, 25.0] };
        for [p, q] in [
            [[-20.0, -3.0], [14.0, 9.0]],
            [[0.2, 0.3], [0.2, 0.3]],
            [[3.0, -900.0], [5.0, 700.0]],
            [[-25.0, 2.0], [25.0, 2.0]],
            [[2.0, 20.0], [1.0, -20.0]],
        ] {
            let mut covered = Covered { size: lens.size, least: vec![f32::INFINITY; 3000] };
            covered.segment(&lens, [p, q].map(|[x, y]| [x, y, 0.0]));
            for (i, &found) in covered.least.iter().enumerate() {
                let at = [(i % 60) as f64 + 0.5 - 30.0, 25.0 - (i / 60) as f64 - 0.5];
                let distance = |share: f64| {
                    let [x, y] = [0, 1].map(|k| p[k] + (q[k] - p[k]) * share - at[k]);
                    (x * x + y * y).sqrt()
                };
                let steps = 200_000;
                let rough = (0..=200)
                    .map(|k| f64::from(k) / 200.0)
                    .min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
                let middle = rough.unwrap();
                let fine = |k: i32| (middle + f64::from(k) / f64::from(steps)).clamp(0.0, 1.0);
                let least = (-1000..=1000).map(|k| distance(fine(k))).fold(f64::INFINITY, f64::min);
                if least < 3.0 {
                    assert!((f64::from(found) - least).abs() < 0.01, "{p:?} {q:?} {at:?}: {found} {least}");
                } else {
                    assert!(found > 3.0 - 0.01);
                }
            }
        }
    }
}
