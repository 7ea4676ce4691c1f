//! Small bodies of small integers, of all kinds of meshes: solids, sheets, fins, shells, thin and open ones.
use crate::rng::Rng;

/// A point.
pub type Point = [f64; 3];
/// Triangles by their corners.
pub type Triangles = Vec<[Point; 3]>;

/// A mesh before it has indices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// Its triangles.
    pub triangles: Triangles,
    /// Points of each of its convex pieces.
    pub convex: Vec<Vec<Point>>,
    /// True if all pieces face outwards, so that each is a part of the inside.
    pub is_union: bool,
}

/// The box with corners `lo` and `hi`, its faces outwards.
pub fn cuboid(lo: Point, hi: Point) -> Triangles {
    let at = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { lo[k] } else { hi[k] });
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    quads.iter().flat_map(|q| polygon(&q.map(at))).collect()
}

/// A convex polygon as a fan around its first corner.
pub fn polygon(corners: &[Point]) -> Triangles {
    corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]).collect()
}

/// The triangles with opposite orientation.
pub fn reversed(triangles: &Triangles) -> Triangles {
    triangles.iter().map(|&[a, b, c]| [a, c, b]).collect()
}

/// Back of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Back {
    None,
    Equal,
    /// A back with other diagonals.
    Other,
    /// A back of some triangles only.
    Part,
}

/// A flat convex polygon in a plane of the grid, or any triangle.
fn outline(rng: &mut Rng) -> Vec<Point> {
    if rng.one_in(4) {
        return (0..3).map(|_| rng.grid_point(3)).collect();
    }
    let axis = rng.below(3) as usize;
    let (height, x, y) = (rng.int(-2, 2), rng.int(-3, 1), rng.int(-3, 1));
    let (w, h) = (rng.int(1, 4), rng.int(1, 4));
    let flat: Vec<[i64; 2]> = match rng.below(4) {
        0 => vec![[x, y], [x + w, y], [x, y + h]],
        1 => vec![[x, y], [x + w, y], [x + w + 1, y + h], [x, y + h + 1]],
        _ => vec![[x, y], [x + w, y], [x + w, y + h], [x, y + h]],
    };
    let lift = |[u, v]: [i64; 2]| {
        let mut p = [0.0; 3];
        p[axis] = height as f64;
        p[(axis + 1) % 3] = u as f64;
        p[(axis + 2) % 3] = v as f64;
        p
    };
    flat.into_iter().map(lift).collect()
}

fn sheet(rng: &mut Rng, back: Back) -> Triangles {
    let corners = outline(rng);
    let mut front = polygon(&corners);
    let mut behind = corners;
    behind.reverse();
    // With four corners, the front's diagonal starts at the first and that of `Other` at the last.
    match back {
        Back::None => {}
        Back::Equal => front.extend(reversed(&front)),
        Back::Other => front.extend(polygon(&behind)),
        Back::Part => front.extend(polygon(&behind[..3])),
    }
    front
}

/// Two opposite corners of a box on the grid.
fn extent(rng: &mut Rng) -> [Point; 2] {
    let lo = [(); 3].map(|()| rng.int(-3, 2));
    let hi = lo.map(|x| x + *rng.pick(&[1, 1, 2, 2, 3, 4]));
    [lo, hi].map(|p| p.map(|x| x as f64))
}

fn tetrahedron(points: [Point; 4]) -> Triangles {
    [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(|face| face.map(|k| points[k])).to_vec()
}

/// Positive if the tetrahedron's faces point outwards, 0 if it is flat.
fn volume([a, b, c, d]: [Point; 4]) -> f64 {
    let [u, v, w] = [b, c, d].map(|p| [0, 1, 2].map(|k| p[k] - a[k]));
    let minor = |i: usize, j: usize| v[i] * w[j] - v[j] * w[i];
    u[0] * minor(1, 2) + u[1] * minor(2, 0) + u[2] * minor(0, 1)
}

impl Body {
    fn add_box(&mut self, [lo, hi]: [Point; 2], outwards: bool) {
        let faces = cuboid(lo, hi);
        self.triangles.extend(if outwards { faces } else { reversed(&faces) });
        let at = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { lo[k] } else { hi[k] });
        self.convex.push((0..8).map(at).collect());
        self.is_union &= outwards;
    }
    fn add_tetrahedron(&mut self, rng: &mut Rng) {
        let mut points = [(); 4].map(|()| rng.grid_point(3));
        match volume(points).total_cmp(&0.0) {
            std::cmp::Ordering::Less => points.swap(0, 1),
            // A flat one is a closed chain with winding number 0.
            std::cmp::Ordering::Equal => return self.triangles.extend(tetrahedron(points)),
            std::cmp::Ordering::Greater => {}
        }
        self.triangles.extend(tetrahedron(points));
        self.convex.push(points.to_vec());
    }
    /// A body of a random kind.
    pub fn random(rng: &mut Rng) -> Self {
        let mut body = Self { is_union: true, ..Self::default() };
        let sides =
            |rng: &mut Rng| *rng.pick(&[Back::None, Back::Equal, Back::Other, Back::Other, Back::Part]);
        match rng.below(16) {
            0 | 1 => body.add_box(extent(rng), true),
            2 => {
                let at = extent(rng);
                body.add_box(at, true);
                let other = extent(rng);
                body.add_box(neighbour(rng, at, other), true);
            }
            3 => shells(rng, &mut body),
            4 | 5 => body.add_tetrahedron(rng),
            6 => (0..2).for_each(|_| body.add_tetrahedron(rng)),
            7 | 8 => {
                let back = sides(rng);
                body.triangles.extend(sheet(rng, back));
            }
            9 => {
                for _ in 0..2 {
                    let back = sides(rng);
                    body.triangles.extend(sheet(rng, back));
                }
            }
            // A fin on a solid, or through it.
            10 | 11 => {
                if rng.one_in(3) {
                    body.add_tetrahedron(rng)
                } else {
                    body.add_box(extent(rng), true)
                }
                let back = *rng.pick(&[Back::Equal, Back::Other, Back::Other, Back::None]);
                body.triangles.extend(sheet(rng, back));
            }
            12 => {
                body.add_box(extent(rng), true);
                body.triangles.truncate(rng.int(8, 11) as usize);
                body.is_union = false;
            }
            13 => {
                body.add_box(extent(rng), true);
                let i = rng.below(12) as usize;
                body.triangles[i].swap(0, 1);
                body.is_union = false;
            }
            14 => {
                for _ in 0..rng.int(1, 5) {
                    body.triangles.push([(); 3].map(|()| rng.grid_point(2)));
                }
            }
            _ => {
                let [a, b] = [rng.grid_point(3), rng.grid_point(3)];
                body.triangles.push([a, b, *rng.pick(&[a, b])]);
                if rng.one_in(2) {
                    body.add_box(extent(rng), true);
                }
            }
        }
        body
    }
}

/// A box that shares a face, a part of one, an edge or a corner with another, or is anywhere.
fn neighbour(rng: &mut Rng, [lo, hi]: [Point; 2], [other_lo, other_hi]: [Point; 2]) -> [Point; 2] {
    let mut at = [other_lo, other_hi];
    for k in 0..3 {
        let size = other_hi[k] - other_lo[k];
        let start = match rng.below(6) {
            0 | 1 => hi[k],
            2 => lo[k] - size,
            3 => lo[k],
            _ => other_lo[k],
        };
        (at[0][k], at[1][k]) = (start, start + size);
        if rng.one_in(4) {
            (at[0][k], at[1][k]) = (lo[k], hi[k]);
        }
    }
    at
}

/// A box, mostly with a second one inside: a cavity, or filled twice.
fn shells(rng: &mut Rng, body: &mut Body) {
    let size = rng.int(2, 4) as f64;
    let lo = [(); 3].map(|()| rng.int(-3, 0) as f64);
    body.add_box([lo, lo.map(|x| x + size)], true);
    let in_lo = lo.map(|x| x + rng.int(0, 1) as f64);
    let in_hi = in_lo.map(|x| x + *rng.pick(&[1.0, size - 2.0, size - 1.0]));
    if (0..3).all(|k| in_lo[k] < in_hi[k]) {
        body.add_box([in_lo, in_hi], rng.one_in(3));
    }
}

/// Two bodies. Some are equal sets, adjacent, or nested.
pub fn pair(rng: &mut Rng) -> [Body; 2] {
    let a = Body::random(rng);
    let b = match rng.below(8) {
        0 => a.clone(),
        // Around most others.
        1 => {
            let mut b = Body { is_union: true, ..Body::default() };
            let most = *rng.pick(&[3.0, 4.0]);
            b.add_box([[-most; 3], [most; 3]], true);
            b
        }
        2 => {
            let mut b = Body { is_union: true, ..Body::default() };
            match a.convex.first() {
                Some(points) if points.len() == 8 => {
                    let other = extent(rng);
                    b.add_box(neighbour(rng, [points[0], points[7]], other), true);
                    b
                }
                _ => Body::random(rng),
            }
        }
        _ => Body::random(rng),
    };
    if rng.one_in(2) { [a, b] } else { [b, a] }
}
