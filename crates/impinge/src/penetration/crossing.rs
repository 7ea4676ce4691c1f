//! Meshes that meet themselves, and the integral over the space that they wind round more than once.
//!
//! # The sum
//! Let W = s w, where the sign s makes winding numbers positive. The integral of W (W - 1) is that of w^2,
//! less s times that of w. The integral of w^2 is the volume that the mesh has in common with itself. To find
//! it, lay the mesh over itself, moved by as little as one likes (`sum.rs`, `pierce.rs`). On a face let u be
//! the mesh's winding number if it is moved one way, and v if it is moved the other way. Then both integrals
//! are sums over all faces. Six times the wanted integral is a sum, too: of 2 n . p times the integral of u +
//! v - s over each face, with a point p of the face and its normal n of length 1.
//!
//! Each summand is a face's own. If a face meets no other face of its mesh elsewhere than in common corners
//! and edges, u and v are the numbers in front of it and behind, all over it: they are mostly 0 and s, and so
//! it adds nothing. Only the other faces, the *dirty* ones, are laid over the mesh; the pairs for that are
//! those of dirty faces and of faces with a corner in common.
//!
//! If the mesh is made of shells, whose numbers are 0 or s, the integral is the volume that two of them have
//! in common, for all pairs of shells: then u and v count the other shells, and nothing is taken off.
use super::{
    overlay::{Overlay, OverlayMemory},
    regions::{JumpPiece, separate},
    sum::{cone, of_face},
};
use crate::{
    Body, Model, Pose,
    graph::Buckets,
    posed::probe::{Number, RoundedNumber},
    sink::sort,
    solid::{FaceSides, Levels, NO_COMPONENT},
    stop::StopFlag,
    vector::{UNIT, Vector},
};
use std::ops::ControlFlow;

/// The most pairs of triangles that are tested, for each triangle of the mesh, besides 2^20. Each pair counts
/// both ways round. A triangle meets some 13 neighbours.
const MOST_PAIRS: usize = 64;

/// Levels of a mesh that meets itself, or winds round points more than once. Breaks if it is stopped.
pub(super) fn of_crossing(model: &Model, stop: StopFlag<'_>) -> ControlFlow<(), Option<Levels>> {
    let volume = model.solid().six_volumes(model.geometry());
    let sign = if volume.value() < 0.0 { -1 } else { 1 };
    let Some((mut pieces, shells)) = pieces(model, sign, stop)? else { return ControlFlow::Continue(None) };
    let all = sum(&pieces);
    // The integral is not negative. Its bound is positive, for callers that test whether it is 0 for certain.
    let excess = ((all.value() + all.error()) / 6.0 * (1.0 + 4.0 * UNIT)).max(f64::MIN_POSITIVE);
    if !(all.value() + all.error()).is_finite() {
        return ControlFlow::Continue(None);
    }
    let regions = separate(&mut pieces, shells, stop)?;
    let known = regions.iter().all(|region| region.excess[1].is_finite());
    ControlFlow::Continue(Some(Levels { sign, least: 1, most: 1, excess, regions: known.then_some(regions) }))
}

/// Six times the integral.
fn sum(pieces: &[JumpPiece]) -> RoundedNumber {
    pieces.iter().fold(RoundedNumber::ZERO, |sum, piece| sum.plus(&piece.six))
}

/// Pieces of faces, and the number of shells.
type FoundPieces = (Vec<JumpPiece>, Option<usize>);

/// The pieces of faces that the integral is a sum over, and the number of shells if the mesh is made of
/// these. `None` if too many triangles meet, or coordinates are too large. Breaks if it is stopped.
fn pieces(model: &Model, sign: i32, stop: StopFlag<'_>) -> ControlFlow<(), Option<FoundPieces>> {
    let (mesh, solid) = (model.mesh(), model.solid());
    let sides = solid.sides(model.geometry(), stop)?;
    let faces = || (0..mesh.len() as u32).filter(|&t| solid.is_face(t));
    let mut is_dirty = vec![false; mesh.len()];
    faces().filter(|&t| sides.windings(t).is_none()).for_each(|t| is_dirty[t as usize] = true);
    let by_shells = is_made_of_shells(model, sides);
    let Some(pairs) = pairs(model, sides, &is_dirty, by_shells, stop)? else {
        return ControlFlow::Continue(None);
    };

    let (body, mut memory) = (Body::new(model, Pose::IDENTITY), OverlayMemory::default());
    let overlay = Overlay::within(&body, &is_dirty, by_shells, stop);
    overlay.place(overlay.poses.each_ref(), &mut memory)?;
    if !memory.points.are_known() {
        return ControlFlow::Continue(None);
    }
    overlay.lay(&pairs, &mut memory)?;
    let mut pieces = Vec::new();
    let mut add = |t: u32, bounds: [Vector; 2], six: RoundedNumber, most: f64| {
        pieces.push(JumpPiece { bounds, six, component: solid.component(t), most });
    };
    for t in faces() {
        stop.check()?;
        let times = match sides.windings(t) {
            Some([front, back]) => front + back - sign,
            None if by_shells => 0,
            None => -sign,
        };
        if times != 0 {
            let most = match sides.windings(t) {
                Some(both) if both.iter().all(|w| w * sign >= 0) => both[0].abs().max(both[1].abs()).into(),
                _ => f64::INFINITY,
            };
            let corners = mesh.triangles()[t as usize].map(|v| memory.points.point(0, v));
            let six = cone(corners).times(&RoundedNumber::small(times));
            add(t, overlay.bounds_inside(0, t, &memory), six, most);
        }
        for x in (0..2).filter(|_| is_dirty[t as usize]) {
            if let Some(six) = of_face(&overlay, &memory, x, t) {
                add(t, overlay.bounds_inside(x, t, &memory), six, f64::INFINITY);
            }
        }
    }
    ControlFlow::Continue(Some((pieces, by_shells.then(|| solid.components().len()))))
}

/// All pairs of faces that meet, at least one dirty, both ways round and each with itself, sorted. With
/// `of_components`, only pairs of two components. `None` if there are too many: a mesh of n triangles may
/// have n^2, which no memory holds. Breaks if it is stopped.
fn pairs(
    model: &Model,
    sides: &FaceSides,
    is_dirty: &[bool],
    of_components: bool,
    stop: StopFlag<'_>,
) -> ControlFlow<(), Option<Vec<[u32; 2]>>> {
    let (mesh, solid) = (model.mesh(), model.solid());
    let most = MOST_PAIRS * mesh.len() + (1 << 20);
    let is_wanted = |t: u32, u: u32| !of_components || solid.component(t) != solid.component(u);
    let Some(meeting) = sides.pairs() else { return ControlFlow::Continue(None) };
    let wanted = meeting.iter().filter(|[t, u]| is_wanted(*t, *u));
    let mut pairs: Vec<[u32; 2]> = wanted.flat_map(|&[t, u]| [[t, u], [u, t]]).collect();
    // Adds the pairs of faces that have a corner in common.
    let around = around(model, is_dirty, of_components);
    let (mut seen, mut looked) = (vec![u32::MAX; mesh.len()], 0);
    for t in (0..mesh.len() as u32).filter(|&t| is_dirty[t as usize]) {
        for v in mesh.triangles()[t as usize] {
            let faces = around.of(solid.vertices()[v as usize]);
            looked += faces.len();
            stop.check()?;
            for &u in faces {
                if std::mem::replace(&mut seen[u as usize], t) == t || !is_wanted(t, u) {
                    continue;
                }
                pairs.push([t, u]);
                if !is_dirty[u as usize] {
                    pairs.push([u, t]);
                }
            }
        }
        // A pair is visited three times at most, and in vain if it is of one component.
        if pairs.len() > most || looked > 4 * most {
            return ControlFlow::Continue(None);
        }
    }
    sort(&mut pairs);
    pairs.dedup();
    ControlFlow::Continue(Some(pairs))
}

/// The faces around points of dirty faces, by the first of equal points. With `of_components`, points of
/// faces of one component alone have none.
fn around(model: &Model, is_dirty: &[bool], of_components: bool) -> Buckets<u32> {
    let (mesh, solid) = (model.mesh(), model.solid());
    let faces = || (0..mesh.len() as u32).filter(|&t| solid.is_face(t));
    let corners = |t: u32| mesh.triangles()[t as usize].map(|v| solid.vertices()[v as usize] as usize);
    let mut is_asked = vec![false; mesh.points().len()];
    for t in faces().filter(|&t| is_dirty[t as usize]) {
        corners(t).iter().for_each(|&v| is_asked[v] = true);
    }
    if of_components {
        let (mut of, mut are_more) = (vec![NO_COMPONENT; is_asked.len()], vec![false; is_asked.len()]);
        for t in faces() {
            for v in corners(t) {
                are_more[v] |= of[v] != NO_COMPONENT && of[v] != solid.component(t);
                of[v] = solid.component(t);
            }
        }
        is_asked.iter_mut().zip(are_more).for_each(|(asked, more)| *asked &= more);
    }
    let of = |t: u32| corners(t).map(|v| (v as u32, t));
    let asked = |&(v, _): &(u32, u32)| is_asked[v as usize];
    Buckets::new(is_asked.len(), faces().flat_map(of).filter(asked))
}

/// True if each component of a mesh alone bounds a solid and does not meet itself, all have one orientation,
/// and none have a point in common.
fn is_made_of_shells(model: &Model, sides: &FaceSides) -> bool {
    let (mesh, solid) = (model.mesh(), model.solid());
    if sides.of_shells().is_none() {
        return false;
    }
    let mut of = vec![NO_COMPONENT; mesh.points().len()];
    (0..mesh.len() as u32).filter(|&t| solid.is_face(t)).all(|t| {
        mesh.triangles()[t as usize].iter().all(|&v| {
            let (of, own) = (&mut of[v as usize], solid.component(t));
            let is_own = *of == own || *of == NO_COMPONENT;
            *of = own;
            is_own
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mesh, SimdLevel, penetration::sum::six_times, samples::rng::Rng, walk::QueryContext};

    /// The whole mesh laid over itself, by all pairs of its triangles that meet.
    fn by_all_pairs(model: &Model, sign: i32) -> RoundedNumber {
        let (body, mut memory) = (Body::new(model, Pose::IDENTITY), OverlayMemory::default());
        let (ask, mut pairs) = (QueryContext::new(SimdLevel::default(), false, true, None), Vec::new());
        ask.append([body.placed(); 2], &mut Default::default(), &mut pairs);
        sort(&mut pairs);
        let overlay = Overlay::new([&body; 2], StopFlag(None));
        assert!(overlay.place(overlay.poses.each_ref(), &mut memory).is_continue());
        assert!(overlay.lay(&pairs, &mut memory).is_continue());
        let volume = model.solid().six_volumes(model.geometry());
        let all = six_times(&overlay, &memory).continue_value().unwrap();
        all.minus(&volume.times(&RoundedNumber::small(sign)))
    }
    fn excesses(model: &Model, sign: i32) -> RoundedNumber {
        sum(&pieces(model, sign, StopFlag(None)).continue_value().flatten().unwrap().0)
    }
    fn sides(model: &Model) -> &FaceSides {
        model.solid().sides(model.geometry(), StopFlag(None)).continue_value().unwrap()
    }
    fn assert_is(found: RoundedNumber, value: f64, error: f64, context: &str) {
        let off = (found.value() - value).abs();
        assert!(off <= found.error() + error, "{context}: {found:?}, {value} to within {error}");
    }
    const FACES: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

    /// Cubes on a grid that cross, contain another, share faces or are equal. A formula gives the volume that
    /// two of them have in common.
    #[test]
    fn cubes_have_in_common_what_their_boxes_have() {
        let (mut rng, mut crossing, mut shells) = (Rng::new(1804), 0, 0);
        for round in 0..400 {
            let count = rng.int(2, 5);
            let cubes: Vec<[[i64; 3]; 2]> = (0..count)
                .map(|_| {
                    let lo = [0; 3].map(|_: i64| rng.int(0, 4));
                    [lo, lo.map(|lo| lo + rng.int(1, 4))]
                })
                .collect();
            let (mut points, mut triangles) = (Vec::new(), Vec::new());
            let (is_welded, inwards) = (round % 2 == 0, round % 3 == 0);
            for ends in &cubes {
                let numbers = [0, 1, 2, 3, 4, 5, 6, 7].map(|i: usize| {
                    let at = [0, 1, 2].map(|k| ends[i >> k & 1][k] as f64 / 3.0 - 1e3);
                    let known = points.iter().position(|p| *p == at).filter(|_| is_welded);
                    known.unwrap_or_else(|| {
                        points.push(at);
                        points.len() - 1
                    }) as u32
                });
                for [a, b, c, d] in FACES.map(|face| face.map(|i| numbers[i as usize])) {
                    triangles.extend([[a, b, c], [a, c, d]]);
                }
            }
            if inwards {
                triangles.iter_mut().for_each(|t| t.swap(1, 2));
            }
            let mut common = 0;
            for (i, a) in cubes.iter().enumerate() {
                for (j, b) in cubes.iter().enumerate().filter(|(j, _)| *j != i) {
                    let _ = j;
                    let side = |k: usize| (a[1][k].min(b[1][k]) - a[0][k].max(b[0][k])).max(0);
                    common += side(0) * side(1) * side(2);
                }
            }
            let model = Model::new(Mesh::new(points, triangles).unwrap());
            let sign = if inwards { -1 } else { 1 };
            let found = excesses(&model, sign);
            // Coordinates are rounded at 1e3.
            assert_is(found, 6.0 * common as f64 / 27.0, 1e-9, &format!("{round}"));
            assert!(found.error() < 1e-9);
            let all = by_all_pairs(&model, sign);
            assert_is(found, all.value(), all.error(), &format!("{round}: by all pairs"));
            crossing += usize::from(common > 0 && !sides(&model).are_clean());
            shells += usize::from(is_made_of_shells(&model, sides(&model)));
        }
        assert!(crossing > 200 && shells > 50, "{crossing} {shells}");
    }

    /// One sphere of many triangles, with its points moved through each other, also along a grid.
    #[test]
    fn a_crumpled_sphere_is_as_by_all_pairs() {
        let mut rng = Rng::new(1805);
        let mut dirty = 0;
        for round in 0..40 {
            let (rings, sectors) = (rng.int(3, 9) as u32, rng.int(4, 12) as u32);
            let mut points = vec![[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
            let at = |i: u32, j: u32| 2 + i * sectors + j % sectors;
            for i in 0..rings {
                for j in 0..sectors {
                    let (polar, around) = (
                        std::f64::consts::PI * f64::from(i + 1) / f64::from(rings + 1),
                        std::f64::consts::TAU * f64::from(j) / f64::from(sectors),
                    );
                    points.push([polar.sin() * around.cos(), polar.sin() * around.sin(), polar.cos()]);
                }
            }
            let mut triangles = Vec::new();
            for j in 0..sectors {
                triangles.push([0, at(0, j), at(0, j + 1)]);
                triangles.push([1, at(rings - 1, j + 1), at(rings - 1, j)]);
                for i in 1..rings {
                    triangles.push([at(i - 1, j), at(i, j), at(i, j + 1)]);
                    triangles.push([at(i - 1, j), at(i, j + 1), at(i - 1, j + 1)]);
                }
            }
            // A few points alone, so that most faces stay as they are.
            for point in &mut points {
                if rng.int(0, 3) == 0 {
                    *point = rng.point(0.9);
                }
                if round % 2 == 0 {
                    *point = point.map(|x| (x * 4.0).round() / 4.0);
                }
            }
            let model = Model::new(Mesh::new(points, triangles).unwrap());
            let sign = if model.solid().six_volumes(model.geometry()).value() < 0.0 { -1 } else { 1 };
            let (found, all) = (excesses(&model, sign), by_all_pairs(&model, sign));
            assert_is(found, all.value(), all.error(), &format!("{round}"));
            assert!(found.error() < 1e-9 && found.error() <= all.error() * 1.5, "{found:?} {all:?}");
            dirty += usize::from(!sides(&model).are_clean());
        }
        assert!(dirty > 20, "{dirty}");
    }
    /// An apex of many triangles, which all pierce a box around it. It has no pairs of two components, and a
    /// test of all faces for each would take the square of their number.
    #[test]
    fn around_an_apex_of_one_component_nothing_is_looked_for() {
        let n = 100_u32;
        let mut points = vec![[0.0, 0.0, 1.0], [0.0; 3]];
        points.extend((0..n).map(|i| {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(n);
            [angle.cos(), angle.sin(), 0.0]
        }));
        let rim = |i: u32| 2 + i % n;
        let mut triangles: Vec<[u32; 3]> =
            (0..n).flat_map(|i| [[0, rim(i), rim(i + 1)], [1, rim(i + 1), rim(i)]]).collect();
        let first = points.len() as u32;
        points.extend((0..8).map(|i| {
            let z = if i & 4 == 0 { 0.9 } else { 1.1 };
            [f64::from(i & 1) - 0.5, f64::from(i >> 1 & 1) - 0.5, z].map(|x| x * 0.99)
        }));
        for [a, b, c, d] in FACES.map(|face| face.map(|i| first + i)) {
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        let model = Model::new(Mesh::new(points, triangles).unwrap());
        assert!(is_made_of_shells(&model, sides(&model)));
        let is_dirty = vec![true; model.mesh().len()];
        let at_apex = |of_components| around(&model, &is_dirty, of_components).of(0).len();
        assert_eq!([at_apex(true), at_apex(false)], [0, n as usize]);
        assert!(excesses(&model, 1).value() > 0.0);
    }
}
