//! Cells of a grid over a mesh that no triangle touches, each with the winding number of its points.
//!
//! # The cell of a point
//! On an axis a number x is in the cell `fl(fl(x - lo) per_unit)`, cut to an integer. Each step is monotone
//! for all real numbers, not only for those of f64. So the numbers of a cell are an interval, and
//! those of adjacent cells together are one, too. A number between two others is in their cells or in one
//! between. Nothing of this needs an error bound.
//!
//! Two adjacent cells that no triangle touches make up a convex set that none touches, in which the winding
//! number is constant. Points before the first cell or behind the last are outside of the mesh's box.
//!
//! # The cells that triangles touch
//! A triangle touches the cells of its box. Halving its longest edge makes boxes smaller. The middle of an
//! edge is off by as much as its ends, and rounds by u of the largest coordinate: after [`DEPTH`] steps a
//! corner is off by 32 u. Boxes are widened by 64 u.
use crate::{
    Mesh,
    solid::ProbePosition,
    vector::{UNIT, Vector},
};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU32, Ordering},
};

/// The cells of a mesh.
#[derive(Debug)]
pub(crate) struct EmptyCells {
    lo: Vector,
    per_unit: Vector,
    counts: [usize; 3],
    /// For each cell, x first: [`TOUCHED`], or the winding number.
    windings: Vec<i8>,
}

/// Mark of a cell without a winding number: a triangle may touch it.
const TOUCHED: i8 = i8::MIN;
/// Mark, during construction, of a cell that no triangle touches.
const EMPTY: i8 = i8::MIN + 1;

/// Number of cells for each triangle.
const PER_TRIANGLE: usize = 8;
/// Largest number of cells.
const MOST: usize = 1 << 18;
/// Largest number of cells along an axis.
const ALONG: usize = 256;
/// Largest number of times that a triangle is halved.
const DEPTH: u32 = 32;
/// Largest number of steps (halving triangles, marking cells) for each triangle. A mesh that takes more has
/// little room between its triangles.
const STEPS: usize = 256;

impl EmptyCells {
    /// Makes the cells. `winding` computes the winding number of a point that is on no triangle. `None` if
    /// there is little room between triangles, or coordinates are too large or too near. O(n), some 100 ns
    /// for each triangle.
    fn new(
        mesh: &Mesh,
        [lo, hi]: &[Vector; 2],
        winding: &mut dyn FnMut(Vector) -> Option<i32>,
    ) -> Option<Self> {
        let sides = [0, 1, 2].map(|k| hi[k] - lo[k]);
        let longest = sides[0].max(sides[1]).max(sides[2]);
        let most = (0..3).fold(0.0_f64, |most, k| most.max(lo[k].abs()).max(hi[k].abs()));
        if !(longest > 1e-100 && most < 1e100) {
            return None;
        }
        // Flat meshes have cells as long as 1/256.
        let volume: f64 = sides.iter().map(|side| (side / longest).max(1.0 / ALONG as f64)).product();
        let wanted = (mesh.len() * PER_TRIANGLE).clamp(64, MOST) as f64;
        let per_longest = (wanted / volume).cbrt();
        let counts = sides.map(|side| ((side / longest * per_longest) as usize).clamp(1, ALONG));
        // A little less than counts / sides, so that the last corner is in the last cell.
        let per_unit = [0, 1, 2].map(|k| counts[k] as f64 * (1.0 - 1e-9) / sides[k].max(longest * 1e-9));
        let windings = vec![EMPTY; counts.iter().product()];
        let mut cells = Self { lo: *lo, per_unit, counts, windings };
        let (pad, mut steps) = (64.0 * UNIT * most + f64::MIN_POSITIVE, STEPS * mesh.len());
        for t in 0..mesh.len() as u32 {
            cells.touch(mesh.corners(t), pad, DEPTH, &mut steps)?;
        }
        cells.fill(winding);
        Some(cells)
    }

    /// Marks the cells that a triangle touches; `None` if no steps are left.
    fn touch(&mut self, corners: [Vector; 3], pad: f64, depth: u32, steps: &mut usize) -> Option<()> {
        *steps = steps.checked_sub(1)?;
        let ends = [0, 1, 2].map(|k| {
            let [p, q, r] = corners.map(|corner| corner[k]);
            let [from, to] = [p.min(q).min(r) - pad, p.max(q).max(r) + pad];
            let last = self.counts[k] as f64 - 1.0;
            // The part beyond the mesh's box is not of the triangle.
            [from, to].map(|x| ((x - self.lo[k]) * self.per_unit[k]).clamp(0.0, last) as usize)
        });
        if depth == 0 || ends.iter().all(|[from, to]| to - from < 2) {
            for z in ends[2][0]..=ends[2][1] {
                for y in ends[1][0]..=ends[1][1] {
                    let row = self.counts[0] * (y + self.counts[1] * z);
                    self.windings[row + ends[0][0]..=row + ends[0][1]].fill(TOUCHED);
                }
            }
            return Some(());
        }
        let square = |i: usize| {
            let [p, q] = [corners[i], corners[(i + 1) % 3]];
            (0..3).map(|k| ((p[k] - q[k]) * self.per_unit[k]).powi(2)).sum::<f64>()
        };
        let squares = [square(0), square(1), square(2)];
        let longest = (0..3).fold(0, |longest, i| if squares[i] > squares[longest] { i } else { longest });
        let (i, j) = (longest, (longest + 1) % 3);
        let middle = [0, 1, 2].map(|k| corners[i][k] / 2.0 + corners[j][k] / 2.0);
        for end in [i, j] {
            let mut half = corners;
            half[end] = middle;
            self.touch(half, pad, depth - 1, steps)?;
        }
        Some(())
    }

    /// Computes the winding number of each empty cell: 0 if it is connected with the outside, else by one
    /// call of `winding` for each set of connected cells.
    fn fill(&mut self, winding: &mut dyn FnMut(Vector) -> Option<i32>) {
        let [nx, ny, _] = self.counts;
        let mut waiting = Vec::new();
        let place = |i: usize| [i % nx, i / nx % ny, i / (nx * ny)];
        for i in 0..self.windings.len() {
            let is_outer = place(i).iter().zip(&self.counts).any(|(&x, &count)| x == 0 || x + 1 == count);
            if is_outer && self.windings[i] == EMPTY {
                self.spread(i, 0, &mut waiting);
            }
        }
        for i in 0..self.windings.len() {
            if self.windings[i] != EMPTY {
                continue;
            }
            let middle = place(i).map(|x| x as f64 + 0.5);
            let point = [0, 1, 2].map(|k| self.lo[k] + middle[k] / self.per_unit[k]);
            let is_in = self.index(&ProbePosition { point, error: 0.0 }) == CellLocation::Cell(i);
            let found = if is_in { winding(point) } else { None };
            let known = found.and_then(|found| i8::try_from(found).ok()).filter(|known| *known > EMPTY);
            self.spread(i, known.unwrap_or(TOUCHED), &mut waiting);
        }
    }
    /// Sets the winding number of all empty cells that are connected with this one.
    fn spread(&mut self, from: usize, winding: i8, waiting: &mut Vec<usize>) {
        let [nx, ny, nz] = self.counts;
        self.windings[from] = winding;
        waiting.push(from);
        while let Some(i) = waiting.pop() {
            let (x, y, z) = (i % nx, i / nx % ny, i / (nx * ny));
            let beside = [
                (x > 0, i.wrapping_sub(1)),
                (x + 1 < nx, i + 1),
                (y > 0, i.wrapping_sub(nx)),
                (y + 1 < ny, i + nx),
                (z > 0, i.wrapping_sub(nx * ny)),
                (z + 1 < nz, i + nx * ny),
            ];
            for (is_there, j) in beside {
                if is_there && self.windings[j] == EMPTY {
                    self.windings[j] = winding;
                    waiting.push(j);
                }
            }
        }
    }

    #[inline(always)]
    fn index(&self, near: &ProbePosition) -> CellLocation {
        let (mut index, mut stride) = (0, 1);
        for k in 0..3 {
            let [from, to] = [near.point[k] - near.error, near.point[k] + near.error];
            // The sum and the difference are rounded, if the error is not 0.
            let [from, to] = if near.error == 0.0 { [from, to] } else { [from.next_down(), to.next_up()] };
            let [from, to] = [from, to].map(|x| (x - self.lo[k]) * self.per_unit[k]);
            let count = self.counts[k];
            if to < 0.0 || from >= count as f64 {
                return CellLocation::Outside;
            }
            // NaN proves nothing.
            let is_in = from >= 0.0 && to < count as f64;
            let [from, to] = [from, to].map(|x| x as u32);
            if !is_in || from != to {
                return CellLocation::Unknown;
            }
            index += stride * from as usize;
            stride *= count;
        }
        CellLocation::Cell(index)
    }
    /// The winding number at a point near `near`, within its error, if the cells determine it. The point is
    /// then on no triangle.
    #[inline]
    pub(crate) fn winding(&self, near: &ProbePosition) -> Option<i32> {
        match self.index(near) {
            CellLocation::Outside => Some(0),
            CellLocation::Unknown => None,
            CellLocation::Cell(i) => {
                Some(i32::from(self.windings[i])).filter(|&winding| winding != i32::from(TOUCHED))
            }
        }
    }
    /// The direction that leads to an empty cell in the fewest cells along its main axis: its number, and the
    /// distance. It is a guess, which rounding makes wrong now and then.
    pub(crate) fn nearest_empty(
        &self,
        point: &Vector,
        along: &[Vector; 6],
        steps: u8,
    ) -> Option<(usize, f64)> {
        let at = [0, 1, 2].map(|k| (point[k] - self.lo[k]) * self.per_unit[k]);
        for step in 1..=steps {
            for (side, along) in along.iter().enumerate() {
                let far = f64::from(step) / self.per_unit[side / 2];
                let cell = [0, 1, 2].map(|k| at[k] + far * along[k] * self.per_unit[k]);
                let is_empty = || {
                    let [x, y, z] = cell.map(|x| x as usize);
                    let index = x + self.counts[0] * (y + self.counts[1] * z);
                    self.windings.get(index).is_some_and(|&winding| winding != TOUCHED)
                };
                let is_in = |k: usize| cell[k] >= 0.0 && cell[k] < self.counts[k] as f64;
                // Outside of the mesh's box all is empty.
                if !(is_in(0) && is_in(1) && is_in(2)) || is_empty() {
                    return Some((side, far));
                }
            }
        }
        None
    }
}

/// Place of a point that has an error.
#[derive(Debug, PartialEq)]
enum CellLocation {
    Cell(usize),
    Outside,
    /// In one of several places.
    Unknown,
}

/// Cells that are made after so many queries of points that they pay.
#[derive(Debug, Default)]
pub(super) struct CellsOnDemand {
    asked: AtomicU32,
    made: OnceLock<Option<Arc<EmptyCells>>>,
}

/// Number of triangles that are marked in the time that cells save for one point.
const TRIANGLES_A_POINT: usize = 2;

impl Clone for CellsOnDemand {
    fn clone(&self) -> Self {
        Self { asked: AtomicU32::new(self.asked.load(Ordering::Relaxed)), made: self.made.clone() }
    }
}

impl CellsOnDemand {
    pub(super) fn ask(
        &self,
        mesh: &Mesh,
        extent: &[Vector; 2],
        points: usize,
        winding: &mut dyn FnMut(Vector) -> Option<i32>,
    ) -> Option<&EmptyCells> {
        if let Some(made) = self.made.get() {
            return made.as_deref();
        }
        // Two threads may count as one: no result depends on the count.
        let asked = self.asked.load(Ordering::Relaxed).saturating_add(points.min(1 << 30) as u32);
        self.asked.store(asked, Ordering::Relaxed);
        if (asked as usize) < FEW + mesh.len() / TRIANGLES_A_POINT {
            return None;
        }
        self.made.get_or_init(|| EmptyCells::new(mesh, extent, winding).map(Arc::new)).as_deref()
    }
}

/// Number of points for which cells never pay.
const FEW: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{meshes, rng::Rng};
    use crate::{mesh::extent_of, vector::dot};

    /// A mesh of this crate: the test kit's meshes have the type of the library that it is built with.
    fn own(points: &[Vector], triangles: &[[u32; 3]]) -> Mesh {
        Mesh::new(points.to_vec(), triangles.to_vec()).unwrap()
    }

    fn cells(mesh: &Mesh, winding: &mut dyn FnMut(Vector) -> Option<i32>) -> Option<EmptyCells> {
        EmptyCells::new(mesh, &extent_of(mesh), winding)
    }

    /// No point of a triangle is in a cell with a winding number, however long and oblique triangles are; and
    /// there are such cells.
    #[test]
    fn triangles_touch_all_cells_they_meet() {
        let mut rng = Rng::new(5);
        let tilted = |m: &_, s: f64, t: f64| {
            meshes::mapped(m, |[x, y, z]| [x + 0.4 * y + t, 0.6 * x - y - 0.3 * z, s * z + 0.7 * x])
        };
        let (ball, cube) = (meshes::icosphere(3), meshes::cuboid([1.0; 3]));
        let many = meshes::merged(&[&cube, &meshes::torus(40, 20, 0.3), &tilted(&cube, 3.0, 5.0)]);
        let all = [
            ball.clone(),
            meshes::soup(3, 300, 0.5),
            meshes::soup(4, 40, 3.0),
            meshes::needles(6, 200),
            tilted(&many, 9.0, 1e3),
            tilted(&ball, 1e-4, -3.0),
            meshes::sheet(7, 12, 0.0),
        ];
        let mut all_known = 0;
        for mesh in &all {
            let mesh = &own(mesh.points(), mesh.triangles());
            let Some(cells) = cells(mesh, &mut |_| Some(1)) else { panic!("cells") };
            let known = cells.windings.iter().filter(|&&w| w != TOUCHED).count();
            all_known += known;
            for t in 0..mesh.len() as u32 {
                let corners = mesh.corners(t);
                for point in corners {
                    assert_eq!(cells.winding(&ProbePosition { point, error: 0.0 }), None, "{t} {point:?}");
                }
                for _ in 0..40 {
                    let (u, v) = (rng.unit(), rng.unit());
                    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                    let [a, b, c] = corners;
                    let point = [0, 1, 2].map(|k| a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]));
                    let most = point.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                    let near = ProbePosition { point, error: 1e-14 * most };
                    assert_eq!(cells.winding(&near), None, "{t} {point:?}");
                }
            }
        }
        assert!(all_known > 8000, "{all_known}");
    }

    #[test]
    fn cells_that_are_connected_have_one_winding_number_and_it_is_asked_for_once() {
        let mut rng = Rng::new(6);
        let inner = meshes::mapped(&meshes::icosphere(3), |v| v.map(|x| x / 2.0));
        let mesh = meshes::merged(&[&meshes::icosphere(4), &inner]);
        let mesh = own(mesh.points(), mesh.triangles());
        let mut asked = Vec::new();
        let of = |point: Vector| {
            let square = dot(point, point);
            i32::from(square < 1.0) + i32::from(square < 0.25)
        };
        let cells = cells(&mesh, &mut |point| {
            asked.push(of(point));
            Some(of(point))
        });
        let cells = cells.unwrap();
        assert!(asked.len() < 60 && asked.contains(&1) && asked.contains(&2), "{asked:?}");
        let (mut known, mut seen) = (0, [0; 3]);
        for _ in 0..20_000 {
            let point = [0; 3].map(|_| rng.between(-1.2, 1.2));
            let Some(winding) = cells.winding(&ProbePosition { point, error: 1e-15 }) else { continue };
            assert_eq!(winding, of(point), "{point:?}");
            known += 1;
            seen[winding as usize] += 1;
        }
        assert!(known > 10_000 && seen.iter().all(|&n| n > 200), "{known} {seen:?}");
        // Cells prove nothing about points in several cells, or with NaN.
        let wide = |error| cells.winding(&ProbePosition { point: [0.0; 3], error });
        assert_eq!([wide(0.9), wide(f64::INFINITY), wide(f64::NAN)], [None; 3]);
        assert_eq!(cells.winding(&ProbePosition { point: [f64::NAN; 3], error: 0.0 }), None);
        assert_eq!(cells.winding(&ProbePosition { point: [7.0, 0.0, 0.0], error: 5.0 }), Some(0));
    }
}
