//! The built-in assembly: a gearbox that is correct except for eleven faults, each with its explanation. They
//! cover every relation of two parts that is a fault.
//!
//! Three parallel shafts along z turn in ball bearings, which sit in a housing of two halves. An input gear
//! drives an output gear, which drives a pump's pinion. Neighbours that should not touch keep a gap of at
//! least 0.05 mm. Lengths are in millimetres. All coordinates and pose entries are exact in f32, so that a
//! GLB file keeps every bit.
mod shapes;
mod shell;

pub(crate) use self::shapes::{bolt, pipe, punched_plate};
use self::{
    shapes::{BALL_TRACK, BOLT_LENGTH, BOLTS, FLANGE, FLOOR, GAP, Holes, SHAFTS, WASHER},
    shell::snap,
};

use crate::circle::turn;
use impinge::{Mesh, Pose, relation::RelationKind};
use std::sync::Arc;

/// An assembly with a list of all its clashes.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The parts; no two have the same name.
    pub parts: Vec<ScenePart>,
    /// All pairs of parts that have a point in common.
    pub expected: Vec<ExpectedClash>,
}

/// A part of a scene.
#[derive(Clone, Debug)]
pub struct ScenePart {
    /// Name of the part.
    pub name: String,
    /// Shape, shared among equal parts.
    pub mesh: Arc<Mesh>,
    /// Pose.
    pub pose: Pose,
    /// Description of its fault, for the user.
    pub note: Option<&'static str>,
}

/// Two parts that were made to clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedClash {
    /// The faulty part.
    pub a: &'static str,
    /// The part that it clashes with.
    pub b: &'static str,
    /// Their relation; the first part is the one that [`Scene::parts`] names first.
    pub kind: RelationKind,
    /// The fault in a sentence, for the user.
    pub why: &'static str,
}

/// The faults of the [`gearbox`]: the faulty part, the other part, and the reason.
pub const FAULTS: [ExpectedClash; 11] = [
    ExpectedClash {
        a: "bolt_07",
        b: "housing_lower",
        kind: RelationKind::Overlap,
        why: "bolt 7 is 2 mm too long and bites 1 mm into the bottom of its hole",
    },
    ExpectedClash {
        a: "pump_pinion",
        b: "gear_2",
        kind: RelationKind::Overlap,
        why: "the pump pinion is a twentieth of a tooth out of phase: its flanks cut into gear 2",
    },
    ExpectedClash {
        a: "bearing_1_upper_inner_ring",
        b: "shaft_1",
        kind: RelationKind::Overlap,
        why: "the bearing sits 0.1 mm too deep: its inner ring cuts 0.05 mm into the shoulder of the shaft",
    },
    ExpectedClash {
        a: "washer_05",
        b: "housing_upper",
        kind: RelationKind::Touch,
        why: "the washer rests on the flange without the gap of the others: coplanar faces, distance 0",
    },
    ExpectedClash {
        a: "bearing_2_lower_ball_4",
        b: "bearing_2_lower_outer_ring",
        kind: RelationKind::Overlap,
        why: "the ball is 0.3 mm too far out and pierces the outer ring",
    },
    ExpectedClash {
        a: "speed_sensor",
        b: "shaft_2",
        kind: RelationKind::Touch,
        why: "the tip of the sensor touches the end face of the shaft in exactly one point",
    },
    ExpectedClash {
        a: "cable_clip_copy",
        b: "cable_clip",
        kind: RelationKind::Duplicate,
        why: "the clip was drawn twice: an exact duplicate in the same place",
    },
    ExpectedClash {
        a: "spare_ball",
        b: "shaft_3",
        kind: RelationKind::Contains,
        why: "a ball was left in the middle of the shaft, wholly inside it, where it touches nothing",
    },
    ExpectedClash {
        a: "name_plate",
        b: "cover_3_upper",
        kind: RelationKind::Pierce,
        why: "the plate was drawn as a surface without thickness, and goes 2 mm into the cover",
    },
    ExpectedClash {
        a: "inspection_label",
        b: "name_plate",
        kind: RelationKind::Meet,
        why: "two surfaces without thickness cross each other: neither has an inside",
    },
    ExpectedClash {
        a: "section_plane",
        b: "shaft_1",
        kind: RelationKind::SurfaceInside,
        why: "a plane that served for a section was left in the model: a surface inside the shaft",
    },
];

/// The gearbox: some 100,000 triangles, 12 bolts, 6 ball bearings, 3 gears, and [eleven
/// faults](Scene::expected).
pub fn gearbox() -> Scene {
    let mut scene = Scene { parts: Vec::new(), expected: FAULTS.to_vec() };
    add_housing(&mut scene);
    add_gear_train(&mut scene);
    add_bearings(&mut scene);
    add_bolts(&mut scene);
    add_covers(&mut scene);
    add_leftovers(&mut scene);
    scene
}

impl Scene {
    /// Number of triangles, each instance of a mesh counted.
    pub fn triangles(&self) -> usize {
        self.parts.iter().map(|p| p.mesh.len()).sum()
    }

    fn add(&mut self, name: impl Into<String>, mesh: &Arc<Mesh>, pose: Pose) {
        let name = name.into();
        let note = self.expected.iter().find(|clash| clash.a == name).map(|clash| clash.why);
        self.parts.push(ScenePart { name, mesh: Arc::clone(mesh), pose, note });
    }
}

fn add_housing(scene: &mut Scene) {
    scene.add("housing_lower", &Arc::new(shapes::housing(Holes::Blind)), upright([0.0; 3]));
    scene.add("housing_upper", &Arc::new(shapes::housing(Holes::Through)), upside_down([0.0; 3]));
    scene.add("gasket", &Arc::new(shapes::gasket()), upright([0.0; 3]));
}

fn add_gear_train(scene: &mut Scene) {
    const TEETH: [u32; 3] = [24, 36, 18];
    let key = Arc::new(shapes::key());
    let plain = Arc::new(shapes::shaft(30.0));
    let shafts = [Arc::new(shapes::shaft(60.0)), Arc::clone(&plain), plain];
    // Gear 1 has a tooth towards gear 2. Gear 2 is rotated by half a tooth, so that it has a gap towards both
    // others. The pinion would mesh without rotation: its twentieth of a tooth is a fault.
    let turns = [(0, 1), (1, 2 * TEETH[1]), (1, 20 * TEETH[2])];
    for (i, gear) in ["gear_1", "gear_2", "pump_pinion"].into_iter().enumerate() {
        let pose = turned(turns[i].0, turns[i].1, [SHAFTS[i], 0.0, 0.0]);
        scene.add(gear, &Arc::new(shapes::gear(TEETH[i])), pose);
        scene.add(format!("shaft_{}", i + 1), &shafts[i], pose);
        scene.add(format!("key_{}", i + 1), &key, pose);
    }
}

fn add_bearings(scene: &mut Scene) {
    const BALLS: u32 = 9;
    let (inner, outer) = (Arc::new(shapes::inner_ring()), Arc::new(shapes::outer_ring()));
    let ball = Arc::new(shapes::ball());
    for (i, x) in SHAFTS.into_iter().enumerate() {
        for (side, height) in [("lower", -22.95), ("upper", 22.95)] {
            let name = format!("bearing_{}_{side}", i + 1);
            let z = if name == "bearing_1_upper" { height - 0.1 } else { height };
            scene.add(format!("{name}_inner_ring"), &inner, upright([x, 0.0, z]));
            scene.add(format!("{name}_outer_ring"), &outer, upright([x, 0.0, z]));
            for k in 1..=BALLS {
                let name = format!("{name}_ball_{k}");
                let track = if name == "bearing_2_lower_ball_4" { BALL_TRACK + 0.3 } else { BALL_TRACK };
                let [c, s] = turn(i64::from(k), BALLS);
                scene.add(name, &ball, upright([x + track * c, track * s, z]));
            }
        }
    }
}

fn add_bolts(scene: &mut Scene) {
    let (bolt, long) = (Arc::new(shapes::bolt(BOLT_LENGTH)), Arc::new(shapes::bolt(BOLT_LENGTH + 2.0)));
    let washer = Arc::new(shapes::washer());
    for (i, [x, y]) in BOLTS.into_iter().enumerate() {
        let number = i + 1;
        // Each at its own angle, as after assembly by hand.
        let angle = 37 * number as i64;
        let name = format!("bolt_{number:02}");
        let mesh = if name == "bolt_07" { &long } else { &bolt };
        scene.add(name, mesh, turned(angle, 360, [x, y, FLANGE + GAP + WASHER + GAP]));
        let name = format!("washer_{number:02}");
        let gap = if name == "washer_05" { 0.0 } else { GAP };
        scene.add(name, &washer, turned(-angle, 360, [x, y, FLANGE + gap]));
    }
}

fn add_covers(scene: &mut Scene) {
    // Off the axis, so that the tip is on the face and not on one of its corners.
    const SENSOR_AT: [f64; 2] = [4.25, 1.75];
    let blind = Arc::new(shapes::cover(None));
    let for_input = Arc::new(shapes::cover(Some(([0.0; 2], shapes::INPUT))));
    let for_sensor = Arc::new(shapes::cover(Some((SENSOR_AT, shapes::SENSOR))));
    for (i, (x, upper)) in SHAFTS.into_iter().zip([&for_input, &for_sensor, &blind]).enumerate() {
        scene.add(format!("cover_{}_lower", i + 1), &blind, upside_down([x, 0.0, -FLOOR - GAP]));
        scene.add(format!("cover_{}_upper", i + 1), upper, upright([x, 0.0, FLOOR + GAP]));
    }
    let tip = [SHAFTS[1] + SENSOR_AT[0], SENSOR_AT[1], 30.0];
    scene.add("speed_sensor", &Arc::new(shapes::sensor()), upright(tip));
    let clip = Arc::new(shapes::clip());
    for name in ["cable_clip", "cable_clip_copy"] {
        scene.add(name, &clip, turned(1, 7, [-22.0, 42.0, FLOOR + GAP]));
    }
}

/// Shift without rotation.
fn upright(t: [f64; 3]) -> Pose {
    rigid(*Pose::IDENTITY.rows(), t)
}

/// Parts that do not belong there: a ball inside a shaft, and surfaces without thickness.
fn add_leftovers(scene: &mut Scene) {
    scene.add("spare_ball", &Arc::new(shapes::ball()), upright([SHAFTS[2], 0.0, 0.0]));
    let on_cover = upright([SHAFTS[2] + 10.0, 0.0, FLOOR + GAP + 4.0]);
    let plate = [[0.0, -6.0, -2.0], [0.0, 6.0, -2.0], [0.0, 6.0, 6.0], [0.0, -6.0, 6.0]];
    let label = [[-5.0, -4.0, 4.0], [5.0, -4.0, 4.0], [5.0, 4.0, 4.0], [-5.0, 4.0, 4.0]];
    let section = [[-8.0, 0.25, -25.0], [8.0, 0.25, -25.0], [8.0, 0.25, 25.0], [-8.0, 0.25, 25.0]];
    scene.add("name_plate", &Arc::new(shapes::sheet(plate)), on_cover);
    scene.add("inspection_label", &Arc::new(shapes::sheet(label)), on_cover);
    scene.add("section_plane", &Arc::new(shapes::sheet(section)), upright([SHAFTS[0], 0.0, 0.0]));
}

/// Half a turn about the x axis, then shifted.
fn upside_down(t: [f64; 3]) -> Pose {
    rigid([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]], t)
}

/// `k` / `n` of a turn about the z axis, then shifted. Orthonormal to the 1e-7 of f32.
fn turned(k: i64, n: u32, t: [f64; 3]) -> Pose {
    let [c, s] = turn(k, n).map(|x| f64::from(x as f32));
    rigid([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], t)
}

fn rigid(rows: [[f64; 3]; 3], t: [f64; 3]) -> Pose {
    // Rotations about an axis, all finite: these poses are always valid.
    Pose::rigid(rows, t.map(snap)).unwrap_or_else(|error| unreachable!("{error}"))
}

#[cfg(test)]
mod tests;
