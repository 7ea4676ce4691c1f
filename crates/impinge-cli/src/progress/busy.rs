//! Which pairs of parts threads are at, so that one that takes minutes can be named.
use indicatif::{HumanDuration, ProgressState, style::ProgressTracker};
use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Threads with a place of their own; more share a place, and the last to begin a pair is shown.
const THREADS: usize = 64;
/// A pair that takes less time is not named.
const LONG: Duration = Duration::from_secs(2);
/// Characters of a name that are shown.
const NAME: usize = 24;

/// The current pair of each thread. A worker stores one number a pair; the drawing thread measures how long
/// the number has stayed.
#[derive(Clone, Default)]
pub(super) struct Busy(Arc<Shared>);

struct Shared {
    /// By thread: the numbers of two parts, or [`NONE`].
    pairs: [AtomicU64; THREADS],
    names: Mutex<Vec<Arc<str>>>,
    /// The number that was seen last, and since when.
    seen: Mutex<[(u64, Option<Instant>); THREADS]>,
}

const NONE: u64 = u64::MAX;

impl Default for Shared {
    fn default() -> Self {
        Self {
            pairs: [const { AtomicU64::new(NONE) }; THREADS],
            names: Mutex::default(),
            seen: Mutex::new([(NONE, None); THREADS]),
        }
    }
}

impl Busy {
    /// Forgets all pairs; those that follow are of parts with these names.
    pub(super) fn reset(&self, names: Vec<Arc<str>>) {
        self.0.pairs.iter().for_each(|pair| pair.store(NONE, Ordering::Relaxed));
        *self.0.names.lock().unwrap_or_else(PoisonError::into_inner) = names;
    }
    /// A thread begins a pair.
    pub(super) fn begin(&self, thread: usize, [a, b]: [u32; 2]) {
        self.0.pairs[thread % THREADS].store(u64::from(a) << 32 | u64::from(b), Ordering::Relaxed);
    }
    /// The pair that some thread has been at the longest, if that is long.
    fn longest(&self, now: Instant) -> Option<([u32; 2], Duration)> {
        let mut seen = self.0.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let mut longest = None;
        for (pair, (last, since)) in self.0.pairs.iter().zip(seen.iter_mut()) {
            let pair = pair.load(Ordering::Relaxed);
            if pair != *last {
                (*last, *since) = (pair, Some(now));
            }
            let time = since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
            if pair != NONE && time >= LONG && longest.is_none_or(|(_, most)| time > most) {
                longest = Some(([(pair >> 32) as u32, pair as u32], time));
            }
        }
        longest
    }
    fn name(&self, part: u32) -> String {
        let names = self.0.names.lock().unwrap_or_else(PoisonError::into_inner);
        let name = names.get(part as usize).map_or("", |name| name);
        let name = if name.is_empty() {
            format!("part {part}")
        } else {
            impinge_check::values::text::printable(name)
        };
        match name.char_indices().nth(NAME) {
            Some((end, _)) => format!("{}…", &name[..end]),
            None => name,
        }
    }
}

/// Writes `, at A and B for 25 seconds`, or nothing.
impl ProgressTracker for Busy {
    fn clone_box(&self) -> Box<dyn ProgressTracker> {
        Box::new(self.clone())
    }
    fn tick(&mut self, _: &ProgressState, _: Instant) {}
    fn reset(&mut self, _: &ProgressState, _: Instant) {}
    fn write(&self, _: &ProgressState, out: &mut dyn fmt::Write) {
        if let Some(([a, b], time)) = self.longest(Instant::now()) {
            // Only a picture: see `left`.
            let _ = write!(out, ", at {} and {} for {}", self.name(a), self.name(b), HumanDuration(time));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Busy, LONG};
    use std::time::{Duration, Instant};

    #[test]
    fn the_pair_that_takes_longest_is_named() {
        let (busy, start) = (Busy::default(), Instant::now());
        let after = |seconds| start + Duration::from_secs(seconds);
        busy.reset(vec!["frame".into(), "blade".into(), "".into()]);
        assert_eq!(busy.longest(start), None);
        busy.begin(0, [0, 1]);
        assert_eq!(busy.longest(start), None);
        busy.begin(1, [1, 2]);
        assert_eq!(busy.longest(after(5)), Some(([0, 1], Duration::from_secs(5))));
        // The thread goes on: the other has now been at its pair the longest.
        busy.begin(0, [0, 2]);
        assert_eq!(busy.longest(after(5) + LONG), Some(([1, 2], LONG)));
        assert_eq!([0, 1, 2, 3].map(|part| busy.name(part)), ["frame", "blade", "part 2", "part 3"]);
        busy.reset(vec!["ä".repeat(100).into()]);
        assert_eq!(busy.longest(after(100)), None);
        assert_eq!(busy.name(0), "ä".repeat(24) + "…");
    }
}
