//! Unfinished folders of plans, for a program that ends early.
use super::folder::Folder;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, TryLockError},
    thread,
    time::Duration,
};

/// Folders of plans that are being written; each with true if it existed before.
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

/// Removes the unfinished plans of this process, for a program that is about to end.
pub fn remove_unfinished_plans() {
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
