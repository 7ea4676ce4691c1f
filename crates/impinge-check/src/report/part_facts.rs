//! [`PartFacts`]: the facts of a report about a part.
use super::Report;
use crate::{
    parts::{NamedPart, SolidFacts},
    records::self_intersections::SelfIntersections,
    values::relations,
};
use impinge::{
    Pose,
    solid::{Closedness, FillRule},
};
use std::path::Path;

impl Report {
    /// The facts about a part.
    ///
    /// # Panics
    /// If the index is not less than [`Report::part_count`].
    pub fn part(&self, part: u32) -> PartFacts<'_> {
        PartFacts { report: self, part: part as usize }
    }
    /// The facts about each part.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = PartFacts<'_>> {
        (0..self.part_count()).map(|part| PartFacts { report: self, part })
    }
}

/// The facts of a report about a part.
#[derive(Clone, Copy)]
pub struct PartFacts<'a> {
    report: &'a Report,
    part: usize,
}

impl<'a> PartFacts<'a> {
    /// Its index in the assembly.
    pub fn index(self) -> u32 {
        self.part as u32
    }
    /// Its name.
    pub fn name(self) -> &'a str {
        &self.report.input.parts.parts[self.part].name
    }
    /// The file that it came from.
    pub fn file(self) -> &'a Path {
        &self.report.input.parts.parts[self.part].file
    }
    /// The identifier that the input gives.
    pub fn guid(self) -> Option<&'a str> {
        self.report.input.parts.parts[self.part].texts.guid.as_deref()
    }
    /// The type that the input gives, such as `IfcWall`.
    pub fn class(self) -> Option<&'a str> {
        self.report.input.parts.parts[self.part].texts.class.as_deref()
    }
    /// Names from the root of the hierarchy to its own, joined by `/`; its name if there is no hierarchy.
    pub fn path(self) -> &'a str {
        self.report.input.parts.parts[self.part].texts.path.as_deref().unwrap_or(self.name())
    }
    /// The storey of a building, if the input states it.
    pub fn storey(self) -> Option<&'a str> {
        self.report.input.parts.parts[self.part].texts.storey.as_deref()
    }
    /// The texts that identify it for people.
    pub fn named(self) -> NamedPart<'a> {
        NamedPart {
            name: self.name(),
            file: self.file(),
            class: self.class(),
            storey: self.storey(),
            guid: self.guid(),
            path: Some(self.path()),
        }
    }
    /// Its pose.
    pub fn pose(self) -> &'a Pose {
        &self.report.input.parts.parts[self.part].pose
    }
    /// The number of its mesh: parts with equal numbers share it.
    pub fn mesh(self) -> u32 {
        self.report.input.parts.parts[self.part].mesh
    }
    /// Number of its triangles.
    pub fn triangles(self) -> usize {
        self.report.input.parts.mesh(self.part).triangles
    }
    /// Closedness of its mesh, and its holes; `None` if the check was about surfaces alone.
    pub fn solid(self) -> Option<&'a SolidFacts> {
        self.report.input.parts.mesh(self.part).solid.as_ref()
    }
    /// Closedness of its mesh; `None` if the check was about surfaces alone.
    pub fn closedness(self) -> Option<Closedness> {
        self.solid().map(|solid| solid.status)
    }
    /// The rule for points inside of it; `None` for a surface.
    pub fn fill_rule(self) -> Option<FillRule> {
        relations::rule_of(self.report.asked.rule?, self.closedness()?)
    }
    /// The self-intersections of its mesh, if the check looked for them
    /// ([`Check::self_intersections`](crate::Check::self_intersections)) and there was time.
    pub fn self_intersections(self) -> Option<&'a SelfIntersections> {
        self.report.records.within.as_ref()?[self.part].as_ref()
    }
    /// Its chord tolerance, if the check has any.
    pub fn chord(self) -> Option<f64> {
        self.report.chords.as_ref().map(|chords| chords.of(self.part as u32).get())
    }
}
