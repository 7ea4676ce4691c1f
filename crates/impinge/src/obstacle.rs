//! What a body may meet.
use crate::{AnyBody, Body, HalfSpace, margin::Margin};

/// What the second operand of a query may be: an [`AnyBody`] or a [`HalfSpace`]. No other type can implement
/// it.
///
/// ```
/// use impinge::{Body, HalfSpace, Model, Pose, Query};
/// // A sphere of radius 1, which touches the floor.
/// let center = Model::points(&[[0., 0., 1.]])?;
/// let sphere = Body::new(&center, Pose::IDENTITY).rounded(1.)?;
/// let floor = HalfSpace::new([0., 0., 1.], 0.)?;
/// let mut query = Query::new();
/// assert!(query.intersects(&sphere, &floor));
/// let above = Body::new(&center, Pose::from_translation([0., 0., 4.])?).rounded(1.)?;
/// let gap = query.distance(&above, &floor).expect("it has triangles");
/// assert!(gap.lo <= 4. && 4. <= gap.hi && gap.hi - gap.lo < 1e-12);
/// # Ok::<(), impinge::Error>(())
/// ```
pub trait Obstacle: private::SealedObstacle + Sync {
    /// What it is.
    #[doc(hidden)]
    fn obstacle(&self) -> private::ObstacleRef<'_>;
}

impl<B: AnyBody> private::SealedObstacle for B {}
impl<B: AnyBody> Obstacle for B {
    #[inline(always)]
    fn obstacle(&self) -> private::ObstacleRef<'_> {
        private::ObstacleRef::Body(self.any_body(), self.any_radius())
    }
}

impl private::SealedObstacle for HalfSpace {}
impl Obstacle for HalfSpace {
    #[inline(always)]
    fn obstacle(&self) -> private::ObstacleRef<'_> {
        private::ObstacleRef::HalfSpace(self)
    }
}

mod private {
    use crate::{Body, HalfSpace};

    /// A trait that other crates cannot name.
    pub trait SealedObstacle {}

    /// A body and its radius, or a half-space.
    #[derive(Clone, Copy, Debug)]
    pub enum ObstacleRef<'a> {
        Body(&'a Body<'a>, f64),
        HalfSpace(&'a HalfSpace),
    }
}

pub(crate) use self::private::ObstacleRef;

/// The operands of a query, and the margin within which their triangles, or the triangles of the body and the
/// half-space, are if the operands are within the query's margin.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operands<'a> {
    Bodies([&'a Body<'a>; 2], Margin),
    HalfSpace(&'a Body<'a>, &'a HalfSpace, Margin),
}

/// The operands of a query with this margin.
#[inline(always)]
pub(crate) fn operands<'a>(
    a: &'a impl AnyBody,
    b: &'a (impl Obstacle + ?Sized),
    margin: Margin,
) -> Operands<'a> {
    let (a, radius) = (a.any_body(), a.any_radius());
    match b.obstacle() {
        ObstacleRef::Body(b, other) => Operands::Bodies([a, b], margin.with_radii([radius, other])),
        ObstacleRef::HalfSpace(b) => Operands::HalfSpace(a, b, margin.with_radii([radius, 0.0])),
    }
}
