//! Tree of boxes around the triangles of a mesh, to find those that a ray or a point may meet. A box has
//! eight children in the order of a Morton curve, so no node needs a pointer.
use crate::{
    Mesh,
    vector::{Vector, extent},
};

pub(super) type Extent = [Vector; 2];

#[derive(Debug)]
pub(super) struct CurveBoxes {
    /// Triangles along the curve.
    order: Vec<u32>,
    /// Boxes of each eight triangles, then of each eight of these boxes, and so on to at most eight.
    levels: Vec<Vec<Extent>>,
}

const ARITY: usize = 8;
/// Bits of the curve along each axis.
const BITS: u32 = 21;

impl CurveBoxes {
    pub(super) fn new(mesh: &Mesh, [lo, hi]: &Extent) -> Self {
        // Halves: no sum or difference of them overflows.
        let scale = [0, 1, 2].map(|k| f64::from(1 << BITS) / (hi[k] / 2.0 - lo[k] / 2.0));
        let cell = |t: u32| {
            let corners = mesh.corners(t);
            let at = |k: usize| {
                let centre = corners.iter().map(|v| v[k] / 2.0 - lo[k] / 2.0).sum::<f64>() / 3.0;
                // A mesh that is flat along an axis gives NaN, which is converted to 0.
                ((centre * scale[k]) as u64).min((1 << BITS) - 1)
            };
            spread(at(0)) | spread(at(1)) << 1 | spread(at(2)) << 2
        };
        let mut cells: Vec<(u64, u32)> = (0..mesh.len() as u32).map(|t| (cell(t), t)).collect();
        cells.sort_unstable();
        let order: Vec<u32> = cells.into_iter().map(|(_, t)| t).collect();
        let around = |run: &[u32]| {
            let corners = run.iter().flat_map(|&t| mesh.triangles()[t as usize]);
            extent(corners.map(|v| &mesh.points()[v as usize]))
        };
        let mut levels = vec![order.chunks(ARITY).map(around).collect::<Vec<_>>()];
        while let Some(last) = levels.last().filter(|last| last.len() > ARITY) {
            let next = last.chunks(ARITY).map(|run| extent(run.as_flattened())).collect();
            levels.push(next);
        }
        Self { order, levels }
    }
    /// Passes on the triangles in all boxes that `meets` accepts.
    pub(super) fn visit(&self, meets: &impl Fn(&Extent) -> bool, each: &mut impl FnMut(u32)) {
        let top = self.levels.len() - 1;
        self.visit_run(top, 0..self.levels[top].len(), meets, each);
    }
    fn visit_run(
        &self,
        level: usize,
        run: std::ops::Range<usize>,
        meets: &impl Fn(&Extent) -> bool,
        each: &mut impl FnMut(u32),
    ) {
        for i in run.filter(|&i| meets(&self.levels[level][i])) {
            let below = if level == 0 { self.order.len() } else { self.levels[level - 1].len() };
            let children = ARITY * i..(ARITY * i + ARITY).min(below);
            if level == 0 {
                self.order[children].iter().for_each(|&t| each(t));
            } else {
                self.visit_run(level - 1, children, meets, each);
            }
        }
    }
}

/// The lowest 21 bits, two zeros after each.
fn spread(x: u64) -> u64 {
    let mut x = x & 0x1f_ffff;
    for (shift, mask) in [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ] {
        x = (x | x << shift) & mask;
    }
    x
}
