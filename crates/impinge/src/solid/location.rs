//! Location of points relative to a solid.
use super::{CornerProbe, FillRule, PlacedChain, ProbePosition, Solid};
use crate::{
    Pose, exact,
    geometry::{self, Geometry},
    motion::Motion,
    posed::probe::{CoordinateBits, Space, at_limbs},
    triangle::decide::Poses,
    vector::Vector,
};

/// Location of a point relative to a solid.
#[doc(alias = "Bounded_side")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Location {
    /// A point inside of a solid, on no triangle of it.
    Inside,
    /// A point outside of a solid.
    Outside,
    /// A point on a triangle.
    OnSurface,
    /// A point on no triangle of a mesh that bounds no solid, because the mesh is open or has no interior.
    Undefined,
}

/// Exact location of a point of the world relative to a placed mesh. O(n) until boxes are built.
pub(crate) fn locate(
    solid: &Solid,
    at: geometry::PlacedGeometry<'_>,
    point: Vector,
    fill_rule: FillRule,
) -> Location {
    locate_at(solid, at, &Pose::IDENTITY, point, fill_rule)
}

/// Exact location of a point at a pose relative to a placed mesh. O(n) until boxes are built.
pub(crate) fn locate_at(
    solid: &Solid,
    at: geometry::PlacedGeometry<'_>,
    pose: &Pose,
    point: Vector,
    fill_rule: FillRule,
) -> Location {
    let placed = solid.placed(at.geometry, 1, exact::handedness(at.pose.rows()));
    let near = ProbePosition::of(&Motion::between(pose, at.pose), point, 0.0);
    if placed.is_beyond(near) {
        return if solid.status().is_closed() { Location::Outside } else { Location::Undefined };
    }
    let poses = Poses::new(pose, at.pose);
    if placed.is_any_at(near, |t| poses.meet(&[point; 3], &at.geometry.mesh().corners(t))) {
        return Location::OnSurface;
    }
    if !solid.status().is_closed() {
        return Location::Undefined;
    }
    let winding = winding(placed, point, near, [pose, at.pose], &solid.bits);
    if solid.rule(fill_rule).holds(winding) { Location::Inside } else { Location::Outside }
}

/// The winding number at a point of a mesh's own frame that is on no face.
pub(super) fn winding_at(solid: &Solid, geometry: &Geometry, point: Vector) -> i32 {
    let poses = [&Pose::IDENTITY; 2];
    winding(solid.placed(geometry, 1, 1), point, ProbePosition { point, error: 0.0 }, poses, &solid.bits)
}

/// The winding number of a mesh, the second body, at a point of the first one that is on no face.
fn winding(
    placed: PlacedChain<'_>,
    point: Vector,
    near: ProbePosition,
    poses: [&Pose; 2],
    bits: &CoordinateBits,
) -> i32 {
    let space = Space::new(poses, [&CoordinateBits::of_points(&[point, [1.0; 3]]), bits]);
    // A triangle with the point as a corner.
    let aside = |k: usize| {
        let mut corner = point;
        corner[k] = if corner[k] == 0.0 { 1.0 } else { 0.0 };
        corner
    };
    at_limbs!(space.limbs, N => {
        placed.winding(near, &CornerProbe::<N>::new(&space, poses, 0, [point, aside(0), aside(1)]))
    })
}
