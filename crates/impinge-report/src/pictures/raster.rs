//! Triangles to samples: projection, clipping, and the samples that a triangle covers.
//!
//! It uses only integers and IEEE addition, multiplication, division and square roots of f64, so that a
//! picture is the same on every machine. Projected corners are rounded to 1/256 of a pixel. Triangles that
//! share an edge then cover each sample near it exactly once.
use super::vector::{add, cross, dot, scale, unit};

/// Corners are rounded to 2^-`FRACTION` pixels.
const FRACTION: u32 = 8;
const ONE: i64 = 1 << FRACTION;

/// A camera that looks at the origin, and the samples of its picture.
#[derive(Clone, Copy)]
pub(super) struct Lens {
    /// Right, up, and from the origin to the eye: unit vectors.
    pub(super) axes: [[f64; 3]; 3],
    /// Distance from the eye to the origin.
    pub(super) distance: f64,
    /// Nothing nearer to the eye's plane than this is drawn. For a section it is the distance of the origin.
    pub(super) near: f64,
    /// Width and height in samples.
    pub(super) size: [usize; 2],
    /// The size of a unit length at distance 1, in samples, across and down.
    pub(super) scale: [f64; 2],
    /// The place of the origin, in samples from the top left corner.
    pub(super) centre: [f64; 2],
}

/// A point in the camera's axes.
#[derive(Clone, Copy)]
struct Corner {
    /// Right, up, and away from the eye.
    at: [f64; 3],
    /// The place in the picture, in fractions of a sample.
    place: [i64; 2],
    /// True if it can be drawn without clipping.
    is_inside: bool,
    /// A bit for each limit that it lies beyond: the sides of the picture, a sample farther out, and the
    /// nearest plane.
    beyond: u8,
}

/// A sample that a triangle covers.
pub(super) struct Sample {
    /// Row by row from the top left corner.
    pub(super) index: usize,
    /// One over the distance from the eye's plane: more is nearer.
    pub(super) nearness: f32,
}

/// Data that the samples of a triangle share.
pub(super) struct Face {
    /// From 0 (dark) to 255.
    pub(super) light: u8,
    /// Contribution to the winding number of points between it and the eye.
    pub(super) winding: i16,
}

/// Corners farther outside than this many widths or heights are clipped, so that integers do not overflow.
const GUARD: f64 = 4.0;

/// Direction to the light in the camera's axes (right, up, away from the eye): the upper left of the eye.
const LIGHT: [f64; 3] = [-0.4, 0.6, -0.69];

impl Lens {
    /// The place of a point in the picture, in samples, and its distance from the eye's plane.
    pub(super) fn project(&self, point: [f64; 3]) -> ([f64; 2], f64) {
        let at = self.turned(point);
        (self.place(at), at[2])
    }
    fn turned(&self, point: [f64; 3]) -> [f64; 3] {
        let [right, up, back] = self.axes;
        [dot(right, point), dot(up, point), self.distance - dot(back, point)]
    }
    fn place(&self, at: [f64; 3]) -> [f64; 2] {
        [self.centre[0] + at[0] * self.scale[0] / at[2], self.centre[1] - at[1] * self.scale[1] / at[2]]
    }
    fn corner(&self, at: [f64; 3]) -> Corner {
        let place = self.place(at);
        let [low, high] = self.bounds();
        let is_inside = at[2] >= self.near && (0..2).all(|k| place[k] >= low[k] && place[k] <= high[k]);
        // Clipped corners may lie outside by their rounding. The place of other corners outside is not used.
        let place = [0, 1].map(|k| (place[k].clamp(low[k], high[k]) * ONE as f64 + 0.5).floor() as i64);
        Corner { at, place, is_inside, beyond: self.beyond(at) }
    }
    /// For [`Corner::beyond`], without a division, so that it holds behind the eye, too.
    fn beyond(&self, [x, y, z]: [f64; 3]) -> u8 {
        let [width, height] = self.size.map(|n| n as f64 + 1.0);
        let [across, down] = [x * self.scale[0] + self.centre[0] * z, self.centre[1] * z - y * self.scale[1]];
        let beyond = [z < self.near, across < -z, across > width * z, down < -z, down > height * z];
        (0..).zip(beyond).fold(0, |bits, (i, is)| bits | u8::from(is) << i)
    }
    /// The part of the plane of the picture where corners need no clipping.
    fn bounds(&self) -> [[f64; 2]; 2] {
        let size = self.size.map(|n| n as f64);
        [size.map(|n| -GUARD * n), size.map(|n| (GUARD + 1.0) * n)]
    }
    /// Planes that bound the space that can be drawn. A point is inside if the product is not negative.
    fn planes(&self) -> [[f64; 4]; 5] {
        let [low, high] = self.bounds();
        let [x, y] = self.centre;
        let [across, down] = self.scale;
        [
            [0.0, 0.0, 1.0, -self.near],
            [across, 0.0, x - low[0], 0.0],
            [-across, 0.0, high[0] - x, 0.0],
            [0.0, -down, y - low[1], 0.0],
            [0.0, down, high[1] - y, 0.0],
        ]
    }
    /// Calls `draw` for each sample that a triangle covers, only once for a sample on the edge of two
    /// triangles.
    pub(super) fn draw(
        &self,
        points: &[[f64; 3]],
        triangles: &[[u32; 3]],
        draw: &mut impl FnMut(&Face, Sample),
    ) {
        let corners: Vec<Corner> = points.iter().map(|&point| self.corner(self.turned(point))).collect();
        let mut polygon = Vec::new();
        for triangle in triangles {
            let three = triangle.map(|i| corners[i as usize]);
            // Most triangles of a large mesh are outside of the picture, or between samples.
            if three.iter().fold(!0, |bits, corner| bits & corner.beyond) != 0 {
                continue;
            }
            if three.iter().all(|corner| corner.is_inside) {
                if !self.has_samples(three.map(|corner| corner.place)) {
                    continue;
                }
                if let Some(face) = face(&three) {
                    self.fill(&three, &face, draw);
                }
                continue;
            }
            let Some(face) = face(&three) else { continue };
            polygon.clear();
            polygon.extend(three.map(|corner| corner.at));
            clip(&mut polygon, &self.planes());
            let clipped: Vec<Corner> = polygon.iter().map(|&at| self.corner(at)).collect();
            for i in 2..clipped.len() {
                self.fill(&[clipped[0], clipped[i - 1], clipped[i]], &face, draw);
            }
        }
    }
    /// Columns and rows whose samples, in the middle of a pixel, a triangle can cover: first and last.
    fn samples(&self, [a, b, c]: [[i64; 2]; 3]) -> [[i64; 2]; 2] {
        [0, 1].map(|k| {
            let [low, high] = [a[k].min(b[k]).min(c[k]), a[k].max(b[k]).max(c[k])];
            let last = self.size[k] as i64 - 1;
            [((low + ONE / 2 - 1) >> FRACTION).max(0), ((high - ONE / 2) >> FRACTION).min(last)]
        })
    }
    fn has_samples(&self, places: [[i64; 2]; 3]) -> bool {
        self.samples(places).iter().all(|[first, last]| first <= last)
    }
    fn fill(&self, corners: &[Corner; 3], face: &Face, draw: &mut impl FnMut(&Face, Sample)) {
        let [mut a, mut b, c] = [0, 1, 2].map(|k| corners[k].place);
        let mut near = [0, 1, 2].map(|k| 1.0 / corners[k].at[2]);
        let mut area = side(a, b, c);
        if area < 0 {
            std::mem::swap(&mut a, &mut b);
            near.swap(0, 1);
            area = -area;
        }
        if area == 0 {
            return;
        }
        let [[left, right], [top, bottom]] = self.samples([a, b, c]);
        // One over the distance is linear in the picture.
        let [(x1, x2), (y1, y2)] = [0, 1].map(|k| (b[k] - a[k], c[k] - a[k]));
        let (d1, d2) = (near[1] - near[0], near[2] - near[0]);
        let slope_x = (d1 * y2 as f64 - d2 * y1 as f64) / area as f64;
        let slope_y = (d2 * x1 as f64 - d1 * x2 as f64) / area as f64;
        let [least, most] = [near[0].min(near[1]).min(near[2]), near[0].max(near[1]).max(near[2])];
        let edges = [(a, b), (b, c), (c, a)].map(|(p, q)| Edge::new(p, q));
        for y in top..=bottom {
            let at = (y << FRACTION) + ONE / 2;
            let [mut first, mut last] = [left, right];
            for edge in &edges {
                edge.shorten(at, &mut first, &mut last);
            }
            let row = near[0] + (at - a[1]) as f64 * slope_y;
            for x in first..=last {
                let along = ((x << FRACTION) + ONE / 2 - a[0]) as f64;
                let nearness = (row + along * slope_x).clamp(least, most);
                let index = y as usize * self.size[0] + x as usize;
                draw(face, Sample { index, nearness: nearness as f32 });
            }
        }
    }
}

/// Twice the area of a triangle; positive if a, b, c are clockwise in a picture whose y goes down.
fn side(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// A half plane: the samples for which `along * x + across * y + constant` is not negative.
struct Edge {
    along: i64,
    across: i64,
    constant: i64,
}

impl Edge {
    /// The side of an edge where the third corner is. A sample on the line belongs to the triangle below or
    /// to the right of it, and to no other.
    fn new(p: [i64; 2], q: [i64; 2]) -> Self {
        let [along, across] = [p[1] - q[1], q[0] - p[0]];
        let is_own = along > 0 || along == 0 && across > 0;
        Self { along, across, constant: -(along * p[0] + across * p[1]) - i64::from(!is_own) }
    }
    /// Shortens the range of columns to those on its side, in the row at that height.
    fn shorten(&self, y: i64, first: &mut i64, last: &mut i64) {
        // At column x: start + x * step.
        let start = self.across * y + self.constant + self.along * (ONE / 2);
        let step = self.along << FRACTION;
        match step.signum() {
            1 => *first = (*first).max(-start.div_euclid(step)),
            -1 => *last = (*last).min(start.div_euclid(-step)),
            _ if start < 0 => *last = *first - 1,
            _ => {}
        }
    }
}

/// Light and winding of a triangle, on the side that the eye sees; `None` if it has no area.
fn face(corners: &[Corner; 3]) -> Option<Face> {
    let [a, b, c] = [0, 1, 2].map(|k| corners[k].at);
    let [ab, ac] = [b, c].map(|p| add(p, scale(a, -1.0)));
    let normal = unit(cross(ab, ac))?;
    // These axes are left-handed: this normal points away from the eye if the triangle is counter-clockwise
    // to it.
    let is_front = dot(normal, a) > 0.0;
    let lit = dot(normal, LIGHT) * if is_front { -1.0 } else { 1.0 };
    let light = 0.34 + 0.66 * (0.5 + 0.5 * lit);
    Some(Face { light: (255.0 * light) as u8, winding: if is_front { -1 } else { 1 } })
}

/// Cuts a convex polygon to the part inside all planes.
fn clip(polygon: &mut Vec<[f64; 3]>, planes: &[[f64; 4]]) {
    for &[x, y, z, w] in planes {
        let height = |p: &[f64; 3]| dot([x, y, z], *p) + w;
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (i, &p) in polygon.iter().enumerate() {
            let q = polygon[(i + 1) % polygon.len()];
            let [at_p, at_q] = [height(&p), height(&q)];
            if at_p >= 0.0 {
                kept.push(p);
            }
            // Always from the inner to the outer end: both triangles of an edge get the same point.
            if at_p >= 0.0 && at_q < 0.0 {
                kept.push(between(p, q, at_p / (at_p - at_q)));
            } else if at_p < 0.0 && at_q >= 0.0 {
                kept.push(between(q, p, at_q / (at_q - at_p)));
            }
        }
        *polygon = kept;
    }
}

fn between(p: [f64; 3], q: [f64; 3], share: f64) -> [f64; 3] {
    [0, 1, 2].map(|k| p[k] + (q[k] - p[k]) * share)
}

#[cfg(test)]
mod tests;
