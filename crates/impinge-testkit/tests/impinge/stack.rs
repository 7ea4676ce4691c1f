//! All queries fit the stack of an ordinary thread, without optimisation, too: CI runs this module in both
//! ways.
use impinge_testkit::cases::{Setup, small_stack};

/// Half of that stack is enough with optimisation. Without it the traversal by AVX-512 takes 680 KB by
/// itself, so `.ci/full` sets the whole stack.
#[test]
fn a_small_stack_is_enough() {
    let stated = std::env::var("IMPINGE_STACK").ok();
    let stack = stated.map_or(small_stack::SMALL_STACK, |bytes| bytes.parse().expect("bytes"));
    let asked = small_stack::ask(&Setup::both_on_all_levels(), stack);
    assert!(asked >= 57, "{asked}");
}
