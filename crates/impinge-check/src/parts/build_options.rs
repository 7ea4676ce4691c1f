//! The options with which models of parts are built.
use impinge::{BuildOptions, Quality, Threads};

/// Most parts take part in few queries: only those get a tree for which one pays.
pub(crate) fn of_parts() -> BuildOptions {
    BuildOptions::new().quality(Quality::OnDemand).threads(Threads::Pool)
}
