//! Zachmann's procedure (2002, section 5): two equal objects, each scaled into the cube of side 2, have a
//! distance d between the centres of their boxes. One makes a full tumbling turn about z and x in 5000 steps;
//! then d shrinks. The paper plots mean time against d.
//!
//! Every 20th of the 5000 steps is a frame, for held-out and mixed models every 50th. Both copies first get
//! different random rotations.
use super::{
    Family, Group,
    entry::{Draft, Entry},
    error::Error,
    models::Models,
    motion::{UNTURNED, fitted, pose, tumbled, twice},
};
use crate::meshes;
use impinge::{Mesh, Pose};

const STEPS: u32 = 5000;
const EVERY: u32 = 20;
/// A quick scene has one step in this number.
const QUICK: u32 = 1000;
/// Distances for torus and sphere, from disjoint at every rotation to a deep overlap.
const ROUND: [f64; 8] = [2.2, 2.0, 1.8, 1.6, 1.4, 1.2, 1.0, 0.8];
/// Distances for the CAD soups, which fill less of their cubes.
const LONG: [f64; 8] = [1.6, 1.4, 1.2, 1.0, 0.8, 0.6, 0.4, 0.2];

const fn entry(
    name: &'static str,
    about: &'static str,
    make: fn(&mut Models<'_>) -> Result<Draft, Error>,
) -> Entry {
    Entry { name, about, family: Family::Zachmann02, make }
}

pub(super) const SCENES: &[Entry] = &[
    entry(
        "tumble-torus",
        "tumbling tori of 40,320 triangles at 8 distances (Zachmann 2002, section 5)",
        |_| Ok(alone(&meshes::torus(240, 84, 0.3), TORUS)),
    ),
    entry(
        "tumble-sphere",
        "tumbling spheres of 39,600 triangles at 8 distances (Zachmann 2002, section 5)",
        |_| Ok(alone(&meshes::uv_sphere(100, 200), SPHERE)),
    ),
    entry(
        "tumble-saw",
        "a CAD soup, the reciprocating saw with all its parts, tumbling at 8 distances (Zachmann 2002, \
         section 5)",
        |models| Ok(soup(&models.assembly("asm_ReciprocatingSaw.obj", 2)?, 34, EVERY)),
    ),
    entry(
        "tumble-motor",
        "a CAD soup, the motor with all its parts, tumbling at 8 distances (Zachmann 2002, section 5)",
        |models| Ok(soup(&models.assembly("brep_Motor_c.obj", 0)?, 36, EVERY)),
    ),
    entry("tumble-torus-1k", "1,008 triangles, of the series of tori (Zachmann 2002, figure 10)", |_| {
        Ok(tori(1))
    }),
    entry("tumble-torus-4k", "4,032 triangles, of the series of tori (Zachmann 2002, figure 10)", |_| {
        Ok(tori(2))
    }),
    entry("tumble-torus-16k", "16,128 triangles, of the series of tori (Zachmann 2002, figure 10)", |_| {
        Ok(tori(4))
    }),
    entry("tumble-torus-65k", "64,512 triangles, of the series of tori (Zachmann 2002, figure 10)", |_| {
        Ok(tori(8))
    }),
    entry("tumble-torus-101k", "100,800 triangles, of the series of tori (Zachmann 2002, figure 10)", |_| {
        Ok(tori(10))
    }),
    entry("tumble-sphere-1k", "1,280 triangles, of the series of spheres (Zachmann 2002, figure 10)", |_| {
        Ok(balls(3))
    }),
    entry("tumble-sphere-5k", "5,120 triangles, of the series of spheres (Zachmann 2002, figure 10)", |_| {
        Ok(balls(4))
    }),
    entry(
        "tumble-sphere-20k",
        "20,480 triangles, of the series of spheres (Zachmann 2002, figure 10)",
        |_| Ok(balls(5)),
    ),
    entry(
        "tumble-sphere-82k",
        "81,920 triangles, of the series of spheres (Zachmann 2002, figure 10)",
        |_| Ok(balls(6)),
    ),
];

/// Seed of the series of tori. All sizes of a series have the same rotations, so that only the size differs.
const TORUS: u64 = 30;
const SPHERE: u64 = 32;

fn tori(k: u32) -> Draft {
    alone(&meshes::torus(36 * k, 14 * k, 0.3), TORUS)
}

fn balls(level: u32) -> Draft {
    alone(&meshes::icosphere(level), SPHERE)
}

fn alone(mesh: &Mesh, seed: u64) -> Draft {
    tumbling(mesh, seed, &ROUND, EVERY)
}

fn tumbling(mesh: &Mesh, seed: u64, distances: &[f64], every: u32) -> Draft {
    let (frames, groups) = turns(distances, every);
    Draft { meshes: twice(&fitted(mesh, 2.0), seed), frames, groups, quick: (QUICK / every) as usize }
}

pub(super) fn soup(parts: &[Mesh], seed: u64, every: u32) -> Draft {
    tumbling(&meshes::merged(&parts.iter().collect::<Vec<_>>()), seed, &LONG, every)
}

/// A full turn at every distance, one frame in `every` steps of it.
pub(super) fn turns(distances: &[f64], every: u32) -> (Vec<[Pose; 2]>, Vec<Group>) {
    let count = STEPS.div_ceil(every) as usize;
    let (mut frames, mut groups) = (Vec::new(), Vec::new());
    for &d in distances {
        let label = format!("distance {d}");
        groups.push(Group { label, distance: Some(d), frames: frames.len()..frames.len() + count });
        frames.extend(
            (0..STEPS)
                .step_by(every as usize)
                .map(|step| [pose(UNTURNED, [0.0; 3]), pose(tumbled(i64::from(step), STEPS), [d, 0.0, 0.0])]),
        );
    }
    (frames, groups)
}
