//! The flag that ends long walks.
#[cfg(test)]
pub(crate) mod looks;

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

/// A flag that ends long walks.
#[derive(Clone, Copy, Debug, Default)]
pub struct StopFlag<'a>(pub Option<&'a AtomicBool>);

impl StopFlag<'_> {
    /// True if the flag is set.
    #[inline(always)]
    pub fn is_set(self) -> bool {
        self.0.is_some_and(|flag| {
            #[cfg(test)]
            looks::count(flag);
            flag.load(Ordering::Relaxed)
        })
    }
    /// Breaks if the flag is set.
    #[inline(always)]
    pub fn check(self) -> ControlFlow<()> {
        if self.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
