//! The day that it is.
use impinge_check::Date;
use std::time::{SystemTime, UNIX_EPOCH};

/// Today, by the system's clock, in UTC.
pub(crate) fn today() -> Date {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Date::from_days((since.as_secs() / 86_400) as i64)
}
