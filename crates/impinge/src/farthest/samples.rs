//! Makes, measures and locates samples.
use super::{
    SolidSide,
    sample::{SampleSide, SurfaceSample},
    search::FarthestSearch,
};
use crate::{distance::Accuracy, margin::Margin, solid::Location, vector::Vector};

impl FarthestSearch<'_, '_> {
    /// The sample of a point of the first mesh.
    pub(super) fn vertex(&mut self, v: u32) -> u32 {
        if let Some(&number) = self.memory.of_vertex.get(v as usize)
            && number != u32::MAX
        {
            return number;
        }
        let number = self.sample(self.frame.place(0, self.bodies[0].model.mesh().points()[v as usize]));
        self.memory.of_vertex[v as usize] = number;
        number
    }
    pub(super) fn sample(&mut self, at: Vector) -> u32 {
        self.memory.samples.push(SurfaceSample::new(at));
        self.memory.samples.len() as u32 - 1
    }
    /// Measures a sample of a facet once, and records it if it is the farthest so far. `hint` is a triangle
    /// that may be near.
    pub(super) fn measure(&mut self, number: u32, facet: u32, hint: u32) {
        let sample = self.memory.samples[number as usize];
        if !sample.is_measured() {
            let seed = (hint != u32::MAX).then_some(hint);
            let found = self.ask.point_bounds(self.local, sample.at, seed, self.scratch);
            // `None` only if the query is stopped.
            let (lo, near) = found.map_or((0.0, 0), |found| (found.lo, found.triangles[1]));
            let sample = &mut self.memory.samples[number as usize];
            (sample.lo, sample.near) = (lo, near);
        }
        self.improve(number, facet);
    }
    /// Records a sample if it is the farthest so far.
    fn improve(&mut self, number: u32, facet: u32) {
        let lo = self.memory.samples[number as usize].lo - self.frame.pad;
        if lo > 0.0 && lo > self.best.lo && self.side_of(number) == SampleSide::Counts {
            self.best.lo = lo;
            self.best.at = Some((number, facet));
        }
    }
    /// The side of a sample.
    pub(super) fn side_of(&mut self, number: u32) -> SampleSide {
        let sample = self.memory.samples[number as usize];
        if sample.side != SampleSide::NotAsked {
            return sample.side;
        }
        let side = if self.place.is_some() && !self.is_off_surface(&sample) {
            SampleSide::Near
        } else if let Some(place) = &self.place {
            let found = self.ask.locate(place, sample.at, &mut self.slopes, self.scratch);
            if found == self.wanted() { SampleSide::Counts } else { SampleSide::Other }
        } else {
            SampleSide::Counts
        };
        self.memory.samples[number as usize].side = side;
        side
    }
    /// True if the exact point is on the same side as the rounded one.
    fn is_off_surface(&mut self, sample: &SurfaceSample) -> bool {
        let pad = self.frame.pad;
        if sample.is_measured() {
            return sample.lo > pad;
        }
        let Ok(margin) = Margin::new(pad) else { return false };
        let above = Accuracy::new().above(margin);
        !self.ask.stop.is_set() && self.ask.near_point(self.local, sample.at, above, self.scratch).is_none()
    }
    pub(super) fn wanted(&self) -> Location {
        if self.side == SolidSide::Outside { Location::Outside } else { Location::Inside }
    }
}
