//! Cells that do not count, or count as a whole.
//!
//! Let the cell C have the centre g and the radius R, and let C' be C moved towards g by the factor 1 - s. If
//! no triangle of B meets C', then all of C' is on the side of g. Each x in C has its x' in C', no more than
//! s R away. If g does not count and x does, the way from x to x' leads through B's surface, so that x is no
//! farther from it than s R. With s R at most the best lower bound such a cell does not matter.
use super::{
    cell::{Cell, Split},
    faces::{Triangle, are_apart},
    sample::SampleSide,
    search::Search,
};
use crate::vector::{Vector, cross, dot, sub};

/// What becomes of a cell.
pub(super) enum Fate {
    /// No point of it that counts is farther than this.
    Bounded(f64),
    /// All of it counts, but for what does not matter. A sample at its centre.
    Counts(u32),
    /// A face of the second body divides it, about there.
    Crossed(Split),
    Unknown,
}

impl Search<'_, '_> {
    /// The fate of a cell with parts on either side, perhaps.
    pub(super) fn fate(&mut self, cell: &Cell) -> Fate {
        let at = self.corners(cell);
        let pad = self.frame.pad;
        let centre = [0, 1, 2].map(|k| (at[0][k] + at[1][k] + at[2][k]) / 3.0);
        let radius = at.iter().fold(0.0_f64, |most, p| {
            let w = sub(*p, centre);
            most.max(dot(w, w))
        });
        let radius = radius.sqrt() * (1.0 + 1e-15);
        let most = (self.enough() - 4.0 * pad).max(0.25 * self.frame.floor);
        let s = (most / radius).min(1.0);
        let moved = at.map(|p| [0, 1, 2].map(|k| centre[k] + (1.0 - s) * (p[k] - centre[k])));
        let mut is_crossed = false;
        // Of a cell that is so small only the centre is left.
        for &[_, t] in self.met_by(cell.face).iter().filter(|_| s < 1.0) {
            let face = self.face_of_b(t);
            if are_apart(&moved, &face, 4.0 * pad) {
                continue;
            }
            is_crossed = true;
            if let Some(split) = split_by(&at, &face) {
                return Fate::Crossed(split);
            }
        }
        if is_crossed {
            return Fate::Unknown;
        }
        let number = self.sample(centre);
        match self.side_of(number) {
            SampleSide::Other => Fate::Bounded((s * radius) * (1.0 + 1e-15) + 2.0 * pad),
            SampleSide::Counts => Fate::Counts(number),
            _ => Fate::Unknown,
        }
    }
}

/// Where a face's plane divides a cell, or else a plane across an edge of it.
fn split_by(at: &[Vector; 3], face: &Triangle) -> Option<Split> {
    let n = cross(sub(face[1], face[0]), sub(face[2], face[0]));
    let planes = [
        n,
        cross(n, sub(face[1], face[0])),
        cross(n, sub(face[2], face[1])),
        cross(n, sub(face[0], face[2])),
    ];
    planes.iter().zip([0, 0, 1, 2]).find_map(|(w, i)| {
        let height = at.map(|p| dot(*w, sub(p, face[i])));
        // Far enough on either side, relative to what they are of their terms.
        let size = at.iter().fold(0.0_f64, |size, p| {
            let d = sub(*p, face[i]);
            size.max((0..3).fold(0.0_f64, |sum, k| sum + (w[k] * d[k]).abs()))
        });
        let mut best: Option<(f64, Split)> = None;
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (height[i], height[j]);
            let least = a.abs().min(b.abs());
            if a * b < 0.0 && least > 1e-9 * size && best.as_ref().is_none_or(|(most, _)| least > *most) {
                best = Some((least, Split { ends: [i, j], s: a / (a - b) }));
            }
        }
        best.map(|(_, split)| split)
    })
}
