//! Finished parts on disk: one file each, two lines of JSON. The first has the format and a checksum of the
//! second, which has the results.
use crate::{
    Part,
    error::Damage,
    machine::Origin,
    report::{By, Section},
};
use serde::{Deserialize, Serialize};

/// Format of the files, raised when older ones cannot be read any more.
const FORMAT: u32 = 1;

/// A part and its results.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub(crate) part: &'static Part,
    pub(crate) origin: Origin,
    pub(crate) section: Section,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    format: u32,
    /// Checksum of the second line's bytes, in hexadecimal.
    checksum: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    part: String,
    origin: Origin,
    section: Section,
}

impl Finished {
    /// True if the machine was too busy for the part's verdicts on times.
    pub(crate) fn was_too_busy(&self) -> bool {
        self.part.by == By::Times && self.origin.load.is_too_much()
    }

    /// The bytes of its file.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, Damage> {
        let Self { part, origin, section } = self.clone();
        let content = serde_json::to_string(&Content { part: part.name.into(), origin, section })?;
        let head = Head { format: FORMAT, checksum: checksum(content.as_bytes()) };
        let bytes = format!("{}\n{content}\n", serde_json::to_string(&head)?).into_bytes();
        // Otherwise a number that JSON does not have would fail only in the run that reads the file, and the
        // work would be lost.
        let back = Self::from_bytes(self.part, &bytes)?;
        if back.section != self.section || back.origin != self.origin {
            return Err(Damage::Content("it does not come back as it was written".into()));
        }
        Ok(bytes)
    }

    /// The results of a part from the bytes of its file.
    pub(crate) fn from_bytes(part: &'static Part, bytes: &[u8]) -> Result<Self, Damage> {
        let text = std::str::from_utf8(bytes).map_err(|_| Damage::Content("it is not text".into()))?;
        let (head, content) = text.split_once('\n').ok_or_else(|| Damage::Content("it is cut off".into()))?;
        let head: Head = serde_json::from_str(head)?;
        if head.format != FORMAT {
            return Err(Damage::Format(head.format, FORMAT));
        }
        let content = content.strip_suffix('\n').unwrap_or(content);
        if checksum(content.as_bytes()) != head.checksum {
            return Err(Damage::Content("its checksum differs".into()));
        }
        let Content { part: name, origin, section } = serde_json::from_str(content)?;
        if name != part.name {
            return Err(Damage::Content(format!("it has the results of {name}")));
        }
        Ok(Self { part, origin, section })
    }
}

/// FNV-1a with 64 bits: it finds damage, not forgery.
fn checksum(bytes: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

#[cfg(test)]
mod tests;
