//! The bytes of a mesh, and their hash.
//!
//! A mesh's name is the SHA-256 digest of its number of points as a u64, then its points as f64, then its
//! triangles as u32, all little-endian. The number separates the two lists.
use super::digest::Digest;
use impinge::Mesh;
use sha2::{Digest as _, Sha256};

/// Name of the entry of a mesh's points (`f64`) or triangles (`u32`).
pub(super) fn entry(hash: Digest, kind: &str) -> String {
    format!("meshes/{hash}.{kind}")
}

/// Bytes of a point and of a triangle.
pub(super) const POINT: u64 = 24;
pub(super) const TRIANGLE: u64 = 12;
/// Number of items converted at a time.
const BLOCK: usize = 2048;

/// Calls `take` with the bytes of all points, block by block.
pub(super) fn points<E>(mesh: &Mesh, mut take: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
    let mut bytes = Vec::with_capacity(BLOCK * POINT as usize);
    mesh.points().chunks(BLOCK).try_for_each(|block| {
        bytes.clear();
        block.as_flattened().iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        take(&bytes)
    })
}

/// Calls `take` with the bytes of all triangles, block by block.
pub(super) fn triangles<E>(mesh: &Mesh, mut take: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
    let mut bytes = Vec::with_capacity(BLOCK * TRIANGLE as usize);
    mesh.triangles().chunks(BLOCK).try_for_each(|block| {
        bytes.clear();
        block.as_flattened().iter().for_each(|i| bytes.extend(i.to_le_bytes()));
        take(&bytes)
    })
}

/// Running hash of the bytes of a mesh.
pub(super) struct Hashing(Sha256);

impl Hashing {
    /// Starts the hash of a mesh that has `points` points.
    pub(super) fn new(points: u64) -> Self {
        Self(Sha256::new().chain_update(points.to_le_bytes()))
    }
    /// Adds bytes of points, then of triangles.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
    pub(super) fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}
