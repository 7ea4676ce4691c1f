//! A pair of bodies after some changes, and its meshes.
use super::{
    bodies::{self, Body},
    change::Change,
};
use crate::rng::Rng;
use impinge::{Mesh, Pose};
use std::{collections::HashMap, fmt::Write};

/// A pair of bodies after some changes.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The changed bodies.
    pub bodies: [Body; 2],
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// True if the bodies are exchanged.
    pub is_swapped: bool,
    /// The exponent of the power of two that scaled both.
    pub scale: i32,
    pub(super) merged: [bool; 2],
    pub(super) posed: [bool; 2],
    pub(super) has_walls: bool,
    /// For each body, true if it is a surface that got a back.
    pub(super) is_doubled: [bool; 2],
    /// For each body, true if it is a solid.
    pub(super) is_closed: [bool; 2],
    /// For each body, true if its orientations match.
    pub(super) is_oriented: [bool; 2],
    /// For each body, true if it contains its convex pieces.
    pub(super) is_full: [bool; 2],
}

impl Variant {
    pub(super) fn swap(&mut self) {
        self.is_swapped = !self.is_swapped;
        self.bodies.reverse();
        self.merged.reverse();
        self.posed.reverse();
        for pair in [&mut self.is_doubled, &mut self.is_closed, &mut self.is_oriented, &mut self.is_full] {
            pair.reverse();
        }
    }
    /// The meshes and their poses.
    pub fn placed(&self, rng: &mut Rng) -> [(Mesh, Pose); 2] {
        [0, 1].map(|i| {
            let triangles = &self.bodies[i].triangles;
            let made = if self.merged[i] { merged(rng, triangles) } else { mesh(triangles) };
            let posed = self.posed[i].then(|| posed(rng, &made)).flatten();
            posed.unwrap_or((made, Pose::IDENTITY))
        })
    }
    /// The two bodies as an OBJ file, without poses.
    pub fn obj(&self) -> String {
        let mut text = String::new();
        for (name, body) in ["a", "b"].into_iter().zip(&self.bodies) {
            write_obj(&mut text, name, &body.triangles);
        }
        text
    }
}

/// Adds a part to an OBJ file; every corner is a point.
pub fn write_obj(text: &mut String, name: &str, triangles: &bodies::Triangles) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "o {name}");
    for triangle in triangles {
        for [x, y, z] in triangle {
            let _ = writeln!(text, "v {x:e} {y:e} {z:e}");
        }
        text.push_str("f -3 -2 -1\n");
    }
}

/// A mesh in which every corner is its own point.
pub fn mesh(triangles: &bodies::Triangles) -> Mesh {
    let points = triangles.iter().flatten().copied().collect();
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(points, faces).unwrap_or_else(|error| panic!("{error}: {triangles:?}"))
}

/// A mesh in which equal corners share a point. Points are in random order, and some zeros are negative.
fn merged(rng: &mut Rng, triangles: &bodies::Triangles) -> Mesh {
    let mut points: Vec<bodies::Point> = triangles.iter().flatten().map(|p| p.map(|x| x + 0.0)).collect();
    rng.shuffle(&mut points);
    let mut kept: Vec<bodies::Point> = Vec::new();
    let mut index = HashMap::new();
    for p in points {
        index.entry(p.map(f64::to_bits)).or_insert_with(|| {
            kept.push(p.map(|x| if x == 0.0 && rng.one_in(3) { -0.0 } else { x }));
            kept.len() as u32 - 1
        });
    }
    let number = |p: &bodies::Point| index[&p.map(|x| (x + 0.0).to_bits())];
    let faces = triangles.iter().map(|t| t.each_ref().map(number)).collect();
    Mesh::new(kept, faces).unwrap_or_else(|error| panic!("{error}: {triangles:?}"))
}

/// True if a + b is c over the real numbers. It suffices that both differences are exact.
pub(super) fn is_sum(a: f64, b: f64, c: f64) -> bool {
    a + b == c && c - b == a && c - a == b
}

/// The mesh in another frame, and the pose that maps it back. `None` if that needs rounding.
fn posed(rng: &mut Rng, mesh: &Mesh) -> Option<(Mesh, Pose)> {
    let mut axes = [0, 1, 2];
    rng.shuffle(&mut axes);
    let scale = *rng.pick(&[1.0, 1.0, 0.5, 4.0]);
    let signs = axes.map(|_| *rng.pick(&[scale, -scale]));
    let t = rng.grid_point(9);
    let mut rows = [[0.0; 3]; 3];
    (0..3).for_each(|i| rows[i][axes[i]] = signs[i]);
    let mut points = Vec::with_capacity(mesh.points().len());
    for p in mesh.points() {
        let mut q = [0.0; 3];
        for i in 0..3 {
            let from_there = p[i] - t[i];
            q[axes[i]] = from_there / signs[i];
            if !is_sum(from_there, t[i], p[i]) || q[axes[i]] * signs[i] != from_there {
                return None;
            }
        }
        points.push(q);
    }
    let mesh = Mesh::new(points, mesh.triangles().to_vec()).ok()?;
    Some((mesh, Pose::affine(rows, t).ok()?))
}
