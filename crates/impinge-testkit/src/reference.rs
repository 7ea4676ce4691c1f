//! A reference for relations of small bodies that shares nothing with the library: no rays, no vertices that
//! are welded, no triangles that are paired, no floating-point decisions.
//!
//! 1. Placed corners are integers ([`numbers`](self)), or the input is not for this reference.
//! 2. The planes of all triangles cut space into convex cells; exact corners, an exact point in each.
//! 3. On each line edges cancel, or the mesh is open. The winding number of a cell is a sum over signed
//!    tetrahedra.
//! 4. Triangles are cut by the same planes into pieces. A piece is inside of a body if all cells around it
//!    are, and outside if none is.
//! 5. The relation is read off the sets of labels that occur.
mod cells;
mod closed;
mod numbers;
mod pieces;
mod volume;
mod winding;

use self::{
    cells::Arrangement,
    numbers::{Plane, Point, Triangle, integers},
    winding::Winding,
};
use crate::oracle;
use impinge::{Inside, Kind, Mesh, Pose, Status};
use num_bigint::BigInt;
use num_rational::Ratio;

/// Two bodies, cut into cells.
#[derive(Debug)]
pub struct Reference {
    /// Whether each bounds a solid.
    pub status: [Status; 2],
    /// Which points are inside of each.
    pub rules: [Inside; 2],
    /// Whether a triangle of the one meets a triangle of the other.
    pub touching: bool,
    /// What they are to each other.
    pub kind: Kind,
    arrangement: Arrangement,
    /// Of each cell whether it is in each body.
    labels: Vec<[bool; 2]>,
    /// The length of the unit: a power of two.
    unit: i32,
}

/// Where a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Inside,
    Outside,
    /// Some cells around it are inside and some are not.
    Boundary,
}

impl Reference {
    /// What two placed bodies are to each other, by a rule. `None` if their coordinates need too many bits,
    /// or they have too many planes.
    pub fn new(bodies: [(&Mesh, &Pose); 2], rule: Inside) -> Option<Self> {
        let (triangles, unit) = integers(bodies)?;
        // Of open meshes nothing is inside.
        let closed = triangles.each_ref().map(|list| closed::closed(list));
        let planes = (0..2).filter(|&i| closed[i][1]).flat_map(|i| triangles[i].iter().filter_map(Plane::of));
        let arrangement = Arrangement::new(planes)?;
        let mut counts = [Vec::new(), Vec::new()];
        for i in (0..2).filter(|&i| closed[i][1]) {
            let mut winding = Winding::new(&triangles[i]);
            counts[i] =
                arrangement.cells.iter().map(|cell| winding.at(&cell.inside)).collect::<Option<_>>()?;
        }
        let status = [0, 1].map(|i| status(closed[i], &counts[i]));
        let rules =
            status.map(|status| if status == Status::ClosedByParity { Inside::EvenOdd } else { rule });
        let holds =
            |i: usize, cell: usize| counts[i].get(cell).is_some_and(|&counts| holds(rules[i], counts));
        let labels = (0..arrangement.cells.len()).map(|cell| [0, 1].map(|i| holds(i, cell))).collect();
        let touching = touching(bodies);
        let mut made = Self { status, rules, touching, kind: Kind::Apart, arrangement, labels, unit };
        made.kind = made.find_kind(&triangles)?;
        Some(made)
    }
    /// The volume of what is in both bodies.
    pub fn overlap_volume(&self) -> Ratio<BigInt> {
        volume::of_cells(&self.arrangement, |i| self.labels[i] == [true; 2], self.unit)
    }
    /// Where a point is that lies on no plane but those of the pieces that it is from.
    fn place(&self, p: &Point, body: usize) -> Place {
        let mut found = [false; 2];
        for i in self.arrangement.around(p) {
            found[usize::from(self.labels[i][body])] = true;
        }
        match found {
            [true, true] => Place::Boundary,
            [true, false] => Place::Outside,
            _ => Place::Inside,
        }
    }
    fn find_kind(&self, triangles: &[Vec<Triangle>; 2]) -> Option<Kind> {
        let occurs = |label: [bool; 2]| self.labels.contains(&label);
        let otherwise = |kind| if self.touching { kind } else { Kind::Apart };
        Some(match self.status.map(Status::is_closed) {
            [true, true] => match [[true, true], [true, false], [false, true]].map(occurs) {
                [false, ..] => otherwise(Kind::Touch),
                [true, true, true] => Kind::Overlap,
                [true, false, true] => Kind::AInB,
                [true, true, false] => Kind::BInA,
                [true, false, false] => Kind::Same,
            },
            [false, false] => otherwise(Kind::Meet),
            [a_is_solid, _] => {
                let (surface, solid) = if a_is_solid { (1, 0) } else { (0, 1) };
                let mut found = Vec::new();
                for triangle in &triangles[surface] {
                    let points = pieces::pieces(triangle, &self.arrangement.planes)?;
                    found.extend(points.iter().map(|p| self.place(p, solid)));
                }
                match [Place::Inside, Place::Outside].map(|place| found.contains(&place)) {
                    [true, true] => Kind::Pierce,
                    [true, false] => Kind::InsideOpen,
                    _ => otherwise(Kind::Touch),
                }
            }
        })
    }
}

/// Whether a mesh bounds a solid: whether edges cancel with orientation and by parity, and how often it winds
/// round cells.
fn status([oriented, even]: [bool; 2], counts: &[[i32; 2]]) -> Status {
    let winds = |[sum, count]: &[i32; 2]| if oriented { *sum != 0 } else { count % 2 != 0 };
    match (even, counts.iter().any(winds)) {
        (false, _) => Status::Open,
        (true, false) => Status::NoInterior,
        (true, true) => {
            if oriented {
                Status::Closed
            } else {
                Status::ClosedByParity
            }
        }
    }
}

fn holds(rule: Inside, [sum, count]: [i32; 2]) -> bool {
    match rule {
        Inside::NonZero => sum != 0,
        Inside::Positive => sum > 0,
        Inside::EvenOdd => count % 2 != 0,
    }
}

/// Whether a triangle of the one meets a triangle of the other.
fn touching([(a, of_a), (b, of_b)]: [(&Mesh, &Pose); 2]) -> bool {
    (0..a.len() as u32)
        .any(|i| (0..b.len() as u32).any(|j| oracle::intersects(&a.corners(i), of_a, &b.corners(j), of_b)))
}

#[cfg(test)]
mod tests;
