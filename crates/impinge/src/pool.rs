//! The caller's threads: those of the rayon pool that a query is asked in, if the feature `rayon` is on, else
//! the one that asks.
use crate::Threads;

/// How many there are.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    let count = rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    let count = 1;
    count
}

/// Who does some work that can be divided. Work is divided alike for both: results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executor {
    /// The thread that asks.
    Serial,
    /// As many as are free.
    Pool,
}

impl Executor {
    /// The threads of that choice: [`Self::Pool`] only if there are some to share with.
    pub(crate) fn of(choice: Threads) -> Self {
        if choice == Threads::Pool && threads() > 1 { Self::Pool } else { Self::Serial }
    }

    /// Both results.
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

    /// `task(n, item n)` of each item. Allocates nothing.
    pub(crate) fn each<T: Send>(self, items: &mut [T], task: &(impl Fn(usize, &mut T) + Sync)) {
        match self {
            Self::Serial => items.iter_mut().enumerate().for_each(|(n, item)| task(n, item)),
            Self::Pool => each(items, task),
        }
    }

    /// `task(job)` of each job, in their order.
    pub(crate) fn map<J: Sync, R: Send>(self, jobs: &[J], task: &(impl Fn(&J) -> R + Sync)) -> Vec<R> {
        if self == Self::Serial || jobs.len() < 2 {
            return jobs.iter().map(task).collect();
        }
        let (left, right) = jobs.split_at(jobs.len() / 2);
        let (mut done, more) = self.join(|| self.map(left, task), || self.map(right, task));
        done.extend(more);
        done
    }

    /// `make(i)` for each i below `count`, in order; `grain` of them are not divided.
    pub(crate) fn collect<T: Copy + Default + Send>(
        self,
        count: usize,
        grain: usize,
        make: &(impl Fn(usize) -> T + Sync),
    ) -> Vec<T> {
        let mut all = Vec::new();
        self.refill(&mut all, (count, grain), make);
        all
    }

    /// The same into a list, whatever it held.
    pub(crate) fn refill<T: Copy + Default + Send>(
        self,
        all: &mut Vec<T>,
        (count, grain): (usize, usize),
        make: &(impl Fn(usize) -> T + Sync),
    ) {
        all.clear();
        if self == Self::Serial || count <= grain {
            all.extend((0..count).map(make));
            return;
        }
        all.resize(count, T::default());
        self.fill(all, (0, grain), make);
    }

    /// The parts in a row.
    pub(crate) fn concat<T: Copy + Default + Send + Sync>(self, mut parts: Vec<Vec<T>>) -> Vec<T> {
        if parts.len() == 1 {
            return parts.swap_remove(0);
        }
        let mut all = Vec::new();
        self.concat_into(&mut all, 0, &parts, &|part| &part[..]);
        all
    }

    /// What the parts hold in a row, into a list, whatever it held, with room for more.
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

    fn fill<T: Send>(
        self,
        to: &mut [T],
        (first, grain): (usize, usize),
        make: &(impl Fn(usize) -> T + Sync),
    ) {
        if to.len() <= grain {
            for (i, to) in (first..).zip(to) {
                *to = make(i);
            }
            return;
        }
        let half = to.len() / 2;
        let (left, right) = to.split_at_mut(half);
        self.join(|| self.fill(left, (first, grain), make), || self.fill(right, (first + half, grain), make));
    }
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
