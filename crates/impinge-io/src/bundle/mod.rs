//! Bundles: an assembly in one file, `*.impinge`. `docs/files.md` describes every field.
//!
//! A bundle is a ZIP package of `assembly.json` and, for each distinct mesh, `meshes/HASH.f64` (its points)
//! and `meshes/HASH.u32` (its triangles), raw and little-endian. The writer stores entries without
//! compression, so that a mesh is one copy away; the reader accepts deflated ones, too. A bundle depends on
//! the assembly alone: it contains no time and no name of the machine.
//!
//! The reader is strict. A field that this version does not define is an error, since it could change what
//! the others mean; so a field that is added increases `format_version`.
mod digest;
mod document;
mod key;
mod mesh;
mod package;
mod read;
mod stored_zip;
mod text;
mod write;

pub use self::{
    digest::file_digest,
    write::{save_bundle, write_bundle},
};
pub(crate) use self::{package::open_zip, read::parse};

/// The entry that describes the assembly. It is the first one, by which a bundle is recognized.
pub(crate) const DOCUMENT: &str = "assembly.json";
/// The field `format` of the document.
const FORMAT: &str = "impinge assembly";
/// The version of the format that this crate writes. It reads all from 1 on: parts have a key from 2 on.
const VERSION: u32 = 2;
