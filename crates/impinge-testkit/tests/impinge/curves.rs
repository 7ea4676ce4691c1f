//! Intersection curves: known figures, and comparisons with brute force, integers and rationals.
mod bounds;
mod oracle;
mod self_meeting;
mod twin;

use impinge::{
    Body, Mesh, Model, Pose, Query,
    curves::{Curves, Feature, Line, LineKind},
};
use impinge_testkit::meshes;

type Point = [f64; 3];

fn model(mesh: Mesh) -> Model {
    Model::new(mesh)
}

fn shift(t: Point) -> Pose {
    Pose::from_translation(t).unwrap()
}

/// The box between two corners.
fn cuboid(lo: Point, hi: Point) -> Mesh {
    let middle: Point = [0, 1, 2].map(|k| (lo[k] + hi[k]) / 2.0);
    meshes::translated(&meshes::cuboid([0, 1, 2].map(|k| (hi[k] - lo[k]) / 2.0)), middle)
}

fn mesh(points: &[Point], triangles: &[[u32; 3]]) -> Mesh {
    Mesh::new(points.to_vec(), triangles.to_vec()).unwrap()
}

fn of(a: &Mesh, b: &Mesh) -> Curves {
    at(a, &Pose::IDENTITY, b, &Pose::IDENTITY)
}

fn at(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose) -> Curves {
    let (a, b) = (model(a.clone()), model(b.clone()));
    Query::new().curves(&Body::new(&a, *pose_a), &Body::new(&b, *pose_b)).clone()
}

fn points(curves: &Curves, line: &Line<'_>) -> Vec<Point> {
    line.nodes.iter().map(|&i| curves.nodes()[i as usize].point).collect()
}

/// Numbers of lines, closed lines, patches and points.
fn counts(curves: &Curves) -> [usize; 4] {
    let closed = curves.lines().filter(|line| line.closed).count();
    [curves.lines().len(), closed, curves.patches().len(), curves.points().len()]
}

fn holds([lo, hi]: [f64; 2], x: f64, width: f64) -> bool {
    lo <= x && x <= hi && hi - lo <= width
}

#[test]
fn crossing_boxes_have_one_closed_line() {
    let curves = of(&cuboid([0.0; 3], [4.0; 3]), &cuboid([1.0; 3], [6.0; 3]));
    assert_eq!(counts(&curves), [1, 1, 0, 0]);
    let line = curves.lines().next().unwrap();
    assert_eq!(line.kind, LineKind::Crossing);
    // Six sides of length 3.
    assert_eq!(line.length, [18.0; 2]);
    assert_eq!(line.bounds, [[1.0; 3], [4.0; 3]]);
    assert!(points(&curves, &line).iter().flatten().all(|x| x.fract() == 0.0));
    assert!(!curves.self_crossing());
}

#[test]
fn abutting_boxes_have_one_patch() {
    let curves = of(&cuboid([0.0; 3], [4.0; 3]), &cuboid([4.0, 1.0, 1.0], [6.0, 3.0, 7.0]));
    assert_eq!(counts(&curves), [0, 0, 1, 0]);
    let patch = curves.patches().next().unwrap();
    assert_eq!((patch.area(), patch.normal()), ([6.0; 2], [1.0, 0.0, 0.0]));
    let border: Vec<_> = patch.border().collect();
    assert_eq!(border.len(), 1);
    assert!(border[0].closed && border[0].kind == LineKind::Edge);
    assert_eq!((border[0].length, border[0].bounds), ([10.0; 2], [[4.0, 1.0, 1.0], [4.0, 3.0, 4.0]]));
    assert_eq!(curves.area(), [6.0; 2]);
}

#[test]
fn equal_boxes_have_a_patch_for_each_face() {
    let cube = cuboid([-1.0; 3], [2.0; 3]);
    let curves = of(&cube, &cube);
    assert_eq!(counts(&curves), [0, 0, 6, 0]);
    for patch in curves.patches() {
        assert_eq!(patch.area(), [9.0; 2]);
        assert_eq!(
            patch.border().map(|line| (line.length, line.nodes.len())).collect::<Vec<_>>(),
            [([12.0; 2], 4)]
        );
    }
    assert_eq!(curves.nodes().len(), 8);
}

#[test]
fn a_frame_on_a_plate_leaves_a_hole_in_the_patch() {
    // Four bars of a frame, that touch each other, as one mesh with inner walls.
    let bars = [
        cuboid([0.0, 0.0, 0.0], [6.0, 1.0, 1.0]),
        cuboid([0.0, 5.0, 0.0], [6.0, 6.0, 1.0]),
        cuboid([0.0, 1.0, 0.0], [1.0, 5.0, 1.0]),
        cuboid([5.0, 1.0, 0.0], [6.0, 5.0, 1.0]),
    ];
    let frame = meshes::merged(&bars.each_ref());
    let curves = of(&frame, &cuboid([-1.0, -1.0, -1.0], [7.0, 7.0, 0.0]));
    assert_eq!(counts(&curves), [0, 0, 1, 0]);
    let patch = curves.patches().next().unwrap();
    assert_eq!(patch.area(), [20.0; 2]);
    let mut lengths: Vec<_> = patch.border().map(|line| line.length).collect();
    lengths.sort_by(|a, b| a[0].total_cmp(&b[0]));
    assert_eq!(lengths, [[16.0; 2], [24.0; 2]]);
    assert!(curves.self_crossing());
}

#[test]
fn a_box_that_rests_on_an_edge_has_a_line_along_it() {
    // A roof, upside down, on the top of a box.
    let roof = mesh(
        &[
            [1.0, 1.0, 4.0],
            [1.0, 3.0, 4.0],
            [0.0, 1.0, 5.0],
            [0.0, 3.0, 5.0],
            [2.0, 1.0, 5.0],
            [2.0, 3.0, 5.0],
        ],
        &[[0, 2, 1], [1, 2, 3], [0, 1, 4], [1, 5, 4], [2, 4, 3], [3, 4, 5], [0, 4, 2], [1, 3, 5]],
    );
    let curves = of(&roof, &cuboid([0.0; 3], [4.0; 3]));
    assert_eq!(counts(&curves), [1, 0, 0, 0]);
    let line = curves.lines().next().unwrap();
    assert_eq!((line.kind, line.length, line.closed), (LineKind::Edge, [2.0; 2], false));
    let line = points(&curves, &line);
    assert_eq!([line[0], line[line.len() - 1]], [[1.0, 1.0, 4.0], [1.0, 3.0, 4.0]]);
    assert_eq!(curves.nodes()[0].features[0], Feature::Vertex(0));
}

#[test]
fn a_corner_on_a_face_is_a_point() {
    let tip = mesh(
        &[[1.0, 1.0, 4.0], [0.0, 0.0, 6.0], [2.0, 0.0, 6.0], [1.0, 2.0, 6.0]],
        &[[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]],
    );
    let curves = of(&tip, &cuboid([0.0; 3], [4.0; 3]));
    assert_eq!(counts(&curves), [0, 0, 0, 1]);
    let node = curves.nodes()[0];
    assert_eq!((node.point, curves.length()), ([1.0, 1.0, 4.0], [0.0; 2]));
    assert_eq!(node.features[0], Feature::Vertex(0));
}

#[test]
fn nested_bodies_have_nothing_in_common() {
    let curves = of(&cuboid([0.0; 3], [4.0; 3]), &cuboid([1.0; 3], [2.0; 3]));
    assert!(curves.is_empty() && counts(&curves) == [0; 4]);
}

/// A square in the plane z = 0, of many triangles.
fn plane(size: f64, n: u32) -> Mesh {
    let at = |i: u32| (f64::from(i) / f64::from(n) * 2.0 - 1.0) * size;
    let points: Vec<Point> = (0..=n).flat_map(|i| (0..=n).map(move |j| [at(i), at(j), 0.0])).collect();
    let corner = |i: u32, j: u32| i * (n + 1) + j;
    let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let triangles: Vec<[u32; 3]> = cells
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    mesh(&points, &triangles)
}

#[test]
fn a_sphere_and_a_plane_have_a_circle() {
    for (t, n) in [(0.0, 1), (0.25, 3), (-0.3, 7)] {
        let curves = at(&meshes::icosphere(4), &shift([0.013, 0.002, t]), &plane(3.0, n), &Pose::IDENTITY);
        assert_eq!(counts(&curves), [1, 1, 0, 0], "{t}");
        let circle = 2.0 * std::f64::consts::PI * (1.0 - t * t).sqrt();
        let [lo, hi] = curves.length();
        assert!(hi - lo < 1e-12 && (0.995 * circle..circle).contains(&lo), "{t}: {lo} {circle}");
    }
}

#[test]
fn two_spheres_have_a_circle() {
    let sphere = meshes::icosphere(4);
    let curves = at(&sphere, &Pose::IDENTITY, &sphere, &shift([1.0, 0.1, 0.02]));
    assert_eq!(counts(&curves), [1, 1, 0, 0]);
    let d: f64 = 1.0 + 0.01 + 0.0004;
    let circle = 2.0 * std::f64::consts::PI * (1.0 - d / 4.0).sqrt();
    let [lo, hi] = curves.length();
    assert!(hi - lo < 1e-12 && (0.98 * circle..circle * 1.01).contains(&lo), "{lo} {circle}");
}

#[test]
fn a_plane_through_a_ring_has_two_circles() {
    // Across: two small ones. Along: an inner and an outer one.
    let torus = meshes::torus(48, 24, 0.25);
    let across =
        Pose::affine([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]], [0.0, 0.01, 0.0]).unwrap();
    for pose in [across, shift([0.0, 0.0, 0.01])] {
        let curves = at(&torus, &Pose::IDENTITY, &plane(3.0, 1), &pose);
        assert_eq!(counts(&curves), [2, 2, 0, 0]);
    }
}

#[test]
fn it_does_not_matter_which_way_faces_are_cut() {
    // Other diagonals, separate corners, equal triangles twice, and degenerate triangles in an edge.
    let cube = cuboid([1.0; 3], [6.0; 3]);
    let other = Mesh::new(
        cube.points().to_vec(),
        cube.triangles()
            .chunks(2)
            .flat_map(|t| {
                let ([a, b, c], d) = (t[0], t[1][2]);
                [[b, c, d], [b, d, a]]
            })
            .collect(),
    )
    .unwrap();
    let soup: Vec<Point> = (0..12).flat_map(|i| cube.corners(i)).collect();
    let soup = mesh(&soup, &(0..12).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect::<Vec<_>>());
    let twice = meshes::merged(&[&cube, &cube]);
    let [a, b, _] = cube.triangles()[0];
    let mut more = cube.triangles().to_vec();
    more.extend([[a, b, b], [a, a, a]]);
    let degenerate = Mesh::new(cube.points().to_vec(), more).unwrap();
    let against = cuboid([0.0; 3], [4.0; 3]);
    let abutting = cuboid([6.0, 2.0, 2.0], [7.0, 9.0, 3.0]);
    for (name, mesh) in [("other", other), ("soup", soup), ("twice", twice), ("degenerate", degenerate)] {
        let curves = of(&mesh, &against);
        assert_eq!(counts(&curves), [1, 1, 0, 0], "{name}");
        let line = curves.lines().next().unwrap();
        assert_eq!((line.length, line.bounds), ([18.0; 2], [[1.0; 3], [4.0; 3]]), "{name}");
        let curves = of(&mesh, &abutting);
        assert_eq!(counts(&curves), [0, 0, 1, 0], "{name}");
        // Crossings of diagonals are rounded.
        assert!(holds(curves.area(), 4.0, 1e-12), "{name}: {:?}", curves.area());
        assert_eq!(curves.self_crossing(), name == "twice", "{name}");
        let border: Vec<_> = curves.patches().next().unwrap().border().map(|line| line.length).collect();
        assert!(border.len() == 1 && holds(border[0], 10.0, 1e-12), "{name}: {border:?}");
    }
}

#[test]
fn t_junctions_do_no_harm() {
    // One triangle of the top is cut at the middle of its long side, its neighbour is not.
    let cube = cuboid([0.0; 3], [4.0; 3]);
    let mut cut = None;
    for i in 0..12 {
        let t = cube.triangles()[i];
        for k in 0..3 {
            let [p, q] = [t[k], t[(k + 1) % 3]].map(|v| cube.points()[v as usize]);
            if p[2] == 4.0 && q[2] == 4.0 && p[0] != q[0] && p[1] != q[1] {
                cut.get_or_insert((i, k));
            }
        }
    }
    let (i, k) = cut.unwrap();
    let (mut points, mut triangles) = (cube.points().to_vec(), cube.triangles().to_vec());
    let [a, b, c] = [0, 1, 2].map(|j| triangles[i][(k + j) % 3]);
    points.push([2.0, 2.0, 4.0]);
    triangles[i] = [a, 8, c];
    triangles.push([8, b, c]);
    let cut = Mesh::new(points.clone(), triangles.clone()).unwrap();
    // The mesh with a sliver in the gap.
    triangles.push([a, b, 8]);
    let filled = Mesh::new(points, triangles).unwrap();
    for mesh in [cut, filled] {
        // A plate on top, and a wall that runs along the diagonal, with ends inside of it.
        let curves = of(&mesh, &cuboid([1.0, 1.0, 4.0], [3.0, 3.0, 5.0]));
        assert_eq!((counts(&curves), curves.area()), ([0, 0, 1, 0], [4.0; 2]));
        let [p, q] = [1.0, 3.0].map(|s| {
            [0, 1, 2].map(|k| {
                let (p, q) = (mesh.points()[a as usize][k], mesh.points()[b as usize][k]);
                p + (q - p) * s / 4.0
            })
        });
        let up = |p: Point| [p[0], p[1], 6.0];
        let wall = Mesh::new(vec![p, q, up(p), up(q)], vec![[0, 1, 2], [1, 3, 2]]).unwrap();
        let curves = of(&mesh, &wall);
        assert_eq!(counts(&curves), [1, 0, 0, 0]);
        assert!(holds(curves.length(), 8.0_f64.sqrt(), 1e-14), "{:?}", curves.length());
        assert!(curves.self_crossing());
    }
}

#[test]
fn degenerate_triangles_are_segments_and_points() {
    let needle = mesh(
        &[[1.0, 1.0, -1.0], [1.0, 1.0, 2.0], [1.0, 1.0, 9.0], [4.0, 2.0, 2.0]],
        &[[0, 1, 2], [2, 1, 0], [3, 3, 3]],
    );
    let curves = of(&needle, &cuboid([0.0; 3], [4.0; 3]));
    assert_eq!(counts(&curves), [0, 0, 0, 3]);
    let places: Vec<Point> = curves.nodes().iter().map(|node| node.point).collect();
    assert_eq!(places, [[1.0, 1.0, 0.0], [1.0, 1.0, 4.0], [4.0, 2.0, 2.0]]);
    // In a face: a segment, cut where the middle corner is.
    let lying = mesh(&[[3.0, 1.0, 4.0], [1.0, 1.0, 4.0], [6.0, 1.0, 4.0]], &[[0, 1, 2]]);
    let curves = of(&lying, &cuboid([0.0; 3], [4.0; 3]));
    assert_eq!((counts(&curves), curves.length()), ([1, 0, 0, 0], [3.0; 2]));
    assert!(curves.nodes().iter().any(|node| node.features[0] == Feature::Vertex(0)));
    let both = of(&lying, &lying);
    assert_eq!((counts(&both), both.length(), both.nodes().len()), ([1, 0, 0, 0], [5.0; 2], 3));
}

/// An edge is cut at the third corner of a degenerate triangle that has both its ends, though the two
/// triangles meet only in the span of their common corners.
#[test]
fn a_degenerate_triangle_in_an_edge_cuts_it() {
    let wall = mesh(&[[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]], &[[0, 1, 2]]);
    let points = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 2.0], [1.0, 5.0, 1.0], [0.0, 0.0, 0.5]];
    for triangles in [&[[0, 2, 3], [0, 1, 2]][..], &[[2, 0, 1], [0, 4, 1]], &[[4, 0, 2], [0, 1, 2]]] {
        let curves = of(&mesh(&points, triangles), &wall);
        let nodes = points
            .iter()
            .zip(0..)
            .filter(|(p, i)| p[1] == 0.0 && triangles.iter().any(|t: &[u32; 3]| t.contains(i)));
        assert_eq!((counts(&curves), curves.length()), ([1, 0, 0, 0], [2.0; 2]), "{triangles:?}");
        assert_eq!(curves.nodes().len(), nodes.count(), "{triangles:?}");
    }
}

#[test]
fn far_from_the_origin_nothing_changes() {
    let sphere = meshes::icosphere(3);
    let near = at(&sphere, &Pose::IDENTITY, &sphere, &shift([1.0, 0.25, 0.125]));
    let far = 1048576.0;
    let curves = at(&sphere, &shift([far; 3]), &sphere, &shift([far + 1.0, far + 0.25, far + 0.125]));
    assert_eq!(counts(&near), counts(&curves));
    assert_eq!(near.nodes().len(), curves.nodes().len());
    for (p, q) in near.nodes().iter().zip(curves.nodes()) {
        assert_eq!(p.features, q.features);
        // The test's sum is rounded, too.
        let off = |k: usize| (p.point[k] + far - q.point[k]).abs();
        assert!((0..3).all(|k| off(k) <= 2.0_f64.powi(-33)));
    }
    assert!(holds(curves.length(), near.length()[0], 1e-6));
}
