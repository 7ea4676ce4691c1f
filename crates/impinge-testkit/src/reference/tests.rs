use super::*;
use crate::polycubes::{Roughness, Style, pair_of};
use crate::rng::Rng;

type Corners = Vec<[[f64; 3]; 3]>;

fn mesh(triangles: &Corners) -> Mesh {
    let points = triangles.iter().flatten().copied().collect();
    Mesh::new(points, (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap()
}

fn cuboid(lo: [f64; 3], hi: [f64; 3]) -> Corners {
    let at = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { lo[k] } else { hi[k] });
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    quads.iter().map(|q| q.map(at)).flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect()
}

fn quad(corners: [[f64; 3]; 4]) -> Corners {
    let [a, b, c, d] = corners;
    vec![[a, b, c], [a, c, d]]
}

fn reference(a: &Corners, b: &Corners) -> Reference {
    let [a, b] = [mesh(a), mesh(b)];
    Reference::new([(&a, &Pose::IDENTITY), (&b, &Pose::IDENTITY)], FillRule::NonZero).unwrap()
}

fn volume(of: &Reference) -> Ratio<BigInt> {
    of.overlap_volume()
}

fn whole(n: i64) -> Ratio<BigInt> {
    Ratio::from_integer(BigInt::from(n))
}

#[test]
fn boxes_by_hand() {
    let a = cuboid([0.0; 3], [4.0; 3]);
    for (lo, hi, kind, touching, common) in [
        ([5.0; 3], [6.0; 3], RelationKind::Apart, false, 0),
        ([4.0; 3], [6.0; 3], RelationKind::Touch, true, 0),
        ([1.0; 3], [2.0; 3], RelationKind::Contains, false, 1),
        ([-1.0; 3], [5.0; 3], RelationKind::Inside, false, 64),
        ([0.0; 3], [4.0; 3], RelationKind::Duplicate, true, 64),
        ([1.0, 1.0, -1.0], [2.0, 3.0, 5.0], RelationKind::Overlap, true, 8),
        ([0.0; 3], [4.0, 4.0, 2.0], RelationKind::Contains, true, 32),
    ] {
        let found = reference(&a, &cuboid(lo, hi));
        assert_eq!(
            (found.kind, found.touching, found.status),
            (kind, touching, [Closedness::Closed; 2]),
            "{lo:?}"
        );
        assert_eq!(volume(&found), whole(common), "{lo:?}");
    }
    // A tetrahedron, half of its height in the box.
    let [o, x, y, z] = [[1.0, 1.0, 2.0], [3.0, 1.0, 2.0], [1.0, 3.0, 2.0], [1.0, 1.0, 6.0]];
    let found = reference(&a, &vec![[o, y, x], [o, x, z], [x, y, z], [y, o, z]]);
    assert_eq!((found.kind, found.touching), (RelationKind::Overlap, true));
    assert_eq!(volume(&found), Ratio::new(BigInt::from(7), BigInt::from(3)));
}

/// Sheets through a cube and inside it: one-sided, doubled with equal and with other diagonals.
#[test]
fn sheets_are_the_same_whatever_their_back_is() {
    let cube = cuboid([0.0; 3], [4.0; 3]);
    for (lo, hi, kind) in [
        (-1.0, 5.0, RelationKind::Pierce),
        (1.0, 3.0, RelationKind::SurfaceInside),
        (0.0, 4.0, RelationKind::SurfaceInside),
    ] {
        let [a, b, c, d] = [[lo, lo, 2.0], [hi, lo, 2.0], [hi, hi, 2.0], [lo, hi, 2.0]];
        let one = quad([a, b, c, d]);
        let equal = [one.clone(), quad([a, d, c, b])].concat();
        let other = [one.clone(), quad([d, c, b, a])].concat();
        for (sheet, status) in
            [(one, Closedness::Open), (equal, Closedness::NoInterior), (other, Closedness::NoInterior)]
        {
            let found = reference(&cube, &sheet);
            assert_eq!((found.kind, found.status[1]), (kind, status), "{lo} {sheet:?}");
            assert_eq!(reference(&sheet, &cube).kind, kind);
        }
    }
    // A sheet on the cube's face touches it.
    let on = quad([[0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 4.0, 4.0], [0.0, 4.0, 4.0]]);
    assert_eq!(reference(&cube, &on).kind, RelationKind::Touch);
    // Triangles without area only touch.
    let through = vec![[[2.0, 2.0, -1.0], [2.0, 2.0, 9.0], [2.0, 2.0, 1.0]]];
    assert_eq!(reference(&cube, &through).kind, RelationKind::Touch);
    assert_eq!(reference(&cube, &vec![[[2.0; 3]; 3]]).kind, RelationKind::Apart);
    assert_eq!(reference(&through, &on).kind, RelationKind::Meet);
}

#[test]
fn fins_are_parts_of_bodies() {
    let doubled = |corners: [[f64; 3]; 4]| {
        let [a, b, c, d] = corners;
        [quad([a, b, c, d]), quad([d, c, b, a])].concat()
    };
    let flag = |x: f64, y: f64| doubled([[x, 0.0, 1.0], [y, 0.0, 1.0], [y, 0.0, 3.0], [x, 0.0, 3.0]]);
    let cube = cuboid([0.0, -2.0, 0.0], [4.0, 2.0, 4.0]);
    let with = |fin: Corners| [cube.clone(), fin].concat();
    let other = cuboid([6.0, -2.0, 0.0], [9.0, 2.0, 4.0]);
    for (a, b, kind) in [
        (with(flag(4.0, 5.0)), other.clone(), RelationKind::Apart),
        (with(flag(4.0, 6.0)), other.clone(), RelationKind::Touch),
        (with(flag(4.0, 7.0)), other.clone(), RelationKind::Pierce),
        (with(flag(4.0, 7.0)), [other, flag(5.0, 6.0)].concat(), RelationKind::Pierce),
        (with(flag(4.0, 5.0)), cube.clone(), RelationKind::Contains),
        (with(flag(1.0, 3.0)), cube.clone(), RelationKind::Duplicate),
        (with(flag(4.0, 5.0)), with(flag(3.0, 5.0)), RelationKind::Duplicate),
        (with(flag(4.0, 6.0)), with(flag(4.0, 5.0)), RelationKind::Contains),
        (with(flag(4.0, 5.0)), with([flag(4.0, 4.5), flag(4.5, 5.0)].concat()), RelationKind::Duplicate),
        (with(flag(4.0, 5.0)), with(flag(-1.0, 0.0)), RelationKind::Overlap),
        (with(flag(4.0, 5.0)), cuboid([-1.0; 3], [9.0; 3]), RelationKind::Overlap),
        (with(flag(4.0, 5.0)), cuboid([-2.0; 3], [9.0; 3]), RelationKind::Inside),
    ] {
        assert_eq!(reference(&a, &b).kind, kind, "{:?} {b:?}", &a[12..]);
    }
}

/// The cells of polycubes give their relations.
#[test]
fn polycubes() {
    for index in 0..60 {
        let mut rng = Rng::for_case(23, index);
        let (cubes, _) =
            pair_of(&mut rng, Some(if index % 2 == 0 { Roughness::Boxes } else { Roughness::Plain }));
        if cubes.iter().any(|cube| cube.labels.iter().all(|&w| w == 0)) {
            continue;
        }
        let styles = [(); 2].map(|()| Style {
            cells: rng.one_in(2),
            split: *rng.pick(&[0, 3]),
            flip: *rng.pick(&[0, 1, 4]),
            posed: rng.one_in(3),
            open: false,
        });
        let placed = [0, 1].map(|i| cubes[i].mesh(&mut rng, styles[i]));
        let found =
            Reference::new(placed.each_ref().map(|(mesh, pose)| (mesh, pose)), FillRule::NonZero).unwrap();
        if !found.status.iter().all(|status| status.is_closed()) {
            continue;
        }
        let [both, only_a, only_b] = cubes[0].cells(&cubes[1], found.rules);
        let want = match (both, only_a, only_b) {
            (false, ..) => {
                if found.touching {
                    RelationKind::Touch
                } else {
                    RelationKind::Apart
                }
            }
            (true, true, true) => RelationKind::Overlap,
            (true, false, true) => RelationKind::Inside,
            (true, true, false) => RelationKind::Contains,
            (true, false, false) => RelationKind::Duplicate,
        };
        assert_eq!(found.kind, want, "case {index}: {cubes:?} {styles:?}");
    }
}
