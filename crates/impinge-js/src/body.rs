//! Bodies.
use crate::{
    arrays::{self, Point},
    errors::{error, type_error},
    model::JsModel,
    poses::{self, PoseNumbers},
};
use impinge::{Body, HalfSpace, Model, Obstacle, Pose, Query, Rounded, model::Shape};
use std::{cell::RefCell, sync::Arc};
use wasm_bindgen::prelude::*;

/// A model at a pose, perhaps with a radius, or a half-space: the argument of queries.
#[wasm_bindgen(js_name = Body)]
pub struct JsBody(BodyShape);

enum BodyShape {
    Mesh(MeshBody),
    HalfSpace(HalfSpace),
}

struct MeshBody {
    model: Arc<Model>,
    pose: Pose,
    affine: bool,
    radius: f64,
}

impl MeshBody {
    fn body(&self) -> Body<'_> {
        Body::new(&self.model, self.pose)
    }
    fn rounded(&self) -> Result<Rounded<'_>, JsValue> {
        self.body().rounded(self.radius).map_err(error)
    }
}

#[wasm_bindgen(js_class = Body)]
impl JsBody {
    /// A model at a pose [default: the identity]. A pose must be a rotation and a translation to within 1e-6;
    /// with `affine`, it may also scale, shear or mirror.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &JsModel, pose: Option<PoseNumbers>, affine: Option<bool>) -> Result<Self, JsValue> {
        Self::of_model(Arc::clone(&model.0), 0.0, pose, affine)
    }
    /// The half-space of all points x with normal . x <= offset. Queries for triangles that meet, distances
    /// and sweeps take it: `...At` as the body, `sweep` as `a`, the others as `b`.
    #[wasm_bindgen(js_name = halfSpace)]
    pub fn half_space(normal: &Point, offset: f64) -> Result<Self, JsValue> {
        let half_space = HalfSpace::new(arrays::point("normal", normal)?, offset).map_err(error)?;
        Ok(Self(BodyShape::HalfSpace(half_space)))
    }
    /// An exact sphere around the origin.
    pub fn sphere(radius: f64, pose: Option<PoseNumbers>, affine: Option<bool>) -> Result<Self, JsValue> {
        Self::of_shape(Shape::sphere(radius), pose, affine)
    }
    /// An exact capsule around the origin: the points no farther than the radius from a segment along z of
    /// this height.
    pub fn capsule(
        radius: f64,
        height: f64,
        pose: Option<PoseNumbers>,
        affine: Option<bool>,
    ) -> Result<Self, JsValue> {
        Self::of_shape(Shape::capsule(radius, height), pose, affine)
    }
    /// The model. Throws for a half-space.
    #[wasm_bindgen(getter)]
    pub fn model(&self) -> Result<JsModel, JsValue> {
        Ok(JsModel(Arc::clone(&self.mesh()?.model)))
    }
    /// The 12 numbers of the pose. Throws for a half-space.
    #[wasm_bindgen(getter)]
    pub fn pose(&self) -> Result<Vec<f64>, JsValue> {
        Ok(poses::numbers(&self.mesh()?.pose).to_vec())
    }
    /// The radius: all points no farther than it from the triangles belong to the body. Throws for a
    /// half-space.
    #[wasm_bindgen(getter)]
    pub fn radius(&self) -> Result<f64, JsValue> {
        Ok(self.mesh()?.radius)
    }
    /// Moves the body. A pose that is refused changes nothing.
    #[wasm_bindgen(js_name = setPose)]
    pub fn set_pose(&mut self, pose: &PoseNumbers) -> Result<(), JsValue> {
        let mesh = self.mesh_mut()?;
        mesh.pose = poses::pose(pose, mesh.affine)?;
        Ok(())
    }
    /// Sets the radius, 0 at first. The pose does not scale it. Queries about solids, rays and curves refuse
    /// a body with a radius.
    #[wasm_bindgen(js_name = setRadius)]
    pub fn set_radius(&mut self, radius: f64) -> Result<(), JsValue> {
        let mesh = self.mesh_mut()?;
        mesh.radius = mesh.body().rounded(radius).map_err(error)?.radius();
        Ok(())
    }
}

fn no_mesh() -> JsValue {
    type_error("the body is a half-space, which has no mesh")
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

impl JsBody {
    fn of_model(
        model: Arc<Model>,
        radius: f64,
        pose: Option<PoseNumbers>,
        affine: Option<bool>,
    ) -> Result<Self, JsValue> {
        let affine = affine.unwrap_or(false);
        let pose = pose.map_or(Ok(Pose::IDENTITY), |pose| poses::pose(&pose, affine))?;
        Ok(Self(BodyShape::Mesh(MeshBody { model, pose, affine, radius })))
    }
    fn of_shape(
        shape: Result<Shape, impinge::Error>,
        pose: Option<PoseNumbers>,
        affine: Option<bool>,
    ) -> Result<Self, JsValue> {
        let shape = shape.map_err(error)?;
        Self::of_model(Arc::clone(shape.model()), shape.radius(), pose, affine)
    }
    fn mesh(&self) -> Result<&MeshBody, JsValue> {
        match &self.0 {
            BodyShape::Mesh(mesh) => Ok(mesh),
            BodyShape::HalfSpace(_) => Err(no_mesh()),
        }
    }
    fn mesh_mut(&mut self) -> Result<&mut MeshBody, JsValue> {
        match &mut self.0 {
            BodyShape::Mesh(mesh) => Ok(mesh),
            BodyShape::HalfSpace(_) => Err(no_mesh()),
        }
    }
    /// The body without its radius.
    pub(crate) fn body(&self) -> Result<Body<'_>, JsValue> {
        Ok(self.mesh()?.body())
    }
    /// The body, for a query that takes no radius.
    pub(crate) fn surface(&self) -> Result<Body<'_>, JsValue> {
        let mesh = self.mesh()?;
        if mesh.radius != 0.0 {
            return Err(type_error("the body has a radius, which this query does not take"));
        }
        Ok(mesh.body())
    }
    pub(crate) fn rounded(&self) -> Result<Rounded<'_>, JsValue> {
        self.mesh()?.rounded()
    }
    pub(crate) fn placed(&self) -> Result<Placed<'_>, JsValue> {
        Ok(match &self.0 {
            BodyShape::Mesh(mesh) => Placed::Mesh(mesh.rounded()?),
            BodyShape::HalfSpace(half_space) => Placed::HalfSpace(half_space),
        })
    }
}

/// Runs a query with the memory of earlier ones.
pub(crate) fn ask<T>(question: impl FnOnce(&mut Query) -> T) -> T {
    thread_local!(static QUERY: RefCell<Query> = RefCell::new(Query::new()));
    QUERY.with_borrow_mut(question)
}
