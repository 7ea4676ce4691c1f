//! Results that are computed once and kept, unless the query is stopped.
use std::{ops::ControlFlow, sync::OnceLock};

/// The kept result, or that of `find`, which is kept unless it was stopped.
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
