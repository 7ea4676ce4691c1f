//! Scenes for distance queries: a scene's meshes at distances relative to a margin.
//!
//! The second mesh is moved along the line of the nearest points. A move towards the first by s reduces the
//! distance by exactly s, over the real numbers: these points are nearer by s, and no others by more. A move
//! away increases the distance by at most its length. So a mesh that is too near moves away by a little more
//! than the missing distance, until it is far enough, and then back. It stays as near to the scene's position
//! as this allows: knots stay entangled, and a sphere inside another until there is no room.
use super::{Error, Scene, motion::bounds};
use impinge::{Body, Model, Pose, Query};
use std::sync::Arc;

/// Margins, relative to the scene's size.
pub const MARGINS: [f64; 2] = [1e-3, 1e-2];
/// Distances relative to the margin: one within it, two beyond it.
pub const FACTORS: [f64; 3] = [0.5, 1.1, 2.0];
/// Further distances relative to the scene's size: nearly touching, and far away.
pub const ELSE: [(&str, f64); 2] = [("near", 1e-6), ("far", 1.0)];

/// Tolerance of a distance, relative to its goal: less than the difference of a frame at 1.1 margins from the
/// margin.
const OFF: f64 = 1e-2;
/// Maximum number of moves of the second mesh.
const STEPS: usize = 1000;

/// Purpose of a frame, and the distance of the meshes.
#[derive(Clone, Debug, PartialEq)]
pub struct Spaced {
    /// Index of the scene's frame.
    pub from: usize,
    /// Label in a table: `near`, `far`, or margin and factor.
    pub label: String,
    /// The margin, and the distance relative to it, if there is one.
    pub margin: Option<[f64; 2]>,
    /// Lower and upper bound of the distance.
    pub gap: [f64; 2],
}

/// The longest side of the meshes' boxes.
pub fn size(scene: &Scene) -> f64 {
    let sides = scene.meshes.iter().flat_map(|mesh| {
        let [lo, hi] = bounds(mesh);
        [0, 1, 2].map(|k| hi[k] - lo[k])
    });
    sides.fold(0.0, f64::max)
}

/// The scene at `count` of its frames, evenly sampled, each at all distances in turn.
///
/// # Errors
/// Returns an error if a mesh is empty, or no position is found.
pub fn with_gaps(scene: &Scene, count: usize) -> Result<(Scene, Vec<Spaced>), Error> {
    let size = size(scene);
    let mut wanted = vec![(ELSE[0].0.to_owned(), None, ELSE[0].1 * size)];
    for share in MARGINS {
        wanted.extend(FACTORS.map(|factor| {
            let label = format!("{} %, {factor} times", 100.0 * share);
            (label, Some([share * size, factor]), factor * share * size)
        }));
    }
    wanted.push((ELSE[1].0.to_owned(), None, ELSE[1].1 * size));

    let mut mover = MeshMover::new(scene);
    let (mut frames, mut told) = (Vec::new(), Vec::new());
    let whole = scene.frames.len();
    for from in (0..count.min(whole)).map(|k| (2 * k + 1) * whole / (2 * count.min(whole))) {
        for (label, margin, distance) in &wanted {
            let (frame, gap) = mover.at(&scene.frames[from], *distance, None).ok_or_else(|| {
                Error::NoGap(format!("{}, frame {from}: no position at a distance of {distance}", scene.name))
            })?;
            frames.push(frame);
            told.push(Spaced { from, label: label.clone(), margin: *margin, gap });
        }
    }
    let meshes = scene.meshes.each_ref().map(Arc::clone);
    Ok((Scene { meshes, frames, groups: Vec::new(), ..scene.clone() }, told))
}

/// Moves a scene's second mesh.
pub(super) struct MeshMover {
    models: [Model; 2],
    /// The meshes' boxes: the least and the greatest coordinates.
    boxes: [[[f64; 3]; 2]; 2],
    /// Centres of the boxes.
    pub(super) centres: [[f64; 3]; 2],
    /// Direction from the first mesh to the second at their nearest points, at the last position that was
    /// found.
    pub(super) line: Option<[f64; 3]>,
    /// The longest side of the boxes.
    size: f64,
    query: Query,
}

impl MeshMover {
    pub(super) fn new(scene: &Scene) -> Self {
        let model = |mesh: &Arc<_>| Model::new(Arc::clone(mesh));
        let boxes = scene.meshes.each_ref().map(|mesh| bounds(mesh));
        let centres = boxes.map(|[lo, hi]| [0, 1, 2].map(|k| (lo[k] + hi[k]) / 2.0));
        let models = scene.meshes.each_ref().map(model);
        Self { models, boxes, centres, line: None, size: size(scene), query: Query::new() }
    }
    /// The frame with its second pose moved, and the distance there. `away` is a line along which the meshes
    /// come apart, if available.
    pub(super) fn at(
        &mut self,
        frame: &[Pose; 2],
        wanted: f64,
        // One line all the way: along several lines, a mesh between others would oscillate.
        mut away: Option<[f64; 3]>,
    ) -> Option<([Pose; 2], [f64; 2])> {
        let mut frame = *frame;
        for _ in 0..STEPS {
            let [a, b] = [0, 1].map(|k| Body::new(&self.models[k], frame[k]));
            let gap = self.query.distance(&a, &b)?;
            if gap.lo > wanted * (1.0 - OFF) && gap.hi < wanted * (1.0 + OFF) {
                self.line = unit(gap.points[0], gap.points[1]);
                return Some((frame, [gap.lo, gap.hi]));
            }
            // Meshes that meet have no line of nearest points: use that of the boxes' centres.
            let [a, b] =
                if gap.hi > 0.0 { gap.points } else { [0, 1].map(|k| frame[k].place(self.centres[k])) };
            let line = unit(a, b).unwrap_or([1.0, 0.0, 0.0]);
            let (line, way) = match gap.hi {
                hi if hi > wanted => (line, wanted - hi),
                hi if hi > 0.0 => (*away.get_or_insert(line), 1.05 * wanted - hi),
                _ => (*away.get_or_insert(line), self.size / 100.0),
            };
            let t = frame[1].translation();
            let t = [0, 1, 2].map(|k| t[k] + way * line[k]);
            frame[1] = Pose::rigid(*frame[1].rows(), t).ok()?;
        }
        None
    }
    /// Movement of the corner of the second mesh's box that moves farthest.
    pub(super) fn moved(&self, from: &Pose, to: &Pose) -> f64 {
        let corners = (0..8).map(|corner| [0, 1, 2].map(|k| self.boxes[1][corner >> k & 1][k]));
        let ways = corners.map(|corner| {
            let [p, q] = [from.place(corner), to.place(corner)];
            (0..3).map(|k| (q[k] - p[k]).powi(2)).sum::<f64>().sqrt()
        });
        ways.fold(0.0, f64::max)
    }
}

fn unit(from: [f64; 3], to: [f64; 3]) -> Option<[f64; 3]> {
    let d = [0, 1, 2].map(|k| to[k] - from[k]);
    let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
    (length > 0.0).then(|| d.map(|x| x / length))
}
