//! Queries of few triangles without a tree.
//!
//! Building a tree takes half a microsecond a triangle or more, and a query of two parts that touch needs few
//! of their triangles: those near the overlap of their boxes. So for a model with few queries a list of boxes
//! is faster: sixteen in a block, with a box around each block. A query takes the triangles of both lists
//! that reach into the region that the two bodies' boxes share, then compares the boxes of those, one with
//! sixteen at a time. This is `box_intersection_d` of CGAL without its recursion: a walk of two levels
//! instead of log n, for lists that have been cut down first.
//!
//! # Rounding
//! Blocks hold coordinates of a normalized frame in f32. Such a coordinate, no larger than 4 in size, is
//! within 2^-50 of the exact one in f64. Every box is larger by [`PAD`] on each side. That is more than this
//! error and the rounding to f32 of a number of less than 8, 2^-22. The region, in the first body's frame,
//! contains all common points of both bodies: see `query.rs`.
mod list;
mod query;
mod side;

pub(crate) use self::{
    list::TriangleList,
    query::{FlatMemory, Lists, Region, walk},
};

use crate::simd::{Lanes, Mask, Simd};

/// Boxes in a block.
pub(crate) const BLOCK: usize = 16;
/// Length by which boxes are larger on each side than their rounded coordinates: see the module's head.
const PAD: f64 = 1.0 / (1_u64 << 21) as f64;

/// Sixteen boxes, by coordinates. Unused ones are empty: no other box overlaps them.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct BoxBlock {
    pub(crate) lo: [[f32; BLOCK]; 3],
    hi: [[f32; BLOCK]; 3],
}

impl BoxBlock {
    pub(crate) const EMPTY: Self =
        Self { lo: [[f32::INFINITY; BLOCK]; 3], hi: [[f32::NEG_INFINITY; BLOCK]; 3] };

    /// Puts a box, in coordinates no larger than 4, in lane `k`.
    #[inline(always)]
    pub(crate) fn put(&mut self, k: usize, [lo, hi]: &[[f64; 3]; 2]) {
        for axis in 0..3 {
            self.lo[axis][k] = (lo[axis] - PAD) as f32;
            self.hi[axis][k] = (hi[axis] + PAD) as f32;
        }
    }
    /// The box in lane `k`.
    #[inline(always)]
    pub(crate) fn get(&self, k: usize) -> [[f32; 3]; 2] {
        [[self.lo[0][k], self.lo[1][k], self.lo[2][k]], [self.hi[0][k], self.hi[1][k], self.hi[2][k]]]
    }
    /// Puts a box that holds all of `boxes` in lane `k`.
    #[inline(always)]
    fn put_bounds(&mut self, k: usize, boxes: &Self) {
        for axis in 0..3 {
            self.lo[axis][k] = boxes.lo[axis].iter().fold(f32::INFINITY, |m, &x| if x < m { x } else { m });
            self.hi[axis][k] =
                boxes.hi[axis].iter().fold(f32::NEG_INFINITY, |m, &x| if x > m { x } else { m });
        }
    }
    /// Bit mask of the block's boxes that overlap another box.
    #[inline(always)]
    pub(crate) fn overlapping<S: Simd>(&self, simd: S, [lo, hi]: &[[f32; 3]; 2]) -> u32 {
        let ([x, y, z], [u, v, w]) = (simd.splat_pairs(lo), simd.splat_pairs(hi));
        let mut apart = 0;
        let mut start = 0;
        while start < BLOCK {
            let beside = simd.load_pairs(&self.lo[0][start..]).gt(u)
                | simd.load_pairs(&self.lo[1][start..]).gt(v)
                | simd.load_pairs(&self.lo[2][start..]).gt(w)
                | x.gt(simd.load_pairs(&self.hi[0][start..]))
                | y.gt(simd.load_pairs(&self.hi[1][start..]))
                | z.gt(simd.load_pairs(&self.hi[2][start..]));
            apart |= beside.bits() << start;
            start += S::PAIRS;
        }
        !apart & ((1 << BLOCK) - 1)
    }
}
