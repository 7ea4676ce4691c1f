//! Cells that do not count, or count as a whole.
//!
//! Let the cell C have the centre g and the radius R, and let C' be C moved towards g by the factor 1 - s. If
//! no triangle of B meets C', then all of C' is on the side of g. Each x in C has its x' in C', no more than
//! s R away. If g does not count and x does, the way from x to x' leads through B's surface, so that x is no
//! farther from it than s R. With s R at most the best lower bound such a cell does not matter.
use super::{
    apart::{are_apart, box_is_apart, box_of},
    cell::Cell,
    plane::DividingPlane,
    sample::SampleSide,
    search::FarthestSearch,
};
use crate::vector::{Triangle, Vector, cross, dot, sub};

/// The fate of a cell.
pub(super) enum Fate {
    /// No point of it that counts is farther than this.
    Bounded(f64),
    /// All of it counts, but for points that do not matter.
    Counts,
    /// This triangle of the second body crosses it, and the plane divides it.
    Crossed(DividingPlane, u32),
    Unknown,
}

impl FarthestSearch<'_, '_> {
    /// The fate of a cell that may have parts on either side. `corner` is the one that is farthest from the
    /// best facet.
    pub(super) fn fate(&mut self, cell: &Cell, corner: u32) -> Fate {
        let mut at = [[0.0; 3]; super::cell::MOST_CORNERS];
        let at = &mut at[..cell.corners.len()];
        at.iter_mut().zip(cell.corners.iter()).for_each(|(at, &number)| *at = self.at(number));
        let pad = self.frame.pad;
        let centre = [0, 1, 2].map(|k| at.iter().map(|p| p[k]).sum::<f64>() / at.len() as f64);
        let radius = at.iter().fold(0.0_f64, |most, p| most.max(dot(sub(*p, centre), sub(*p, centre))));
        let radius = radius.sqrt() * (1.0 + 1e-15);
        let most = (self.enough() - 4.0 * pad).max(0.25 * self.frame.floor);
        let s = (most / radius).min(1.0);
        let mut moved = [[0.0; 3]; super::cell::MOST_CORNERS];
        let moved = &mut moved[..at.len()];
        for (moved, p) in moved.iter_mut().zip(at.iter()) {
            *moved = [0, 1, 2].map(|k| centre[k] + (1.0 - s) * (p[k] - centre[k]));
        }
        let moved_box = box_of(moved);
        let partner = self.partner(cell.facet);
        let mut is_crossed = false;
        // Where s is 1, only the centre is left.
        let met = [cell.facet, partner].map(|t| self.met_by(t));
        let both = if partner == cell.facet { &met[..1] } else { &met[..] };
        for &[_, t] in both.iter().copied().flatten().filter(|_| s < 1.0) {
            let triangle = self.triangle(1, t);
            if box_is_apart(&moved_box, &triangle, 4.0 * pad) || are_apart(moved, &triangle, 4.0 * pad) {
                continue;
            }
            is_crossed = true;
            if let Some(plane) = plane_of(at, &triangle) {
                return Fate::Crossed(plane, t);
            }
        }
        if is_crossed {
            return Fate::Unknown;
        }
        let bound = (s * radius) * (1.0 + 1e-15) + 2.0 * pad;
        let sample = self.memory.samples[corner as usize];
        // The way from a corner farther than that to its moved place does not lead through the surface.
        let number = if sample.is_measured() && sample.lo > bound { corner } else { self.sample(centre) };
        match self.side_of(number) {
            SampleSide::Other => Fate::Bounded(bound),
            SampleSide::Counts => Fate::Counts,
            _ => Fate::Unknown,
        }
    }
}

/// A triangle's plane, or else one across an edge of it, that divides a cell.
fn plane_of(at: &[Vector], triangle: &Triangle) -> Option<DividingPlane> {
    let n = cross(sub(triangle[1], triangle[0]), sub(triangle[2], triangle[0]));
    let planes = [
        n,
        cross(n, sub(triangle[1], triangle[0])),
        cross(n, sub(triangle[2], triangle[1])),
        cross(n, sub(triangle[0], triangle[2])),
    ];
    planes.into_iter().zip([0, 0, 1, 2]).find_map(|(normal, i)| {
        let plane = DividingPlane { on: triangle[i], normal };
        let [mut least, mut most, mut size] = [0.0_f64; 3];
        for p in at {
            let d = sub(*p, plane.on);
            least = least.min(dot(normal, d));
            most = most.max(dot(normal, d));
            size = size.max((0..3).fold(0.0_f64, |sum, k| sum + (normal[k] * d[k]).abs()));
        }
        // Far enough on either side, relative to the terms of the heights.
        (most.min(-least) > 1e-9 * size).then_some(plane)
    })
}
