//! Winding numbers in front of all faces, or of a few.
use super::{
    SMALL, Solid,
    components::Components,
    corner::at_corner,
    once::unless_stopped,
    partners::{Dirty, dirty, partners},
    sides::FaceSides,
    volume,
};
use crate::{geometry::Geometry, stop::StopFlag};
use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicU16, AtomicU64, Ordering},
};

/// Divisor of the number of faces: so many faces of a larger mesh get their sides one by one before all do.
/// One pair of faces decides bodies that cross, and a search for all faces that meet takes far longer. A face
/// alone takes as long as some ten in that search.
const BEFORE_SIDES: usize = 32;
/// Number of faces whose partners take about as long as the test for a star-shaped mesh.
const BEFORE_STAR: usize = 4;

impl Solid {
    /// Sides of all faces, computed once. Breaks, and keeps nothing, if it is stopped.
    pub(crate) fn sides(&self, geometry: &Geometry, stop: StopFlag<'_>) -> ControlFlow<(), &FaceSides> {
        unless_stopped(&self.sides, || FaceSides::new(self, geometry, stop))
    }
    /// [`FaceSides::windings`] of one face. Computes those of all faces only after many requests. `None` if
    /// it is stopped, too.
    pub(crate) fn windings(&self, geometry: &Geometry, t: u32, stop: StopFlag<'_>) -> Option<[i32; 2]> {
        if geometry.mesh().len() <= SMALL || self.sides.get().is_some() {
            return self.sides(geometry, stop).continue_value()?.windings(t);
        }
        let count = geometry.mesh().len();
        let all = self.few.known.get_or_init(|| (0..count).map(|_| AtomicU64::new(0)).collect());
        let known = &all[t as usize];
        let mut bits = known.load(Ordering::Relaxed);
        if bits == 0 {
            let asked = self.few.asked.fetch_add(1, Ordering::Relaxed);
            if asked >= count / BEFORE_SIDES || asked >= BEFORE_STAR && self.is_star(geometry) {
                return self.sides(geometry, stop).continue_value()?.windings(t);
            }
            let front = || u64::from(at_corner(self, geometry, t, false).cast_unsigned()) << 2 | 2;
            bits = if partners(self, geometry, t).is_empty() { front() } else { 1 };
            known.store(bits, Ordering::Relaxed);
        }
        let front = ((bits >> 2) as u32).cast_signed();
        (bits != 1).then_some([front, front + 1])
    }
}

impl FaceSides {
    fn new(solid: &Solid, geometry: &Geometry, stop: StopFlag<'_>) -> ControlFlow<(), Self> {
        let Dirty { is_dirty, within, pairs } = dirty(solid, geometry, stop)?;
        let clean = if is_dirty.is_empty() {
            solid.components.clone()
        } else {
            Components::new(geometry.mesh(), &solid.chain, |t| !is_dirty[t as usize])
        };
        let mut is_clean = vec![true; solid.components.first.len()];
        for (t, _) in (0..).zip(&is_dirty).filter(|(_, is_dirty)| **is_dirty) {
            is_clean[solid.component(t) as usize] = false;
        }
        let whole =
            if is_dirty.is_empty() && clean.first.len() == 1 { volume::sign(solid, geometry) } else { 0 };
        let fronts = match whole {
            0 => {
                let mut fronts = Vec::with_capacity(clean.first.len());
                for &t in &clean.first {
                    stop.check()?;
                    fronts.push(at_corner(solid, geometry, t, false));
                }
                fronts
            }
            // One surface that does not meet itself: outside of it the winding number is 0, inside it has the
            // sign of the volume.
            sign => vec![if sign > 0 { 0 } else { -1 }],
        };
        let mut occurring = Vec::new();
        occurring.resize_with(is_dirty.len(), AtomicU16::default);
        let shells = if is_dirty.is_empty() || within { 0 } else { volume::sign_of_shells(solid, geometry) };
        ControlFlow::Continue(Self { is_dirty, pairs, clean, fronts, is_clean, shells, occurring })
    }
}
