//! Pairs of small bodies, and changes of their meshes that keep the relation.
//!
//! A *case* is a pair ([`bodies`]) and some [changes](Change). The [`Reference`] computes the relation of the
//! pair before the changes; the library must find it after them.
pub mod bodies;
mod change;
mod changes;
mod check;
mod failure;
mod numbers;
mod shrink;
mod variant;

pub use self::{
    change::Change,
    check::{Seen, case, case_numbers, check},
    failure::Failure,
    numbers::{Number, check_numbers},
    shrink::shrink,
    variant::{Variant, mesh, write_obj},
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
use std::cell::OnceCell;

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
        // A triangle without area touches nothing inside a solid, but it would touch walls there.
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
        RelationKind::Inside => RelationKind::Contains,
        RelationKind::Contains => RelationKind::Inside,
        kind => kind,
    }
}

fn placed_models(placed: &[(Mesh, Pose); 2]) -> [Model; 2] {
    let options = BuildOptions::new().quality(Quality::OnDemand);
    placed.each_ref().map(|(mesh, _)| Model::with_options(mesh.clone(), &options))
}

#[cfg(test)]
mod tests;
