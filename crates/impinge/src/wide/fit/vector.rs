//! Vectors of f32, one by one and eight at a time.
use crate::simd::{Portable, Simd};

pub(in crate::wide) type Vector32 = [f32; 3];
pub(super) type PortableEight = <Portable as Simd>::Eight;

#[inline(always)]
pub(super) fn cross(a: Vector32, b: Vector32) -> Vector32 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
#[inline(always)]
pub(super) fn dot(a: Vector32, b: Vector32) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
/// The unit vector along v; `None` if v has no length.
#[inline(always)]
pub(super) fn unit(v: Vector32) -> Option<Vector32> {
    let size = v[0].abs().max(v[1].abs()).max(v[2].abs());
    if size <= 1e-30 {
        return None;
    }
    let v = v.map(|x| x / size);
    let length = dot(v, v).sqrt();
    Some(v.map(|x| x / length))
}

/// Two directions that are perpendicular to n and to each other.
#[inline(always)]
pub(super) fn basis(n: Vector32) -> [Vector32; 2] {
    let helper = if n[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let u = unit(cross(n, helper)).unwrap_or([0.0, 1.0, 0.0]);
    [u, cross(n, u)]
}

/// The eight numbers of a SIMD vector.
#[inline(always)]
pub(super) fn lanes(x: PortableEight) -> [f32; 8] {
    let mut to = [0.0; 8];
    Portable.store(x, &mut to);
    to
}

/// Eight unit vectors, and a number for each: 0, or infinity if the vector has no length.
#[inline(always)]
pub(super) fn units(mut n: [[f32; 8]; 3]) -> ([[f32; 8]; 3], [f32; 8]) {
    let mut none = [0.0; 8];
    for k in 0..8 {
        let [x, y, z] = [n[0][k], n[1][k], n[2][k]];
        let (a, b, c) = (x.abs(), y.abs(), z.abs());
        let size = if a > b { a } else { b };
        let size = if size > c { size } else { c };
        let scale = if size > 1e-30 { 1.0 / size } else { 0.0 };
        let [x, y, z] = [x * scale, y * scale, z * scale];
        let square = x * x + y * y + z * z;
        let scale = 1.0 / square.sqrt();
        none[k] = if square > 0.5 { 0.0 } else { f32::INFINITY };
        let scale = if square > 0.5 { scale } else { 0.0 };
        [n[0][k], n[1][k], n[2][k]] = [x * scale, y * scale, z * scale];
    }
    (n, none)
}

#[inline(always)]
pub(super) fn loaded(n: &[[f32; 8]; 3]) -> [PortableEight; 3] {
    [Portable.load_pairs(&n[0]), Portable.load_pairs(&n[1]), Portable.load_pairs(&n[2])]
}
