//! Where points lie in relation to a solid.
use super::{Closedness, CornerProbe, FillRule, Near, Solid};
use crate::{
    Pose, exact, geometry,
    motion::Motion,
    posed::probe::{CoordinateBits, Space, at_limbs},
    triangle::decide::Poses,
    vector::Vector,
};

/// Where a point lies.
#[doc(alias = "Bounded_side")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Location {
    /// Inside of a solid, on no triangle of it.
    Inside,
    /// Outside.
    Outside,
    /// On a triangle.
    OnSurface,
    /// On no triangle of a mesh that does not bound a solid.
    Undefined,
}

/// Where a point of the world lies, of a placed mesh: exact. O(n) until boxes are made.
pub(crate) fn locate(
    solid: &Solid,
    at: geometry::Placed<'_>,
    point: Vector,
    fill_rule: FillRule,
) -> Location {
    let placed = solid.placed(at.geometry, 1, exact::handedness(at.pose.rows()));
    let near = Near::of(&Motion::between(&Pose::IDENTITY, at.pose), (point, 0.0));
    if placed.is_beyond(near) {
        return if solid.status() == Closedness::Open { Location::Undefined } else { Location::Outside };
    }
    let poses = Poses::new(&Pose::IDENTITY, at.pose);
    if placed.is_any_at(near, |t| poses.meet(&[point; 3], &at.geometry.mesh().corners(t))) {
        return Location::OnSurface;
    }
    if solid.status() == Closedness::Open {
        return Location::Undefined;
    }
    let space =
        Space::new([&Pose::IDENTITY, at.pose], [&CoordinateBits::of_points(&[point, [1.0; 3]]), &solid.bits]);
    // A triangle with the point as a corner.
    let aside = |k: usize| {
        let mut corner = point;
        corner[k] = if corner[k] == 0.0 { 1.0 } else { 0.0 };
        corner
    };
    let poses = [&Pose::IDENTITY, at.pose];
    let winding = at_limbs!(space.limbs, N => {
        placed.winding(near, &CornerProbe::<N>::new(&space, poses, 0, [point, aside(0), aside(1)]))
    });
    if solid.rule(fill_rule).holds(winding) { Location::Inside } else { Location::Outside }
}
