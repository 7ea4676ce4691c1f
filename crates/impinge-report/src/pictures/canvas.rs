//! The samples of a picture, and the colours that they become.
use super::{
    camera::Look,
    color::{Color, lit, mix},
    raster::Lens,
    subject::{Shape, Subject},
};
use crate::contact_lines::Contact;

/// Colours of the parts, as in the page.
pub(super) const PARTS: [Color; 2] = [[41, 120, 235], [245, 140, 26]];
pub(super) const BACKGROUND: Color = [237, 240, 245];
pub(super) const GHOST: Color = [89, 97, 107];
/// Opacity of a ghost, in 256ths.
pub(super) const VEIL: u32 = 41;
/// Difference of light that makes an edge.
const EDGE: u8 = 28;
/// Colour of a section through both parts, and of patches of contact.
const OVERLAP: Color = [214, 32, 48];
/// Opacity of a patch of contact, in 256ths.
const PATCH: u32 = 128;

/// Places of a pixel's samples, in eighths. No two share a row or column, so that edges in all directions are
/// smooth.
pub(super) const SAMPLES: [[f64; 2]; 8] =
    [[0.5, 2.5], [1.5, 5.5], [2.5, 0.5], [3.5, 7.5], [4.5, 4.5], [5.5, 1.5], [6.5, 6.5], [7.5, 3.5]];

/// The nearest surface of some parts at each sample.
struct Layer {
    nearness: Vec<f32>,
    light: Vec<u8>,
    /// Winding number of the section's point at each sample.
    winding: Vec<i16>,
}

impl Layer {
    fn new(samples: usize) -> Self {
        Self { nearness: vec![0.0; samples], light: vec![0; samples], winding: vec![0; samples] }
    }
    fn clear(&mut self) {
        self.nearness.fill(0.0);
        self.winding.fill(0);
    }
    fn draw(&mut self, shape: &Shape, lens: &Lens) {
        lens.draw(&shape.points, shape.mesh.triangles(), &mut |face, sample| {
            let i = sample.index;
            self.winding[i] = self.winding[i].wrapping_add(face.winding);
            if sample.nearness > self.nearness[i] {
                (self.nearness[i], self.light[i]) = (sample.nearness, face.light);
            }
        });
    }
    /// True if a line is between two samples: only one is covered, or an edge is between them.
    fn ends(&self, i: usize, j: usize) -> bool {
        (self.nearness[i] > 0.0) != (self.nearness[j] > 0.0) || self.light[i].abs_diff(self.light[j]) > EDGE
    }
}

/// The samples that patches of contact cover, also where parts hide them.
struct Patches {
    is_odd: Vec<bool>,
    covered: Vec<bool>,
}

impl Patches {
    fn draw(&mut self, contact: &Contact, lens: &Lens) {
        self.covered.fill(false);
        // A section does not cut the contact, as in the page.
        let lens = Lens { near: 0.02 * lens.distance, ..*lens };
        for lines in &contact.patches {
            // The fans of a flat piece's lines, from any point of its plane, overlap an odd number of times
            // inside the piece, and an even number outside.
            let Some(&first) = lines.iter().flatten().next() else { continue };
            let (mut points, mut triangles) = (vec![first], Vec::new());
            for line in lines {
                let start = points.len() as u32;
                points.extend(line);
                triangles.extend((start + 1..points.len() as u32).map(|i| [0, i - 1, i]));
            }
            lens.draw(&points, &triangles, &mut |_, sample| self.is_odd[sample.index] ^= true);
            lens.draw(&points, &triangles, &mut |_, sample| {
                self.covered[sample.index] |= std::mem::take(&mut self.is_odd[sample.index]);
            });
        }
    }
}

/// The front surface at a sample. Two samples have a line between them if the surfaces differ.
#[derive(Clone, Copy, PartialEq, Default)]
struct Seen {
    color: Color,
    /// 0 nothing, 1 and 2 the parts, 3 their overlap.
    owner: u8,
    light: u8,
    is_section: bool,
}

/// Draws parts, ghosts and patches of contact. Returns three bytes a pixel, row by row.
pub(super) fn draw(
    subject: &Subject,
    ghosts: &[Shape],
    contact: &Contact,
    look: Look,
    size: [u32; 2],
) -> Vec<u8> {
    let [width, height] = size.map(|n| n as usize);
    let count = width * height;
    let mut sums = vec![[0_u16; 3]; count];
    let (mut layers, mut veil) = ([Layer::new(count), Layer::new(count)], Layer::new(count));
    let mut seen = vec![Seen::default(); count];
    let mut patches = Patches { is_odd: vec![false; count], covered: vec![false; count] };
    for sample in SAMPLES {
        let shift = sample.map(|place| 0.5 - place / 8.0);
        let lens = look.lens([width, height], size, shift);
        layers.iter_mut().chain([&mut veil]).for_each(Layer::clear);
        for shape in &subject.shapes {
            layers[shape.place].draw(shape, &lens);
        }
        for shape in ghosts {
            veil.draw(shape, &lens);
        }
        patches.draw(contact, &lens);
        let plane = look.is_cut().then(|| (1.0 / look.distance()) as f32);
        for (i, seen) in seen.iter_mut().enumerate() {
            *seen = front(subject, &layers, plane, [i % width, i / width], i);
        }
        for (i, sum) in sums.iter_mut().enumerate() {
            let here = seen[i];
            let color = if here.owner == 0 { BACKGROUND } else { here.color };
            let mut color = color;
            let right = if i % width + 1 < width { seen[i + 1] } else { here };
            let below = if i + width < count { seen[i + width] } else { here };
            match line(here, right).max(line(here, below)) {
                0 => {}
                strength => color = mix(color, [24, 28, 36], strength),
            }
            let nearest = layers.iter().map(|layer| layer.nearness[i]).fold(0.0, f32::max);
            let nearest = if here.is_section { plane.unwrap_or(0.0) } else { nearest };
            if veil.nearness[i] > nearest {
                color = mix(color, lit(GHOST, veil.light[i]), VEIL);
                if i % width + 1 < width && veil.ends(i, i + 1)
                    || i + width < count && veil.ends(i, i + width)
                {
                    color = mix(color, GHOST, VEIL);
                }
            }
            if patches.covered[i] {
                color = mix(color, OVERLAP, PATCH);
            }
            (0..3).for_each(|k| sum[k] += u16::from(color[k]));
        }
    }
    let average = |sum: u16| ((sum + SAMPLES.len() as u16 / 2) / SAMPLES.len() as u16) as u8;
    sums.iter().flatten().map(|&sum| average(sum)).collect()
}

/// The front surface at a sample.
fn front(subject: &Subject, layers: &[Layer; 2], plane: Option<f32>, [x, y]: [usize; 2], i: usize) -> Seen {
    let mut found = Seen::default();
    let mut nearest = 0.0;
    let mut inside = 0;
    for shape in &subject.shapes {
        let layer = &layers[shape.place];
        let owner = shape.place as u8 + 1;
        if plane.is_some() && shape.contains(layer.winding[i]) {
            inside |= owner;
        }
        let nearness = layer.nearness[i];
        if nearness > 0.0 && shape.hides(x, y, nearness, nearest) {
            nearest = nearness;
            let light = layer.light[i];
            found = Seen { color: lit(PARTS[shape.place], light), owner, light, is_section: false };
        }
    }
    // A cut part is solid: hatched in its colour, and red where both parts overlap. A surface in it shows
    // through.
    let is_surface = |shape: &&Shape| shape.rule.is_none() && shape.place as u8 + 1 == found.owner;
    if inside > 0 && !subject.shapes.iter().any(|shape| is_surface(&shape)) {
        let [up, down] = [(x + y) % 10, (x + 9 * y) % 10];
        let hatch = [up < 2, down < 2, up < 2 || down < 2][inside as usize - 1];
        let base = if inside == 3 { OVERLAP } else { PARTS[inside as usize - 1] };
        let color = if hatch { mix(base, [0, 0, 0], 80) } else { mix(base, [255, 255, 255], 70) };
        found = Seen { color, owner: inside, light: 255, is_section: true };
    }
    found
}

/// The strength of the line between two samples: strong around parts and sections, weak along edges.
fn line(a: Seen, b: Seen) -> u32 {
    if a.owner != b.owner || a.is_section != b.is_section {
        150
    } else if a.owner > 0 && !a.is_section && a.light.abs_diff(b.light) > EDGE {
        90
    } else {
        0
    }
}
