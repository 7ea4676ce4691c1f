//! Counts of impinge's own volumes in a scene.
use super::walk::WalkCounts;
use crate::{
    Error,
    measure::{Contender, built},
};
use impinge::{Body, Model, Pose, Query};
use impinge_testkit::scenes::Scene;
use impinge_volumes::set_overlap;

/// The work of first contacts, for each contender.
///
/// # Errors
/// Returns an error if contenders disagree in any frame.
pub(super) fn first_contacts(scene: &Scene, contenders: &[Contender]) -> Result<Vec<WalkCounts>, Error> {
    let mut hits = Vec::new();
    let mut works = Vec::new();
    for contender in contenders {
        let mut models = scene.meshes.each_ref().map(|mesh| built(mesh, &contender.options));
        for model in &mut models {
            let overlap = contender.options.overlap;
            set_overlap(model, overlap).unwrap_or_else(|error| unreachable!("{}: {error}", contender.name));
        }
        let (work, found) = count(&models, &scene.frames);
        if let Some(frame) = differs(&mut hits, found) {
            let name = contender.name;
            return Err(Error::Disagreement(format!("scene {}, frame {frame}: {name} differs", scene.name)));
        }
        works.push(work);
    }
    Ok(works)
}

/// The first frame whose result is not that of earlier calls.
pub(super) fn differs(known: &mut Vec<bool>, found: Vec<bool>) -> Option<usize> {
    if known.is_empty() {
        *known = found;
        return None;
    }
    known.iter().zip(&found).position(|(a, b)| a != b)
}

/// Work of first contacts, and for each frame true if there is one.
pub(super) fn count(models: &[Model; 2], frames: &[[Pose; 2]]) -> (WalkCounts, Vec<bool>) {
    let mut query = Query::new().counting(true);
    let found = frames.iter().map(|poses| {
        let [a, b] = [0, 1].map(|i| Body::new(&models[i], poses[i]));
        query.first_contact(&a, &b).is_some()
    });
    let found = found.collect();
    let count = query.counters().map(|counters| counters.count).unwrap_or_default();
    let work = WalkCounts {
        volume_tests: count.volume_tests,
        leaf_pairs: count.leaf_pairs,
        operations: 0,
        queries: frames.len() as u64,
    };
    (work, found)
}
