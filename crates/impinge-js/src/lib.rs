//! The WebAssembly modules of the npm packages `impinge` and `impinge-compat`: the types and functions of
//! `impinge` for JavaScript. `build` makes the packages, and `docs/javascript.md` describes them.
//!
//! The feature `query` is the module of meshes and queries, `check` that of assemblies.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]
// JavaScript reaches them; wasm-bindgen takes public items alone.
#![allow(unreachable_pub)]

mod arrays;
mod errors;
mod poses;
mod records;

#[cfg(feature = "query")]
mod body;
#[cfg(feature = "query")]
mod distances;
#[cfg(feature = "query")]
mod mesh;
#[cfg(feature = "query")]
mod model;
#[cfg(feature = "query")]
mod pairs;
#[cfg(feature = "query")]
mod points;
#[cfg(feature = "query")]
mod rays;
#[cfg(feature = "query")]
mod regions;
#[cfg(feature = "query")]
mod scene;
#[cfg(feature = "query")]
mod solids;
#[cfg(feature = "query")]
mod sweep;

#[cfg(feature = "check")]
mod check;
#[cfg(feature = "check")]
mod curves;
#[cfg(feature = "check")]
mod progress;
#[cfg(feature = "check")]
mod report;
#[cfg(feature = "check")]
mod today;

use wasm_bindgen::prelude::*;

/// Makes a panic, which is a defect of impinge, an `Error` with its text. The module is then to be loaded
/// again.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| {
        wasm_bindgen::throw_str(&format!("defect of impinge, please report it: {panic}"));
    }));
}

/// The instruction set that queries use: `simd128`, or `portable` in a module that was built without it.
#[wasm_bindgen(js_name = simdLevel)]
pub fn simd_level() -> String {
    impinge::SimdLevel::Auto.in_use().name().to_owned()
}
