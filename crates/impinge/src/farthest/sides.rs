//! Cells that do not count, or count as a whole.
//!
//! Let the cell C have the centre g and the radius R, and let C' be C moved towards g by the factor 1 - s. If
//! no triangle of B meets C', then all of C' is on the side of g. Each x in C has its x' in C', no more than
//! s R away. If g does not count and x does, the way from x to x' leads through B's surface, so that x is no
//! farther from it than s R. With s R at most the best lower bound such a cell does not matter.
//!
//! The sides of a narrow cell hardly move in that way: if triangles of B meet C' along its border, they meet
//! it still, until the cell is divided into parts as short as it is narrow. So then each corner is moved into
//! the cell by itself instead ([`InnerPolygon::inset`]). x is a mean of the corners with weights, and x' that
//! of the moved corners with the same weights: no farther away than the corner that moved most.
use super::{
    apart::{are_apart, box_is_apart, box_of},
    cell::{Cell, MOST_CORNERS},
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

/// The hull of the moved corners of a cell: a part of the cell.
struct InnerPolygon {
    corners: [Vector; MOST_CORNERS],
    count: usize,
    /// No point of the cell is farther from it than this, but for the pad.
    reach: f64,
}

impl InnerPolygon {
    /// All corners moved towards the centre, the farthest one by `most`. That is at most `radius`.
    fn scaled(at: &[Vector], centre: &Vector, radius: f64, most: f64) -> Self {
        let s = (most / radius).min(1.0);
        let mut corners = [[0.0; 3]; MOST_CORNERS];
        for (moved, p) in corners.iter_mut().zip(at) {
            *moved = [0, 1, 2].map(|k| centre[k] + (1.0 - s) * (p[k] - centre[k]));
        }
        Self { corners, count: at.len(), reach: s * radius }
    }
    /// Each corner moved by `most` along the bisector of its angle, or by less: as far along either edge as
    /// half of it at most, so that it stays in the triangle of the corner and its neighbours.
    fn inset(at: &[Vector], most: f64) -> Self {
        let count = at.len();
        let (mut corners, mut reach) = ([[0.0; 3]; MOST_CORNERS], 0.0_f64);
        for (i, moved) in corners[..count].iter_mut().enumerate() {
            let p = at[i];
            let edges = [(i + count - 1) % count, (i + 1) % count].map(|j| sub(at[j], p));
            let lengths = edges.map(|edge| dot(edge, edge).sqrt());
            let sum = |by: [f64; 2]| [0, 1, 2].map(|k| by[0] * edges[0][k] + by[1] * edges[1][k]);
            let bisector = sum(lengths.map(f64::recip));
            let along = most / dot(bisector, bisector).sqrt();
            // An edge without a length leaves NaN.
            let by = sum(lengths.map(|length| if along / length < 0.5 { along / length } else { 0.5 }));
            let length = dot(by, by).sqrt();
            let part = if length > most { most / length } else { 1.0 };
            *moved = [0, 1, 2].map(|k| p[k] + part * by[k]);
            reach = reach.max(part * length);
        }
        Self { corners, count, reach }
    }
    fn corners(&self) -> &[Vector] {
        &self.corners[..self.count]
    }
    /// The mean of the corners.
    fn centre(&self) -> Vector {
        centre(self.corners())
    }
}

impl FarthestSearch<'_, '_> {
    /// The fate of a cell that may have parts on either side. `corner` is the one that is farthest from the
    /// best facet.
    pub(super) fn fate(&mut self, cell: &Cell, corner: u32) -> Fate {
        let mut at = [[0.0; 3]; MOST_CORNERS];
        let at = &mut at[..cell.corners.len()];
        at.iter_mut().zip(cell.corners.iter()).for_each(|(at, &number)| *at = self.at(number));
        let pad = self.frame.pad;
        let middle = centre(at);
        let radius = at.iter().fold(0.0_f64, |most, p| most.max(dot(sub(*p, middle), sub(*p, middle))));
        let radius = radius.sqrt() * (1.0 + 1e-15);
        let most = (self.enough() - 4.0 * pad).max(0.25 * self.frame.floor);
        let mut inner = InnerPolygon::scaled(at, &middle, radius, most);
        // At a reach of the radius only the centre is left.
        if inner.reach < radius
            && let Some(t) = self.crossing(cell, &inner, Some(at))
        {
            if let Some(plane) = plane_of(at, &self.triangle(1, t)) {
                return Fate::Crossed(plane, t);
            }
            inner = InnerPolygon::inset(at, most);
            if self.crossing(cell, &inner, None).is_some() {
                return Fate::Unknown;
            }
        }
        let bound = inner.reach * (1.0 + 1e-15) + 2.0 * pad;
        let sample = self.memory.samples[corner as usize];
        // The way from a corner farther than that to its moved place does not lead through the surface.
        let is_far = sample.is_measured() && sample.lo > bound;
        let number = if is_far { corner } else { self.sample(inner.centre()) };
        match self.side_of(number) {
            SampleSide::Other => Fate::Bounded(bound),
            SampleSide::Counts => Fate::Counts,
            _ => Fate::Unknown,
        }
    }

    /// A triangle of the second body that may meet a part of a cell: the first one that also divides the
    /// whole cell, with the corners `divided`; if there is none, any.
    fn crossing(&mut self, cell: &Cell, inner: &InnerPolygon, divided: Option<&[Vector]>) -> Option<u32> {
        let room = 4.0 * self.frame.pad;
        let inner_box = box_of(inner.corners());
        let partner = self.partner(cell.facet);
        let met = [cell.facet, partner].map(|t| self.met_by(t));
        let both = if partner == cell.facet { &met[..1] } else { &met[..] };
        let mut crossing = None;
        for &[_, t] in both.iter().copied().flatten() {
            let triangle = self.triangle(1, t);
            if box_is_apart(&inner_box, &triangle, room) || are_apart(inner.corners(), &triangle, room) {
                continue;
            }
            crossing = Some(t);
            if divided.is_none_or(|at| plane_of(at, &triangle).is_some()) {
                break;
            }
        }
        crossing
    }
}

/// The mean of points.
fn centre(points: &[Vector]) -> Vector {
    [0, 1, 2].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / points.len() as f64)
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
        (most.min(-least) > 1e-12 * size).then_some(plane)
    })
}
