//! Bodies: models at poses, and half-spaces.
use crate::{
    border::vector,
    handle::{Shell, create, exclusive, free, handle, shared},
    model::impinge_model,
    pose::{Maps, checked, impinge_pose},
    status::{Done, Failure, call, impinge_status},
};
use impinge::{Body, HalfSpace, Model, Obstacle, Pose, Rounded};
use std::{mem::MaybeUninit, sync::Arc};

/// A model at a pose, perhaps with a radius; or a half-space. Queries read it: threads can share it, as long
/// as none changes it.
pub struct impinge_body(Shell<BodyShape>);
handle!(impinge_body, BodyShape, b"im body ");

pub(crate) enum BodyShape {
    Mesh(MeshBody),
    HalfSpace(HalfSpace),
}

pub(crate) struct MeshBody {
    pub(crate) model: Arc<Model>,
    pub(crate) pose: Pose,
    pub(crate) radius: f64,
    /// The poses that it takes.
    maps: Maps,
}

impl MeshBody {
    pub(crate) fn body(&self) -> Body<'_> {
        Body::new(&self.model, self.pose)
    }
    pub(crate) fn rounded(&self) -> Done<Rounded<'_>> {
        Ok(self.body().rounded(self.radius)?)
    }
}

/// A body as the second operand of queries.
pub(crate) enum Placed<'a> {
    Mesh(Rounded<'a>),
    HalfSpace(&'a HalfSpace),
}

impl<'a> Placed<'a> {
    pub(crate) fn obstacle(&self) -> &(dyn Obstacle + 'a) {
        match self {
            Self::Mesh(body) => body,
            Self::HalfSpace(half_space) => *half_space,
        }
    }
}

impl BodyShape {
    fn mesh(&self) -> Done<&MeshBody> {
        match self {
            Self::Mesh(body) => Ok(body),
            Self::HalfSpace(_) => Err(Failure::unsupported("the body is a half-space, which has no mesh")),
        }
    }
}

/// A body that has a mesh.
pub(crate) fn mesh(body: Option<&impinge_body>) -> Done<&MeshBody> {
    shared(body)?.mesh()
}

/// A body that has a mesh and no radius.
pub(crate) fn surface(body: Option<&impinge_body>) -> Done<Body<'_>> {
    let body = mesh(body)?;
    if body.radius != 0.0 {
        return Err(Failure::unsupported("the body has a radius, which this query does not take"));
    }
    Ok(body.body())
}

/// A body of any kind.
pub(crate) fn placed(body: Option<&impinge_body>) -> Done<Placed<'_>> {
    Ok(match shared(body)? {
        BodyShape::Mesh(body) => Placed::Mesh(body.rounded()?),
        BodyShape::HalfSpace(half_space) => Placed::HalfSpace(half_space),
    })
}

/// Makes a body. It shares the model, which can be freed. NULL as the pose is the identity.
///
/// Errors: a pose that is not rigid. Free the body with impinge_body_free().
#[unsafe(no_mangle)]
pub extern "C" fn impinge_body_new(
    model: Option<&impinge_model>,
    pose: Option<&impinge_pose>,
    out_body: Option<&mut MaybeUninit<*mut impinge_body>>,
) -> impinge_status {
    new(model, pose, Maps::Rigid, out_body)
}

/// Makes a body that takes affine poses, now and in impinge_body_set_pose(). NULL is the identity. A radius
/// is one in the world: the pose does not scale it.
///
/// Errors: a pose that is singular. Free the body with impinge_body_free().
#[unsafe(no_mangle)]
pub extern "C" fn impinge_body_new_affine(
    model: Option<&impinge_model>,
    pose: Option<&impinge_pose>,
    out_body: Option<&mut MaybeUninit<*mut impinge_body>>,
) -> impinge_status {
    new(model, pose, Maps::Affine, out_body)
}

fn new(
    model: Option<&impinge_model>,
    pose: Option<&impinge_pose>,
    maps: Maps,
    out_body: Option<&mut MaybeUninit<*mut impinge_body>>,
) -> impinge_status {
    call(|| {
        create(out_body, || {
            let (model, pose) = (Arc::clone(shared(model)?), checked(pose, maps)?);
            Ok(BodyShape::Mesh(MeshBody { model, pose, radius: 0.0, maps }))
        })
    })
}

/// Makes the half-space of all points x with normal . x <= offset. The normal, three numbers, may have any
/// length but 0. Queries about pairs that meet, distances and sweeps take it as one of two bodies.
///
/// Errors: a number that is NaN or infinite, a normal of length 0. Free the body with impinge_body_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_body_new_half_space(
    normal: *const f64,
    offset: f64,
    out_body: Option<&mut MaybeUninit<*mut impinge_body>>,
) -> impinge_status {
    call(|| {
        create(out_body, || {
            let normal = unsafe { vector(normal, "normal") }?;
            Ok(BodyShape::HalfSpace(HalfSpace::new(normal, offset)?))
        })
    })
}

/// Moves a body. NULL is the identity.
///
/// Errors: a pose that is not rigid, or for a body of impinge_body_new_affine() is singular;
/// IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_body_set_pose(
    body: Option<&mut impinge_body>,
    pose: Option<&impinge_pose>,
) -> impinge_status {
    call(|| match exclusive(body)? {
        BodyShape::Mesh(body) => {
            body.pose = checked(pose, body.maps)?;
            Ok(())
        }
        half_space => half_space.mesh().map(|_| ()),
    })
}

/// Sets the radius of a body, 0 at first: all points no farther than it from the triangles then belong to the
/// body. A mesh of one point is a sphere, one of a segment a capsule. Queries about solids and curves refuse
/// bodies with a radius.
///
/// Errors: a radius that is negative, NaN or more than 2^900; IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_body_set_radius(body: Option<&mut impinge_body>, radius: f64) -> impinge_status {
    call(|| match exclusive(body)? {
        BodyShape::Mesh(body) => {
            body.body().rounded(radius)?;
            body.radius = radius;
            Ok(())
        }
        half_space => half_space.mesh().map(|_| ()),
    })
}

/// Frees a body. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_body_free(body: *mut impinge_body) {
    unsafe { free(body) };
}
