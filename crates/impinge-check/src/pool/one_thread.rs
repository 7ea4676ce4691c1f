//! [`OneThread`]: the calling thread, for builds without the feature `rayon`.
use crate::values::error::Error;

#[derive(Clone)]
pub(super) struct OneThread;

impl OneThread {
    pub(super) fn this() -> usize {
        0
    }
    pub(super) fn new(_threads: u16, _pieces: usize, _takes_this: bool) -> Result<Self, Error> {
        Ok(Self)
    }
    pub(super) fn count(&self) -> usize {
        1
    }
    pub(super) fn join<A: Send, B: Send>(
        &self,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        (a(), b())
    }
    pub(super) fn install<T: Send>(&self, task: impl FnOnce() -> T + Send) -> T {
        task()
    }
    pub(super) fn map<T: Sync, U: Send>(
        &self,
        items: &[T],
        _least: usize,
        make: impl Fn(&T) -> U + Sync,
    ) -> Vec<U> {
        items.iter().map(make).collect()
    }
    #[cfg(feature = "files")]
    pub(super) fn sort_unstable<T: Ord + Send>(&self, items: &mut [T]) {
        items.sort_unstable();
    }
    pub(super) fn in_order<S, T: Send>(
        &self,
        count: usize,
        own: impl Fn() -> S + Sync,
        task: impl Fn(&mut S, usize) -> T + Sync,
    ) -> Vec<T> {
        let mut own = own();
        (0..count).map(|i| task(&mut own, i)).collect()
    }
}
