//! GLB container: a header of 12 bytes, a chunk of JSON, a chunk of data.
use crate::{Error, error::Place, sink::Sink};
use std::io::{self, BufWriter, Write};

const MAGIC: [u8; 4] = *b"glTF";
const JSON: [u8; 4] = *b"JSON";
const BIN: [u8; 4] = *b"BIN\0";

/// Writes a GLB of this JSON and of `length` bytes of data, which `data` writes.
///
/// # Errors
/// A GLB of more than 4 GiB, and errors of `out`.
#[doc(hidden)]
pub fn write_glb_container(
    mut json: Vec<u8>,
    length: u64,
    out: &mut (impl Write + ?Sized),
    data: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    json.resize(json.len().next_multiple_of(4), b' ');
    let too_long = |_| io::Error::other("it passes the 4 GiB that a GLB may have");
    let header = if length > 0 { 28 } else { 20 };
    let total = u32::try_from(json.len() as u64 + length + header).map_err(too_long)?;
    let mut out = BufWriter::new(out);
    out.write_all(&MAGIC)?;
    // `total` fits in u32, so the length of the JSON and `length` do, too.
    for word in [2, total, json.len() as u32] {
        out.write_all(&word.to_le_bytes())?;
    }
    out.write_all(&JSON)?;
    out.write_all(&json)?;
    drop(json);
    if length > 0 {
        out.write_all(&(length as u32).to_le_bytes())?;
        out.write_all(&BIN)?;
        data(&mut out)?;
    }
    out.flush()
}

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
