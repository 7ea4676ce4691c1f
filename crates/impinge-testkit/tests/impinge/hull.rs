//! Convex hulls, against signs in integers.
use impinge::{Mesh, Model, solid::Closedness};
use impinge_testkit::{cases::is_full, rng::Rng};

/// A point on a grid of 2^-20: its coordinates are integers of at most 2^25.
type Cell = [i64; 3];

const UNIT: f64 = 1.0 / (1 << 20) as f64;

fn point(cell: &Cell, scale: f64) -> [f64; 3] {
    cell.map(|x| x as f64 * UNIT * scale)
}

/// det(b - a, c - a, d - a), exactly: at most 3 times 26 bits and three more.
fn side([a, b, c, d]: [&Cell; 4]) -> i128 {
    let [u, v, w] = [b, c, d].map(|p| [0, 1, 2].map(|k| i128::from(p[k] - a[k])));
    let minor = |i: usize, j: usize| u[i] * v[j] - u[j] * v[i];
    minor(1, 2) * w[0] + minor(2, 0) * w[1] + minor(0, 1) * w[2]
}

/// Points of some family.
fn family(rng: &mut Rng, kind: u64, count: usize) -> Vec<Cell> {
    let whole = |x: f64| (x * (1 << 24) as f64) as i64;
    let mut one = |_| match kind {
        // Few coordinates: most points are on faces and edges.
        0 => [0; 3].map(|_| rng.int(-2, 2)),
        1 => [0; 3].map(|_| rng.int(-1 << 24, 1 << 24)),
        // Near a sphere, and on it but for rounding.
        2 => rng.direction().map(whole),
        // On the faces of a cube.
        3 => {
            let mut cell = [0; 3].map(|_| rng.int(-9, 9));
            cell[rng.below(3) as usize] = *rng.pick(&[-9, 9]);
            cell
        }
        // Points of a plane; below, points of a line, and near one.
        4 => {
            let [i, k] = [0; 2].map(|_| rng.int(-40, 40));
            [3 * i + k, k - i, 2 * i + 5 * k]
        }
        5 => [7, -3, 2].map(|x| x * rng.int(-20, 20)),
        6 => {
            let k = rng.int(-1 << 20, 1 << 20);
            [7 * k, -3 * k + rng.int(0, 1), 2 * k]
        }
        _ => [rng.int(-1 << 24, 1 << 24), rng.int(-1, 1), rng.int(-1, 1)],
    };
    (0..count).map(&mut one).collect()
}

/// Checks a hull by its definition: all points are behind all faces, the mesh is closed and convex at each
/// edge, vertices are points, and none is in the hull of the others.
#[test]
fn hulls_are_closed_convex_and_around_all_points() {
    let (mut rng, mut flat) = (Rng::new(561), 0);
    for round in 0..if is_full() { 20_000 } else { 1_500 } {
        let kind = round % 8;
        let most = if rng.one_in(20) { 300 } else { 24 };
        let count = 1 + rng.below(most) as usize;
        let mut cells = family(&mut rng, kind, count);
        // Other scales, where f64 alone decides less.
        let scale = *rng.pick(&[1.0, 1.0, 2_f64.powi(-600), 2_f64.powi(700)]);
        let points: Vec<_> = cells.iter().map(|cell| point(cell, scale)).collect();
        let hull = Mesh::hull(&points).unwrap();
        let cell_of = |p: &[f64; 3]| p.map(|x| (x / scale / UNIT) as i64);
        let vertices: Vec<Cell> = hull.points().iter().map(cell_of).collect();
        assert!(vertices.iter().all(|vertex| cells.contains(vertex)), "{cells:?}");
        // The same of any order of the points.
        rng.shuffle(&mut cells);
        let shuffled: Vec<_> = cells.iter().map(|cell| point(cell, scale)).collect();
        assert_eq!(Mesh::hull(&shuffled).unwrap(), hull, "{cells:?}");
        let status = Model::new(hull.clone()).solid().status();
        if status != Closedness::Closed {
            // Only points of one plane have no closed hull.
            let spans =
                |[a, b, c]: [usize; 3]| cells.iter().any(|d| side([&cells[a], &cells[b], &cells[c], d]) != 0);
            let n = cells.len().min(12);
            let all = (0..n).flat_map(|a| (0..n).flat_map(move |b| (0..n).map(move |c| [a, b, c])));
            assert!(!all.into_iter().any(spans), "{status:?} {cells:?}");
            flat += 1;
            check_flat(&vertices, &hull, &cells);
            continue;
        }
        assert_eq!(hull.len(), 2 * vertices.len() - 4, "{cells:?}");
        assert!(hull.is_convex(), "{cells:?}");
        assert!(!dented(&mut rng, &hull).is_convex(), "{cells:?}");
        for triangle in hull.triangles() {
            let [a, b, c] = triangle.map(|i| &vertices[i as usize]);
            assert!(cells.iter().all(|d| side([a, b, c, d]) <= 0), "{cells:?}");
            assert!(vertices.iter().any(|d| side([a, b, c, d]) < 0), "{cells:?}");
        }
        // A vertex is outside of the hull of the others.
        if vertices.len() > 4 && vertices.len() < 40 {
            let i = rng.below(vertices.len() as u64) as usize;
            let others: Vec<_> = (0..vertices.len()).filter(|&k| k != i).map(|k| hull.points()[k]).collect();
            let smaller = Mesh::hull(&others).unwrap();
            let corners = |t: &[u32; 3]| t.map(|k| cell_of(&smaller.points()[k as usize]));
            let is_outside = |t: &[u32; 3]| {
                let [a, b, c] = corners(t);
                let flat = vertices.iter().all(|d| side([&a, &b, &c, d]) == 0);
                flat || side([&a, &b, &c, &vertices[i]]) != 0
            };
            assert!(smaller.triangles().iter().any(is_outside), "{cells:?}");
            assert_eq!(smaller.points().len(), others.len(), "each of them is a vertex: {cells:?}");
        }
    }
    assert!(flat > 100, "{flat}");
}

/// A closed mesh with one more vertex that is inside of the hull, in place of a triangle.
fn dented(rng: &mut Rng, hull: &Mesh) -> Mesh {
    let (mut points, mut triangles) = (hull.points().to_vec(), hull.triangles().to_vec());
    let [a, b, c] = triangles.swap_remove(rng.below(triangles.len() as u64) as usize);
    let count = points.len() as f64;
    let sum = points.iter().fold([0.0; 3], |sum, p| [0, 1, 2].map(|k| sum[k] + p[k] / count));
    points.push(sum);
    let inner = points.len() as u32 - 1;
    triangles.extend([[a, b, inner], [b, c, inner], [c, a, inner]]);
    Mesh::new(points, triangles).unwrap()
}

/// Other triangles of the same solid are convex; open meshes, two solids and folded sheets are not.
#[test]
fn only_closed_convex_meshes_are_convex() {
    let cube = Mesh::cuboid([2.0; 3]).unwrap();
    // A point in the middle of a face, and one on an edge.
    let (mut points, mut triangles) = (cube.points().to_vec(), cube.triangles().to_vec());
    points.extend([[0.0, 0.5, -1.0], [0.5, -1.0, -1.0]]);
    let face = |t: &[u32; 3]| t.iter().all(|&i| points[i as usize][2] == -1.0);
    triangles.retain(|t| !face(t));
    let of = |x: f64, y: f64| points.iter().position(|p| *p == [x, y, -1.0]).unwrap() as u32;
    let ring = [of(-1.0, -1.0), of(-1.0, 1.0), of(1.0, 1.0), of(1.0, -1.0), of(0.5, -1.0)];
    triangles.extend((0..5).map(|k| [ring[k], ring[(k + 1) % 5], of(0.0, 0.5)]));
    let divided = Mesh::new(points.clone(), triangles.clone()).unwrap();
    assert!(divided.is_convex());
    let inwards = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    assert!(Mesh::new(points.clone(), inwards).unwrap().is_convex());
    triangles.pop();
    assert!(!Mesh::new(points, triangles).unwrap().is_convex());
    // Faces of a slanted prism, the other way round: in the hull's list other triangles are between theirs.
    let corners = [[2.0, 0.0], [0.0, 2.0], [-2.0, 0.0], [0.0, -2.0]];
    let slanted = [0.0, 1.0].iter().flat_map(|&z| corners.map(|[x, y]| [x, y - z, z])).collect();
    let sides = (0..4).flat_map(|i| {
        let next = (i + 1) % 4;
        [[i, next, next + 4], [i, next + 4, i + 4]]
    });
    let faces = sides.chain([[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7]]).collect();
    assert!(Mesh::new(slanted, faces).unwrap().is_convex());
    let beside: Vec<_> = cube.points().iter().map(|p| [p[0] + 5.0, p[1], p[2]]).collect();
    let both = [cube.points(), &beside].concat();
    let twice = cube.triangles().iter().flat_map(|t| [*t, t.map(|i| i + 8)]).collect();
    assert!(!Mesh::new(both, twice).unwrap().is_convex());
    let sheet = Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2], [0, 2, 1]]);
    assert!(!sheet.unwrap().is_convex() && !Mesh::default().is_convex());
}

/// The vertices of a flat hull are those of a polygon: each triple of consecutive ones turns the same way.
fn check_flat(vertices: &[Cell], hull: &Mesh, cells: &[Cell]) {
    let distinct = |cells: &[Cell]| {
        let mut cells = cells.to_vec();
        cells.sort_unstable();
        cells.dedup();
        cells.len()
    };
    match vertices.len() {
        1 => assert_eq!((distinct(cells), hull.triangles()), (1, &[[0; 3]][..])),
        2 => assert_eq!(hull.triangles(), [[0, 1, 1]]),
        n => {
            assert_eq!(hull.len(), n - 2);
            // Seen along some axis, the areas have one sign, and all points are on one side of each edge.
            // A fan: each triangle begins where the one before it ends.
            let all = hull.triangles();
            let first = all.iter().map(|t| t[1]).find(|i| all.iter().all(|t| t[2] != *i));
            let next = |i: &u32| all.iter().find(|t| t[1] == *i).map(|t| t[2]);
            let ring: Vec<u32> = [0].into_iter().chain(std::iter::successors(first, next)).collect();
            assert_eq!(ring.len(), n);
            let area = |axis: usize, p: &Cell, q: &Cell, r: &Cell| {
                let [i, k] = [(axis + 1) % 3, (axis + 2) % 3];
                i128::from(q[i] - p[i]) * i128::from(r[k] - p[k])
                    - i128::from(q[k] - p[k]) * i128::from(r[i] - p[i])
            };
            let is_convex = |axis: usize| {
                (0..n).all(|k| {
                    let [p, q, r] = [0, 1, 2].map(|j| &vertices[ring[(k + j) % n] as usize]);
                    area(axis, p, q, r) > 0 && cells.iter().all(|cell| area(axis, p, q, cell) >= 0)
                }) || (0..n).all(|k| {
                    let [p, q, r] = [0, 1, 2].map(|j| &vertices[ring[(k + j) % n] as usize]);
                    area(axis, p, q, r) < 0 && cells.iter().all(|cell| area(axis, p, q, cell) <= 0)
                })
            };
            assert!((0..3).any(is_convex), "{vertices:?}");
        }
    }
}

#[test]
fn degenerate_hulls_are_what_they_are() {
    assert!(Mesh::hull(&[]).unwrap().is_empty());
    let point = Mesh::hull(&[[1.0, -0.0, 3.0], [1.0, 0.0, 3.0]]).unwrap();
    assert_eq!((point.points(), point.triangles()), (&[[1.0, 0.0, 3.0]][..], &[[0; 3]][..]));
    let segment = Mesh::hull(&[[1.0; 3], [3.0; 3], [2.0; 3]]).unwrap();
    assert_eq!((segment.points(), segment.triangles()), (&[[1.0; 3], [3.0; 3]][..], &[[0, 1, 1]][..]));
    let square = Mesh::hull(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0]]);
    assert_eq!(square.unwrap().len(), 2);
    assert!(Mesh::hull(&[[f64::NAN, 0.0, 0.0]]).is_err());
    // Sizes to the ends of f64.
    let huge =
        [[f64::MAX; 3], [-f64::MAX; 3], [f64::MAX, -f64::MAX, 0.0], [0.0, f64::MAX, -f64::MAX], [1.0; 3]];
    assert_eq!(Mesh::hull(&huge).unwrap().points().len(), 4);
    let least = f64::from_bits(1);
    let tiny = [[0.0; 3], [least, 0.0, 0.0], [0.0, least, 0.0], [0.0, 0.0, least], [least; 3]];
    assert_eq!(Mesh::hull(&tiny).unwrap().points().len(), 5);
}
