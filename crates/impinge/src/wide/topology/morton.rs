//! Morton order, and runs of neighbours in it.
use super::four::{Four, Span};
use crate::bounds::Bounds;
use std::ops::Range;

/// Bits of a coordinate: codes have three times as many.
const BITS: u32 = 11;
/// Most triangles of a cluster, if a leaf may have so many.
const CLUSTER: usize = 4;

/// The order of the triangles by the codes of their boxes' centres (ties by number), and clusters of up to `CLUSTER` that
/// follow each other in it: boxes with their first place in the order and their count, and with the code of that place.
pub(super) fn clusters(boxes: &[Bounds], leaf: u32) -> (Vec<u32>, Vec<(Span, u64)>) {
    let keys = sorted(boxes);
    let order: Vec<u32> = keys.iter().map(|&key| key as u32 & INDEX).collect();
    let mut clusters = Vec::with_capacity(boxes.len() / 2);
    for run in runs(&keys, CLUSTER.min(leaf as usize), |key| key >> INDEX_BITS) {
        let bounds = run.clone().fold(Span::EMPTY, |b, i| b.and(&Span::new(&boxes[order[i] as usize], 0, 0)));
        let code = keys[run.start] >> INDEX_BITS;
        clusters.push((bounds.tagged(run.start as u32, run.len() as u32), code));
    }
    (order, clusters)
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
                if jump >= best {
                    (best, end) = (jump, at);
                }
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

/// Keys in their order.
fn sorted(boxes: &[Bounds]) -> Vec<u64> {
    let (mut lo, mut hi) = (Four::all(f32::INFINITY), Four::all(f32::NEG_INFINITY));
    for b in boxes {
        let c = Span::new(b, 0, 0).centre();
        lo = c.min(lo);
        hi = c.max(hi);
    }
    let side = (0..3).map(|k| hi.0[k] - lo.0[k]).fold(0.0, |a, b| if a < b { b } else { a });
    let scale = ((1 << BITS) - 1) as f32 / side;
    // Centres (nearly) in one place: all in one cell.
    let scale = if scale < 1e30 { scale } else { 0.0 };
    let mut counts = [[0u32; 1 << BITS]; 3];
    let mut keys = Vec::with_capacity(boxes.len());
    for (i, b) in (0..).zip(boxes) {
        let c = Span::new(b, 0, 0).centre();
        let [x, y, z] = [0, 1, 2].map(|k| spread(cell((c.0[k] - lo.0[k]) * scale)));
        let code = x << 2 | y << 1 | z;
        for (digit, counts) in counts.iter_mut().enumerate() {
            counts[(code >> (digit as u32 * BITS)) as usize % (1 << BITS)] += 1;
        }
        keys.push(code << INDEX_BITS | i);
    }
    let mut other = vec![0; keys.len()];
    for (digit, counts) in counts.iter_mut().enumerate() {
        let mut sum = 0;
        for count in counts.iter_mut() {
            (*count, sum) = (sum, sum + *count);
        }
        let shift = INDEX_BITS + digit as u32 * BITS;
        for &key in &keys {
            let place = &mut counts[(key >> shift) as usize % (1 << BITS)];
            other[*place as usize] = key;
            *place += 1;
        }
        std::mem::swap(&mut keys, &mut other);
    }
    keys
}

/// The integer next to x in [0, 2^BITS).
#[inline(always)]
fn cell(x: f32) -> u32 {
    // Adding this leaves it in the low bits.
    (x + 12_582_912.0).to_bits() % (1 << BITS)
}

/// Puts two zeros between any two bits.
#[inline(always)]
fn spread(x: u32) -> u64 {
    let x = u64::from(x);
    let x = (x | x << 16) & 0xff00_00ff;
    let x = (x | x << 8) & 0x0f00_f00f;
    let x = (x | x << 4) & 0xc30c_30c3;
    (x | x << 2) & 0x4924_9249
}
