//! Settings of all experiments: where models come from, and how many frames count.
use crate::Error;
use impinge_testkit::scenes::{self, ManyBodies, Scene, Sources};
use std::path::Path;

/// What to measure with.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    pub(crate) sources: Sources<'a>,
    pub(crate) most_frames: usize,
}

impl<'a> Settings<'a> {
    /// `data` is the folder with the models; without it generated ones stand in, and the report says so.
    /// `quick` means some 20 to 60 frames a scene in place of all.
    pub fn new(data: Option<&'a Path>, quick: bool) -> Self {
        Self { sources: Sources { data, quick }, most_frames: usize::MAX }
    }

    /// The scene of that name, cut short if a test wants that.
    pub(crate) fn scene(&self, name: &str) -> Result<Scene, Error> {
        self.scene_from(name, &self.sources)
    }
    /// The same with no model but generated ones.
    pub(crate) fn generated(&self, name: &str) -> Result<Scene, Error> {
        self.scene_from(name, &Sources { data: None, ..self.sources })
    }
    fn scene_from(&self, name: &str, sources: &Sources<'_>) -> Result<Scene, Error> {
        let mut scene = scenes::build(name, sources)?;
        scene.frames.truncate(self.most_frames);
        for group in &mut scene.groups {
            group.frames =
                group.frames.start.min(scene.frames.len())..group.frames.end.min(scene.frames.len());
        }
        Ok(scene)
    }
    /// The scene of many bodies of that name.
    pub(crate) fn many(&self, name: &str) -> Result<ManyBodies, Error> {
        let mut scene = scenes::build_many(name, &self.sources)?;
        scene.frames.truncate(self.most_frames);
        Ok(scene)
    }
}
