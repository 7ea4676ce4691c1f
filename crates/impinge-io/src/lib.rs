//! Readers of mesh files: a file becomes an [`Assembly`] of named parts.
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
//! ```no_run
//! let assembly = impinge_io::read("engine.glb")?;
//! for warning in &assembly.warnings {
//!     eprintln!("{warning}");
//! }
//! for part in &assembly.parts {
//!     println!("{}: {} triangles", part.name, part.mesh.len());
//! }
//! # Ok::<(), impinge_io::Error>(())
//! ```
//!
//! Numbers keep every bit that the file contains. Convex polygons become fans; other polygons are
//! triangulated within their outline. Degenerate triangles are kept. Content other than triangles (points,
//! lines, free-form surfaces, trailing bytes) is skipped with a [`Warning`]. Invalid content is refused with
//! an [`Error`] that names the place. No count from a file causes an allocation unless the file's size
//! supports it, and no input causes a panic.
//!
//! A small file can produce a large result, by compression or repetition. [`Limits`] bounds the result, and
//! [`read_with`] accepts other limits. A `.gltf` opens only regular files of its own folder, unless
//! [`Options`] allow others.
//!
//! [`save_model`] and [`open_model`] store a model with its tree, so that a second run builds nothing.
//!
//! Text files may be UTF-8 or, with a byte order mark, UTF-16.
#![deny(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod affine;
mod assembly;
mod blocks;
mod budget;
mod error;
mod format;
mod gltf;
mod number;
mod obj;
mod off;
mod options;
mod other_formats;
mod part;
mod ply;
mod polygon;
mod properties;
mod quote;
mod read;
mod saved;
mod sink;
mod sniff;
mod source;
mod stl;
mod text;
mod threemf;
mod unit;
mod used_points;
mod utf16;
mod weld;
mod whole_file;

pub use self::{
    assembly::Assembly,
    error::{Error, Warning},
    format::{Format, UnknownFormat},
    gltf::{LineGroup, write_glb, write_lines_glb},
    options::{Limits, Options},
    part::Part,
    properties::{Properties, PropertiesIter, PropertyValue},
    read::{parse, parse_with, read, read_from, read_with},
    saved::{open_model, save_model},
    source::{Axis, Source},
    unit::{Unit, UnknownUnit},
    whole_file::{remove_unfinished, write_whole},
};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
