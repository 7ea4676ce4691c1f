//! [`FindingId`]: the permanent id of a finding.
use crate::values::{digest::Digest, error::Error};
use std::{fmt, str::FromStr};

/// The id of a finding: 16 hexadecimal digits of a hash of the test and the parts' keys. It stays the same as
/// long as both parts do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingId(u64);

impl FindingId {
    /// The id of a finding about parts with these sorted keys. Another `attempt` gives another id, if the
    /// hashes of two findings are equal. Findings about one part differ by their relation.
    pub(crate) fn new(test: &str, keys: &[&str], relation: &str, attempt: u32) -> Self {
        let relation = if keys.len() == 1 { relation } else { "" };
        let mut bytes = Vec::new();
        for text in [test, relation].iter().chain(keys) {
            // Lengths separate the texts.
            bytes.extend((text.len() as u64).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        if attempt > 0 {
            bytes.extend(attempt.to_le_bytes());
        }
        let digest = Digest::of(&bytes);
        Self(u64::from_be_bytes(std::array::from_fn(|i| digest.bytes()[i])))
    }
}

/// Writes 16 hexadecimal digits.
impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:016x}", self.0))
    }
}

impl fmt::Debug for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads 16 hexadecimal digits, in lower case.
impl FromStr for FindingId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let is_digit = |c: u8| matches!(c, b'0'..=b'9' | b'a'..=b'f');
        let digits = Some(text).filter(|text| text.len() == 16 && text.bytes().all(is_digit));
        let number = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        number.map(Self).ok_or_else(|| Error::new("an id has 16 hexadecimal digits in lower case"))
    }
}
