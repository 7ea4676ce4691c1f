//! Sweeps of a scene's body: its first contact with any other, along a path.
use super::{Scene, bodies::Slot};
use crate::{
    Body, Error, Model, Query,
    body_id::BodyId,
    path::{Path, SweptBall},
    query::QueryParts,
    sweep::{Moving, Sweep, SweepOptions},
    vector::{Vector, dot, length, sub},
};

/// What is proved about a body that moves among the others of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneSweep {
    /// The result for the other body that is met, or undecided, first. Its pair is a triangle of that body
    /// and one of the moving body.
    pub sweep: Sweep,
    /// That other body; `None` if all is clear.
    pub other: Option<BodyId>,
}

impl Scene {
    /// The first contact of a body that moves along a path while all others rest where they are: see
    /// [`Query::sweep`]. The body's own pose is not used, and the scene does not change.
    ///
    /// Filters and allowed pairs count, radii add, and the margin is that of the options. Bodies that the
    /// path does not come near cost O(1) each.
    ///
    /// # Errors
    /// The scene has no such body, or it is a half-space.
    ///
    /// ```
    /// use impinge::{Mesh, Model, Pose, Query, Scene, path::Path, sweep::{Sweep, SweepOptions}};
    /// use std::sync::Arc;
    /// let cube = Arc::new(Model::new(Mesh::cuboid([2.; 3])?));
    /// let at = |x: f64| Pose::from_translation([x, 0., 0.]).unwrap();
    /// let mut scene = Scene::new();
    /// let [mover, near, _far] = [0., 6., 9.].map(|x| scene.add(Arc::clone(&cube), at(x)).unwrap());
    /// let path = Path::translation(at(0.), [8., 0., 0.])?;
    /// let found = scene.sweep(&mut Query::new(), mover, &path, &SweepOptions::new())?;
    /// assert_eq!(found.other, Some(near));
    /// let Sweep::Contact { free_until, meets_at, .. } = found.sweep else { panic!() };
    /// assert!(free_until <= 0.5 && 0.5 <= meets_at && meets_at - free_until < 1e-9);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn sweep(
        &self,
        query: &mut Query,
        body: BodyId,
        path: &Path,
        options: &SweepOptions,
    ) -> Result<SceneSweep, Error> {
        self.check_mesh(body)?;
        let (model, own) = self.slot(body)?;
        let moving = Moving::new(model, path).rounded(own.radius)?;
        let balls = || path.swept_balls(model.reach());
        let mut first = SceneSweep { sweep: Sweep::Clear, other: None };
        // No contact after this counts.
        let mut until = 1.0;
        let QueryParts { ask, scratches, .. } = query.parts();
        let scratch = &mut scratches.first().scratch;
        for (slot, other) in (0..).zip(&self.slots) {
            let (Some(id), Some(shape)) = (other.id(slot), &other.model) else { continue };
            let pair = [id.min(body), id.max(body)];
            if id == body || !own.filter.meets(&other.filter) || self.allowed.contains(&pair) {
                continue;
            }
            let sweep = if let Some(half_space) = &other.half_space {
                ask.sweep_over(half_space, moving, options, until, scratch)
            } else {
                let room = own.radius + other.radius + options.margin_up();
                if balls().all(|ball| is_beside(&ball, shape, other, room)) {
                    continue;
                }
                let resting = Body::new(shape, other.pose).rounded(other.radius)?;
                ask.sweep([resting.into(), moving], options, until, scratch)
            };
            if sweep == Sweep::Clear {
                continue;
            }
            let is_earlier = first.other.is_none() || sweep.free_until() < first.sweep.free_until();
            let met = [sweep.meets_at(), first.sweep.meets_at()].into_iter().flatten().reduce(f64::min);
            until = met.unwrap_or(until).min(until);
            if is_earlier {
                first = SceneSweep { sweep, other: Some(id) };
            }
            // What is undecided first may be followed by another body's contact.
            if let Sweep::Near { meets_at, .. } = &mut first.sweep {
                *meets_at = met;
            }
            if until == 0.0 || (options.is_verdict_only() && met.is_some()) {
                break;
            }
        }
        Ok(first)
    }
}

/// True if the ball around a body, with more room, stays beside a ball that moves straight. Roundings are
/// less than a part of 1e-9 of the lengths.
fn is_beside(ball: &SweptBall, model: &Model, other: &Slot, room: f64) -> bool {
    let [lo, hi] = model.extent();
    let center = other.pose.place([0, 1, 2].map(|k| lo[k] / 2.0 + hi[k] / 2.0));
    let half = [0, 1, 2].map(|k| hi[k] / 2.0 - lo[k] / 2.0);
    let rows = other.pose.rows();
    let radius: f64 = (0..3).map(|j| half[j] * length([rows[0][j], rows[1][j], rows[2][j]])).sum();
    let to: Vector = sub(center, ball.center);
    let along = (dot(to, ball.way) / dot(ball.way, ball.way)).clamp(0.0, 1.0);
    // A way of length 0 gives NaN.
    let along = if along.is_nan() { 0.0 } else { along };
    let distance = length([0, 1, 2].map(|k| to[k] - along * ball.way[k]));
    let sizes = length(center) + length(ball.center) + length(ball.way);
    distance > (ball.radius + radius + room) * (1.0 + 1e-9) + 1e-9 * sizes
}
