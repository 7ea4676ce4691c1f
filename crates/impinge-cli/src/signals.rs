//! Cleanup where the program ends early.
use std::{fs, thread};

/// Removes files that this process has begun and not finished: for a program that is about to end.
pub fn clean_up() {
    impinge_io::remove_unfinished();
    impinge_check::tasks::remove_unfinished_plans();
    impinge_report::remove_unfinished_pictures();
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
