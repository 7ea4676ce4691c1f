//! Long thin triangles in all directions, which boxes along three axes fit badly, and CAD parts oblique to
//! each other.
use super::{
    Family,
    entry::{Draft, Entry},
    error::Error,
    models::Models,
    motion::{Baked, apply, bounds, euler, fitted, pose, twice},
    spacecraft::rod,
    tumbling::turns,
};
use crate::{meshes, rng::Rng};
use impinge::Mesh;

pub(super) const SCENES: &[Entry] = &[
    Entry {
        name: "rods",
        about: "two heaps of 833 thin square rods in all directions, 9,996 long triangles each, turn \
                through each other",
        family: Family::Own,
        make: |_| Ok(through(&[rods(50), rods(51)], 50)),
    },
    Entry {
        name: "needles",
        about: "two heaps of 10,000 loose slivers, 0.3 by 0.002 and 0.05 by 0.001 of a cube of side 2, turn \
                through each other",
        family: Family::Own,
        make: |_| Ok(through(&[needles(52), needles(53)], 52)),
    },
    Entry {
        name: "motor-mixed",
        about: "the motor's parts each turned at random about its centre, tumbling at 4 distances: CAD \
                oblique to every axis",
        family: Family::Own,
        make: mixed_motor,
    },
    Entry {
        name: "saw-mixed",
        about: "the reciprocating saw's parts each turned at random about its centre, tumbling at 4 \
                distances",
        family: Family::Own,
        make: mixed_saw,
    },
];

/// Both rotate, and the second moves from the side into the first.
fn through(heaps: &[Mesh; 2], seed: u64) -> Draft {
    let frames = (0..200).map(|frame| {
        let x = f64::from(frame);
        let a = euler([0.02 * x, 0.031 * x, 0.0]);
        let b = euler([0.0, 0.5 - 0.017 * x, 0.027 * x]);
        [pose(a, [0.0; 3]), pose(b, [2.4 - 0.012 * x, 0.1, -0.1])]
    });
    let meshes = [Baked::new(&heaps[0], seed).mesh, Baked::new(&heaps[1], seed + 1).mesh];
    Draft { meshes, frames: frames.collect(), groups: Vec::new(), quick: 5 }
}

fn rods(seed: u64) -> Mesh {
    let mut rng = Rng::new(seed);
    let rods: Vec<Mesh> = (0..833)
        .map(|_| {
            let (foot, along, length) = (rng.point(1.0), rng.direction(), rng.between(0.2, 0.8));
            let tip = std::array::from_fn(|k| foot[k] + length * along[k]);
            rod(foot, tip, rng.between(0.002, 0.01), 4)
        })
        .collect();
    meshes::merged(&rods.iter().collect::<Vec<_>>())
}

fn needles(seed: u64) -> Mesh {
    let mut rng = Rng::new(seed);
    let mut points = Vec::new();
    for i in 0..10_000 {
        let (foot, along, aside) = (rng.point(1.0), rng.direction(), rng.direction());
        let (length, width) = if i % 2 == 0 { (0.3, 0.002) } else { (0.05, 0.001) };
        let tip: [f64; 3] = std::array::from_fn(|k| foot[k] + length * along[k]);
        points.extend([foot, tip, std::array::from_fn(|k| foot[k] + width * aside[k])]);
    }
    meshes::mesh(points, (0..10_000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

fn mixed_motor(models: &mut Models<'_>) -> Result<Draft, Error> {
    Ok(mixed(&models.assembly("brep_Motor_c.obj", 0)?, 54))
}

fn mixed_saw(models: &mut Models<'_>) -> Result<Draft, Error> {
    Ok(mixed(&models.assembly("asm_ReciprocatingSaw.obj", 2)?, 56))
}

fn mixed(parts: &[Mesh], seed: u64) -> Draft {
    let mut rng = Rng::new(seed);
    let parts: Vec<Mesh> = parts
        .iter()
        .map(|part| {
            let ([lo, hi], rows) = (bounds(part), rng.rotation());
            let centre: [f64; 3] = std::array::from_fn(|k| (lo[k] + hi[k]) / 2.0);
            meshes::mapped(part, |v| {
                let turned = apply(&rows, std::array::from_fn(|k| v[k] - centre[k]));
                std::array::from_fn(|k| turned[k] + centre[k])
            })
        })
        .collect();
    let whole = fitted(&meshes::merged(&parts.iter().collect::<Vec<_>>()), 2.0);
    let (frames, groups) = turns(&[1.6, 1.2, 0.8, 0.4], 50);
    Draft { meshes: twice(&whole, seed), frames, groups, quick: 10 }
}
