//! Allocations of each thread. Tests run side by side, so only a thread's own numbers mean anything.
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

/// Number of allocations of this thread.
pub(crate) fn count() -> usize {
    COUNT.get()
}

/// Bytes that this thread has allocated, less those that it has freed, whichever thread allocated them.
pub(crate) fn bytes() -> isize {
    BYTES.get()
}

struct Counting;

// These have no `Drop`, so they exist as long as the thread. Still `try_with`: an allocator must not panic.
fn add(count: usize, bytes: isize) {
    let _ = COUNT.try_with(|n| n.set(n.get() + count));
    let _ = BYTES.try_with(|n| n.set(n.get() + bytes));
}

// SAFETY: every call goes to the system's allocator unchanged; counting does not allocate. `realloc` and
// `alloc_zeroed` are the trait's own, which call these two.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: the contract is `GlobalAlloc`'s own.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(1, layout.size() as isize);
        // SAFETY: the caller keeps `alloc`'s contract.
        unsafe { System.alloc(layout) }
    }
    // SAFETY: the contract is `GlobalAlloc`'s own.
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        add(0, -(layout.size() as isize));
        // SAFETY: the caller keeps `dealloc`'s contract.
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn it_counts_what_this_thread_does_and_nothing_else() {
    let before = (count(), bytes());
    let list = vec![0_u8; 1000];
    assert_eq!((count() - before.0, bytes() - before.1), (1, 1000));
    std::thread::scope(|scope| {
        let theirs = scope.spawn(|| {
            let before = bytes();
            let list = vec![0_u8; 5000];
            (bytes() - before, list)
        });
        // This thread frees the list of the other one.
        let (made, list) = theirs.join().unwrap();
        assert_eq!(made, 5000);
        let before = bytes();
        drop(list);
        assert_eq!(bytes() - before, -5000);
    });
    drop(list);
}
