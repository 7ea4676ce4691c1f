//! Meshes.
use crate::{
    arrays::{self, Integers, Numbers},
    errors::error,
};
use impinge::Mesh;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// A list of triangles, connected in any way or not at all. Coordinates are taken as given, to the last bit.
#[wasm_bindgen(js_name = Mesh)]
pub struct JsMesh(pub(crate) Arc<Mesh>);

#[wasm_bindgen(js_class = Mesh)]
impl JsMesh {
    /// A mesh of points, 3 numbers each, and triangles, 3 indices of points each; without indices three points
    /// each make a triangle. Throws if a number is not finite or an index out of range.
    #[wasm_bindgen(constructor)]
    pub fn new(points: &Numbers, triangles: Option<Integers>) -> Result<Self, JsValue> {
        let points = arrays::points("points", points)?;
        let triangles = match triangles {
            Some(triangles) => arrays::triangles("triangles", &triangles)?,
            None if points.len().is_multiple_of(3) => {
                (0..points.len() as u32).step_by(3).map(|k| [k, k + 1, k + 2]).collect()
            }
            None => return Err(error(format!("{} points are no triangles of three each", points.len()))),
        };
        Self::of(Mesh::new(points, triangles))
    }
    /// A box around the origin, with sides of these lengths along x, y and z.
    #[wasm_bindgen(js_name = "box")]
    pub fn cuboid(x: f64, y: f64, z: f64) -> Result<Self, JsValue> {
        Self::of(Mesh::cuboid([x, y, z]))
    }
    /// A sphere around the origin, of bands from pole to pole and triangles around z. The mesh is inside of it.
    pub fn sphere(radius: f64, rings: Option<u32>, segments: Option<u32>) -> Result<Self, JsValue> {
        Self::of(Mesh::uv_sphere(radius, rings.unwrap_or(16), segments.unwrap_or(32)))
    }
    /// A prism around the z axis and the origin over a regular polygon with corners on a circle.
    pub fn prism(radius: f64, height: f64, sides: Option<u32>) -> Result<Self, JsValue> {
        Self::of(Mesh::prism(radius, height, sides.unwrap_or(32)))
    }
    /// The convex hull of points, 3 numbers each, exactly.
    pub fn hull(points: &Numbers) -> Result<Self, JsValue> {
        Self::of(Mesh::hull(&arrays::points("points", points)?))
    }
    fn of(made: Result<Mesh, impinge::Error>) -> Result<Self, JsValue> {
        made.map(|mesh| Self(Arc::new(mesh))).map_err(error)
    }
    /// The points, 3 numbers each: a copy.
    #[wasm_bindgen(getter)]
    pub fn points(&self) -> Vec<f64> {
        self.0.points().as_flattened().to_vec()
    }
    /// The triangles, 3 indices each: a copy.
    #[wasm_bindgen(getter)]
    pub fn triangles(&self) -> Vec<u32> {
        self.0.triangles().as_flattened().to_vec()
    }
    /// Number of triangles.
    #[wasm_bindgen(getter, js_name = triangleCount)]
    pub fn triangle_count(&self) -> usize {
        self.0.len()
    }
}
