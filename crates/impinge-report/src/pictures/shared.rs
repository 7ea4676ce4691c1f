//! [`PictureUse`]: pictures that several formats of a run show, each drawn once.
use std::{
    collections::{BTreeMap, HashMap},
    io,
    num::NonZero,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

/// A picture that a format shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PictureUse {
    /// The index of the finding in [`Report::findings`](impinge_check::Report::findings).
    pub finding: u32,
    /// Width and height in pixels, with the ratio 960 x 640 of [`Pictures`](super::Pictures).
    pub size: [u32; 2],
}

impl PictureUse {
    /// A picture of a finding in a size.
    pub fn new(finding: u32, size: [u32; 2]) -> Self {
        Self { finding, size }
    }
}

/// Pictures that are still to be drawn or taken.
#[derive(Default)]
pub(super) struct Shared(Mutex<Pending>);

#[derive(Default)]
pub(super) struct Pending {
    /// The sizes that formats show of a finding, one for each format that does.
    wanted: BTreeMap<u32, Vec<[u32; 2]>>,
    /// PNG files that are drawn and not yet taken.
    ready: HashMap<PictureUse, Vec<Vec<u8>>>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    pub(super) fn want(&self, uses: impl IntoIterator<Item = PictureUse>) {
        let mut pending = self.lock();
        for PictureUse { finding, size } in uses {
            pending.wanted.entry(finding).or_default().push(size);
        }
    }
    /// The findings that are not drawn yet.
    pub(super) fn findings(&self) -> Vec<u32> {
        self.lock().wanted.keys().copied().collect()
    }
    /// Removes and returns a drawn picture.
    pub(super) fn take(&self, what: PictureUse) -> Option<Vec<u8>> {
        let mut pending = self.lock();
        let ready = pending.ready.get_mut(&what)?;
        let png = ready.pop();
        if ready.is_empty() {
            pending.ready.remove(&what);
        }
        png
    }
    /// Removes and returns the sizes of a finding, which the caller must draw.
    pub(super) fn sizes(&self, finding: u32) -> Vec<[u32; 2]> {
        self.lock().wanted.remove(&finding).unwrap_or_default()
    }
    pub(super) fn put(&self, what: PictureUse, png: Vec<u8>) {
        self.lock().ready.entry(what).or_default().push(png);
    }
}

/// Does `work` for each number below `count`, on several threads. Begins no further work after an error.
pub(super) fn in_parallel(
    count: usize,
    threads: NonZero<usize>,
    work: &(dyn Fn(usize) -> io::Result<()> + Sync),
) -> io::Result<()> {
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || -> io::Result<()> {
        while !is_over.load(Ordering::Relaxed) {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count {
                break;
            }
            work(i).inspect_err(|_| is_over.store(true, Ordering::Relaxed))?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers = threads.get().min(count).saturating_sub(1);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let own = work();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).fold(own, Result::and)
    })
}
