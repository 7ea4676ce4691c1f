//! Finds equal nodes, rounds their coordinates, and sorts them.
//!
//! A vertex of the intersection of two triangles is the one point that two of their features have in common.
//! So a pair of features, by their vertices, determines the point, and hashing finds equal pairs. Where no
//! triangle meets its own mesh elsewhere than in common corners and edges, a point lies in the relative
//! interior of one feature of each mesh: different pairs are then different points. Elsewhere, points whose
//! coordinates are rounded to the same numbers are compared exactly.
use super::{
    feature::{Feature, Vertices},
    nearest::{NodeRoundingWork, piercing_body},
    node::Node,
    placed::PlacedBodies,
    spot::Spot,
    trust::Trust,
};
use crate::{simd::Detected, stop::StopFlag};
use std::{cmp::Ordering, ops::ControlFlow};

#[derive(Debug, Default)]
pub(super) struct Nodes {
    pub(super) spots: Vec<Spot>,
    /// Hash table with linear probing: 1 more than a spot's number; 0 where there is none.
    table: Vec<u32>,
    order: Vec<u32>,
    /// The nodes that remain to be rounded one by one.
    left: Vec<u32>,
    /// Spots by their first coordinates, as integers in the same order.
    keys: Vec<(u64, u32)>,
    /// The node of each spot.
    pub(super) ranks: Vec<u32>,
    /// A spot of each node.
    pub(super) first: Vec<u32>,
}

/// An integer for each f64, in the order of [`f64::total_cmp`].
fn ordered(x: f64) -> u64 {
    let bits = x.to_bits();
    bits ^ (((bits as i64 >> 63) as u64) | 1 << 63)
}

fn hash(key: &[Vertices; 2]) -> u64 {
    let mix = |hash: u64, x: u32| (hash ^ u64::from(x)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    let hash = key.as_flattened().iter().fold(0, |hash, &x| mix(hash, x));
    hash ^ hash >> 32
}

impl Nodes {
    /// Removes all spots, and makes room for `most` of them.
    pub(super) fn clear(&mut self, most: usize) {
        self.spots.clear();
        self.table.clear();
        self.table.resize((2 * most).next_power_of_two().max(16), 0);
    }
    /// The number of the spot with this key.
    pub(super) fn spot(&mut self, key: [Vertices; 2], pair: [u32; 2], dirty: bool) -> u32 {
        // A pair may have more vertices than there was room for.
        if 2 * self.spots.len() >= self.table.len() {
            let len = 2 * self.table.len();
            self.table.clear();
            self.table.resize(len, 0);
            for i in 0..self.spots.len() {
                let at = self.place(&self.spots[i].key);
                self.table[at] = i as u32 + 1;
            }
        }
        let at = self.place(&key);
        if self.table[at] == 0 {
            self.spots.push(Spot { key, own: None, pair, point: [0.0; 3], exact: [false; 3], dirty });
            self.table[at] = self.spots.len() as u32;
        }
        let number = self.table[at] - 1;
        self.spots[number as usize].dirty |= dirty;
        number
    }
    fn place(&self, key: &[Vertices; 2]) -> usize {
        let mask = self.table.len() - 1;
        let mut at = hash(key) as usize & mask;
        while self.table[at] != 0 && self.spots[self.table[at] as usize - 1].key != *key {
            at = (at + 1) & mask;
        }
        at
    }
    /// Rounds all spots from a number on. Those where edges run through triangles are rounded in batches.
    fn round(&mut self, from: usize, placed: &PlacedBodies<'_>, simd: Detected) -> ControlFlow<()> {
        let Self { spots, order, left, .. } = self;
        left.clear();
        if placed.trust == Trust::Features {
            for body in 0..2 {
                order.clear();
                let of_body = |(_, spot): &(u32, &Spot)| piercing_body(spot) == Some(body);
                let some = (from as u32..).zip(&spots[from..]);
                order.extend(some.filter(of_body).map(|(number, _)| number));
                simd.call(NodeRoundingWork { placed, body, numbers: order, spots, left })?;
            }
            let some = (from as u32..).zip(&spots[from..]);
            let others = some.filter(|(_, spot)| piercing_body(spot).is_none());
            left.extend(others.map(|(number, _)| number));
        } else {
            left.extend(from as u32..spots.len() as u32);
        }
        for &number in left.iter() {
            placed.stop.check()?;
            let spot = &mut spots[number as usize];
            let rounding = placed.round(&placed.meeting(spot));
            (spot.point, spot.exact) = (rounding.point, rounding.exact);
        }
        ControlFlow::Continue(())
    }
    /// Rounds spots from a number on. Makes nodes of all, each once, sorted by their rounded coordinates and
    /// then by exact ones. Breaks if it is stopped.
    pub(super) fn arrange(
        &mut self,
        from: usize,
        placed: &PlacedBodies<'_>,
        simd: Detected,
        nodes: &mut Vec<Node>,
    ) -> ControlFlow<()> {
        self.round(from, placed, simd)?;
        let Self { spots, order, ranks, first, keys, left, .. } = self;
        let rounded = |i: u32, j: u32| {
            let (p, q) = (&spots[i as usize].point, &spots[j as usize].point);
            let by = |k: usize| p[k].total_cmp(&q[k]);
            by(0).then_with(|| by(1)).then_with(|| by(2))
        };
        let exactly = |i: u32, j: u32| {
            let [p, q] = [i, j].map(|i| &spots[i as usize]);
            let by_keys = placed.trust == Trust::Features && p.own.is_none() && q.own.is_none();
            if by_keys && placed.are_one(&p.key, &q.key) {
                return Ordering::Equal;
            }
            let [p, q] = [p, q].map(|spot| placed.meeting(spot));
            placed.space.compare(&p, &q)
        };
        // By x first, which mostly decides.
        keys.clear();
        keys.extend((0..).zip(spots.iter()).map(|(i, spot)| (ordered(spot.point[0]), i)));
        keys.sort_unstable();
        order.clear();
        order.extend(keys.iter().map(|&(_, i)| i));
        let mut from = 0;
        for equal in keys.chunk_by(|a, b| a.0 == b.0) {
            if equal.len() > 1 {
                let run = &mut order[from..from + equal.len()];
                run.sort_unstable_by(|&i, &j| rounded(i, j).then(i.cmp(&j)));
            }
            from += equal.len();
        }
        for run in order.chunk_by_mut(|&i, &j| rounded(i, j).is_eq()) {
            if run.len() > 1 {
                sort_until(run, left, placed.stop, |i, j| exactly(i, j).then(i.cmp(&j)))?;
            }
        }
        ranks.clear();
        ranks.resize(spots.len(), 0);
        first.clear();
        nodes.clear();
        let mut last: Option<u32> = None;
        for &i in order.iter() {
            placed.stop.check()?;
            let is_new = last.is_none_or(|last| {
                rounded(last, i) != Ordering::Equal || exactly(last, i) != Ordering::Equal
            });
            let spot = &spots[i as usize];
            if is_new {
                first.push(i);
                nodes.push(Node {
                    point: spot.point,
                    features: [0, 1].map(|x| Feature::of(&spot.key[x], spot.pair[x])),
                    exact: spot.exact,
                });
            }
            ranks[i as usize] = first.len() as u32 - 1;
            last = Some(i);
        }
        // The first spot of a node is dirty if one of its spots is.
        for i in 0..spots.len() {
            if spots[i].dirty {
                spots[first[ranks[i] as usize] as usize].dirty = true;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Numbers that are sorted between two tests of the stop flag.
const RUN: usize = 32;

/// Sorts by an order in which no two are equal and a comparison may take long. Breaks if it is stopped. The
/// standard library, which cannot be stopped, sorts short runs; these are merged by way of `memory`.
fn sort_until(
    numbers: &mut [u32],
    memory: &mut Vec<u32>,
    stop: StopFlag<'_>,
    compare: impl Fn(u32, u32) -> Ordering,
) -> ControlFlow<()> {
    for run in numbers.chunks_mut(RUN) {
        stop.check()?;
        run.sort_unstable_by(|&i, &j| compare(i, j));
    }
    let mut len = RUN;
    while len < numbers.len() {
        for pair in numbers.chunks_mut(2 * len).filter(|pair| pair.len() > len) {
            memory.clear();
            let (mut i, mut j) = (0, len);
            while i < len && j < pair.len() {
                stop.check()?;
                let from = if compare(pair[j], pair[i]).is_lt() { &mut j } else { &mut i };
                memory.push(pair[*from]);
                *from += 1;
            }
            // The rest of the second is in its place.
            pair.copy_within(i..len, memory.len());
            pair[..memory.len()].copy_from_slice(memory);
        }
        len *= 2;
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::{Ordering, sort_until};
    use crate::samples::rng::Rng;
    use crate::stop::{StopFlag, looks::counted};
    use std::{cell::Cell, sync::atomic::AtomicBool};

    /// Sorts as the standard library does. Stopped at any test of the flag, it compares no more.
    #[test]
    fn runs_are_sorted_or_stopped() {
        let (mut rng, mut memory) = (Rng::new(31), Vec::new());
        for len in (0..70).chain([127, 128, 129, 1000]) {
            let keys: Vec<u32> = (0..len).map(|_| rng.below(40) as u32).collect();
            let order =
                |i: u32, j: u32| -> Ordering { keys[i as usize].cmp(&keys[j as usize]).then(i.cmp(&j)) };
            let mut want: Vec<u32> = (0..len).collect();
            want.sort_by(|&i, &j| order(i, j));
            let mut numbers: Vec<u32> = (0..len).rev().collect();
            assert!(sort_until(&mut numbers, &mut memory, StopFlag(None), order).is_continue());
            assert_eq!(numbers, want);
            for most in [0, 1, 3, u64::from(len)] {
                let (flag, compared) = (AtomicBool::new(false), Cell::new([0; 2]));
                let stop = StopFlag(Some(&flag));
                let counting = |i: u32, j: u32| {
                    let [before, after] = compared.get();
                    let is_set = flag.load(std::sync::atomic::Ordering::Relaxed);
                    compared.set(if is_set { [before, after + 1] } else { [before + 1, after] });
                    order(i, j)
                };
                let mut numbers: Vec<u32> = (0..len).rev().collect();
                let (done, _) = counted(most, || sort_until(&mut numbers, &mut memory, stop, counting));
                assert!(done.is_break() == flag.into_inner() && compared.get()[1] == 0, "{len} {most}");
            }
        }
    }
}
