//! Counts, bytes and times of one volume.
use crate::question::{Answer, Question};
use impinge::{Body, Mesh, Model, Pose, Query, Threads, distance::Margin, query::Count};
use impinge_reproduce::Stopwatch;
use impinge_volumes::{Kind, Options};
use std::sync::Arc;

/// Queries are repeated within a run until they take this many seconds, at most [`MOST_REPEATS`] times.
const LEAST_SECONDS: f64 = 2e-3;
const MOST_REPEATS: f64 = 100.0;

/// Meshes, poses and query that all volumes share.
pub(crate) struct Setup {
    pub(crate) meshes: [Arc<Mesh>; 2],
    pub(crate) frames: Vec<[Pose; 2]>,
    pub(crate) question: Question,
    pub(crate) margin: Margin,
    pub(crate) runs: u32,
}

/// Costs of one volume, over all frames.
pub(crate) struct Costs {
    pub(crate) kind: Kind,
    pub(crate) count: Count,
    pub(crate) nodes: usize,
    /// Depth of the deeper tree.
    pub(crate) depth: usize,
    /// Bytes of both trees, over the triangles of both.
    pub(crate) bytes_per_triangle: f64,
    /// Median processor time to build both trees.
    pub(crate) build_seconds: f64,
    /// Median processor time of all queries.
    pub(crate) query_seconds: f64,
}

impl Setup {
    /// Measures the costs of a volume. Also returns the results of its queries.
    pub(crate) fn measure(&self, options: &Options) -> anyhow::Result<(Costs, Vec<Answer>)> {
        let build = || -> Result<[Model; 2], impinge::Error> {
            let one = |mesh: &Arc<Mesh>| options.threads(Threads::One).build(Arc::clone(mesh));
            Ok([one(&self.meshes[0])?, one(&self.meshes[1])?])
        };
        let watch = Stopwatch::start();
        let mut models = build()?;
        let mut builds = vec![watch.seconds()];
        for _ in 1..self.runs {
            drop(models);
            let watch = Stopwatch::start();
            models = build()?;
            builds.push(watch.seconds());
        }
        if self.question == Question::Relation {
            // A mesh's solid is computed only once, and is not a cost of the volume.
            for model in &models {
                model.solid();
            }
        }
        let mut counting = Query::new().threads(Threads::One).counting(true);
        let mut pairs = Vec::new();
        let bodies: Vec<[Body<'_>; 2]> = self
            .frames
            .iter()
            .map(|&[at_a, at_b]| [Body::new(&models[0], at_a), Body::new(&models[1], at_b)])
            .collect();
        let answers = bodies
            .iter()
            .map(|[a, b]| self.question.ask([a, b], self.margin, &mut counting, &mut pairs))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let count = counting.counters().unwrap_or_default().count;

        let mut query = Query::new().threads(Threads::One);
        let mut timed = || {
            let watch = Stopwatch::start();
            bodies.iter().for_each(|[a, b]| self.question.run([a, b], self.margin, &mut query, &mut pairs));
            watch.seconds()
        };
        let repeats = (LEAST_SECONDS / timed().max(1e-9)).clamp(1.0, MOST_REPEATS) as u32;
        let queries =
            (0..self.runs).map(|_| (0..repeats).map(|_| timed()).sum::<f64>() / f64::from(repeats)).collect();
        let stats = [0, 1].map(|i| models[i].stats());
        let triangles: usize = self.meshes.iter().map(|mesh| mesh.len()).sum();
        let costs = Costs {
            kind: options.kind,
            count,
            nodes: stats[0].nodes + stats[1].nodes,
            depth: stats[0].depth.max(stats[1].depth),
            bytes_per_triangle: (stats[0].bytes + stats[1].bytes) as f64 / triangles.max(1) as f64,
            build_seconds: median(builds),
            query_seconds: median(queries),
        };
        Ok((costs, answers))
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    let middle = times.len() / 2;
    if times.len() % 2 == 1 { times[middle] } else { (times[middle - 1] + times[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(super::median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(super::median(vec![5.0, 4.0]), 4.5);
    }
}
