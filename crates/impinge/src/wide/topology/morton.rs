//! Morton order, and runs of neighbours in it.
use super::{
    Boxes,
    four::{Four, Span},
};
use crate::pool::Crew;
use std::ops::Range;

/// Bits of a coordinate: codes have three times as many.
const BITS: u32 = 11;
/// Most triangles of a cluster, if a leaf may have so many.
const CLUSTER: usize = 8;

/// Keys are cut into runs in pieces of so many, each by itself.
const PIECE: usize = 1 << 12;

/// Triangles in the order of their codes.
pub(super) struct Sorted(Vec<u64>);

impl Sorted {
    /// What stands at a place.
    #[inline(always)]
    pub(super) fn triangle(&self, place: u32) -> u32 {
        self.0[place as usize] as u32 & INDEX
    }
    /// The code of a place.
    #[inline(always)]
    pub(super) fn code(&self, place: u32) -> u64 {
        self.0[place as usize] >> INDEX_BITS
    }
}

/// The order of the triangles by the codes of their boxes' centres (ties by number), and boxes of clusters of up to `CLUSTER` that
/// follow each other in it, with their first places and their counts.
pub(super) fn clusters(boxes: &impl Boxes, leaf: u32, crew: Crew) -> (Sorted, Vec<Span>) {
    let keys = sorted(boxes, crew);
    let starts: Vec<_> = (0..keys.len()).step_by(PIECE).collect();
    let batches: Vec<_> = starts.chunks(if crew == Crew::One { starts.len().max(1) } else { 1 }).collect();
    let clusters = crew.map(&batches, &|starts| {
        let mut clusters = Vec::with_capacity(starts.len() * PIECE.min(keys.len()) / 2);
        let mut spans = Vec::new();
        for &start in *starts {
            let piece = &keys[start..(start + PIECE).min(keys.len())];
            // By themselves, so that many cache lines come at once.
            spans.clear();
            spans.extend(piece.iter().map(|&key| boxes.of((key as u32 & INDEX) as usize)));
            for run in runs(piece, CLUSTER.min(leaf as usize), |key| key >> INDEX_BITS) {
                let bounds = Span::of(&spans[run.clone()]);
                clusters.push(bounds.tagged((start + run.start) as u32, run.len() as u32));
            }
        }
        clusters
    });
    (Sorted(keys), crew.concat(clusters))
}

/// A run may be shorter than half of the most if it ends at a cell that is so many bits larger.
const SHORT: u32 = 6;

/// Cuts a sorted sequence into runs of at most `most`, mostly of at least half of that, where the codes on both sides differ in
/// the highest bit: there, cells of the Morton curve end.
pub(super) fn runs<T>(
    sorted: &[T],
    most: usize,
    code: impl Fn(&T) -> u64,
) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        if start == sorted.len() {
            return None;
        }
        let mut end = (start + most).min(sorted.len());
        if end < sorted.len() {
            let mut best = 0;
            for at in start + 1..=start + most {
                let jump = code(&sorted[at - 1]) ^ code(&sorted[at]);
                // The later of equal ones: fuller runs. Short ones only where a much larger cell ends.
                let jump = if at - start < most / 2 { jump >> SHORT } else { jump };
                end = if jump >= best { at } else { end };
                best = best.max(jump);
            }
        }
        let run = start..end;
        start = end;
        Some(run)
    })
}

/// A key is a code above an index.
const INDEX_BITS: u32 = 64 - 3 * BITS;
const INDEX: u32 = (1 << INDEX_BITS) - 1;

/// Keys in their order, of which there is but one: none occurs twice.
fn sorted(boxes: &impl Boxes, crew: Crew) -> Vec<u64> {
    // Centres are doubled.
    let [lo, hi] = boxes.ends().map(|x| x.zip(x, |a, b| a + b));
    let side = (0..3).map(|k| hi.0[k] - lo.0[k]).fold(0.0, |a, b| if a < b { b } else { a });
    let scale = ((1 << BITS) - 1) as f32 / side;
    // All (nearly) in one place: all in one cell.
    let scale = if scale < 1e30 { scale } else { 0.0 };
    let key = |i: usize| {
        let c = boxes.of(i).centre();
        let [x, y, z, _] = spread(c.zip(lo, |c, lo| cell((c - lo) * scale)));
        (x << 2 | y << 1 | z) << INDEX_BITS | i as u64
    };
    let mut keys = crew.collect(boxes.count(), PIECE, &key);
    let mut other = vec![0; keys.len()];
    sort(&mut keys, &mut other, crew);
    other
}

/// Lists up to this length are sorted as one.
const ALONE: usize = 1 << 15;

/// Sorts one list into another that is as long.
fn sort(from: &mut [u64], to: &mut [u64], crew: Crew) {
    if crew == Crew::One || from.len() <= ALONE {
        return sort_alone(from, to);
    }
    let half = from.len() / 2;
    let (left, right) = from.split_at_mut(half);
    let sorted = to.split_at_mut(half);
    crew.join(|| sort(left, sorted.0, crew), || sort(right, sorted.1, crew));
    merge(sorted.0, sorted.1, from, crew);
    to.copy_from_slice(from);
}

/// Two sorted lists become one.
fn merge<'a>(mut a: &'a [u64], mut b: &'a [u64], to: &mut [u64], crew: Crew) {
    if a.len() < b.len() {
        (a, b) = (b, a);
    }
    if crew == Crew::All && to.len() > ALONE {
        let i = a.len() / 2;
        let j = b.partition_point(|&key| key < a[i]);
        let (front, back) = to.split_at_mut(i + j);
        crew.join(|| merge(&a[..i], &b[..j], front, crew), || merge(&a[i..], &b[j..], back, crew));
        return;
    }
    for to in to {
        let (&x, &y) = (a.first().unwrap_or(&u64::MAX), b.first().unwrap_or(&u64::MAX));
        let left = x < y;
        *to = if left { x } else { y };
        a = &a[usize::from(left)..];
        b = &b[usize::from(!left)..];
    }
}

fn sort_alone<'a>(mut keys: &'a mut [u64], mut other: &'a mut [u64]) {
    let mut counts = [[0u32; 1 << BITS]; 3];
    for key in &*keys {
        for (digit, counts) in counts.iter_mut().enumerate() {
            counts[(key >> (INDEX_BITS + digit as u32 * BITS)) as usize % (1 << BITS)] += 1;
        }
    }
    for (digit, counts) in counts.iter_mut().enumerate() {
        let mut sum = 0;
        for count in counts.iter_mut() {
            (*count, sum) = (sum, sum + *count);
        }
        let shift = INDEX_BITS + digit as u32 * BITS;
        for &key in &*keys {
            let place = &mut counts[(key >> shift) as usize % (1 << BITS)];
            other[*place as usize] = key;
            *place += 1;
        }
        std::mem::swap(&mut keys, &mut other);
    }
    // Three times changed over: the second list has the result.
}

/// A number of which the low bits are the integer next to x in [0, 2^BITS).
#[inline(always)]
fn cell(x: f32) -> f32 {
    x + 12_582_912.0
}

/// The low bits of four numbers, two zeros between any two bits.
#[inline(always)]
fn spread(cells: Four) -> [u64; 4] {
    let mut x = [0; 4];
    for (x, cell) in x.iter_mut().zip(cells.0) {
        *x = u64::from(cell.to_bits() % (1 << BITS));
    }
    for (shift, mask) in [(16, 0xff00_00ff), (8, 0x0f00_f00f), (4, 0xc30c_30c3), (2, 0x4924_9249)] {
        for x in &mut x {
            *x = (*x | *x << shift) & mask;
        }
    }
    x
}
