//! Bodies that do not meet, and are within their margins.
use super::{Scene, margins::Proximity};
use crate::{
    Error, Pose,
    body_id::BodyId,
    margin::Margin,
    model::{Shape, checked_radius},
};
use std::{collections::BTreeMap, sync::Arc};

impl Scene {
    /// Sets the margin of all bodies: [`near`](Self::near) lists pairs that do not meet and are no further
    /// apart. It is 0 at first; then no pair is listed.
    ///
    /// A body or a pair may have a margin of its own. The margin of two bodies is the pair's, or else the
    /// larger of both bodies'.
    ///
    /// ```
    /// use impinge::{scene::Detail, distance::Margin, Mesh, Model, Pose, Scene};
    /// use std::sync::Arc;
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Arc::new(Model::new(triangle));
    /// let mut scene = Scene::new();
    /// let a = scene.add(Arc::clone(&model), Pose::IDENTITY)?;
    /// let b = scene.add(model, Pose::from_translation([2.5, 0., 0.])?)?;
    /// scene.set_margin(Margin::new(0.5)?);
    /// scene.update(Detail::Bodies);
    /// assert!(scene.contacts().is_empty());
    /// assert_eq!(scene.near()[0].bodies, [a, b]);
    /// assert!(scene.near()[0].gap.lo <= 0.5 && 0.5 <= scene.near()[0].gap.hi);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn set_margin(&mut self, margin: Margin) {
        self.margins.is_used = true;
        if self.margins.all != margin.get() {
            self.margins.all = margin.get();
            (0..self.slots.len() as u32).for_each(|slot| self.touch(slot));
        }
    }
    /// Sets the margin of a body; `None` for the margin of all.
    ///
    /// # Errors
    /// The scene has no such body.
    pub fn set_body_margin(&mut self, body: BodyId, margin: Option<Margin>) -> Result<(), Error> {
        self.slot(body)?;
        self.margins.is_used = true;
        self.slots[body.slot()].margin = margin.map(Margin::get);
        self.touch(body.slot() as u32);
        Ok(())
    }
    /// Sets the margin of a pair of bodies; `None` for no margin of its own. It is dropped when one of them
    /// is removed.
    ///
    /// # Errors
    /// The scene does not have both bodies.
    pub fn set_pair_margin(&mut self, [a, b]: [BodyId; 2], margin: Option<Margin>) -> Result<(), Error> {
        self.slot(a)?;
        self.slot(b)?;
        self.margins.is_used = true;
        let pair = [a.min(b), a.max(b)];
        match margin {
            Some(margin) => self.margins.pairs.insert(pair, margin.get()),
            None => self.margins.pairs.remove(&pair),
        };
        self.grow(a);
        self.grow(b);
        Ok(())
    }
    /// Adds a body of a shape: its model, with its radius.
    ///
    /// # Errors
    /// As [`Scene::add`].
    pub fn add_shape(&mut self, shape: &Shape, pose: Pose) -> Result<BodyId, Error> {
        let body = self.add(Arc::clone(shape.model()), pose)?;
        self.slots[body.slot()].radius = shape.radius();
        Ok(body)
    }
    /// Sets the radius of a body, as of a [`Rounded`](crate::Rounded) one; it is 0 at first. The radii of two
    /// bodies add up. Bodies whose triangles are no farther apart than the sum, which is not rounded, meet;
    /// margins count from there. With a radius, a contact's pairs of triangles are those within the sum, and
    /// [`Detail`](crate::scene::Detail) `Relations` finds bodies inside others, but gives no relation.
    ///
    /// # Errors
    /// The scene has no such body, it is a half-space, or the radius is one that
    /// [`Body::rounded`](crate::Body::rounded) refuses.
    ///
    /// ```
    /// use impinge::{scene::Detail, Model, Pose, Scene};
    /// use std::sync::Arc;
    /// let point = Arc::new(Model::points(&[[0.; 3]])?);
    /// let mut scene = Scene::new();
    /// let a = scene.add(Arc::clone(&point), Pose::IDENTITY)?;
    /// let b = scene.add(point, Pose::from_translation([3., 4., 0.])?)?;
    /// // Two spheres that touch.
    /// scene.set_radius(a, 2.)?;
    /// scene.set_radius(b, 3.)?;
    /// scene.update(Detail::Bodies);
    /// assert_eq!(scene.contacts()[0].bodies, [a, b]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn set_radius(&mut self, body: BodyId, radius: f64) -> Result<(), Error> {
        self.check_mesh(body)?;
        self.slots[body.slot()].radius = checked_radius(radius)?;
        self.touch(body.slot() as u32);
        Ok(())
    }
    /// The radius of a body.
    ///
    /// # Errors
    /// The scene has no such body.
    pub fn radius(&self, body: BodyId) -> Result<f64, Error> {
        Ok(self.slot(body)?.1.radius)
    }
    /// The pairs of bodies that did not meet at the last update, and were no further apart than their margin,
    /// sorted. Empty if that update was stopped.
    ///
    /// Distances are those of surfaces, less the radii: a body that is deep inside another is far from it;
    /// [`Detail`](crate::scene::Detail) `Relations` finds such pairs.
    pub fn near(&self) -> &[Proximity] {
        &self.near
    }
    /// The pairs that were near at the update before the last and are not at the last: they parted, or they
    /// meet, or one was removed, or a filter or a margin now excludes them. Sorted.
    pub fn near_ended(&self) -> &[[BodyId; 2]] {
        &self.near_ended
    }

    pub(super) fn drop_margins(&mut self, body: BodyId) {
        let (gone, kept) = std::mem::take(&mut self.margins.pairs)
            .into_iter()
            .partition(|(pair, _): &([BodyId; 2], f64)| pair.contains(&body));
        self.margins.pairs = kept;
        let gone: BTreeMap<[BodyId; 2], f64> = gone;
        for [a, b] in gone.into_keys() {
            self.grow(if a == body { b } else { a });
        }
    }
    /// Notes the largest margin of a body's pairs.
    fn grow(&mut self, body: BodyId) {
        let pairs = self.margins.pairs.iter().filter(|(pair, _)| pair.contains(&body));
        self.slots[body.slot()].most_of_pairs = pairs.fold(0.0, |most, (_, &margin)| most.max(margin));
        self.touch(body.slot() as u32);
    }
}
