//! Points of parts, whose distance from the proxy is computed by other formulas.
use impinge::{
    Body, Mesh, Model, Pose, Query,
    coverage::{CoverageOptions, Proxy},
};
use impinge_testkit::{cases::is_full, meshes, rng::Rng};

type Vector = [f64; 3];

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// A ball, a capsule or a hull with a radius.
#[derive(Clone)]
enum Shape {
    Ball(Vector, f64),
    Capsule(Vector, Vector, f64),
    Hull(Vec<[Vector; 3]>, f64),
}

impl Shape {
    /// The distance of a point.
    fn distance(&self, x: Vector) -> f64 {
        match self {
            Self::Ball(c, r) => (length(sub(x, *c)) - r).max(0.0),
            Self::Capsule(p, q, r) => (to_segment(x, *p, *q) - r).max(0.0),
            Self::Hull(faces, r) => {
                let normal = |[a, b, c]: &[Vector; 3]| {
                    let (u, v) = (sub(*b, *a), sub(*c, *a));
                    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
                };
                if faces.iter().all(|face| dot(normal(face), sub(x, face[0])) <= 0.0) {
                    return 0.0;
                }
                let far = faces.iter().map(|face| to_triangle(x, face, normal(face)));
                (far.fold(f64::INFINITY, f64::min) - r).max(0.0)
            }
        }
    }
}

fn to_segment(x: Vector, p: Vector, q: Vector) -> f64 {
    let way = sub(q, p);
    let t = (dot(sub(x, p), way) / dot(way, way)).clamp(0.0, 1.0);
    let t = if t.is_nan() { 0.0 } else { t };
    length(sub(x, [0, 1, 2].map(|k| p[k] + t * way[k])))
}

fn to_triangle(x: Vector, &[a, b, c]: &[Vector; 3], n: Vector) -> f64 {
    // Above the triangle if it is on the inner side of each edge.
    let inner = |p: Vector, q: Vector| {
        let (u, v) = (sub(q, p), sub(x, p));
        dot(n, [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]) >= 0.0
    };
    if inner(a, b) && inner(b, c) && inner(c, a) {
        return dot(n, sub(x, a)).abs() / length(n);
    }
    to_segment(x, a, b).min(to_segment(x, b, c)).min(to_segment(x, c, a))
}

/// A random pose.
fn pose(rng: &mut Rng) -> Pose {
    match rng.below(3) {
        0 => Pose::IDENTITY,
        1 => Pose::from_translation(rng.point(2.0)).unwrap(),
        _ => Pose::from_axis_angle(rng.direction(), rng.between(-3.0, 3.0), rng.point(2.0)).unwrap(),
    }
}

struct Case {
    part: Model,
    at: Pose,
    shapes: Vec<Shape>,
}

fn case(rng: &mut Rng) -> Case {
    let part = match rng.below(5) {
        0 => meshes::icosphere(1 + rng.below(2) as u32),
        1 => meshes::torus(12, 8, 0.3),
        2 => meshes::soup(rng.below(1000), 1 + rng.below(20) as usize, 0.5),
        3 => meshes::sheet(rng.below(1000), 4, 0.3),
        _ => meshes::cuboid([1.0, rng.between(0.1, 1.0), rng.between(0.001, 1.0)]),
    };
    let at = pose(rng);
    // Elements about corners of the part, so that many cover it.
    let count = 1 + rng.below(12);
    let reach = rng.between(0.3, 2.0);
    let shapes = (0..count).map(|_| {
        let points = part.points();
        let mut near = || {
            let v = points[rng.below(points.len() as u64) as usize];
            let shift = rng.point(0.3);
            at.place([0, 1, 2].map(|k| 0.7 * v[k] + shift[k]))
        };
        let (p, q) = (near(), near());
        let hull: Vec<Vector> = (0..8).map(|_| near()).collect();
        let radius = reach * rng.between(0.3, 1.0);
        match rng.below(4) {
            0 | 1 => Shape::Ball(p, radius),
            2 => Shape::Capsule(p, q, radius),
            _ => {
                let hull = Mesh::hull(&hull).unwrap();
                let faces = (0..hull.len() as u32).map(|t| hull.corners(t)).collect();
                Shape::Hull(faces, [0.0, 0.5 * radius][rng.below(2) as usize])
            }
        }
    });
    Case { shapes: shapes.collect(), part: Model::new(part), at }
}

/// Models of the shapes that are no balls.
fn models(shapes: &[Shape]) -> Vec<Option<Model>> {
    let model = |shape: &Shape| match shape {
        Shape::Ball(..) => None,
        Shape::Capsule(p, q, _) => Some(Model::segment(*p, *q).unwrap()),
        Shape::Hull(faces, _) => {
            let points: Vec<Vector> = faces.iter().flatten().copied().collect();
            Some(Model::new(Mesh::hull(&points).unwrap()))
        }
    };
    shapes.iter().map(model).collect()
}

fn proxy<'a>(shapes: &[Shape], models: &'a [Option<Model>]) -> Proxy<'a> {
    let balls = shapes.iter().filter_map(|shape| match shape {
        Shape::Ball([x, y, z], r) => Some([*x, *y, *z, *r]),
        _ => None,
    });
    let balls: Vec<[f64; 4]> = balls.collect();
    let mut proxy = Proxy::balls(&balls).unwrap();
    for (shape, model) in shapes.iter().zip(models) {
        let (Shape::Capsule(_, _, r) | Shape::Hull(_, r), Some(model)) = (shape, model) else { continue };
        proxy = proxy.with(Body::new(model, Pose::IDENTITY).rounded(*r).unwrap());
    }
    proxy
}

fn distance(shapes: &[Shape], x: Vector) -> f64 {
    shapes.iter().map(|shape| shape.distance(x)).fold(f64::INFINITY, f64::min)
}

/// A point of a triangle in the world.
fn point_of(case: &Case, rng: &mut Rng) -> Vector {
    let mesh = case.part.mesh();
    let [a, b, c] = mesh.corners(rng.below(mesh.len() as u64) as u32);
    let (mut s, mut t) = (rng.unit(), rng.unit());
    match rng.below(4) {
        0 => t = 0.0,
        1 => (s, t) = (0.0, 0.0),
        _ => {}
    }
    if s + t > 1.0 {
        (s, t) = (1.0 - s, 1.0 - t);
    }
    case.at.place([0, 1, 2].map(|k| a[k] + s * (b[k] - a[k]) + t * (c[k] - a[k])))
}

#[test]
fn no_sample_refutes_a_proof() {
    let (cases, samples) = if is_full() { (10_000, 300) } else { (400, 100) };
    let mut query = Query::new();
    let (mut covered, mut bare, mut undecided) = (0, 0, 0);
    for index in 0..cases {
        let mut rng = Rng::for_case(302, index);
        let case = case(&mut rng);
        let part = Body::new(&case.part, case.at);
        let models = models(&case.shapes);
        let proxy = proxy(&case.shapes, &models);
        let found = query.coverage(&part, &proxy, &CoverageOptions::new());
        let [lo, hi] = found.depth;
        match found.covered {
            Some(true) => covered += 1,
            Some(false) => {
                bare += 1;
                let witness = found.witness.expect("a witness");
                let far = distance(&case.shapes, witness.point);
                assert!((far - lo).abs() <= 1e-9, "case {index}: {far} {found:?}");
                assert!(hi - lo <= 1e-3 * lo + 1e-9, "case {index}: {found:?}");
            }
            None => undecided += 1,
        }
        for _ in 0..samples {
            let x = point_of(&case, &mut rng);
            let far = distance(&case.shapes, x);
            assert!(far <= hi + 1e-12 * (1.0 + length(x)), "case {index}: {x:?} is {far} away: {found:?}");
        }
        // The depth is the least growth of all radii.
        if found.covered == Some(false) && case.shapes.iter().all(|shape| matches!(shape, Shape::Ball(..))) {
            let grown = |by: f64| {
                let ball = |shape: &Shape| match shape {
                    Shape::Ball([x, y, z], r) => [*x, *y, *z, r + by],
                    _ => unreachable!("all are balls"),
                };
                Proxy::balls(&case.shapes.iter().map(ball).collect::<Vec<_>>()).unwrap()
            };
            let more = query.coverage(&part, &grown(hi * (1.0 + 1e-9) + 1e-9), &CoverageOptions::new());
            assert_eq!(more.covered, Some(true), "case {index}: {found:?} {more:?}");
            let less = query.coverage(&part, &grown(lo * (1.0 - 1e-9) - 1e-9), &CoverageOptions::new());
            assert_ne!(less.covered, Some(true), "case {index}: {found:?} {less:?}");
        }
    }
    println!("{covered} covered, {bare} not, {undecided} undecided");
    assert!(covered > cases / 8 && bare > cases / 4 && undecided <= cases / 100);
}

/// Other triangles with the same points, the elements in another order, and all at another place.
#[test]
fn the_cover_depends_on_the_points_alone() {
    let mut query = Query::new();
    for index in 0..if is_full() { 1_000 } else { 60 } {
        let mut rng = Rng::for_case(303, index);
        let case = case(&mut rng);
        let all = models(&case.shapes);
        let options = CoverageOptions::new();
        let found = query.coverage(&Body::new(&case.part, case.at), &proxy(&case.shapes, &all), &options);
        let mut turned = case.shapes.clone();
        turned.reverse();
        let other = models(&turned);
        let (mesh, _) = meshes::permuted(case.part.mesh(), index);
        let mut points = mesh.points().to_vec();
        let mut triangles = Vec::new();
        for &[a, b, c] in mesh.triangles() {
            let middle = [0, 1, 2].map(|k| points[a as usize][k] / 2.0 + points[b as usize][k] / 2.0);
            let m = points.len() as u32;
            points.push(middle);
            triangles.extend([[a, m, c], [m, b, c]]);
        }
        let model = Model::new(Mesh::new(points, triangles).unwrap());
        let again = query.coverage(&Body::new(&model, case.at), &proxy(&turned, &other), &options);
        let overlap = |x: [f64; 2], y: [f64; 2]| x[0] <= y[1] + 1e-9 && y[0] <= x[1] + 1e-9;
        assert!(overlap(found.depth, again.depth), "case {index}: {found:?} {again:?}");
        if let (Some(a), Some(b)) = (found.covered, again.covered) {
            assert!(a == b || found.depth[1].max(again.depth[1]) < 1e-9, "case {index}: {found:?} {again:?}");
        }
    }
}

/// Without an element that a cover needs it is none.
#[test]
fn a_needed_element_is_missed() {
    let mut query = Query::new();
    let model = Model::new(meshes::icosphere(2));
    let part = Body::new(&model, Pose::IDENTITY);
    // The cover needs the ball about each corner of the cube.
    let corners: Vec<[f64; 4]> = (0..8_u8)
        .map(|i| {
            let side = |k: u8| if i >> k & 1 == 1 { 0.577 } else { -0.577 };
            [side(0), side(1), side(2), 0.95]
        })
        .collect();
    let whole = query.coverage(&part, &Proxy::balls(&corners).unwrap(), &CoverageOptions::new());
    assert_eq!(whole.covered, Some(true), "{whole:?}");
    for i in 0..8 {
        let mut rest = corners.clone();
        let [x, y, z, _] = rest.remove(i);
        let found = query.coverage(&part, &Proxy::balls(&rest).unwrap(), &CoverageOptions::new());
        assert_eq!(found.covered, Some(false));
        let witness = found.witness.unwrap().point;
        assert!(dot(witness, [x, y, z]) > 0.5, "{witness:?} is not where the ball was");
        let first = CoverageOptions::new().verdict_only(true);
        let found = query.coverage(&part, &Proxy::balls(&rest).unwrap(), &first);
        assert!(found.covered == Some(false) && found.depth[1] == f64::INFINITY);
    }
}
