//! Regions of space, apart from each other, in which a mesh winds round points more than once.
//!
//! # Separation
//! Let g be w (w - 1), with the sign of w that makes it positive, as in `crossing.rs`. It jumps on *pieces*
//! of faces alone, and is 0 far out. Let boxes without common points hold the pieces, each piece in one box.
//!
//! 1. What is outside of all boxes is connected, and g does not jump there: it is 0. So g is the sum of its
//!    restrictions to the boxes, and each of these jumps on the pieces in its box alone.
//! 2. So the integral of g over a box is the sum over the pieces in it: each summand is a face's own.
//! 3. Let x be in a box, with w at least 2. The cell of x, where w is the same, is bounded by pieces; those
//!    of its outer boundary touch each other, so one box holds them, and x: it is this one. So no number in a
//!    box is greater than those on the sides of its pieces.
//! 4. If there are shells, let x be in S and T, both without a piece in the box of x. The boundary of that
//!    part of S and T together is made of pieces of theirs. As in step 3 they are in the box of x, a
//!    contradiction. So x is in one shell at most, besides those with pieces in the box.
//!
//! Boxes are found by planes perpendicular to an axis that no piece's box meets: pieces whose boxes touch are
//! not separated, and each cut leaves boxes on its two sides.
use crate::{
    posed::probe::{Number, RoundedNumber},
    solid::WindingRegion,
    stop::StopFlag,
    vector::{NO_EXTENT, UNIT, Vector, grow},
};
use std::ops::ControlFlow;

/// A part of a face that holds all its points where g jumps.
#[derive(Clone, Copy, Debug)]
pub(super) struct JumpPiece {
    /// A box around it, in the mesh's frame.
    pub(super) bounds: [Vector; 2],
    /// Its summand of six times the integral of g.
    pub(super) six: RoundedNumber,
    /// The component of its face.
    pub(super) component: u32,
    /// The greatest number on its sides; infinite if that, or their sign, is not known.
    pub(super) most: f64,
}

/// The most rounds of cuts: all pieces that are left then are one region.
const ROUNDS: u32 = 32;

/// Separates pieces into regions. `shells` is the number of components, where each is a shell. Breaks if it
/// is stopped.
pub(super) fn separate(
    pieces: &mut [JumpPiece],
    shells: Option<usize>,
    stop: StopFlag<'_>,
) -> ControlFlow<(), Vec<WindingRegion>> {
    let mut regions = Vec::new();
    let mut each = |pieces: &[JumpPiece]| regions.push(region(pieces, shells));
    if !pieces.is_empty() {
        cut(pieces, ROUNDS, stop, &mut each)?;
    }
    ControlFlow::Continue(regions)
}

/// Cuts along the first axis that has a gap, and then each part again.
fn cut(
    pieces: &mut [JumpPiece],
    rounds: u32,
    stop: StopFlag<'_>,
    each: &mut dyn FnMut(&[JumpPiece]),
) -> ControlFlow<()> {
    let axes = if rounds > 0 && pieces.len() > 1 { 0..3 } else { 0..0 };
    for axis in axes {
        stop.check()?;
        pieces.sort_by(|a, b| a.bounds[0][axis].total_cmp(&b.bounds[0][axis]));
        let (mut end, mut from, mut ends) = (f64::NEG_INFINITY, 0, Vec::new());
        for (i, piece) in pieces.iter().enumerate() {
            if i > 0 && piece.bounds[0][axis] > end {
                ends.push(i);
            }
            end = end.max(piece.bounds[1][axis]);
        }
        if ends.is_empty() {
            continue;
        }
        ends.push(pieces.len());
        for to in ends {
            cut(&mut pieces[from..to], rounds - 1, stop, each)?;
            from = to;
        }
        return ControlFlow::Continue(());
    }
    each(pieces);
    ControlFlow::Continue(())
}

fn region(pieces: &[JumpPiece], shells: Option<usize>) -> WindingRegion {
    let (mut bounds, mut six, mut most) = (NO_EXTENT, RoundedNumber::ZERO, 1.0_f64);
    for piece in pieces {
        piece.bounds.iter().for_each(|corner| grow(&mut bounds, corner));
        six = six.plus(&piece.six);
        most = most.max(piece.most);
    }
    if let Some(shells) = shells {
        let mut own: Vec<u32> = pieces.iter().map(|piece| piece.component).collect();
        own.sort_unstable();
        own.dedup();
        most = shells.min(own.len() + 1) as f64;
    }
    let [lo, hi] = [six.value() - six.error(), six.value() + six.error()].map(|x| x / 6.0);
    // Two roundings, and what underflows.
    let off = |x: f64| 4.0 * UNIT * x.abs() + f64::MIN_POSITIVE;
    WindingRegion { bounds, excess: [(lo - off(lo)).max(0.0), (hi + off(hi)).max(0.0)], most }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;

    /// Boxes on a grid: regions have no point in common, hold all pieces, and are as many as cuts separate.
    #[test]
    fn regions_are_apart() {
        let (mut rng, mut many) = (Rng::new(4905), 0);
        for round in 0..200 {
            let side = rng.int(4, 30);
            let mut pieces: Vec<JumpPiece> = (0..rng.int(1, 60))
                .map(|_| {
                    let lo = [0; 3].map(|_: i64| rng.int(0, side) as f64);
                    let bounds = [lo, lo.map(|lo| lo + rng.int(0, 2) as f64)];
                    JumpPiece { bounds, six: RoundedNumber::small(6), component: 0, most: 2.0 }
                })
                .collect();
            let boxes: Vec<[Vector; 2]> = pieces.iter().map(|piece| piece.bounds).collect();
            let regions = separate(&mut pieces, None, StopFlag(None)).continue_value().unwrap();
            let meet =
                |a: &[Vector; 2], b: &[Vector; 2]| (0..3).all(|k| a[0][k] <= b[1][k] && b[0][k] <= a[1][k]);
            for (i, a) in regions.iter().enumerate() {
                assert!(regions[..i].iter().all(|b| !meet(&a.bounds, &b.bounds)), "{round}");
            }
            for piece in &boxes {
                assert_eq!(regions.iter().filter(|region| meet(&region.bounds, piece)).count(), 1, "{round}");
            }
            let all: f64 = regions.iter().map(|region| region.excess[1]).sum();
            assert!((all - boxes.len() as f64).abs() < 1e-9, "{round}: {all}");
            many += usize::from(regions.len() > 2);
        }
        assert!(many > 50, "{many}");
    }

    /// A staircase that would take a cut for each step ends after some.
    #[test]
    fn cuts_have_an_end() {
        let mut pieces: Vec<JumpPiece> = (0..1000)
            .map(|i| {
                let at = f64::from(i);
                let bounds = match i % 2 {
                    0 => [[at, at, 0.0], [2000.0, at + 0.5, 0.0]],
                    _ => [[at, at, 0.0], [at + 0.5, 2000.0, 0.0]],
                };
                JumpPiece { bounds, six: RoundedNumber::ONE, component: 0, most: 2.0 }
            })
            .collect();
        let regions = separate(&mut pieces, None, StopFlag(None)).continue_value().unwrap();
        assert!((2..=33).contains(&regions.len()), "{}", regions.len());
    }
}
