//! The experiments of four papers, run again: tables, plots, and whether each claim holds on this machine.
//!
//! [`reproduce`] measures and gives a [`Report`]; [`Folder`] writes it. Times are those of the machine and for ratios only;
//! counts depend on nothing but the scenes and this library.
#![forbid(unsafe_code)]

mod bergen97;
mod error;
mod hu16;
mod larsson08;
mod machine;
mod measure;
mod numbers;
mod plot;
mod printed;
mod report;
mod table;
mod write;
mod zachmann02;

pub use self::{error::Error, report::Report, write::Folder};

use impinge_testkit::scenes::{self, ManyBodies, Scene, Sources};
use machine::Machine;
use std::path::Path;

/// A paper whose experiments can be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Paper {
    /// G. van den Bergen 1997: AABB trees.
    Bergen97,
    /// G. Zachmann 2002: restricted boxtrees.
    Zachmann02,
    /// J. Hu and others 2016: hybrid trees.
    Hu16,
    /// T. Larsson and T. Akenine-Moller 2008: slab cut balls.
    Larsson08,
}

impl Paper {
    /// All of them, oldest first but for the longest, which is last.
    pub const ALL: [Self; 4] = [Self::Bergen97, Self::Zachmann02, Self::Hu16, Self::Larsson08];

    /// As on the command line, and in names of files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bergen97 => "bergen97",
            Self::Zachmann02 => "zachmann02",
            Self::Hu16 => "hu16",
            Self::Larsson08 => "larsson08",
        }
    }
}

/// What to measure with.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    sources: Sources<'a>,
    most_frames: usize,
}

impl<'a> Settings<'a> {
    /// `data` is the folder with the models; without it generated ones stand in, and the report says so. `quick` means some 20 to 60
    /// frames a scene in place of all.
    pub fn new(data: Option<&'a Path>, quick: bool) -> Self {
        Self { sources: Sources { data, quick }, most_frames: usize::MAX }
    }

    /// The scene of that name, cut short if a test wants that.
    fn scene(&self, name: &str) -> Result<Scene, Error> {
        let mut scene = scenes::build(name, &self.sources)?;
        scene.frames.truncate(self.most_frames);
        for group in &mut scene.groups {
            group.frames =
                group.frames.start.min(scene.frames.len())..group.frames.end.min(scene.frames.len());
        }
        Ok(scene)
    }
    /// The scene of many bodies of that name.
    fn many(&self, name: &str) -> Result<ManyBodies, Error> {
        let mut scene = scenes::build_many(name, &self.sources)?;
        scene.frames.truncate(self.most_frames);
        Ok(scene)
    }
}

/// Hears how far the work has come.
pub trait Watch {
    /// Begins a stage of so many steps.
    fn stage(&mut self, name: String, steps: usize);
    /// One of them is done.
    fn step(&mut self);
}

/// Nobody waits.
impl Watch for () {
    fn stage(&mut self, _name: String, _steps: usize) {}
    fn step(&mut self) {}
}

/// Runs the experiments of the papers, in that order.
///
/// # Errors
/// A data folder that is none, a model that cannot be used, contenders that disagree about an answer, a plot that cannot be drawn.
pub fn reproduce(papers: &[Paper], settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Report, Error> {
    let start = std::time::Instant::now();
    let mut machine = Machine::here(settings.sources.quick);
    let chapters = papers
        .iter()
        .map(|paper| match paper {
            Paper::Bergen97 => bergen97::chapter(settings, watch),
            Paper::Zachmann02 => zachmann02::chapter(settings, watch),
            Paper::Hu16 => hu16::chapter(settings, watch),
            Paper::Larsson08 => larsson08::chapter(settings, watch),
        })
        .collect::<Result<Vec<_>, _>>()?;
    machine.took(start.elapsed());
    Ok(Report::new(machine, chapters))
}
