//! Cleanup if the program ends early: temporary files, and folders of plans.
use crate::plan::Folder;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, TryLockError},
    thread,
    time::Duration,
};

/// Folders of plans that are being written, and whether each was there before.
static PLANS: Mutex<Vec<(PathBuf, bool)>> = Mutex::new(Vec::new());

/// A folder in [`PLANS`] until it is dropped.
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    pub(crate) fn new(folder: &Path, was_there: bool) -> Self {
        PLANS.lock().unwrap_or_else(PoisonError::into_inner).push((folder.to_owned(), was_there));
        Self(folder.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        PLANS.lock().unwrap_or_else(PoisonError::into_inner).retain(|(folder, _)| *folder != self.0);
    }
}

/// Removes files that this process has begun and not finished: for a program that is about to end.
pub fn clean_up() {
    impinge_io::remove_unfinished();
    let plans = match PLANS.try_lock() {
        Ok(plans) => plans,
        Err(TryLockError::Poisoned(plans)) => plans.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    for (path, was_there) in plans.iter() {
        // Other threads may still write into it.
        for _ in 0..20 {
            Folder::new(path).clear(*was_there);
            if fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()) {
                thread::sleep(Duration::from_millis(5));
            } else {
                break;
            }
        }
    }
}

/// Prepares the process for signals, once, at its start. Interrupted or terminated, it removes what it has
/// not finished. A file that reaches the limit of its size (`ulimit -f`) becomes an error of the write, not
/// the end of the process. Where memory ends in one large piece, the exit status is 2.
#[cfg(unix)]
pub fn prepare_for_signals() {
    use signal_hook::{
        consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ},
        flag,
        iterator::Signals,
        low_level::emulate_default_handler,
    };
    use std::sync::{Arc, atomic::AtomicBool};

    // A signal that has a handler does not end the process; nobody reads the flag. A handler that cannot be
    // registered leaves its signal as it was.
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let _ = flag::register_conditional_shutdown(
        SIGABRT,
        i32::from(crate::exit_status::ERROR),
        Arc::new(AtomicBool::new(true)),
    );
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let Ok(mut signals) = Signals::new(wanted) else { return };
    thread::spawn(move || {
        for signal in signals.forever() {
            clean_up();
            let _ = emulate_default_handler(signal);
        }
    });
}

/// Prepares nothing where there are no such signals.
#[cfg(not(unix))]
pub fn prepare_for_signals() {}

/// Signals that the caller ignores, as `nohup` does: they stay ignored. Only Linux reports them.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}
