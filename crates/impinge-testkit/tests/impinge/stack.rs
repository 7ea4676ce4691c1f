//! Everything fits the stack of an ordinary thread, without optimisation, too: CI runs this module in both
//! ways.
use impinge_testkit::cases::{Setup, small_stack};

#[test]
fn a_small_stack_is_enough() {
    let asked = small_stack::ask(&Setup::both_on_all_levels());
    assert!(asked >= 57, "{asked}");
}
