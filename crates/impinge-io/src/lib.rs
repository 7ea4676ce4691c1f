//! Readers: a file becomes an [`Assembly`] of named parts.
//!
//! | Format | Parts | Numbers |
//! |---|---|---|
//! | STL, binary and ASCII | solids | f32, f64 |
//! | OBJ | groups (`o`, `g`) with faces | f64 |
//! | PLY, ASCII and binary | the file | as declared, up to f64 |
//! | OFF | the file | f64 |
//! | glTF 2.0, GLB | nodes with a mesh | f32, transforms f64 |
//! | 3MF | objects, as the build places them | f64 |
//!
//! A number keeps every bit that the file gives it. Polygons become fans. Degenerate triangles are kept. What is no
//! triangle (points, lines, free-form surfaces, trailing bytes) is left out with a [`Warning`]; what is wrong is
//! refused with an [`Error`] that names the place. Nothing is allocated by a count that the file's size
//! does not bear out, and no input panics.
#![forbid(unsafe_code)]

mod assembly;
mod error;
mod fan;
mod gltf;
mod obj;
mod off;
mod ply;
mod read;
mod stl;
mod text;
mod threemf;

pub use self::{
    assembly::{Assembly, Part},
    error::{Error, Warning},
    gltf::write_glb,
    read::{Format, parse, read},
};
