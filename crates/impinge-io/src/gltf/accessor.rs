//! Reads points and indices from buffers. Every range is checked before it is read.
use super::{
    container::Chunks,
    document::{Accessor, Document, Sparse},
    extensions,
};
use crate::{Error, budget::Budget, error::Place, load::Load, quote::show};
use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode::Indifferent, GeneralPurpose, GeneralPurposeConfig},
};
use foldhash::{HashMap, HashMapExt};
use std::{ops::Deref, ops::Range, sync::Arc};

/// The bytes of a buffer, or a part of them.
#[derive(Clone)]
struct Bytes<'a> {
    whole: Whole<'a>,
    range: Range<usize>,
}

#[derive(Clone)]
enum Whole<'a> {
    Here(&'a [u8]),
    Loaded(Arc<Vec<u8>>),
}

impl<'a> Bytes<'a> {
    fn new(whole: Whole<'a>) -> Self {
        let length = match &whole {
            Whole::Here(bytes) => bytes.len(),
            Whole::Loaded(bytes) => bytes.len(),
        };
        Self { whole, range: 0..length }
    }
    /// The bytes of a subrange, which must lie in `self`.
    fn cut(mut self, range: Range<usize>) -> Self {
        self.range = self.range.start + range.start..self.range.start + range.end;
        self
    }
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.whole {
            Whole::Here(bytes) => &bytes[self.range.clone()],
            Whole::Loaded(bytes) => &bytes[self.range.clone()],
        }
    }
}

/// The buffers of a document, loaded on first use.
pub(super) struct Data<'a, 'l> {
    document: &'a Document,
    binary: Option<&'a [u8]>,
    load: Load<'l>,
    /// Bytes of the document, and of the files loaded for it.
    size: u64,
    buffers: Vec<Option<Bytes<'a>>>,
    files: HashMap<&'a str, Bytes<'a>>,
}

impl<'a, 'l> Data<'a, 'l> {
    pub(super) fn new(document: &'a Document, (json, binary): Chunks<'a>, load: Load<'l>) -> Self {
        let size = (json.len() + binary.map_or(0, <[u8]>::len)) as u64;
        let buffers = vec![None; document.buffers.len()];
        Self { document, binary, load, size, buffers, files: HashMap::new() }
    }

    /// Bytes of the document, and of the files loaded for it.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Declared number of elements of an accessor. The elements exist if it names a buffer view.
    pub(super) fn count(&self, i: usize) -> Result<u64, Error> {
        self.accessor(i).map(|accessor| accessor.count)
    }
    /// True if the accessor has its own data.
    pub(super) fn has_data(&self, i: usize) -> bool {
        self.accessor(i).is_ok_and(|accessor| accessor.buffer_view.is_some() || accessor.sparse.is_some())
    }

    pub(super) fn is_f32(&self, i: usize) -> bool {
        self.accessor(i).is_ok_and(|accessor| accessor.component_type == 5126)
    }

    /// The points of an accessor: floats, or integers where KHR_mesh_quantization allows them. All are
    /// finite.
    pub(super) fn points(&mut self, i: usize, budget: &mut Budget) -> Result<Vec<[f64; 3]>, Error> {
        self.vectors(i, "VEC3", "positions", budget)
    }
    pub(super) fn rotations(&mut self, i: usize, budget: &mut Budget) -> Result<Vec<[f64; 4]>, Error> {
        self.vectors(i, "VEC4", "rotations", budget)
    }

    fn vectors<const N: usize>(
        &mut self,
        i: usize,
        shape: &str,
        what: &str,
        budget: &mut Budget,
    ) -> Result<Vec<[f64; N]>, Error> {
        let accessor = self.accessor(i)?;
        let place = || format!("accessor {i}");
        if accessor.shape != shape {
            let found = show(accessor.shape.as_bytes());
            return Err(Error::item(place(), format!("{what} are {shape}, not '{found}'")));
        }
        let one: fn(&[u8]) -> f64 = match accessor.component_type {
            5120 => |b| f64::from(b[0] as i8),
            5121 => |b| f64::from(b[0]),
            5122 => |b| f64::from(i16::from_le_bytes([b[0], b[1]])),
            5123 => |b| f64::from(u16::from_le_bytes([b[0], b[1]])),
            5126 => |b| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            other => return Err(Error::item(place(), format!("{what} of component type {other}"))),
        };
        let size = component_size(accessor.component_type);
        self.check(i, N * size)?;
        budget.input = self.size;
        budget.points(accessor.count, || Place::Item(place()))?;
        let mut vectors = self.elements(i, N * size, [0.0; N], |bytes| {
            std::array::from_fn(|axis| one(&bytes[axis * size..]))
        })?;
        if let Some(at) = vectors.iter().position(|p| p.iter().any(|c| !c.is_finite())) {
            let numbers: Vec<_> = vectors[at].iter().map(f64::to_string).collect();
            let what = format!("vertex {at} is not finite: ({})", numbers.join(", "));
            return Err(Error::item(place(), what));
        }
        if accessor.normalized {
            let most = match accessor.component_type {
                5120 => 127.0,
                5121 => 255.0,
                5122 => 32767.0,
                5123 => 65535.0,
                _ => return Err(Error::item(place(), "floats cannot be normalized")),
            };
            vectors.as_flattened_mut().iter_mut().for_each(|c| *c = (*c / most).max(-1.0));
        }
        Ok(vectors)
    }

    pub(super) fn indices(&mut self, i: usize) -> Result<Vec<u32>, Error> {
        let accessor = self.accessor(i)?;
        let Some(decode) = index(accessor.component_type).filter(|_| accessor.shape == "SCALAR") else {
            let what = "indices are SCALAR of unsigned bytes, shorts or ints";
            return Err(Error::item(format!("accessor {i}"), what));
        };
        self.elements(i, component_size(accessor.component_type), 0, decode)
    }

    fn accessor(&self, i: usize) -> Result<&'a Accessor, Error> {
        self.document.accessors.get(i).ok_or_else(|| {
            let what = format!("there are {} accessors, from 0", self.document.accessors.len());
            Error::item(format!("accessor {i}"), what)
        })
    }

    /// Checks that the elements of an accessor lie inside its buffer.
    fn check(&mut self, i: usize, size: usize) -> Result<(), Error> {
        let accessor = self.accessor(i)?;
        match accessor.buffer_view {
            Some(view) => {
                let span = Span { view, offset: accessor.byte_offset, count: accessor.count, size };
                self.span(&span).map(drop).map_err(|e| e.inside(&format!("accessor {i}")))
            }
            // Zeros take no room in the file. Their number may be at most the file's number of bytes.
            None if accessor.sparse.is_some() && accessor.count <= self.size => Ok(()),
            None => {
                let what = format!("{} elements have no buffer view", accessor.count);
                Err(Error::item(format!("accessor {i}"), what))
            }
        }
    }

    /// The elements of an accessor, `size` bytes each, after sparse replacement.
    fn elements<T: Copy>(
        &mut self,
        i: usize,
        size: usize,
        zero: T,
        decode: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, Error> {
        let accessor = self.accessor(i)?;
        self.check(i, size)?;
        let place = format!("accessor {i}");
        let inner = |e: Error| e.inside(&format!("{place} sparse"));
        let sparse = match &accessor.sparse {
            Some(sparse) => self.sparse(sparse, size, &decode).map_err(inner)?,
            None => Vec::new(),
        };
        let mut elements = match accessor.buffer_view {
            Some(view) => {
                let span = Span { view, offset: accessor.byte_offset, count: accessor.count, size };
                let (bytes, stride) = self.span(&span).map_err(|e| e.inside(&place))?;
                bytes.chunks(stride).take(accessor.count as usize).map(&decode).collect()
            }
            None => vec![zero; accessor.count as usize],
        };
        for (at, value) in sparse {
            let Some(element) = elements.get_mut(at as usize) else {
                let what = format!("element {at} is replaced, but there are {}, from 0", accessor.count);
                return Err(inner(Error::invalid(Place::File, what)));
            };
            *element = value;
        }
        Ok(elements)
    }

    /// The replacement elements of a sparse accessor, with their indices.
    fn sparse<T>(
        &mut self,
        sparse: &Sparse,
        size: usize,
        decode: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<(u32, T)>, Error> {
        let Sparse { count, indices, values } = sparse;
        let Some(index) = index(indices.component_type) else {
            return Err(Error::invalid(Place::File, "indices are unsigned bytes, shorts or ints"));
        };
        let view = (indices.buffer_view, indices.byte_offset, component_size(indices.component_type));
        let span = |(view, offset, size)| Span { view, offset, count: *count, size };
        let (at, at_stride) = self.span(&span(view))?;
        let (values, stride) = self.span(&span((values.buffer_view, values.byte_offset, size)))?;
        let at = at.chunks(at_stride).take(*count as usize).map(index);
        Ok(at.zip(values.chunks(stride).map(decode)).collect())
    }

    /// The bytes of a span, from the start of its first element to the end of its last, and its stride. The
    /// range is checked against the view and the buffer.
    fn span(&mut self, span: &Span) -> Result<(Bytes<'a>, usize), Error> {
        let Span { view: i, offset, count, size } = *span;
        let place = format!("buffer view {i}");
        let Some(view) = self.document.buffer_views.get(i) else {
            let what = format!("there are {} buffer views, from 0", self.document.buffer_views.len());
            return Err(Error::item(place, what));
        };
        let size = size as u64;
        let stride = view.byte_stride.unwrap_or(size);
        if stride < size {
            return Err(Error::item(place, format!("elements of {size} bytes start every {stride} bytes")));
        }
        // End of the elements within the view; `None` on overflow.
        let end = match count {
            0 => Some(offset),
            _ => (count - 1).checked_mul(stride).and_then(|n| n.checked_add(size)?.checked_add(offset)),
        };
        if end.is_none_or(|end| end > view.byte_length) {
            let what = format!(
                "{count} elements of {size} bytes from byte {offset} on, every {stride} bytes, \
                 do not fit in {}",
                view.byte_length
            );
            return Err(Error::item(place, what));
        }
        let bytes = match self.buffer(view.buffer) {
            Ok(bytes) => bytes,
            // The buffer of a compressed view need not exist.
            Err(e) => {
                let e = view.extensions.compression().map_or(e, extensions::refused_by_name);
                return Err(e.inside(&place));
            }
        };
        let range = view
            .byte_offset
            .checked_add(view.byte_length)
            .filter(|end| *end <= bytes.len() as u64)
            // Both are at most the length of the buffer, so they fit in usize.
            .map(|_| {
                (view.byte_offset + offset) as usize..(view.byte_offset + end.unwrap_or(offset)) as usize
            });
        let Some(range) = range else {
            let what = format!(
                "{} bytes from byte {} on do not fit in buffer {}, which has {}",
                view.byte_length,
                view.byte_offset,
                view.buffer,
                bytes.len()
            );
            return Err(Error::item(place, what));
        };
        Ok((bytes.cut(range), stride as usize))
    }

    fn buffer(&mut self, i: usize) -> Result<Bytes<'a>, Error> {
        let place = format!("buffer {i}");
        let Some(buffer) = self.document.buffers.get(i) else {
            let what = format!("there are {} buffers, from 0", self.document.buffers.len());
            return Err(Error::item(place, what));
        };
        if let Some(bytes) = &self.buffers[i] {
            return Ok(bytes.clone());
        }
        let bytes = match (&buffer.uri, self.binary) {
            (None, Some(binary)) if i == 0 => Bytes::new(Whole::Here(binary)),
            (None, _) => return Err(Error::item(place, "it has no URI, and there is no chunk of data")),
            (Some(uri), _) => match self.files.get(&uri[..]) {
                Some(bytes) if bytes.len() as u64 >= buffer.byte_length => bytes.clone(),
                _ => {
                    let bytes = match uri.get(..5) {
                        Some(scheme) if scheme.eq_ignore_ascii_case("data:") => {
                            decode_data(&uri[5..]).map(Arc::new)
                        }
                        _ => (self.load)(uri, buffer.byte_length),
                    };
                    let bytes = Bytes::new(Whole::Loaded(bytes.map_err(|e| e.inside(&place))?));
                    self.size += bytes.len() as u64;
                    self.files.insert(uri, bytes.clone());
                    bytes
                }
            },
        };
        if (bytes.len() as u64) < buffer.byte_length {
            let what = format!("it announces {} bytes, but has {}", buffer.byte_length, bytes.len());
            return Err(Error::item(place, what));
        }
        // The length is at most the number of bytes, so it fits.
        let bytes = bytes.cut(0..buffer.byte_length as usize);
        self.buffers[i] = Some(bytes.clone());
        Ok(bytes)
    }
}

/// The part of a buffer view that an accessor reads.
struct Span {
    view: usize,
    offset: u64,
    count: u64,
    size: usize,
}

fn component_size(component_type: u64) -> usize {
    match component_type {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        _ => 4,
    }
}

/// Returns the reader for indices of a component type; its input must be long enough.
fn index(component_type: u64) -> Option<fn(&[u8]) -> u32> {
    Some(match component_type {
        5121 => |b| u32::from(b[0]),
        5123 => |b| u32::from(u16::from_le_bytes([b[0], b[1]])),
        5125 => |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]),
        _ => return None,
    })
}

/// Base64 decoder that accepts input with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(Indifferent).with_decode_allow_trailing_bits(true),
);

/// The payload of a `data:` URI, given without `data:`. Any character may be escaped by `%`, and base64
/// may contain line breaks.
fn decode_data(data: &str) -> Result<Vec<u8>, Error> {
    let wrong = |what: &str| Error::invalid(Place::File, what);
    let (head, body) = data.split_once(',').ok_or_else(|| wrong("its data URI has no comma"))?;
    let mut bytes: Vec<u8> = percent_encoding::percent_decode_str(body).collect();
    let is_base64 = head.rsplit(';').next().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64"));
    if !is_base64 {
        return Ok(bytes);
    }
    bytes.retain(|b| !b.is_ascii_whitespace());
    BASE64.decode(bytes).map_err(|e| wrong("its data URI is not proper base64").because(e))
}
