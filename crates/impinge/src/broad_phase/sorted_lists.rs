//! Sweep and prune in three sorted lists (Hu et al. 2016; I-COLLIDE, Cohen et al. 1995).
//!
//! Each axis has a list of all boxes' ends. Motion puts it out of order, insertion sort back in: boxes begin to overlap on an axis exactly where a lower end passes below an upper one. Such a pair is tested on all
//! axes, with the boxes as they now are, so whatever comes to meet is found on the last axis to change. Pairs that overlap on one axis only are not kept, as they are in the paper: of n evenly
//! spread boxes there are O(n^(5/3)). Pairs that meet no longer are dropped where all pairs are passed over to be reported, so that nothing is to be done where ends pass each other the other way.
use super::{
    Aabb, BroadPhase, Grid,
    kept::{Kept, in_order},
};

/// Keeps the ends of all boxes sorted on each axis: O(n + k) where k ends pass each other, n + pairs in memory. For motion by which ends pass few others: for thousands of boxes that move by a few percent of their size, and tens of thousands of which
/// few move. Where that is not so, the boxes are given to a [`Grid`].
#[derive(Clone, Debug)]
pub struct SortedLists {
    lists: [Vec<End>; 3],
    /// Where each end lies in each list, by its tag, if `located`.
    places: [Vec<u32>; 3],
    located: bool,
    /// The pairs that meet.
    kept: Kept,
    /// Which boxes changed; all false between updates.
    changed: Vec<bool>,
    grid: Grid,
    /// Whether lists and pairs are of some older update.
    stale: bool,
    /// Updates to come that leave the lists alone, and how many that will be next time.
    rest: u32,
    pause: u32,
}

/// One end of a box on one axis.
#[derive(Clone, Copy, Debug)]
struct End {
    /// Greater for greater coordinates.
    key: u64,
    /// Twice the box's index; one more for the upper end.
    tag: u32,
}

/// Steps of insertion sort for each box that cost about what a [`Grid`] and sorted lists do.
const STEPS: usize = 32;
/// Updates at most without a try of the lists, while motion is fast.
const LONGEST_PAUSE: u32 = 32;
/// With fewer boxes what insertion sort will cost is not estimated.
const FEW: usize = 512;

impl End {
    fn of(b: &Aabb, axis: usize, tag: u32) -> Self {
        let upper = tag & 1 == 1;
        let key = if b.is_empty() {
            // Beyond +inf, and inside out: they overlap nothing, not even each other, which would hide that they come to.
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
    /// Whether it belongs after another. Boxes are closed: of equal coordinates lower ends come first.
    #[inline(always)]
    fn is_after(self, other: Self) -> bool {
        self.key > other.key || (self.key == other.key && self.is_upper() && !other.is_upper())
    }
}

/// Its bits, so changed that they grow with it; the same for both zeros.
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
            kept: Kept::default(),
            changed: Vec::new(),
            grid: Grid::new(),
            stale: true,
            rest: 0,
            pause: 0,
        }
    }
}

impl SortedLists {
    /// Empty; allocates nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sorts everything anew.
    fn rebuild(&mut self, boxes: &[Aabb]) {
        for (axis, list) in self.lists.iter_mut().enumerate() {
            // In the order that there is, which may be nearly right.
            let known = list.len() as u32;
            list.extend((known..2 * boxes.len() as u32).map(|tag| End { key: 0, tag }));
            for end in list.iter_mut() {
                *end = End::of(&boxes[end.index() as usize], axis, end.tag);
            }
            list.sort_by_key(|end| (end.key, end.is_upper()));
        }
        self.located = false;
        self.stale = false;
        self.kept.clear();
        self.grid.update(boxes, &[], self.kept.found());
        self.kept.merge(boxes.len(), |_| true);
    }

    /// Sorts the lists in which all may have changed; false once that is too dear.
    fn sort(&mut self, boxes: &[Aabb]) -> bool {
        self.located = false;
        let mut left = STEPS * boxes.len() + 10_000;
        for (axis, list) in self.lists.iter_mut().enumerate() {
            for end in list.iter_mut() {
                *end = End::of(&boxes[end.index() as usize], axis, end.tag);
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

    /// Moves the ends of a few boxes; false once that is too dear.
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
                    let steps = self.shift_end(boxes, axis, End::of(&boxes[index as usize], axis, tag));
                    if left < steps {
                        return false;
                    }
                    left -= steps;
                }
            }
        }
        true
    }

    /// Moves one end to where it belongs, and says how many others it passed.
    fn shift_end(&mut self, boxes: &[Aabb], axis: usize, end: End) -> usize {
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

    /// Brings lists and pairs up to date from those of the last update; false if that is too dear, and they are of no use.
    fn follow(&mut self, boxes: &[Aabb], changed: &[u32]) -> bool {
        let known = self.lists[0].len() as u32 / 2;
        let new = known..boxes.len() as u32;
        for (list, places) in self.lists.iter_mut().zip(&mut self.places) {
            let tags = 2 * new.start..2 * new.end;
            places.extend(tags.clone());
            list.extend(tags.map(|tag| End { key: u64::MAX - u64::from(tag & 1), tag }));
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

/// Two boxes that overlap on one axis, as they had not.
#[inline(always)]
fn test(boxes: &[Aabb], i: u32, j: u32, kept: &mut Kept) {
    if i != j && meet(boxes, i, j) {
        kept.found().push(in_order(i, j));
    }
}

/// About how many steps insertion sort will take: the part of pairs that stand the wrong way round, for distances in the list that double, by samples.
fn estimate(list: &[End]) -> usize {
    const SAMPLES: usize = 64;
    let (mut steps, mut distance) = (0, 1);
    while distance < list.len() {
        let last = list.len() - distance;
        let wrong = (0..SAMPLES).filter(|n| {
            let at = last * n / SAMPLES;
            list[at].is_after(list[at + distance])
        });
        // Each stands for the distances up to the next.
        steps += wrong.count() * last / SAMPLES * distance;
        distance *= 2;
    }
    steps
}

impl BroadPhase for SortedLists {
    fn update(&mut self, boxes: &[Aabb], changed: &[u32], pairs: &mut Vec<[u32; 2]>) {
        if self.rest > 0 {
            self.rest -= 1;
            self.stale = true;
            return self.grid.update(boxes, changed, pairs);
        }
        if self.stale {
            self.rebuild(boxes);
        } else if self.follow(boxes, changed) {
            self.pause /= 2;
        } else if self.pause == 0 {
            // A jump, perhaps the only one.
            self.pause = 1;
            self.rebuild(boxes);
        } else {
            self.rest = self.pause;
            self.pause = (2 * self.pause).min(LONGEST_PAUSE);
            self.stale = true;
            return self.grid.update(boxes, changed, pairs);
        }
        pairs.clear();
        pairs.extend_from_slice(self.kept.pairs());
    }
}
