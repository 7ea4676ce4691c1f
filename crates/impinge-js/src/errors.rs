//! Errors that JavaScript catches.
use wasm_bindgen::prelude::*;

pub(crate) fn error(text: impl std::fmt::Display) -> JsValue {
    js_sys::Error::new(&text.to_string()).into()
}

pub(crate) fn type_error(text: impl std::fmt::Display) -> JsValue {
    js_sys::TypeError::new(&text.to_string()).into()
}
