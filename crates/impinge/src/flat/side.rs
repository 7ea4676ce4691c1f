//! The triangles of one side of a query, with their boxes.
use super::{BLOCK, BoxBlock};
use crate::{Mesh, normalized_frame::NormalizedFrame, simd::TriangleCoordinates};

/// The least and the greatest corner.
pub(super) type Box3 = [[f64; 3]; 2];

/// Triangles and their boxes in the first body's frame; empty until used.
#[derive(Debug, Default)]
pub(super) struct FlatSide {
    /// Numbers of triangles whose boxes in the list reach into the region.
    pub(super) clipped: Vec<u32>,
    /// The clipped triangles with own boxes that reach into the region, and the parts of these boxes in it.
    triangles: Vec<(u32, Box3)>,
    /// The triangles that reach into the final region, and their corners.
    pub(super) numbers: Vec<u32>,
    pub(super) corners: Vec<TriangleCoordinates>,
    /// The boxes of `numbers`, in the region's coordinates, and the boxes around the blocks.
    boxes: Vec<BoxBlock>,
    bounds: Vec<BoxBlock>,
}

/// The intersection of two boxes, if there is one.
#[inline(always)]
pub(super) fn common([lo, hi]: &Box3, [least, most]: &Box3) -> Option<Box3> {
    let (mut both, mut apart) = ([*lo, *hi], false);
    for k in 0..3 {
        both[0][k] = if least[k] > lo[k] { least[k] } else { lo[k] };
        both[1][k] = if most[k] < hi[k] { most[k] } else { hi[k] };
        apart |= both[0][k] > both[1][k];
    }
    (!apart).then_some(both)
}

impl FlatSide {
    /// Takes the clipped triangles that reach into the region, and cuts their boxes off where it ends.
    /// Returns the box around these.
    pub(super) fn cut(&mut self, region: &Box3, extent: impl Fn(u32) -> Box3) -> Box3 {
        self.triangles.clear();
        let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for &i in &self.clipped {
            let Some([least, most]) = common(&extent(i), region) else { continue };
            for k in 0..3 {
                bounds[0][k] = if least[k] < bounds[0][k] { least[k] } else { bounds[0][k] };
                bounds[1][k] = if most[k] > bounds[1][k] { most[k] } else { bounds[1][k] };
            }
            self.triangles.push((i, [least, most]));
        }
        bounds
    }

    /// Makes blocks of the triangles that reach into the region. `normalized` is the frame of the region.
    pub(super) fn pack(&mut self, mesh: &Mesh, region: &Box3, normalized: &NormalizedFrame) {
        self.numbers.clear();
        self.corners.clear();
        self.boxes.clear();
        self.bounds.clear();
        for (i, extent) in &self.triangles {
            let Some([least, most]) = common(extent, region) else { continue };
            let n = self.numbers.len();
            if n.is_multiple_of(BLOCK) {
                self.boxes.push(BoxBlock::EMPTY);
            }
            self.boxes[n / BLOCK].put(n % BLOCK, &[normalized.apply(&least), normalized.apply(&most)]);
            let [a, b, c] = mesh.corners(*i);
            self.numbers.push(*i);
            self.corners.push([a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]]);
        }
        for (n, block) in self.boxes.iter().enumerate() {
            if n.is_multiple_of(BLOCK) {
                self.bounds.push(BoxBlock::EMPTY);
            }
            self.bounds[n / BLOCK].put_bounds(n % BLOCK, block);
        }
    }

    pub(super) fn bounds(&self) -> &[BoxBlock] {
        &self.bounds
    }
    pub(super) fn boxes(&self) -> &[BoxBlock] {
        &self.boxes
    }
}
