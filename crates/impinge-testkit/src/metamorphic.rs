//! Pairs of small bodies, and changes of their meshes that keep the relation.
//!
//! A *case* is a pair ([`bodies`]) and some [changes](Change). The [`Reference`] computes the relation of the
//! pair before the changes; the library must find it after them.
pub mod bodies;
mod changes;
mod check;
mod numbers;
mod shrink;

pub use self::{
    changes::Change,
    check::{Failure, Seen, case, case_numbers, check},
    numbers::{Number, check_numbers},
    shrink::shrink,
};

use self::bodies::Body;
use crate::{reference::Reference, rng::Rng};
use impinge::{
    BuildOptions, Mesh, Model, Pose, Quality,
    relation::RelationKind,
    solid::{Closedness, FillRule},
};
use num_bigint::BigInt;
use num_rational::Ratio;
use std::{cell::OnceCell, collections::HashMap, fmt::Write};

/// A pair of bodies after some changes.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Their triangles.
    pub bodies: [Body; 2],
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// True if they are in the other order.
    pub is_swapped: bool,
    /// The exponent of the power of two that scaled both.
    pub scale: i32,
    merged: [bool; 2],
    posed: [bool; 2],
    has_walls: bool,
    /// For each body, true if it is a surface that got a back.
    is_doubled: [bool; 2],
    /// For each body: it is a solid, its orientations match, it contains its convex pieces.
    is_closed: [bool; 2],
    is_oriented: [bool; 2],
    is_full: [bool; 2],
}

/// A generated pair, and its reference.
#[derive(Debug)]
pub struct Base {
    bodies: [Body; 2],
    /// The reference of the pair.
    pub reference: Reference,
    volume: OnceCell<Ratio<BigInt>>,
}

impl Base {
    /// Generates the pair with that number. `None` if the reference refuses it.
    pub fn new(seed: u64, index: u64) -> Option<Self> {
        Self::of(bodies::pair(&mut Rng::for_case(seed, index)))
    }
    /// A pair of any two bodies. `None` if the reference refuses it.
    pub fn of(bodies: [Body; 2]) -> Option<Self> {
        let meshes = bodies.each_ref().map(|body| mesh(&body.triangles));
        let [a, b] = &meshes;
        let reference = Reference::new([(a, &Pose::IDENTITY), (b, &Pose::IDENTITY)], FillRule::NonZero)?;
        Some(Self { bodies, reference, volume: OnceCell::new() })
    }
    /// The pair itself.
    pub fn plain(&self) -> Variant {
        let status = self.reference.status;
        // A triangle without area within a solid touches nothing, but it would touch walls.
        let is_thin = |i: usize| self.bodies[i].triangles.iter().any(|&t| changes::normal(t) == [0.0; 3]);
        let is_full =
            [0, 1].map(|i| status[i] == Closedness::Closed && self.bodies[i].is_union && !is_thin(1 - i));
        Variant {
            bodies: self.bodies.clone(),
            changes: Vec::new(),
            is_swapped: false,
            scale: 0,
            merged: [false; 2],
            posed: [false; 2],
            has_walls: false,
            is_doubled: [false; 2],
            is_closed: status.map(Closedness::is_closed),
            is_oriented: status.map(|status| status == Closedness::Closed),
            is_full,
        }
    }
    /// The pair after some changes.
    pub fn variant(&self, rng: &mut Rng) -> Variant {
        let mut variant = self.plain();
        for _ in 0..*rng.pick(&[1, 1, 2, 3, 5]) {
            let change = *rng.pick(&Change::ALL);
            if change.make(rng, &mut variant) {
                variant.changes.push(change);
            }
        }
        variant
    }
    /// The volume inside both.
    fn volume(&self) -> &Ratio<BigInt> {
        self.volume.get_or_init(|| self.reference.overlap_volume())
    }
    /// The kind, the statuses and `touching` that the library must find. `touching` is `None` if a wall
    /// inside may touch the other body.
    pub fn want(&self, variant: &Variant) -> (RelationKind, [Closedness; 2], Option<bool>) {
        let (mut kind, mut status) = (self.reference.kind, self.reference.status);
        if variant.is_swapped {
            kind = exchanged(kind);
            status.reverse();
        }
        for (status, is_doubled) in status.iter_mut().zip(variant.is_doubled) {
            if is_doubled {
                *status = Closedness::NoInterior;
            }
        }
        let touching = self.reference.touching;
        (kind, status, (touching || !variant.has_walls).then_some(touching))
    }
}

/// The relation of the second body to the first.
pub fn exchanged(kind: RelationKind) -> RelationKind {
    match kind {
        RelationKind::AInB => RelationKind::BInA,
        RelationKind::BInA => RelationKind::AInB,
        kind => kind,
    }
}

impl Variant {
    fn swap(&mut self) {
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

fn placed_models(placed: &[(Mesh, Pose); 2]) -> [Model; 2] {
    let options = BuildOptions::new().quality(Quality::OnDemand);
    placed.each_ref().map(|(mesh, _)| Model::new(mesh.clone(), &options))
}

/// A mesh in which every corner is its own point.
pub fn mesh(triangles: &bodies::Triangles) -> Mesh {
    let points = triangles.iter().flatten().copied().collect();
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(points, faces).unwrap_or_else(|error| panic!("{error}: {triangles:?}"))
}

/// Equal corners share a point. Points are in random order, and some zeros are negative.
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
fn is_sum(a: f64, b: f64, c: f64) -> bool {
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

#[cfg(test)]
mod tests;
