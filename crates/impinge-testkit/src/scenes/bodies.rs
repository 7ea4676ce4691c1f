//! Scenes of many bodies.
use super::{
    motion::{Baked, Rows, about, fitted, pose, times},
    teapot::teapot,
};
use crate::rng::Rng;
use impinge::{Mesh, Pose};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Bodies that share meshes, and the pose of each, frame by frame.
#[derive(Clone, Debug)]
pub struct ManyBodies {
    /// Name in kebab case, unique among the scenes of pairs, too.
    pub name: String,
    /// Description and source, in a line.
    pub about: String,
    /// The shapes.
    pub meshes: Vec<Arc<Mesh>>,
    /// Index of each body's mesh.
    pub bodies: Vec<usize>,
    /// Pose of every body, frame by frame.
    pub frames: Vec<Vec<Pose>>,
}

/// Half the side of the box of the centres, for teapots that are 1 long.
pub(super) const HALF: f64 = 3.0;
const BODIES: usize = 200;
const FRAMES: usize = 500;
/// A quick scene has one frame in this number.
pub(super) const QUICK: usize = 12;

/// Teapots with 3 by 3 squares a patch, the degenerate ones at the poles included: the paper's 576 triangles.
/// `pace` is the number of steps of the motion a frame.
pub(super) fn teapots(name: &str, about_it: &str, quick: bool, pace: f64) -> ManyBodies {
    let mut rng = Rng::new(0x7ea);
    let movers: Vec<SpinningFlight> = (0..BODIES).map(|_| SpinningFlight::new(&mut rng)).collect();
    let frames = (0..FRAMES)
        .step_by(if quick { QUICK } else { 1 })
        .map(|frame| movers.iter().map(|mover| mover.at(pace * frame as f64)).collect())
        .collect();
    ManyBodies {
        name: name.to_owned(),
        about: about_it.to_owned(),
        meshes: vec![Arc::new(Baked::new(&fitted(&teapot(3, true), 1.0), 60).mesh)],
        bodies: vec![0; BODIES],
        frames,
    }
}

/// A straight flight between walls, with a spin about a fixed axis.
struct SpinningFlight {
    start: [f64; 3],
    speed: [f64; 3],
    rows: Rows,
    axis: [f64; 3],
    spin: f64,
}

impl SpinningFlight {
    fn new(rng: &mut Rng) -> Self {
        Self {
            start: rng.point(HALF),
            speed: rng.direction().map(|x| 0.03 * x),
            rows: rng.rotation(),
            axis: rng.direction(),
            spin: rng.between(-0.05, 0.05) * TAU / 6.0,
        }
    }
    fn at(&self, frame: f64) -> Pose {
        let t = std::array::from_fn(|k| bounced(self.start[k] + frame * self.speed[k]));
        pose(times(&about(self.axis, self.spin * frame), &self.rows), t)
    }
}

/// Position of a point at `x` that bounces between -HALF and HALF.
fn bounced(x: f64) -> f64 {
    let y = (x + HALF).rem_euclid(4.0 * HALF);
    if y < 2.0 * HALF { y - HALF } else { 3.0 * HALF - y }
}
