//! A reference for relations of small bodies that shares nothing with the library: no rays, no welded
//! vertices, no paired triangles, no floating-point decisions.
//!
//! 1. Placed corners are integers ([`numbers`](self)), or the reference refuses the input.
//! 2. The planes of all triangles cut space into convex cells, with exact corners and an exact point in each.
//! 3. On each line edges cancel, or the mesh is open. The winding number of a cell is a sum over signed
//!    tetrahedra.
//! 4. The same planes cut triangles into pieces. A piece is inside a body if all cells around it are, and
//!    outside if none is. Pieces outside their own body's inside are fins.
//! 5. The relation follows from the cells that occur (in both bodies, in one only), and from fins in the
//!    other's inside or outside the other body.
//!
//! `docs/solids.md` defines bodies and the kinds of relations.
mod cells;
mod closed;
mod numbers;
mod pieces;
mod volume;
mod winding;

use self::{
    cells::Arrangement,
    numbers::{IntegerTriangle, Plane, RationalPoint, integers},
    pieces::pieces,
    winding::Winding,
};
use crate::oracle;
use impinge::{
    Mesh, Pose,
    relation::RelationKind,
    solid::{Closedness, FillRule},
};
use num_bigint::BigInt;
use num_rational::Ratio;

/// Two bodies, cut into cells.
#[derive(Debug)]
pub struct Reference {
    /// Status of each body as a solid.
    pub status: [Closedness; 2],
    /// The rule of each for its inside.
    pub rules: [FillRule; 2],
    /// True if a triangle of one meets a triangle of the other.
    pub touching: bool,
    /// The relation.
    pub kind: RelationKind,
    arrangement: Arrangement,
    /// Bodies that contain each cell.
    labels: Vec<[bool; 2]>,
    /// The length of the unit, as an exponent of two.
    unit: i32,
}

/// Location of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Inside,
    Outside,
    /// Some cells around it are inside and some are not.
    Boundary,
}

impl Reference {
    /// Computes the relation of two placed bodies by a rule. `None` if their coordinates need too many bits,
    /// or they have too many planes.
    pub fn new(bodies: [(&Mesh, &Pose); 2], rule: FillRule) -> Option<Self> {
        let (mut triangles, unit) = integers(bodies)?;
        // The front of a triangle is that in the stored mesh, also at a mirroring pose.
        for (triangles, (_, pose)) in triangles.iter_mut().zip(bodies) {
            if is_mirroring(pose) {
                triangles.iter_mut().for_each(|t| t.swap(0, 1));
            }
        }
        // Open meshes have no inside.
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
            status.map(|status| if status == Closedness::ClosedByEvenOdd { FillRule::EvenOdd } else { rule });
        let holds =
            |i: usize, cell: usize| counts[i].get(cell).is_some_and(|&counts| holds(rules[i], counts));
        let labels = (0..arrangement.cells.len()).map(|cell| [0, 1].map(|i| holds(i, cell))).collect();
        let touching = touching(bodies);
        let mut made = Self { status, rules, touching, kind: RelationKind::Apart, arrangement, labels, unit };
        made.kind = made.find_kind(&triangles)?;
        Some(made)
    }
    /// The exact volume of the intersection of the insides.
    pub fn overlap_volume(&self) -> Ratio<BigInt> {
        volume::of_cells(&self.arrangement, |i| self.labels[i] == [true; 2], self.unit)
    }
    /// Location of a point of a piece. It is on no plane of the body, except perhaps the plane of its piece.
    fn place(&self, p: &RationalPoint, body: usize) -> Place {
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
    fn find_kind(&self, triangles: &[Vec<IntegerTriangle>; 2]) -> Option<RelationKind> {
        let is_solid = self.status.map(Closedness::is_closed);
        let occurs = |label: [bool; 2]| self.labels.contains(&label);
        let both = occurs([true, true]);
        let mut outside = [occurs([true, false]), occurs([false, true])];
        let mut has_fin_inside = false;
        if is_solid != [false; 2] {
            for (own, outside) in outside.iter_mut().enumerate() {
                let found = self.fins(triangles, own)?;
                *outside |= found.outside;
                has_fin_inside |= found.inside;
            }
        }
        Some(match (both, has_fin_inside, outside) {
            (true, _, [true, true]) => RelationKind::Overlap,
            (true, _, [false, true]) => RelationKind::Inside,
            (true, _, [true, false]) => RelationKind::Contains,
            (true, _, [false, false]) => RelationKind::Duplicate,
            (false, true, [true, true]) => RelationKind::Pierce,
            (false, true, _) => RelationKind::SurfaceInside,
            (false, false, _) if !self.touching => RelationKind::Apart,
            (false, false, _) => {
                if is_solid == [false; 2] {
                    RelationKind::Meet
                } else {
                    RelationKind::Touch
                }
            }
        })
    }
    /// Location of fins of one body in the other.
    fn fins(&self, triangles: &[Vec<IntegerTriangle>; 2], own: usize) -> Option<Fins> {
        let (mut found, other) = (Fins::default(), 1 - own);
        let own_planes: Vec<Plane> = triangles[own].iter().filter_map(Plane::of).collect();
        for triangle in &triangles[own] {
            let Some(plane) = Plane::of(triangle) else { continue };
            // Most triangles of a solid have no part that is a fin. The planes of their own body show that.
            let is_fin = |p: &RationalPoint| self.place(p, own) == Place::Outside;
            if self.status[own].is_closed() && !pieces(triangle, &own_planes)?.iter().any(is_fin) {
                continue;
            }
            let beside: Vec<&IntegerTriangle> =
                triangles[other].iter().filter(|t| Plane::of(t) == Some(plane)).collect();
            let edges: Vec<Plane> = beside.iter().filter_map(|t| Plane::through_edges(t)).flatten().collect();
            let pieces = pieces(triangle, self.arrangement.planes.iter().chain(&edges))?;
            for p in pieces.iter().filter(|p| is_fin(p)) {
                match self.place(p, other) {
                    Place::Inside => found.inside = true,
                    Place::Outside => found.outside |= !beside.iter().any(|t| covers(t, p)),
                    Place::Boundary => {}
                }
            }
        }
        Some(found)
    }
}

/// Places of fins: true if they have points in the other body's inside, and outside the other body.
#[derive(Default)]
struct Fins {
    inside: bool,
    outside: bool,
}

/// True if p is in the triangle. It must be in the triangle's plane, and on no line through an edge.
fn covers(triangle: &IntegerTriangle, p: &RationalPoint) -> bool {
    Plane::through_edges(triangle).is_some_and(|edges| {
        (0..3).all(|i| edges[i].value_at(triangle[(i + 2) % 3]).signum() == edges[i].value(p).signum())
    })
}

fn is_mirroring(pose: &Pose) -> bool {
    let [a, b, c] = pose.rows().map(|row| row.map(|x| oracle::Term::of(x).rational()));
    let minor = |i: usize, j: usize| &b[i] * &c[j] - &b[j] * &c[i];
    let determinant = &a[0] * minor(1, 2) + &a[1] * minor(2, 0) + &a[2] * minor(0, 1);
    determinant < Ratio::from_integer(BigInt::ZERO)
}

/// Status of a mesh as a solid. Its edges cancel with orientation if `oriented`, and by parity if `even`.
/// `counts` are its winding numbers in the cells.
fn status([oriented, even]: [bool; 2], counts: &[[i32; 2]]) -> Closedness {
    let winds = |[sum, count]: &[i32; 2]| if oriented { *sum != 0 } else { count % 2 != 0 };
    match (even, counts.iter().any(winds)) {
        (false, _) => Closedness::Open,
        (true, false) => Closedness::NoInterior,
        (true, true) => {
            if oriented {
                Closedness::Closed
            } else {
                Closedness::ClosedByEvenOdd
            }
        }
    }
}

fn holds(rule: FillRule, [sum, count]: [i32; 2]) -> bool {
    match rule {
        FillRule::NonZero => sum != 0,
        FillRule::Positive => sum > 0,
        FillRule::EvenOdd => count % 2 != 0,
    }
}

/// True if a triangle of one meets a triangle of the other.
fn touching([(a, of_a), (b, of_b)]: [(&Mesh, &Pose); 2]) -> bool {
    (0..a.len() as u32)
        .any(|i| (0..b.len() as u32).any(|j| oracle::intersects(&a.corners(i), of_a, &b.corners(j), of_b)))
}

#[cfg(test)]
mod tests;
