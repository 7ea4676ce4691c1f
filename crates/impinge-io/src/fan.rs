//! Polygons become fans: the first corner with every edge that does not touch it.
use crate::{assembly::Sink, error::Place};

/// A polygon whose corners are being read.
#[derive(Default)]
pub(crate) struct Fan {
    first: u32,
    last: u32,
    corners: usize,
}

impl Fan {
    /// Takes the next corner; gives a triangle from the third on.
    #[inline]
    pub(crate) fn push(&mut self, corner: u32) -> Option<[u32; 3]> {
        if self.corners == 0 {
            self.first = corner;
        }
        let triangle = (self.corners >= 2).then_some([self.first, self.last, corner]);
        self.last = corner;
        self.corners += 1;
        triangle
    }
}

/// What polygons hold that their fans do not show: counted, and told at the end.
#[derive(Default)]
pub(crate) struct Polygons {
    small: Option<(Place, u64)>,
    folded: Option<(Place, u64)>,
}

impl Polygons {
    /// Looks at a polygon when its last corner is read; `triangles` end with its own.
    #[inline]
    pub(crate) fn close(&mut self, fan: &Fan, points: &[[f64; 3]], triangles: &[[u32; 3]], place: Place) {
        match fan.corners {
            0..=2 => self.small.get_or_insert((place, 0)).1 += 1,
            3 => {}
            n => {
                if folds(points, &triangles[triangles.len() - (n - 2)..]) {
                    self.folded.get_or_insert((place, 0)).1 += 1;
                }
            }
        }
    }
    pub(crate) fn warn(self, sink: &mut Sink<'_>) {
        if let Some((place, n)) = self.small {
            sink.warn(
                place,
                format!("faces with fewer than 3 corners hold no triangle and are left out: {n}"),
            );
        }
        if let Some((place, n)) = self.folded {
            sink.warn(
                place,
                format!("faces that are not convex: {n}; the fan of such a face reaches beyond it"),
            );
        }
    }
}

/// Whether a triangle of a fan turns against the whole by more than a millionth of its area; for a warning only.
/// Points that come later in the file are not looked at.
fn folds(points: &[[f64; 3]], fan: &[[u32; 3]]) -> bool {
    let normal = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| points.get(i as usize).copied().unwrap_or([f64::NAN; 3]));
        let (u, v) = (sub(b, a), sub(c, a));
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    };
    let whole = fan.iter().map(normal).fold([0.0; 3], |s, n| [s[0] + n[0], s[1] + n[1], s[2] + n[2]]);
    let least = -1e-6 * dot(whole, whole);
    fan.iter().any(|t| dot(normal(t), whole) < least)
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
