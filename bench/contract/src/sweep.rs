//! Cold caches: reads a buffer before each timed query, which evicts the data of the last query.
use std::hint::black_box;

/// Words of a cache line of 64 bytes.
const LINE: usize = 8;

pub(crate) struct Sweep(Vec<u64>);

impl Sweep {
    /// A buffer of zero bytes does nothing.
    pub(crate) fn new(bytes: usize) -> Self {
        // Written with different values: untouched pages would all be one page of zeros, which evicts
        // nothing.
        Self((0..(bytes / 8) as u64).collect())
    }
    /// Reads only: dirty lines would be written back while the clock runs.
    pub(crate) fn run(&self) {
        black_box(self.0.iter().step_by(LINE).fold(0, |sum: u64, word| sum.wrapping_add(*word)));
    }
}
