//! Choice of a camera for a finding, the same as in the page (`html/camera.js`).
use super::{
    raster::Lens,
    subject::{Shape, Subject},
    vector::{add, cross, scale},
};

/// A camera that looks at a finding.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Camera {
    /// Position of the eye, in the coordinates of the assembly.
    pub position: [f64; 3],
    /// The point in the middle of the picture.
    pub target: [f64; 3],
    /// Direction from the eye to the target, of length 1.
    pub direction: [f64; 3],
    /// Upward direction of the picture, of length 1 and at a right angle to `direction`.
    pub up: [f64; 3],
    /// The angle between the upper and the lower border of the picture, in degrees.
    pub field_of_view: f64,
    /// True if everything between the eye and the target is cut away, by the plane through the target that
    /// faces the eye.
    pub is_section: bool,
    pub(crate) look: Look,
}

/// A choice among directions and distances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Look {
    direction: usize,
    zoom: f64,
    is_cut: bool,
}

/// Cotangent and sine of half the angle that the shorter side of a picture spans, and that angle in degrees.
const COTANGENT: f64 = 3.2327281437658275;
const SINE: f64 = 0.29552020666133955;
const FIELD: f64 = 34.37746770784939;

/// The number of directions from which a picture can look.
pub(super) const DIRECTION_COUNT: usize = 14;

/// Cosine and sine of yaw, cosine and sine of pitch; the angles are those of the page.
const DIRECTIONS: [[f64; 4]; DIRECTION_COUNT] = [
    [0.6967067093471654, 0.7173560908995228, 0.8775825618903728, 0.479425538604203],
    [-0.7373937155412454, 0.675463180551151, 0.8775825618903728, 0.479425538604203],
    [0.6967067093471654, -0.7173560908995228, 0.8775825618903728, 0.479425538604203],
    [-0.7373937155412454, -0.675463180551151, 0.8775825618903728, 0.479425538604203],
    [1.0, 0.0, 0.9950041652780258, 0.09983341664682815],
    [0.0007963267107332633, 0.9999996829318346, 0.9950041652780258, 0.09983341664682815],
    [-0.9999987317275395, 0.0015926529164868282, 0.9950041652780258, 0.09983341664682815],
    [0.0007963267107332633, -0.9999996829318346, 0.9950041652780258, 0.09983341664682815],
    [0.6967067093471654, 0.7173560908995228, 0.26749882862458735, 0.963558185417193],
    [0.6967067093471654, 0.7173560908995228, 0.8775825618903728, -0.479425538604203],
    [-0.7373937155412454, 0.675463180551151, 0.8775825618903728, -0.479425538604203],
    [0.6967067093471654, -0.7173560908995228, 0.8775825618903728, -0.479425538604203],
    [-0.7373937155412454, -0.675463180551151, 0.8775825618903728, -0.479425538604203],
    [0.6967067093471654, 0.7173560908995228, 0.26749882862458735, -0.963558185417193],
];
const ZOOMS: [f64; 7] = [2.2, 1.5, 1.0, 0.55, 0.3, 0.12, 0.04];

/// Index of the first zoom at which the smaller part fills the picture.
const WHOLE: usize = 2;
/// Share of a picture that each part must cover.
const ENOUGH: f64 = 0.025;

/// Sides of the pictures in which the shares of parts are counted.
const SIZE: usize = 48;

impl Look {
    /// Axes of the picture: right, up, and from the target to the eye.
    fn axes(self) -> [[f64; 3]; 3] {
        let [cos_yaw, sin_yaw, cos_pitch, sin_pitch] = DIRECTIONS[self.direction];
        let back = [cos_pitch * cos_yaw, cos_pitch * sin_yaw, sin_pitch];
        let right = [-sin_yaw, cos_yaw, 0.0];
        [right, cross(back, right), back]
    }
    /// Distance from the target to the eye, in the subject's unit.
    pub(super) fn distance(self) -> f64 {
        self.zoom * 1.15 / SINE
    }
    /// Distance around the target that the picture reaches, in the subject's unit.
    pub(super) fn reach(self) -> f64 {
        2.0 * self.distance() * SINE
    }
    /// The lens for a picture of `samples` samples that shows as much as one of `size` pixels.
    pub(super) fn lens(self, samples: [usize; 2], [width, height]: [u32; 2], shift: [f64; 2]) -> Lens {
        let aspect = f64::from(width) / f64::from(height);
        let [across, down] = samples.map(|n| n as f64 / 2.0 * COTANGENT);
        let distance = self.distance();
        Lens {
            axes: self.axes(),
            distance,
            near: if self.is_cut { distance } else { 0.02 * distance },
            size: samples,
            scale: [across / aspect.max(1.0), down * aspect.min(1.0)],
            centre: [0, 1].map(|k| samples[k] as f64 / 2.0 + shift[k]),
        }
    }
    pub(super) fn is_cut(self) -> bool {
        self.is_cut
    }
    pub(super) fn direction(self) -> usize {
        self.direction
    }
    /// Look that shows all of a sphere of radius 1 around the origin, from a direction.
    pub(super) fn whole(direction: usize) -> Self {
        Self { direction, zoom: 1.0, is_cut: false }
    }
    /// The radius of the largest sphere around the target that the picture shows, in the subject's unit.
    pub(super) fn radius(self) -> f64 {
        self.distance() * SINE
    }
    /// The number of its direction, its zoom, and 1 for a section, as the page stores them.
    pub(crate) fn numbers(self) -> (usize, f64, u8) {
        (self.direction, self.zoom, self.is_cut.into())
    }
    /// The camera in the coordinates of the assembly.
    pub(super) fn camera(self, subject: &Subject, [width, height]: [u32; 2]) -> Camera {
        let [_, up, back] = self.axes();
        let target = subject.origin;
        // The shorter side spans the same angle whatever the picture's size. For a tall picture the angle
        // follows from its tangent.
        let aspect = f64::from(width) / f64::from(height);
        let field_of_view = if aspect >= 1.0 { FIELD } else { 2.0 * arc_tangent(1.0 / (COTANGENT * aspect)) };
        Camera {
            position: add(target, scale(back, self.distance() * subject.unit)),
            target,
            direction: scale(back, -1.0),
            up,
            field_of_view,
            is_section: self.is_cut,
            look: self,
        }
    }
}

/// The angle in degrees whose tangent is this positive number, to 12 digits, by arithmetic alone.
fn arc_tangent(x: f64) -> f64 {
    // Each step halves the angle.
    let mut small = x;
    for _ in 0..6 {
        small /= 1.0 + (1.0 + small * small).sqrt();
    }
    let square = small * small;
    let series = 1.0 - square * (1.0 / 3.0 - square * (1.0 / 5.0 - square * (1.0 / 7.0 - square / 9.0)));
    64.0 * small * series * 180.0 / std::f64::consts::PI
}

/// The camera from which all parts are best visible: the widest picture in which each covers a fortieth, else
/// the picture in which the smallest share is largest. If none shows all parts, such as a part inside
/// another, tries sections through the finding, too. Cost: at most 196 pictures of 48 x 48 samples.
pub(super) fn best(subject: &Subject, size: [u32; 2]) -> Look {
    // One part alone fills the picture.
    let zooms = if subject.shapes.len() < 2 && !subject.has_point { &ZOOMS[WHOLE..] } else { &ZOOMS };
    let mut best = Look { direction: 0, zoom: 1.0, is_cut: false };
    let mut most = None; // Less than any share.
    for is_cut in [false, true] {
        for &zoom in zooms {
            for direction in 0..DIRECTIONS.len() {
                let look = Look { direction, zoom, is_cut };
                let share = least_share(&subject.shapes, &look.lens([SIZE; 2], size, [0.0; 2]), is_cut);
                if share > most {
                    (best, most) = (look, share);
                }
            }
            if most >= Some(ENOUGH) {
                return best;
            }
        }
        if most >= Some(0.02) {
            break;
        }
    }
    best
}

/// The smallest of the shares of a picture that the parts cover. `None` if the eye is inside a part, which
/// would show it from within; in a section the eye may be inside.
fn least_share(shapes: &[Shape], lens: &Lens, is_cut: bool) -> Option<f64> {
    const MIDDLE: usize = (SIZE / 2) * SIZE + SIZE / 2;
    let mut nearest = [0.0; SIZE * SIZE];
    let mut owners = [0; SIZE * SIZE];
    for (owner, shape) in (1_u8..).zip(shapes) {
        let mut winding = 0_i16;
        lens.draw(&shape.points, shape.mesh.triangles(), &mut |face, sample| {
            let i = sample.index;
            if i == MIDDLE {
                winding = winding.wrapping_add(face.winding);
            }
            if shape.hides(i % SIZE, i / SIZE, sample.nearness, nearest[i]) {
                (nearest[i], owners[i]) = (sample.nearness, owner);
            }
        });
        if !is_cut && shape.contains(winding) {
            return None;
        }
    }
    let count = |owner: u8| owners.iter().filter(|&&o| o == owner).count();
    let least = (1..=shapes.len() as u8).map(count).min().unwrap_or(0);
    Some(least as f64 / (SIZE * SIZE) as f64)
}

#[cfg(test)]
mod tests {
    use super::{COTANGENT, DIRECTIONS, FIELD, SINE, arc_tangent};

    #[test]
    fn constants_are_those_of_the_page() {
        let page = include_str!("../html/camera.js");
        assert!(page.contains("const FIELD = 0.6;"));
        assert!((COTANGENT - 1.0 / 0.3_f64.tan()).abs() < 1e-12);
        assert!((SINE - 0.3_f64.sin()).abs() < 1e-12);
        assert!((FIELD - 0.6_f64.to_degrees()).abs() < 1e-12);
        let list = page.split("const DIRECTIONS = [").nth(1).unwrap().split("\n];").next().unwrap();
        let angles: Vec<f64> =
            list.split(['[', ']', ',', ' ', '\n']).filter_map(|word| word.parse().ok()).collect();
        assert_eq!(angles.len(), 2 * DIRECTIONS.len());
        for (angles, direction) in angles.chunks(2).zip(DIRECTIONS) {
            let (yaw, pitch) = (angles[0].sin_cos(), angles[1].sin_cos());
            for (a, b) in [yaw.1, yaw.0, pitch.1, pitch.0].iter().zip(direction) {
                assert!((a - b).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn angles_of_tangents() {
        for x in [1e-9, 0.1, 0.5, 1.0, 3.0, 1e4] {
            assert!((arc_tangent(x) - x.atan().to_degrees()).abs() < 1e-9 * x.atan().to_degrees(), "{x}");
        }
    }
}
