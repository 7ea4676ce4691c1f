//! Counts a thread's allocated bytes and their peak.
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    time::{Duration, Instant},
};

thread_local! {
    static NOW: Cell<usize> = const { Cell::new(0) };
    static MOST: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

fn add(bytes: usize) {
    let now = NOW.get().wrapping_add(bytes);
    NOW.set(now);
    MOST.set(MOST.get().max(now));
}

/// Subtracts bytes. The count stops at zero, since another thread may have allocated them.
fn take(bytes: usize) {
    NOW.set(NOW.get().saturating_sub(bytes));
}

// SAFETY: every call goes to the system's allocator unchanged; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: the contract is that of `GlobalAlloc`.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps `alloc`'s contract.
        unsafe { System.alloc(layout) }
    }
    // SAFETY: the contract is that of `GlobalAlloc`.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps `alloc_zeroed`'s contract.
        unsafe { System.alloc_zeroed(layout) }
    }
    // SAFETY: the contract is that of `GlobalAlloc`.
    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        take(layout.size());
        add(size);
        // SAFETY: the caller keeps `realloc`'s contract.
        unsafe { System.realloc(p, layout, size) }
    }
    // SAFETY: the contract is that of `GlobalAlloc`.
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        take(layout.size());
        // SAFETY: the caller keeps `dealloc`'s contract.
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Processor time of this thread, so that other work does not count; wall time if the system has no such
/// time.
fn worked(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// Result of `what`, the peak of the bytes that it allocated, and its time.
pub(crate) fn measure<T>(what: impl FnOnce() -> T) -> (T, usize, Duration) {
    let start = Instant::now();
    let (before, at) = (NOW.get(), worked(start));
    MOST.set(before);
    let result = what();
    let most = MOST.get() - before;
    (result, most, worked(start).saturating_sub(at))
}

/// Fails if `what` takes more than a gibibyte or ten seconds.
#[track_caller]
pub(crate) fn bounded<T>(name: &str, what: impl FnOnce() -> T) -> T {
    let (result, bytes, time) = measure(what);
    assert!(bytes <= 1 << 30, "{name}: {bytes} bytes");
    assert!(time <= Duration::from_secs(10), "{name}: {time:?}");
    result
}

#[test]
fn the_counter_counts() {
    let (kept, bytes, _) = measure(|| {
        drop(vec![0_u8; 3 << 20]);
        vec![0_u8; 1 << 20]
    });
    assert!((3 << 20..4 << 20).contains(&bytes) && kept.len() == 1 << 20, "{bytes}");
}
