//! Arrays of numbers from JavaScript: typed arrays, and plain ones.
use crate::errors::type_error;
use js_sys::{Array, Float64Array, Int8Array, Int16Array, Int32Array, Uint8Array, Uint16Array, Uint32Array};
use wasm_bindgen::{JsCast, prelude::*};

#[wasm_bindgen(typescript_custom_section)]
const NUMBERS: &str = r#"
/** Numbers, one after the other. */
export type Numbers = Float64Array | Float32Array | ReadonlyArray<number>;
/** Integers, one after the other. */
export type Integers = Uint32Array | Uint16Array | Uint8Array | Int32Array | Int16Array | Int8Array
  | ReadonlyArray<number>;
/** Three numbers. */
export type Point = Numbers;
"#;

#[wasm_bindgen]
extern "C" {
    /// Numbers, one after the other.
    #[wasm_bindgen(typescript_type = "Numbers")]
    pub type Numbers;
    /// Integers, one after the other.
    #[wasm_bindgen(typescript_type = "Integers")]
    pub type Integers;
    /// Three numbers.
    #[wasm_bindgen(typescript_type = "Point")]
    pub type Point;
}

/// The numbers of an array, exactly: f64 holds those of every array but of 64-bit integers.
pub(crate) fn numbers(what: &str, from: &JsValue) -> Result<Vec<f64>, JsValue> {
    if let Some(array) = from.dyn_ref::<Float64Array>() {
        return Ok(array.to_vec());
    }
    if from.is_instance_of::<js_sys::Float32Array>() || is_integers(from) {
        return Ok(Float64Array::new(from).to_vec());
    }
    let Some(array) = from.dyn_ref::<Array>() else {
        return Err(type_error(format!(
            "{what} must be a Float64Array, a Float32Array or an array of numbers"
        )));
    };
    let number = |(at, x): (usize, JsValue)| {
        x.as_f64()
            .ok_or_else(|| type_error(format!("{what}[{at}] is no number; an array is flat, not nested")))
    };
    array.iter().enumerate().map(number).collect()
}

fn is_integers(from: &JsValue) -> bool {
    from.is_instance_of::<Uint32Array>()
        || from.is_instance_of::<Uint16Array>()
        || from.is_instance_of::<Uint8Array>()
        || from.is_instance_of::<Int32Array>()
        || from.is_instance_of::<Int16Array>()
        || from.is_instance_of::<Int8Array>()
}

fn integers(what: &str, from: &JsValue) -> Result<Vec<u32>, JsValue> {
    if let Some(array) = from.dyn_ref::<Uint32Array>() {
        return Ok(array.to_vec());
    }
    let integer = |(at, x): (usize, f64)| {
        let is_integer = x >= 0.0 && x <= f64::from(u32::MAX) && x.fract() == 0.0;
        if is_integer { Ok(x as u32) } else { Err(type_error(format!("{what}[{at}] is no index: {x}"))) }
    };
    numbers(what, from)?.into_iter().enumerate().map(integer).collect()
}

/// Rows of a flat array.
pub(crate) fn rows<T: Copy, const N: usize>(what: &str, from: Vec<T>) -> Result<Vec<[T; N]>, JsValue> {
    let (rows, rest) = from.as_chunks::<N>();
    if rest.is_empty() {
        return Ok(rows.to_vec());
    }
    Err(type_error(format!("{what} must have {N} numbers each: {} is no multiple of {N}", from.len())))
}

pub(crate) fn points(what: &str, from: &JsValue) -> Result<Vec<[f64; 3]>, JsValue> {
    rows(what, numbers(what, from)?)
}

pub(crate) fn triangles(what: &str, from: &JsValue) -> Result<Vec<[u32; 3]>, JsValue> {
    rows(what, integers(what, from)?)
}

#[cfg(feature = "query")]
pub(crate) fn point(what: &str, from: &JsValue) -> Result<[f64; 3], JsValue> {
    let found = numbers(what, from)?;
    <[f64; 3]>::try_from(found)
        .map_err(|found| type_error(format!("{what} must be 3 numbers, not {}", found.len())))
}
