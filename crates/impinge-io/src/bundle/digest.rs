//! SHA-256 digests, as hexadecimal digits in the document.
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};
use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::Path,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Digest(pub(super) [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Digest {
    fn parse(text: &str) -> Option<Self> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let digit = |c: u8| char::from(c).to_digit(16).filter(|_| !c.is_ascii_uppercase());
        let mut digest = [0; 32];
        if pairs.len() != digest.len() || !rest.is_empty() {
            return None;
        }
        for (byte, [high, low]) in digest.iter_mut().zip(pairs) {
            *byte = (digit(*high)? << 4 | digit(*low)?) as u8;
        }
        Some(Self(digest))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Digits;
        impl de::Visitor<'_> for Digits {
            type Value = Digest;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("64 hexadecimal digits in lower case")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Digest, E> {
                Digest::parse(text)
                    .ok_or_else(|| E::invalid_value(de::Unexpected::Other("other text"), &self))
            }
        }
        from.deserialize_str(Digits)
    }
}

/// Number of bytes and SHA-256 digest of a file, for [`Source::with_digest`](crate::Source::with_digest).
/// Cost: the file is read once, some 2 GB a second. A document that names other files, such as `.gltf`, is
/// hashed alone.
///
/// # Errors
/// Errors of the operating system.
pub fn file_digest(path: &Path) -> io::Result<(u64, [u8; 32])> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 18];
    let (mut bytes, mut hash) = (0, Sha256::new());
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((bytes, hash.finalize().into())),
            n => {
                bytes += n as u64;
                hash.update(&buffer[..n]);
            }
        }
    }
}
