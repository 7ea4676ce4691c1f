//! Polygons become triangles: a fan where that covers the polygon, else a triangulation within its outline.
//!
//! A fan (the first corner with every edge that does not touch it) covers exactly what the polygon does if
//! none of its triangles turns against another, seen along the axis that the polygon faces most: so it is
//! with every convex polygon. The signs are exact. Other polygons are triangulated in that view, see
//! `triangulate`. Three kinds are not: those that cross or touch themselves, those with a corner farther than
//! `FLAT` times their diameter from their mean plane, which have no outline to speak of, and those that would
//! take too long (`ALWAYS`, `SPARE`). They stay fans, with a warning.
mod triangulate;

use self::triangulate::turn;
use crate::{assembly::Sink, error::Place};

/// How far a polygon's corners may lie from its mean plane, as a part of its diameter, for it to be
/// triangulated.
const FLAT: f64 = 0.01;

/// Polygons of so many corners are always triangulated. The triangulation may take time in proportion to the
/// square: some 10 ns by it for a spiral, the worst we know.
const ALWAYS: usize = 1000;
/// What the squares of larger ones may come to in a file: one of 20,000 corners, or eleven of 6,000.
const SPARE: u64 = 400_000_000;

/// A polygon whose corners are being read.
#[derive(Default)]
pub(crate) struct Fan {
    first: u32,
    last: u32,
    most: u32,
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
        self.most = self.most.max(corner);
        self.corners += 1;
        triangle
    }
}

/// The polygons of a file: makes triangles of those whose fans fold, and tells what it could not do.
#[derive(Default)]
pub(crate) struct Polygons {
    /// What large ones have taken of `SPARE`.
    spent: u64,
    small: Option<(Place, u64)>,
    folded: Option<(Place, u64)>,
    /// Polygons with points that come later in the file.
    late: Vec<Late>,
}

/// A fan in a list of triangles, to be looked at when all points are there.
struct Late {
    list: usize,
    start: usize,
    length: usize,
    place: Place,
}

impl Polygons {
    /// Looks at a polygon when its last corner is read; `triangles`, list `list` of the file, end with its
    /// fan.
    #[inline]
    pub(crate) fn close(
        &mut self,
        fan: &Fan,
        points: &[[f64; 3]],
        list: usize,
        triangles: &mut Vec<[u32; 3]>,
        place: Place,
    ) {
        match fan.corners {
            0..=2 => self.too_small(place),
            3 => {}
            n => {
                let length = n - 2;
                let start = triangles.len() - length;
                if fan.most as usize >= points.len() {
                    self.late.push(Late { list, start, length, place });
                } else if let Some(axis) = folds(points, &triangles[start..])
                    && let Some(better) = self.better(points, &triangles[start..], axis, place)
                {
                    triangles.truncate(start);
                    triangles.extend(better);
                }
            }
        }
    }

    /// The triangles for a fan that folds; or nothing, and the face is counted.
    #[cold]
    fn better(
        &mut self,
        points: &[[f64; 3]],
        fan: &[[u32; 3]],
        axis: usize,
        place: Place,
    ) -> Option<Vec<[u32; 3]>> {
        let corners = fan.len() + 2;
        if corners > ALWAYS {
            self.spent = self.spent.saturating_add((corners as u64).saturating_pow(2));
        }
        let affordable = corners <= ALWAYS || self.spent <= SPARE;
        let better = affordable.then(|| triangulate(points, fan, axis)).flatten();
        if better.is_none() {
            self.folded.get_or_insert((place, 0)).1 += 1;
        }
        better
    }

    /// Counts a face, or a strip, that has fewer than three corners.
    #[cold]
    pub(crate) fn too_small(&mut self, place: Place) {
        self.small.get_or_insert((place, 0)).1 += 1;
    }

    /// Looks at the polygons whose points were not there yet; `lists` are all lists of triangles by their
    /// numbers.
    pub(crate) fn finish<'a>(
        &mut self,
        points: &[[f64; 3]],
        lists: impl Iterator<Item = &'a mut Vec<[u32; 3]>>,
    ) {
        let mut late = std::mem::take(&mut self.late);
        // Stable: within a list they are in order.
        late.sort_by_key(|l| l.list);
        let mut late = late.into_iter().peekable();
        for (i, triangles) in lists.enumerate() {
            // A new list, so that a thousand replacements do not move its rest a thousand times.
            let mut new = Vec::new();
            let mut done = 0;
            while let Some(Late { start, length, place, .. }) = late.next_if(|l| l.list == i) {
                let fan = &triangles[start..start + length];
                // One that names a point which never comes is refused by the reader.
                let known = fan.as_flattened().iter().all(|&k| (k as usize) < points.len());
                let Some(axis) = known.then(|| folds(points, fan)).flatten() else { continue };
                if let Some(better) = self.better(points, fan, axis, place) {
                    new.extend_from_slice(&triangles[done..start]);
                    new.extend(better);
                    done = start + length;
                }
            }
            if done > 0 {
                new.extend_from_slice(&triangles[done..]);
                *triangles = new;
            }
        }
    }

    pub(crate) fn warn(self, sink: &mut Sink) {
        if let Some((place, n)) = self.small {
            let what = "faces with fewer than 3 corners hold no triangle and are left out";
            sink.warn(place, format!("{what}: {n}"));
        }
        if let Some((place, n)) = self.folded {
            let what = "faces that cross or touch themselves, are far from flat or have too many corners, \
                        and became fans";
            sink.warn(place, format!("{what}: {n}; such a fan may reach beyond its face"));
        }
    }
}

/// The axis along which a fan is seen, if one of its triangles turns against another. All its points are
/// there.
#[inline]
fn folds(points: &[[f64; 3]], fan: &[[u32; 3]]) -> Option<usize> {
    let at = |i: u32| points[i as usize];
    let axis = facing(fan.iter().map(|t| normal(t.map(at))));
    let (mut left, mut right) = (false, false);
    for t in fan {
        let turn = turn(t.map(|i| flat(at(i), axis)));
        left |= turn > 0.0;
        right |= turn < 0.0;
    }
    (left && right).then_some(axis)
}

/// The axis along which triangles show most of their areas.
fn facing(normals: impl Iterator<Item = [f64; 3]>) -> usize {
    let areas = normals.fold([0.0; 3], |sum: [f64; 3], n| std::array::from_fn(|i| sum[i] + n[i].abs()));
    let larger = |a: usize, b: usize| if areas[b] > areas[a] { b } else { a };
    larger(larger(2, 1), 0)
}

/// A point as seen along an axis: the other two coordinates, turned so that orientation is kept.
fn flat(p: [f64; 3], axis: usize) -> [f64; 2] {
    [p[(axis + 1) % 3], p[(axis + 2) % 3]]
}

fn normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let (u, v) = (sub(b, a), sub(c, a));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// The triangles of a polygon, given by its fan, that cover what its outline encloses and no more; or
/// nothing.
fn triangulate(points: &[[f64; 3]], fan: &[[u32; 3]], axis: usize) -> Option<Vec<[u32; 3]>> {
    let corners: Vec<u32> = fan[0][..2].iter().copied().chain(fan.iter().map(|t| t[2])).collect();
    let solid: Vec<[f64; 3]> = corners.iter().map(|&i| points[i as usize]).collect();
    if !is_flat(&solid) {
        return None;
    }
    let flat: Vec<[f64; 2]> = solid.iter().map(|&p| flat(p, axis)).collect();
    let triangles = triangulate::triangulate(&flat, &solid)?;
    Some(triangles.into_iter().map(|t| t.map(|i| corners[i])).collect())
}

/// Whether a polygon's corners lie near its mean plane; in floating point, for a decision that is a matter of
/// taste.
fn is_flat(corners: &[[f64; 3]]) -> bool {
    let n = corners.len() as f64;
    let mean: [f64; 3] = std::array::from_fn(|i| corners.iter().map(|p| p[i] / n).sum());
    // Newell's normal: the sum over all edges, about the mean.
    let next = corners.iter().cycle().skip(1);
    let sum = corners.iter().zip(next).fold([0.0; 3], |sum: [f64; 3], (&a, &b)| {
        let one = normal([mean, a, b]);
        std::array::from_fn(|i| sum[i] + one[i])
    });
    let spread = corners.iter().map(|&p| length(sub(p, mean))).fold(0.0, f64::max);
    let far = corners.iter().map(|&p| dot(sub(p, mean), sum).abs()).fold(0.0, f64::max);
    // Twice the spread bounds the diameter. What overflows or has no area is not flat.
    far <= FLAT * 2.0 * spread * length(sum) && length(sum).is_normal()
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}
