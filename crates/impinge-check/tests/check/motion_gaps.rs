//! Tests of gaps along poses, over boxes at integer places and quarter turns: squares of distances are
//! integers.
use impinge::{Mesh, Pose};
use impinge_check::{
    Assembly, Check, Date, FindingKind, Part, Report, Rules, Watch,
    baseline::{Baseline, Fate, Worse},
    report::PairDecision,
};
use impinge_demo::rng::Rng;
use std::{path::Path, sync::Arc};

const RULES: &str = r#"
    version = 1
    [[test]]
    name = "clear"
    find = "min-gap"
    a = { name = "arm*" }
    b = "*"
    poses = "arm.npy"
    clearance = 3
    [[ignore]]
    reason = "the foot holds it"
    a = { name = "foot" }
    test = "clear"
"#;

/// An integer box: its least and its greatest corner.
type Box = [[i64; 3]; 2];

/// A quarter turn around an axis, or none, and a shift.
#[derive(Clone, Copy)]
struct Motion {
    rows: [[i64; 3]; 3],
    shift: [i64; 3],
}

impl Motion {
    fn random(rng: &mut Rng) -> Self {
        let rows = *rng.pick(&[
            [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
            [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
            [[0, 0, 1], [0, 1, 0], [-1, 0, 0]],
        ]);
        Self { rows, shift: [0; 3].map(|_: i64| rng.int(-9, 9)) }
    }
    fn pose(&self) -> Pose {
        Pose::rigid(self.rows.map(|row| row.map(|x| x as f64)), self.shift.map(|x| x as f64)).unwrap()
    }
    fn apply(&self, all: Box) -> Box {
        let at = |p: [i64; 3]| {
            [0, 1, 2].map(|i| (0..3).map(|k| self.rows[i][k] * p[k]).sum::<i64>() + self.shift[i])
        };
        let [p, q] = all.map(at);
        [[0, 1, 2].map(|k| p[k].min(q[k])), [0, 1, 2].map(|k| p[k].max(q[k]))]
    }
}

fn square_of_gap(a: &Box, b: &Box) -> i64 {
    (0..3).map(|k| (a[0][k] - b[1][k]).max(b[0][k] - a[1][k]).max(0).pow(2)).sum()
}

struct World {
    names: Vec<&'static str>,
    boxes: Vec<Box>,
    assembly: Arc<Assembly>,
    motions: Vec<Motion>,
}

impl World {
    fn new(rng: &mut Rng) -> Self {
        let names = vec!["arm 1", "foot", "arm 2", "guard 1", "guard 2", "guard 3"];
        let mut assembly = Assembly::new();
        let mut boxes = Vec::new();
        for name in &names {
            let half = [0; 3].map(|_: i64| rng.int(1, if name.starts_with("guard") { 6 } else { 2 }));
            let motion = Motion::random(rng);
            let mesh = Mesh::cuboid(half.map(|x| 2.0 * x as f64)).unwrap();
            let centred = mesh.points().iter().all(|p| (0..3).all(|k| p[k].abs() == half[k] as f64));
            let low = if centred { half.map(|x| -x) } else { [0; 3] };
            let own = [low, [0, 1, 2].map(|k| low[k] + 2 * half[k])];
            boxes.push(motion.apply(own));
            assembly.push(Part::new(*name, Path::new("cell.obj"), mesh, motion.pose()));
        }
        let motions = (0..rng.int(1, 12)).map(|_| Motion::random(rng)).collect();
        Self { names, boxes, assembly: Arc::new(assembly), motions }
    }
    fn check(&self, threads: u16) -> Report {
        let poses: Vec<Pose> = self.motions.iter().map(Motion::pose).collect();
        let rules = Rules::parse("impinge.toml", RULES).unwrap();
        assert_eq!(rules.missing_poses(), ["arm.npy"]);
        let rules = rules.with_poses("arm.npy", poses);
        assert!(rules.missing_poses().is_empty());
        let check = Check::new().rules(rules, Date::from_days(0)).threads(threads);
        check.run(Arc::clone(&self.assembly), &Watch::new()).unwrap()
    }
    /// For each pair of an arm and another part but the foot, the least square of the gap, and the first pose
    /// with it.
    fn expected(&self) -> Vec<([u32; 2], i64, u32)> {
        let is_arm = |i: usize| self.names[i].starts_with("arm");
        let mut all = Vec::new();
        for a in 0..self.names.len() {
            for b in (a + 1..self.names.len()).filter(|&b| is_arm(a) != is_arm(b)) {
                if [a, b].iter().any(|&i| self.names[i] == "foot") {
                    continue;
                }
                let (arm, other) = if is_arm(a) { (a, b) } else { (b, a) };
                let gaps = self
                    .motions
                    .iter()
                    .map(|motion| square_of_gap(&motion.apply(self.boxes[arm]), &self.boxes[other]));
                let (gap, pose) = gaps.zip(0..).min().unwrap();
                all.push(([a as u32, b as u32], gap, pose));
            }
        }
        all.retain(|&(_, gap, _)| gap <= 9);
        all
    }
}

#[test]
fn gaps_are_those_of_the_grid() {
    let mut rng = Rng::new(4036);
    let (mut zero, mut exactly_there, mut apart) = (0, 0, 0);
    for _ in 0..150 {
        let world = World::new(&mut rng);
        let report = world.check(1);
        let expected = world.expected();
        let gaps = report.motion_gaps().unwrap();
        let found: Vec<_> = gaps.iter().map(|gap| (gap.parts, gap.pose)).collect();
        let pairs: Vec<_> = expected.iter().map(|&(pair, _, pose)| (pair, pose)).collect();
        assert_eq!(found, pairs);
        for (gap, &(_, square, pose)) in gaps.iter().zip(&expected) {
            let length = (square as f64).sqrt();
            assert!(gap.distance[0] <= length && length <= gap.distance[1], "{gap:?} {square}");
            assert!(gap.distance[1] <= gap.distance[0].next_up().next_up(), "{gap:?}");
            assert!(world.names[gap.moving as usize].starts_with("arm"));
            // Each point is in its part at that pose.
            let motion = &world.motions[pose as usize];
            for (part, point) in gap.parts.into_iter().zip(gap.points) {
                let own = world.boxes[part as usize];
                let at = if part == gap.moving { motion.apply(own) } else { own };
                let is_in =
                    |k: usize| at[0][k] as f64 - 1e-12 <= point[k] && point[k] <= at[1][k] as f64 + 1e-12;
                assert!((0..3).all(is_in), "{gap:?} {at:?}");
            }
            zero += u32::from(square == 0);
            exactly_there += u32::from(square == 9);
        }
        let test = &report.tests()[0];
        assert_eq!((test.asked, test.ignored, test.not_examined), (8, 2, 0));
        assert_eq!(test.asked, test.ignored + test.boxes_apart + test.tested);
        assert_eq!(test.findings, expected.len() as u64);
        apart += u64::from(test.boxes_apart > 0);
        assert!(report.findings().iter().all(|finding| finding.kind == FindingKind::MinGap));
        assert_eq!(report.ignores()[0].pairs, 2);
        assert!(report.warnings().is_empty(), "{:?}", report.warnings());
        assert_eq!(world.check(2).motion_gaps(), report.motion_gaps());
        for (pair, decision) in [
            ([0, 1], PairDecision::Removed(0)),
            ([0, 2], PairDecision::NotAsked),
            ([3, 4], PairDecision::NotAsked),
        ] {
            assert_eq!(report.explain(pair)[0].decision, decision, "{pair:?}");
        }
    }
    assert!(zero > 100 && exactly_there > 5 && apart > 5, "{zero} {exactly_there} {apart}");
}

#[test]
fn a_baseline_follows_gaps_along_poses() {
    let at = |x: i64| {
        let mut assembly = Assembly::new();
        for (name, place) in [("arm", [0.0; 3]), ("guard", [x as f64, 0.0, 0.0])] {
            let pose = Pose::from_translation(place).unwrap();
            assembly.push(Part::new(name, Path::new("cell.obj"), Mesh::cuboid([1.0; 3]).unwrap(), pose));
        }
        let rules = Rules::parse("r", RULES).unwrap();
        let rules =
            rules.with_poses("arm.npy", [Pose::IDENTITY, Pose::from_translation([2.0, 0.0, 0.0]).unwrap()]);
        Check::new().rules(rules, Date::from_days(0)).run(assembly, &Watch::new()).unwrap()
    };
    let today = Date::from_days(1);
    let first = at(6).with_baseline(Baseline::new(), today, Worse::default());
    assert_eq!(first.listed(), 1);
    let baseline = first.updated(&Baseline::new(), today).unwrap();
    // Nearer is worse; further away than the clearance is resolved.
    assert_eq!(at(6).with_baseline(&baseline, today, Worse::default()).listed(), 0);
    assert_eq!(at(5).with_baseline(&baseline, today, Worse::default()).listed(), 1);
    let gone = at(9).with_baseline(&baseline, today, Worse::default());
    assert_eq!(gone.comparison().unwrap().gone()[0].fate, Fate::Resolved);
}

#[test]
fn what_is_wrong_with_a_motion_is_one_error() {
    let rules = |text: &str| Rules::parse("r", text).map_err(|error| error.to_string());
    let test = "version = 1\n[[test]]\nname = \"t\"\nfind = \"min-gap\"\na = \"*\"\n";
    assert!(rules(test).unwrap_err().contains("needs 'poses'"), "{}", rules(test).unwrap_err());
    let error = rules(&format!("{test}poses = \"p\"\ntolerance = 1\n")).unwrap_err();
    assert!(error.contains("r:7:13: 'tolerance' has no meaning in a test of gaps along poses"), "{error}");
    let error = rules("version = 1\n[[test]]\nname = \"t\"\na = \"*\"\nposes = \"p\"").unwrap_err();
    assert!(error.contains("'poses' has no meaning in a test of pairs"), "{error}");
    let known = rules(&format!("{test}poses = \"p\"\n")).unwrap();
    let mut assembly = Assembly::new();
    for name in ["a", "b"] {
        assembly.push(Part::from_mesh(name, Mesh::cuboid([1.0; 3]).unwrap(), Pose::IDENTITY));
    }
    let check = Check::new().rules(known, Date::from_days(0));
    let error = check.run(assembly, &Watch::new()).map(drop).unwrap_err().to_string();
    assert_eq!(error, "r:2: the poses 'p' are not given");
}
