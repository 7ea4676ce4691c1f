//! Proofs that a proxy covers a part, against closed forms and against points of the part.
mod closed_forms;
mod excess;
mod former_faults;
mod samples;

use impinge::{
    Body, Model, Pose, Query,
    coverage::{Coverage, CoverageOptions, Proxy},
};

/// The cover of a model where it is.
fn cover(model: &Model, proxy: &Proxy<'_>) -> Coverage {
    let found = Query::new().coverage(&Body::new(model, Pose::IDENTITY), proxy, &CoverageOptions::new());
    let [lo, hi] = found.depth;
    assert!(0.0 <= lo && lo <= hi, "{found:?}");
    match found.covered {
        Some(true) => assert!(hi == 0.0 && found.witness.is_none(), "{found:?}"),
        Some(false) => assert!(lo > 0.0 && found.witness.is_some(), "{found:?}"),
        None => assert!(lo == 0.0 && hi > 0.0 && found.witness.is_none(), "{found:?}"),
    }
    found
}
