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
//! | COLLADA 1.4, 1.5 | geometries, as the nodes of the scene place them | f64 |
//! | bundle, by [`write_bundle`] | those of the assembly | f64 |
//! | folder, ZIP | those of every file of these formats in it | of the files |
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
//!
//! # Assemblies
//!
//! An [`Assembly`] is a list of [`Part`]s with the [`Source`] of each: its file, format, unit and upward
//! axis. Readers of other crates fill the same types, with an identifier, a type and [`Properties`] of each
//! part where their input has them. Coordinates stay as the input has them; [`Unit::metres`] converts.
//!
//! ```
//! use impinge_io::{Format, Options, Unit};
//! // The standard input, or any other reader; its content gives the format.
//! let input = b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
//! let mut assembly = impinge_io::read_from(&input[..], "input", None, &Options::new())?;
//! assert_eq!((assembly.sources[0].format, assembly.sources[0].unit), (Some(Format::Off), None));
//! // OFF states no unit; the user of this file gives it.
//! assembly.sources[0].unit = Some(Unit::Inch);
//! let metres = assembly.sources[0].unit.map_or(1.0, Unit::metres);
//! assert_eq!(metres * assembly.parts[0].mesh.points()[1][0], 0.0254);
//! # Ok::<(), impinge_io::Error>(())
//! ```
//!
//! # Features
//!
//! All are on by default.
//!
//! | Feature | Adds | Crates that it compiles, among others |
//! |---|---|---|
//! | `stl` | STL | `fast-float2`, `memchr` |
//! | `obj`, `ply`, `off` | the format of that name | `spade`, `fast-float2`, `memchr` |
//! | `gltf` | glTF, GLB, [`write_glb`], [`write_lines_glb`] | `serde_json`, `base64` |
//! | `threemf` | 3MF | `zip`, `quick-xml` |
//! | `dae` | COLLADA | `quick-xml`, `spade`, `fast-float2`, `memchr` |
//! | `bundle` | bundles, [`write_bundle`], [`save_bundle`], [`file_digest`] | `zip`, `serde_json`, `sha2` |
//! | `saved` | [`save_model`], [`open_model`] | `memmap2` |
//!
//! A file of a format without its feature gives an error that names the feature. Without any of these
//! features the crate has the types and [`write_whole`], and nothing that reads. Features whose names start
//! with an underscore are internal.
#![deny(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]
// Modules that several readers share have functions that a single reader does not need. A build with all
// features finds the functions that none needs.
#![cfg_attr(
    not(all(
        feature = "stl",
        feature = "obj",
        feature = "ply",
        feature = "off",
        feature = "gltf",
        feature = "threemf",
        feature = "dae",
        feature = "bundle",
        feature = "saved"
    )),
    allow(dead_code)
)]

// Types and functions that do not depend on features.
mod assembly;
mod error;
mod format;
mod merged;
mod omission;
mod options;
mod part;
mod properties;
mod quote;
mod sniff;
mod source;
mod unit;
mod whole_file;

// Every reader needs these.
#[cfg(feature = "_read")]
mod affine;
#[cfg(feature = "_read")]
mod budget;
#[cfg(feature = "_read")]
mod folder;
#[cfg(feature = "_read")]
mod inside;
#[cfg(feature = "_read")]
mod load;
#[cfg(feature = "_read")]
mod other_formats;
#[cfg(feature = "_read")]
mod read;
#[cfg(feature = "_read")]
mod rounding;
#[cfg(feature = "_read")]
mod sink;
#[cfg(feature = "_read")]
mod used_points;
#[cfg(feature = "_read")]
mod utf16;

// Readers of text.
#[cfg(feature = "_text")]
mod number;
#[cfg(feature = "_text")]
mod text;

// Readers of XML.
#[cfg(feature = "_xml")]
mod xml;

// Readers of polygons.
#[cfg(feature = "_polygon")]
mod polygon;

// One feature each.
#[cfg(feature = "bundle")]
mod archive;
#[cfg(feature = "obj")]
mod blocks;
#[cfg(feature = "bundle")]
mod bundle;
#[cfg(feature = "dae")]
mod dae;
#[cfg(feature = "gltf")]
mod gltf;
#[cfg(feature = "obj")]
mod obj;
#[cfg(feature = "off")]
mod off;
#[cfg(feature = "ply")]
mod ply;
#[cfg(feature = "saved")]
mod saved;
#[cfg(feature = "stl")]
mod stl;
#[cfg(feature = "threemf")]
mod threemf;
#[cfg(feature = "stl")]
mod weld;

#[cfg(feature = "bundle")]
pub use self::bundle::{file_digest, save_bundle, write_bundle};
#[cfg(feature = "_read")]
pub use self::folder::{FolderFiles, folder_files};
#[cfg(feature = "gltf")]
pub use self::gltf::{LineGroup, write_glb, write_glb_container, write_lines_glb};
#[cfg(feature = "_read")]
pub use self::read::{parse, parse_with, read, read_from, read_with};
#[cfg(feature = "saved")]
pub use self::saved::{open_model, save_model};
pub use self::{
    assembly::Assembly,
    error::{Error, Warning},
    format::{Format, UnknownFormat},
    merged::merged,
    omission::{Omission, OmissionKind},
    options::{Limits, Options},
    part::Part,
    properties::{Properties, PropertiesIter, PropertyValue},
    quote::visible,
    source::{Axis, Source},
    unit::{Unit, UnknownUnit},
    whole_file::{remove_unfinished, target_of, write_whole},
};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
