//! Winding numbers near the corners of faces.
use super::{
    Solid,
    winding::{CornerProbe, ProbePosition},
};
use crate::{
    Pose,
    geometry::Geometry,
    posed::probe::{Space, at_limbs},
};

/// The winding number in front of a face, or behind it, near its first corner.
pub(crate) fn at_corner(solid: &Solid, geometry: &Geometry, t: u32, behind: bool) -> i32 {
    near_corner(solid, geometry, t, 0, behind)
}

/// The winding number in front of a face, or behind it, near one of its corners.
pub(crate) fn near_corner(solid: &Solid, geometry: &Geometry, t: u32, corner: usize, behind: bool) -> i32 {
    let (pose, mut corners) = (&Pose::IDENTITY, geometry.mesh().corners(t));
    corners.rotate_left(corner);
    let space = Space::new([pose; 2], [&solid.bits; 2]);
    let near = ProbePosition { point: corners[0], error: 0.0 };
    at_limbs!(space.limbs, N => {
        let probe = CornerProbe::<N>::new(&space, [pose; 2], 0, corners);
        let probe = if behind { probe.below() } else { probe };
        solid.placed(geometry, 0, 1).winding(near, &probe)
    })
}
