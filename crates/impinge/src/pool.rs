//! The caller's threads: those of the rayon pool that a query is asked in, if the feature `rayon` is on, else the one that asks.

/// How many there are.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    let count = rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    let count = 1;
    count
}

/// `work(n, share n)` of each share, at once as far as threads are free. Allocates nothing.
pub(crate) fn each<T: Send>(shares: &mut [T], work: &(impl Fn(usize, &mut T) + Sync)) {
    from(0, shares, work);
}

fn from<T: Send>(first: usize, shares: &mut [T], work: &(impl Fn(usize, &mut T) + Sync)) {
    match shares {
        [] => (),
        [share] => work(first, share),
        _ => {
            let half = shares.len() / 2;
            let (left, right) = shares.split_at_mut(half);
            both(|| from(first, left, work), || from(first + half, right, work));
        }
    }
}

#[cfg(feature = "rayon")]
fn both(left: impl FnOnce() + Send, right: impl FnOnce() + Send) {
    rayon::join(left, right);
}

#[cfg(not(feature = "rayon"))]
fn both(left: impl FnOnce() + Send, right: impl FnOnce() + Send) {
    left();
    right();
}
