//! Mesh files of a plan, which are also entries of a bundle. Each is named by its content.
//!
//! `HASH.f64` has three f64 for each point, and `HASH.u32` three u32 for each triangle, little-endian. `HASH`
//! is the digest of the number of points as a u64, followed by the contents of both. See `docs/files.md`.
use crate::{files, values::digest::Digest};
use anyhow::{Context, bail};
use impinge::Mesh;
use sha2::{Digest as _, Sha256};
use std::{fs, path::Path};

/// Number of bytes of a mesh's files.
pub(crate) fn size(mesh: &Mesh) -> u64 {
    24 * mesh.points().len() as u64 + 12 * mesh.len() as u64
}

pub(crate) struct MeshBytes {
    /// The name of its files.
    pub(crate) digest: Digest,
    points: Vec<u8>,
    triangles: Vec<u8>,
}

impl MeshBytes {
    pub(crate) fn of(mesh: &Mesh) -> Self {
        let points: Vec<u8> = mesh.points().as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
        let triangles: Vec<u8> =
            mesh.triangles().as_flattened().iter().flat_map(|i| i.to_le_bytes()).collect();
        let digest = digest(mesh.points().len(), [&points, &triangles]);
        Self { digest, points, triangles }
    }
    /// Writes both files into the folder of meshes.
    pub(crate) fn write(&self, folder: &Path) -> anyhow::Result<()> {
        for (ending, bytes) in [("f64", &self.points), ("u32", &self.triangles)] {
            let path = folder.join(format!("{}.{ending}", self.digest));
            fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

fn digest(points: usize, bytes: [&[u8]; 2]) -> Digest {
    let hash = Sha256::new().chain_update((points as u64).to_le_bytes());
    Digest::from_bytes(bytes.iter().fold(hash, |hash, bytes| hash.chain_update(bytes)).finalize().into())
}

/// Reads the mesh with this digest from the folder of meshes.
pub(crate) fn read(folder: &Path, wanted: Digest) -> anyhow::Result<Mesh> {
    let place = |ending: &str| folder.join(format!("{wanted}.{ending}"));
    let (points, triangles) = (files::read(&place("f64"))?, files::read(&place("u32"))?);
    decode(&points, &triangles, wanted)
        .with_context(|| format!("{} and {wanted}.u32", place("f64").display()))
}

fn decode(points: &[u8], triangles: &[u8], wanted: Digest) -> anyhow::Result<Mesh> {
    let is_whole = points.len().is_multiple_of(24) && triangles.len().is_multiple_of(12);
    if !is_whole || digest(points.len() / 24, [points, triangles]) != wanted {
        bail!("are damaged: their content does not match their name");
    }
    let numbers = points.as_chunks::<8>().0.as_chunks::<3>().0;
    let points = numbers.iter().map(|point| point.map(f64::from_le_bytes)).collect();
    let numbers = triangles.as_chunks::<4>().0.as_chunks::<3>().0;
    let triangles = numbers.iter().map(|triangle| triangle.map(u32::from_le_bytes)).collect();
    Ok(Mesh::new(points, triangles)?)
}

#[cfg(test)]
mod tests {
    use super::{MeshBytes, decode, digest, size};
    use impinge::Mesh;

    #[test]
    fn a_mesh_comes_back_bit_by_bit_and_nothing_else_is_taken() {
        let points = vec![[-0.0, 1e-320, 0.1], [f64::MAX, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0; 3]];
        let mesh = Mesh::new(points, vec![[0, 1, 2], [3, 3, 0]]).unwrap();
        let MeshBytes { digest: name, points, triangles } = MeshBytes::of(&mesh);
        assert_eq!((points.len() + triangles.len()) as u64, size(&mesh));
        let back = decode(&points, &triangles, name).unwrap();
        let bits = |mesh: &Mesh| mesh.points().as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!((bits(&back), back.triangles()), (bits(&mesh), mesh.triangles()));
        for end in 0..points.len() {
            assert!(decode(&points[..end], &triangles, name).is_err(), "{end}");
        }
        for end in 0..triangles.len() {
            assert!(decode(&points, &triangles[..end], name).is_err(), "{end}");
        }
        // Bytes that move from one file to the other change the name.
        let moved = [&points[..], &triangles].concat();
        assert!(decode(&moved, &[], name).is_err());
        // An index that names no point, and a coordinate that is no number, under a name that fits.
        let decoded = |points: &[u8], triangles: &[u8]| {
            let name = digest(points.len() / 24, [points, triangles]);
            decode(points, triangles, name).unwrap_err().to_string()
        };
        let index = [&triangles[..20], &u32::MAX.to_le_bytes()].concat();
        let number = [&f64::NAN.to_le_bytes()[..], &points[8..]].concat();
        for wrong in [decoded(&points, &index), decoded(&number, &triangles)] {
            assert!(!wrong.contains("damaged"), "{wrong}");
        }
    }
}
