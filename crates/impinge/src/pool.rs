//! The caller's threads: with the feature `rayon`, those of the rayon pool in which a query is called; else
//! the calling thread alone.
use crate::Threads;

pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    let count = rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    let count = 1;
    count
}

/// Threads for divisible work. The work is divided into the same parts either way, so results do not depend
/// on the choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executor {
    /// The calling thread.
    Serial,
    /// The pool's free threads.
    Pool,
}

impl Executor {
    /// The executor for a choice of threads: [`Self::Pool`] only if the pool has more than one.
    pub(crate) fn of(choice: Threads) -> Self {
        if choice == Threads::Pool && threads() > 1 { Self::Pool } else { Self::Serial }
    }

    /// Runs both tasks and returns both results.
    pub fn join<A: Send, B: Send>(
        self,
        left: impl FnOnce() -> A + Send,
        right: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        match self {
            Self::Serial => (left(), right()),
            #[cfg(feature = "rayon")]
            Self::Pool => rayon::join(left, right),
            #[cfg(not(feature = "rayon"))]
            Self::Pool => (left(), right()),
        }
    }

    /// Calls `task(n, item n)` for each item. Allocates nothing.
    pub(crate) fn each<T: Send>(self, items: &mut [T], task: &(impl Fn(usize, &mut T) + Sync)) {
        match self {
            Self::Serial => items.iter_mut().enumerate().for_each(|(n, item)| task(n, item)),
            Self::Pool => each(items, task),
        }
    }

    /// Calls `task(job)` for each job; results are in the order of the jobs.
    pub(crate) fn map<J: Sync, R: Send>(self, jobs: &[J], task: &(impl Fn(&J) -> R + Sync)) -> Vec<R> {
        if self == Self::Serial || jobs.len() < 2 {
            return jobs.iter().map(task).collect();
        }
        let (left, right) = jobs.split_at(jobs.len() / 2);
        let (mut done, more) = self.join(|| self.map(left, task), || self.map(right, task));
        done.extend(more);
        done
    }

    /// The list of `make(i)` for each i below `count`; parts of up to `grain` are not divided further.
    pub(crate) fn collect<T: Copy + Default + Send>(
        self,
        count: usize,
        grain: usize,
        make: &(impl Fn(usize) -> T + Sync),
    ) -> Vec<T> {
        let mut all = Vec::new();
        self.refill(&mut all, count, grain, make);
        all
    }

    /// Like [`Self::collect`], into a list whose contents are replaced.
    pub(crate) fn refill<T: Copy + Default + Send>(
        self,
        all: &mut Vec<T>,
        count: usize,
        grain: usize,
        make: &(impl Fn(usize) -> T + Sync),
    ) {
        all.clear();
        if self == Self::Serial || count <= grain {
            all.extend((0..count).map(make));
            return;
        }
        all.resize(count, T::default());
        self.fill(all, 0, grain, make);
    }

    /// The concatenation of the parts.
    pub(crate) fn concat<T: Copy + Default + Send + Sync>(self, mut parts: Vec<Vec<T>>) -> Vec<T> {
        if parts.len() == 1 {
            return parts.swap_remove(0);
        }
        let mut all = Vec::new();
        self.concat_into(&mut all, 0, &parts, &|part| &part[..]);
        all
    }

    /// The concatenation of the parts, into a list whose contents are replaced, with room for more.
    pub(crate) fn concat_into<P: Sync, T: Copy + Default + Send + Sync>(
        self,
        all: &mut Vec<T>,
        more: usize,
        parts: &[P],
        held: &(impl Fn(&P) -> &[T] + Sync),
    ) {
        let len = parts.iter().map(|part| held(part).len()).sum();
        all.clear();
        all.reserve_exact(len + more);
        all.resize(len, T::default());
        self.copy(all, parts, held);
    }

    fn copy<P: Sync, T: Copy + Send + Sync>(
        self,
        to: &mut [T],
        parts: &[P],
        held: &(impl Fn(&P) -> &[T] + Sync),
    ) {
        if let [part] = parts {
            return to.copy_from_slice(held(part));
        }
        let (left, right) = parts.split_at(parts.len() / 2);
        if !left.is_empty() {
            let (front, back) = to.split_at_mut(left.iter().map(|part| held(part).len()).sum());
            self.join(|| self.copy(front, left, held), || self.copy(back, right, held));
        }
    }

    fn fill<T: Send>(self, to: &mut [T], first: usize, grain: usize, make: &(impl Fn(usize) -> T + Sync)) {
        if to.len() <= grain {
            for (i, to) in (first..).zip(to) {
                *to = make(i);
            }
            return;
        }
        let half = to.len() / 2;
        let (left, right) = to.split_at_mut(half);
        self.join(|| self.fill(left, first, grain, make), || self.fill(right, first + half, grain, make));
    }
}

/// Calls `work(n, share n)` for each share, in parallel on the free threads. Allocates nothing.
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
