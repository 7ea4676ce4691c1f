//! Convex hull of points, as triangles: quickhull (Barber, Dobkin and Huhdanpaa 1996) on integers.
//!
//! Coordinates are snapped to a grid of 2^20 steps over the points' own box, axis by axis. On the grid "above
//! this face" is an exact i64: a normal's components are at most 2^41, its product with a difference at most
//! 3 2^61 < 2^63. So there is no tolerance, and no input breaks the topology. Snapping only decides which
//! points are on the hull: triangles are indices into the given points.
//!
//! Faces are refined breadth first, each by the point furthest above it, until the hull has [`MOST`] points.
//! So n points never cost more than O([`MOST`] n), and unused points lie close above the faces, which
//! suffices for statistics over the hull's area.
use impinge::hierarchy::Vector;

type Cell = [i64; 3];

/// Maximum number of corners of a hull.
const MOST: usize = 256;
/// Number of steps of the grid.
const STEPS: f64 = 1_048_576.0;

/// A triangle, anticlockwise from outside. Neighbour k is across the edge from corner k to the next.
#[derive(Debug)]
struct Face {
    corners: [u32; 3],
    neighbours: [u32; 3],
    normal: Cell,
    /// Points above this face and above no older face.
    above: Vec<u32>,
    dead: bool,
}

/// Triangles of the hull as indices into `points`; `None` if the points are (nearly) in one plane.
pub(crate) fn hull(points: &[Vector]) -> Option<Vec<[u32; 3]>> {
    let cells = snap(points);
    let mut hull = Hull { cells: &cells, faces: Vec::new() };
    hull.start()?;
    let mut taken = 4;
    // Faces are only added, and a dead one has nothing above it, so all faces before `next` are done.
    let mut next = 0;
    while next < hull.faces.len() && taken < MOST {
        let face = &hull.faces[next];
        match face.above.iter().copied().max_by_key(|&p| hull.height(face, p)) {
            Some(point) => {
                hull.add(next as u32, point);
                taken += 1;
            }
            None => next += 1,
        }
    }
    Some(hull.faces.iter().filter(|f| !f.dead).map(|f| f.corners).collect())
}

fn snap(points: &[Vector]) -> Vec<Cell> {
    let (mut lo, mut hi) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in points {
        for k in 0..3 {
            lo[k] = lo[k].min(p[k]);
            hi[k] = hi[k].max(p[k]);
        }
    }
    // The quotient is in [0, 1], or NaN for a side of length zero; the NaN becomes 0.
    points
        .iter()
        .map(|p| std::array::from_fn(|k| ((p[k] - lo[k]) / (hi[k] - lo[k]) * STEPS) as i64))
        .collect()
}

fn sub(a: Cell, b: Cell) -> Cell {
    std::array::from_fn(|k| a[k] - b[k])
}
fn dot(a: Cell, b: Cell) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: Cell, b: Cell) -> Cell {
    std::array::from_fn(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}
/// Squared length in i128: the squares would overflow an i64.
fn size(a: Cell) -> i128 {
    a.into_iter().map(|x| i128::from(x) * i128::from(x)).sum()
}

struct Hull<'a> {
    cells: &'a [Cell],
    faces: Vec<Face>,
}

impl Hull<'_> {
    fn at(&self, point: u32) -> Cell {
        self.cells[point as usize]
    }
    fn height(&self, face: &Face, point: u32) -> i64 {
        dot(face.normal, sub(self.at(point), self.at(face.corners[0])))
    }
    fn face(&self, corners: [u32; 3], neighbours: [u32; 3]) -> Face {
        let [p, q, r] = corners.map(|c| self.at(c));
        Face { corners, neighbours, normal: cross(sub(q, p), sub(r, p)), above: Vec::new(), dead: false }
    }

    /// Starts with a tetrahedron: two points far apart, the furthest from their line, the furthest from that
    /// plane.
    fn start(&mut self) -> Option<()> {
        let all = 0..self.cells.len() as u32;
        let a = all.clone().min_by_key(|&p| self.at(p))?;
        let from_a = |p: u32| sub(self.at(p), self.at(a));
        let b = all.clone().max_by_key(|&p| size(from_a(p)))?;
        let c = all.clone().max_by_key(|&p| size(cross(from_a(b), from_a(p))))?;
        let normal = cross(from_a(b), from_a(c));
        let d = all.clone().max_by_key(|&p| dot(normal, from_a(p)).abs())?;
        let (b, c) = match dot(normal, from_a(d)) {
            0 => return None,
            1.. => (c, b),
            _ => (b, c),
        };
        // d is now below abc.
        self.faces = vec![
            self.face([a, b, c], [1, 2, 3]),
            self.face([b, a, d], [0, 3, 2]),
            self.face([c, b, d], [0, 1, 3]),
            self.face([a, c, d], [0, 2, 1]),
        ];
        self.assign(all, 0);
        Some(())
    }

    /// Assigns each point to the first face from `first` on that it is above.
    fn assign(&mut self, points: impl Iterator<Item = u32>, first: usize) {
        for p in points {
            if let Some(i) = (first..self.faces.len()).find(|&i| self.height(&self.faces[i], p) > 0) {
                self.faces[i].above.push(p);
            }
        }
    }

    /// Replaces the faces that `point` is above, `seed` among them, by a fan around it.
    ///
    /// Coplanar faces are either all visible from the point or all hidden, so the visible faces form a disc.
    /// A point on the line of a rim edge would be in the plane of a face that it is above. So no face of the
    /// fan is degenerate.
    fn add(&mut self, seed: u32, point: u32) {
        let mut orphans = Vec::new();
        // Edges of the rim: the corners in the order of the dead face, the face beyond, and its edge.
        let mut rim: Vec<(u32, u32, u32, usize)> = Vec::new();
        let mut todo = vec![seed];
        self.faces[seed as usize].dead = true;
        while let Some(f) = todo.pop() {
            let Face { corners, neighbours, .. } = self.faces[f as usize];
            orphans.append(&mut self.faces[f as usize].above);
            for k in 0..3 {
                let beyond = &self.faces[neighbours[k] as usize];
                if beyond.dead {
                    continue;
                }
                if self.height(beyond, point) > 0 {
                    self.faces[neighbours[k] as usize].dead = true;
                    todo.push(neighbours[k]);
                } else if let Some(edge) =
                    (0..3).find(|&e| beyond.neighbours[e] == f && beyond.corners[e] == corners[(k + 1) % 3])
                {
                    rim.push((corners[k], corners[(k + 1) % 3], neighbours[k], edge));
                }
            }
        }
        let first = self.faces.len();
        for &(p, q, beyond, edge) in &rim {
            let index = self.faces.len() as u32;
            self.faces[beyond as usize].neighbours[edge] = index;
            // The rim is one closed loop: each of its corners begins one edge and ends another.
            let follows = rim.iter().position(|r| r.0 == q).unwrap_or(0);
            let precedes = rim.iter().position(|r| r.1 == p).unwrap_or(0);
            let face =
                self.face([p, q, point], [beyond, (first + follows) as u32, (first + precedes) as u32]);
            self.faces.push(face);
        }
        self.assign(orphans.into_iter(), first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_testkit::rng::Rng;
    use std::collections::BTreeMap;

    /// Checks that the hull is a closed surface, anticlockwise from outside, of Euler characteristic 2, with
    /// every point below or in the plane of each face.
    fn check(points: &[Vector]) -> Option<usize> {
        let cells = snap(points);
        let faces = hull(points)?;
        let mut edges = BTreeMap::new();
        for f in &faces {
            for k in 0..3 {
                assert_eq!(
                    edges.insert((f[k], f[(k + 1) % 3]), ()),
                    None,
                    "an edge has one face on each side"
                );
            }
            let [p, q, r] = f.map(|i| cells[i as usize]);
            let n = cross(sub(q, p), sub(r, p));
            assert_ne!(n, [0; 3]);
            assert!(cells.iter().all(|&c| dot(n, sub(c, p)) <= 0), "a point is outside");
        }
        assert!(edges.keys().all(|&(p, q)| edges.contains_key(&(q, p))));
        let mut corners = faces.as_flattened().to_vec();
        corners.sort_unstable();
        corners.dedup();
        assert_eq!(corners.len() + faces.len(), edges.len() / 2 + 2);
        Some(corners.len())
    }

    #[test]
    fn hulls_of_known_points() {
        let cube: Vec<Vector> =
            (0..8).map(|i| std::array::from_fn(|k| f64::from(i >> k & 1) * 3.0 - 1.0)).collect();
        assert_eq!(check(&cube), Some(8));
        let with_inside: Vec<_> =
            cube.iter().copied().chain(cube.iter().map(|p| p.map(|x| x / 7.0))).collect();
        assert_eq!(check(&with_inside), Some(8));
        // Each point five times.
        assert_eq!(check(&with_inside.repeat(5)), Some(8));
    }

    #[test]
    fn flat_points_have_none() {
        for points in [vec![], vec![[1.0; 3]; 9], vec![[0.0; 3], [1.0; 3], [0.5; 3], [0.1; 3]]] {
            assert!(hull(&points).is_none(), "{points:?}");
        }
        let mut rng = Rng::new(3);
        let plane: Vec<Vector> = (0..100).map(|_| rng.point(1.0)).map(|[x, y, _]| [x, y, 0.25]).collect();
        assert!(hull(&plane).is_none());
    }

    /// Grids have many points on one plane and on one line; slivers and specks are nearly flat.
    #[test]
    fn no_input_breaks_it() {
        let mut rng = Rng::new(5);
        let (mut solid, mut flat) = (0, 0);
        for case in 0..3000 {
            let n = rng.int(0, 60);
            let step = 1 << rng.int(0, 6);
            let stretch: Vector = std::array::from_fn(|_| 0.5_f64.powi(rng.int(0, 30) as i32));
            let rows = rng.rotation();
            let turn = case % 2 == 0;
            let points: Vec<Vector> = (0..n)
                .map(|_| {
                    let p = rng.point(1.0).map(|x| (x * step as f64).round());
                    let p: Vector = std::array::from_fn(|k| p[k] * stretch[k]);
                    if turn { rows.map(|r| r[0] * p[0] + r[1] * p[1] + r[2] * p[2]) } else { p }
                })
                .collect();
            match check(&points) {
                Some(_) => solid += 1,
                None => flat += 1,
            }
        }
        assert!(solid > 1000 && flat > 100, "{solid} {flat}");
    }

    /// The hull omits some of many points on a sphere, and these are near it.
    #[test]
    fn a_large_hull_is_cut_short() {
        let mut rng = Rng::new(9);
        let points: Vec<Vector> = (0..5000).map(|_| rng.rotation()[0]).collect();
        let faces = hull(&points).unwrap();
        let mut corners = faces.as_flattened().to_vec();
        corners.sort_unstable();
        corners.dedup();
        assert_eq!(corners.len(), MOST);
        let area: f64 = faces
            .iter()
            .map(|f| {
                let [p, q, r] = f.map(|i| points[i as usize]);
                let d = |a: Vector, b: Vector| -> Vector { std::array::from_fn(|k| a[k] - b[k]) };
                let (a, b) = (d(q, p), d(r, p));
                let n: Vector = std::array::from_fn(|k| {
                    a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]
                });
                n.iter().map(|x| x * x).sum::<f64>().sqrt() / 2.0
            })
            .sum();
        assert!(area > 0.95 * 4.0 * std::f64::consts::PI, "{area}");
    }
}
