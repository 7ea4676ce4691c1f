//! SHA-256 digests: names of meshes, and checksums of files.
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use sha2::{Digest as _, Sha256};
use std::{
    fmt,
    hash::{Hash, Hasher},
    io::{self, Write},
};

/// The SHA-256 of some bytes. JSON and file names have it in hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Digest([u8; 32]);

/// Hashes eight of its bytes, which are as good as all.
impl Hash for Digest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from_le_bytes(std::array::from_fn(|i| self.0[i])));
    }
}

impl Digest {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
    fn parse(text: &str) -> Option<Self> {
        let digit = |c: u8| matches!(c, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 64 || !text.bytes().all(digit) {
            return None;
        }
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() { to.collect_str(self) } else { self.0.serialize(to) }
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if !from.is_human_readable() {
            return <[u8; 32]>::deserialize(from).map(Self);
        }
        let text = String::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("a SHA-256 has 64 hexadecimal digits"))
    }
}

/// A writer that passes bytes on, and computes their digest.
pub(crate) struct Hashing<W> {
    to: W,
    hasher: Sha256,
}

impl<W: Write> Hashing<W> {
    pub(crate) fn new(to: W) -> Self {
        Self { to, hasher: Sha256::new() }
    }
    pub(crate) fn finish(mut self) -> io::Result<Digest> {
        self.to.flush()?;
        Ok(Digest(self.hasher.finalize().into()))
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, Hashing};
    use std::io::Write;

    #[test]
    fn a_digest_is_that_of_the_standard_and_can_be_read_back() {
        let abc = Digest::of(b"abc");
        let text = abc.to_string();
        // FIPS 180-2, appendix B.1.
        assert_eq!(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(Digest::parse(&text), Some(abc));
        for wrong in
            ["", "ba", &text.to_uppercase(), &format!("{}é", &text[..62]), &format!("+{}", &text[1..])]
        {
            assert_eq!(Digest::parse(wrong), None, "{wrong}");
        }
        let mut hashing = Hashing::new(Vec::new());
        hashing.write_all(b"a").unwrap();
        hashing.write_all(b"bc").unwrap();
        assert_eq!(hashing.finish().unwrap(), abc);
    }
}
