//! [`Guid`]: a globally unique identifier of 128 bits.
use crate::values::digest::Digest;
use std::fmt;

/// A GUID. Its text is 32 hexadecimal digits, with or without dashes and braces, or the 22 characters of an
/// IFC GlobalId, which is the same number in base 64.
///
/// ```
/// use impinge_check::values::Guid;
///
/// let guid = Guid::parse("1hOSvn6df7F8_7GcBWlRGQ").expect("a GlobalId");
/// assert_eq!(guid.to_string(), "6b61ce71-1a7a-473c-8f87-4262e0bdb41a");
/// assert_eq!(Guid::parse(&guid.to_string()), Some(guid));
/// assert_eq!(guid.ifc(), "1hOSvn6df7F8_7GcBWlRGQ");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid(u128);

/// The digits of IFC's base 64.
const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";

impl Guid {
    /// Reads a GUID in any of these forms; `None` for other texts.
    pub fn parse(text: &str) -> Option<Self> {
        let digits: Vec<u8> = text.bytes().filter(|c| !matches!(c, b'-' | b'{' | b'}')).collect();
        if digits.len() == 32 && digits.iter().all(u8::is_ascii_hexdigit) {
            return u128::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok().map(Self);
        }
        let text = text.as_bytes();
        // The first character has two bits.
        if text.len() != 22 || !(b'0'..=b'3').contains(&text[0]) {
            return None;
        }
        let digit = |c: &u8| DIGITS.iter().position(|digit| digit == c);
        text.iter().try_fold(0, |number: u128, c| Some(number << 6 | digit(c)? as u128)).map(Self)
    }
    /// The GUID of a text within a name space. The same text has the same GUID on every machine. Its version
    /// is 8 (RFC 9562), since it is made of SHA-256.
    pub fn of(space: &str, text: &str) -> Self {
        let digest = Digest::of(format!("{space}\0{text}").as_bytes());
        let number = u128::from_be_bytes(std::array::from_fn(|i| digest.bytes()[i]));
        let [version, variant] = [0xF_u128 << 76, 0x3_u128 << 62];
        Self(number & !version & !variant | 8 << 76 | 2 << 62)
    }
    /// The 22 characters of an IFC GlobalId.
    pub fn ifc(self) -> String {
        (0..22).rev().map(|i| char::from(DIGITS[(self.0 >> (6 * i)) as usize & 63])).collect()
    }
}

/// Writes 32 hexadecimal digits in lower case, with dashes.
impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:032x}", self.0);
        let [a, b, c, d, e] = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| &digits[range]);
        write!(f, "{a}-{b}-{c}-{d}-{e}")
    }
}

#[cfg(test)]
mod tests {
    use super::Guid;

    #[test]
    fn all_forms_of_a_guid_are_one_number() {
        // From ifcopenshell.guid.expand.
        let ifc = Guid::parse("1hOSvn6df7F8_7GcBWlRGQ").unwrap();
        assert_eq!(ifc.to_string(), "6b61ce71-1a7a-473c-8f87-4262e0bdb41a");
        assert_eq!(Guid::parse("{6B61CE71-1A7A-473C-8F87-4262E0BDB41A}"), Some(ifc));
        for none in ["", "4hOSvn6df7F8_7GcBWlRGQ", "1hOSvn6df7F8_7GcBWlRG", "1hOSvn6df7F8_7GcBWlR!Q"] {
            assert_eq!(Guid::parse(none), None, "{none}");
        }
        for text in ["", "a", "\0"] {
            let guid = Guid::of("space", text);
            assert_eq!(Guid::parse(&guid.ifc()), Some(guid));
            assert_ne!(guid, Guid::of("other", text));
            let text = guid.to_string();
            assert_eq!(&text[14..15], "8");
            assert!("89ab".contains(&text[19..20]), "{text}");
        }
    }
}
