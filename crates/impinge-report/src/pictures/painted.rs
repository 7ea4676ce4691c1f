//! [`PaintedScene`]: a picture of triangles in colours, with translucent ones before them.
use super::{
    camera::Look,
    canvas::{BACKGROUND, GHOST, SAMPLES, VEIL},
    color::{Color, lit, mix},
    encoded,
    raster::Lens,
    vector::{length, subtract},
};

/// Triangles in one colour.
#[derive(Clone, Debug, Default)]
pub struct PaintedLayer {
    /// Points.
    pub points: Vec<[f64; 3]>,
    /// Indices of three points each.
    pub triangles: Vec<[u32; 3]>,
    /// Red, green and blue.
    pub color: [u8; 3],
    /// True if the camera is to show as much as possible of it.
    pub is_wanted: bool,
}

/// A picture of triangles in colours, with translucent ones before them, drawn without a GPU: the same bytes on
/// every machine. It shows all of them, from the direction in which the wanted ones cover the most pixels.
///
/// ```
/// use impinge_report::{PaintedLayer, PaintedScene};
/// let layer = PaintedLayer {
///     points: vec![[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]],
///     triangles: vec![[0, 1, 2]],
///     color: [214, 32, 48],
///     is_wanted: true,
/// };
/// let scene = PaintedScene { layers: vec![layer], ghosts: Vec::new() };
/// assert!(scene.png([64, 48]).starts_with(b"\x89PNG"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct PaintedScene {
    /// What is drawn; of equally near ones the last.
    pub layers: Vec<PaintedLayer>,
    /// What is drawn translucent, in grey.
    pub ghosts: Vec<PaintedLayer>,
}

/// Sides of the pictures in which directions are compared.
const SMALL: [u32; 2] = [96, 96];

/// The directions that look along no axis.
const DIRECTIONS: [usize; 10] = [0, 1, 2, 3, 8, 9, 10, 11, 12, 13];

/// Ghosts that are not nearer than this factor are in the surface, and hidden.
const BEHIND: f32 = 1.0 + 1e-4;

/// The part of a picture's width or height that is filled.
const FILLED: f64 = 0.92;

impl PaintedScene {
    /// The picture as a PNG file of this width and height.
    pub fn png(&self, size: [u32; 2]) -> Vec<u8> {
        let scene = self.normalized();
        let shown = |direction: &usize| scene.wanted(Look::whole(*direction));
        let best = DIRECTIONS.into_iter().rev().max_by_key(shown).unwrap_or(0);
        encoded(&scene.drawn(Look::whole(best), size), size)
    }

    /// The same about the origin and with the radius 1.
    fn normalized(&self) -> Self {
        let all = || self.layers.iter().chain(&self.ghosts).flat_map(|layer| &layer.points);
        let Some(&first) = all().next() else { return self.clone() };
        let [low, high] = all().fold([first; 2], |[low, high], p| {
            [[0, 1, 2].map(|k| low[k].min(p[k])), [0, 1, 2].map(|k| high[k].max(p[k]))]
        });
        let middle = [0, 1, 2].map(|k| low[k] / 2.0 + high[k] / 2.0);
        let radius = all().map(|p| length(subtract(*p, middle))).fold(f64::MIN_POSITIVE, f64::max);
        let mut scene = self.clone();
        for layer in scene.layers.iter_mut().chain(&mut scene.ghosts) {
            layer.points.iter_mut().for_each(|p| *p = subtract(*p, middle).map(|x| x / radius));
        }
        scene
    }

    /// The factor of a lens's scale, and how far its centre moves, so that the picture is filled.
    fn fit(&self, lens: &Lens) -> (f64, [f64; 2]) {
        let points = self.layers.iter().chain(&self.ghosts).flat_map(|layer| &layer.points);
        let mut places = points.map(|p| lens.project(*p).0);
        let Some(first) = places.next() else { return (1.0, [0.0; 2]) };
        let [low, high] = places.fold([first; 2], |[low, high], p| {
            [[0, 1].map(|k| low[k].min(p[k])), [0, 1].map(|k| high[k].max(p[k]))]
        });
        let room = |k: usize| FILLED * lens.size[k] as f64 / (high[k] - low[k]).max(1.0);
        let scale = room(0).min(room(1));
        (scale, [0, 1].map(|k| scale * (lens.centre[k] - (low[k] + high[k]) / 2.0)))
    }

    /// The number of samples that wanted triangles cover in a small picture.
    fn wanted(&self, look: Look) -> usize {
        let lens = look.lens(SMALL.map(|n| n as usize), SMALL, [0.0; 2]);
        let mut front = Front::new(SMALL[0] as usize * SMALL[1] as usize);
        front.draw(&self.layers, &lens);
        let is_wanted = |place: &&u8| **place > 0 && self.layers[**place as usize - 1].is_wanted;
        front.layer.iter().filter(is_wanted).count()
    }

    /// Three bytes a pixel, row by row.
    fn drawn(&self, look: Look, size: [u32; 2]) -> Vec<u8> {
        let samples = size.map(|n| n as usize);
        let count = samples[0] * samples[1];
        let whole = look.lens(samples, size, [0.0; 2]);
        let (scale, move_by) = self.fit(&whole);
        let mut sums = vec![[0_u16; 3]; count];
        let (mut front, mut veil) = (Front::new(count), Front::new(count));
        for sample in SAMPLES {
            let mut lens = look.lens(samples, size, sample.map(|place| 0.5 - place / 8.0));
            lens.scale = lens.scale.map(|x| x * scale);
            lens.centre = [0, 1].map(|k| lens.centre[k] + move_by[k]);
            front.draw(&self.layers, &lens);
            veil.draw(&self.ghosts, &lens);
            for (i, sum) in sums.iter_mut().enumerate() {
                let mut color: Color = match front.layer[i] {
                    0 => BACKGROUND,
                    place => lit(self.layers[place as usize - 1].color, front.light[i]),
                };
                if veil.nearness[i] > BEHIND * front.nearness[i] {
                    color = mix(color, lit(GHOST, veil.light[i]), VEIL);
                }
                (0..3).for_each(|k| sum[k] += u16::from(color[k]));
            }
        }
        let average = |sum: u16| ((sum + SAMPLES.len() as u16 / 2) / SAMPLES.len() as u16) as u8;
        sums.iter().flatten().map(|&sum| average(sum)).collect()
    }
}

/// The nearest surface at each sample: its layer from 1 on, or 0.
struct Front {
    layer: Vec<u8>,
    nearness: Vec<f32>,
    light: Vec<u8>,
}

impl Front {
    fn new(samples: usize) -> Self {
        Self { layer: vec![0; samples], nearness: vec![0.0; samples], light: vec![0; samples] }
    }
    fn draw(&mut self, layers: &[PaintedLayer], lens: &Lens) {
        self.layer.fill(0);
        self.nearness.fill(0.0);
        for (place, layer) in (1..).zip(layers) {
            lens.draw(&layer.points, &layer.triangles, &mut |face, sample| {
                let i = sample.index;
                if sample.nearness >= self.nearness[i] {
                    (self.layer[i], self.nearness[i], self.light[i]) = (place, sample.nearness, face.light);
                }
            });
        }
    }
}
