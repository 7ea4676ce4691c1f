//! Triangles in Morton order, and clusters of neighbours in it.
//!
//! A triangle's key is the Morton code of its box's centre, above its number. So all keys are different, and
//! sorting them has one result.
use super::{
    boxes::BoxSource,
    four::{FloatQuad, TaggedBox},
};
use crate::{
    mesh::MAX_TRIANGLES,
    pool::Executor,
    simd::{Simd, Work},
    wide::for_builds,
};
use std::ops::Range;

/// Bits of a coordinate; a code has three times as many.
const BITS: u32 = 11;
/// The most triangles of a cluster, unless leaves must have fewer.
const CLUSTER: usize = 8;

/// Keys are clustered in pieces of this many, each by itself.
const PIECE: usize = 1 << 12;

/// The sorted keys.
pub(super) struct MortonOrder(Vec<u64>);

impl MortonOrder {
    /// The number of the triangle at a place.
    #[inline(always)]
    pub(super) fn triangle(&self, place: u32) -> u32 {
        self.0[place as usize] as u32 & INDEX
    }
    /// The code of the triangle at a place.
    #[inline(always)]
    pub(super) fn code(&self, place: u32) -> u64 {
        self.0[place as usize] >> INDEX_BITS
    }
}

/// The triangles in Morton order, and the boxes of clusters that follow each other in it, tagged with their
/// first places and their counts.
pub(super) fn clusters(
    boxes: &impl BoxSource,
    leaf: u32,
    executor: Executor,
) -> (MortonOrder, Vec<TaggedBox>) {
    let keys = sorted(boxes, executor);
    let starts: Vec<_> = (0..keys.len()).step_by(PIECE).collect();
    let batches: Vec<_> =
        starts.chunks(if executor == Executor::Serial { starts.len().max(1) } else { 1 }).collect();
    let clusters = executor.map(&batches, &|starts| {
        let mut clusters = Vec::with_capacity(starts.len() * PIECE.min(keys.len()) / 2);
        let mut spans = Vec::new();
        for &start in *starts {
            let piece = &keys[start..(start + PIECE).min(keys.len())];
            for_builds().call(Spans { boxes, piece, spans: &mut spans });
            for run in runs(piece, CLUSTER.min(leaf as usize), |key| key >> INDEX_BITS) {
                let bounds = TaggedBox::of(&spans[run.clone()]);
                clusters.push(bounds.tagged((start + run.start) as u32, run.len() as u32));
            }
        }
        clusters
    });
    (MortonOrder(keys), executor.concat(clusters))
}

/// A run may be shorter than half of the most where a cell ends that is larger by this many bits.
const SHORT: u32 = 6;

/// Cuts a sorted sequence into runs of at most `most` items, mostly of at least half of that. A run ends
/// where the codes on both sides differ in the highest bit, since there the largest cell of the Morton curve
/// ends.
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
                // A short run only where a much larger cell ends. Of equal ends the later one, for fuller
                // runs.
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

/// Bits of a key below the code: the triangle's number.
const INDEX_BITS: u32 = 64 - 3 * BITS;
const INDEX: u32 = (1 << INDEX_BITS) - 1;
const _: () = assert!(MAX_TRIANGLES <= 1 << INDEX_BITS);

/// The sorted keys of all triangles.
fn sorted(boxes: &impl BoxSource, executor: Executor) -> Vec<u64> {
    // `centre` returns twice the centre.
    let [lo, hi] = boxes.ends().map(|x| x.zip(x, |a, b| a + b));
    let side = (0..3).map(|k| hi.0[k] - lo.0[k]).fold(0.0, |a, b| if a < b { b } else { a });
    let scale = ((1 << BITS) - 1) as f32 / side;
    // If all centres are (nearly) the same, all go to one cell.
    let scale = if scale < 1e30 { scale } else { 0.0 };
    let mut keys = vec![0; boxes.count()];
    let mut pieces: Vec<_> = keys.chunks_mut(PIECE).collect();
    executor.each(&mut pieces, &|n, keys| {
        for_builds().call(Keys { boxes, lo, scale, start: n * PIECE, keys });
    });
    let mut other = vec![0; keys.len()];
    sort(&mut keys, &mut other, executor);
    other
}

/// The keys of triangles that follow each other.
struct Keys<'a, B> {
    boxes: &'a B,
    lo: FloatQuad,
    scale: f32,
    /// The first triangle.
    start: usize,
    keys: &'a mut [u64],
}

impl<B: BoxSource> Work for Keys<'_, B> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { boxes, lo, scale, start, keys } = self;
        for (i, key) in (start..).zip(keys) {
            let c = boxes.of(i).centre();
            let [x, y, z, _] = spread(c.zip(lo, |c, lo| cell((c - lo) * scale)));
            *key = (x << 2 | y << 1 | z) << INDEX_BITS | i as u64;
        }
    }
}

/// The boxes of triangles by their keys.
struct Spans<'a, B> {
    boxes: &'a B,
    piece: &'a [u64],
    /// Output: the boxes replace its contents.
    spans: &'a mut Vec<TaggedBox>,
}

impl<B: BoxSource> Work for Spans<'_, B> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        /// Number of triangles that are fetched ahead.
        const AHEAD: usize = 128;
        let Self { boxes, piece, spans } = self;
        spans.clear();
        spans.reserve(piece.len());
        for keys in piece.chunks(AHEAD) {
            // In a loop of its own, so that many cache lines are on their way at once.
            for &key in keys {
                boxes.prefetch(simd, (key as u32 & INDEX) as usize);
            }
            spans.extend(keys.iter().map(|&key| boxes.of((key as u32 & INDEX) as usize)));
        }
    }
}

/// Lists of up to this length are sorted by one thread.
const SERIAL: usize = 1 << 15;

/// Sorts one list into another of the same length. Both are overwritten.
fn sort(from: &mut [u64], to: &mut [u64], executor: Executor) {
    if executor == Executor::Serial || from.len() <= SERIAL {
        return radix_sort(from, to);
    }
    let half = from.len() / 2;
    let (left, right) = from.split_at_mut(half);
    let sorted = to.split_at_mut(half);
    executor.join(|| sort(left, sorted.0, executor), || sort(right, sorted.1, executor));
    merge(sorted.0, sorted.1, from, executor);
    to.copy_from_slice(from);
}

fn merge<'a>(mut a: &'a [u64], mut b: &'a [u64], to: &mut [u64], executor: Executor) {
    if a.len() < b.len() {
        (a, b) = (b, a);
    }
    if executor == Executor::Pool && to.len() > SERIAL {
        let i = a.len() / 2;
        let j = b.partition_point(|&key| key < a[i]);
        let (front, back) = to.split_at_mut(i + j);
        executor
            .join(|| merge(&a[..i], &b[..j], front, executor), || merge(&a[i..], &b[j..], back, executor));
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

/// A radix sort by the codes. Keys come in the order of the triangles' numbers, which it keeps, so it need
/// not compare these.
fn radix_sort<'a>(mut keys: &'a mut [u64], mut other: &'a mut [u64]) {
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
    // After three passes the result is in what was the second list.
}

/// A number whose low bits are the nearest integer to x in [0, 2^BITS).
#[inline(always)]
fn cell(x: f32) -> f32 {
    x + 12_582_912.0
}

/// The low bits of four numbers, spread so that there are two zeros between any two bits.
#[inline(always)]
fn spread(cells: FloatQuad) -> [u64; 4] {
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
