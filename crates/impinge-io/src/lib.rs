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
//!
//! Because a small file can ask for a large result by compression or repetition, there are limits, each with an
//! error of its own: the models of a 3MF may unpack to 1 GiB and place 2^20 objects, the meshes of a glTF may have
//! 2^28 points and as many triangles, and transforms that are not rigid may add 2^26 points to a file by copying meshes.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

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
