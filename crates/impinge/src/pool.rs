//! The caller's threads: those of the rayon pool that a query is asked in, if the feature `rayon` is on, else the one that asks.

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
pub(crate) enum Crew {
    /// The thread that asks.
    One,
    /// As many as are free.
    All,
}

impl Crew {
    /// [`Self::All`] if there are threads to share with.
    pub(crate) fn any() -> Self {
        if threads() > 1 { Self::All } else { Self::One }
    }

    /// Both results.
    pub(crate) fn join<A: Send, B: Send>(
        self,
        left: impl FnOnce() -> A + Send,
        right: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        match self {
            Self::One => (left(), right()),
            #[cfg(feature = "rayon")]
            Self::All => rayon::join(left, right),
            #[cfg(not(feature = "rayon"))]
            Self::All => (left(), right()),
        }
    }

    /// `task(job)` of each job, in their order.
    pub(crate) fn map<J: Sync, R: Send>(self, jobs: &[J], task: &(impl Fn(&J) -> R + Sync)) -> Vec<R> {
        if self == Self::One || jobs.len() < 2 {
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
        if self == Self::One || count <= grain {
            return (0..count).map(make).collect();
        }
        let mut all = vec![T::default(); count];
        self.fill(&mut all, (0, grain), make);
        all
    }

    /// The parts in a row, with room for more.
    pub(crate) fn concat<T: Copy + Default + Send + Sync>(
        self,
        mut parts: Vec<Vec<T>>,
        more: usize,
    ) -> Vec<T> {
        if parts.len() == 1 {
            return parts.swap_remove(0);
        }
        let len = parts.iter().map(Vec::len).sum();
        let mut all = Vec::with_capacity(len + more);
        all.resize(len, T::default());
        self.copy(&parts, &mut all);
        all
    }

    fn copy<T: Copy + Send + Sync>(self, parts: &[Vec<T>], to: &mut [T]) {
        if let [part] = parts {
            return to.copy_from_slice(part);
        }
        let (left, right) = parts.split_at(parts.len() / 2);
        if !left.is_empty() {
            let (front, back) = to.split_at_mut(left.iter().map(Vec::len).sum());
            self.join(|| self.copy(left, front), || self.copy(right, back));
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
