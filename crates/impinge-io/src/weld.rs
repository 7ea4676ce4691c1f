//! Builds a mesh from triangles given by their corners; equal corners become one vertex.
//!
//! The hash table of a large file exceeds every cache. So it has only 8 bytes a slot, and `Weld` fetches the
//! slots of many corners together.
use crate::{Error, error::Place};
use foldhash::fast::RandomState;
use impinge::Mesh;
use std::hash::{BuildHasher, Hasher};

/// Number of triangles looked up at a time: their first slots come from memory together.
const BATCH: usize = 16;

/// Merges equal points and numbers them in order of appearance; -0.0 counts as 0.0.
#[derive(Default)]
pub(crate) struct Weld {
    points: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    /// Triangles whose corners have not been looked up.
    waiting: Vec<[[f64; 3]; 3]>,
    /// Hash table: the upper half of a point's hash, then its number plus one; 0 for an empty slot. The
    /// number of slots is a power of two, and at least twice the number of points (up to 2^32 slots).
    slots: Vec<u64>,
    /// Right shift that maps a hash to its slot, or to the first slot to try.
    shift: u32,
    hasher: RandomState,
}

impl Weld {
    /// Reserves room for a number of triangles, which the file's size must support.
    pub(crate) fn with_capacity(triangles: usize) -> Self {
        let mut weld = Self::default();
        weld.triangles.reserve_exact(triangles);
        // A closed surface has half as many vertices as triangles.
        weld.points.reserve(triangles / 2);
        weld.grow(triangles);
        weld
    }

    #[inline]
    pub(crate) fn triangle(&mut self, corners: [[f64; 3]; 3]) -> Result<(), String> {
        // Adding zero turns -0.0 into 0.0 and leaves every other number unchanged.
        self.waiting.push(corners.map(|point| point.map(|c| c + 0.0)));
        if self.waiting.len() == BATCH { self.look_up() } else { Ok(()) }
    }

    pub(crate) fn finish(mut self) -> Result<Mesh, Error> {
        let wrong = |e| Error::invalid(Place::File, e);
        self.look_up().map_err(wrong)?;
        Mesh::new(self.points, self.triangles)
            .map_err(|e| wrong("its triangles do not make a mesh".into()).because(e))
    }

    fn look_up(&mut self) -> Result<(), String> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        // Each number plus one must also fit in 32 bits.
        if self.points.len() >= u32::MAX as usize - 3 * BATCH {
            return Err(format!("more than {} different points in one mesh", u32::MAX));
        }
        if self.slots.len() / 2 < self.points.len() + 3 * BATCH {
            self.grow(2 * self.slots.len());
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut first = [(0, 0); 3 * BATCH];
        for (first, point) in first.iter_mut().zip(waiting.as_flattened()) {
            let hash = self.hash(point);
            *first = (hash, self.slots[(hash >> self.shift) as usize]);
        }
        let mut first = first.iter();
        for corners in waiting.drain(..) {
            let mut triangle = [0; 3];
            for ((vertex, point), (hash, slot)) in triangle.iter_mut().zip(&corners).zip(&mut first) {
                // A slot that holds a point never changes.
                let slot = if self.holds(*slot, *hash, point) { *slot } else { self.find(*hash, point) };
                *vertex = slot as u32 - 1;
            }
            self.triangles.push(triangle);
        }
        self.waiting = waiting;
        Ok(())
    }

    #[inline]
    fn hash(&self, point: &[f64; 3]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        point.iter().for_each(|c| hasher.write_u64(c.to_bits()));
        hasher.finish()
    }

    #[inline]
    fn holds(&self, slot: u64, hash: u64, point: &[f64; 3]) -> bool {
        slot != 0 && slot >> 32 == hash >> 32 && self.points[(slot as u32 - 1) as usize] == *point
    }

    /// Content of the slot of a point; adds the point if it is new.
    fn find(&mut self, hash: u64, point: &[f64; 3]) -> u64 {
        let mut at = (hash >> self.shift) as usize;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                self.points.push(*point);
                self.slots[at] = hash >> 32 << 32 | self.points.len() as u64;
                return self.slots[at];
            }
            if self.holds(slot, hash, point) {
                return slot;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Grows the table to at least the given number of slots. The order of the slots is about that of the
    /// hashes, so both tables are traversed from one end to the other.
    #[cold]
    fn grow(&mut self, slots: usize) {
        // Slots come from the upper half of a hash.
        let bits = slots.max(8 * BATCH).next_power_of_two().trailing_zeros().min(32);
        let old = std::mem::replace(&mut self.slots, vec![0; 1 << bits]);
        self.shift = 64 - bits;
        for slot in old.into_iter().filter(|slot| *slot != 0) {
            let mut at = (slot >> self.shift) as usize;
            while self.slots[at] != 0 {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn equal_corners_become_one_vertex_in_the_order_they_come() {
        let mut state = 1_u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        // Few points and many, with and without a reserved number; some coordinates are zeros of both signs.
        for (most, triangles, reserved) in [(3, 1, 1), (5, 100, 0), (1000, 5000, 5000), (100_000, 20_000, 7)]
        {
            let mut weld = Weld::with_capacity(reserved);
            let mut known = HashMap::new();
            let (mut points, mut expected) = (Vec::new(), Vec::new());
            for _ in 0..triangles {
                let zero = [0.0, -0.0][random(2) as usize];
                let corners = [0; 3].map(|_| [random(most) as f64 * 0.1, zero, 1.0]);
                weld.triangle(corners).unwrap();
                expected.push(corners.map(|c| {
                    *known.entry(c[0].to_bits()).or_insert_with(|| {
                        points.push([c[0], 0.0, 1.0]);
                        points.len() as u32 - 1
                    })
                }));
            }
            let mesh = weld.finish().unwrap();
            assert_eq!(mesh.triangles(), expected);
            assert_eq!(mesh.points(), points);
            assert!(mesh.points().iter().all(|p| p[1].is_sign_positive()));
        }
    }
}
