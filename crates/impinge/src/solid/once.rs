//! What is found out once, unless it is stopped.
use std::{ops::ControlFlow, sync::OnceLock};

/// What is found out once: kept, unless it was stopped.
pub(super) fn unless_stopped<T>(
    known: &OnceLock<T>,
    find: impl FnOnce() -> ControlFlow<(), T>,
) -> ControlFlow<(), &T> {
    if let Some(known) = known.get() {
        return ControlFlow::Continue(known);
    }
    let found = find()?;
    // Another thread may have found the same meanwhile.
    ControlFlow::Continue(known.get_or_init(|| found))
}
