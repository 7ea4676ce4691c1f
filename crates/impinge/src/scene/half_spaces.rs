//! Half-spaces of a scene: floors and walls.
use super::Scene;
use crate::{
    Error, ErrorKind, HalfSpace, Mesh, Model, Pose,
    body_id::BodyId,
    broad_phase::Aabb,
    vector::{UNIT, Vector, dot},
};
use std::sync::Arc;

impl Scene {
    /// Adds a half-space: a floor, a wall, a limit of the workspace. It meets the bodies that have a point in
    /// it, or come as near as their radius; two half-spaces are not tested against each other. Margins,
    /// filters and allowed pairs are those of other bodies. Contacts give its triangle as 0.
    ///
    /// An update tests all bodies' boxes against each half-space.
    ///
    /// # Errors
    /// The scene has 2^31 bodies.
    ///
    /// ```
    /// use impinge::{HalfSpace, Mesh, Model, Pose, Scene, scene::Detail};
    /// use std::sync::Arc;
    /// let cube = Arc::new(Model::new(Mesh::cuboid([2.; 3])?));
    /// let mut scene = Scene::new();
    /// let floor = scene.add_half_space(HalfSpace::new([0., 0., 1.], 0.)?)?;
    /// let cube = scene.add(cube, Pose::from_translation([0., 0., 1.])?)?;
    /// // It stands on the floor.
    /// scene.update(Detail::Counts);
    /// assert_eq!(scene.contacts()[0].bodies, [floor, cube]);
    /// // The triangles with a corner on the floor.
    /// assert_eq!(scene.contacts()[0].triangle_pairs, Some(10));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("add_plane", "ground", "floor"))]
    pub fn add_half_space(&mut self, half_space: HalfSpace) -> Result<BodyId, Error> {
        let id = self.fill(empty(), Pose::IDENTITY)?;
        self.slots[id.slot()].half_space = Some(half_space);
        Ok(id)
    }
    /// Moves a half-space.
    ///
    /// # Errors
    /// The scene has no such body, or it is no half-space.
    pub fn set_half_space(&mut self, body: BodyId, half_space: HalfSpace) -> Result<(), Error> {
        if self.half_space(body)?.is_none() {
            return Err(ErrorKind::WrongKindOfBody { body, is_half_space: false }.into());
        }
        let slot = &mut self.slots[body.slot()];
        slot.half_space = Some(half_space);
        // Another number of the model: no proof for the old place holds.
        slot.set_model(empty());
        self.touch(body.slot() as u32);
        Ok(())
    }
    /// The half-space that a body is, if it is one.
    ///
    /// # Errors
    /// The scene has no such body.
    pub fn half_space(&self, body: BodyId) -> Result<Option<HalfSpace>, Error> {
        Ok(self.slot(body)?.1.half_space)
    }

    /// Checks that a body has a mesh.
    pub(super) fn check_mesh(&self, body: BodyId) -> Result<(), Error> {
        match self.half_space(body)? {
            Some(_) => Err(ErrorKind::WrongKindOfBody { body, is_half_space: true }.into()),
            None => Ok(()),
        }
    }

    /// Adds the pairs of a half-space and a body whose box may be within their margin to the candidates.
    pub(super) fn add_half_space_pairs(&mut self) {
        for (h, half) in (0..).zip(&self.slots) {
            let Some(half_space) = half.half_space.filter(|_| half.model.is_some()) else { continue };
            let growth = self.margins.growth(half);
            for (s, aabb) in (0..).zip(&self.boxes) {
                // Empty boxes are those of half-spaces and of slots without a mesh.
                if aabb.lo[0] <= aabb.hi[0] && !is_above(aabb, &half_space, growth) {
                    self.candidates.push([h.min(s), h.max(s)]);
                }
            }
        }
    }
}

/// An empty model.
fn empty() -> Arc<Model> {
    Arc::new(Model::new(Mesh::default()))
}

/// True if a box is certainly farther from a half-space than a distance.
///
/// Its lowest corner x has n.x - d, which is off by 4 u of the sum of all sizes. The normal's length is at
/// most the sum of its components.
fn is_above(aabb: &Aabb, half_space: &HalfSpace, distance: f64) -> bool {
    let (n, d) = (half_space.normal, half_space.offset);
    let corner: Vector = [0, 1, 2].map(|k| if n[k] > 0.0 { aabb.lo[k] } else { aabb.hi[k] });
    let sizes = dot(n.map(f64::abs), corner.map(f64::abs)) + d.abs();
    let within = (n[0].abs() + n[1].abs() + n[2].abs()) * distance * (1.0 + 8.0 * UNIT);
    // False for NaN.
    dot(n, corner) - d > within + 16.0 * UNIT * sizes + 4.0 * f64::MIN_POSITIVE && sizes < f64::INFINITY
}
