//! Solids with relations by construction: cells of a grid, each with a winding number, turned into meshes in
//! many ways. Their intersection follows from sets of cells.
use impinge::{Mesh, Pose, solid::FillRule};
use impinge_demo::rng::Rng;

/// Cells along an edge of the grid.
pub const N: i64 = 3;

/// Winding numbers of N x N x N cells of an integer size, from an integer corner on.
#[derive(Clone, Debug, PartialEq)]
pub struct Polycube {
    /// Winding number of each cell, by x, then y, then z.
    pub labels: Vec<i32>,
    /// The edge of a cell.
    pub cell: i64,
    /// The least corner.
    pub corner: [i64; 3],
}

/// Options of the mesh of a set of cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Gives each cell its own twelve triangles, so that walls between cells occur twice.
    pub cells: bool,
    /// One in this number of triangles is halved, its neighbour not: T-junctions. 0 for none.
    pub split: u64,
    /// Omits one face.
    pub open: bool,
    /// One in this number of triangles is reversed: all of them if it is 1, none if it is 0.
    pub flip: u64,
    /// Adds a pose other than the identity, which the mesh undoes.
    pub posed: bool,
}

impl Polycube {
    /// Winding number at a point that is on no wall. The point is given in halves.
    pub fn at(&self, halves: [i64; 3]) -> i32 {
        let mut index = 0;
        for (half, corner) in halves.into_iter().zip(self.corner) {
            let along = (half - 2 * corner).div_euclid(2 * self.cell);
            if !(0..N).contains(&along) {
                return 0;
            }
            index = index * N + along;
        }
        self.labels[index as usize]
    }
    /// True for each of these sets that is not empty: in both bodies, only in the first, only in the second.
    /// Each body has its own rule.
    pub fn cells(&self, other: &Self, rules: [FillRule; 2]) -> [bool; 3] {
        let holds = |w: i32, rule: FillRule| match rule {
            FillRule::NonZero => w != 0,
            FillRule::Positive => w > 0,
            FillRule::EvenOdd => w % 2 != 0,
        };
        let lo = |k: usize| self.corner[k].min(other.corner[k]);
        let hi = |k: usize| (self.corner[k] + N * self.cell).max(other.corner[k] + N * other.cell);
        let mut found = [false; 3];
        for x in lo(0)..hi(0) {
            for y in lo(1)..hi(1) {
                for z in lo(2)..hi(2) {
                    let p = [2 * x + 1, 2 * y + 1, 2 * z + 1];
                    let (a, b) = (holds(self.at(p), rules[0]), holds(other.at(p), rules[1]));
                    found[0] |= a && b;
                    found[1] |= a && !b;
                    found[2] |= !a && b;
                }
            }
        }
        found
    }
    /// Finds fins: walls with the outside on both sides, such as those of cells of even winding numbers by
    /// parity. The results are true for fins of the first body inside the second, of the second inside the
    /// first, of the first outside the second body, and of the second outside the first.
    pub fn fins(&self, other: &Self, styles: [Style; 2], rules: [FillRule; 2]) -> [bool; 4] {
        let cubes = [self, other];
        let holds = |w: i32, rule: FillRule| match rule {
            FillRule::NonZero => w != 0,
            FillRule::Positive => w > 0,
            FillRule::EvenOdd => w % 2 != 0,
        };
        // For a square between two points of one body: are both inside, is any inside, is it a fin.
        let square = |x: usize, axis: usize, sides: [[i64; 3]; 2]| {
            let [here, there] = sides.map(|p| cubes[x].at(p));
            let along = (sides[1][axis] - 1) / 2 - cubes[x].corner[axis];
            let inside = [here, there].map(|w| holds(w, rules[x]));
            let has_triangles = here != there || styles[x].cells && here != 0 && along % cubes[x].cell == 0;
            (inside == [true; 2], inside != [false; 2], inside == [false; 2] && has_triangles)
        };
        let lo = |k: usize| self.corner[k].min(other.corner[k]);
        let hi = |k: usize| (self.corner[k] + N * self.cell).max(other.corner[k] + N * other.cell);
        let mut found = [false; 4];
        for axis in 0..3 {
            for x in lo(0)..=hi(0) {
                for y in lo(1)..=hi(1) {
                    for z in lo(2)..=hi(2) {
                        let above = [2 * x + 1, 2 * y + 1, 2 * z + 1];
                        let mut below = above;
                        below[axis] -= 2;
                        let of = [0, 1].map(|body| square(body, axis, [below, above]));
                        for (own, other) in [(0, 1), (1, 0)] {
                            if of[own].2 {
                                found[own] |= of[other].0;
                                found[2 + own] |= !of[other].1 && !of[other].2;
                            }
                        }
                    }
                }
            }
        }
        found
    }
    /// A mesh, and a pose that maps it to these cells.
    pub fn mesh(&self, rng: &mut Rng, style: Style) -> (Mesh, Pose) {
        let mut triangles = Vec::new();
        let size = |v: [i64; 3], k: usize, d: i64| v[k] + d;
        let label = |v: [i64; 3]| {
            if v.iter().all(|x| (0..N).contains(x)) {
                self.labels[((v[0] * N + v[1]) * N + v[2]) as usize]
            } else {
                0
            }
        };
        for axis in 0..3 {
            for index in 0..(N + 2).pow(3) {
                let v = [index / (N + 2).pow(2) - 1, index / (N + 2) % (N + 2) - 1, index % (N + 2) - 1];
                let mut next = v;
                next[axis] = size(v, axis, 1);
                let (here, there) = (label(v), label(next));
                // (count, whether the normal points along the axis)
                let walls: Vec<(i32, bool)> = if style.cells {
                    vec![(here.abs(), here > 0), (there.abs(), there < 0)]
                } else {
                    vec![((here - there).abs(), here > there)]
                };
                for (count, up) in walls {
                    for _ in 0..count {
                        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                        let at = |a: i64, b: i64| {
                            let mut p = next;
                            (p[i], p[j]) = (p[i] + a, p[j] + b);
                            [0, 1, 2].map(|k| (self.corner[k] + self.cell * p[k]) as f64)
                        };
                        let mut q = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
                        if !up {
                            q.reverse();
                        }
                        if rng.one_in(2) {
                            q.rotate_left(1);
                        }
                        triangles.extend([[q[0], q[1], q[2]], [q[0], q[2], q[3]]]);
                    }
                }
            }
        }
        if style.split > 0 {
            for i in 0..triangles.len() {
                if rng.one_in(style.split) {
                    triangles[i].rotate_left(rng.below(3) as usize);
                    let [a, b, c] = triangles[i];
                    let middle = [0, 1, 2].map(|k| (a[k] + b[k]) / 2.0);
                    triangles[i] = [a, middle, c];
                    triangles.push([middle, b, c]);
                }
            }
        }
        if style.flip > 0 {
            let flipped = triangles.iter_mut().filter(|_| rng.one_in(style.flip));
            flipped.for_each(|triangle| triangle.reverse());
        }
        rng.shuffle(&mut triangles);
        if style.open {
            triangles.pop();
        }
        let (pose, back) = if style.posed { unimodular(rng) } else { (Pose::IDENTITY, None) };
        let points: Vec<[f64; 3]> = triangles
            .iter()
            .flatten()
            .map(|p| {
                back.as_ref().map_or(*p, |(rows, t): &([[f64; 3]; 3], [f64; 3])| {
                    rows.map(|row| (0..3).map(|k| row[k] * (p[k] - t[k])).sum())
                })
            })
            .collect();
        let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        (Mesh::new(points, faces).expect("finite"), pose)
    }
}

type Inverse = Option<([[f64; 3]; 3], [f64; 3])>;

/// A pose of small integers with determinant 1 or -1, and its inverse.
fn unimodular(rng: &mut Rng) -> (Pose, Inverse) {
    let mut rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1_i64]];
    let mut inverse = rows;
    for _ in 0..4 {
        let (i, j) = (rng.below(3) as usize, rng.below(3) as usize);
        if i == j {
            // Reverse an axis.
            rows[i] = rows[i].map(|x| -x);
            inverse.iter_mut().for_each(|row| row[i] = -row[i]);
            continue;
        }
        // Add k times row j to row i; the inverse subtracts k times column i from column j.
        let k = rng.int(-1, 1);
        for c in 0..3 {
            rows[i][c] += k * rows[j][c];
            inverse[c][j] -= k * inverse[c][i];
        }
    }
    let real = |m: [[i64; 3]; 3]| m.map(|row| row.map(|x| x as f64));
    let t = rng.grid_point(5);
    (Pose::affine(real(rows), t).expect("invertible"), Some((real(inverse), t)))
}

/// A random pair of polycubes, of all relations, and its random kind: mostly a few boxes of cells with the
/// winding number 1, which are decided quickly.
pub fn pair(rng: &mut Rng) -> ([Polycube; 2], Roughness) {
    pair_of(rng, None)
}

/// A random pair of the given kind, or of a random kind.
pub fn pair_of(rng: &mut Rng, roughness: Option<Roughness>) -> ([Polycube; 2], Roughness) {
    let (s, t) = *rng.pick(&[(2, 2), (2, 3), (1, 2), (2, 1), (3, 2), (1, 1), (1, 1)]);
    let roughness = roughness.unwrap_or_else(|| match rng.below(256) {
        0 => Roughness::Cells,
        1..10 => Roughness::Boxes,
        _ => Roughness::Plain,
    });
    let any = |rng: &mut Rng| *rng.pick::<&[i32]>(&[&[1], &[1], &[1, 2], &[1, -1], &[1, 2, -1]]);
    let (a, mut b) = match roughness {
        Roughness::Plain => (boxes(rng, &[1]), boxes(rng, &[1])),
        Roughness::Boxes => {
            let labels = any(rng);
            (boxes(rng, labels), boxes(rng, labels))
        }
        Roughness::Cells => {
            let labels = any(rng);
            (random_cells(rng, labels), random_cells(rng, labels))
        }
    };
    let mut corner = [(); 3].map(|()| *rng.pick(&[0, 0, 0, 0, 0, 1, -1, s, -s, N * s / 2]));
    match rng.below(12) {
        0 if s == t => b = a.iter().map(|&w| if rng.one_in(30) { 0 } else { w }).collect(),
        1 if s == t => (b, corner) = (a.clone(), [0; 3]),
        2 if s == t => {
            (b, corner) = (a.iter().map(|&w| i32::from(w == 0)).collect(), [0; 3]);
        }
        // All of one, and some of the other.
        3 if s == t => {
            b = a.iter().zip(b).map(|(&v, w)| if v == 0 { w } else { v }).collect();
            corner = [0; 3];
        }
        4 if s == t => {
            b = a.iter().zip(b).map(|(&v, w)| if w == 0 { v } else { 0 }).collect();
            corner = [0; 3];
        }
        _ => {}
    }
    let cubes = [Polycube { labels: a, cell: s, corner: [0; 3] }, Polycube { labels: b, cell: t, corner }];
    (cubes, roughness)
}

/// The kind of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roughness {
    /// Boxes of winding number 1, for meshes that do not meet themselves.
    Plain,
    /// Boxes of several winding numbers.
    Boxes,
    /// Random cells: most edges have four faces, and many faces occur twice.
    Cells,
}

fn random_cells(rng: &mut Rng, labels: &[i32]) -> Vec<i32> {
    let (one_in, most) = *rng.pick(&[(5, false), (2, false), (10, true), (20, false)]);
    (0..N * N * N).map(|_| if rng.one_in(one_in) != most { *rng.pick(labels) } else { 0 }).collect()
}

/// One box or two, the second over the first.
fn boxes(rng: &mut Rng, labels: &[i32]) -> Vec<i32> {
    let mut cells = vec![0; (N * N * N) as usize];
    for _ in 0..=u64::from(rng.one_in(3)) {
        let (label, lo) = (*rng.pick(labels), [(); 3].map(|()| rng.int(0, N - 2)));
        let hi = lo.map(|x| (x + rng.int(0, 1)).min(N - 1));
        for x in lo[0]..=hi[0] {
            for y in lo[1]..=hi[1] {
                for z in lo[2]..=hi[2] {
                    cells[((x * N + y) * N + z) as usize] = label;
                }
            }
        }
    }
    cells
}
