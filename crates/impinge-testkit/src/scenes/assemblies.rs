//! Assemblies as designed: every other part in file order is one soup, the rest is the other, so that faces
//! which the designer made coincide do so to the last bit of the file. Only here nothing is scaled, and no
//! rotation is baked in.
//!
//! `asm-x` has both soups at one pose: the identity, then a general one; over the real numbers both frames
//! have the same result. In `asm-x-moved` the second soup's vertices are moved by -t and its pose by t: poses
//! differ, and contacts are the same wherever the difference v - t loses no bit.
use super::{
    Family, Group,
    entry::{Draft, Entry},
    error::Error,
    models::Models,
    motion::{UNTURNED, about, bounds, pose},
};
use crate::meshes;
use impinge::{Mesh, Pose};

macro_rules! standing {
    ($name:literal, $what:literal, $file:literal, $copies:literal) => {
        [
            Entry {
                name: $name,
                about: concat!(
                    "as it stands: every other part of ",
                    $what,
                    " against the rest, faces coincide; one pose for both"
                ),
                family: Family::Own,
                make: |models| Ok(as_built(halves(models, $file, $copies)?)),
            },
            Entry {
                name: concat!($name, "-moved"),
                about: concat!(
                    "the same halves of ",
                    $what,
                    ", one's vertices moved back by as much as its pose is moved on"
                ),
                family: Family::Own,
                make: |models| Ok(moved(halves(models, $file, $copies)?)),
            },
        ]
    };
}

pub(super) const SCENES: &[Entry] = [
    standing!("asm-saw", "the reciprocating saw", "asm_ReciprocatingSaw.obj", 2),
    standing!("asm-house", "a house of 765 parts", "ifc_schependomlaan_root.obj", 1),
    standing!("asm-as1", "the STEP assembly as1", "asm_as1_oc_214.obj", 0),
    standing!("asm-voron", "a circuit board on its rail mount", "asm_voron_SKR_E3_V3_Din_Mount.obj", 0),
]
.as_flattened();

fn halves(models: &mut Models<'_>, file: &str, copies: usize) -> Result<[Mesh; 2], Error> {
    let parts = models.assembly(file, copies)?;
    let half = |from| meshes::merged(&parts.iter().skip(from).step_by(2).collect::<Vec<_>>());
    Ok([half(0), half(1)])
}

/// A pose along no axis, with a shift that is not a round number.
fn general() -> Pose {
    pose(about([0.48, 0.6, 0.64], 1.1), [0.3, -0.7, 1.9])
}

fn as_built(meshes: [Mesh; 2]) -> Draft {
    let group = |label: &str, at: usize| Group { label: label.into(), distance: None, frames: at..at + 1 };
    Draft {
        meshes,
        frames: vec![[Pose::IDENTITY; 2], [general(); 2]],
        groups: vec![group("at the identity", 0), group("at a general pose", 1)],
        quick: 1,
    }
}

fn moved([a, b]: [Mesh; 2]) -> Draft {
    let t = shift(&b);
    let b = meshes::mapped(&b, |v| std::array::from_fn(|k| v[k] - t[k]));
    // Multiples of t have as few bits as t: these poses are exact, too.
    let frames = [0.0, 1.0, -3.0].map(|n| [n, n + 1.0].map(|n| pose(UNTURNED, t.map(|x| n * x))));
    Draft { meshes: [a, b], frames: frames.into(), groups: Vec::new(), quick: 1 }
}

/// A shift t along each axis by a power of two, about a sixteenth of the longest side. It has few bits, so
/// that sums with it are exact. Its sign is that of the box's centre: v - t moves towards the origin, and a
/// difference that is less than its minuend keeps all bits.
pub(super) fn shift(mesh: &Mesh) -> [f64; 3] {
    let [lo, hi] = bounds(mesh);
    let longest = (0..3).map(|k| hi[k] - lo[k]).fold(f64::MIN_POSITIVE, f64::max);
    // The number without the bits of the significand; logarithms differ from machine to machine.
    let step = f64::from_bits((longest / 16.0).to_bits() & f64::INFINITY.to_bits());
    std::array::from_fn(|k| if lo[k] + hi[k] < 0.0 { -step } else { step })
}
