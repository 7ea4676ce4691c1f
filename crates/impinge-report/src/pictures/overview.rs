//! [`Overview`]: the whole model, small, in the corner of a picture. It shows where the finding is.
use super::{
    camera::{DIRECTION_COUNT, Look},
    canvas::PARTS,
    color::{Color, lit, mix},
    model::PictureModel,
    raster::Lens,
    subject::{Shape, Subject},
    vector::{add, length, scale, subtract},
};
use std::sync::OnceLock;

/// The side of a picture is this many times that of its overview.
const SHARE: usize = 4;
/// Width and height in pixels of the smallest picture that has an overview.
const LEAST: [usize; 2] = [240, 160];
/// Samples along each side of a pixel.
const FINE: usize = 2;
/// Parts whose boxes span fewer samples are drawn as boxes.
const SMALL: f64 = 4.0;
/// Maximum number of triangles that are drawn, those of the largest parts. Other parts are drawn as boxes.
const TRIANGLES: usize = 3_000_000;

const PAPER: Color = [250, 251, 253];
const FRAME: Color = [128, 135, 148];
const MODEL: Color = [198, 204, 214];

/// The model from each direction, drawn on first use.
pub(super) struct Overview {
    /// The middle of the box around all parts, and half of its diagonal.
    centre: [f64; 3],
    radius: f64,
    /// Pixels of a picture, and of the overview in it.
    size: [u32; 2],
    inset: [usize; 2],
    /// The light of the model at each sample; 0 is paper.
    views: [OnceLock<Vec<u8>>; DIRECTION_COUNT],
}

impl Overview {
    /// Overview for a report; `None` if the model has no extent, or pictures are too small.
    pub(super) fn new(model: &PictureModel<'_>, size: [u32; 2]) -> Option<Self> {
        if (0..2).any(|k| (size[k] as usize) < LEAST[k]) {
            return None;
        }
        let all = |origin| {
            (0..model.report.part_count() as u32).filter_map(move |part| around(model, part, origin))
        };
        // Relative to the first part, so that a model far from the origin loses nothing.
        let first = all([0.0; 3]).next()?[0];
        let hull = all(first).fold([[0.0_f64; 3]; 2], |[low, high], [middle, half]| {
            [
                [0, 1, 2].map(|k| low[k].min(middle[k] - half[k])),
                [0, 1, 2].map(|k| high[k].max(middle[k] + half[k])),
            ]
        });
        let [low, high] = hull.map(|corner| corner.map(|x| x / 2.0));
        let radius = length(subtract(high, low));
        (radius > 0.0 && radius.is_finite()).then(|| Self {
            centre: add(first, add(low, high)),
            radius,
            size,
            inset: size.map(|side| side as usize / SHARE),
            views: [const { OnceLock::new() }; DIRECTION_COUNT],
        })
    }
    /// Draws the model with the parts of a finding into a corner. Returns the place of the finding in the
    /// picture, as shares of its sides; `None` if the picture shows all of the model anyway.
    pub(super) fn draw(
        &self,
        model: &PictureModel<'_>,
        subject: &Subject,
        look: Look,
        pixels: &mut [u8],
    ) -> Option<[f64; 2]> {
        let middle = subtract(self.centre, subject.origin);
        if length(middle) + self.radius <= look.radius() * subject.unit {
            return None;
        }
        let direction = look.direction();
        let view = self.views[direction].get_or_init(|| self.view(model, direction));
        let lens = self.lens(direction);
        let count = lens.size[0] * lens.size[1];
        let mut nearest = vec![0.0_f32; count];
        let mut colors: Vec<Color> =
            view.iter().map(|&light| if light == 0 { PAPER } else { lit(MODEL, light) }).collect();
        // The parts of the finding are in front of everything.
        let ratio = subject.unit / self.radius;
        let shift = scale(middle, -1.0 / self.radius);
        for shape in &subject.shapes {
            let points: Vec<_> = shape.points.iter().map(|&point| add(scale(point, ratio), shift)).collect();
            lens.draw(&points, shape.mesh.triangles(), &mut |face, sample| {
                let i = sample.index;
                if sample.nearness > nearest[i] {
                    (nearest[i], colors[i]) = (sample.nearness, lit(PARTS[shape.place], face.light));
                }
            });
        }
        let corner = self.paste(&colors, pixels);
        let at = lens.project(shift).0.map(|x| x / FINE as f64);
        Some([0, 1].map(|k| (corner[k] as f64 + at[k]) / f64::from(self.size[k])))
    }
    fn lens(&self, direction: usize) -> Lens {
        let samples = self.inset.map(|side| side * FINE);
        Look::whole(direction).lens(samples, self.inset.map(|side| side as u32), [0.0; 2])
    }
    /// The light of all parts from a direction.
    fn view(&self, model: &PictureModel<'_>, direction: usize) -> Vec<u8> {
        let lens = self.lens(direction);
        let count = lens.size[0] * lens.size[1];
        let (mut nearest, mut light) = (vec![0.0_f32; count], vec![0; count]);
        let mut draw = |points: &[[f64; 3]], triangles: &[[u32; 3]]| {
            lens.draw(points, triangles, &mut |face, sample| {
                let i = sample.index;
                if sample.nearness > nearest[i] {
                    (nearest[i], light[i]) = (sample.nearness, face.light.max(1));
                }
            });
        };
        let own = |part| around(model, part, self.centre).map(|own| (length(own[1]), own, part));
        let mut parts: Vec<_> = (0..model.report.part_count() as u32).filter_map(own).collect();
        parts.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
        let mut triangles = 0_usize;
        for (half, [middle, sides], part) in parts {
            let samples = 2.0 * half / self.radius * lens.scale[1] / lens.distance;
            triangles = triangles.saturating_add(model.report.part(part).triangles());
            if samples >= SMALL && triangles <= TRIANGLES {
                let shape = Shape::of(model, part, self.centre, self.radius);
                draw(&shape.points, shape.mesh.triangles());
            } else {
                let corner = |i: usize| {
                    [0, 1, 2].map(|k| {
                        let side = if i >> k & 1 == 1 { sides[k] } else { -sides[k] };
                        (middle[k] + side) / self.radius
                    })
                };
                let corners: [[f64; 3]; 8] = std::array::from_fn(corner);
                draw(&corners, &BOX);
            }
        }
        light
    }
    /// Puts samples into the lower right corner, within a frame. Returns the corner's place.
    fn paste(&self, colors: &[Color], pixels: &mut [u8]) -> [usize; 2] {
        let [width, height] = self.inset;
        let row = self.size[0] as usize;
        let corner = [0, 1].map(|k| self.size[k] as usize - self.inset[k]);
        for y in 0..height {
            for x in 0..width {
                let sum = |k: usize| {
                    let of = |j: usize| {
                        u32::from(colors[(FINE * y + j / FINE) * FINE * width + FINE * x + j % FINE][k])
                    };
                    (0..FINE * FINE).map(of).sum::<u32>()
                };
                let samples = (FINE * FINE) as u32;
                let color = [0, 1, 2].map(|k| ((sum(k) + samples / 2) / samples) as u8);
                let is_frame = x < 2 || y < 2;
                let color = if is_frame { mix(color, FRAME, 200) } else { color };
                let at = 3 * ((corner[1] + y) * row + corner[0] + x);
                pixels[at..at + 3].copy_from_slice(&color);
            }
        }
        corner
    }
}

/// The box around a part that has triangles, relative to a point: its middle, and half of its sides.
fn around(model: &PictureModel<'_>, part: u32, origin: [f64; 3]) -> Option<[[f64; 3]; 2]> {
    (model.report.part(part).triangles() > 0).then(|| model.box_of(part, origin))
}

/// The triangles of a box, whose corner `i` is on the far side along each axis with a bit in `i`.
const BOX: [[u32; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];
