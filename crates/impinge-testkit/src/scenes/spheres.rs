//! Spheres through each other, and one inside another.
use super::{
    Family, Group,
    entry::{Draft, Entry},
    motion::{Baked, Rows, pose},
};
use crate::{circle::sin_cos, meshes};
use std::ops::Range;

const FRAMES: usize = 501;
/// Frames in which the surfaces are close everywhere (Larsson 2008, section 5).
const CLOSE: Range<usize> = 244..257;

pub(super) const SCENES: &[Entry] = &[
    Entry {
        name: "spheres-l1",
        about: "two spheres of 20,480 triangles, radii 0.95 and 1, pass through each other while they turn \
                (Larsson 2008, section 5)",
        family: Family::Larsson08,
        make: |_| Ok(through_each_other(5)),
    },
    Entry {
        name: "spheres-l2",
        about: "the same with 81,920 triangles each (Larsson 2008, section 5)",
        family: Family::Larsson08,
        make: |_| Ok(through_each_other(6)),
    },
    Entry {
        name: "spheres-nested",
        about: "a sphere turns inside one 3 % larger, 20,480 triangles each: close all over, no contact",
        family: Family::Own,
        make: |_| Ok(nested()),
    },
];

/// Rotation about x by 0.7 `angle`, and then about z by `angle`.
fn turned(angle: f64) -> Rows {
    let ((s, c), (t, d)) = (sin_cos(angle), sin_cos(0.7 * angle));
    [[c, -s * d, s * t], [s, c * d, -c * t], [0.0, t, d]]
}

fn sphere(level: u32, radius: f64) -> impinge::Mesh {
    meshes::mapped(&meshes::icosphere(level), |v| v.map(|x| radius * x))
}

fn through_each_other(level: u32) -> Draft {
    let frames = (0..FRAMES).map(|frame| {
        let (x, angle) = (frame as f64 / 250.0 - 1.0, frame as f64 * 0.02);
        [pose(turned(angle), [x, 0.0, 0.0]), pose(turned(1.0 - angle), [-x, 0.0, 0.0])]
    });
    let group = |label: &str, frames| Group { label: label.into(), distance: None, frames };
    Draft {
        meshes: [Baked::new(&sphere(level, 0.95), 0).mesh, Baked::new(&sphere(level, 1.0), 1).mesh],
        frames: frames.collect(),
        groups: vec![
            group("approaching", 0..CLOSE.start),
            group("parallel close proximity", CLOSE),
            group("parting", CLOSE.end..FRAMES),
        ],
        quick: 10,
    }
}

fn nested() -> Draft {
    let frames = (0..=100).map(|frame| {
        let angle = f64::from(frame) * 0.06;
        [pose(turned(angle), [0.0; 3]), pose(turned(1.0 - angle), [0.0; 3])]
    });
    Draft {
        meshes: [Baked::new(&sphere(5, 1.0), 2).mesh, Baked::new(&sphere(5, 1.03), 3).mesh],
        frames: frames.collect(),
        groups: Vec::new(),
        quick: 5,
    }
}
