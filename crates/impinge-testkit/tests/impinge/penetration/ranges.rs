//! Coordinates so large or small that f64 over- or underflows: numbers that f64 cannot bound are missing,
//! and every number is right.
use super::{cuboid, joined, model, still};
use impinge::{
    Body, Model, Pose, Query,
    penetration::{Penetration, PenetrationParts},
};

fn penetration(a: &Body<'_>, b: &Body<'_>) -> Penetration {
    let mut query = Query::new();
    assert!(query.relation(a, b).overlaps());
    query.penetration(a, b, &PenetrationParts::all())
}

fn moved(model: &Model, rows: [[f64; 3]; 3], t: [f64; 3]) -> Body<'_> {
    Body::new(model, Pose::affine(rows, t).unwrap())
}

fn scaled(x: f64) -> [[f64; 3]; 3] {
    [[x, 0.0, 0.0], [0.0, x, 0.0], [0.0, 0.0, x]]
}

const QUARTER: [[f64; 3]; 3] = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];

/// Numbers that overflow are NaN, which minima ignore.
#[test]
fn bodies_too_large_to_be_placed_are_not_said_to_be_apart() {
    for size in [1e151, 1e301] {
        let cube = model(&cuboid([-size; 3], [size; 3]));
        for t in [[0.0; 3], [size / 2.0, 0.0, 0.0]] {
            for rows in [QUARTER, scaled(1.0)] {
                let found = penetration(&still(&cube), &moved(&cube, rows, t));
                assert_eq!(
                    (found.separating_translation, found.depth_at_least),
                    (None, None),
                    "{size:e} {t:?}"
                );
                assert_eq!(found.overlap_volume, None);
            }
        }
    }
    let cube = model(&cuboid([-1e140; 3], [1e140; 3]));
    let found = penetration(&still(&cube), &moved(&cube, QUARTER, [1e140, 0.0, 0.0]));
    assert!(found.separating_translation.unwrap()[0] >= 1e140 && found.overlap_volume.is_none());
}

/// Two shells have winding number 2 on one side of a plane through a smaller body, and 1 on the other.
#[test]
fn what_winds_round_more_than_f64_holds_is_not_known() {
    for l in [1e10, 1e110] {
        let many = model(&joined([
            cuboid([-4.0 * l, -l, -2.0 * l], [0.0, 3.0 * l, 2.0 * l]),
            cuboid([-2.0 * l, -l / 2.0, -l], [0.5, 1.5 * l, l]),
            cuboid([5.0 * l; 3], [6.0 * l; 3]),
        ]));
        let small = model(&cuboid([-1.0; 3], [1.0; 3]));
        let found = penetration(&still(&many), &still(&small)).overlap_volume;
        assert!(found.is_none_or(|[lo, hi]| lo <= 6.0 && 6.0 <= hi), "{l:e}: {found:?}");
    }
}

#[test]
fn a_volume_is_not_0_where_a_part_of_it_underflows() {
    let small = model(&cuboid([0.0; 3], [1e-110; 3]));
    let found = penetration(&moved(&small, scaled(1e100), [0.0; 3]), &still(&small));
    let [lo, hi] = found.overlap_volume.unwrap();
    assert!(lo <= 1e-330 && 0.0 < hi && hi < 1e-300, "{lo:e} {hi:e}");
    // At the same pose both bodies stay in their meshes' coordinates.
    let half = model(&cuboid([5e-111, 0.0, 0.0], [15e-111, 1e-110, 1e-110]));
    let rows = scaled(1e100);
    let found = penetration(&moved(&small, rows, [0.0; 3]), &moved(&half, rows, [0.0; 3]));
    let [lo, hi] = found.overlap_volume.unwrap();
    assert!(lo <= 5e-31 && 5e-31 <= hi * (1.0 + 1e-12), "{lo:e} {hi:e}");
    // 1e-170 * 1e-170 underflows.
    let long = model(&cuboid([0.0; 3], [1e-170, 1e-170, 1e140]));
    let found = penetration(&still(&long), &moved(&long, scaled(1.0), [0.0, 0.0, 5e139]));
    let [lo, hi] = found.overlap_volume.unwrap();
    assert!(lo <= 5e-201 && 5e-201 <= hi, "{lo:e} {hi:e}");
}
