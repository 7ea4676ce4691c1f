//! Inputs that once gave wrong results, found by a reader of the proofs.
use impinge::{
    Body, Mesh, Model, Pose, Query,
    coverage::{CoverageOptions, ExcessOptions, Proxy},
};

fn cube(half: f64, first: u32) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let mesh = Mesh::cuboid([2.0 * half; 3]).unwrap();
    let triangles = mesh.triangles().iter().map(|t| t.map(|i| i + first)).collect();
    (mesh.points().to_vec(), triangles)
}

/// A body of one triangle counted as the half-space below it.
#[test]
fn a_flat_body_has_no_volume() {
    let flat = Mesh::new(vec![[0., 0., 0.], [1., 0., 0.], [0., 1., 1.]], vec![[0, 1, 2]]).unwrap();
    let flat = Model::new(flat);
    let proxy = Proxy::new().with(Body::new(&flat, Pose::IDENTITY));
    let [lo, hi] = Query::new().proxy_volume(&proxy, &ExcessOptions::new().most_cells(2000));
    assert!(lo == 0.0 && hi < 0.5, "{lo} {hi}");
}

/// Relations leave out triangles without an area: a part with one in the notch of an L was covered.
#[test]
fn a_segment_of_the_part_counts() {
    let outline = [[0., 0.], [4., 0.], [4., 2.], [2., 2.], [2., 4.], [0., 4.]];
    let points: Vec<[f64; 3]> = [0., 1.].iter().flat_map(|z| outline.map(|[x, y]| [x, y, *z])).collect();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for [a, b, c] in [[0, 1, 3], [1, 2, 3], [0, 3, 5], [3, 4, 5]] {
        triangles.push([a, c, b]);
        triangles.push([a + 6, b + 6, c + 6]);
    }
    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.extend([[i, j, j + 6], [i, j + 6, i + 6]]);
    }
    let notched = Model::new(Mesh::new(points, triangles).unwrap());
    let (mut points, mut triangles) = cube(0.25, 0);
    points.iter_mut().for_each(|p| *p = [p[0] + 1.0, p[1] + 1.0, p[2] + 0.5]);
    let whole = Model::new(Mesh::new(points.clone(), triangles.clone()).unwrap());
    let first = points.len() as u32;
    points.extend([[3., 3., 0.5], [3.5, 3.5, 0.5]]);
    triangles.push([first, first + 1, first + 1]);
    let with_segment = Model::new(Mesh::new(points, triangles).unwrap());
    let proxy = Proxy::new().with(Body::new(&notched, Pose::IDENTITY));
    let cover = |part: &Model| {
        Query::new().coverage(&Body::new(part, Pose::IDENTITY), &proxy, &CoverageOptions::new())
    };
    assert_eq!(cover(&whole).covered, Some(true));
    let found = cover(&with_segment);
    assert!(found.covered == Some(false) && found.depth[1] >= 1.5, "{found:?}");
}

/// Inside a mesh with an inner shell the nearest triangle is not the boundary.
#[test]
fn inner_shells_are_no_boundary() {
    let (mut points, mut triangles) = cube(5.0, 0);
    let inner = cube(1.0, points.len() as u32);
    points.extend(inner.0);
    triangles.extend(inner.1);
    let shells = Model::new(Mesh::new(points, triangles).unwrap());
    let proxy = Proxy::new().with(Body::new(&shells, Pose::IDENTITY));
    let part = Model::points(&[[1.01, 0.0, 0.0]]).unwrap();
    let options = CoverageOptions::new().margin(0.1).unwrap().most_pieces(10_000);
    let found = Query::new().coverage(&Body::new(&part, Pose::IDENTITY), &proxy, &options);
    assert_ne!(found.covered, Some(false), "{found:?}");
    let mut depths = Vec::new();
    Query::new().point_depths(&proxy, &[[1.01, 0.0, 0.0]], &mut depths);
    assert!(depths[0][0] <= -3.99 && -3.99 <= depths[0][1], "{depths:?}");
}

/// Products of large and of small lengths overflow and vanish.
#[test]
fn cylinders_out_of_range_prove_nothing() {
    let cover = |end: f64, radius: f64, at: [f64; 3]| {
        let part = Model::points(&[at]).unwrap();
        let proxy = Proxy::new().with_cylinder([[0.0; 3], [0.0, 0.0, end]], radius).unwrap();
        Query::new().coverage(&Body::new(&part, Pose::IDENTITY), &proxy, &CoverageOptions::new()).covered
    };
    assert_ne!(cover(1e90, 1e90, [5e89, 0.0, 5e89]), Some(false));
    assert_ne!(cover(1e-90, 1e-80, [1e-75, 0.0, 5e-91]), Some(true));
}

/// A point has no size, so that no piece of it is below a tolerance.
#[test]
fn a_point_ends_at_once() {
    let part = Model::points(&[[0.0; 3]]).unwrap();
    let segment = Model::segment([0.0; 3], [0.0, 0.0, 1.0]).unwrap();
    let proxy = Proxy::new().with(Body::new(&segment, Pose::IDENTITY).rounded(1.0).unwrap());
    let options = CoverageOptions::new().margin(1.0).unwrap();
    let found = Query::new().coverage(&Body::new(&part, Pose::IDENTITY), &proxy, &options);
    assert!(found.covered != Some(false) && found.pieces < 1000, "{found:?}");
}
