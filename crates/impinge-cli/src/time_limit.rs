//! When work is to end, done or not.
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// Sets a flag when some time has passed.
pub(crate) struct TimeLimit {
    flag: Arc<AtomicBool>,
    waiter: Option<(Sender<()>, JoinHandle<()>)>,
}

impl TimeLimit {
    pub(crate) fn new(time: Duration) -> Self {
        let flag = Arc::new(AtomicBool::new(time.is_zero()));
        if time.is_zero() {
            return Self { flag, waiter: None };
        }
        let (over, wait) = mpsc::channel();
        let set = Arc::clone(&flag);
        let waiter = thread::spawn(move || {
            if wait.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                set.store(true, Ordering::Relaxed);
            }
        });
        Self { flag, waiter: Some((over, waiter)) }
    }
    /// The flag, for whoever is to stop.
    pub(crate) fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }
}

impl Drop for TimeLimit {
    fn drop(&mut self) {
        if let Some((over, waiter)) = self.waiter.take() {
            drop(over);
            // The thread only waits.
            let _ = waiter.join();
        }
    }
}

/// A length of time, such as 90, 90s, 5m or 2h.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[number.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("units are ms, s, m and h".to_owned()),
    };
    let number: f64 = number.parse().map_err(|_| "not a time, such as 90s or 5m".to_owned())?;
    // A year is as good as no limit, and no clock fails to add it.
    let seconds = number * unit;
    if !(0.0..=366.0 * 86400.0).contains(&seconds) {
        return Err("a time is between 0 and a year".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::{TimeLimit, duration};
    use std::{sync::atomic::Ordering, thread, time::Duration};

    #[test]
    fn the_flag_is_set_with_the_time() {
        let soon = TimeLimit::new(Duration::from_millis(1));
        while !soon.flag().load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
        assert!(TimeLimit::new(Duration::ZERO).flag().load(Ordering::Relaxed));
        assert!(!TimeLimit::new(Duration::from_secs(1000)).flag().load(Ordering::Relaxed));
    }

    #[test]
    fn a_time_has_a_unit() {
        for (text, milliseconds) in [
            ("0", 0),
            ("90", 90_000),
            ("1.5s", 1500),
            ("5m", 300_000),
            ("5min", 300_000),
            ("2h", 7_200_000),
            ("7ms", 7),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for wrong in ["", "s", "-1", "5d", "1e9h", "inf", "NaN", "m5", "5 parsecs"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
