//! Reads bytes of files; type of the function that loads the files that a document names.
use crate::Error;
use std::{
    io::{self, Read},
    sync::Arc,
};

/// Reads up to `length` bytes. Memory that cannot be allocated is an error, not an abort.
pub(crate) fn exactly(file: impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Loads the first bytes of a file that a document names, up to a given number.
pub(crate) type Load<'a> = &'a mut dyn FnMut(&str, u64) -> Result<Arc<Vec<u8>>, Error>;
