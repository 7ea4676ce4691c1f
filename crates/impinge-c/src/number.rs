//! Enums that C passes.
use std::mem::{MaybeUninit, transmute_copy};

/// A value of an enum that C passes, which may be none of its constants. `T` is an enum of four bytes.
pub(crate) fn number<T: Copy>(value: MaybeUninit<T>) -> u32 {
    const { assert!(size_of::<T>() == 4) };
    // SAFETY: C passes four bytes by value, and all of their values are numbers.
    unsafe { transmute_copy(&value) }
}
