//! GLB container: a header of 12 bytes, a chunk of JSON, a chunk of data.
use crate::{Error, error::Place, sink::Sink};

pub(super) const MAGIC: [u8; 4] = *b"glTF";
pub(super) const JSON: [u8; 4] = *b"JSON";
pub(super) const BIN: [u8; 4] = *b"BIN\0";

fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The JSON, and the data chunk of a GLB.
pub(super) type Chunks<'a> = (&'a [u8], Option<&'a [u8]>);

pub(super) fn split<'a>(bytes: &'a [u8], sink: &mut Sink) -> Result<Chunks<'a>, Error> {
    if !is_glb(bytes) {
        return Ok((bytes, None));
    }
    let version = word(bytes, 4)?;
    if version != 2 {
        let what = format!("GLB version {version} is not supported, only 2 is");
        return Err(Error::unsupported(Place::Byte(4), what));
    }
    let length = word(bytes, 8)? as usize;
    let Some(whole) = bytes.get(..length) else {
        let what = format!("the header announces {length} bytes, the file has {}", bytes.len());
        return Err(Error::byte(8, what));
    };
    if length < bytes.len() {
        let what = format!("{} bytes after the GLB's end are skipped", bytes.len() - length);
        sink.warn(Place::Byte(length as u64), what);
    }
    let (kind, json, mut at) = chunk(whole, 12)?;
    if kind != JSON {
        return Err(Error::byte(16, "the first chunk is not JSON"));
    }
    // Chunks of other types may lie between and must be skipped.
    while at < whole.len() {
        let (kind, data, next) = chunk(whole, at)?;
        if kind == BIN {
            return Ok((json, Some(data)));
        }
        at = next;
    }
    Ok((json, None))
}

/// Type and data of a chunk, and the offset of the next one.
fn chunk(bytes: &[u8], at: usize) -> Result<([u8; 4], &[u8], usize), Error> {
    let length = word(bytes, at)? as usize;
    let kind = word(bytes, at + 4)?.to_le_bytes();
    let start = at + 8;
    match bytes[start..].get(..length) {
        Some(data) => Ok((kind, data, start + length)),
        None => {
            let what = format!("a chunk announces {length} bytes, {} are left", bytes.len() - start);
            Err(Error::byte(at, what))
        }
    }
}

fn word(bytes: &[u8], at: usize) -> Result<u32, Error> {
    match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(&word) => Ok(u32::from_le_bytes(word)),
        None => Err(Error::byte(bytes.len(), "the file ends inside the head of a GLB or of a chunk")),
    }
}
