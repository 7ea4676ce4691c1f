//! Closed surfaces assembled from walls and flat faces that share their loops.
use crate::circle::turn;
use impinge::Mesh;
use spade::{ConstrainedDelaunayTriangulation, InsertionError, Point2, Triangulation};
use std::collections::HashMap;

/// A closed polygon without repetition of its first point, counter-clockwise seen from +z.
pub(crate) type Loop = Vec<[f64; 2]>;

/// Rounds to a multiple of 2^-16 mm: exact in f32 up to 256 mm, and far coarser than any difference between
/// machines' arithmetic.
pub(crate) fn snap(x: f64) -> f64 {
    // `+ 0.0` makes a zero positive.
    (x * 65536.0).round() / 65536.0 + 0.0
}

/// A regular polygon of `n` corners at `radius` around `centre`.
pub(crate) fn circle(centre: [f64; 2], radius: f64, n: u32) -> Loop {
    let corner = |k| {
        let [x, y] = turn(k, n);
        [snap(centre[0] + radius * x), snap(centre[1] + radius * y)]
    };
    (0..i64::from(n)).map(corner).collect()
}

/// A rectangle from `low` to `high` with round corners of `radius`.
pub(crate) fn rounded_rectangle(low: [f64; 2], high: [f64; 2], radius: f64) -> Loop {
    const STEPS: u32 = 8;
    let corners = [[high[0], high[1]], [low[0], high[1]], [low[0], low[1]], [high[0], low[1]]];
    let mut out = Vec::new();
    for (quarter, corner) in corners.iter().enumerate() {
        let inwards = |k: usize| if corner[k] == high[k] { -radius } else { radius };
        let centre = [corner[0] + inwards(0), corner[1] + inwards(1)];
        for step in 0..=STEPS {
            let [x, y] = turn(i64::from(quarter as u32 * STEPS + step), 4 * STEPS);
            out.push([snap(centre[0] + radius * x), snap(centre[1] + radius * y)]);
        }
    }
    out
}

/// Orientation of a wall: away from the inside of its loop, or into it.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Facing {
    Out,
    In,
}

/// Orientation of a flat face.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Look {
    Up,
    Down,
}

/// A surface under construction. Equal points are one vertex.
#[derive(Default)]
pub(crate) struct Shell {
    points: Vec<[f64; 3]>,
    known: HashMap<[u64; 3], u32>,
    triangles: Vec<[u32; 3]>,
}

impl Shell {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn finish(self) -> Mesh {
        mesh(self.points, self.triangles)
    }

    /// An upright wall over `outline` from `low` to `high` in `slices` strips.
    pub(crate) fn wall(&mut self, outline: &Loop, low: f64, high: f64, slices: u32, facing: Facing) {
        for i in 0..slices {
            let at = |k: u32| raised(outline, snap(low + (high - low) * f64::from(k) / f64::from(slices)));
            self.band(&at(i), &at(i + 1), facing);
        }
    }

    /// The surface that `profile` sweeps around the z axis: points (radius, z), with the solid to their left.
    /// A point on the axis is a tip; if the profile does not return to its start, the ends stay open.
    pub(crate) fn revolve(&mut self, profile: &[[f64; 2]], n: u32) {
        for pair in profile.windows(2) {
            let [lower, upper] = [pair[0], pair[1]].map(|[r, z]| raised(&circle([0.0; 2], r, n), snap(z)));
            self.band(&lower, &upper, Facing::Out);
        }
    }

    /// A flat face at height `z`: the points inside an odd number of `loops`, which must not cross or share
    /// edges.
    pub(crate) fn face(&mut self, z: f64, loops: &[&Loop], look: Look) {
        // The loops are made here and are simple polygons, so they are always valid.
        let flat = triangulate(loops).unwrap_or_else(|error| unreachable!("{error:?}"));
        for [a, b, c] in flat {
            let [a, b, c] = [a, b, c].map(|[x, y]| [x, y, z]);
            self.triangle(if look == Look::Up { [a, b, c] } else { [a, c, b] });
        }
    }

    fn band(&mut self, lower: &[[f64; 3]], upper: &[[f64; 3]], facing: Facing) {
        for k in 0..lower.len() {
            let next = (k + 1) % lower.len();
            let [a, b, c, d] = [lower[k], lower[next], upper[next], upper[k]];
            let both = if facing == Facing::Out { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
            both.into_iter().for_each(|t| self.triangle(t));
        }
    }

    /// Skips a triangle with two equal corners, which is half of a quad at a tip.
    fn triangle(&mut self, corners: [[f64; 3]; 3]) {
        let [a, b, c] = corners.map(|p| self.vertex(p));
        if a != b && b != c && c != a {
            self.triangles.push([a, b, c]);
        }
    }

    fn vertex(&mut self, p: [f64; 3]) -> u32 {
        let next = self.points.len() as u32;
        *self.known.entry(p.map(f64::to_bits)).or_insert_with(|| {
            self.points.push(p);
            next
        })
    }
}

/// The points of a loop at height `z`.
fn raised(outline: &Loop, z: f64) -> Vec<[f64; 3]> {
    outline.iter().map(|&[x, y]| [x, y, z]).collect()
}

/// The part of the plane inside an odd number of `loops`, in counter-clockwise triangles.
fn triangulate(loops: &[&Loop]) -> Result<Vec<[[f64; 2]; 3]>, InsertionError> {
    let mut plane = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    for outline in loops {
        let mut handles = Vec::with_capacity(outline.len());
        for &[x, y] in *outline {
            handles.push(plane.insert(Point2::new(x, y))?);
        }
        for k in 0..handles.len() {
            plane.add_constraint(handles[k], handles[(k + 1) % handles.len()]);
        }
    }
    // From the outer face inwards: crossing a loop changes between outside and inside.
    let mut neighbours = vec![Vec::new(); plane.num_all_faces()];
    for edge in plane.undirected_edges() {
        let [f, g] = [edge.as_directed(), edge.as_directed().rev()].map(|e| e.face().fix().index());
        neighbours[f].push((g, edge.is_constraint_edge()));
        neighbours[g].push((f, edge.is_constraint_edge()));
    }
    let mut inside = vec![None; neighbours.len()];
    let outer = plane.outer_face().fix().index();
    inside[outer] = Some(false);
    let mut queue = vec![outer];
    while let Some(f) = queue.pop() {
        for &(g, crosses) in &neighbours[f] {
            if inside[g].is_none() {
                inside[g] = inside[f].map(|within| within ^ crosses);
                queue.push(g);
            }
        }
    }
    let within = plane.inner_faces().filter(|f| inside[f.fix().index()] == Some(true));
    Ok(within.map(|f| f.positions().map(|p| [p.x, p.y])).collect())
}

/// Makes a mesh of points and indices that are valid by construction.
pub(crate) fn mesh(points: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Mesh {
    Mesh::new(points, triangles).unwrap_or_else(|error| unreachable!("a bad mesh was made: {error}"))
}
