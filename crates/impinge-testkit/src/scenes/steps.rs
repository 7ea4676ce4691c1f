//! Scenes for what is asked from frame to frame: two meshes that stay near each other, and move little.
//!
//! Each run starts at one of a scene's frames, brought to [`NEAR`] of the size. Then at each step the second
//! mesh turns about an axis through its box's centre, and shifts a little, both as at the step before; it is
//! brought to that distance again, along the line of the nearest points. So it slides along the first one.
use super::{
    Error, Scene,
    gaps::{Mover, Spaced, size},
    motion::{about, apply, times},
};
use crate::rng::Rng;
use impinge::Pose;
use std::{f64::consts::PI, sync::Arc};

/// How far apart the meshes are, by the scene's size.
pub const NEAR: f64 = 1e-2;
/// Degrees that a step turns by, and what the frames are called; runs take them in turn.
pub const TURNS: [(f64, &str); 2] = [(0.1, "0.1 degrees"), (1.0, "1 degree")];
/// How far a step shifts, by the scene's size, if it turns by a degree: otherwise as much less.
pub const SHIFT: f64 = 5e-3;
/// Steps of a run, after the frame that it starts with.
pub const STEPS: usize = 8;
/// Where there was no place so near but farther off than this, by the size and for each degree, the run
/// starts anew: of knots in each other, or of a sphere in another, which have no room.
pub const JUMP: f64 = 3e-2;
/// What the frames are called that runs start with: they are not near the frame before.
pub const START: &str = "start";

/// A frame, and how far the farthest corner of the second mesh's box moved, by the scene's size, since the
/// frame before; no point of the mesh moved farther. 0 in the first frame of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What it is there for, and how far apart the meshes are.
    pub spaced: Spaced,
    /// See above.
    pub moved: f64,
}

/// `count` runs from each half of the scene's frames on, evenly taken: the one in small steps, and the other
/// in larger ones.
///
/// # Errors
/// A mesh is empty, or no place was found.
pub fn in_steps(scene: &Scene, count: usize) -> Result<(Scene, Vec<Step>), Error> {
    let (size, whole) = (size(scene), scene.frames.len());
    let runs = TURNS.len() * count;
    let mut mover = Mover::new(scene);
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
            // Where a step leads to contact, back the way that was free before it.
            let away = mover.line.filter(|_| step > 0);
            let (placed, gap) = mover.at(&frame, (NEAR * size, size), away).ok_or_else(|| {
                Error::NoGap(format!("{}, frame {from}, step {step}: no place", scene.name))
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

/// How the second mesh moves in a run.
struct Motion {
    start: [[f64; 3]; 3],
    axis: [f64; 3],
    /// Radians a step.
    angle: f64,
    shift: [f64; 3],
}

impl Motion {
    fn new(scene: &Scene, from: usize, degrees: f64, size: f64) -> Self {
        // Three directions at right angles, of which two are used.
        let [axis, across, _] = Rng::for_case(0x57e9, from as u64).rotation();
        let start = *scene.frames[from][1].rows();
        let shift = across.map(|x| x * SHIFT * degrees * size);
        Self { start, axis, angle: degrees * PI / 180.0, shift }
    }
    /// Turned from the start on, so that rotations stay rotations, and shifted from where it was.
    fn after(&self, step: usize, before: &Pose, centre: [f64; 3]) -> Result<Pose, Error> {
        let rows = times(&about(self.axis, self.angle * step as f64), &self.start);
        let (was, turned) = (before.place(centre), apply(&rows, centre));
        let t = [0, 1, 2].map(|k| was[k] + self.shift[k] - turned[k]);
        Pose::rigid(rows, t).map_err(|error| Error::NoGap(format!("a step: {error}")))
    }
}
