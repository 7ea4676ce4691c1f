//! STL, binary and ASCII. Own code: the `stl_io` crate reads ASCII as f32.
//!
//! Equal points become one vertex, so that triangles share edges; -0.0 counts as 0.0. Normals and attributes
//! are skipped: an STL normal says nothing that its triangle does not.
use crate::{
    Error,
    assembly::Sink,
    error::Place,
    text::{self, Words, show},
};
use foldhash::HashMap;
use impinge::Mesh;

/// 80 bytes of anything, then the count.
const HEADER: usize = 84;
/// Normal and three corners as f32, two bytes of attributes.
const RECORD: usize = 50;

pub(crate) fn parse(bytes: &[u8], sink: &mut Sink) -> Result<(), Error> {
    if is_ascii(bytes) { ascii(bytes, sink) } else { binary(bytes, sink) }
}

/// Whether a file's size is exactly what a binary STL of its count has.
pub(crate) fn has_binary_size(bytes: &[u8]) -> bool {
    count(bytes).is_some_and(|n| (HEADER as u64 + n * RECORD as u64) == bytes.len() as u64)
}

/// Binary files may begin with `solid`, too: size first, then whether a keyword follows soon.
pub(crate) fn is_ascii(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let head = &text[..text.len().min(1024)];
    let has = |word: &[u8]| head.windows(word.len()).any(|w| w.eq_ignore_ascii_case(word));
    !has_binary_size(bytes)
        && head.get(..5).is_some_and(|w| w.eq_ignore_ascii_case(b"solid"))
        && (has(b"facet") || has(b"endsolid") || !head.contains(&0))
}

fn count(bytes: &[u8]) -> Option<u64> {
    let count = bytes.get(80..HEADER)?.first_chunk()?;
    Some(u64::from(u32::from_le_bytes(*count)))
}

fn binary(bytes: &[u8], sink: &mut Sink) -> Result<(), Error> {
    let Some(count) = count(bytes) else {
        let what = format!("neither ASCII STL ('solid ...') nor a binary header of {HEADER} bytes");
        return Err(Error::byte(bytes.len(), what));
    };
    let body = &bytes[HEADER..];
    let records = body.len() / RECORD;
    if count > records as u64 {
        let what = format!("the header counts {count} triangles, but the file ends in triangle {records}");
        return Err(Error::byte(bytes.len(), what));
    }
    // No more than `records`, so it fits.
    let count = count as usize;
    let mut soup = Soup::default();
    for (i, record) in body.chunks_exact(RECORD).take(count).enumerate() {
        let mut corners = [[0.0; 3]; 3];
        let floats = record[12..48].as_chunks().0;
        for (j, (value, bytes)) in corners.as_flattened_mut().iter_mut().zip(floats).enumerate() {
            *value = f64::from(f32::from_le_bytes(*bytes));
            if !value.is_finite() {
                let what = format!("triangle {i}: a coordinate of corner {} is {value}", j / 3);
                return Err(Error::byte(HEADER + i * RECORD + 12 + 4 * j, what));
            }
        }
        soup.triangle(corners).map_err(|e| Error::byte(HEADER + i * RECORD, e))?;
    }
    let end = HEADER + count * RECORD;
    if end < bytes.len() {
        let what = format!("{} bytes after the last of {count} triangles are left out", bytes.len() - end);
        sink.warn(Place::Byte(end as u64), what);
    }
    sink.whole(soup.mesh()?)
}

fn ascii(bytes: &[u8], sink: &mut Sink) -> Result<(), Error> {
    let mut text = Text { lines: text::Lines::new(bytes), words: Words(b"") };
    while let Some(word) = text.next() {
        if !word.eq_ignore_ascii_case(b"solid") {
            return Err(text.error(format!("expected 'solid', found '{}'", show(word))));
        }
        let name = text.rest_of_line();
        let mesh = solid(&mut text)?;
        if mesh.is_empty() && name.is_empty() {
            sink.warn(Place::Line(text.lines.number()), "a solid without a triangle is left out");
        } else {
            sink.part(text::name(name), mesh)?;
        }
    }
    Ok(())
}

/// From behind the name to behind `endsolid`.
fn solid(text: &mut Text<'_>) -> Result<Mesh, Error> {
    let mut soup = Soup::default();
    loop {
        let Some(word) = text.next() else {
            return Err(text.error("the file ends inside a solid ('endsolid' is missing)"));
        };
        if word.eq_ignore_ascii_case(b"endsolid") {
            text.rest_of_line();
            return soup.mesh();
        }
        if !word.eq_ignore_ascii_case(b"facet") {
            return Err(text.error(format!("expected 'facet' or 'endsolid', found '{}'", show(word))));
        }
        // The normal, if it is there, and whatever it is.
        text.rest_of_line();
        text.expect("outer")?;
        text.expect("loop")?;
        let mut corners = [[0.0; 3]; 3];
        for corner in &mut corners {
            text.expect("vertex")?;
            for coordinate in corner {
                let Some(word) = text.next() else {
                    return Err(text.error("the file ends inside a vertex"));
                };
                *coordinate = text::float(word, text.lines.number())?;
            }
        }
        text.expect("endloop")?;
        text.expect("endfacet")?;
        soup.triangle(corners).map_err(|e| text.error(e))?;
    }
}

/// The words of the file, over line ends.
struct Text<'a> {
    lines: text::Lines<'a>,
    words: Words<'a>,
}

impl<'a> Text<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(word) = self.words.next() {
                return Some(word);
            }
            self.words = Words(self.lines.next()?);
        }
    }
    fn rest_of_line(&mut self) -> &'a [u8] {
        std::mem::replace(&mut self.words, Words(b"")).rest()
    }
    fn expect(&mut self, keyword: &str) -> Result<(), Error> {
        match self.next() {
            Some(word) if word.eq_ignore_ascii_case(keyword.as_bytes()) => Ok(()),
            Some(word) => Err(self.error(format!("expected '{keyword}', found '{}'", show(word)))),
            None => Err(self.error(format!("the file ends where '{keyword}' was expected"))),
        }
    }
    #[cold]
    fn error(&self, what: impl Into<String>) -> Error {
        Error::line(self.lines.number(), what)
    }
}

/// Triangles given by their corners, and the vertices that equal corners become.
#[derive(Default)]
struct Soup {
    points: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    index: HashMap<[u64; 3], u32>,
}

impl Soup {
    fn triangle(&mut self, corners: [[f64; 3]; 3]) -> Result<(), String> {
        let mut triangle = [0; 3];
        for (slot, corner) in triangle.iter_mut().zip(corners) {
            // Adding zero turns -0.0 into 0.0 and leaves every other number as it is.
            let point = corner.map(|c| c + 0.0);
            let new = u32::try_from(self.points.len())
                .map_err(|_| format!("more than {} different points in one mesh", u32::MAX))?;
            *slot = *self.index.entry(point.map(f64::to_bits)).or_insert_with(|| {
                self.points.push(point);
                new
            });
        }
        self.triangles.push(triangle);
        Ok(())
    }
    fn mesh(self) -> Result<Mesh, Error> {
        Mesh::new(self.points, self.triangles)
            .map_err(|e| Error::invalid(Place::File, "its triangles do not make a mesh").because(e))
    }
}
