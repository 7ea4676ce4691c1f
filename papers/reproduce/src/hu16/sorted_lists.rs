//! Sweep and prune in three sorted lists (Hu et al. 2016; I-COLLIDE, Cohen et al. 1995; Ericson 7.5).
//!
//! Each axis has a list of the endpoints of all boxes. Motion puts the list out of order, and insertion sort
//! puts it back in order. Two boxes begin to overlap on an axis exactly where a lower endpoint passes below
//! an upper one. The pair is then tested on all axes, with the boxes of this update; so a pair that comes to
//! meet is found on the last axis on which it changes.
//!
//! Pairs that overlap on one axis only are not kept, unlike in Hu et al.: n evenly spread boxes have
//! O(n^(5/3)) of them. Pairs that no longer meet are dropped when the pairs are listed; so nothing needs to
//! be done where endpoints pass each other the other way.
use impinge::broad_phase::{Aabb, Backoff, BroadPhase, Grid, PairList, in_order};

/// Keeps the endpoints of all boxes sorted on each axis: O(n + k) where k endpoints pass each other; memory
/// O(n + pairs).
///
/// It suits motion in which few endpoints pass each other: thousands of boxes that move by a few percent of
/// their size, or tens of thousands if few of them move. For other updates it uses a [`Grid`].
#[doc(alias("sweep and prune", "SaP"))]
#[derive(Clone, Debug)]
pub struct SortedLists {
    lists: [Vec<Endpoint>; 3],
    /// Index in the list of each endpoint, by axis and tag. Valid if `located`.
    places: [Vec<u32>; 3],
    located: bool,
    /// The pairs that meet.
    kept: PairList,
    /// True for each box that has changed; all false between updates.
    changed: Vec<bool>,
    grid: Grid,
    /// True if lists and pairs are older than the last update.
    stale: bool,
    /// Decides when to try the lists again after motion was too fast for them.
    backoff: Backoff,
}

/// An endpoint: the lower or the upper end of a box on one axis.
#[derive(Clone, Copy, Debug)]
struct Endpoint {
    /// The coordinate, as an integer of the same order.
    key: u64,
    /// Twice the index of the box, plus one for the upper endpoint.
    tag: u32,
}

/// Number of insertion sort steps a box that costs about as much as sorting again and using a [`Grid`].
const STEPS: usize = 32;
/// Greatest number of boxes for which the cost of insertion sort is not estimated first.
const FEW: usize = 512;

impl Endpoint {
    fn of(b: &Aabb, axis: usize, tag: u32) -> Self {
        let upper = tag & 1 == 1;
        let key = if b.is_empty() {
            // Above +inf, and the upper endpoint below the lower one: the box overlaps no other, not even
            // another empty one. If two empty boxes overlapped, the lists would not show when they come to
            // meet.
            u64::MAX - u64::from(upper)
        } else {
            key(if upper { b.hi[axis] } else { b.lo[axis] })
        };
        Self { key, tag }
    }
    #[inline(always)]
    fn is_upper(self) -> bool {
        self.tag & 1 == 1
    }
    fn index(self) -> u32 {
        self.tag >> 1
    }
    /// True if it belongs after another one. Boxes are closed: at equal coordinates lower endpoints come
    /// first.
    #[inline(always)]
    fn is_after(self, other: Self) -> bool {
        self.key > other.key || (self.key == other.key && self.is_upper() && !other.is_upper())
    }
}

/// An integer that grows with x, from its bits; the same for 0 and -0.
#[inline(always)]
fn key(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    bits ^ (((bits.cast_signed() >> 63).cast_unsigned()) | (1 << 63))
}

impl Default for SortedLists {
    fn default() -> Self {
        Self {
            lists: Default::default(),
            places: Default::default(),
            located: false,
            kept: PairList::default(),
            changed: Vec::new(),
            grid: Grid::new(),
            stale: true,
            backoff: Backoff::default(),
        }
    }
}

impl SortedLists {
    /// Empty lists, which allocate nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sorts all lists again, and finds the pairs with the grid.
    fn rebuild(&mut self, boxes: &[Aabb]) {
        for (axis, list) in self.lists.iter_mut().enumerate() {
            // Starts from the present order, which may be nearly right.
            let known = list.len() as u32;
            list.extend((known..2 * boxes.len() as u32).map(|tag| Endpoint { key: 0, tag }));
            for end in list.iter_mut() {
                *end = Endpoint::of(&boxes[end.index() as usize], axis, end.tag);
            }
            list.sort_by_key(|end| (end.key, end.is_upper()));
        }
        self.located = false;
        self.stale = false;
        self.kept.clear();
        self.grid.update(boxes, &[], self.kept.found());
        self.kept.merge(boxes.len(), |_| true);
    }

    /// Sorts the lists after many boxes have changed. Returns false once that costs too much.
    fn sort(&mut self, boxes: &[Aabb]) -> bool {
        self.located = false;
        let mut left = STEPS * boxes.len() + 10_000;
        for (axis, list) in self.lists.iter_mut().enumerate() {
            for end in list.iter_mut() {
                *end = Endpoint::of(&boxes[end.index() as usize], axis, end.tag);
            }
            if boxes.len() > FEW && estimate(list) > left {
                return false;
            }
            for at in 1..list.len() {
                let end = list[at];
                if !list[at - 1].is_after(end) {
                    continue;
                }
                let mut to = at;
                while to > 0 && list[to - 1].is_after(end) {
                    list[to] = list[to - 1];
                    to -= 1;
                }
                list[to] = end;
                if left < at - to {
                    return false;
                }
                left -= at - to;
                if !end.is_upper() {
                    let passed = list[to + 1..=at].iter().filter(|e| e.is_upper());
                    passed.for_each(|e| test(boxes, end.index(), e.index(), &mut self.kept));
                }
            }
        }
        true
    }

    /// Moves the endpoints of a few boxes. Returns false once that costs too much.
    fn shift(&mut self, boxes: &[Aabb], changed: impl Iterator<Item = u32>) -> bool {
        if !self.located {
            self.located = true;
            for (places, list) in self.places.iter_mut().zip(&self.lists) {
                places.resize(list.len(), 0);
                (0..).zip(list).for_each(|(at, end)| places[end.tag as usize] = at);
            }
        }
        let mut left = STEPS * boxes.len() + 10_000;
        for index in changed {
            for axis in 0..3 {
                for tag in [2 * index, 2 * index + 1] {
                    let steps =
                        self.shift_endpoint(boxes, axis, Endpoint::of(&boxes[index as usize], axis, tag));
                    if left < steps {
                        return false;
                    }
                    left -= steps;
                }
            }
        }
        true
    }

    /// Moves one endpoint to its place. Returns the number of endpoints that it passed.
    fn shift_endpoint(&mut self, boxes: &[Aabb], axis: usize, end: Endpoint) -> usize {
        let (list, places) = (&mut self.lists[axis], &mut self.places[axis]);
        let from = places[end.tag as usize] as usize;
        let mut to = from;
        while to > 0 && list[to - 1].is_after(end) {
            let other = list[to - 1];
            list[to] = other;
            places[other.tag as usize] = to as u32;
            to -= 1;
            if other.is_upper() && !end.is_upper() {
                test(boxes, end.index(), other.index(), &mut self.kept);
            }
        }
        while to + 1 < list.len() && end.is_after(list[to + 1]) {
            let other = list[to + 1];
            list[to] = other;
            places[other.tag as usize] = to as u32;
            to += 1;
            if !other.is_upper() && end.is_upper() {
                test(boxes, end.index(), other.index(), &mut self.kept);
            }
        }
        list[to] = end;
        places[end.tag as usize] = to as u32;
        from.abs_diff(to)
    }

    /// Updates lists and pairs from those of the last update. Returns false if that costs too much: lists and
    /// pairs are then of no use.
    fn follow(&mut self, boxes: &[Aabb], changed: &[u32]) -> bool {
        let known = self.lists[0].len() as u32 / 2;
        let new = known..boxes.len() as u32;
        for (list, places) in self.lists.iter_mut().zip(&mut self.places) {
            let tags = 2 * new.start..2 * new.end;
            places.extend(tags.clone());
            list.extend(tags.map(|tag| Endpoint { key: u64::MAX - u64::from(tag & 1), tag }));
        }
        let most = changed.len() + new.len() > boxes.len() / 8;
        if most {
            if !self.sort(boxes) {
                return false;
            }
            self.kept.merge(boxes.len(), |[i, j]| meet(boxes, i, j));
            return true;
        }
        if !self.shift(boxes, new.chain(changed.iter().copied())) {
            return false;
        }
        self.changed.resize(boxes.len(), false);
        changed.iter().for_each(|&i| self.changed[i as usize] = true);
        let moved = &self.changed;
        self.kept.merge(boxes.len(), |[i, j]| !(moved[i as usize] | moved[j as usize]) || meet(boxes, i, j));
        changed.iter().for_each(|&i| self.changed[i as usize] = false);
        true
    }
}

#[inline(always)]
fn meet(boxes: &[Aabb], i: u32, j: u32) -> bool {
    let (a, b) = (&boxes[i as usize], &boxes[j as usize]);
    a.meets(b) && !a.is_empty() && !b.is_empty()
}

/// Tests two boxes that have come to overlap on one axis.
#[inline(always)]
fn test(boxes: &[Aabb], i: u32, j: u32, kept: &mut PairList) {
    if i != j && meet(boxes, i, j) {
        kept.found().push(in_order(i, j));
    }
}

/// Estimates the steps of insertion sort. At distances 1, 2, 4, ... in the list, samples give the part of the
/// endpoint pairs that are in the wrong order.
fn estimate(list: &[Endpoint]) -> usize {
    const SAMPLES: usize = 64;
    let (mut steps, mut distance) = (0, 1);
    while distance < list.len() {
        let last = list.len() - distance;
        let wrong = (0..SAMPLES).filter(|n| {
            let at = last * n / SAMPLES;
            list[at].is_after(list[at + distance])
        });
        // A distance counts for all distances up to the next one.
        steps += wrong.count() * last / SAMPLES * distance;
        distance *= 2;
    }
    steps
}

impl BroadPhase for SortedLists {
    fn update(&mut self, boxes: &[Aabb], changed: &[u32], pairs: &mut Vec<[u32; 2]>) {
        if self.backoff.waits() {
            self.stale = true;
            return self.grid.update(boxes, changed, pairs);
        }
        if self.stale {
            self.rebuild(boxes);
        } else if self.follow(boxes, changed) {
            self.backoff.succeeded();
        } else if self.backoff.failed() {
            self.stale = true;
            return self.grid.update(boxes, changed, pairs);
        } else {
            self.rebuild(boxes);
        }
        pairs.clear();
        pairs.extend_from_slice(self.kept.pairs());
    }
}

#[cfg(test)]
mod tests {
    use super::SortedLists;
    use impinge::broad_phase::{Aabb, BroadPhase, BruteForce};
    use impinge_testkit::rng::Rng;

    /// Boxes appear, vanish, jump and move by little; in half of the runs they lie on a lattice and touch.
    #[test]
    fn the_pairs_are_those_of_brute_force() {
        let mut found = 0;
        for seed in 0..6 {
            let mut rng = Rng::new(seed);
            let on_lattice = seed % 2 == 1;
            let make = |rng: &mut Rng| {
                let (scale, half) = if on_lattice { (6.0, 1.6) } else { (1.0, 0.06) };
                let [centre, half] = [rng.point(scale), rng.point(half).map(f64::abs)];
                let snapped = |x: f64| if on_lattice { x.round() } else { x };
                Aabb {
                    lo: [0, 1, 2].map(|k| snapped(centre[k] - half[k])),
                    hi: [0, 1, 2].map(|k| snapped(centre[k] + half[k])),
                }
            };
            let (mut lists, mut boxes) = (SortedLists::new(), Vec::<Aabb>::new());
            let (mut want, mut got) = (Vec::new(), Vec::new());
            for step in 0..60 {
                let more = if step == 0 { 400 } else { step % 3 };
                let mut changed: Vec<u32> = (boxes.len() as u32..).take(more).collect();
                boxes.extend((0..more).map(|_| make(&mut rng)));
                let before = boxes.len() - more;
                for (i, one) in boxes.iter_mut().enumerate().take(before) {
                    let chance = rng.between(0.0, 1.0);
                    if chance > [0.02, 0.3, 1.0][step % 3] {
                        continue;
                    }
                    let action = rng.between(0.0, 1.0);
                    if action < 0.1 {
                        *one = Aabb::EMPTY;
                    } else if action < 0.2 || one.is_empty() {
                        *one = make(&mut rng);
                    } else if !on_lattice {
                        let by = rng.point(0.02);
                        let [lo, hi] = [one.lo, one.hi].map(|at| [0, 1, 2].map(|k| at[k] + by[k]));
                        *one = Aabb { lo, hi };
                    }
                    changed.push(i as u32);
                }
                BruteForce.update(&boxes, &changed, &mut want);
                lists.update(&boxes, &changed, &mut got);
                got.sort_unstable();
                assert_eq!(got, want, "seed {seed}, step {step}");
                found += want.len();
            }
        }
        assert!(found > 20_000, "boxes must meet for this test to mean anything: {found}");
    }
}
