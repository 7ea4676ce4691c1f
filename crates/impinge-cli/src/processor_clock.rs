//! The processor time of the calling thread, which excludes that of other programs and threads.
use std::time::Duration;

/// The processor time that `work` takes, in seconds.
pub(crate) fn seconds_of(work: impl FnOnce()) -> f64 {
    let start = now();
    work();
    now().saturating_sub(start).as_secs_f64()
}

#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    // Neither is negative: a thread's time begins at 0.
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Wall-clock time: this system has no fine clock of a thread's processor time.
#[cfg(not(unix))]
fn now() -> Duration {
    use std::{sync::OnceLock, time::Instant};
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::seconds_of;
    use std::time::Duration;

    #[test]
    #[cfg(unix)]
    fn waiting_takes_no_time_and_work_does() {
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        let waited = seconds_of(|| assert!(receiver.recv_timeout(Duration::from_millis(50)).is_err()));
        assert!(waited < 0.025, "{waited}");
        drop(sender);
        let worked = seconds_of(|| assert!((0..1_000_000).map(std::hint::black_box).max() > Some(0)));
        assert!(worked > 0.0, "{worked}");
    }
}
