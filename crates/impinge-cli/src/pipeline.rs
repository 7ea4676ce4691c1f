//! Pipeline from candidate pairs to results, for a whole assembly or for one task.
use crate::{
    cache::Known,
    candidates::Candidates,
    chord::Tolerances,
    clashes::{self, Clashes},
    clearance::Nears,
    facts::Facts,
    found::Found,
    progress::Progress,
    question::Asked,
    subject::Subject,
};
use impinge::Model;
use impinge_io::Part;
use rayon::ThreadPool;
use std::sync::Arc;

/// Decides all pairs of an assembly's parts. Returns the result and facts about the parts.
pub(crate) fn run(
    parts: Vec<Part>,
    subject: &Subject,
    asked: &Asked,
    pool: &ThreadPool,
    progress: &Progress,
) -> anyhow::Result<(Found, Facts)> {
    let tolerances = asked.tolerances(parts.iter().map(|part| &*part.name))?;
    let (asked_of, known) = ((asked, tolerances.as_ref()), Known::default());
    let (candidates, ..) = Candidates::find(&parts, subject, asked_of, &known, pool, progress)?;
    let models = build_models(&parts, |_| true, asked, pool, progress)?;
    let found = decide((&parts, &models), candidates, asked_of, pool, progress)?;
    Ok((found, Facts::new(parts, &models, asked.rule, |_| None)))
}

/// Decides all candidates. `models` come from [`build_models`]; `tolerances` are those of the parts, with
/// `--chord`.
pub(crate) fn decide(
    (parts, models): (&[Part], &[Arc<Model>]),
    Candidates { meeting, within }: Candidates,
    (asked, tolerances): (&Asked, Option<&Tolerances>),
    pool: &ThreadPool,
    progress: &Progress,
) -> anyhow::Result<Found> {
    let clashes = Clashes::find((parts, models), meeting, (asked.wanted, tolerances), pool, progress);
    let trees = (&clashes, asked.of_distances.as_ref());
    let find =
        |clearance| Nears::find((parts, models), (clearance, tolerances), within, trees, pool, progress);
    let nears = asked.clearance.clone().map(find).transpose()?;
    Ok(Found { clashes, nears })
}

/// Builds the model of each part. If the query is about solids, also examines the solids that the `needed`
/// parts bound.
pub(crate) fn build_models(
    parts: &[Part],
    needed: impl Fn(usize) -> bool,
    asked: &Asked,
    pool: &ThreadPool,
    progress: &Progress,
) -> anyhow::Result<Vec<Arc<Model>>> {
    let models = clashes::models(parts, &asked.options, pool, progress)?;
    if asked.rule.is_some() {
        let needed = models.iter().enumerate().filter(|&(part, _)| needed(part)).map(|(_, model)| model);
        clashes::solids(needed, pool, progress);
    }
    Ok(models)
}
