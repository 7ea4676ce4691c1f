//! Parts made of overlapping shells: the interval of their common volume with another part is no wider.
use super::{cuboid, determinant, image, joined, model, reversed, still};
use impinge::{Body, Pose, Query, penetration::PenetrationParts, solid::FillRule};
use impinge_testkit::{cases::is_full, rng::Rng};

type Box3 = [[f64; 3]; 2];

/// A plate and a rib on it, which reaches down to its bottom: both have 10,000 in common.
fn plate_with_rib() -> Vec<[[f64; 3]; 3]> {
    joined([cuboid([0.0; 3], [100.0, 100.0, 10.0]), cuboid([0.0, 45.0, 0.0], [100.0, 55.0, 60.0])])
}

#[test]
fn shells_that_meet_elsewhere_do_not_widen_the_volume() {
    let boss = cuboid([60.0, 60.0, 8.0], [70.0, 70.0, 20.0]);
    let bracket = cuboid([99.5, 0.0, 2.0], [110.0, 20.0, 8.0]);
    let wanted = PenetrationParts::new().overlap_volume(true);
    let mut query = Query::new();
    let turned = ([[0.625, -0.5, 0.25], [0.375, 1.125, -0.5], [-0.25, 0.75, 0.875]], [100.5, -3.0, 0.25]);
    for (other, volume) in [(&boss, 200.0), (&bracket, 60.0)] {
        for flip in 0..4 {
            let own = |x: &[[[f64; 3]; 3]], k: usize| {
                if flip >> k & 1 == 0 { x.to_vec() } else { reversed(x.to_vec()) }
            };
            let [a, b] = [model(&own(&plate_with_rib(), 0)), model(&own(other, 1))];
            let (rows, t) = turned;
            let pose = Pose::affine(rows, t).unwrap();
            let mapped =
                model(&own(other, 1).iter().map(|c| c.map(|v| image(&rows, &t, v))).collect::<Vec<_>>());
            let bodies = [
                (still(&a), still(&b), 1.0),
                (Body::new(&a, pose), Body::new(&b, pose), determinant(&rows).abs()),
                (Body::new(&a, pose), still(&mapped), determinant(&rows).abs()),
            ];
            for (i, (a, b, stretch)) in bodies.iter().enumerate() {
                for (a, b) in [(a, b), (b, a)] {
                    let [lo, hi] = query.penetration(a, b, &wanted).overlap_volume.unwrap();
                    let truth = volume * stretch;
                    assert!(
                        lo <= truth && truth <= hi && hi - lo < 1e-9 * truth,
                        "{i} {flip}: {lo} {truth} {hi}"
                    );
                }
            }
        }
    }
}

/// Numbers of unit cells: in both of two parts of boxes, in the first, in the second.
fn cells(parts: [&[Box3]; 2]) -> [f64; 3] {
    let within = |boxes: &[Box3], p: [f64; 3]| {
        boxes.iter().any(|[lo, hi]| (0..3).all(|k| lo[k] < p[k] && p[k] < hi[k]))
    };
    let mut counts = [0.0; 3];
    for i in 0..12 * 12 * 12 {
        let p = [i % 12, i / 12 % 12, i / 144].map(|x| f64::from(x) + 0.5);
        let [a, b] = parts.map(|boxes| within(boxes, p));
        for (count, is) in counts.iter_mut().zip([a && b, a, b]) {
            *count += f64::from(u8::from(is));
        }
    }
    counts
}

/// Parts of one to four boxes on a grid: the interval contains the volume, is within both parts' own, and is
/// mostly narrow.
#[test]
fn boxes_have_the_volume_of_their_cells() {
    let (mut rng, mut query) = (Rng::new(4905), Query::new());
    let mut odd = Query::new().fill_rule(FillRule::EvenOdd);
    let wanted = PenetrationParts::new().overlap_volume(true);
    let (mut narrow, mut wide, mut wider) = (0, 0, 0);
    for round in 0..if is_full() { 20_000 } else { 1_000 } {
        let parts = [0; 2].map(|_| {
            let count = if rng.one_in(2) { 1 } else { rng.int(2, 4) };
            let boxes: Vec<Box3> = (0..count)
                .map(|_| {
                    let lo = [0; 3].map(|_: i64| rng.int(0, 8));
                    [lo, lo.map(|lo| lo + rng.int(1, 4))].map(|corner| corner.map(|x| x as f64))
                })
                .collect();
            boxes
        });
        let [common, a, b] = cells(parts.each_ref().map(|part| &part[..]));
        let meshes = parts.each_ref().map(|part| {
            let mesh = joined(part.iter().map(|[lo, hi]| cuboid(*lo, *hi)));
            model(&if rng.one_in(4) { reversed(mesh) } else { mesh })
        });
        let [one, other] = meshes.each_ref().map(still);
        if query.relation(&one, &other).kind == impinge::relation::RelationKind::Duplicate {
            continue;
        }
        let context = format!("{round}: {parts:?}");
        let [lo, hi] = query.penetration(&one, &other, &wanted).overlap_volume.unwrap();
        assert!(lo <= common && common <= hi, "{context}: {lo} {common} {hi}");
        // For parts of at most two boxes. With more, an overlap of two may be in a third.
        if parts.iter().all(|part| part.len() <= 2) {
            let most = a.min(b) * (1.0 + 1e-9) + 1e-9;
            assert!(hi <= most, "{context}: {hi} {a} {b}");
        }
        if let Some([lo, hi]) = odd.penetration(&one, &other, &wanted).overlap_volume {
            assert!(0.0 <= lo && lo <= hi, "{context}: {lo} {hi}");
        }
        let is_narrow = hi - lo <= 1e-9 * hi;
        narrow += usize::from(common > 0.0 && is_narrow);
        wide += usize::from(common > 0.0 && !is_narrow);
        wider += usize::from(hi > 2.0 * common && common > 0.0);
    }
    println!("{narrow} narrow, {wide} wide, {wider} more than twice as large");
    assert!(narrow > 2 * wide && wider * 20 < narrow, "{narrow} {wide} {wider}");
}
