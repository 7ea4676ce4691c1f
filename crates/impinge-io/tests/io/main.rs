//! Tests of the readers: each format on valid, awkward and broken bytes, files of the data folder, and
//! resource limits.
mod assembly;
mod bundle;
mod corpus;
mod dae;
mod dae_errors;
mod damage;
mod data;
mod extensions;
mod files;
mod folders;
mod gltf;
mod hostile;
mod limits;
mod memory;
mod obj;
mod off;
mod place;
mod ply;
mod polygon;
mod reader;
mod rounding;
mod saved;
mod stl;
mod threemf;

use impinge_io::{Assembly, Error, Format};
use std::{error::Error as _, path::Path};

fn parse(format: Format, bytes: impl AsRef<[u8]>) -> Result<Assembly, Error> {
    impinge_io::parse(format, bytes.as_ref(), Path::new("dir/file.x"))
}

#[track_caller]
fn load(format: Format, bytes: impl AsRef<[u8]>) -> Assembly {
    match parse(format, bytes) {
        Ok(assembly) => assembly,
        Err(error) => panic!("refused: {}", chain(&error)),
    }
}

/// Loads a file and checks that there is no warning.
#[track_caller]
fn load_clean(format: Format, bytes: impl AsRef<[u8]>) -> Assembly {
    let assembly = load(format, bytes);
    assert_eq!(warnings(&assembly), [""; 0]);
    assembly
}

/// The message, with its causes, of a file that must be refused.
#[track_caller]
fn refuse(format: Format, bytes: impl AsRef<[u8]>) -> String {
    match parse(format, bytes) {
        Ok(assembly) => panic!("loaded: {assembly:?}"),
        Err(error) => chain(&error),
    }
}

fn chain(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

fn warnings(assembly: &Assembly) -> Vec<String> {
    assembly.warnings.iter().map(ToString::to_string).collect()
}

/// Names and triangle counts of the parts.
fn shape(assembly: &Assembly) -> Vec<(&str, usize)> {
    assembly.parts.iter().map(|part| (&part.name[..], part.mesh.len())).collect()
}
