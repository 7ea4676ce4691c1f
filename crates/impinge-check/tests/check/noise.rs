//! Parts that abut up to rounding: findings do not grow in a delivery of the same model in another place.
use impinge::{Mesh, Pose};
use impinge_check::{
    Assembly, Check, Date, Part, Report, Watch,
    baseline::{Baseline, Status, Why, Worse},
};
use impinge_demo::rng::Rng;
use std::path::Path;

const SIDE: f64 = 4.0;
/// Corners of a box, and its triangles.
const CORNERS: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [0.0, 1.0, 1.0],
    [1.0, 1.0, 1.0],
];
const BOX: [[u32; 3]; 12] = [
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
];

/// A turned box from `low`, or one side of it, moved as a whole.
fn part(name: &str, low: [f64; 3], triangles: &[[u32; 3]], rows: [[f64; 3]; 3], shift: f64) -> Part {
    let place = |corner: [f64; 3]| {
        let [x, y, z] = [0, 1, 2].map(|k| SIDE * corner[k] + low[k]);
        rows.map(|[a, b, c]| a * x + b * y + c * z + shift)
    };
    let mesh = Mesh::new(CORNERS.map(place).to_vec(), triangles.to_vec()).unwrap();
    Part::new(name, Path::new("m.obj"), mesh, Pose::IDENTITY)
}

/// A box, and a part that begins `gap` behind its end.
fn check(rows: [[f64; 3]; 3], shift: f64, (gap, is_sheet): (f64, bool)) -> Report {
    let mut assembly = Assembly::new();
    assembly.push(part("a", [0.0; 3], &BOX, rows, shift));
    // The side of the second box that lies on the first one. They share no corners.
    let other = if is_sheet { &BOX[8..10] } else { &BOX[..] };
    assembly.push(part("b", [SIDE + gap, 1.3, -0.7], other, rows, shift));
    Check::new().run(assembly, &Watch::new()).unwrap()
}

#[test]
fn rounding_does_not_grow() {
    let mut rng = Rng::new(49);
    let today = Date::from_days(20_000);
    let (mut known, mut grown) = (0, 0);
    for i in 0..400 {
        let (rows, is_sheet) = (rng.rotation(), i % 4 == 0);
        let first = check(rows, 0.0, (0.0, is_sheet)).with_baseline(Baseline::new(), today, Worse::default());
        let baseline = first.updated(&Baseline::new(), today).unwrap();
        let shift = 0.1 * rng.int(1, 90) as f64;
        let second = check(rows, shift, (0.0, is_sheet)).with_baseline(&baseline, today, Worse::default());
        for (i, _) in second.findings().iter().enumerate() {
            let seen = second.status(i).unwrap();
            assert_ne!(seen.why, Some(Why::Grew), "{rows:?} {shift} {is_sheet}");
            known += u32::from(seen.status == Status::Active);
        }
        // Real growth is found, also after the file was read again.
        if !first.findings().is_empty() {
            let read = Baseline::parse("b", &baseline.to_text()).unwrap();
            let deeper = check(rows, shift, (-0.25, is_sheet)).with_baseline(&read, today, Worse::default());
            let seen = deeper.status(0).unwrap();
            assert!(matches!(seen.why, Some(Why::Grew | Why::Graver)), "{seen:?} {rows:?} {is_sheet}");
            grown += 1;
        }
    }
    assert!(known > 50 && grown > 100, "{known} {grown}");
}
