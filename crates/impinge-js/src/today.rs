//! The date of a check.
use impinge_check::Date;

/// Today (UTC).
pub(crate) fn today() -> Date {
    Date::from_days((js_sys::Date::now() / 86_400_000.0).floor() as i64)
}
