//! The header: the elements, their numbers of rows, and the properties of a row.
use crate::{
    Error,
    quote::{quoted, show},
    text::{Lines, Words, integer},
};
use foldhash::{HashSet, HashSetExt};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Ascii,
    Little,
    Big,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
    fn parse(word: &[u8], line: u64) -> Result<Self, Error> {
        Ok(match word {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return Err(Error::line(line, format!("'{}' is not a type of PLY", show(word)))),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PropertyKind {
    Scalar(Scalar),
    List { count: Scalar, item: Scalar },
}

#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: PropertyKind,
}

#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
    /// Line of the header that declares the element.
    pub(super) line: u64,
}

#[derive(Debug)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Offset of the body.
    pub(super) body: usize,
}

impl Header {
    /// True if points are stored as f32. Decimals of a text, whatever their declared type, are not.
    pub(super) fn has_f32_points(&self) -> bool {
        let is_f32 = |p: &Property| {
            matches!(p.kind, PropertyKind::Scalar(Scalar::F32)) && ["x", "y", "z"].contains(&&*p.name)
        };
        let mut vertices = self.elements.iter().filter(|element| element.name == "vertex");
        self.encoding != Encoding::Ascii && vertices.any(|element| element.properties.iter().any(is_f32))
    }
    /// Parses the header; also returns the lines after it.
    pub(super) fn parse(bytes: &[u8]) -> Result<(Self, Lines<'_>), Error> {
        let mut lines = Lines::new(bytes);
        if lines.next().is_none_or(|line| line.trim_ascii() != b"ply") {
            return Err(Error::line(1, "a PLY file starts with the line 'ply'"));
        }
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        // Names of elements, and of the properties of the last element.
        let (mut names, mut properties) = (HashSet::new(), HashSet::new());
        loop {
            let Some(text) = lines.next() else {
                return Err(Error::line(lines.number(), "the file ends inside the header"));
            };
            let line = lines.number();
            let mut words = Words(text);
            match words.next() {
                None | Some(b"comment" | b"obj_info") => {}
                Some(b"format") => encoding = Some(format(words, line)?),
                Some(b"element") => {
                    let element = element(words, line)?;
                    if !names.insert(element.name.clone()) {
                        return Err(Error::line(
                            line,
                            format!("a second element '{}'", quoted(&element.name)),
                        ));
                    }
                    elements.push(element);
                    properties = HashSet::new();
                }
                Some(b"property") => {
                    let Some(element) = elements.last_mut() else {
                        return Err(Error::line(line, "a property before the first element"));
                    };
                    let property = property(words, line)?;
                    if !properties.insert(property.name.clone()) {
                        let [property, element] = [&property.name, &element.name].map(|name| quoted(name));
                        let what = format!("a second property '{property}' of '{element}'");
                        return Err(Error::line(line, what));
                    }
                    element.properties.push(property);
                }
                Some(b"end_header") => break,
                Some(word) => {
                    return Err(Error::line(line, format!("'{}' does not belong in a header", show(word))));
                }
            }
        }
        let Some(encoding) = encoding else {
            return Err(Error::line(lines.number(), "the header has no line 'format'"));
        };
        let mut body = bytes.len() - lines.rest().len();
        // If lines end in a lone `\r`, a `\n` after the last `\r` is already data.
        if encoding != Encoding::Ascii && bytes.get(3) == Some(&b'\r') && bytes.get(4) != Some(&b'\n') {
            body -= usize::from(bytes[..body].ends_with(b"\r\n"));
        }
        Ok((Self { encoding, elements, body }, lines))
    }
}

fn format(mut words: Words<'_>, line: u64) -> Result<Encoding, Error> {
    match words.next() {
        Some(b"ascii") => Ok(Encoding::Ascii),
        Some(b"binary_little_endian") => Ok(Encoding::Little),
        Some(b"binary_big_endian") => Ok(Encoding::Big),
        word => {
            Err(Error::line(line, format!("'{}' is not a format of PLY", show(word.unwrap_or_default()))))
        }
    }
}

fn element(mut words: Words<'_>, line: u64) -> Result<Element, Error> {
    let (Some(name), Some(count)) = (words.next(), words.next()) else {
        return Err(Error::line(line, "an element needs a name and a count"));
    };
    let count = integer(count, line)?;
    let count = u64::try_from(count).map_err(|_| Error::line(line, format!("the count is {count}")))?;
    Ok(Element { name: crate::quote::name(name), count, properties: Vec::new(), line })
}

fn property(mut words: Words<'_>, line: u64) -> Result<Property, Error> {
    let mut next = || words.next().ok_or_else(|| Error::line(line, "a property needs a type and a name"));
    let kind = match next()? {
        b"list" => {
            PropertyKind::List { count: Scalar::parse(next()?, line)?, item: Scalar::parse(next()?, line)? }
        }
        word => PropertyKind::Scalar(Scalar::parse(word, line)?),
    };
    Ok(Property { name: crate::quote::name(next()?), kind })
}
