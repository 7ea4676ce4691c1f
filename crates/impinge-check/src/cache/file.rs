//! The file of a cache.
//!
//! All numbers are little-endian. The file has:
//! 1. eight bytes that identify it, the SHA-256 of all that follows, the digest of the query, and the numbers
//!    of parts and of pairs as u64;
//! 2. for each distinct part its digest and the six f64 of its box;
//! 3. for each pair the numbers of its parts and its flags as u32;
//! 4. clashes, near pairs and solids, written by postcard.
use crate::{
    parts::SolidFacts,
    records::{
        near::Near,
        stored::{StoredClash, ascend},
    },
    values::digest::Digest,
};
use anyhow::{Context, bail};
use impinge::broad_phase::Aabb;
use serde::{Deserialize, Serialize};

const NAME: &[u8; 8] = b"impcache";
/// The offset of the end of the digest, where the bytes begin that it covers.
const BODY: usize = 40;
const HEADER: usize = 88;
const PART: usize = 80;
const PAIR: usize = 12;

/// The results of a run. Parts with the same mesh in the same place have one number.
#[derive(Default)]
pub(super) struct Stored {
    /// The digest and the rounded box of each part.
    pub(super) parts: Vec<(Digest, Aabb)>,
    /// All examined pairs, ascending, each once.
    pub(super) pairs: Vec<Pair>,
    pub(super) found: StoredFound,
}

#[derive(Clone, Copy)]
pub(super) struct Pair {
    /// The numbers of its parts, the one with the smaller index in the assembly first.
    pub(super) parts: [u32; 2],
    /// Bit 0 is set if the exact boxes meet. The bits from 8 on hold the value of [`Pair::reached`] plus one.
    pub(super) flags: u32,
}

/// The results about pairs and meshes.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct StoredFound {
    /// Ascending by the numbers of their parts.
    pub(super) clashes: Vec<StoredClash>,
    /// Ascending by the numbers of their parts.
    pub(super) near: Vec<Near>,
    /// Solid facts of meshes, by the digests of the meshes.
    pub(super) solids: Vec<(Digest, SolidFacts)>,
}

impl Pair {
    pub(super) fn new(parts: [u32; 2], meets: bool, reached: Option<u32>) -> Self {
        Self { parts, flags: u32::from(meets) | reached.map_or(0, |place| (place + 1) << 8) }
    }
    pub(super) fn meets(&self) -> bool {
        self.flags & 1 != 0
    }
    /// The index of the least of the query's clearances at which the pair is near.
    pub(super) fn reached(&self) -> Option<u32> {
        (self.flags >> 8).checked_sub(1)
    }
}

/// True if the bytes begin as a cache does.
pub(super) fn is_cache(bytes: &[u8]) -> bool {
    bytes.starts_with(NAME)
}

impl Stored {
    /// All bytes of the file, and the digest in it.
    pub(super) fn encode(&self, question: Digest) -> anyhow::Result<(Vec<u8>, Digest)> {
        if u32::try_from(self.pairs.len()).is_err() {
            bail!("cache: it holds no more than 2^32 pairs");
        }
        let size = HEADER + PART * self.parts.len() + PAIR * self.pairs.len();
        let mut bytes = Vec::with_capacity(size + 160 * self.found.clashes.len());
        bytes.extend([0; BODY]);
        bytes.extend(question.bytes());
        bytes.extend((self.parts.len() as u64).to_le_bytes());
        bytes.extend((self.pairs.len() as u64).to_le_bytes());
        for (digest, extent) in &self.parts {
            bytes.extend(digest.bytes());
            [extent.lo, extent.hi].as_flattened().iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        }
        for Pair { parts: [a, b], flags } in &self.pairs {
            [a, b, flags].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
        }
        let mut bytes = postcard::to_extend(&self.found, bytes)?;
        let digest = Digest::of(&bytes[BODY..]);
        bytes[..NAME.len()].copy_from_slice(NAME);
        bytes[NAME.len()..BODY].copy_from_slice(digest.bytes());
        Ok((bytes, digest))
    }

    /// The contents of a file that [`is_cache`], and its digest; `None` if it is for another query.
    pub(super) fn decode(bytes: &[u8], question: Digest) -> anyhow::Result<Option<(Self, Digest)>> {
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else { bail!("it ends early") };
        let digest = Digest::of(&bytes[BODY..]);
        if header[NAME.len()..BODY] != *digest.bytes() {
            bail!("its content does not match its digest");
        }
        if header[BODY..BODY + 32] != *question.bytes() {
            return Ok(None);
        }
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| header[at + i])) as usize;
        let (parts, pairs) = (number(72), number(80));
        let end = parts.checked_mul(PART).zip(pairs.checked_mul(PAIR));
        let split = end.and_then(|(parts, pairs)| {
            let (parts, rest) = rest.split_at_checked(parts)?;
            Some((parts.as_chunks::<PART>().0, rest.split_at_checked(pairs)?))
        });
        let Some((parts, (pairs, found))) = split else { bail!("it has too few parts or pairs") };
        let part = |bytes: &[u8; PART]| {
            let side = |k: usize| f64::from_le_bytes(std::array::from_fn(|i| bytes[32 + 8 * k + i]));
            let digest = Digest::from_bytes(std::array::from_fn(|i| bytes[i]));
            (digest, Aabb { lo: [0, 1, 2].map(side), hi: [3, 4, 5].map(side) })
        };
        let pair = |bytes: &[u8; PAIR]| {
            let n = |k: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[4 * k + i]));
            Pair { parts: [n(0), n(1)], flags: n(2) }
        };
        let stored = Self {
            parts: parts.iter().map(part).collect(),
            pairs: pairs.as_chunks::<PAIR>().0.iter().map(pair).collect(),
            found: postcard::from_bytes(found).context("a stored result cannot be read")?,
        };
        stored.check()?;
        Ok(Some((stored, digest)))
    }

    /// Checks the invariants of a cache. With the right digest, only a manipulated file can violate them.
    fn check(&self) -> anyhow::Result<()> {
        let is_pair = |pair: [u32; 2]| pair.iter().all(|&part| (part as usize) < self.parts.len());
        let StoredFound { clashes, near, .. } = &self.found;
        if !ascend(self.pairs.iter().map(|pair| pair.parts), is_pair)
            || !ascend(clashes.iter().map(|clash| clash.parts), is_pair)
            || !ascend(near.iter().map(|near| near.parts), is_pair)
        {
            bail!("its pairs are in no order");
        }
        clashes.iter().try_for_each(StoredClash::check)
    }
}
