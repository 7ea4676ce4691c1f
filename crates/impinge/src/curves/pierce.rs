//! Edges that pierce the other triangle's inside, for as many pairs as f64 has lanes. They determine the
//! intersection of most pairs.
//!
//! # Definition
//! An edge *pierces* a triangle if its ends lie strictly on different sides of the triangle's plane, and it
//! runs through the triangle's inside. Where two of a pair's six edges do, and neither triangle is
//! degenerate, the two points are different: in different edges of one triangle, or in an edge of one and
//! inside of the other. The triangles do not lie in one plane, so their intersection is the segment between
//! these points.
//!
//! Signs, places and bounds are those of the narrow phase, `triangle/lanes.rs`: the second triangle is moved
//! to the first one's frame, where it may be off by `Motion::error`.

use crate::{
    Body,
    motion::Motion,
    simd::{MOST_DOUBLES, Simd, Work},
    stop::StopFlag,
    triangle::{
        intersection::Carriers,
        lanes::{self, PairSigns, RelativePairs, all, some},
    },
};
use std::ops::ControlFlow;

/// Computes for each pair the edges that pierce the other triangle, as bits: 1, 2, 4 for the first triangle's
/// edges from corners 0, 1, 2 to the next, and 8, 16, 32 for the second one's. 0 unless two certainly do.
pub(super) struct Pierce<'a> {
    pub(super) bodies: [&'a Body<'a>; 2],
    pub(super) pairs: &'a [[u32; 2]],
    pub(super) pierced: &'a mut Vec<u8>,
    pub(super) stop: StopFlag<'a>,
}

/// The ends of the segment that two triangles have in common, from the result of [`Pierce`].
#[inline(always)]
pub(super) fn ends(pierced: u8) -> Option<[Carriers; 2]> {
    if pierced == 0 {
        return None;
    }
    let end = |k: u32| {
        let edge = [3, 6, 5][k as usize % 3];
        if k < 3 { [edge, 7] } else { [7, edge] }
    };
    Some([end(pierced.trailing_zeros()), end(7 - pierced.leading_zeros())])
}

impl Work for Pierce<'_> {
    /// Breaks if it is stopped.
    type Out = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ControlFlow<()> {
        let Self { bodies: [a, b], pairs, pierced, stop } = self;
        let motion = Motion::between(&b.pose, &a.pose);
        let off = if a.pose == b.pose { 0.0 } else { motion.error(b.model.reach()) };
        let (of_a, of_b) = (a.model.mesh(), b.model.mesh());
        pierced.clear();
        for chunk in pairs.chunks(S::DOUBLES) {
            stop.check()?;
            let mut columns = [[[0.0; MOST_DOUBLES]; 9]; 2];
            for (lane, &[i, j]) in chunk.iter().enumerate() {
                put(&of_a.corners(i), &mut columns[0], lane);
                put(&of_b.corners(j), &mut columns[1], lane);
            }
            let found = simd.call(PiercingBatch { columns: &columns, motion: &motion, off });
            for lane in 0..chunk.len() {
                let mut bits = 0;
                for (k, lanes) in found.iter().enumerate() {
                    bits |= (lanes >> lane & 1) << k;
                }
                pierced.push(if bits.count_ones() == 2 { bits as u8 } else { 0 });
            }
        }
        ControlFlow::Continue(())
    }
}

#[inline(always)]
fn put(corners: &[[f64; 3]; 3], columns: &mut [[f64; MOST_DOUBLES]; 9], lane: usize) {
    for (column, &x) in columns.iter_mut().zip(corners.as_flattened()) {
        column[lane] = x;
    }
}

/// A batch of as many pairs as there are lanes. Computes the lanes in which each of the six edges pierces.
struct PiercingBatch<'a> {
    columns: &'a [[[f64; MOST_DOUBLES]; 9]; 2],
    motion: &'a Motion,
    off: f64,
}

impl Work for PiercingBatch<'_> {
    type Out = [u32; 6];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [u32; 6] {
        let Self { columns: [of_a, of_b], motion, off } = self;
        let (p, q) = (simd.load_triangles(of_a), simd.load_triangles(of_b));
        let (pairs, sane) = RelativePairs::in_doubles(simd, p, lanes::moved(simd, motion, q), off);
        let constants = [simd.doubles(0.0), simd.doubles(31.0), simd.doubles(0.5)];
        let signs = PairSigns::of(&pairs, constants);
        let ([d_pos, d_neg], [f_pos, f_neg]) = (signs.of_q, signs.of_p);
        // Neither is degenerate.
        let proper = (some(d_pos) | some(d_neg)) & (some(f_pos) | some(f_neg)) & sane;
        let [pos, neg] = signs.of_edges(&pairs, constants[0]);
        let mut pierced = [0; 6];
        for i in 0..3 {
            let next = (i + 1) % 3;
            let across = f_pos[i] & f_neg[next] | f_neg[i] & f_pos[next];
            pierced[i] = across & (all(pos[i]) | all(neg[i])) & proper;
            let across = d_pos[i] & d_neg[next] | d_neg[i] & d_pos[next];
            let pos = pos[0][i] & pos[1][i] & pos[2][i];
            let neg = neg[0][i] & neg[1][i] & neg[2][i];
            pierced[3 + i] = across & (pos | neg) & proper;
        }
        pierced
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::near_degenerate::{FAMILIES, near_degenerate};
    use crate::{Mesh, Model, Pose, SimdLevel, posed::probe::Space, simd::detect, triangle::intersection};

    /// Every certain result is that of integers, for triangles that nearly touch.
    #[test]
    fn what_is_said_is_what_integers_say() {
        let (mut said, mut met, mut pierced) = (0, 0, Vec::new());
        for i in 0..FAMILIES.len() as u64 * 3000 {
            let case = near_degenerate(95, i);
            // The testkit's poses are of another build of this library.
            let own = |rows: &[[f64; 3]; 3], t: &[f64; 3]| Pose::affine(*rows, *t).unwrap();
            let poses = [
                own(case.pose_p.rows(), case.pose_p.translation()),
                own(case.pose_q.rows(), case.pose_q.translation()),
            ];
            let model = |t: [[f64; 3]; 3]| Model::new(Mesh::new(t.to_vec(), vec![[0, 1, 2]]).unwrap());
            let models = [model(case.p), model(case.q)];
            let [a, b] = [0, 1].map(|x| Body::new(&models[x], poses[x]));
            let space = Space::in_world(poses.each_ref(), [0, 1].map(|x| models[x].solid().bits()));
            let mut found = Vec::new();
            space.ask_triangles([0, 1], [&case.p, &case.q], &mut |g| {
                intersection::each(g, &mut |cell| found.push(cell.vertices[..cell.len].to_vec()));
            });
            found.iter_mut().for_each(|vertices| vertices.sort_unstable());
            met += usize::from(!found.is_empty());
            for &level in SimdLevel::ALL {
                let (pairs, pierced) = (&[[0, 0]], &mut pierced);
                let work = Pierce { bodies: [&a, &b], pairs, pierced, stop: StopFlag(None) };
                assert!(detect(level).call(work).is_continue());
                let Some(mut ends) = ends(pierced[0]) else { continue };
                said += 1;
                ends.sort_unstable();
                assert_eq!(found, [ends.to_vec()], "{case:?}");
            }
        }
        let levels = SimdLevel::ALL.len();
        assert!(said > 500 * levels && met > said / levels, "{said} of {met}");
    }
}
