//! Meshes of a plan, each in a file that is named by its content.
//!
//! Little-endian: eight bytes that name the layout, the numbers of points and of triangles as u64, three f64
//! for each point, three u32 for each triangle.
use crate::{digest::Digest, files};
use anyhow::{Context, bail};
use impinge::Mesh;
use std::path::Path;

const NAME: &[u8; 8] = b"impmesh1";
const HEADER: usize = 24;

/// Bytes that a mesh takes in its file, less the header.
pub(crate) fn size(mesh: &Mesh) -> u64 {
    24 * mesh.points().len() as u64 + 12 * mesh.len() as u64
}

/// As it is in a file.
pub(crate) fn encode(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + size(mesh) as usize);
    bytes.extend(NAME);
    bytes.extend((mesh.points().len() as u64).to_le_bytes());
    bytes.extend((mesh.len() as u64).to_le_bytes());
    mesh.points().as_flattened().iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    mesh.triangles().as_flattened().iter().for_each(|i| bytes.extend(i.to_le_bytes()));
    bytes
}

/// The mesh of that content, from the folder of meshes.
pub(crate) fn read(folder: &Path, digest: Digest) -> anyhow::Result<Mesh> {
    let path = folder.join(digest.to_string());
    let bytes = files::read(&path)?;
    if Digest::of(&bytes) != digest {
        bail!("{}: is damaged: its content does not match its name", path.display());
    }
    decode(&bytes).with_context(|| path.display().to_string())
}

fn decode(bytes: &[u8]) -> anyhow::Result<Mesh> {
    let number = |at: usize| bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map(u64::from_le_bytes);
    let (Some(points), Some(triangles)) = (number(8), number(16)) else { bail!("ends too early") };
    if !bytes.starts_with(NAME) {
        bail!("is no mesh of a plan");
    }
    let sizes = points.checked_mul(24).zip(triangles.checked_mul(12));
    // The claimed size must be the file's own: so the file bounds the size of the mesh.
    let end = sizes.and_then(|(points, triangles)| points.checked_add(triangles));
    if end != Some((bytes.len() - HEADER) as u64) {
        bail!("claims {points} points and {triangles} triangles, which take another number of bytes");
    }
    let (points, triangles) = bytes[HEADER..].split_at(24 * points as usize);
    let (coordinates, _) = points.as_chunks::<8>();
    let points = coordinates.as_chunks::<3>().0.iter().map(|point| point.map(f64::from_le_bytes));
    let (indices, _) = triangles.as_chunks::<4>();
    let triangles = indices.as_chunks::<3>().0.iter().map(|triangle| triangle.map(u32::from_le_bytes));
    Ok(Mesh::new(points.collect(), triangles.collect())?)
}

#[cfg(test)]
mod tests {
    use super::{HEADER, decode, encode, size};
    use impinge::Mesh;

    #[test]
    fn a_mesh_comes_back_bit_by_bit_and_nothing_else_is_taken() {
        let points = vec![[-0.0, 1e-320, 0.1], [f64::MAX, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0; 3]];
        let mesh = Mesh::new(points, vec![[0, 1, 2], [3, 3, 0]]).unwrap();
        let bytes = encode(&mesh);
        assert_eq!(bytes.len() as u64, HEADER as u64 + size(&mesh));
        let back = decode(&bytes).unwrap();
        let bits = |mesh: &Mesh| mesh.points().as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!((bits(&back), back.triangles()), (bits(&mesh), mesh.triangles()));
        for end in 0..bytes.len() {
            assert!(decode(&bytes[..end]).is_err(), "{end}");
        }
        let with = |at: usize, value: u64| {
            let mut bytes = bytes.clone();
            bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
            decode(&bytes).unwrap_err().to_string()
        };
        assert!(with(8, u64::MAX).contains("claims 18446744073709551615 points"));
        assert!(with(16, 1 << 60).contains("claims 4 points"));
        assert!(with(0, 0).contains("no mesh"));
        // An index that names no point, and a coordinate that is no number.
        assert!(!with(bytes.len() - 8, u64::MAX).is_empty());
        assert!(!with(24, f64::NAN.to_bits()).is_empty());
    }
}
