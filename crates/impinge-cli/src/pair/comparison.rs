//! Several volumes, each with the same queries: results, counts and times.
use super::{
    ask::Ask,
    frame_query::{FrameQuery, Own},
    results::{FrameResult, QueryResult, Results},
};
use crate::{processor_clock::seconds_of, progress::Progress};
use anyhow::{Context, bail};
use impinge::{Body, Mesh, Model, Pose, Threads, query::Count};
use impinge_volumes::{Kind, Options};
use std::sync::Arc;

/// The least number of runs whose median time is reported.
pub(super) const LEAST_RUNS: u32 = 3;
/// Queries are repeated within a run until they take this many seconds, at most [`MOST_REPEATS`] times.
const LEAST_SECONDS: f64 = 2e-3;
const MOST_REPEATS: f64 = 100.0;

/// Counts and times of one volume, over all frames.
pub(crate) struct VolumeCosts {
    pub(crate) kind: Kind,
    pub(crate) count: Count,
    /// Of the trees of A and B, over their triangles.
    pub(crate) bytes_per_triangle: f64,
    /// Median processor time to build the trees.
    pub(crate) build_seconds: f64,
    /// Median processor time of all queries.
    pub(crate) query_seconds: f64,
}

/// Costs of several volumes whose results agree.
pub(crate) struct Comparison {
    /// Results with the first volume.
    pub(crate) results: Results,
    /// In the order of the command line.
    pub(crate) volumes: Vec<VolumeCosts>,
    /// Number of runs; times are their median.
    pub(crate) runs: u32,
}

/// What all volumes are measured with.
pub(super) struct Setup<'a> {
    /// One mesh, or two.
    pub(super) meshes: &'a [Arc<Mesh>],
    pub(super) frames: &'a [(Pose, Pose)],
    /// Compute solids before the queries, outside of all times.
    pub(super) solids: bool,
    pub(super) runs: u32,
    pub(super) ask: Ask,
}

impl Setup<'_> {
    /// Costs of each volume, and the results of the first. `query_of` makes the query of the models.
    pub(super) fn measure(
        &self,
        volumes: &[Options],
        query_of: impl Fn([&Model; 2]) -> FrameQuery,
        progress: &Progress,
    ) -> anyhow::Result<(Vec<VolumeCosts>, Vec<FrameResult>)> {
        progress.stage("volumes", volumes.len() as u64);
        let mut costs = Vec::with_capacity(volumes.len());
        let mut first: Option<Vec<FrameResult>> = None;
        for options in volumes {
            let name = || format!("--volume {}", options.kind.name());
            let (cost, results) = self.measure_one(options, &query_of).with_context(name)?;
            match &first {
                Some(expected) => agree(self.ask, expected, &results).with_context(name)?,
                None => first = Some(results),
            }
            costs.push(cost);
            progress.step(1);
        }
        Ok((costs, first.unwrap_or_default()))
    }

    fn measure_one(
        &self,
        options: &Options,
        query_of: impl Fn([&Model; 2]) -> FrameQuery,
    ) -> anyhow::Result<(VolumeCosts, Vec<FrameResult>)> {
        let (mut models, mut builds) = (Vec::new(), Vec::new());
        for _ in 0..self.runs {
            models.clear();
            let mut error = None;
            builds.push(seconds_of(|| {
                for mesh in self.meshes {
                    match options.threads(Threads::One).build(Arc::clone(mesh)) {
                        Ok(model) => models.push(model),
                        Err(refused) => error = Some(refused),
                    }
                }
            }));
            if let Some(error) = error {
                return Err(error.into());
            }
        }
        if self.solids {
            for model in &models {
                model.solid();
            }
        }
        let (a, b) = (&models[0], &models[models.len() - 1]);
        let query = query_of([a, b]);
        let mut own = Own::new(&query);
        let bodies = || self.frames.iter().map(|&(at_a, at_b)| (Body::new(a, at_a), Body::new(b, at_b)));
        // This warms memory, too.
        let results: Vec<FrameResult> = bodies().map(|(a, b)| query.answer(&a, &b, &mut own)).collect();
        query.listed.check()?;

        let mut all_frames =
            || seconds_of(|| bodies().for_each(|(a, b)| query.repeat_once(&a, &b, &mut own)));
        let repeats = (LEAST_SECONDS / all_frames().max(1e-9)).clamp(1.0, MOST_REPEATS) as u32;
        let queries = (0..self.runs)
            .map(|_| (0..repeats).map(|_| all_frames()).sum::<f64>() / f64::from(repeats))
            .collect();
        let mut count = Count::default();
        results.iter().for_each(|result| count += result.work.count);
        let bytes: usize = models.iter().map(|model| model.stats().bytes).sum();
        let triangles: usize = models.iter().map(|model| model.mesh().len()).sum();
        let cost = VolumeCosts {
            kind: options.kind,
            count,
            bytes_per_triangle: bytes as f64 / triangles.max(1) as f64,
            build_seconds: median(builds),
            query_seconds: median(queries),
        };
        Ok((cost, results))
    }
}

/// Refuses results that differ: they do not depend on the volume.
fn agree(ask: Ask, expected: &[FrameResult], results: &[FrameResult]) -> anyhow::Result<()> {
    let differs = |(a, b): (&FrameResult, &FrameResult)| !is_same(ask, a, b);
    if let Some(frame) = expected.iter().zip(results).position(differs) {
        bail!(
            "the result of frame {frame} differs from that of the first volume; this is a fault of impinge, \
             please report it"
        );
    }
    Ok(())
}

/// Whether two results are of one set of points. Of pairs that prove a result, any may be found first.
fn is_same(ask: Ask, a: &FrameResult, b: &FrameResult) -> bool {
    match (&a.found, &b.found) {
        (QueryResult::Pairs, QueryResult::Pairs) if ask == Ask::Boolean => {
            a.pairs.is_empty() == b.pairs.is_empty()
        }
        (QueryResult::Pairs, QueryResult::Pairs) => a.pairs == b.pairs,
        (QueryResult::Relation(a), QueryResult::Relation(b)) => a.kind == b.kind && a.touching == b.touching,
        // Intervals of one distance have it in common.
        (QueryResult::Distance(Some(a)), QueryResult::Distance(Some(b))) => a.lo <= b.hi && b.lo <= a.hi,
        (QueryResult::Distance(a), QueryResult::Distance(b)) => a.is_none() && b.is_none(),
        (QueryResult::Within(a), QueryResult::Within(b)) => a == b,
        (QueryResult::Rows(a), QueryResult::Rows(b)) => a == b,
        _ => false,
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::{agree, median};
    use crate::pair::{
        ask::Ask,
        results::{FrameResult, QueryResult},
    };
    use impinge::query::Counters;
    use std::time::Duration;

    fn result(found: QueryResult, pairs: &[[u32; 2]]) -> FrameResult {
        FrameResult {
            pairs: pairs.to_vec(),
            found,
            point: None,
            work: Counters::default(),
            time: Duration::ZERO,
        }
    }

    #[test]
    fn results_that_differ_are_an_error() {
        let all = |pairs: &[[u32; 2]]| [result(QueryResult::Pairs, pairs)];
        assert!(agree(Ask::Pairs, &all(&[[0, 1]]), &all(&[[0, 1]])).is_ok());
        let error = agree(Ask::Pairs, &all(&[[0, 1]]), &all(&[[0, 2]])).unwrap_err();
        assert!(error.to_string().contains("frame 0 differs"), "{error}");
        assert!(agree(Ask::Boolean, &all(&[[0, 1]]), &all(&[[0, 2]])).is_ok());
        assert!(agree(Ask::Boolean, &all(&[[0, 1]]), &all(&[])).is_err());
        let within = |is_within| [result(QueryResult::Within(is_within), &[])];
        assert!(agree(Ask::Within, &within(true), &within(true)).is_ok());
        assert!(agree(Ask::Within, &within(true), &within(false)).is_err());
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![5.0]), 5.0);
    }
}
