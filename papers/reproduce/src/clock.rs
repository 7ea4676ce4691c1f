//! The processor time of the calling thread, which excludes that of other programs.
//!
//! Waiting for a processor that others use does not count; their effect on shared caches, and on the other
//! half of a core that runs two threads, still does. [`Load`](crate::load::Load) handles that.
use std::time::Duration;

/// Name of the clock, for the report.
#[cfg(unix)]
pub(crate) const CLOCK: &str = "processor time of the querying thread";
/// Name of the clock, for the report.
#[cfg(not(unix))]
pub(crate) const CLOCK: &str = "wall clock: this system has no fine clock of a thread's processor time";

/// A stopwatch of the calling thread's processor time, which runs from its creation.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    start: Duration,
}

impl Stopwatch {
    /// Starts a stopwatch.
    pub fn start() -> Self {
        Self { start: now() }
    }
    /// Seconds since the start.
    pub fn seconds(self) -> f64 {
        now().saturating_sub(self.start).as_secs_f64()
    }
}

#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    // Neither is negative: a thread's time begins at 0.
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

#[cfg(not(unix))]
fn now() -> Duration {
    use std::{sync::OnceLock, time::Instant};
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}

/// Keeps this thread's processor busy for this many seconds of processor time.
#[cfg(test)]
pub(crate) fn spin(seconds: f64) {
    let watch = Stopwatch::start();
    while watch.seconds() < seconds {
        std::hint::spin_loop();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn sleep_does_not_count_and_work_does() {
        let (watch, wall) = (Stopwatch::start(), Instant::now());
        std::thread::sleep(Duration::from_millis(50));
        assert!(watch.seconds() < 0.025, "{} s of processor time in a sleep", watch.seconds());
        spin(0.02);
        let seconds = watch.seconds();
        // No thread has used more time than has passed.
        assert!(seconds >= 0.02 && seconds <= wall.elapsed().as_secs_f64(), "{seconds}");
    }

    #[test]
    fn the_time_of_other_threads_does_not_count() {
        let watch = Stopwatch::start();
        std::thread::spawn(|| spin(0.05)).join().unwrap();
        assert!(watch.seconds() < 0.025, "{}", watch.seconds());
    }
}
