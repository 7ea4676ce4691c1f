//! Faces that need not be cut into cells, because both bodies are the same all along them where it matters.
//!
//! # Where a body is the same
//! Close to a face, in front of it, the winding number of a mesh changes only across its triangles that reach
//! in front of the face's plane: one in this plane, or behind it, is not there. So if no triangle of the mesh
//! that meets the inside of the face does so, a probe at a corner decides for the whole front. The same holds
//! behind. A triangle on the far side of a plane through an edge of the face does not meet its inside.
//!
//! n slabs of one mesh that cross each other, flush with a plate, have faces of some n^2 cells each.
use super::{Question, state::RelationState};
use crate::{
    posed::probe::{self, Exact, PlacedPoints, ProbePlane, at_limbs, world_axis},
    solid::{CornerProbe, ProbePosition},
};
use std::{cell::OnceCell, ops::ControlFlow};

/// The inside of a body in front of a face and behind it, at one of the face's corners; and whether it is the
/// same all over the face.
#[derive(Clone, Copy, Debug, Default)]
struct Halves {
    inside: [bool; 2],
    is_same: [bool; 2],
}

/// The plane of a face, and planes through its edges along an axis. If none is given, it is one along which
/// the face is not seen as a line. `None` for a face without area.
fn planes<P: PlacedPoints>(
    place: &P,
    body: usize,
    face: &[[f64; 3]; 3],
    axis: Option<usize>,
) -> Option<[ProbePlane<P::Number>; 4]> {
    let p = place.corners(body, face);
    let plane = ProbePlane::of(&p);
    let axis = axis.or_else(|| plane.axis())?;
    let beside = |k: usize| ProbePlane::along(&p[k], &p[(k + 1) % 3], &world_axis(axis), &p[k]);
    Some([plane, beside(0), beside(1), beside(2)])
}

impl Question<'_> {
    /// Records the cells beside a face of a solid, near one of its corners. Returns whether the rest of the
    /// face adds nothing. `partners` are the triangles of both bodies, by number, that meet it.
    pub(super) fn note_halves(
        &mut self,
        x: usize,
        t: u32,
        partners: &[(usize, u32)],
    ) -> ControlFlow<(), bool> {
        if self.is_solid != [true; 2] {
            return ControlFlow::Continue(false);
        }
        let reaches = self.reaches(x, t, partners)?;
        let y = 1 - x;
        // If the other body is not the same, cells are needed anyhow.
        if reaches[y] != [false; 2] {
            return ControlFlow::Continue(false);
        }
        let mut halves = [Halves::default(); 2];
        for body in 0..2 {
            halves[body] = Halves {
                inside: self.inside_at_corner(body, x, t),
                is_same: reaches[body].map(|reaches| !reaches),
            };
        }
        let (own, other) = (&halves[x], &halves[y]);
        for half in 0..2 {
            self.state.note(x, own.inside[half], other.inside[half]);
        }
        let is_told =
            |state: &RelationState, half: usize| own.is_same[half] || state.is_told(x, other.inside[half]);
        // A fin has the same on both of its sides.
        let is_fin_told = other.inside[0] != other.inside[1]
            || (0..2).any(|half| own.is_same[half] && own.inside[half])
            || self.state.is_told(x, other.inside[0]);
        let is_done = is_fin_told && (0..2).all(|half| is_told(&self.state, half));
        ControlFlow::Continue(is_done)
    }

    /// For each body, true if triangles that meet the inside of a face reach in front of its plane; true if
    /// they reach behind it.
    fn reaches(&self, x: usize, t: u32, partners: &[(usize, u32)]) -> ControlFlow<(), [[bool; 2]; 2]> {
        let (space, poses) = (self.space(), self.bodies.map(|body| &body.pose));
        let corners = |body: usize, t: u32| self.bodies[body].model.mesh().corners(t);
        let face = corners(x, t);
        at_limbs!(space.limbs, N => {
            let (near, place) = (probe::RoundedPoints::new(poses, x, &face[0]), Exact::<N>(space));
            let all = planes(&near, x, &face, None);
            let axis = all.as_ref().and_then(|planes| planes[0].axis());
            let exact = OnceCell::new();
            // Only a face without area has no planes.
            let side = |k: usize, body: usize, v: &[f64; 3]| {
                let rounded = all.as_ref().and_then(|planes| planes[k].side(&near.point(body, v)));
                rounded.or_else(|| {
                    let planes = exact.get_or_init(|| planes(&place, x, &face, axis).map(Box::new));
                    planes.as_ref()?[k].side(&place.point(body, v))
                })
            };
            let inner = [0, 1, 2].map(|k| side(k + 1, x, &face[(k + 2) % 3]).unwrap_or(0));
            let mut reaches = [[false; 2]; 2];
            for &(body, u) in partners {
                self.stop.check()?;
                if reaches[body] == [true; 2] {
                    continue;
                }
                let corners = corners(body, u);
                let sides = corners.map(|v| side(0, body, &v));
                let reaches_half = |half: i32| sides.iter().any(|side| side.is_none_or(|side| side == half));
                let sides = [reaches_half(1), reaches_half(-1)];
                let is_new = (0..2).any(|half| sides[half] && !reaches[body][half]);
                let is_beside = |k: usize| {
                    inner[k] != 0
                        && corners.iter().all(|v| side(k + 1, body, v).is_some_and(|side| side * inner[k] <= 0))
                };
                if is_new && !(0..3).any(is_beside) {
                    (0..2).for_each(|half| reaches[body][half] |= sides[half]);
                }
            }
            ControlFlow::Continue(reaches)
        })
    }

    /// For the front of a face and for its back, true if a body is inside there, near the first corner.
    fn inside_at_corner(&self, body: usize, x: usize, t: u32) -> [bool; 2] {
        let corners = self.bodies[x].model.mesh().corners(t);
        let near = if body == x {
            ProbePosition { point: corners[0], error: 0.0 }
        } else {
            self.near(x, corners[0])
        };
        let (space, poses) = (self.space(), self.bodies.map(|body| &body.pose));
        let geometry = self.bodies[body].model.geometry();
        let placed = self.solids[body].placed(geometry, body, self.handedness[body]);
        at_limbs!(space.limbs, N => {
            let inside = |probe: CornerProbe<'_, N>| self.rules[body].holds(placed.winding(near, &probe));
            let probe = || CornerProbe::<N>::new(space, poses, x, corners);
            [inside(probe()), inside(probe().below())]
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Body, Mesh, Model, Pose, Query, brute_force, relation::RelationKind, samples::rng::Rng,
        solid::FillRule, stop::looks::counted,
    };
    use std::sync::{Arc, atomic::AtomicBool};

    type Cuboid = [[f64; 3]; 2];

    /// Boxes, each turned about the z axis.
    fn model(boxes: impl Iterator<Item = (Cuboid, f64)>) -> Model {
        let (mut points, mut faces) = (Vec::new(), Vec::new());
        for (corners, angle) in boxes {
            let (first, (s, c)) = (points.len() as u32, angle.sin_cos());
            points.extend((0..8).map(|i| {
                let [x, y, z] = [0, 1, 2].map(|k| corners[i >> k & 1][k]);
                [c * x - s * y, s * x + c * y, z]
            }));
            let sides: [[u32; 3]; 12] = [
                [0, 2, 3],
                [0, 3, 1],
                [4, 5, 7],
                [4, 7, 6],
                [0, 1, 5],
                [0, 5, 4],
                [2, 6, 7],
                [2, 7, 3],
                [0, 4, 6],
                [0, 6, 2],
                [1, 3, 7],
                [1, 7, 5],
            ];
            faces.extend(sides.map(|t| t.map(|v| first + v)));
        }
        Model::new(Mesh::new(points, faces).unwrap())
    }

    fn slabs(n: u32, z: [f64; 2]) -> Model {
        let slab = |i: u32| {
            let lift = if i == 0 { 0.0 } else { z[1] - 1.0 };
            let corners = [[-5.0, -0.01, z[0]], [5.0, 0.01, 1.0 + lift]];
            (corners, std::f64::consts::PI * f64::from(i) / f64::from(n))
        };
        model((0..n).map(slab))
    }

    /// The work grows with the number of pairs of slabs that cross, and not with that of cells of their
    /// faces.
    #[test]
    fn slabs_flush_with_a_plate_are_not_cut() {
        let plate = model([([[-6.0, -6.0, -1.0], [6.0, 6.0, 1.0]], 0.0)].into_iter());
        for rule in [FillRule::NonZero, FillRule::Positive, FillRule::EvenOdd] {
            let looks = [6, 12].map(|n| {
                let (model, flag) = (slabs(n, [-1.0, 1.0]), Arc::new(AtomicBool::new(false)));
                let [a, b] = [&model, &plate].map(|model| Body::new(model, Pose::IDENTITY));
                let mut query = Query::new().fill_rule(rule);
                let ask = || query.with_stop(&flag, |query| query.relation(&a, &b).kind);
                let (kind, looks) = counted(u64::MAX, ask);
                assert_eq!(kind, Ok(RelationKind::Inside));
                looks
            });
            assert!(looks[1] < 5 * looks[0], "{rule:?}: {looks:?}");
        }
    }

    /// Some slabs reach out of the plate, or end below its top.
    #[test]
    fn halves_are_those_of_cells() {
        let plate = model([([[-6.0, -6.0, -1.0], [6.0, 6.0, 1.0]], 0.0)].into_iter());
        let other = model([([[0.0, -6.0, -1.0], [6.0, 6.0, 1.0]], 0.3)].into_iter());
        for z in [[-1.0, 1.0], [-1.0, 1.5], [-1.0, 0.5], [-1.5, 1.0], [1.0, 2.0], [-0.5, 0.5]] {
            let model = slabs(4, z);
            for with in [&plate, &other] {
                agree([&model, with], Pose::IDENTITY, &format!("{z:?}"));
            }
        }
    }

    /// Parts of boxes on a small grid, most of them flush with others, as they are and mirrored.
    #[test]
    fn boxes_on_a_grid_are_as_their_cells() {
        let mut rng = Rng::new(4934);
        let mirror = Pose::affine([[0.0, 1.0, 0.0], [1.0, 0.25, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
        for round in 0..60 {
            let mut boxes = |most: i64, side: i64| {
                let mut one = || {
                    let lo = [0; 3].map(|_: i64| rng.int(0, side - 1));
                    let hi = lo.map(|lo| rng.int(lo + 1, side));
                    ([lo, hi].map(|corner| corner.map(|x| x as f64)), 0.0)
                };
                let all: Vec<_> = (0..most).map(|_| one()).collect();
                model(all.into_iter())
            };
            let [a, b] = [boxes(7, 3), boxes(1 + round % 3, 4)];
            agree([&a, &b], if round % 2 == 0 { Pose::IDENTITY } else { mirror }, &format!("{round}"));
        }
    }

    fn agree(models: [&Model; 2], pose: Pose, context: &str) {
        let [a, b] = models.map(|model| Body::new(model, pose));
        for (a, b) in [(&a, &b), (&b, &a)] {
            for rule in [FillRule::NonZero, FillRule::Positive, FillRule::EvenOdd] {
                let found = Query::new().fill_rule(rule).relation(a, b).kind;
                assert_eq!(found, brute_force::relation(a, b, rule).kind, "{context} {rule:?}");
            }
        }
    }
}
