//! Cold caches: a buffer is read before each timed query, so that what the last query left is pushed out.
use std::hint::black_box;

/// Words of a cache line of 64 bytes.
const LINE: usize = 8;

pub(crate) struct Sweep(Vec<u64>);

impl Sweep {
    /// Of no bytes it does nothing.
    pub(crate) fn new(bytes: usize) -> Self {
        // Written, and not all the same: untouched pages would all be one page of zeros, which pushes nothing
        // out.
        Self((0..(bytes / 8) as u64).collect())
    }
    /// Reads only: dirty lines would have to be written back while the clock runs.
    pub(crate) fn run(&self) {
        black_box(self.0.iter().step_by(LINE).fold(0, |sum: u64, word| sum.wrapping_add(*word)));
    }
}
