//! What becomes of pairs of parts: the one way from candidates to what is reported, whether all pairs of an
//! assembly are decided at once or task by task.
use crate::{
    candidates::Candidates,
    clashes::{self, Clashes},
    clearance::Nears,
    progress::Progress,
    question::Asked,
};
use impinge::Model;
use impinge_io::Part;
use rayon::ThreadPool;
use std::sync::Arc;

/// What was found.
pub(crate) struct Found {
    pub(crate) clashes: Clashes,
    /// If distances were asked for.
    pub(crate) nears: Option<Nears>,
}

impl Found {
    /// Decides all candidates. `models` are those of [`ready`].
    pub(crate) fn decide(
        (parts, models): (&[Part], &[Arc<Model>]),
        Candidates { meeting, within }: Candidates,
        asked: &Asked,
        pool: &ThreadPool,
        progress: &Progress,
    ) -> anyhow::Result<Self> {
        let clashes = Clashes::find((parts, models), meeting, asked.wanted, pool, progress);
        let trees = (&clashes, asked.of_distances.as_ref());
        let find = |clearance| Nears::find((parts, models), clearance, within, trees, pool, progress);
        let nears = asked.clearance.clone().map(find).transpose()?;
        Ok(Self { clashes, nears })
    }
}

/// The model of each part; what solids they bound is looked at, if that matters.
pub(crate) fn ready(
    parts: &[Part],
    asked: &Asked,
    pool: &ThreadPool,
    progress: &Progress,
) -> anyhow::Result<Vec<Arc<Model>>> {
    let models = clashes::models(parts, &asked.options, pool, progress)?;
    if asked.rule.is_some() {
        clashes::solids(&models, pool, progress);
    }
    Ok(models)
}
