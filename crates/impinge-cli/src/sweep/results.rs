//! Results of `impinge sweep`.
use super::motion::Paths;
use impinge::{
    Body, Mesh, Model, Pose, Query,
    distance::Margin,
    path::Path,
    relation::{Relation, RelationKind},
    sweep::{Sweep, Undecided},
};
use impinge_check::{Part, parts::PartLabels, values::Warning};
use std::path::PathBuf;

/// Result of a sweep.
pub(crate) struct SweepResults {
    /// A and B, as the user named them.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) triangles: [usize; 2],
    /// True for a mesh of several parts.
    pub(crate) has_parts: [bool; 2],
    /// True if A moves, or has a pose other than that in its file.
    pub(crate) moves_a: bool,
    /// True if the motion goes through the frames of a file.
    pub(crate) has_frames: bool,
    /// The motion of B.
    pub(crate) path: Path,
    pub(crate) outcome: Sweep,
    /// True if any contact is enough.
    pub(crate) any: bool,
    /// Contact before this time does not count.
    pub(crate) after: f64,
    pub(crate) most_intervals: u64,
    pub(crate) moment: Option<SweepMoment>,
    /// The relation at the start if one is inside the other, without contact.
    pub(crate) enclosed: Option<RelationKind>,
    pub(crate) margin: Margin,
    /// The longest side of the larger one's box.
    pub(crate) size: f64,
    pub(crate) warnings: Vec<Warning>,
}

impl SweepResults {
    /// True if A and B are proved to have nothing in common at any time.
    pub(crate) fn is_clear(&self) -> bool {
        self.outcome == Sweep::Clear && self.enclosed.is_none()
    }

    /// The time that the result is about, unless it is about all.
    pub(crate) fn time(&self) -> Option<f64> {
        match (self.outcome, &self.moment) {
            (_, Some(moment)) => Some(moment.time),
            (Sweep::Near { free_until, .. }, None) => Some(free_until),
            _ => None,
        }
    }

    /// The frames before and after a time, if the motion has frames.
    pub(crate) fn frames_at(&self, time: f64) -> Option<[usize; 2]> {
        let legs = self.path.legs();
        let after = (1..legs).find(|&k| time <= self.path.knot(k)).unwrap_or(legs);
        self.has_frames.then_some([after - 1, after])
    }
}

/// The moment of a contact, or a moment at which A and B are near each other.
pub(crate) struct SweepMoment {
    pub(crate) time: f64,
    pub(crate) poses: [Pose; 2],
    pub(crate) triangles: [u32; 2],
    /// The parts that have these triangles.
    pub(crate) parts: [String; 2],
    /// Nearest points of the triangles, in the world.
    pub(crate) points: [[f64; 3]; 2],
    /// Bounds of their distance.
    pub(crate) distance: [f64; 2],
}

/// The parts of a mesh, by triangles.
pub(super) struct PartLookup {
    /// Where the triangles of each part end.
    ends: Vec<usize>,
    labels: Vec<String>,
}

impl PartLookup {
    pub(super) fn new(parts: &[Part]) -> Self {
        let mut end = 0;
        let ends = parts.iter().map(|part| {
            end += part.mesh.len();
            end
        });
        let labels = PartLabels::of(parts);
        Self { ends: ends.collect(), labels: (0..parts.len()).map(|i| labels.label(i)).collect() }
    }
    pub(super) fn count(&self) -> usize {
        self.labels.len()
    }
    fn label(&self, triangle: u32) -> String {
        let part = self.ends.partition_point(|&end| end <= triangle as usize);
        self.labels.get(part).cloned().unwrap_or_default()
    }
}

/// The relation of A and B at the start, if they share points without contact.
pub(super) fn enclosure(relation: Relation) -> Option<RelationKind> {
    (relation.overlaps() && !relation.touching).then_some(relation.kind)
}

/// The moment that the result is about.
pub(super) fn moment_of(
    outcome: &Sweep,
    [a, b]: [&Model; 2],
    paths: &Paths,
    lookups: &[PartLookup; 2],
    query: &mut Query,
) -> anyhow::Result<Option<SweepMoment>> {
    let (time, poses, pair) = match *outcome {
        Sweep::Contact { meets_at, pose, pair, .. } => (meets_at, [paths.pose_a(meets_at), pose], Some(pair)),
        Sweep::Near { free_until, until, why: Undecided::Grazing, .. } => {
            let time = free_until / 2.0 + until / 2.0;
            (time, [paths.pose_a(time), paths.b.at(time)], None)
        }
        _ => return Ok(None),
    };
    let near = match pair {
        // These two triangles are in contact; others may be nearer.
        Some([i, j]) => {
            let triangle = |model: &Model, i| {
                Mesh::new(model.mesh().corners(i).to_vec(), vec![[0, 1, 2]]).map(Model::new)
            };
            let (of_a, of_b) = (triangle(a, i)?, triangle(b, j)?);
            query.distance(&Body::new(&of_a, poses[0]), &Body::new(&of_b, poses[1]))
        }
        None => query.distance(&Body::new(a, poses[0]), &Body::new(b, poses[1])),
    };
    Ok(near.map(|near| {
        let triangles = pair.unwrap_or(near.triangles);
        SweepMoment {
            time,
            poses,
            triangles,
            parts: [0, 1].map(|side| lookups[side].label(triangles[side])),
            points: near.points,
            distance: [near.lo, near.hi],
        }
    }))
}
