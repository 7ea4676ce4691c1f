//! Counts reads of stop flags, so that tests can set a flag at any of them, on any machine.
use std::{
    cell::Cell,
    sync::atomic::{AtomicBool, Ordering},
};

thread_local! {
    /// The number of reads by this thread, and the number after which its flag is set.
    static LOOKS: Cell<[u64; 2]> = const { Cell::new([0, u64::MAX]) };
}

/// Counts a read of a flag, and sets the flag if its time has come.
pub(crate) fn count(flag: &AtomicBool) {
    let [looks, most] = LOOKS.get();
    if looks >= most {
        flag.store(true, Ordering::Relaxed);
    }
    LOOKS.set([looks + 1, most]);
}

/// Runs `work`, and sets its flag after `most` reads. Returns the result and the number of reads.
pub(crate) fn counted<T>(most: u64, work: impl FnOnce() -> T) -> (T, u64) {
    LOOKS.set([0, most]);
    let result = work();
    let [looks, _] = LOOKS.replace([0, u64::MAX]);
    (result, looks)
}
