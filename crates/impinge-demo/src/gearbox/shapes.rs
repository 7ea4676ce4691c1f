//! The shapes of the gearbox, each around the z axis of its own frame. Millimetres.
use super::shell::{
    Facing::{In, Out},
    Look::{Down, Up},
    Loop, Shell, circle, mesh, rounded_rectangle, snap,
};
use crate::{
    circle::{sin_cos, turn},
    icosphere,
};
use impinge::Mesh;
use std::f64::consts::PI;

/// Gap between parts that do not touch.
pub(super) const GAP: f64 = 0.05;
/// Module of all gears.
pub(super) const MODULE: f64 = 2.5;
/// Circumferential backlash between a tooth and its gap.
const BACKLASH: f64 = 0.1;
/// Half the width of the gears.
const GEAR_HALF: f64 = 10.0;
/// Number of corners of the shafts, and of their bores.
const ROUND: u32 = 64;
const SHAFT: f64 = 12.0;
const SEAT: f64 = 10.0;
/// Half the width of a keyway, and its end along the shaft.
const KEYWAY: f64 = 3.05;
const KEYWAY_END: f64 = 9.05;

/// Radius of a regular bore of `n` sides that clears a shaft of radius `r` by [`GAP`], also in the middle of
/// its sides.
fn around(r: f64, n: u32) -> f64 {
    (r + GAP) / turn(1, 2 * n)[0]
}

/// An involute spur gear with a tooth on the x axis: pressure angle 20 degrees, addendum 1 and dedendum 1.25
/// modules, on a bore with a keyway.
///
/// The flanks are the involute of the base circle from there to the tip; between base and root circle they
/// are radial. Chords of the flank lie inside the tooth, so that two gears keep their distance.
pub(super) fn gear(teeth: u32) -> Mesh {
    let (outline, bore) = (gear_outline(teeth), keyed_bore());
    let mut shell = Shell::new();
    shell.face(-GEAR_HALF, &[&outline, &bore], Down);
    shell.wall(&outline, -GEAR_HALF, GEAR_HALF, 4, Out);
    shell.wall(&bore, -GEAR_HALF, GEAR_HALF, 4, In);
    shell.face(GEAR_HALF, &[&outline, &bore], Up);
    shell.finish()
}

fn gear_outline(teeth: u32) -> Loop {
    const FLANK: u32 = 10;
    const ROOT: u32 = 4;
    let pressure = PI / 9.0;
    let (sin, cos) = sin_cos(pressure);
    let pitch = MODULE * f64::from(teeth) / 2.0;
    let (base, tip, root) = (pitch * cos, pitch + MODULE, pitch - 1.25 * MODULE);
    // Half a tooth's angle on the base circle. On the pitch circle it is a quarter of the pitch, less a
    // quarter of the backlash. The involute of the pressure angle adds the rest.
    let half = PI / f64::from(2 * teeth) - BACKLASH / 4.0 / pitch + (sin / cos - pressure);
    // The lower flank from root to tip, for a tooth on the x axis; the upper one mirrors it.
    let (sin, cos) = sin_cos(-half);
    let mut flank = vec![[root * cos, root * sin]];
    let roll_at_tip = ((tip / base) * (tip / base) - 1.0).sqrt();
    for i in 0..=FLANK {
        let roll = roll_at_tip * f64::from(i) / f64::from(FLANK);
        let (s, c) = sin_cos(roll);
        let [x, y] = [base * (c + roll * s), base * (s - roll * c)];
        flank.push([x * cos - y * sin, x * sin + y * cos]);
    }
    let mut tooth = flank.clone();
    tooth.push([tip, 0.0]);
    tooth.extend(flank.iter().rev().map(|[x, y]| [*x, -y]));
    let space = 2.0 * PI / f64::from(teeth) - 2.0 * half;
    for i in 1..ROOT {
        let (s, c) = sin_cos(half + space * f64::from(i) / f64::from(ROOT));
        tooth.push([root * c, root * s]);
    }
    let mut outline = Vec::with_capacity(tooth.len() * teeth as usize);
    for k in 0..teeth {
        let [c, s] = turn(i64::from(k), teeth);
        outline.extend(tooth.iter().map(|[x, y]| [snap(x * c - y * s), snap(x * s + y * c)]));
    }
    outline
}

/// The circle of radius `r` with a slot on the x axis whose far side is at `depth`, outside or inside the
/// circle. The second result is the arc that the slot replaces, with its corners.
fn slotted(r: f64, depth: f64) -> (Loop, Loop) {
    let corner = snap((r * r - KEYWAY * KEYWAY).sqrt());
    let width = snap(KEYWAY);
    let (in_slot, mut out): (Loop, Loop) =
        circle([0.0; 2], r, ROUND).into_iter().partition(|[x, y]| *x > 0.0 && y.abs() <= width);
    // The circle starts in the slot: its points there, in order, are first those above the axis.
    let (above, mut arc): (Loop, Loop) = in_slot.into_iter().partition(|[_, y]| *y >= 0.0);
    arc.extend(above);
    arc.insert(0, [corner, -width]);
    arc.push([corner, width]);
    out.extend([[corner, -width], [snap(depth), -width], [snap(depth), width], [corner, width]]);
    (out, arc)
}

fn keyed_bore() -> Loop {
    slotted(around(SHAFT, ROUND), 14.35).0
}

/// A shaft with two bearing seats and a keyway; the seats end at -30 and at `top`.
pub(super) fn shaft(top: f64) -> Mesh {
    const SHOULDER: f64 = 17.9;
    let (slot, arc) = slotted(SHAFT, 9.5);
    // The full circle with the slot's corners, and the part that the slot removes.
    let bottom = slot.len() - 3;
    let mut full: Loop = slot[..bottom - 1].to_vec();
    full.extend(&arc);
    let mut taken = arc;
    taken.extend([slot[bottom + 1], slot[bottom]]);
    let seat = circle([0.0; 2], SEAT, ROUND);
    let mut shell = Shell::new();
    shell.face(-30.0, &[&seat], Down);
    shell.wall(&seat, -30.0, snap(-SHOULDER), 2, Out);
    shell.face(snap(-SHOULDER), &[&full, &seat], Down);
    shell.wall(&full, -SHOULDER, -KEYWAY_END, 1, Out);
    shell.face(snap(-KEYWAY_END), &[&taken], Up);
    shell.wall(&slot, -KEYWAY_END, KEYWAY_END, 2, Out);
    shell.face(snap(KEYWAY_END), &[&taken], Down);
    shell.wall(&full, KEYWAY_END, SHOULDER, 1, Out);
    shell.face(snap(SHOULDER), &[&full, &seat], Up);
    shell.wall(&seat, SHOULDER, top, 2, Out);
    shell.face(top, &[&seat], Up);
    shell.finish()
}

/// The key between shaft and gear.
pub(super) fn key() -> Mesh {
    let outline: Loop = [[9.55, -3.0], [14.3, -3.0], [14.3, 3.0], [9.55, 3.0]].map(|p| p.map(snap)).to_vec();
    plate(&[&outline], -9.0, 9.0)
}

/// An upright prism over the points inside an odd number of loops: the first is the outline, the others are
/// holes in it.
fn plate(loops: &[&Loop], low: f64, high: f64) -> Mesh {
    let (low, high) = (snap(low), snap(high));
    let mut shell = Shell::new();
    shell.face(low, loops, Down);
    for (i, outline) in loops.iter().enumerate() {
        shell.wall(outline, low, high, 1, if i == 0 { Out } else { In });
    }
    shell.face(high, loops, Up);
    shell.finish()
}

/// Radius of the track of a bearing's balls, and radius of a ball.
pub(super) const BALL_TRACK: f64 = 14.0;
const BALL: f64 = 2.4;
/// The rings' grooves leave 0.1 mm around a ball; facets use a third of it.
const GROOVE: f64 = 2.5;
const BEARING_HALF: f64 = 5.0;
const BEARING_RADIUS: f64 = 18.0;
const BEARING_ROUND: u32 = 40;

/// The groove's points (radius, z), upwards: `side` -1 for the inner ring's, +1 for the outer ring's.
fn groove(side: f64) -> Vec<[f64; 2]> {
    // Twelve steps between the angles -0.875 and 0.875 at which the groove meets the ring's shoulders, 1.6 mm
    // from the track.
    (-6..=6)
        .map(|k| {
            let (s, c) = sin_cos(f64::from(k) / 6.0 * 0.875);
            [BALL_TRACK + side * GROOVE * c, GROOVE * s]
        })
        .collect()
}

/// The inner ring of a ball bearing, midway between its faces.
pub(super) fn inner_ring() -> Mesh {
    let bore = around(SEAT, BEARING_ROUND);
    let shoulder = groove(-1.0)[0][0];
    let mut profile = vec![[bore, BEARING_HALF], [bore, -BEARING_HALF], [shoulder, -BEARING_HALF]];
    profile.extend(groove(-1.0));
    profile.extend([[shoulder, BEARING_HALF], [bore, BEARING_HALF]]);
    let mut shell = Shell::new();
    shell.revolve(&profile, BEARING_ROUND);
    shell.finish()
}

/// The outer ring of a ball bearing, midway between its faces.
pub(super) fn outer_ring() -> Mesh {
    let shoulder = groove(1.0)[0][0];
    let mut profile =
        vec![[BEARING_RADIUS, -BEARING_HALF], [BEARING_RADIUS, BEARING_HALF], [shoulder, BEARING_HALF]];
    profile.extend(groove(1.0).iter().rev());
    profile.extend([[shoulder, -BEARING_HALF], [BEARING_RADIUS, -BEARING_HALF]]);
    let mut shell = Shell::new();
    shell.revolve(&profile, BEARING_ROUND);
    shell.finish()
}

pub(super) fn ball() -> Mesh {
    let unit = icosphere(2);
    let points = unit.points().iter().map(|p| p.map(|c| snap(BALL * c))).collect();
    mesh(points, unit.triangles().to_vec())
}

/// Positions of the shafts on the x axis: their distances are the sums of the gears' pitch radii.
pub(super) const SHAFTS: [f64; 3] = [-60.0, 15.0, 82.5];
/// Positions of the bolts in the flange.
pub(super) const BOLTS: [[f64; 2]; 12] = [
    [-88.0, 66.0],
    [-40.0, 66.0],
    [8.0, 66.0],
    [56.0, 66.0],
    [104.0, 66.0],
    [126.0, 0.0],
    [104.0, -66.0],
    [56.0, -66.0],
    [8.0, -66.0],
    [-40.0, -66.0],
    [-88.0, -66.0],
    [-111.0, 0.0],
];
/// Outer face of the housing's floor, and outer face of its flange, below the plane between the halves.
pub(super) const FLOOR: f64 = 32.0;
pub(super) const FLANGE: f64 = 12.0;
const BOLT: f64 = 3.0;
/// Thickness of washers and gasket.
pub(super) const WASHER: f64 = 1.5;
const GASKET: f64 = 1.0;

fn flange_outline() -> Loop {
    rounded_rectangle([-118.0, -73.0], [133.0, 73.0], 20.0)
}
fn cavity_outline() -> Loop {
    rounded_rectangle([-96.0, -51.0], [111.0, 51.0], 12.0)
}
fn bolt_holes() -> Vec<Loop> {
    BOLTS.iter().map(|&at| circle(at, BOLT + 0.3, 32)).collect()
}

/// Kind of end of the bolt holes of a housing half.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Holes {
    Through,
    Blind,
}

/// Half a housing: a tub that opens upwards just below z = 0, with a flange, and three bearing seats in the
/// floor.
pub(super) fn housing(holes: Holes) -> Mesh {
    const INSIDE: f64 = -16.0;
    const SEAT_FLOOR: f64 = -28.0;
    let blind_end = snap(-0.5 * GASKET - GAP - 9.0);
    let rim = snap(-0.5 * GASKET - GAP);
    let body = rounded_rectangle([-104.0, -59.0], [119.0, 59.0], 20.0);
    let (flange, cavity, bolts) = (flange_outline(), cavity_outline(), bolt_holes());
    let passages = SHAFTS.map(|x| circle([x, 0.0], SEAT + 1.0, ROUND));
    let seats = SHAFTS.map(|x| circle([x, 0.0], around(BEARING_RADIUS, 96), 96));
    let with = |outer: &[&'_ Loop], inner: &[Loop]| -> Vec<Loop> {
        outer.iter().map(|l| (*l).clone()).chain(inner.iter().cloned()).collect()
    };
    let mut shell = Shell::new();
    let face = |shell: &mut Shell, z, loops: Vec<Loop>, look| {
        shell.face(z, &loops.iter().collect::<Vec<_>>(), look);
    };
    face(&mut shell, -FLOOR, with(&[&body], &passages), Down);
    shell.wall(&body, -FLOOR, -FLANGE, 1, Out);
    let through: &[Loop] = if holes == Holes::Through { &bolts } else { &[] };
    face(&mut shell, -FLANGE, with(&[&flange, &body], through), Down);
    shell.wall(&flange, -FLANGE, rim, 1, Out);
    face(&mut shell, rim, with(&[&flange, &cavity], &bolts), Up);
    shell.wall(&cavity, INSIDE, rim, 1, In);
    face(&mut shell, INSIDE, with(&[&cavity], &seats), Up);
    for (seat, passage) in seats.iter().zip(&passages) {
        shell.wall(seat, SEAT_FLOOR, INSIDE, 2, In);
        shell.face(SEAT_FLOOR, &[seat, passage], Up);
        shell.wall(passage, -FLOOR, SEAT_FLOOR, 1, In);
    }
    for hole in &bolts {
        match holes {
            Holes::Through => shell.wall(hole, -FLANGE, rim, 2, In),
            Holes::Blind => {
                shell.wall(hole, blind_end, rim, 2, In);
                shell.face(blind_end, &[hole], Up);
            }
        }
    }
    shell.finish()
}

/// The gasket between the halves of the housing.
pub(super) fn gasket() -> Mesh {
    let (flange, cavity, bolts) = (flange_outline(), cavity_outline(), bolt_holes());
    let loops: Vec<&Loop> = [&flange, &cavity].into_iter().chain(&bolts).collect();
    plate(&loops, -0.5 * GASKET, 0.5 * GASKET)
}

/// Length of a bolt that ends 1 mm above the bottom of its hole.
pub(super) const BOLT_LENGTH: f64 = 22.15;

/// A bolt whose head rests on z = 0: hexagon head, shank, and a thread of rings, which are easier to close
/// than a helix.
pub(crate) fn bolt(length: f64) -> Mesh {
    const N: u32 = 16;
    const HEAD: f64 = 4.0;
    const CORE: f64 = 2.4;
    let hexagon = circle([0.0; 2], 5.75, 6);
    let mut profile = vec![[CORE, -length], [BOLT, -length + 0.5]];
    for i in 0..12 {
        let z = -length + 0.75 + f64::from(i);
        profile.extend([[BOLT, z], [CORE, z + 0.375], [CORE, z + 0.5], [BOLT, z + 0.875]]);
    }
    profile.push([BOLT, 0.0]);
    let mut shell = Shell::new();
    shell.face(snap(-length), &[&circle([0.0; 2], CORE, N)], Down);
    shell.revolve(&profile, N);
    shell.face(0.0, &[&hexagon, &circle([0.0; 2], BOLT, N)], Down);
    shell.wall(&hexagon, 0.0, HEAD, 1, Out);
    shell.face(HEAD, &[&hexagon], Up);
    shell.finish()
}

/// A piece of pipe along z, 40 long.
pub(crate) fn pipe() -> Mesh {
    let [outer, inner] = [7.0, 6.0].map(|radius| circle([0.0; 2], radius, 24));
    let mut shell = Shell::new();
    shell.wall(&outer, -20.0, 20.0, 2, Out);
    shell.wall(&inner, -20.0, 20.0, 2, In);
    shell.face(-20.0, &[&outer, &inner], Down);
    shell.face(20.0, &[&outer, &inner], Up);
    shell.finish()
}

/// A plate of 40 by 30 by 4 with four holes.
pub(crate) fn punched_plate() -> Mesh {
    let outline = rounded_rectangle([-20.0, -15.0], [20.0, 15.0], 4.0);
    let holes = [[-14.0, -9.0], [14.0, -9.0], [14.0, 9.0], [-14.0, 9.0]].map(|at| circle(at, 2.5, 8));
    let [a, b, c, d] = &holes;
    plate(&[&outline, a, b, c, d], -2.0, 2.0)
}

/// A washer that rests on z = 0.
pub(super) fn washer() -> Mesh {
    plate(&[&circle([0.0; 2], 6.2, 48), &circle([0.0; 2], BOLT + 0.2, 48)], 0.0, WASHER)
}

/// A bearing cover that rests on z = 0; `hole` is the centre and the radius of its opening.
pub(super) fn cover(hole: Option<([f64; 2], f64)>) -> Mesh {
    let rim = circle([0.0; 2], 24.0, 96);
    match hole {
        Some((centre, radius)) => plate(&[&rim, &circle(centre, around(radius, ROUND), ROUND)], 0.0, 4.0),
        None => plate(&[&rim], 0.0, 4.0),
    }
}

/// Radius of the input shaft outside the housing.
pub(super) const INPUT: f64 = SEAT;
/// Radius of the speed sensor.
pub(super) const SENSOR: f64 = 4.0;

/// The speed sensor: a rod with its tip at the origin.
pub(super) fn sensor() -> Mesh {
    let mut shell = Shell::new();
    shell.revolve(&[[0.0, 0.0], [SENSOR, 2.0], [SENSOR, 24.0], [5.5, 24.0], [5.5, 32.0], [0.0, 32.0]], 48);
    shell.finish()
}

/// A surface of two triangles that bounds nothing.
pub(super) fn sheet(corners: [[f64; 3]; 4]) -> Mesh {
    mesh(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])
}

/// A cable clip: three quarters of a ring, resting on z = 0.
pub(super) fn clip() -> Mesh {
    let arc = |radius: f64| (0..=36).map(move |k| turn(k, 48).map(|c| snap(radius * c)));
    let outline: Loop = arc(6.0).chain(arc(4.0).rev()).collect();
    plate(&[&outline], 0.0, 8.0)
}
