//! Awkward cases of solids, by name: their relations in both orders, at other poses, and by the reference.
use impinge::{
    Body, Mesh, Model, Pose, Query, brute_force,
    relation::RelationKind,
    solid::{Closedness, FillRule, Location},
};
use impinge_testkit::meshes;

pub(crate) type Point = [f64; 3];
pub(crate) type Triangles = Vec<[Point; 3]>;

/// A box, its faces outwards.
pub(crate) fn cuboid(lo: Point, hi: Point) -> Triangles {
    let at = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { lo[k] } else { hi[k] });
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
        .map(|q| q.map(at));
    quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect()
}
/// The box of [`cuboid`] with the other diagonals.
pub(crate) fn cuboid_cut_otherwise(lo: Point, hi: Point) -> Triangles {
    let halves = cuboid(lo, hi);
    halves
        .chunks(2)
        .flat_map(|half| {
            let [a, b, c, d] = [half[0][0], half[0][1], half[0][2], half[1][2]];
            [[b, c, d], [b, d, a]]
        })
        .collect()
}
pub(crate) fn cube(lo: f64, hi: f64) -> Triangles {
    cuboid([lo; 3], [hi; 3])
}
pub(crate) fn reversed(mut triangles: Triangles) -> Triangles {
    triangles.iter_mut().for_each(|t| t.reverse());
    triangles
}
pub(crate) fn joined(parts: impl IntoIterator<Item = Triangles>) -> Triangles {
    parts.into_iter().flatten().collect()
}
pub(crate) fn mapped(triangles: &Triangles, map: impl Fn(Point) -> Point) -> Triangles {
    triangles.iter().map(|t| t.map(&map)).collect()
}
pub(crate) fn model(triangles: &Triangles) -> Model {
    let points = triangles.iter().flatten().copied().collect();
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Model::new(Mesh::new(points, faces).unwrap())
}
fn swapped(kind: RelationKind) -> RelationKind {
    match kind {
        RelationKind::Inside => RelationKind::Contains,
        RelationKind::Contains => RelationKind::Inside,
        kind => kind,
    }
}

/// Asserts a relation, and whether the surfaces meet: as it is, exchanged, reversed, mirrored, sheared,
/// moved.
pub(crate) fn check(name: &str, a: &Triangles, b: &Triangles, kind: RelationKind, touching: bool) {
    let shear = [[1.0, 1.0, 0.0], [0.0, 1.0, 2.0], [0.0, 0.0, 1.0]];
    let poses = [
        Pose::IDENTITY,
        Pose::affine([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap(),
        Pose::affine(shear, [3.0, 0.0, 1.0]).unwrap(),
    ];
    let mut query = Query::new();
    for (flip_a, flip_b) in [(false, false), (true, false), (true, true)] {
        let turn = |t: &Triangles, flip: bool| if flip { reversed(t.clone()) } else { t.clone() };
        let (model_a, model_b) = (model(&turn(a, flip_a)), model(&turn(b, flip_b)));
        for (i, pose) in poses.iter().enumerate() {
            let (a, b) = (Body::new(&model_a, *pose), Body::new(&model_b, *pose));
            let found = query.relation(&a, &b);
            let context = format!("{name}, pose {i}, reversed {flip_a} {flip_b}");
            assert_eq!((found.kind, found.touching), (kind, touching), "{context}");
            assert_eq!(query.relation(&b, &a).kind, swapped(kind), "{context}, exchanged");
            let pairs = query.contact_pairs(&a, &b);
            assert_eq!(query.relation_of_pairs(&pairs).kind, kind, "{context}, by pairs");
            assert_eq!(query.overlaps(&a, &b), found.overlaps(), "{context}");
            assert_eq!(query.relation_each(&[[a, b]])[0].kind, kind, "{context}");
            let reference = brute_force::relation(&a, &b, FillRule::NonZero);
            assert_eq!(reference.kind, kind, "{context}, the reference");
        }
        // Equal placements by other numbers: one body's mesh undoes its pose.
        let back = |[x, y, z]: Point| [x - (y - 2.0 * (z - 1.0)) - 3.0, y - 2.0 * (z - 1.0), z - 1.0];
        let sheared = model(&turn(&mapped(b, back), flip_b));
        let mirrored = model(&turn(&mapped(b, |[x, y, z]| [-x, y, z]), flip_b));
        for (undone, pose) in [(&sheared, poses[2]), (&mirrored, poses[1])] {
            let (a, b) = (Body::new(&model_a, Pose::IDENTITY), Body::new(undone, pose));
            assert_eq!(query.relation(&a, &b).kind, kind, "{name}, two poses");
            assert_eq!(query.relation(&b, &a).kind, swapped(kind), "{name}, two poses, exchanged");
        }
    }
}

#[test]
fn contacts_of_boxes() {
    let a = cube(0.0, 4.0);
    let at = |lo: Point, hi: Point| cuboid(lo, hi);
    let all = |name, b: &Triangles, kind, touching| check(name, &a, b, kind, touching);
    all("apart", &at([5.0; 3], [6.0; 3]), RelationKind::Apart, false);
    all("across", &at([1.0, 1.0, -1.0], [2.0, 2.0, 5.0]), RelationKind::Overlap, true);
    all(
        "walls of one axis, 50 mm into each other",
        &at([3.5, 0.0, 0.0], [9.0, 4.0, 4.0]),
        RelationKind::Overlap,
        true,
    );
    all("walls at a corner", &at([3.5, 0.0, 0.0], [4.0, 9.0, 4.0]), RelationKind::Overlap, true);
    all("equal boxes", &a, RelationKind::Duplicate, true);
    all(
        "equal sets, other triangles",
        &cuboid_cut_otherwise([0.0; 3], [4.0; 3]),
        RelationKind::Duplicate,
        true,
    );
    all("abutting faces", &at([4.0, 0.0, 0.0], [8.0, 4.0, 4.0]), RelationKind::Touch, true);
    let other = cuboid_cut_otherwise([4.0, 0.0, 0.0], [8.0, 4.0, 4.0]);
    all("abutting faces, other triangles", &other, RelationKind::Touch, true);
    all("face against larger face", &at([4.0, -3.0, -3.0], [8.0, 9.0, 9.0]), RelationKind::Touch, true);
    all("face on part of a face", &at([4.0, 3.0, 3.0], [8.0, 9.0, 9.0]), RelationKind::Touch, true);
    all("edge on edge", &at([4.0, 4.0, 0.0], [8.0, 8.0, 4.0]), RelationKind::Touch, true);
    all("edge on part of an edge", &at([4.0, 4.0, 1.0], [8.0, 8.0, 9.0]), RelationKind::Touch, true);
    all("corner on corner", &at([4.0; 3], [8.0; 3]), RelationKind::Touch, true);
    all("strictly inside", &at([1.0; 3], [2.0; 3]), RelationKind::Contains, false);
    all("inside, touching a face", &at([1.0, 1.0, 0.0], [2.0, 2.0, 2.0]), RelationKind::Contains, true);
    all("inside, touching an edge", &at([0.0, 0.0, 1.0], [2.0, 2.0, 2.0]), RelationKind::Contains, true);
    all("inside, touching a corner", &at([0.0; 3], [2.0; 3]), RelationKind::Contains, true);
    all("from face to face", &at([0.0, 1.0, 1.0], [4.0, 2.0, 2.0]), RelationKind::Contains, true);
    all("half of it", &at([0.0; 3], [4.0, 4.0, 2.0]), RelationKind::Contains, true);
    all("half of it and more", &at([0.0, 0.0, 2.0], [4.0, 4.0, 9.0]), RelationKind::Overlap, true);
    let turned = mapped(&cube(0.0, 1.0), |[x, y, z]| [4.0 + x - y, x + y, z]);
    all("half way in, on its edge", &turned, RelationKind::Overlap, true);
    let ridge = mapped(&cube(0.0, 1.0), |[x, y, z]| [4.0 + x + y, 2.0 + x - y, 1.0 + z]);
    all("edge in face, touching", &ridge, RelationKind::Touch, true);
    let ridge = mapped(&cube(0.0, 1.0), |[x, y, z]| [4.0 + x + y - 0.5, 2.0 + x - y, 1.0 + z]);
    all("edge a little inside", &ridge, RelationKind::Overlap, true);
    // Its edges end on faces, so that no edge runs through a face.
    let deep = mapped(&cube(0.0, 1.0), |[x, y, z]| [4.0 + 2.0 * (x - y), 2.0 + x + y - 1.0, 4.0 * z]);
    all("faces on both sides of a face, no edge through it", &deep, RelationKind::Overlap, true);
}

#[test]
fn cavities_and_shells() {
    let hollow = joined([cube(0.0, 8.0), reversed(cube(2.0, 6.0))]);
    check("in a cavity", &hollow, &cube(3.0, 4.0), RelationKind::Apart, false);
    check(
        "on a cavity's floor",
        &hollow,
        &cuboid([3.0, 3.0, 2.0], [4.0, 4.0, 4.0]),
        RelationKind::Touch,
        true,
    );
    check("fills the cavity", &hollow, &cube(2.0, 6.0), RelationKind::Touch, true);
    check("swallows the cavity alone", &hollow, &cube(1.0, 7.0), RelationKind::Overlap, false);
    check(
        "through the cavity's wall",
        &hollow,
        &cuboid([3.0; 3], [4.0, 4.0, 7.0]),
        RelationKind::Overlap,
        true,
    );
    check("around it", &hollow, &cube(-1.0, 9.0), RelationKind::Inside, false);
    check("in the wall", &hollow, &cuboid([3.0, 3.0, 0.5], [4.0, 4.0, 1.5]), RelationKind::Contains, false);
    check("fills the wall", &hollow, &cuboid([3.0, 3.0, 0.0], [4.0, 4.0, 2.0]), RelationKind::Contains, true);
    let two = joined([cube(1.0, 2.0), cube(20.0, 21.0)]);
    check("one shell inside, one outside", &cube(0.0, 4.0), &two, RelationKind::Overlap, false);
    let not_reversed = joined([cube(0.0, 8.0), cube(2.0, 6.0)]);
    check(
        "an inner shell that is not reversed",
        &not_reversed,
        &cube(3.0, 4.0),
        RelationKind::Contains,
        false,
    );
    let overlapping = joined([cube(0.0, 4.0), cube(2.0, 6.0)]);
    check("where shells of one part overlap", &overlapping, &cube(2.5, 3.5), RelationKind::Contains, false);
    check("the shells' overlap", &overlapping, &cube(2.0, 4.0), RelationKind::Contains, true);
    check("across both shells", &overlapping, &cube(1.0, 5.0), RelationKind::Overlap, true);
    let halves = joined([cuboid([0.0; 3], [4.0, 4.0, 2.0]), cuboid_cut_otherwise([0.0, 0.0, 2.0], [4.0; 3])]);
    check(
        "an inner wall touched from inside",
        &halves,
        &cuboid([1.0; 3], [2.0; 3]),
        RelationKind::Contains,
        true,
    );
    check("across an inner wall", &halves, &cube(1.0, 3.0), RelationKind::Contains, true);
    check("two halves and the whole", &halves, &cube(0.0, 4.0), RelationKind::Duplicate, true);
    check("two halves and a part", &halves, &cuboid([0.0; 3], [4.0, 4.0, 3.0]), RelationKind::Contains, true);
    check(
        "two halves touched at the seam",
        &halves,
        &cuboid([4.0, 1.0, 1.0], [5.0, 3.0, 3.0]),
        RelationKind::Touch,
        true,
    );
    let frame = joined([
        cuboid([0.0; 3], [6.0, 1.0, 1.0]),
        cuboid([0.0, 5.0, 0.0], [6.0, 6.0, 1.0]),
        cuboid([0.0, 1.0, 0.0], [1.0, 5.0, 1.0]),
        cuboid([5.0, 1.0, 0.0], [6.0, 5.0, 1.0]),
    ]);
    check(
        "in a frame of four boxes",
        &frame,
        &cuboid([1.0, 1.0, 0.0], [5.0, 5.0, 1.0]),
        RelationKind::Touch,
        true,
    );
    check("two sides of a frame", &frame, &cuboid([0.0; 3], [1.0, 6.0, 1.0]), RelationKind::Contains, true);
    let comb = |shift: f64| {
        let tooth = |i: i32| {
            let at = 2.0 * f64::from(i) + shift;
            cuboid([at, 0.0, 0.0], [at + 1.0, 4.0, 1.0])
        };
        joined((0..5).map(tooth))
    };
    check("comb in comb", &comb(0.0), &comb(1.0), RelationKind::Touch, true);
    check("pinched", &joined([cube(0.0, 1.0), cube(1.0, 2.0)]), &cube(0.0, 2.0), RelationKind::Inside, true);
    let pinched = joined([cuboid([0.0; 3], [1.0, 1.0, 2.0]), cuboid([1.0, 1.0, 0.0], [2.0; 3])]);
    check(
        "an edge of four faces",
        &pinched,
        &cuboid([0.0, 1.0, 0.0], [1.0, 2.0, 2.0]),
        RelationKind::Touch,
        true,
    );
    check("across an edge of four faces", &pinched, &cube(0.5, 1.5), RelationKind::Overlap, true);
}

/// One surface that runs through itself: a box whose lid is pulled down through its bottom, to a tip below.
#[test]
fn a_connected_surface_that_meets_itself() {
    let tip = [2.0, 2.0, -2.0];
    let mut pulled = cube(0.0, 4.0);
    pulled.retain(|t| t.iter().any(|p| p[2] < 4.0));
    let lid = [[0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 4.0, 4.0], [0.0, 4.0, 4.0]];
    pulled.extend((0..4).map(|k| [lid[k], lid[(k + 1) % 4], tip]));
    assert_eq!((model(&pulled).solid().status(), model(&pulled).solid().shells()), (Closedness::Closed, 1));
    let at = |lo: f64, hi: f64| cuboid([1.875, 1.875, lo], [2.125, 2.125, hi]);
    check("in the funnel", &pulled, &at(1.0, 2.0), RelationKind::Apart, false);
    check("on the funnel's floor", &pulled, &at(0.0, 1.0), RelationKind::Touch, true);
    check("in the tip", &pulled, &at(-1.0, -0.5), RelationKind::Contains, false);
    check("in the tip, on its lid", &pulled, &at(-1.0, 0.0), RelationKind::Contains, true);
    check("through the funnel's floor", &pulled, &at(-1.0, 1.0), RelationKind::Overlap, true);
    check(
        "in the box beside the funnel",
        &pulled,
        &cuboid([0.0; 3], [4.0, 0.5, 0.5]),
        RelationKind::Contains,
        true,
    );
}

#[test]
fn rounding_does_not_decide() {
    let far = 1e6;
    let up = |x: f64, n: i32| (0..n).fold(x, |x, _| x.next_up());
    let a = cuboid([0.0; 3], [far, 1.0, 1.0]);
    for (name, from, kind, touching) in [
        ("an ulp apart", up(far, 1), RelationKind::Apart, false),
        ("touching", far, RelationKind::Touch, true),
        ("an ulp into each other", far.next_down(), RelationKind::Overlap, true),
    ] {
        check(name, &a, &cuboid([from, 0.0, 0.0], [far + 5.0, 1.0, 1.0]), kind, touching);
    }
    for scale in [1e-300, 1e-308, 1e290] {
        let sized = |t: &Triangles| mapped(t, |p| p.map(|x| x * scale));
        let mut query = Query::new();
        for (b, kind) in [
            (cube(2.0, 6.0), RelationKind::Overlap),
            (cuboid([4.0, 0.0, 0.0], [8.0, 4.0, 4.0]), RelationKind::Touch),
            (cube(1.0, 2.0), RelationKind::Contains),
        ] {
            let (a, b) = (model(&sized(&cube(0.0, 4.0))), model(&sized(&b)));
            let (a, b) = (Body::new(&a, Pose::IDENTITY), Body::new(&b, Pose::IDENTITY));
            assert_eq!(query.relation(&a, &b).kind, kind, "{scale:e}");
        }
    }
    // Numbers from one end of f64 to the other.
    let far = cuboid([-1e300, -1e-300, -1.0], [1e300, 1e-300, 1.0]);
    let longer = cuboid([1e299, -1e-300, -1.0], [1.5e300, 1e-301, 1.0]);
    for (b, kind) in [
        (cuboid([-1e-300, 0.0, -5e-324], [1e-300, 1e-301, 5e-324]), RelationKind::Contains),
        (cuboid([1e300, 0.0, -1.0], [1.5e300, 1e-300, 1.0]), RelationKind::Touch),
        (joined([far.clone(), longer]), RelationKind::Inside),
    ] {
        let (a, b) = (model(&far), model(&b));
        let (a, b) = (Body::new(&a, Pose::IDENTITY), Body::new(&b, Pose::IDENTITY));
        assert_eq!(Query::new().relation(&a, &b).kind, kind);
        assert_eq!(brute_force::relation(&a, &b, FillRule::NonZero).kind, kind);
    }
    // A rotation that is off by 1e-7 is taken exactly.
    let skew = Pose::affine([[1.0, 1e-7, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    let (a, b) = (model(&cube(0.0, 4.0)), model(&cuboid([4.0, 0.0, 0.0], [8.0, 4.0, 4.0])));
    let mut query = Query::new();
    let at = |model, pose| Body::new(model, pose);
    assert_eq!(query.relation(&at(&a, Pose::IDENTITY), &at(&b, skew)).kind, RelationKind::Touch);
    assert_eq!(query.relation(&at(&a, skew), &at(&b, Pose::IDENTITY)).kind, RelationKind::Overlap);
}

#[test]
fn meshes_that_are_not_solids() {
    let open = cube(0.0, 4.0)[..10].to_vec();
    let inside = cube(1.0, 3.0)[..11].to_vec();
    assert_eq!(model(&open).solid().status(), Closedness::Open);
    assert_eq!(model(&open).solid().open_edges(), 4);
    // Two holes: a triangle and a whole face, the wider one first.
    let two = model(&joined([mapped(&cube(0.0, 1.0)[..11].to_vec(), |p| p.map(|x| x - 9.0)), open.clone()]));
    let holes: Vec<_> = two.solid().boundaries().iter().map(|hole| (hole.edges, hole.width())).collect();
    assert_eq!(holes, [(4, 4.0), (3, 1.0)]);
    check("a surface in a solid", &cube(-1.0, 9.0), &open, RelationKind::SurfaceInside, false);
    check("a solid in an open box", &cuboid([1.0; 3], [2.0, 2.0, 3.0]), &open, RelationKind::Apart, false);
    check("a surface half in a solid", &cuboid([1.0; 3], [6.0; 3]), &open, RelationKind::Pierce, true);
    check("a surface on a solid", &cuboid([-3.0; 3], [0.0, 9.0, 9.0]), &open, RelationKind::Touch, true);
    check("two surfaces", &open, &mapped(&open, |p| p.map(|x| x + 1.0)), RelationKind::Meet, true);
    check("two surfaces, apart", &open, &inside, RelationKind::Apart, false);
    let sheet = joined([open.clone(), reversed(open.clone())]);
    assert_eq!(model(&sheet).solid().status(), Closedness::NoInterior);
    check("a doubled sheet", &cube(-1.0, 9.0), &sheet, RelationKind::SurfaceInside, false);
    check("a doubled sheet through a face", &cube(1.0, 9.0), &sheet, RelationKind::Pierce, true);
    check("a doubled sheet and a surface", &open, &sheet, RelationKind::Meet, true);
    let far = mapped(&sheet, |p| p.map(|x| x + 100.0));
    check("a doubled sheet elsewhere", &cube(-1.0, 9.0), &far, RelationKind::Apart, false);
    assert_eq!(Model::new(Mesh::default()).solid().status(), Closedness::NoInterior);
    assert_eq!(model(&vec![[[0.0; 3], [1.0; 3], [2.0; 3]]]).solid().status(), Closedness::NoInterior);
    assert_eq!(model(&open[..1].to_vec()).solid().open_edges(), 3);
}

#[test]
fn junctions() {
    // The first triangle is halved at an edge, its neighbour is not.
    let mut halved = cube(0.0, 4.0);
    let [a, b, c] = halved[0];
    let middle = [0, 1, 2].map(|k| (b[k] + c[k]) / 2.0);
    halved.splice(..1, [[a, b, middle], [a, middle, c]]);
    assert_eq!(model(&halved).solid().status(), Closedness::Closed, "the point lies on the edge");
    check("a T-junction and the same solid", &halved, &cube(0.0, 4.0), RelationKind::Duplicate, true);
    check(
        "a T-junction, touched",
        &halved,
        &cuboid([-4.0, 0.0, 0.0], [0.0, 4.0, 4.0]),
        RelationKind::Touch,
        true,
    );
    check("a T-junction, across", &halved, &cube(-1.0, 1.0), RelationKind::Overlap, true);
    // The triangle without area that fills it changes nothing.
    let mut filled = halved.clone();
    filled.push([b, middle, c]);
    assert_eq!(model(&filled).solid().status(), Closedness::Closed);
    check("a filled T-junction", &filled, &cube(0.0, 4.0), RelationKind::Duplicate, true);
    let off = mapped(&halved, |p| if p == middle { [p[0], p[1], p[2].next_up()] } else { p });
    assert_eq!(model(&off).solid().status(), Closedness::Open, "an ulp beside the edge");
    // A crack: as long as the edge, and an ulp wide.
    let crack = model(&off);
    let [crack] = crack.solid().boundaries() else { panic!("one boundary") };
    assert_eq!((crack.edges, crack.width()), (3, 4.0));
}

#[test]
fn orientation_and_parity() {
    let mut mixed = cube(0.0, 4.0);
    mixed[3].reverse();
    let model_of = model(&mixed);
    assert_eq!(model_of.solid().status(), Closedness::ClosedByEvenOdd);
    check("a triangle that faces the other way", &mixed, &cube(1.0, 2.0), RelationKind::Contains, false);
    check("the same, abutting", &mixed, &cuboid([4.0, 0.0, 0.0], [8.0, 4.0, 4.0]), RelationKind::Touch, true);
    check("the same, across", &mixed, &cube(3.0, 9.0), RelationKind::Overlap, true);
    let overlapping = model(&joined([cube(0.0, 4.0), cube(2.0, 6.0)]));
    let inverted = model(&reversed(cube(2.0, 6.0)));
    let small = model(&cube(2.5, 3.5));
    let [overlapping, inverted, small] =
        [&overlapping, &inverted, &small].map(|m| Body::new(m, Pose::IDENTITY));
    for (inside, in_both, in_inverted) in [
        (FillRule::NonZero, RelationKind::Contains, RelationKind::Contains),
        (FillRule::Positive, RelationKind::Contains, RelationKind::Apart),
        (FillRule::EvenOdd, RelationKind::Apart, RelationKind::Contains),
    ] {
        let mut query = Query::new().fill_rule(inside);
        assert_eq!(query.relation(&overlapping, &small).kind, in_both, "{inside:?}");
        assert_eq!(query.relation(&inverted, &small).kind, in_inverted, "{inside:?}");
    }
}

#[test]
fn many_shells() {
    let cells = |shift: f64| {
        joined((0..1000).map(|i| {
            let at = [i % 10, i / 10 % 10, i / 100].map(|x| 2.0 * f64::from(x) + shift);
            cuboid(at, at.map(|x| x + 1.0))
        }))
    };
    let (a, b, c) = (model(&cells(0.0)), model(&cells(1.0)), model(&cells(0.5)));
    assert_eq!(a.solid().shells(), 1000);
    let [a, b, c] = [&a, &b, &c].map(|m| Body::new(m, Pose::IDENTITY));
    let mut query = Query::new();
    assert_eq!(query.relation(&a, &b).kind, RelationKind::Touch);
    assert_eq!(query.relation(&a, &c).kind, RelationKind::Overlap);
    assert_eq!(query.relation(&a, &a).kind, RelationKind::Duplicate);
}

/// Boxes of triangles lose nothing. A model has them once it has been queried often.
#[test]
fn boxes_lose_nothing() {
    // Cubes that overlap their neighbours: windings 1 and 2, and every face meets others.
    let cells = joined((0..512).map(|i| {
        let at = [i % 8, i / 8 % 8, i / 64].map(f64::from);
        cuboid(at, at.map(|x| x + 1.5))
    }));
    let many = model(&cells);
    let solid_of = |x: f64| x > 0.0 && x < 8.5;
    let mut query = Query::new();
    let pose = Pose::affine([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.5], [0.0, 0.0, 2.0]], [3.0, 0.0, 1.0]).unwrap();
    for round in 0..600 {
        let at = [round * 7 % 31, round * 11 % 37, round * 13 % 41].map(|i| f64::from(i) * 0.27 - 0.6);
        let placed = [at[1] + 3.0, at[2] * 0.5 - at[0], 2.0 * at[2] + 1.0];
        let inside = at.iter().all(|&x| solid_of(x));
        // Inside of a solid whose shells overlap a point may well lie on a face.
        match query.locate(&Body::new(&many, pose), &[placed])[0] {
            Location::Inside => assert!(inside, "{at:?}"),
            Location::Outside => assert!(!inside, "{at:?}"),
            found => assert!(found == Location::OnSurface && inside, "{at:?}"),
        }
    }
    let other = model(&mapped(&cells, |v| v.map(|x| x * 0.25 + 8.375)));
    let third = model(&mapped(&cells, |v| v.map(|x| x * 0.25 + 8.5)));
    let [many, other, third] = [&many, &other, &third].map(|m| Body::new(m, Pose::IDENTITY));
    assert_eq!(query.relation(&many, &other).kind, RelationKind::Overlap);
    assert_eq!(query.relation(&other, &many).kind, RelationKind::Overlap);
    assert_eq!(query.relation(&many, &third).kind, RelationKind::Touch);
    assert_eq!(query.relation(&third, &many).kind, RelationKind::Touch);
}

/// Unions of boxes that overlap and touch within each part, against brute force. The boxes are on a lattice,
/// so that nearly all contacts are degenerate.
#[test]
fn parts_of_several_shells_are_what_the_reference_says() {
    let mut rng = impinge_testkit::rng::Rng::new(5);
    let mut whole = |most: f64| rng.between(0.0, most).floor();
    let mut seen = std::collections::BTreeMap::new();
    for round in 0..150 {
        let mut part = |shift: f64| {
            let boxes = (0..1 + whole(3.0) as usize).map(|_| {
                let lo = [0; 3].map(|_| whole(3.0));
                let hi = lo.map(|x| x + 1.0 + whole(2.0));
                let lo = [lo[0] + shift, lo[1], lo[2]];
                cuboid(lo, [hi[0] + shift, hi[1], hi[2]])
            });
            let all = joined(boxes.collect::<Vec<_>>());
            if whole(4.0) == 0.0 { reversed(all) } else { all }
        };
        let (a, b) = (model(&part(0.0)), model(&part(f64::from(round % 5) / 2.0)));
        let pose = [
            Pose::IDENTITY,
            Pose::affine([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 1.0]], [0.0; 3]).unwrap(),
        ][round as usize % 2];
        let [a, b] = [&a, &b].map(|model| Body::new(model, pose));
        for inside in [FillRule::NonZero, FillRule::Positive, FillRule::EvenOdd] {
            let found = Query::new().fill_rule(inside).relation(&a, &b);
            let want = brute_force::relation(&a, &b, inside);
            assert_eq!((found.kind, found.touching), (want.kind, want.touching), "{round} {inside:?}");
            *seen.entry(format!("{:?}", found.kind)).or_insert(0) += 1;
        }
    }
    assert!(seen["Touch"] > 40 && seen["Overlap"] > 100, "{seen:?}");
}

#[test]
fn spheres_and_tori() {
    let build = |mesh: Mesh| Model::new(mesh);
    let (sphere, torus) = (build(meshes::uv_sphere(24, 48)), build(meshes::torus(32, 48, 0.3)));
    assert!(sphere.solid().status().is_closed() && torus.solid().status().is_closed());
    let mut query = Query::new();
    let mut at = |a: &Model, b: &Model, t: Point, scale: f64| {
        let rows = [[scale, 0.0, 0.0], [0.0, scale, 0.0], [0.0, 0.0, scale]];
        let (a, b) = (Body::new(a, Pose::IDENTITY), Body::new(b, Pose::affine(rows, t).unwrap()));
        (query.relation(&a, &b).kind, query.relation(&b, &a).kind)
    };
    assert_eq!(at(&sphere, &sphere, [0.1, 0.2, 0.0], 0.5), (RelationKind::Contains, RelationKind::Inside));
    assert_eq!(at(&sphere, &sphere, [0.1, 0.2, 0.3], 0.9), (RelationKind::Overlap, RelationKind::Overlap));
    assert_eq!(at(&sphere, &sphere, [2.1, 0.2, 0.3], 1.0), (RelationKind::Apart, RelationKind::Apart));
    assert_eq!(at(&torus, &sphere, [0.0; 3], 0.2), (RelationKind::Apart, RelationKind::Apart));
    assert_eq!(at(&torus, &sphere, [0.0; 3], 9.0), (RelationKind::Inside, RelationKind::Contains));
    assert_eq!(at(&sphere, &sphere, [0.0; 3], 1.0), (RelationKind::Duplicate, RelationKind::Duplicate));
}
