//! Contenders, and the measurements of one scene.
use crate::{
    measure::{Contender, Run, named},
    numbers::mean,
    printed::larsson08::PrintedRow,
    rounds::Rounds,
};
use impinge_volumes::{Fit, Kind, Overlap, Split};
use std::ops::Range;

pub(super) const FAMILIES: [&str; 4] = ["spheres", "knots", "horses", "hands"];

pub(super) const BALL: &str = "ball";
pub(super) const RITTER: &str = "ball (Ritter)";
pub(super) const SCB: &str = "SCB";
pub(super) const SCB26: &str = "SCB, 26 bytes";
pub(super) const OBB: &str = "OBB";

pub(super) fn contenders() -> [Contender; 5] {
    let new = |name, kind, split| Contender::new(name, kind, split, Overlap::Auto);
    let mut ritter = new(RITTER, Kind::Sphere, Split::Centroid);
    ritter.options.fit = Fit::Ritter;
    [
        new(BALL, Kind::Sphere, Split::Centroid),
        ritter,
        new(SCB, Kind::Scb, Split::Centroid),
        new(SCB26, Kind::Scb26, Split::Centroid),
        new(OBB, Kind::Obb, Split::Mean),
    ]
}

/// One row of Table 3.
#[derive(Clone)]
pub(super) struct RowMeasurement {
    pub(super) printed: &'static PrintedRow,
    pub(super) family: usize,
    pub(super) plotted: bool,
    pub(super) triangles: [usize; 2],
    /// True if a generated body replaces the paper's model.
    pub(super) is_stand_in: bool,
    pub(super) close: Range<usize>,
    pub(super) runs: Vec<Run>,
}

impl Rounds for RowMeasurement {
    fn keep(&mut self, round: usize) {
        self.runs.keep(round);
    }
}

impl RowMeasurement {
    /// The scene's name in Table 3, marked if a stand-in replaces the paper's model.
    pub(super) fn label(&self) -> String {
        let stand_in = if self.is_stand_in { " (stand-in)" } else { "" };
        format!("{}{stand_in}", self.printed.scene)
    }
    pub(super) fn run(&self, name: &str) -> &Run {
        named(&self.runs, name)
    }
    /// Time as a multiple of that of slab cut balls.
    pub(super) fn over_scb(&self, name: &str) -> f64 {
        self.run(name).seconds() / self.run(SCB).seconds()
    }
    /// Time as a multiple of that of slab cut balls, in frames in which the surfaces are close all over.
    pub(super) fn close_over_scb(&self, name: &str) -> f64 {
        let seconds = |name: &str| mean(self.run(name).frames[self.close.clone()].iter().map(|f| f.seconds));
        seconds(name) / seconds(SCB)
    }
    pub(super) fn close_tests(&self, name: &str) -> f64 {
        let frames = &self.run(name).frames[self.close.clone()];
        mean(frames.iter().map(|f| f.count.volume_tests as f64))
    }
    /// The paper's times of balls and of OBBs, over that of slab cut balls.
    pub(super) fn printed_over_scb(&self) -> [f64; 2] {
        let [ball, scb, obb] = self.printed.trees.map(|t| t.ms);
        [ball / scb, obb / scb]
    }
}
