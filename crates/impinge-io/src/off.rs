//! Reads OFF of Geomview, ASCII, with the prefixes ST, C and N. The parser is ours: we found no well-kept
//! crate.
//!
//! A vertex and a face take a line each. The reader skips everything after the three coordinates (normals,
//! colours) and after the corners (colours).
use crate::{
    Error,
    error::Place,
    polygon::{Fan, Polygons},
    quote::show,
    sink::Sink,
    text::{self, Lines, Words, integer},
    used_points::used_points,
};

pub(crate) fn parse(bytes: &[u8], sink: &mut Sink) -> Result<(), Error> {
    let mut lines = Lines::new(bytes);
    let mut words = Words(content(&mut lines, &"the header")?);
    let mut start = words.clone();
    // The keyword is optional.
    if let Some(word) = start.next()
        && !word.iter().all(u8::is_ascii_digit)
    {
        keyword(word, start.clone(), lines.number())?;
        words = if start.rest().is_empty() { Words(content(&mut lines, &"the counts")?) } else { start };
    }
    let mut count = |what: &str| -> Result<u64, Error> {
        let word = words.next().ok_or_else(|| Error::line(lines.number(), format!("no count of {what}")))?;
        let count = integer(word, lines.number())?;
        u64::try_from(count)
            .map_err(|_| Error::line(lines.number(), format!("the count of {what} is {count}")))
    };
    let (vertices, faces) = (count("vertices")?, count("faces")?);
    // A vertex takes at least 6 bytes, `0 0 0` and a line end, and a face 2.
    let room = lines.rest().len() as u64 + 1;
    if vertices > room / 6 || faces > room / 2 {
        let what = format!(
            "{vertices} vertices and {faces} faces are announced, but only {} bytes follow",
            room - 1
        );
        return Err(Error::line(lines.number(), what));
    }

    let mut points = Vec::with_capacity(vertices as usize);
    for i in 0..vertices {
        let line = content(&mut lines, &format_args!("vertex {i} of {vertices}"))?;
        points.push(text::point(&mut Words(line), lines.number())?);
    }
    let mut triangles = Vec::new();
    let mut polygons = Polygons::default();
    for i in 0..faces {
        let line = content(&mut lines, &format_args!("face {i} of {faces}"))?;
        let fan = face(&mut Words(line), lines.number(), vertices, &mut triangles)?;
        polygons.close(&fan, &points, 0, &mut triangles, Place::Line(lines.number()));
    }
    polygons.warn(sink);
    if lines.next_content().is_some() {
        sink.warn(Place::Line(lines.number()), "content after the last face is skipped");
    }
    let mesh = used_points(points, triangles)
        .map_err(|e| Error::invalid(Place::File, "its faces do not make a mesh").because(e))?;
    sink.whole(mesh, None)
}

fn keyword(word: &[u8], mut rest: Words<'_>, line: u64) -> Result<(), Error> {
    let Some(mut prefix) = word.strip_suffix(b"OFF") else {
        return Err(Error::line(line, format!("expected 'OFF', found '{}'", show(word))));
    };
    for part in [&b"ST"[..], b"C", b"N"] {
        prefix = prefix.strip_prefix(part).unwrap_or(prefix);
    }
    if !prefix.is_empty() {
        let what = format!("'{}' is not supported: only OFF with three coordinates is", show(word));
        return Err(Error::unsupported(Place::Line(line), what));
    }
    if rest.next().is_some_and(|w| w.eq_ignore_ascii_case(b"binary")) {
        return Err(Error::unsupported(Place::Line(line), "binary OFF is not supported"));
    }
    Ok(())
}

fn content<'a>(lines: &mut Lines<'a>, what: &dyn std::fmt::Display) -> Result<&'a [u8], Error> {
    match lines.next_content() {
        Some(line) => Ok(line),
        None => Err(Error::line(lines.number(), format!("the file ends before {what}"))),
    }
}

/// Cuts a face into a fan.
fn face(words: &mut Words<'_>, line: u64, vertices: u64, out: &mut Vec<[u32; 3]>) -> Result<Fan, Error> {
    // A line has at least one word: the caller skips blank lines.
    let corners = words.next().map_or(Ok(0), |word| integer(word, line))?;
    let corners =
        u64::try_from(corners).map_err(|_| Error::line(line, format!("a face has {corners} corners")))?;
    let mut fan = Fan::default();
    for i in 0..corners {
        let Some(word) = words.next() else {
            return Err(Error::line(line, format!("a face of {corners} corners names only {i}")));
        };
        let index = integer(word, line)?;
        let corner = u32::try_from(index).ok().filter(|&c| u64::from(c) < vertices).ok_or_else(|| {
            Error::line(line, format!("a face names vertex {index}; there are {vertices}, from 0"))
        })?;
        out.extend(fan.push(corner));
    }
    Ok(fan)
}
