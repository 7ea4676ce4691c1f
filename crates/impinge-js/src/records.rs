//! Plain JavaScript objects, and arrays of them.
use js_sys::{Array, Float64Array, Object, Reflect};
use wasm_bindgen::{JsCast, intern, prelude::*};

/// A plain object that is being filled.
pub(crate) struct Record(Object);

impl Record {
    pub(crate) fn new() -> Self {
        Self(Object::new())
    }
    pub(crate) fn with(self, name: &str, value: impl Into<JsValue>) -> Self {
        // Setting a field of a new plain object cannot fail.
        let _ = Reflect::set(&self.0, &JsValue::from_str(intern(name)), &value.into());
        self
    }
    #[cfg(feature = "query")]
    /// As [`Record::with`]; without a value there is no field.
    pub(crate) fn with_some(self, name: &str, value: Option<impl Into<JsValue>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }
    pub(crate) fn into_js<T: JsCast>(self) -> T {
        self.0.unchecked_into()
    }
}

/// An array of numbers, such as a point or a pair of triangles.
pub(crate) fn tuple<T: Copy + Into<f64>>(numbers: &[T]) -> JsValue {
    numbers.iter().map(|&x| JsValue::from_f64(x.into())).collect::<Array>().into()
}

/// Numbers as a `Float64Array`.
pub(crate) fn doubles(numbers: &[f64]) -> JsValue {
    Float64Array::from(numbers).into()
}
