//! Cylinders, cones and ellipsoids: their inclusion and their chord, decided in big integers.
use impinge::{Body, ErrorKind, Mesh, Model, Pose, Query, Side, relation::RelationKind, solid::Closedness};
use impinge_testkit::{
    cases::is_full,
    rng::Rng,
    topology::{Topology, signed_volume_6},
};
use num_bigint::{BigInt, Sign};
use std::f64::consts::{PI, TAU};

/// A true shape around the z axis and the origin.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Cylinder { radius: f64, height: f64 },
    Cone { radius: f64, height: f64 },
    Ellipsoid([f64; 3]),
}

const SIDES: [Side; 2] = [Side::Inscribed, Side::Circumscribed];

impl Shape {
    fn mesh(&self, chord: f64, side: Side) -> Result<Mesh, impinge::Error> {
        match *self {
            Self::Cylinder { radius, height } => Mesh::cylinder(radius, height, chord, side),
            Self::Cone { radius, height } => Mesh::cone(radius, height, chord, side),
            Self::Ellipsoid(semi_axes) => Mesh::ellipsoid(semi_axes, chord, side),
        }
    }
    fn sizes(&self) -> Vec<f64> {
        match *self {
            Self::Cylinder { radius, height } | Self::Cone { radius, height } => vec![radius, height],
            Self::Ellipsoid(semi_axes) => semi_axes.to_vec(),
        }
    }
    fn largest_radius(&self) -> f64 {
        match *self {
            Self::Cylinder { radius, .. } | Self::Cone { radius, .. } => radius,
            Self::Ellipsoid(semi_axes) => semi_axes.into_iter().fold(0.0, f64::max),
        }
    }
    /// A point of the true surface, rounded: of the curved part, for angles u and v.
    fn point(&self, u: f64, v: f64) -> [f64; 3] {
        match *self {
            Self::Cylinder { radius, height } => {
                [radius * u.cos(), radius * u.sin(), height * (v / PI - 0.5)]
            }
            Self::Cone { radius, height } => {
                let t = v / PI;
                [radius * t * u.cos(), radius * t * u.sin(), height * (0.5 - t)]
            }
            Self::Ellipsoid([x, y, z]) => [x * v.sin() * u.cos(), y * v.sin() * u.sin(), z * v.cos()],
        }
    }
}

/// m and e of m 2^e.
fn parts(x: f64) -> (i64, i32) {
    let (field, fraction) = ((x.to_bits() >> 52 & 0x7ff) as i32, (x.to_bits() & ((1 << 52) - 1)) as i64);
    let m = if field == 0 { fraction } else { fraction | 1 << 52 };
    (if x < 0.0 { -m } else { m }, field.max(1) - 1075)
}

/// Numbers as integers. The unit is half of a power of two; all numbers are multiples of that power.
struct Lattice(i32);

impl Lattice {
    fn of(numbers: impl IntoIterator<Item = f64>) -> Self {
        let least = numbers.into_iter().filter(|x| *x != 0.0).map(|x| parts(x).1).min();
        Self(least.unwrap_or(0) - 1)
    }
    fn integer(&self, x: f64) -> BigInt {
        let (m, e) = parts(x);
        if m == 0 { BigInt::ZERO } else { BigInt::from(m) << (e - self.0) }
    }
}

fn square(x: &BigInt) -> BigInt {
    x * x
}

/// The true shape in integers, its curved sizes larger or smaller by the chord, or as they are.
enum BigShape {
    Cylinder { radius: BigInt, half: BigInt },
    Cone { radius: BigInt, half: BigInt },
    Ellipsoid([BigInt; 3]),
}

impl BigShape {
    fn new(shape: &Shape, lattice: &Lattice, chord: Option<(f64, Sign)>) -> Self {
        let curved = |r: f64| {
            let (r, c) = (lattice.integer(r), chord.map_or(BigInt::ZERO, |(c, _)| lattice.integer(c)));
            match chord.map(|c| c.1) {
                Some(Sign::Minus) => (r - c).max(BigInt::ZERO),
                _ => r + c,
            }
        };
        match *shape {
            Shape::Cylinder { radius, height } => {
                Self::Cylinder { radius: curved(radius), half: lattice.integer(height) >> 1 }
            }
            Shape::Cone { radius, height } => {
                Self::Cone { radius: curved(radius), half: lattice.integer(height) >> 1 }
            }
            Shape::Ellipsoid(axes) => Self::Ellipsoid(axes.map(curved)),
        }
    }
    fn contains(&self, [x, y, z]: &[BigInt; 3]) -> bool {
        match self {
            Self::Cylinder { radius, half } => {
                square(x) + square(y) <= square(radius) && square(z) <= square(half)
            }
            // At z the circle's radius is r (half - z) / (2 half).
            Self::Cone { radius, half } => {
                (square(x) + square(y)) * square(half) * 4 <= square(radius) * square(&(half - z))
                    && square(z) <= square(half)
            }
            Self::Ellipsoid([a, b, c]) => {
                square(&(x * b * c)) + square(&(a * y * c)) + square(&(a * b * z)) <= square(&(a * b * c))
            }
        }
    }
    /// True if n . x <= d for all points of the shape.
    fn is_below(&self, n: &[BigInt; 3], d: &BigInt) -> bool {
        let at_most = |d: BigInt, squared: BigInt| d.sign() != Sign::Minus && squared <= square(&d);
        let round = |r: &BigInt| square(r) * (square(&n[0]) + square(&n[1]));
        match self {
            Self::Cylinder { radius, half } => {
                at_most(d - half * &n[2], round(radius)) && at_most(d + half * &n[2], round(radius))
            }
            Self::Cone { radius, half } => half * &n[2] <= *d && at_most(d + half * &n[2], round(radius)),
            Self::Ellipsoid(axes) => {
                let terms = n.iter().zip(axes).map(|(n, a)| square(&(n * a)));
                at_most(d.clone(), terms.sum())
            }
        }
    }
}

/// True if all corners of the mesh are in the shape.
fn is_in(mesh: &Mesh, shape: &BigShape, lattice: &Lattice) -> bool {
    mesh.points().iter().all(|p| shape.contains(&p.map(|x| lattice.integer(x))))
}

/// True if the shape and the origin are below the planes of all faces.
fn is_around(mesh: &Mesh, shape: &BigShape, lattice: &Lattice) -> bool {
    (0..mesh.len() as u32).all(|i| {
        let [p, q, r] = mesh.corners(i).map(|p| p.map(|x| lattice.integer(x)));
        let [u, v]: [[BigInt; 3]; 2] = [&q, &r].map(|x| std::array::from_fn(|k| &x[k] - &p[k]));
        let n: [BigInt; 3] = std::array::from_fn(|k| {
            let [i, j] = [(k + 1) % 3, (k + 2) % 3];
            &u[i] * &v[j] - &u[j] * &v[i]
        });
        let d: BigInt = n.iter().zip(&p).map(|(n, x)| n * x).sum();
        d.sign() == Sign::Plus && shape.is_below(&n, &d)
    })
}

/// Asserts everything about the two meshes of a shape and a chord.
fn check(shape: &Shape, chord: f64, rng: &mut Rng) {
    let name = format!("{shape:?}, chord {chord:e}");
    let meshes = SIDES.map(|side| shape.mesh(chord, side).unwrap_or_else(|e| panic!("{name}: {e}")));
    for (mesh, side) in meshes.iter().zip(SIDES) {
        let topology = Topology::of(mesh);
        let one_sphere = topology.is_closed() && topology.pieces == 1 && topology.genus() == 0;
        assert!(one_sphere, "{name}, {side:?}: {topology:?}");
        let numbers = mesh.points().as_flattened().iter().copied();
        let lattice = Lattice::of(numbers.chain(shape.sizes()).chain([chord]));
        let same = BigShape::new(shape, &lattice, None);
        let (smaller, larger) = match side {
            Side::Inscribed => (BigShape::new(shape, &lattice, Some((chord, Sign::Minus))), same),
            Side::Circumscribed => (same, BigShape::new(shape, &lattice, Some((chord, Sign::Plus)))),
        };
        assert!(is_in(mesh, &larger, &lattice), "{name}: {side:?} has a corner outside");
        assert!(is_around(mesh, &smaller, &lattice), "{name}: {side:?} has a face inside");
        // The chord bounds the number of triangles.
        let room = chord / (shape.largest_radius() + if side == Side::Inscribed { 0.0 } else { chord });
        let segments = |part: f64| (1.1 * PI / part.sqrt()).max(4.0) + 8.0;
        let most = match shape {
            Shape::Cylinder { .. } => 4.0 * segments(2.0 * room),
            Shape::Cone { .. } => 2.0 * segments(2.0 * room),
            Shape::Ellipsoid(_) => segments(room).powi(2),
        };
        assert!(mesh.len() as f64 <= most, "{name}: {} triangles, more than {most}", mesh.len());
    }
    let models = meshes.map(Model::new);
    for model in &models {
        assert_eq!(model.solid().status(), Closedness::Closed, "{name}");
    }
    let [inner, outer] = models.each_ref().map(|model| Body::new(model, Pose::IDENTITY));
    let mut query = Query::new();
    assert_eq!(query.relation(&inner, &outer).kind, RelationKind::Inside, "{name}");
    // Surfaces of convex solids are as near as the solids.
    let size = shape.sizes().into_iter().fold(chord, f64::max);
    for _ in 0..20 {
        let point = shape.point(rng.between(0.0, TAU), rng.between(0.0, PI));
        for body in [&inner, &outer] {
            let found = query.closest_point(body, point).unwrap();
            assert!(found.lo <= chord + 1e-14 * size, "{name}: {point:?} is {} away", found.lo);
        }
    }
}

fn between_powers(rng: &mut Rng, least: f64, most: f64) -> f64 {
    2.0_f64.powf(rng.between(least, most))
}

#[test]
fn inclusion_and_chord_are_exact() {
    let mut rng = Rng::new(55);
    let (cases, finest) = if is_full() { (300, [-18.0, -12.5]) } else { (150, [-16.0, -11.0]) };
    for case in 0..cases {
        let scale = between_powers(&mut rng, -300.0, 300.0);
        // Every other shape is flat or long.
        let spread = [2.0, 40.0][case / 3 % 2];
        let [x, y, z] = [0; 3].map(|_| scale * between_powers(&mut rng, -spread, spread));
        let (shape, finest) = match case % 3 {
            0 => (Shape::Cylinder { radius: x, height: y }, finest[0]),
            1 => (Shape::Cone { radius: x, height: y }, finest[0]),
            _ => (Shape::Ellipsoid([x, y, z]), finest[1]),
        };
        let chord = shape.largest_radius() * between_powers(&mut rng, finest, 3.0);
        check(&shape, chord, &mut rng);
    }
    // Numbers with few bits and with all of them, and chords at which the least polygons are used.
    for radius in [1.0, 0.5, 3.0, 1.0_f64.next_up(), 2.0_f64.next_down(), 0.1] {
        for chord in [0.1, 0.25, 0.5, 1.0, 100.0, 1e9, 1e300] {
            check(&Shape::Cylinder { radius, height: 2.0 }, chord, &mut rng);
            check(&Shape::Cone { radius, height: 0.3 }, chord, &mut rng);
            check(&Shape::Ellipsoid([radius; 3]), chord, &mut rng);
        }
    }
}

/// The ends of the range, where neither overflow nor underflow may occur.
#[test]
fn sizes_of_the_whole_range_are_taken() {
    let mut rng = Rng::new(56);
    let [least, most] = [2.0_f64.powi(-900), 2.0_f64.powi(900)];
    for [x, y, z] in [[least; 3], [most; 3], [most, least, 1.0], [least, 1.0, least]] {
        let chord = 0.01 * x.max(y).max(z);
        for side in SIDES {
            let mesh = Mesh::ellipsoid([x, y, z], chord, side).unwrap();
            let lattice = Lattice::of(mesh.points().as_flattened().iter().copied().chain([x, y, z]));
            let shape = BigShape::new(&Shape::Ellipsoid([x, y, z]), &lattice, None);
            match side {
                Side::Inscribed => assert!(is_in(&mesh, &shape, &lattice)),
                Side::Circumscribed => assert!(is_around(&mesh, &shape, &lattice)),
            }
        }
    }
    for radius in [least, most] {
        check(&Shape::Cylinder { radius, height: radius }, 0.01 * radius, &mut rng);
        check(&Shape::Cone { radius, height: radius }, 0.01 * radius, &mut rng);
    }
}

/// The finest polygons, whose sides are a few thousand units of rounding off the circle.
#[test]
fn fine_chords_leave_room_for_rounding() {
    let powers: &[i32] = if is_full() { &[-30, -36, -40, -44] } else { &[-30, -34] };
    for &power in powers {
        for radius in [1.0, 2.0_f64.next_down(), 1.3] {
            let chord = radius * 2.0_f64.powi(power);
            let off = |side| {
                let mesh = Mesh::cone(radius, 2.0, chord, side).unwrap();
                let base = &mesh.points()[2..];
                // x^2 + y^2 - r^2 in units of 2^-106, exactly: radii and corners are multiples of 2^-53.
                let unit = |x: f64| (x * 2.0_f64.powi(53)) as i128;
                let off = |p: &[f64; 3]| unit(p[0]).pow(2) + unit(p[1]).pow(2) - unit(radius).pow(2);
                let range = base.iter().map(off);
                (range.clone().min().unwrap(), range.max().unwrap(), base.len())
            };
            let bound = (2.0 * radius * chord * 2.0_f64.powi(106) * (1.0 + 1e-9)) as i128;
            let (least, most, sides) = off(Side::Inscribed);
            assert!(most == 0 && least > -bound / 100, "{power} {radius}: {least} {most}");
            let (least, most, others) = off(Side::Circumscribed);
            assert!(least > 0 && most <= bound, "{power} {radius}: {least} {most}");
            let want = PI / (2.0 * chord / radius).sqrt();
            assert!([sides, others].iter().all(|&n| n as f64 >= want && (n as f64) < 1.1 * want + 8.0));
        }
    }
}

/// Rounding does not change extents, and a mesh is its own mirror image.
#[test]
fn inscribed_shapes_reach_the_axes() {
    let mut rng = Rng::new(57);
    for _ in 0..50 {
        let [x, y, z] = [0; 3].map(|_| rng.between(0.1, 10.0));
        let chord = 0.003 * x.max(y).max(z);
        let mesh = Mesh::ellipsoid([x, y, z], chord, Side::Inscribed).unwrap();
        for (k, size) in [x, y, z].into_iter().enumerate() {
            let along = mesh.points().iter().map(|p| p[k]);
            assert_eq!((along.clone().fold(0.0, f64::min), along.fold(0.0, f64::max)), (-size, size));
        }
        for side in SIDES {
            let mesh = Mesh::ellipsoid([x, y, z], chord, side).unwrap();
            let mut points = mesh.points().to_vec();
            let sort = |points: &mut Vec<[f64; 3]>| {
                points.iter_mut().for_each(|p| *p = p.map(|x| x + 0.0));
                points.sort_by(|a, b| a.partial_cmp(b).unwrap());
            };
            sort(&mut points);
            for k in 0..3 {
                let mut mirrored = points.clone();
                mirrored.iter_mut().for_each(|p| p[k] = -p[k]);
                sort(&mut mirrored);
                assert_eq!(points, mirrored);
            }
        }
    }
}

/// The chord bounds the missing volume, and both sides have the true volume between them.
#[test]
fn volumes_are_on_either_side_of_the_true_one() {
    for (shape, volume) in [
        (Shape::Cylinder { radius: 2.0, height: 3.0 }, PI * 12.0),
        (Shape::Cone { radius: 2.0, height: 3.0 }, PI * 4.0),
        (Shape::Ellipsoid([2.0, 3.0, 0.5]), PI * 4.0),
    ] {
        for chord in [0.1, 1e-3, 1e-4] {
            let [inner, outer] = SIDES.map(|side| signed_volume_6(&shape.mesh(chord, side).unwrap()) / 6.0);
            assert!(inner < volume && volume < outer, "{shape:?}: {inner} {volume} {outer}");
            assert!(outer - inner < 20.0 * chord * 3.0, "{shape:?}: {inner} {volume} {outer}");
        }
    }
}

#[test]
fn what_has_no_mesh_is_refused() {
    let side = Side::Inscribed;
    let sizes = |error: Result<Mesh, impinge::Error>| {
        let error = error.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidSize { .. }), "{error}");
        error.to_string()
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let want = format!("is {bad}, which is not positive and finite");
        assert!(sizes(Mesh::cylinder(bad, 1.0, 0.1, side)).ends_with(&want));
        assert!(sizes(Mesh::cylinder(1.0, bad, 0.1, side)).ends_with(&want));
        assert!(sizes(Mesh::cone(bad, 1.0, 0.1, side)).ends_with(&want));
        assert!(sizes(Mesh::cone(1.0, bad, 0.1, side)).ends_with(&want));
        assert!(sizes(Mesh::ellipsoid([1.0, 1.0, bad], 0.1, side)).ends_with(&want));
    }
    for bad in
        [2.0_f64.powi(-900).next_down(), 2.0_f64.powi(900).next_up(), f64::MAX, 0.5 * f64::MIN_POSITIVE]
    {
        let want = "not from 2^-900 to 2^900";
        assert!(sizes(Mesh::cylinder(bad, 1.0, 0.1, side)).ends_with(want));
        assert!(sizes(Mesh::cone(bad, 1.0, 0.1, side)).ends_with(want));
        assert!(sizes(Mesh::ellipsoid([1.0, bad, 1.0], 0.1, side)).ends_with(want));
    }
    assert!(sizes(Mesh::cone(1.0, f64::from_bits(3), 0.1, side)).contains("half"));
    for side in SIDES {
        for [chord, least] in [
            [0.0, 0.0],
            [-1.0, 0.0],
            [f64::NAN, 0.0],
            [f64::INFINITY, 0.0],
            [(2.0 * 2.0_f64.powi(-44)).next_down(), 2.0 * 2.0_f64.powi(-44)],
            [1.4e-7, 1.48e-7],
        ] {
            let (round, ball) = (2.0 * 2.0_f64.powi(-44), 1.48e-7);
            let mut errors = vec![(Mesh::ellipsoid([1.0, 2.0, 0.5], chord, side), ball)];
            if least != ball {
                errors.push((Mesh::cylinder(2.0, 1.0, chord, side), round));
                errors.push((Mesh::cone(2.0, 1.0, chord, side), round));
            }
            for (error, want) in errors {
                let error = error.unwrap_err();
                let ErrorKind::InvalidChord { least: found, .. } = *error.kind() else { panic!("{error}") };
                assert_eq!(found, want);
                let text =
                    if chord > 0.0 && chord < 1.0 { "but at least" } else { "not positive and finite" };
                assert!(error.to_string().contains(text), "{error}");
            }
        }
    }
}
