//! The boxes of a mesh's triangles, in the order of the mesh.
use super::{BLOCK, BoxBlock};
use crate::{Error, ErrorKind, Mesh, narrow::extent, normalized_frame::NormalizedFrame, simd::Simd};

/// The boxes of a mesh's triangles, and those of blocks of them. 26 bytes a triangle; O(n) to make.
#[derive(Clone, Debug)]
pub(crate) struct TriangleList {
    normalized: NormalizedFrame,
    /// The boxes of the triangles.
    boxes: Vec<BoxBlock>,
    /// The boxes of the blocks of `boxes`.
    bounds: Vec<BoxBlock>,
}

impl TriangleList {
    pub(crate) fn new(mesh: &Mesh, [lo, hi]: &[[f64; 3]; 2]) -> Self {
        let normalized = NormalizedFrame::new(*lo, *hi);
        let mut boxes = vec![BoxBlock::EMPTY; mesh.len().div_ceil(BLOCK)];
        for (i, block) in (0..).step_by(BLOCK).zip(&mut boxes) {
            for k in 0..BLOCK.min(mesh.len() - i) {
                let (lo, hi) = extent(&mesh.corners((i + k) as u32));
                block.put(k, &[normalized.apply(&lo), normalized.apply(&hi)]);
            }
        }
        let mut bounds = vec![BoxBlock::EMPTY; boxes.len().div_ceil(BLOCK)];
        for (bounds, boxes) in bounds.iter_mut().zip(boxes.chunks(BLOCK)) {
            for (k, block) in boxes.iter().enumerate() {
                bounds.put_bounds(k, block);
            }
        }
        Self { normalized, boxes, bounds }
    }

    /// Appends the triangles whose boxes may overlap the box from `lo` to `hi` to `found`, in order. Returns
    /// the number of blocks that were compared with it.
    #[inline(always)]
    pub(super) fn clip<S: Simd>(&self, simd: S, [lo, hi]: &[[f64; 3]; 2], found: &mut Vec<u32>) -> usize {
        let mut region = BoxBlock::EMPTY;
        region.put(0, &[self.normalized.apply(lo), self.normalized.apply(hi)]);
        let region = region.get(0);
        let mut compared = self.bounds.len();
        for (first, bounds) in (0..).step_by(BLOCK).zip(&self.bounds) {
            let mut blocks = bounds.overlapping(simd, &region);
            compared += blocks.count_ones() as usize;
            while blocks != 0 {
                let block = first + blocks.trailing_zeros() as usize;
                blocks &= blocks - 1;
                let mut lanes = self.boxes[block].overlapping(simd, &region);
                while lanes != 0 {
                    found.push(block as u32 * BLOCK as u32 + lanes.trailing_zeros());
                    lanes &= lanes - 1;
                }
            }
        }
        compared
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.boxes.len() + self.bounds.len()) * size_of::<BoxBlock>()
    }

    /// Checks that every triangle is in its box, and every box in its block's.
    ///
    /// # Errors
    /// The first triangle that is not, which is a bug of this library.
    pub(crate) fn validate(&self, mesh: &Mesh) -> Result<(), Error> {
        for i in 0..mesh.len() {
            let (block, k) = (i / BLOCK, i % BLOCK);
            let [lo, hi] = self.boxes[block].get(k);
            let [least, most] = self.bounds[block / BLOCK].get(block % BLOCK);
            for corner in mesh.corners(i as u32) {
                let [below, above] = self.normalized.bounds(&corner);
                let inside = (0..3).all(|axis| {
                    f64::from(lo[axis]) <= below[axis]
                        && above[axis] <= f64::from(hi[axis])
                        && least[axis] <= lo[axis]
                        && hi[axis] <= most[axis]
                });
                if !inside {
                    let reason = format!("triangle {i} is not in its box").into();
                    return Err(ErrorKind::Defect { reason }.into());
                }
            }
        }
        Ok(())
    }
}
