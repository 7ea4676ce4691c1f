//! Van den Bergen's procedure (1997, before table 1): both models have random rotations (Shoemake's uniform
//! quaternions) and the origins of their frames are random in a cube, of such a size that about 60 % of the
//! placements intersect.
//!
//! Models are scaled to length 2 and centred. The paper uses 100,000 placements; a scene has 1000.
use super::{
    Family,
    entry::{Draft, Entry},
    motion::{fitted, pose, twice},
    spacecraft::spacecraft,
    teapot::teapot,
};
use crate::{meshes, rng::Rng};
use impinge::Mesh;

/// Half the cube's side for torus, teapot and spacecraft, found by bisection for 60 % of 20,000 placements.
const HALF: [f64; 3] = [1.0068, 0.8441, 0.94];

pub(super) const SCENES: &[Entry] = &[
    Entry {
        name: "random-torus",
        about: "tori of 5,000 triangles at random, 60 % of placements intersect (van den Bergen 1997, table \
                1)",
        family: Family::Bergen97,
        make: |_| Ok(at_random(&meshes::torus(100, 25, 0.25), 40, HALF[0])),
    },
    Entry {
        name: "random-teapot",
        about: "Newell's teapots of 6,320 triangles at random, 60 % of placements intersect (van den Bergen \
                1997, table 1)",
        family: Family::Bergen97,
        make: |_| Ok(at_random(&teapot(10, false), 42, HALF[1])),
    },
    Entry {
        name: "random-spacecraft",
        about: "a soup of plates, struts and antennae for the paper's X-wing at random, 60 % of placements \
                intersect (van den Bergen 1997, table 1)",
        family: Family::Bergen97,
        make: |models| {
            models.replace("the paper's X-wing is not available: a generated spacecraft instead".into());
            Ok(at_random(&spacecraft(), 44, HALF[2]))
        },
    },
];

fn at_random(mesh: &Mesh, seed: u64, half: f64) -> Draft {
    let mut rng = Rng::new(seed);
    let mut place = || pose(rng.rotation(), rng.point(half));
    let frames = (0..1000).map(|_| [place(), place()]).collect();
    Draft { meshes: twice(&fitted(mesh, 2.0), seed), frames, groups: Vec::new(), quick: 20 }
}
