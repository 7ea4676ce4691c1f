//! From candidate pairs to records, for a whole assembly or for one task.
use crate::{
    cache::Known,
    candidates::{self, Candidates},
    chord::Tolerances,
    clash::{self, Clashes},
    demands::Ledger,
    first_depths,
    near::Nears,
    pairs::Pairs,
    parts::Parts,
    pool::Pool,
    reach,
    records::Records,
    settings::Asked,
    watch::Watch,
};
use impinge::{Model, broad_phase::Aabb, distance::Margin};
use impinge_io::Part;
use std::sync::Arc;

/// What was decided about an assembly.
pub(crate) struct Decided {
    pub(crate) records: Records,
    pub(crate) parts: Parts,
    pub(crate) models: Vec<Arc<Model>>,
    /// The box around each part, rounded outwards.
    pub(crate) extents: Vec<Aabb>,
    /// Numbers of pairs by test, with rules.
    pub(crate) ledger: Option<Ledger>,
}

/// Adds all candidates to the numbers of the tests. Each comes with whether the exact boxes meet.
pub(crate) fn complete(
    mut ledger: Ledger,
    (asked, tolerances): (&Asked, Option<&Tolerances>),
    pairs: impl Iterator<Item = ([u32; 2], bool)>,
    (extents, not_examined): (&[Aabb], &[[u32; 2]]),
) -> Ledger {
    let Some(demands) = asked.demands.as_deref() else { return ledger };
    let reach = |part: u32, length: Margin| reach::of(tolerances, part, length);
    for (pair, meet) in pairs {
        let is_examined = not_examined.binary_search(&pair).is_err();
        ledger.add_candidate(demands, (pair, meet), (extents, is_examined), &reach);
    }
    ledger
}

/// Decides all pairs of an assembly's parts.
pub(crate) fn assembly(
    parts: &[Part],
    pairs: &Pairs,
    asked: &Asked,
    pool: &Pool,
    watch: &Watch<'_>,
) -> anyhow::Result<Decided> {
    let tolerances = asked.tolerances(parts)?;
    let (asked_of, known) = ((asked, tolerances.as_ref()), Known::default());
    let (mut candidates, _, extents) = Candidates::find(parts, pairs, asked_of, &known, pool, watch)?;
    let ledger = candidates.ledger.take();
    let all_pairs = ledger.as_ref().map(|_| candidates.all());
    let models = build_models(parts, |_| true, asked, pool, watch)?;
    let tested = candidates.meeting.len();
    let mut records = all((parts, &models), candidates, asked_of, pool, watch)?;
    if let Some((first, rule)) = clash::postponed(&asked.wanted, tested).zip(asked.rule) {
        let depths = (&asked.wanted.depths, rule, first);
        first_depths::measure(&mut records.clashes, (parts, &models, &extents), depths, pool, watch);
        watch.check()?;
    }
    let extent = candidates::around(&extents);
    let asked_of = (asked, tolerances.as_ref());
    let ledger = ledger.zip(all_pairs).map(|(ledger, pairs)| {
        complete(ledger, asked_of, pairs.into_iter(), (&extents, &records.not_examined()))
    });
    let parts = Parts::new(parts, &models, (asked.rule, extent), |_| None);
    Ok(Decided { records, parts, models, extents, ledger })
}

/// Decides all candidates. `models` come from [`build_models`]; `tolerances` are those of the parts,
/// if the query has any.
pub(crate) fn all(
    (parts, models): (&[Part], &[Arc<Model>]),
    Candidates { meeting, within, .. }: Candidates,
    (asked, tolerances): (&Asked, Option<&Tolerances>),
    pool: &Pool,
    watch: &Watch<'_>,
) -> anyhow::Result<Records> {
    let demands = asked.demands.as_deref();
    let clashes = Clashes::find((parts, models), meeting, (asked.wanted, tolerances, demands), pool, watch);
    watch.check()?;
    let find = |clearance| {
        Nears::find((parts, models), (clearance, tolerances, demands), within, &clashes, pool, watch)
    };
    let nears = asked.clearance.clone().map(find).transpose()?;
    watch.check()?;
    Ok(Records { clashes, nears })
}

/// Builds the model of each part. If the query is about solids, also examines the solids that the `needed`
/// parts bound.
pub(crate) fn build_models(
    parts: &[Part],
    needed: impl Fn(usize) -> bool,
    asked: &Asked,
    pool: &Pool,
    watch: &Watch<'_>,
) -> anyhow::Result<Vec<Arc<Model>>> {
    let models = clash::models(parts, pool, watch)?;
    if asked.rule.is_some() {
        let needed = models.iter().enumerate().filter(|&(part, _)| needed(part)).map(|(_, model)| model);
        clash::solids(needed, pool, watch)?;
    }
    Ok(models)
}
