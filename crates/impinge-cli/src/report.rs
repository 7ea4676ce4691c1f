//! Output of results as tables, JSON and CSV; other modules compute them.
pub(crate) mod info;
mod page;
pub(crate) mod pair;
pub(crate) mod proxy;
pub(crate) mod proxy_page;
pub(crate) mod robot;
pub(crate) mod robot_page;
pub(crate) mod sweep;
