//! Bundles: an assembly in one file, `*.impinge`. `docs/files.md` describes every field.
//!
//! A bundle is a ZIP package of `assembly.json` and, for each distinct mesh, `meshes/HASH.f64` (its points)
//! and `meshes/HASH.u32` (its triangles), raw and little-endian. The writer stores entries without
//! compression, so that one copy reads a mesh. The reader accepts deflated entries, too. A bundle depends
//! only on the assembly: it contains no time and no name of the machine.
//!
//! The reader is strict. A field that this version does not define is an error, since it could change the
//! meaning of the others. Adding a field therefore increases `format_version`.
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

/// Name of the entry that describes the assembly. It is the first entry; it identifies a bundle.
pub(crate) const DOCUMENT: &str = "assembly.json";
/// Value of the field `format` of the document.
const FORMAT: &str = "impinge assembly";
/// Version of the format that this crate writes. It reads all versions from 1 on. Parts have keys since 2.
const VERSION: u32 = 2;
