//! Reads STL, binary and ASCII. The parser is ours: the `stl_io` crate reads ASCII as f32.
//!
//! Equal points become one vertex, so that triangles share edges; -0.0 counts as 0.0. Normals and attributes
//! are skipped: an STL normal adds nothing to its triangle.
use crate::{
    Error,
    error::Place,
    quote::{self, show},
    rounding,
    sink::Sink,
    sniff,
    text::{self, Words},
    weld::Weld,
};
use impinge::Mesh;

/// Bytes of the header: 80 of any content, then the count.
const HEADER: usize = 84;
/// Bytes of a record: a normal and three corners as f32, two bytes of attributes.
const RECORD: usize = 50;

pub(crate) fn parse(bytes: &[u8], sink: &mut Sink) -> Result<(), Error> {
    if is_ascii(bytes) { ascii(bytes, sink) } else { binary(bytes, sink) }
}

/// True for ASCII STL. Binary files may also begin with `solid`, so this tests the size first, then the first
/// kilobyte, which must contain a keyword or no zero byte.
fn is_ascii(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let head = &text[..text.len().min(1024)];
    let has = |word: &[u8]| head.windows(word.len()).any(|w| w.eq_ignore_ascii_case(word));
    !sniff::has_binary_stl_size(bytes, bytes.len() as u64)
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
    // The count is at most `records`, so it fits.
    let count = count as usize;
    let mut weld = Weld::with_capacity(count);
    for (i, record) in body.as_chunks::<RECORD>().0[..count].iter().enumerate() {
        // The corners follow the normal.
        let floats = record[12..48].as_chunks().0;
        let mut corners = [[0.0; 3]; 3];
        let mut finite = true;
        for (value, bytes) in corners.as_flattened_mut().iter_mut().zip(floats) {
            *value = f64::from(f32::from_le_bytes(*bytes));
            finite &= value.is_finite();
        }
        if !finite {
            return Err(not_finite(i, corners.as_flattened()));
        }
        weld.triangle(corners).map_err(|e| Error::byte(HEADER + i * RECORD, e))?;
    }
    let end = HEADER + count * RECORD;
    if end < bytes.len() {
        let what = format!("{} bytes after the last of {count} triangles are skipped", bytes.len() - end);
        sink.warn(Place::Byte(end as u64), what);
    }
    let mesh = weld.finish()?;
    let rounding = rounding::of_f32(&mesh);
    sink.whole(mesh, Some(rounding))
}

#[cold]
fn not_finite(triangle: usize, corners: &[f64]) -> Error {
    let j = corners.iter().position(|c| !c.is_finite()).unwrap_or(0);
    let what = format!("triangle {triangle}: a coordinate of corner {} is {}", j / 3, corners[j]);
    Error::byte(HEADER + triangle * RECORD + 12 + 4 * j, what)
}

fn ascii(bytes: &[u8], sink: &mut Sink) -> Result<(), Error> {
    let mut text = Text { lines: text::Lines::new(bytes), words: Words(b""), commented: None };
    while let Some(word) = text.next() {
        if !word.eq_ignore_ascii_case(b"solid") {
            return Err(text.error(format!("expected 'solid', found '{}'", show(word))));
        }
        let name = text.rest_of_line();
        let mesh = solid(&mut text)?;
        if mesh.is_empty() && name.is_empty() {
            sink.warn(Place::Line(text.lines.number()), "a solid without a triangle is skipped");
        } else {
            sink.part(quote::name(name), mesh)?;
        }
    }
    if let Some([count, first]) = text.commented {
        let what = match count {
            1 => "text after the end of a loop or facet is skipped".to_owned(),
            n => format!("text after the end of a loop or facet is skipped, in {n} lines"),
        };
        sink.warn(Place::Line(first), what);
    }
    Ok(())
}

/// Parses a solid, from the end of its name to the end of the line of `endsolid`.
fn solid(text: &mut Text<'_>) -> Result<Mesh, Error> {
    let mut weld = Weld::default();
    loop {
        let Some(word) = text.next() else {
            return Err(text.error("the file ends inside a solid ('endsolid' is missing)"));
        };
        if word.eq_ignore_ascii_case(b"endsolid") {
            text.rest_of_line();
            return weld.finish();
        }
        if !word.eq_ignore_ascii_case(b"facet") {
            return Err(text.error(format!("expected 'facet' or 'endsolid', found '{}'", show(word))));
        }
        // Skips the normal, whatever the line contains.
        text.rest_of_line();
        text.expect("outer")?;
        text.expect("loop")?;
        let mut corners = [[0.0; 3]; 3];
        for corner in &mut corners {
            text.expect("vertex")?;
            for coordinate in corner {
                if let Some(value) = text.words.decimal() {
                    *coordinate = value;
                    continue;
                }
                let Some(word) = text.next() else {
                    return Err(text.error("the file ends inside a vertex"));
                };
                *coordinate = text::float(word, text.lines.number())?;
            }
        }
        text.expect("endloop")?;
        text.skip_comment();
        text.expect("endfacet")?;
        text.skip_comment();
        weld.triangle(corners).map_err(|e| text.error(e))?;
    }
}

/// The words of the file, across line ends.
struct Text<'a> {
    lines: text::Lines<'a>,
    words: Words<'a>,
    /// Number of lines in which text after a keyword is skipped, and the first of them.
    commented: Option<[u64; 2]>,
}

/// Keywords. A text that contains one is no comment.
const KEYWORDS: [&[u8]; 8] =
    [b"solid", b"facet", b"outer", b"loop", b"vertex", b"endloop", b"endfacet", b"endsolid"];

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
    /// Skips the rest of a line, unless it has a keyword: other readers skip it, too.
    fn skip_comment(&mut self) {
        let mut words = Words(self.words.0);
        let mut is_comment = false;
        for word in words.by_ref() {
            if KEYWORDS.iter().any(|keyword| word.eq_ignore_ascii_case(keyword)) {
                return;
            }
            is_comment = true;
        }
        if !is_comment {
            return;
        }
        self.words = words;
        let [count, first] = self.commented.unwrap_or([0, self.lines.number()]);
        self.commented = Some([count + 1, first]);
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
