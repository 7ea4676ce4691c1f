//! Rows of a body as a sequence of numbers: words of lines, or bytes in either byte order.
//!
//! Every scalar of PLY converts to f64 without loss.
use super::header::{Element, PropertyKind, Scalar};
use crate::{
    Error,
    error::Place,
    quote::{quoted, show},
    text::{Lines, Words},
};
use std::marker::PhantomData;

pub(super) trait Body {
    /// Goes to the next row.
    fn begin_row(&mut self, element: &Element) -> Result<(), Error>;
    /// Checks that the row has no further content.
    fn end_row(&mut self, element: &Element) -> Result<(), Error>;
    /// The next number, not necessarily finite.
    fn number(&mut self, scalar: Scalar) -> Result<f64, Error>;
    fn skip(&mut self, scalar: Scalar, n: u64) -> Result<(), Error>;
    /// Minimum number of bytes of a property.
    fn least(&self, kind: PropertyKind) -> u64;
    /// Number of bytes after the rows read so far, without the blanks at both ends of a text.
    fn left(&self) -> u64;
    /// An upper bound of [`Body::left`] in constant time: each of many elements queries it.
    fn room(&self) -> u64 {
        self.left()
    }
    fn place(&self) -> Place;

    /// The length of a list.
    fn count(&mut self, scalar: Scalar) -> Result<u64, Error> {
        let place = self.place();
        let value = self.number(scalar)?;
        // The cast saturates; a value that it changes differs from the original.
        let count = value as u32;
        if f64::from(count) != value {
            return Err(Error::invalid(place, format!("the length of a list is {value}")));
        }
        Ok(u64::from(count))
    }
}

pub(super) struct Ascii<'a> {
    lines: Lines<'a>,
    words: Words<'a>,
    /// Number of blanks at the end of the file, computed once.
    blanks: usize,
}

impl<'a> Ascii<'a> {
    pub(super) fn new(lines: Lines<'a>) -> Self {
        let blanks = lines.rest().len() - lines.rest().trim_ascii_end().len();
        Self { lines, words: Words(b""), blanks }
    }
    fn word(&mut self) -> Result<&'a [u8], Error> {
        self.words.next().ok_or_else(|| Error::invalid(self.place(), "the line ends before its row does"))
    }
}

impl Body for Ascii<'_> {
    fn begin_row(&mut self, element: &Element) -> Result<(), Error> {
        loop {
            let Some(line) = self.lines.next() else {
                let what = format!(
                    "the file ends before the {} rows of '{}' do",
                    element.count,
                    quoted(&element.name)
                );
                return Err(Error::invalid(self.place(), what));
            };
            self.words = Words(line);
            if !self.words.rest().is_empty() {
                return Ok(());
            }
        }
    }
    fn end_row(&mut self, element: &Element) -> Result<(), Error> {
        match self.words.next() {
            None => Ok(()),
            Some(word) => {
                let what = format!(
                    "a row of '{}' goes on with '{}' after its end",
                    quoted(&element.name),
                    show(word)
                );
                Err(Error::invalid(self.place(), what))
            }
        }
    }
    #[inline]
    fn number(&mut self, scalar: Scalar) -> Result<f64, Error> {
        let usual = match scalar {
            Scalar::F32 | Scalar::F64 => self.words.decimal(),
            // An integer may also be written as `3.0`.
            _ => self.words.short_integer().map(f64::from).or_else(|| self.words.decimal()),
        };
        if let Some(value) = usual {
            return Ok(value);
        }
        let word = self.word()?;
        let value = str::from_utf8(word).ok().and_then(|w| w.parse().ok());
        value.ok_or_else(|| Error::invalid(self.place(), format!("'{}' is not a number", show(word))))
    }
    fn skip(&mut self, _: Scalar, n: u64) -> Result<(), Error> {
        (0..n).try_for_each(|_| self.word().map(drop))
    }
    /// A digit and its separator.
    fn least(&self, _: PropertyKind) -> u64 {
        2
    }
    fn left(&self) -> u64 {
        self.lines.rest().trim_ascii().len() as u64
    }
    fn room(&self) -> u64 {
        self.lines.rest().len().saturating_sub(self.blanks) as u64
    }
    fn place(&self) -> Place {
        Place::Line(self.lines.number())
    }
}

pub(super) trait Order {
    const BIG: bool;
}
pub(super) struct Little;
pub(super) struct Big;
impl Order for Little {
    const BIG: bool = false;
}
impl Order for Big {
    const BIG: bool = true;
}

pub(super) struct Binary<'a, O> {
    bytes: &'a [u8],
    at: usize,
    order: PhantomData<O>,
}

impl<'a, O: Order> Binary<'a, O> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, order: PhantomData }
    }
    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let Some(&bytes) = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>()) else {
            return Err(self.end());
        };
        self.at += N;
        Ok(bytes)
    }
    #[cold]
    fn end(&self) -> Error {
        Error::byte(self.bytes.len(), "the file ends inside its last row")
    }
}

/// Reads a number of a type from its bytes in either order.
macro_rules! take {
    ($self:ident, $type:ty) => {{
        let bytes = $self.take()?;
        f64::from(if O::BIG { <$type>::from_be_bytes(bytes) } else { <$type>::from_le_bytes(bytes) })
    }};
}

impl<O: Order> Body for Binary<'_, O> {
    fn begin_row(&mut self, _: &Element) -> Result<(), Error> {
        Ok(())
    }
    fn end_row(&mut self, _: &Element) -> Result<(), Error> {
        Ok(())
    }
    #[inline]
    fn number(&mut self, scalar: Scalar) -> Result<f64, Error> {
        Ok(match scalar {
            Scalar::I8 => take!(self, i8),
            Scalar::U8 => take!(self, u8),
            Scalar::I16 => take!(self, i16),
            Scalar::U16 => take!(self, u16),
            Scalar::I32 => take!(self, i32),
            Scalar::U32 => take!(self, u32),
            Scalar::F32 => take!(self, f32),
            Scalar::F64 => take!(self, f64),
        })
    }
    #[inline]
    fn skip(&mut self, scalar: Scalar, n: u64) -> Result<(), Error> {
        // A count has 32 bits, a size is at most 8: no overflow.
        let bytes = n * scalar.size() as u64;
        if bytes > self.left() {
            return Err(self.end());
        }
        self.at += bytes as usize;
        Ok(())
    }
    fn least(&self, kind: PropertyKind) -> u64 {
        match kind {
            PropertyKind::Scalar(scalar) | PropertyKind::List { count: scalar, .. } => scalar.size() as u64,
        }
    }
    fn left(&self) -> u64 {
        (self.bytes.len() - self.at) as u64
    }
    #[inline]
    fn place(&self) -> Place {
        Place::Byte(self.at as u64)
    }
}
