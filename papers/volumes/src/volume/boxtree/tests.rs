use super::*;
use crate::{
    Split,
    build::{BuildSettings, build},
    primitives::NormalizedMesh,
};
use impinge::{Pose, hierarchy::Motion};

/// Numbers in [-1, 1), from a linear congruential generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / 2_f64.powi(52) - 1.0
    }
    fn point(&mut self) -> [f64; 3] {
        [0; 3].map(|_| self.next())
    }
    fn below(&mut self, n: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * n as f64) as usize
    }
    /// A box inside [-1, 1]^3.
    fn cuboid(&mut self) -> Sides {
        let (p, q) = (self.point(), self.point());
        reach(&Bounds::outward(
            &std::array::from_fn(|k| p[k].min(q[k])),
            &std::array::from_fn(|k| p[k].max(q[k])),
        ))
    }
    /// A smaller box inside a box, cut in one direction.
    fn cut(&mut self, own: &Sides) -> (usize, f32) {
        let c = self.below(6);
        let t = (self.next() + 1.0) / 2.0;
        let side = f64::from(own[c]) + f64::from(own[opposite(c)]);
        (c, (f64::from(own[c]) - t * t * side) as f32)
    }
    fn placement(&mut self) -> Placement {
        let poses = [0, 1].map(|_| {
            // Some are sheared, mirrored or nearly flat; for these numbers all are invertible.
            Pose::affine([self.point(), self.point(), self.point()], self.point()).unwrap()
        });
        placement(&poses[0], &poses[1])
    }
}

fn placement(resting: &Pose, moving: &Pose) -> Placement {
    Placement { to_resting: Motion::between(moving, resting), to_moving: Motion::between(resting, moving) }
}

fn precompute(resting: &Pose, moving: &Pose, overlap: Overlap) -> BoxtreePrecomputed {
    Boxtree::precompute(&placement(resting, moving), overlap)
}

fn apart(precomputed: &BoxtreePrecomputed, a: &Sides, b: &Sides) -> bool {
    Boxtree::separation(
        precomputed,
        &Boxtree::prepare_resting(precomputed, a),
        &Boxtree::prepare_moving(precomputed, b),
    )
    .is_some()
}

fn sides(reach: &Reach) -> Sides {
    let Reach { back: [a, b, c, _], ahead: [x, y, z, _] } = *reach;
    [a, b, c, x, y, z]
}

fn corners(own: &Sides) -> impl Iterator<Item = [f64; 3]> {
    let own = own.map(f64::from);
    (0..8).map(move |i| std::array::from_fn(|k| if i >> k & 1 == 0 { -own[k] } else { own[k + 3] }))
}

/// Half-widths around a centre.
fn cuboid(centre: [f32; 3], half: [f32; 3]) -> Sides {
    std::array::from_fn(|d| half[d % 3] + if d < 3 { -centre[d] } else { centre[d - 3] })
}

#[test]
fn the_plane_that_cuts_most() {
    let parent = reach(&Bounds { lo: [0.0, 0.0, 0.0], hi: [1.0, 2.0, 4.0] });
    let inside = Bounds { lo: [0.25, 0.0, 0.5], hi: [1.0, 1.25, 4.0] };
    // 1/4 on x, 3/8 on y, 1/8 on z.
    assert_eq!(best_cut(&parent, &reach(&inside)), (4, 1.25, 0.375));
    assert_eq!(best_cut(&parent, &parent).2, 0.0);
    let flat = reach(&Bounds { lo: [0.0, 1.0, 0.0], hi: [1.0, 1.0, 4.0] });
    assert_eq!(best_cut(&flat, &flat).2, 0.0);
}

fn primitives(bounds: Bounds) -> Primitives<'static> {
    Primitives { mesh: NormalizedMesh { points: &[], triangles: &[] }, items: &[], bounds }
}

#[test]
fn children_are_read_as_they_were_sealed() {
    let parent = reach(&Bounds { lo: [-1.0; 3], hi: [1.0; 3] });
    let left = primitives(Bounds { lo: [-1.0; 3], hi: [1.0, 0.25, 1.0] });
    let right = primitives(Bounds { lo: [-1.0, -1.0, 0.5], hi: [1.0, 1.0, 0.75] });
    let child_bounds = Boxtree::encode(&parent, &[left, right], Fit::Auto);
    assert_eq!(Boxtree::decode(&parent, &child_bounds, 0), [1.0, 1.0, 1.0, 1.0, 0.25, 1.0]);
    assert_eq!(Boxtree::decode(&parent, &child_bounds, 1), [1.0, 1.0, -0.5, 1.0, 1.0, 1.0]);
    // A single child is cut twice.
    let child_bounds = Boxtree::encode(&parent, &[right], Fit::Auto);
    assert!(child_bounds.has_one_child());
    assert_eq!(Boxtree::decode(&parent, &child_bounds, 0), [1.0, 1.0, -0.5, 1.0, 1.0, 0.75]);
    assert!(Boxtree::is_loose(&parent, &right.bounds));
    assert!(!Boxtree::is_loose(&reach(&right.bounds), &right.bounds));
}

#[test]
fn an_image_holds_the_images_of_all_corners() {
    let mut random = Random(1);
    for _ in 0..1000 {
        let placement = random.placement();
        let motion = &placement.to_resting;
        let own = random.cuboid();
        for overlap in [Overlap::SatLite, Overlap::Lookup] {
            let transformed = Boxtree::prepare_moving(&Boxtree::precompute(&placement, overlap), &own);
            for v in corners(&own) {
                let (image, pad) = (motion.apply(v), motion.pad());
                for k in 0..3 {
                    let reach = [transformed.image.ahead[k], transformed.image.back[k]].map(f64::from);
                    assert!(reach[0] >= image[k] + pad[k] / 2.0, "{overlap:?} {transformed:?}");
                    assert!(reach[1] >= -image[k] + pad[k] / 2.0, "{overlap:?} {transformed:?}");
                }
            }
        }
    }
}

#[test]
fn a_table_never_says_less() {
    let mut random = Random(2);
    let motion = random.placement().to_resting;
    let table = Table::new(&motion);
    for _ in 0..10_000 {
        let x = random.next() * if random.below(3) == 0 { 4.0 } else { 1.0 };
        let x = if random.below(4) == 0 { (x * 128.0).round() / 128.0 } else { x } as f32;
        for (i, k) in [(0, 0), (1, 2), (2, 1)] {
            let weight = motion.linear[i][k].abs();
            let (got, x) = (f64::from(table.product(k, x)[i]), f64::from(x));
            assert!(got >= weight * x, "{x}");
            assert!(x.abs() > 1.0 || got <= weight * (x + 1.0 / 128.0) + 1e-6, "{x}");
        }
    }
}

/// A node's first child.
fn open(
    precomputed: &BoxtreePrecomputed,
    resting: bool,
    parent: &TransformedBoxtree,
    child_bounds: &Cuts,
    other: &TransformedBoxtree,
) -> Option<TransformedBoxtree> {
    let mut child = None;
    let outcome = |_, got: Result<TransformedBoxtree, Apart>| child = got.ok();
    match resting {
        true => Boxtree::open_resting(precomputed, parent, (child_bounds, 1), other, outcome),
        false => Boxtree::open_moving(precomputed, parent, (child_bounds, 1), other, outcome),
    }
    child
}

/// A volume that is updated cut by cut equals, to the last bit, the volume that is transformed at once. The
/// few directions that are tested then give the result of all.
#[test]
fn what_a_cut_leaves_alone_needs_no_test() {
    let mut random = Random(3);
    let mut met = [0; 2];
    for round in 0..8000 {
        let placement = random.placement();
        let overlap = Boxtree::OVERLAPS[round % 4];
        let precomputed = Boxtree::precompute(&placement, overlap);
        let mut a = Boxtree::prepare_resting(&precomputed, &random.cuboid());
        let mut b = Boxtree::prepare_moving(&precomputed, &random.cuboid());
        if Boxtree::separation(&precomputed, &a, &b).is_some() {
            continue;
        }
        for _ in 0..8 {
            let one_child = random.below(3) == 0;
            let rest = random.below(2) == 0;
            let parent = if rest { a } else { b };
            let mut own = sides(&parent.own);
            let first = random.cut(&own);
            own[first.0] = first.1;
            let child_bounds = Cuts::new([first, random.cut(&own)], one_child);
            let at_once = Boxtree::decode(&sides(&parent.own), &child_bounds, 0);
            let (child, apart, other) = if rest {
                let child = Boxtree::prepare_resting(&precomputed, &at_once);
                (child, Boxtree::separation(&precomputed, &child, &b), b)
            } else {
                let child = Boxtree::prepare_moving(&precomputed, &at_once);
                (child, Boxtree::separation(&precomputed, &a, &child), a)
            };
            let cut = open(&precomputed, rest, &parent, &child_bounds, &other);
            assert_eq!(cut.is_none(), apart.is_some(), "{overlap:?}");
            if let Some(cut) = &cut {
                assert_eq!(sides(&cut.own), sides(&child.own));
                assert!(rest && !precomputed.both || cut.image == child.image);
            }
            let child = cut.map(|cut| if rest { (cut, b) } else { (a, cut) });
            met[usize::from(child.is_some())] += 1;
            let Some(next) = child else { break };
            (a, b) = next;
        }
    }
    assert!(met.iter().all(|&n| n > 500), "{met:?}");
}

const H: f64 = std::f64::consts::FRAC_1_SQRT_2;

#[test]
fn each_test_sees_what_the_simpler_does_not() {
    let turned = Pose::rigid([[H, -H, 0.0], [H, H, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    let frames = |a: &Pose, b: &Pose| {
        [Overlap::Lookup, Overlap::Axis, Overlap::SatLite, Overlap::Sat].map(|o| precompute(a, b, o))
    };
    let unit = cuboid([0.0; 3], [0.25; 3]);
    // Separated along x, with a gap of 0.1: all tests find it.
    let b = cuboid([0.7 * H as f32, -0.7 * H as f32, 0.0], [0.25 * H as f32; 3]);
    let got = frames(&Pose::IDENTITY, &turned).map(|f| apart(&f, &unit, &b));
    assert_eq!(got, [true; 4]);
    // With its corner towards the other, a face of the moving box separates: its x is (x + y) H.
    let b = cuboid([0.25 * 2.0 * H as f32 + 0.3, 0.0, 0.0], [0.25; 3]);
    let got = frames(&Pose::IDENTITY, &turned).map(|f| apart(&f, &unit, &b));
    assert_eq!(got, [false, false, true, true]);
    // Two needles, along (0, -1, 1) and (1, 0, 1). As they move apart along their common normal, which is the
    // cross product of an edge of each, only this axis separates them for a while.
    let needle = cuboid([0.0; 3], [0.1, 0.1, 0.9]);
    let tilted = Pose::rigid([[1.0, 0.0, 0.0], [0.0, H, -H], [0.0, H, H]], [0.0; 3]).unwrap();
    let mut only_edges = 0;
    for i in 0..100 {
        let s = 0.01 * f64::from(i);
        let spun = Pose::rigid([[H, 0.0, H], [0.0, 1.0, 0.0], [-H, 0.0, H]], [-s, s, s]).unwrap();
        let sees = frames(&tilted, &spun).map(|f| apart(&f, &needle, &needle));
        assert!(sees.is_sorted(), "a test proves all that the previous one does: {sees:?}");
        // The other edges reach 0.2 (1 + sqrt 2) / sqrt 3 along the normal in all, and s moves sqrt 3 s.
        assert!(!sees[3] || s > 0.16);
        only_edges += i32::from(sees == [false, false, false, true]);
    }
    assert!(only_edges > 10, "{only_edges}");
}

#[test]
fn nothing_is_apart_by_an_overflow() {
    let huge = Pose::affine([[1e300, 0.0, 0.0], [0.0, 1e300, 0.0], [0.0, 0.0, 1e300]], [1e308; 3]).unwrap();
    let tiny = Pose::affine([[1e-10, 0.0, 0.0], [0.0, 1e-10, 0.0], [0.0, 0.0, 1e-10]], [-1e308; 3]).unwrap();
    let (a, b) = (cuboid([0.5; 3], [0.1; 3]), cuboid([-0.5; 3], [0.1; 3]));
    for &overlap in Boxtree::OVERLAPS {
        assert!(!apart(&precompute(&tiny, &huge, overlap), &a, &b), "{overlap:?}");
    }
}

/// All sizes within the range of f32 and beyond it: both boxes contain the origin.
#[test]
fn nothing_is_apart_by_an_overflow_of_f32() {
    let (a, b) = (cuboid([0.0; 3], [0.1; 3]), cuboid([0.5, -0.5, 0.5], [0.1; 3]));
    for e in (-1000..1000).step_by(13) {
        let s = 2_f64.powi(e);
        let at_origin = [-0.5 * s, 0.5 * s, -0.5 * s];
        let scaled = Pose::affine([[s, 0.0, 0.0], [0.0, s, 0.0], [0.0, 0.0, s]], at_origin).unwrap();
        for &overlap in Boxtree::OVERLAPS {
            assert!(!apart(&precompute(&Pose::IDENTITY, &scaled, overlap), &a, &b), "{overlap:?} 2^{e}");
            assert!(!apart(&precompute(&scaled, &Pose::IDENTITY, overlap), &b, &a), "{overlap:?} 2^{e}");
        }
    }
}

#[test]
fn a_node_of_one_child_has_one_link() {
    let points: Vec<[f64; 3]> = (0..60)
        .map(|i| {
            let t = f64::from(i) / 60.0;
            [t, t * t, t * t * t]
        })
        .collect();
    let mesh = impinge::Mesh::new(points, (0..58).map(|i| [i, i + 1, i + 2]).collect()).unwrap();
    for &split in Split::ALL {
        let settings = BuildSettings { split, fit: Fit::Auto, leaf_size: 2, arity: 2 };
        let tree = build::<Boxtree>(&mesh, &settings);
        tree.find_defect(&mesh).unwrap();
        let trimming = tree.nodes.iter().filter(|n| n.links[1] == Link::NONE).count();
        assert!(trimming > 0 && tree.nodes.iter().all(|n| n.links[0] != Link::NONE));
        for node in &tree.nodes {
            assert_eq!(node.child_bounds.has_one_child(), node.links[1] == Link::NONE);
        }
    }
}
