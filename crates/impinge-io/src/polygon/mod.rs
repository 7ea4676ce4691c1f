//! Converts polygons to triangles: a fan where that covers the polygon, else a triangulation within the
//! outline.
//!
//! A fan joins the first corner with every edge that does not touch it. It covers exactly the polygon if no
//! two of its triangles have opposite orientations, seen along the axis that the polygon faces most. This
//! holds for every convex polygon. The signs are exact. Other polygons are triangulated in that view, see
//! `triangulate`. Three kinds stay fans, with a warning: polygons that cross or touch themselves; polygons
//! with a corner farther than `FLAT` times their diameter from their mean plane, whose outline is not well
//! defined; and polygons that would take too long (`ALWAYS`, `SPARE`).
mod triangulate;

use self::triangulate::turn;
use crate::{error::Place, sink::Sink};

/// Maximum distance of a polygon's corners from its mean plane, relative to its diameter, for triangulation.
const FLAT: f64 = 0.01;

/// Polygons of at most this many corners are always triangulated. The time may grow with the square of the
/// corners: some 10 ns times the square for a spiral, the worst case that we found.
const ALWAYS: usize = 1000;
/// Maximum sum, over the larger polygons of a file, of the square of the number of corners: one polygon of
/// 20,000 corners, or eleven of 6,000.
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
    /// Adds the next corner; returns a triangle from the third on.
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

/// The polygons of a file. Triangulates polygons whose fans fold, and warns of those that it could not.
#[derive(Default)]
pub(crate) struct Polygons {
    /// The part of `SPARE` that large polygons have used.
    spent: u64,
    small: Option<(Place, u64)>,
    folded: Option<(Place, u64)>,
    /// Polygons with points that come later in the file.
    late: Vec<Late>,
}

/// A fan in a list of triangles, which `finish` examines when all points exist.
struct Late {
    list: usize,
    start: usize,
    length: usize,
    place: Place,
}

impl Polygons {
    /// Examines a polygon after its last corner is read. `triangles`, which is list `list` of the file, ends
    /// with its fan.
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

    /// The triangles that replace a folded fan; on `None` the face is counted for the warning.
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

    /// Counts a face or a strip that has fewer than three corners.
    #[cold]
    pub(crate) fn too_small(&mut self, place: Place) {
        self.small.get_or_insert((place, 0)).1 += 1;
    }

    /// Examines the polygons whose points did not exist earlier; `lists` are all lists of triangles by their
    /// numbers.
    pub(crate) fn finish<'a>(
        &mut self,
        points: &[[f64; 3]],
        lists: impl Iterator<Item = &'a mut Vec<[u32; 3]>>,
    ) {
        let mut late = std::mem::take(&mut self.late);
        // The sort is stable: it keeps the order within a list.
        late.sort_by_key(|l| l.list);
        let mut late = late.into_iter().peekable();
        for (i, triangles) in lists.enumerate() {
            // A new list, because a thousand replacements in place would move its rest a thousand times.
            let mut new = Vec::new();
            let mut done = 0;
            while let Some(Late { start, length, place, .. }) = late.next_if(|l| l.list == i) {
                let fan = &triangles[start..start + length];
                // The reader refuses a fan that names a point which never comes.
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
            let what = "faces with fewer than 3 corners contain no triangle and are skipped";
            sink.warn(place, format!("{what}: {n}"));
        }
        if let Some((place, n)) = self.folded {
            let what = "faces that cross or touch themselves, are far from flat or have too many corners, \
                        and became fans";
            sink.warn(place, format!("{what}: {n}; such a fan may reach beyond its face"));
        }
    }
}

/// The axis along which two triangles of a fan have opposite orientations. `None` if the fan does not fold.
/// All its points must exist.
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

/// The axis along which the projected area of the triangles is largest.
fn facing(normals: impl Iterator<Item = [f64; 3]>) -> usize {
    let areas = normals.fold([0.0; 3], |sum: [f64; 3], n| std::array::from_fn(|i| sum[i] + n[i].abs()));
    let larger = |a: usize, b: usize| if areas[b] > areas[a] { b } else { a };
    larger(larger(2, 1), 0)
}

/// A point projected along an axis: the other two coordinates, ordered so that orientation is kept.
fn flat(p: [f64; 3], axis: usize) -> [f64; 2] {
    [p[(axis + 1) % 3], p[(axis + 2) % 3]]
}

fn normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let (u, v) = (sub(b, a), sub(c, a));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// Triangles that cover exactly the inside of the outline of a polygon, which is given by its fan. `None` if
/// there is no such triangulation.
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

/// True if a polygon's corners lie near its mean plane. Floating point suffices, since the threshold is a
/// convention.
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
    // Twice the spread bounds the diameter. A polygon whose numbers overflow or that has no area is not flat.
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
