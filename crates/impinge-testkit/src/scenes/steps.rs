//! Scenes for queries from frame to frame: two meshes that stay near each other, and move little.
//!
//! Each run starts at one of a scene's frames, moved to a distance of [`NEAR`] of the size. At each step the
//! second mesh rotates about an axis through its box's centre, and shifts a little, by the same motion in all
//! steps of a run. Then it is moved to that distance again, along the line of the nearest points. So it
//! slides along the first one.
use super::{
    Error, Scene,
    gaps::{MeshMover, Spaced, size},
    motion::{about, apply, times},
};
use crate::rng::Rng;
use impinge::Pose;
use std::{f64::consts::PI, sync::Arc};

/// Distance of the meshes, relative to the scene's size.
pub const NEAR: f64 = 1e-2;
/// Degrees of a step's rotation, and labels of the frames; runs use them in turn.
pub const TURNS: [(f64, &str); 2] = [(0.1, "0.1 degrees"), (1.0, "1 degree")];
/// Shift of a step, relative to the scene's size, for a rotation by a degree; in proportion otherwise.
pub const SHIFT: f64 = 5e-3;
/// Steps of a run, after its first frame.
pub const STEPS: usize = 8;
/// Largest movement in a step, relative to the size, for each degree. Beyond it a new run starts: entangled
/// knots, or a sphere in another, have no room.
pub const JUMP: f64 = 3e-2;
/// Label of the first frames of runs: they are not near the frame before.
pub const START: &str = "start";

/// A frame, and the movement since the frame before.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Purpose of the frame, and the distance of the meshes.
    pub spaced: Spaced,
    /// Movement of the farthest corner of the second mesh's box, relative to the scene's size; no point of
    /// the mesh moved farther. 0 in the first frame of a run.
    pub moved: f64,
}

/// `count` runs in small steps and `count` in larger ones, in turn, from evenly sampled frames of the scene.
///
/// # Errors
/// Returns an error if a mesh is empty, or no position is found.
pub fn in_steps(scene: &Scene, count: usize) -> Result<(Scene, Vec<Step>), Error> {
    let (size, whole) = (size(scene), scene.frames.len());
    let runs = TURNS.len() * count;
    let mut mover = MeshMover::new(scene);
    let (mut frames, mut told) = (Vec::new(), Vec::new());
    for run in 0..runs {
        let from = (2 * run + 1) * whole / (2 * runs);
        let (degrees, label) = TURNS[run % TURNS.len()];
        let motion = Motion::new(scene, from, degrees, size);
        let mut frame = scene.frames[from];
        for step in 0..=STEPS {
            let before = frame;
            if step > 0 {
                frame[1] = motion.after(step, &before[1], mover.centres[1])?;
            }
            // A mesh that meets the other after a step moves back along the line that was free before it.
            let away = mover.line.filter(|_| step > 0);
            let (placed, gap) = mover.at(&frame, NEAR * size, away).ok_or_else(|| {
                Error::NoGap(format!("{}, frame {from}, step {step}: no position", scene.name))
            })?;
            frame = placed;
            let moved = if step == 0 { 0.0 } else { mover.moved(&before[1], &frame[1]) / size };
            let starts = step == 0 || moved > JUMP * degrees;
            let label = if starts { START } else { label }.to_owned();
            frames.push(frame);
            told.push(Step { spaced: Spaced { from, label, margin: None, gap }, moved });
        }
    }
    let meshes = scene.meshes.each_ref().map(Arc::clone);
    Ok((Scene { meshes, frames, groups: Vec::new(), ..scene.clone() }, told))
}

/// Motion of the second mesh in a run.
struct Motion {
    start: [[f64; 3]; 3],
    axis: [f64; 3],
    /// Radians a step.
    angle: f64,
    shift: [f64; 3],
}

impl Motion {
    fn new(scene: &Scene, from: usize, degrees: f64, size: f64) -> Self {
        // Three perpendicular directions; two are used.
        let [axis, across, _] = Rng::for_case(0x57e9, from as u64).rotation();
        let start = *scene.frames[from][1].rows();
        let shift = across.map(|x| x * SHIFT * degrees * size);
        Self { start, axis, angle: degrees * PI / 180.0, shift }
    }
    /// Pose after a step: rotated from the start, so that rotations stay rotations, and shifted from its
    /// previous position.
    fn after(&self, step: usize, before: &Pose, centre: [f64; 3]) -> Result<Pose, Error> {
        let rows = times(&about(self.axis, self.angle * step as f64), &self.start);
        let (was, turned) = (before.place(centre), apply(&rows, centre));
        let t = [0, 1, 2].map(|k| was[k] + self.shift[k] - turned[k]);
        Pose::rigid(rows, t).map_err(|error| Error::NoGap(format!("a step: {error}")))
    }
}
