//! Meshes and numbers from a fuzzer's bytes.
use crate::meshes;
use impinge::Mesh;

/// Reads a fuzzer's bytes, then zeros.
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl Bytes<'_> {
    pub(super) fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }
    pub(super) fn below(&mut self, n: u8) -> u8 {
        self.byte() % n
    }
    /// One of the integers from -3 to 3.
    pub(super) fn grid(&mut self) -> f64 {
        f64::from(self.below(7)) - 3.0
    }
    /// A small integer in half of the cases, else a number near 1, subnormal, at a limit of f64 or of any
    /// bits.
    pub(super) fn chaos(&mut self) -> f64 {
        match self.below(8) {
            0 => f64::from_bits(u64::from_le_bytes(std::array::from_fn(|_| self.byte()))),
            1 => [0.0, -0.0, f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e-300, 1e300, f64::EPSILON]
                [self.below(8) as usize],
            2 => 1.0 + f64::from(self.byte()) * f64::EPSILON,
            3 => f64::from(self.byte()) * 1e-310,
            _ => self.grid(),
        }
    }
}

pub(super) fn mesh<'a>(bytes: &mut Bytes<'a>, coordinate: fn(&mut Bytes<'a>) -> f64) -> Option<Mesh> {
    let (points, triangles) = (1 + bytes.below(9), bytes.below(12));
    let points = (0..points).map(|_| std::array::from_fn(|_| coordinate(bytes))).collect::<Vec<_>>();
    let n = points.len() as u8;
    let triangles = (0..triangles).map(|_| std::array::from_fn(|_| u32::from(bytes.below(n)))).collect();
    Mesh::new(points, triangles).ok()
}

/// The mesh without extent along the axes that are bits of a byte: flat, on a line, or at one point.
pub(super) fn flattened(mesh: &Mesh, axes: u8) -> Mesh {
    meshes::mapped(mesh, |v| [0, 1, 2].map(|k| if axes >> k & 1 == 1 { 0.0 } else { v[k] }))
}
