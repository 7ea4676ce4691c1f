//! The options with which models of parts are built.
use impinge::{BuildOptions, Quality, Threads};

/// The build options of parts. Most parts take part in few queries, so a tree is built only where it pays.
pub(crate) fn of_parts() -> BuildOptions {
    BuildOptions::new().quality(Quality::OnDemand).threads(Threads::Pool)
}
