//! [`Proxy`]: a union of balls and bodies that stands for a part.
use super::{candidates::ElementTree, cylinder::Cylinder, element::Element, union::union_of};
use crate::{Error, ErrorKind, Model, Rounded, model::checked_radius};
use std::sync::OnceLock;

/// A union of balls, capsules, hulls and other bodies, with or without radii, that stands for a part.
///
/// ```
/// use impinge::{Body, Mesh, Model, Pose, coverage::Proxy};
/// let segment = Model::segment([0.; 3], [0., 0., 1.])?;
/// let hull = Model::new(Mesh::hull(&[[0.; 3], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]])?);
/// let proxy = Proxy::balls(&[[0., 0., 0., 0.5]])?
///     .with(Body::new(&segment, Pose::IDENTITY).rounded(0.25)?)
///     .with(Body::new(&hull, Pose::IDENTITY));
/// assert_eq!(proxy.len(), 3);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Proxy<'a> {
    pub(super) elements: Vec<Element<'a>>,
    /// Made at first use.
    tree: OnceLock<ElementTree>,
    /// Made where numbers leave a result undecided.
    union: OnceLock<Option<Model>>,
}

impl<'a> Proxy<'a> {
    /// Nothing, which covers nothing.
    pub fn new() -> Self {
        Self::default()
    }
    /// Balls, each x, y, z and radius in the world.
    ///
    /// # Errors
    /// A coordinate that is not finite, or a radius as [`Body::rounded`](crate::Body::rounded) refuses it.
    pub fn balls(balls: &[[f64; 4]]) -> Result<Self, Error> {
        balls.iter().try_fold(Self::new(), |proxy, &[x, y, z, radius]| proxy.with_ball([x, y, z], radius))
    }
    /// The same and a ball.
    ///
    /// # Errors
    /// As [`Proxy::balls`].
    pub fn with_ball(self, center: [f64; 3], radius: f64) -> Result<Self, Error> {
        if !center.iter().all(|x| x.is_finite()) {
            return Err(ErrorKind::CenterNotFinite { ball: self.len(), center }.into());
        }
        Ok(self.and(Element::Ball { center, radius: checked_radius(radius)? }))
    }
    /// The same and a body.
    pub fn with(self, body: impl Into<Rounded<'a>>) -> Self {
        self.and(Element::of(body.into()))
    }
    fn and(mut self, element: Element<'a>) -> Self {
        self.elements.push(element);
        Self { elements: self.elements, ..Self::default() }
    }
    /// The same and a solid cylinder: the points between the planes through both ends, across the axis, that
    /// are no farther from the axis than the radius.
    ///
    /// # Errors
    /// A coordinate that is not finite, or a radius as [`Body::rounded`](crate::Body::rounded) refuses it.
    pub fn with_cylinder(self, ends: [[f64; 3]; 2], radius: f64) -> Result<Self, Error> {
        if let Some(&center) = ends.iter().find(|end| !end.iter().all(|x| x.is_finite())) {
            return Err(ErrorKind::CenterNotFinite { ball: self.elements.len(), center }.into());
        }
        Ok(self.and(Element::Cylinder(Cylinder { ends, radius: checked_radius(radius)? })))
    }
    /// The union of its convex solids, exactly, but for those at poses that round their corners.
    pub(super) fn union(&self) -> Option<&Model> {
        self.union.get_or_init(|| union_of(&self.elements)).as_ref()
    }
    pub(super) fn tree(&self) -> &ElementTree {
        self.tree.get_or_init(|| ElementTree::new(&self.elements))
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }
    /// True if there is no element.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }
}
