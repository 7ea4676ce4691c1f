//! Scenes of bodies in motion, for tests, instruction counts and races.
use crate::meshes;
use impinge::{Mesh, Model, Pose, path::Path};

/// A resting model and one that moves along a path.
#[derive(Debug)]
pub struct SweepScene {
    /// The scene's name.
    pub name: &'static str,
    /// The model at rest, at the identity.
    pub resting: Model,
    /// The model that moves.
    pub moving: Model,
    /// Its path.
    pub path: Path,
    /// The same path for other libraries.
    pub motion: SweepMotion,
}

/// A motion at constant velocities: the body's origin moves straight, and the body turns about it.
#[derive(Clone, Copy, Debug)]
pub struct SweepMotion {
    /// The pose at time 0.
    pub start: Pose,
    /// The way of the body's origin until time 1.
    pub way: [f64; 3],
    /// The axis of the turn, times its angle until time 1.
    pub turn: [f64; 3],
}

fn scaled(mesh: &Mesh, by: f64) -> Model {
    let points = mesh.points().iter().map(|v| v.map(|x| x * by)).collect();
    Model::new(Mesh::new(points, mesh.triangles().to_vec()).expect("a scaled mesh"))
}

fn shift(t: [f64; 3]) -> Pose {
    Pose::from_translation(t).expect("a finite shift")
}

/// A rotation by `turn`, a vector of less than pi, about a point that starts at `start` and moves by `way`.
fn spinning(start: [f64; 3], turn: [f64; 3], way: [f64; 3]) -> (Path, SweepMotion) {
    let angle = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
    let end = Pose::from_axis_angle(turn, angle, [0, 1, 2].map(|k| start[k] + way[k])).expect("a pose");
    let start = shift(start);
    (Path::between(&start, &end, [0.0; 3]).expect("a path"), SweepMotion { start, way, turn })
}

/// A screw about an axis of length 1 through the body's origin, which is at `point` or further along the
/// axis.
fn screw(start: Pose, point: [f64; 3], axis: [f64; 3], angle: f64, advance: f64) -> (Path, SweepMotion) {
    let path = Path::screw(start, point, axis, angle, advance).expect("a path");
    (path, SweepMotion { start, way: axis.map(|x| x * advance), turn: axis.map(|x| x * angle) })
}

/// An open tube of 64 sides along z from 0 to 4, in 80 rings.
fn tube(radius: f64) -> Model {
    let (sides, rings) = (64_u32, 80_u32);
    let mut points = Vec::new();
    for ring in 0..=rings {
        for side in 0..sides {
            let [c, s] = impinge::circle::turn(i64::from(side), sides);
            points.push([radius * c, radius * s, 4.0 * f64::from(ring) / f64::from(rings)]);
        }
    }
    let mut faces = Vec::new();
    for ring in 0..rings {
        for side in 0..sides {
            let at = |ring: u32, side: u32| ring * sides + side % sides;
            let [a, b, c, d] =
                [at(ring, side), at(ring, side + 1), at(ring + 1, side), at(ring + 1, side + 1)];
            faces.extend([[a, b, d], [a, d, c]]);
        }
    }
    Model::new(Mesh::new(points, faces).expect("a tube"))
}

/// The scenes: contacts, passes at small gaps, rings, a plate that samples miss, a pin in its bore.
pub fn scenes() -> Vec<SweepScene> {
    let sphere = || scaled(&meshes::icosphere(5), 4.0);
    let torus = || scaled(&meshes::torus(100, 100, 0.3), 4.0);
    let turn = [1.0, 2.0, 2.0];
    let mut all = Vec::new();
    let mut add = |name, resting, moving, (path, motion)| {
        all.push(SweepScene { name, resting, moving, path, motion });
    };
    add("spheres-contact", sphere(), sphere(), spinning([-12.0, 1.0, 0.5], turn, [16.0, 0.0, 0.0]));
    for (name, gap) in
        [("spheres-1e-1", 1e-1), ("spheres-1e-2", 1e-2), ("spheres-1e-3", 1e-3), ("spheres-1e-4", 1e-4)]
    {
        add(name, sphere(), sphere(), spinning([-8.0, 8.0 + gap, 0.0], turn, [16.0, 0.0, 0.0]));
    }
    let over = spinning([4.0, -12.0, 0.0], [0.3, 0.4, 0.0], [0.0, 24.0, 0.0]);
    add("tori-contact", torus(), torus(), over);
    let quarter = Pose::rigid([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]], [2.8, 0.0, 0.0]);
    let around = screw(quarter.expect("a pose"), [2.8, 0.0, 0.0], [0.0, 1.0, 0.0], 1.0, 0.0);
    add("tori-linked", torus(), torus(), around);
    let plate = Model::new(Mesh::cuboid([10.0, 10.0, 1e-3]).expect("a plate"));
    let up = [0.0, 0.0, 1.0];
    let through = screw(shift([0.3, 0.2, -500.0]), [0.3, 0.2, 0.0], up, 30.0, 1000.0);
    add("plate", plate, scaled(&meshes::icosphere(5), 0.1), through);
    // Its flat sides are at a radius of 1.01.
    let bore = 1.01 / (std::f64::consts::PI / 64.0).cos();
    for (name, at, angle) in
        [("pin-straight", 0.0, 0.0), ("pin-screwed", 0.0, 2.0), ("pin-off-axis", 0.02, 0.0)]
    {
        let path = screw(shift([at, 0.0, -8.0]), [at, 0.0, 0.0], up, angle, 8.0);
        add(name, tube(bore), tube(1.0), path);
    }
    all
}
