//! The first contact of moving meshes, against all pairs of their features.
use impinge::{
    ErrorKind, Mesh,
    ccd::{FirstTime, MovingMesh, edge_edge, first_mesh_contact, first_self_contact, point_triangle},
};
use impinge_testkit::rng::Rng;
use std::collections::BTreeSet;

/// A mesh, and where its points come to.
struct Moving {
    mesh: Mesh,
    end: Vec<[f64; 3]>,
}

impl Moving {
    /// A random one, some of whose triangles have vertices in common. Some vertices rest.
    fn new(rng: &mut Rng, at: [f64; 3]) -> Self {
        let half = *rng.pick(&[2, 6, 1000]);
        let points: Vec<[f64; 3]> = (0..3 + rng.below(6))
            .map(|_| {
                let point = rng.grid_point(half);
                [0, 1, 2].map(|k| point[k] + at[k] * half as f64)
            })
            .collect();
        let count = points.len() as u64;
        let triangles = (0..1 + rng.below(5)).map(|_| [(); 3].map(|()| rng.below(count) as u32)).collect();
        let end = points
            .iter()
            .map(|point| {
                let by = if rng.one_in(3) { [0.0; 3] } else { rng.grid_point(half) };
                [0, 1, 2].map(|k| point[k] + by[k] - at[k] * half as f64)
            })
            .collect();
        Self { mesh: Mesh::new(points, triangles).unwrap(), end }
    }
    fn moving(&self) -> MovingMesh<'_> {
        MovingMesh::new(&self.mesh, &self.end).unwrap()
    }
    fn vertex(&self, index: u32) -> [[f64; 3]; 2] {
        [self.mesh.points()[index as usize], self.end[index as usize]]
    }
    fn edges(&self) -> BTreeSet<[u32; 2]> {
        let of = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        self.mesh.triangles().iter().flat_map(of).map(|[i, j]| [i.min(j), i.max(j)]).collect()
    }
    fn vertices(&self) -> BTreeSet<u32> {
        self.mesh.triangles().iter().flatten().copied().collect()
    }
}

/// The first time of all pairs of features, of two meshes or of one with itself.
fn first(a: &Moving, b: &Moving, is_same: bool) -> Option<FirstTime> {
    let mut times = Vec::new();
    let at = |of: &Moving, list: &[u32], time: usize| -> Vec<[f64; 3]> {
        list.iter().map(|index| of.vertex(*index)[time]).collect()
    };
    for (of, other) in [(a, b), (b, a)] {
        for p in of.vertices() {
            for t in other.mesh.triangles() {
                if !(is_same && t.contains(&p)) {
                    let corners = [0, 1].map(|time| at(other, t, time).try_into().unwrap());
                    times.extend(point_triangle(of.vertex(p), corners).unwrap());
                }
            }
        }
    }
    for e in a.edges() {
        for f in b.edges() {
            if !(is_same && e.iter().any(|vertex| f.contains(vertex))) {
                let [x, y] = [(a, e), (b, f)]
                    .map(|(of, edge)| [0, 1].map(|time| at(of, &edge, time).try_into().unwrap()));
                times.extend(edge_edge(x, y).unwrap());
            }
        }
    }
    times
        .into_iter()
        .min_by(|x, y| x.free_until.total_cmp(&y.free_until).then(x.meets_at.total_cmp(&y.meets_at)))
}

#[test]
fn first_contacts_are_those_of_all_features() {
    let mut kinds = [[0; 3]; 2];
    for index in 0..600 {
        let mut rng = Rng::for_case(66, index);
        let [a, b] = [0.0, 2.0].map(|x| Moving::new(&mut rng, [x, x / 2.0, 0.0]));
        let found = first_mesh_contact(&a.moving(), &b.moving());
        let own = first_self_contact(&a.moving());
        let expected = [first(&a, &b, false), first(&a, &a, true)];
        for (k, (found, expected)) in [found, own].into_iter().zip(expected).enumerate() {
            assert_eq!(found.map(|contact| contact.time), expected, "case {index}, {k}");
            kinds[k][expected.map_or(0, |time| if time.meets_at == 0.0 { 1 } else { 2 })] += 1;
        }
    }
    assert!(kinds.iter().all(|[none, _, later]| *none > 100 && *later > 50), "{kinds:?}");
}

/// Lists that do not fit, and places that are no points.
#[test]
fn bad_ends_are_refused() {
    let mesh = Mesh::cuboid([1.0; 3]).unwrap();
    let error = MovingMesh::new(&mesh, &mesh.points()[1..]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::WrongPointCount { points: 7, vertices: 8 }), "{error}");
    let mut end = mesh.points().to_vec();
    end[3][1] = f64::NAN;
    let error = MovingMesh::new(&mesh, &end).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::VertexNotFinite { vertex: 3, .. }), "{error}");
}

/// A cloth of 800 triangles falls onto a sphere: the time is that of the lowest vertices over the sphere.
#[test]
fn a_cloth_falls_onto_a_sphere() {
    let n = 21_u32;
    let at = |i: u32| f64::from(i) / 10.0 - 1.0;
    let points: Vec<[f64; 3]> = (0..n * n).map(|k| [at(k % n), at(k / n), 2.0]).collect();
    let squares = (0..(n - 1) * (n - 1)).map(|k| k / (n - 1) * n + k % (n - 1));
    let triangles = squares.flat_map(|k| [[k, k + 1, k + n], [k + 1, k + n + 1, k + n]]).collect();
    let cloth = Mesh::new(points, triangles).unwrap();
    // It sags in the middle while it falls.
    let end: Vec<[f64; 3]> =
        cloth.points().iter().map(|[x, y, z]| [*x, *y, z - 4.0 + x * x + y * y]).collect();
    let ball = Mesh::uv_sphere(1.0, 16, 24).unwrap();
    let cloth = MovingMesh::new(&cloth, &end).unwrap();
    let contact = first_mesh_contact(&MovingMesh::new(&ball, ball.points()).unwrap(), &cloth).unwrap();
    // The middle falls by 4 and is 1 above the top.
    assert_eq!(contact.time, FirstTime { free_until: 0.25, meets_at: 0.25 });
    assert_eq!(first_self_contact(&cloth), None);
}
