//! Rays and their hits.
//!
//! Each triangle is decided by itself: in f64 if that is certain and determines t to a relative 2^-40, else
//! in integers (`posed/ray.rs`). Trees only exclude triangles that the ray misses.
//!
//! # Rounding
//! u = 2^-53. Let o + t d be the ray, d taken times a power of two so that no |d_k| exceeds 2. Let c_i be the
//! placed corners less o, and e_i = R (v_j - v_i) the edges from one to the next. Corners are off by `off_c`
//! (products, sums and the difference of translations), edges by `off_e` (5 u of |R||v_j - v_i|). X and E
//! bound their coordinates.
//!
//! * A component of c x e is off by 2 (X off_e + E off_c + off_e off_c) and rounds by 4 u X E, and (c x e).d,
//!   three of them times 2, rounds by 32 u X E: in all less than 16 (X off_e + E off_c + off_e off_c) + 64 u
//!   X E.
//! * A component of n = e_0 x e_1 is off by `off_n` = 4 E off_e + 2 off_e^2 + 4 u E^2, n.d by 6 off_n + 32 u
//!   E^2, n.c by 3 (off_n X + 2 E^2 off_c + off_n off_c) + 16 u E^2 X.
//! * t = n.c / n.d with these errors p and q is off by (p + |t| q) / (|n.d| - q), and rounds by 2 u of
//!   itself.
//!
//! An underflow adds less than the least normal number. Every bound includes it, that of n too, because n.c
//! multiplies it. An overflow proves nothing, because the bound is then infinite or NaN: no sum in (c x e).d
//! exceeds 12 X E, in n.d 12 E^2, in n.c 6 E^2 X, and each bound first multiplies 16 X E, 16 E^2, 16 E^2 X,
//! and only then by u.
mod cast;
mod corners;
mod crossing;
mod hit;
mod order;
mod passing;
mod query;
mod ray;
pub(crate) mod reference;
mod sides;
mod target;
mod through;

pub(crate) use self::{
    cast::{Cast, handedness},
    target::Target,
};
pub use self::{hit::RayHit, ray::Ray};

#[cfg(test)]
mod tests;
