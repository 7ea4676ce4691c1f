//! The scenes of sweeps.
use impinge::Pose;
use impinge_testkit::sweeps;

/// Other libraries get the motion, we the path.
#[test]
fn motions_are_the_paths() {
    for scene in sweeps::scenes() {
        let sweeps::SweepMotion { start, way, turn } = scene.motion;
        let size = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        for t in [0.0, 0.3, 1.0] {
            let axis = if size == 0.0 { [1.0, 0.0, 0.0] } else { turn };
            let turned = Pose::from_axis_angle(axis, t * size, [0.0; 3]).expect("a rotation");
            let path = scene.path.at(t);
            for (i, way) in way.iter().enumerate() {
                let at = start.translation()[i] + t * way;
                assert!((path.translation()[i] - at).abs() < 1e-9, "{}, {t}", scene.name);
                for j in 0..3 {
                    let entry: f64 = (0..3).map(|k| turned.rows()[i][k] * start.rows()[k][j]).sum();
                    assert!((path.rows()[i][j] - entry).abs() < 1e-12, "{}, {t}", scene.name);
                }
            }
        }
    }
}
