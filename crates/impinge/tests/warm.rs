//! With a warm scratch a query does not allocate, whatever it has to decide.
mod common;

use common::{poses, scenes};
use impinge::{Body, BuildOptions, Kind, Model, Query, Scratch};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

thread_local!(static ALLOCATIONS: Cell<usize> = const { Cell::new(0) });

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: the contract is `GlobalAlloc`'s own.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller keeps `alloc`'s contract.
        unsafe { System.alloc(layout) }
    }
    // SAFETY: the contract is `GlobalAlloc`'s own.
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps `dealloc`'s contract.
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_warm_query_does_not_allocate() {
    let (mut scratch, mut pairs) = (Scratch::new(), Vec::new());
    let mut exact = impinge::Count::default();
    for round in 0..2 {
        for (name, a, b) in scenes() {
            for &kind in Kind::ALL {
                let options = BuildOptions { kind, ..BuildOptions::default() };
                let (a, b) = (Model::new(a.clone(), &options), Model::new(b.clone(), &options));
                for (&overlap, (pose_a, pose_b)) in kind.overlaps().iter().cycle().zip(poses()) {
                    let (query, a, b) = (Query { overlap, ..Query::default() }, Body::new(&a, pose_a), Body::new(&b, pose_b));
                    let before = ALLOCATIONS.get();
                    query.intersects(&a, &b, &mut scratch, &mut ());
                    query.intersecting_pairs(&a, &b, &mut scratch, &mut pairs, &mut exact);
                    let allocations = ALLOCATIONS.get() - before;
                    assert!(round == 0 || allocations == 0, "{name}, {kind:?}, {query:?}: {allocations}");
                }
            }
        }
    }
    assert!(exact.exact_tests > 1000, "the exact stage must have been among what was asked");
    assert!(ALLOCATIONS.get() > 0, "the counter counts");
}
