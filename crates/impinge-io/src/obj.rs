//! Reads Wavefront OBJ. The parser is ours: the `tobj` crate gives no line number, splits parts at `usemtl`,
//! and drops unknown statements silently.
//!
//! A part is a group (`g`) of an object (`o`) that has faces; a group that is named again continues.
//! Materials do not split parts. Faces may name vertices that come later in the file.
use crate::{
    Error,
    blocks::Blocks,
    error::Place,
    number::{decimal, short_integer, skip_digits},
    polygon::{Fan, Polygons},
    quote::{self, show},
    sink::Sink,
    text::{self, Lines, Words, skip_spaces},
    used_points::used_points,
};
use foldhash::HashMap;
use impinge::Mesh;
use std::{io::Read, rc::Rc};

pub(crate) fn parse(bytes: &[u8], sink: &mut Sink) -> Result<(), Error> {
    let mut file = Obj::default();
    file.statements(Lines::new(bytes))?;
    file.finish(sink)
}

/// Parses a file block by block.
pub(crate) fn parse_blocks(mut blocks: Blocks<impl Read>, sink: &mut Sink) -> Result<(), Error> {
    let mut file = Obj::default();
    let mut lines = 0;
    while let Some(block) = blocks.next().map_err(|e| Error::io("cannot be read", e))? {
        lines = file.statements(Lines::behind(lines, block))?;
    }
    file.finish(sink)
}

/// True if a backslash at the end of this line belongs to a name or a comment, as in `mtllib C:\models\`.
fn holds_a_name(line: &[u8]) -> bool {
    match Words(line).next() {
        Some(b"o" | b"g" | b"usemtl" | b"mtllib" | b"usemap" | b"maplib") => true,
        Some(word) => word[0] == b'#',
        None => false,
    }
}

/// Joins a line that ends in a backslash with the lines that continue it.
fn join(line: &[u8], lines: &mut Lines<'_>, joined: &mut Vec<u8>) {
    joined.clear();
    let mut part = Some(line);
    while let Some(line) = part {
        let Some(line) = line.strip_suffix(b"\\") else {
            joined.extend_from_slice(line);
            return;
        };
        joined.extend_from_slice(line);
        joined.push(b' ');
        part = lines.next();
    }
}

/// One part; its triangles name vertices of the whole file.
struct Group {
    /// Name as the file spells it; the groups of an object share it.
    object: Rc<[u8]>,
    group: Vec<u8>,
    triangles: Vec<[u32; 3]>,
}

impl Group {
    fn name(&self) -> String {
        match (&self.object[..], &self.group[..]) {
            (b"", name) | (name, b"") => quote::name(name),
            (object, group) if object == group => quote::name(object),
            (object, group) => format!("{}/{}", quote::name(object), quote::name(group)),
        }
    }
}

/// Statements that are skipped: their number, and the line and keyword of the first.
#[derive(Default)]
struct Skipped {
    count: u64,
    line: u64,
    keyword: String,
}

#[derive(Default)]
struct Obj {
    points: Vec<[f64; 3]>,
    groups: Vec<Group>,
    /// Index in `groups` of each named group, by object number and group name.
    known: HashMap<(u64, Vec<u8>), usize>,
    /// Number of `o` statements: each starts an object, even under an old name.
    objects: u64,
    object: Rc<[u8]>,
    group: Vec<u8>,
    /// The group that faces are added to; the first face after `o` or `g` sets it.
    current: Option<usize>,
    /// The greatest vertex index that a face named before its definition, with the line of the face.
    ahead: Option<(u32, u64)>,
    polygons: Polygons,
    /// Points, lines, free-form shapes, unknown keywords.
    skipped: [Skipped; 4],
    /// A name without a face so far.
    waiting: Option<Waiting>,
    /// Names that never got a face.
    empty: Skipped,
}

/// An `o` or a `g` before its first face.
struct Waiting {
    line: u64,
    object: u64,
    /// Name of the group; an object waits for a face in any group.
    group: Option<Vec<u8>>,
}

const SKIPPED: [&str; 4] = [
    "points ('p') are not triangles and are skipped",
    "lines ('l') are not triangles and are skipped",
    "statements of free-form curves and surfaces are not read",
    "unknown statements are not read",
];

impl Obj {
    /// Processes all lines. Returns the number of the last.
    fn statements(&mut self, mut lines: Lines<'_>) -> Result<u64, Error> {
        let mut joined = Vec::new();
        loop {
            let usual = match lines.rest() {
                [b'v', b' ', ..] => self.usual_vertex(&mut lines),
                [b'f', b' ', ..] => self.usual_face(&mut lines),
                _ => None,
            };
            if usual.is_some() {
                continue;
            }
            let Some(line) = lines.next() else { return Ok(lines.number()) };
            let number = lines.number();
            if line.last() == Some(&b'\\') && !holds_a_name(line) {
                join(line, &mut lines, &mut joined);
                self.statement(&joined, number)?;
            } else {
                self.statement(line, number)?;
            }
        }
    }

    /// Reads a vertex whose line contains exactly three numbers. Otherwise does nothing, so that only
    /// `statement` contains the rules and the error messages.
    #[inline]
    fn usual_vertex(&mut self, lines: &mut Lines<'_>) -> Option<()> {
        let text = lines.rest();
        let mut point = [0.0; 3];
        let mut at = 1;
        for coordinate in &mut point {
            (*coordinate, at) = decimal(text, next_word(text, at)?)?;
        }
        (self.points.len() < u32::MAX as usize && lines.pass(at)).then(|| self.points.push(point))
    }

    /// Reads a face of the current part whose line contains only corners that name earlier vertices.
    /// Otherwise does nothing, as for a vertex.
    #[inline]
    fn usual_face(&mut self, lines: &mut Lines<'_>) -> Option<()> {
        let group = self.current?;
        let text = lines.rest();
        let count = u32::try_from(self.points.len()).ok()?;
        let triangles = &mut self.groups[group].triangles;
        let start = triangles.len();
        let mut fan = Fan::default();
        let mut at = 1;
        while let Some(word) = next_word(text, at) {
            at = word;
            let Some((corner, end)) = usual_corner(text, word, count) else { break };
            if let Some(triangle) = fan.push(corner) {
                triangles.push(triangle);
            }
            at = end;
        }
        if !lines.pass(at) {
            triangles.truncate(start);
            return None;
        }
        self.polygons.close(&fan, &self.points, group, triangles, Place::Line(lines.number()));
        Some(())
    }

    #[inline]
    fn statement(&mut self, line: &[u8], number: u64) -> Result<(), Error> {
        let mut words = Words(line);
        let Some(keyword) = words.next() else { return Ok(()) };
        match keyword {
            b"v" => {
                if self.points.len() == u32::MAX as usize {
                    return Err(Error::line(number, format!("more than {} vertices", u32::MAX)));
                }
                // A weight or a colour may follow; neither moves the point.
                self.points.push(text::point(&mut words, number)?);
            }
            b"f" | b"fo" => self.face(words, number)?,
            b"o" => {
                self.close();
                self.objects += 1;
                self.object = words.rest().into();
                self.group.clear();
                self.current = None;
                self.waiting = Some(Waiting { line: number, object: self.objects, group: None });
            }
            b"g" => {
                // The group replaces a waiting object.
                if self.waiting.as_ref().is_some_and(|w| w.group.is_some()) {
                    self.close();
                }
                self.group = words.rest().to_vec();
                self.current = None;
                let group = Some(self.group.clone());
                self.waiting = Some(Waiting { line: number, object: self.objects, group });
            }
            b"vt" | b"vn" | b"s" | b"usemtl" | b"mtllib" | b"usemap" | b"maplib" | b"shadow_obj"
            | b"trace_obj" | b"bevel" | b"c_interp" | b"d_interp" | b"lod" | b"mg" => {}
            _ if keyword[0] == b'#' => {}
            b"p" => self.skip(0, keyword, number),
            b"l" => self.skip(1, keyword, number),
            b"vp" | b"cstype" | b"deg" | b"bmat" | b"step" | b"curv" | b"curv2" | b"surf" | b"parm"
            | b"trim" | b"hole" | b"scrv" | b"sp" | b"end" | b"con" | b"ctech" | b"stech" | b"bsp"
            | b"bzp" | b"cdc" | b"cdp" | b"res" => self.skip(2, keyword, number),
            _ => self.skip(3, keyword, number),
        }
        Ok(())
    }

    fn face(&mut self, words: Words<'_>, line: u64) -> Result<(), Error> {
        let mut fan = Fan::default();
        for word in words.take_while(|w| w[0] != b'#') {
            if let Some(triangle) = fan.push(self.corner(word, line)?) {
                let group = self.target();
                self.groups[group].triangles.push(triangle);
            }
        }
        match self.current {
            Some(i) => {
                let triangles = &mut self.groups[i].triangles;
                self.polygons.close(&fan, &self.points, i, triangles, Place::Line(line));
            }
            None => self.polygons.too_small(Place::Line(line)),
        }
        Ok(())
    }

    /// The vertex that a corner `v`, `v/vt`, `v//vn` or `v/vt/vn` names, counted from 0.
    #[inline]
    fn corner(&mut self, word: &[u8], line: u64) -> Result<u32, Error> {
        let (negative, digits) = match word {
            [b'-', digits @ ..] => (true, digits),
            _ => (false, word),
        };
        let mut value = 0_u64;
        let mut length = 0;
        for &byte in digits.iter().take_while(|b| b.is_ascii_digit()) {
            // Capped far above any index, and far below overflow.
            value = (value * 10 + u64::from(byte - b'0')).min(1 << 40);
            length += 1;
        }
        let rest = &digits[length..];
        let proper = length > 0
            && (rest.is_empty()
                || rest[0] == b'/' && rest.iter().all(|b| matches!(b, b'0'..=b'9' | b'/' | b'-')));
        if !proper {
            return Err(Error::line(line, format!("'{}' is not a corner of a face", show(word))));
        }
        let count = self.points.len() as u64;
        let index = if negative { count.checked_sub(value) } else { value.checked_sub(1) };
        match index.and_then(|i| u32::try_from(i).ok()) {
            Some(index) if value != 0 => {
                if u64::from(index) >= count && self.ahead.is_none_or(|(most, _)| index > most) {
                    self.ahead = Some((index, line));
                }
                Ok(index)
            }
            _ => Err(Error::line(
                line,
                format!("a face names vertex {}; there are {count} so far", show(word)),
            )),
        }
    }

    /// Index of the part that faces are added to now.
    #[inline]
    fn target(&mut self) -> usize {
        match self.current {
            Some(i) => i,
            None => self.enter(),
        }
    }

    #[cold]
    fn enter(&mut self) -> usize {
        self.waiting = None;
        let i = *self.known.entry((self.objects, self.group.clone())).or_insert(self.groups.len());
        if i == self.groups.len() {
            let (object, group) = (Rc::clone(&self.object), self.group.clone());
            self.groups.push(Group { object, group, triangles: Vec::new() });
        }
        self.current = Some(i);
        i
    }

    /// Counts the waiting name as empty, except that of a group that had a face before. The name `default`
    /// and the empty name do not count either: exporters write them to end a group.
    fn close(&mut self) {
        let Some(Waiting { line, object, group }) = self.waiting.take() else { return };
        match group {
            None => self.empty.add(line, &self.object),
            Some(group) if matches!(&group[..], b"" | b"default") => {}
            Some(group) => {
                let key = (object, group);
                if !self.known.contains_key(&key) {
                    self.empty.add(line, &key.1);
                }
            }
        }
    }
    fn skip(&mut self, kind: usize, keyword: &[u8], line: u64) {
        self.skipped[kind].add(line, keyword);
    }

    fn finish(mut self, sink: &mut Sink) -> Result<(), Error> {
        if let Some((index, line)) = self.ahead
            && index as usize >= self.points.len()
        {
            let what =
                format!("a face names vertex {}; the file has {}", u64::from(index) + 1, self.points.len());
            return Err(Error::line(line, what));
        }
        self.close();
        self.polygons.finish(&self.points, self.groups.iter_mut().map(|g| &mut g.triangles));
        self.polygons.warn(sink);
        for (skipped, what) in self.skipped.iter().zip(SKIPPED) {
            if skipped.count > 0 {
                let what = format!("{what}: {}, first '{}'", skipped.count, skipped.keyword);
                sink.warn(Place::Line(skipped.line), what);
            }
        }
        if self.empty.count > 0 {
            let what = format!("groups without a face: {}, first '{}'", self.empty.count, self.empty.keyword);
            sink.warn(Place::Line(self.empty.line), what);
        }
        let wrong = |e| Error::invalid(Place::File, "its faces do not make a mesh").because(e);
        if let [only] = &mut self.groups[..] {
            let triangles = std::mem::take(&mut only.triangles);
            return sink.part(only.name(), used_points(self.points, triangles).map_err(wrong)?);
        }
        let mut renumber = Renumber { part: 0, new: vec![(0, 0); self.points.len()] };
        for group in self.groups {
            let name = group.name();
            sink.budget.name(&name, || Place::File)?;
            sink.part(name, renumber.mesh(&self.points, group.triangles).map_err(wrong)?)?;
        }
        Ok(())
    }
}

/// Parses a corner of a face. Returns the vertex, counted from 0, and the end of the corner. The caller
/// checks that a blank or the end of the text follows.
#[inline]
fn usual_corner(text: &[u8], at: usize, count: u32) -> Option<(u32, usize)> {
    let (index, mut at) = if text.get(at) == Some(&b'-') {
        let (value, end) = short_integer(text, at + 1)?;
        (count.wrapping_sub(value), end)
    } else {
        let (value, end) = short_integer(text, at)?;
        (value.wrapping_sub(1), end)
    };
    while text.get(at) == Some(&b'/') {
        at += 1;
        at = skip_digits(text, at + usize::from(text.get(at) == Some(&b'-')));
    }
    // A number below zero has wrapped.
    (index < count).then_some((index, at))
}

/// Start of the next word of a line, after at least one blank.
#[inline]
fn next_word(text: &[u8], at: usize) -> Option<usize> {
    matches!(text.get(at), Some(b' ' | b'\t')).then(|| skip_spaces(text, at + 1))
}

impl Skipped {
    #[cold]
    fn add(&mut self, line: u64, keyword: &[u8]) {
        if self.count == 0 {
            (self.line, self.keyword) = (line, show(keyword));
        }
        self.count += 1;
    }
}

/// Gives each part its own vertices, in the order in which its triangles name them. One table serves all
/// parts: an entry is valid only if it contains the part's number.
struct Renumber {
    part: u32,
    new: Vec<(u32, u32)>,
}

impl Renumber {
    fn mesh(&mut self, points: &[[f64; 3]], mut triangles: Vec<[u32; 3]>) -> Result<Mesh, impinge::Error> {
        self.part += 1;
        let mut own = Vec::new();
        for i in triangles.as_flattened_mut() {
            let entry = &mut self.new[*i as usize];
            if entry.0 != self.part {
                *entry = (self.part, own.len() as u32);
                own.push(points[*i as usize]);
            }
            *i = entry.1;
        }
        Mesh::new(own, triangles)
    }
}
