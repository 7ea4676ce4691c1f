//! Scanned models: parting, falling, approaching, and with a small offset to themselves.
use super::{
    Family,
    entry::{Draft, Entry},
    error::Error,
    models::Models,
    motion::{Baked, UNTURNED, about, euler, pose, twice},
};
use crate::{circle::turn, rng::Rng};

pub(super) const SCENES: &[Entry] = &[
    Entry {
        name: "horses",
        about: "two horses turn by Euler's angles and slowly part (Larsson 2008, section 5)",
        family: Family::Larsson08,
        make: horses,
    },
    Entry {
        name: "hands",
        about: "one model falls through another; skeleton hands in the paper, dragons here (Larsson 2008, \
                section 5)",
        family: Family::Larsson08,
        make: hands,
    },
    Entry {
        name: "buddhas",
        about: "two scans on a trajectory, one spiralling into the other; Buddhas in the paper, armadillos \
                here (Hu 2016, section 3)",
        family: Family::Hu16,
        make: buddhas,
    },
    Entry {
        name: "bunny-offset",
        about: "a bunny and itself, shifted by 0.013 of its size in a direction of each frame: close to \
                itself all over, thousands of hits",
        family: Family::Own,
        make: bunny_offset,
    },
];

fn horses(models: &mut Models<'_>) -> Result<Draft, Error> {
    let frames = (0..500).map(|frame| {
        let x = f64::from(frame);
        let half = (0.3 + 0.0018 * x) / 2.0;
        let a = euler([0.013, 0.017, 0.011].map(|speed| speed * x));
        let b = euler([-0.012, 0.009, -0.019].map(|speed| 1.0 + speed * x));
        [pose(a, [-half, 0.0, 0.0]), pose(b, [half, 0.0, 0.0])]
    });
    let mesh = models.scan("m_horse.ply", 96_966)?;
    Ok(Draft { meshes: twice(&mesh, 20), frames: frames.collect(), groups: Vec::new(), quick: 10 })
}

fn hands(models: &mut Models<'_>) -> Result<Draft, Error> {
    let frames = (0..500).map(|frame| {
        let height = 2.0 - 4.0 * f64::from(frame) / 499.0;
        [pose(UNTURNED, [0.0; 3]), pose(UNTURNED, [0.1, 0.05, height])]
    });
    let mesh = models.scan("m_stanford_dragon_res2.ply", 202_520)?;
    models.replace("the paper's hands are not available: dragons instead".into());
    Ok(Draft { meshes: twice(&mesh, 22), frames: frames.collect(), groups: Vec::new(), quick: 12 })
}

fn buddhas(models: &mut Models<'_>) -> Result<Draft, Error> {
    let frames = (0..500).map(|frame| {
        let part = f64::from(frame) / 499.0;
        let ([c, s], reach) = (turn(i64::from(2 * frame), 500), 1.8 * (1.0 - part) + 0.2);
        let rows = about([0.48, 0.6, 0.64], 6.0 * part);
        [pose(UNTURNED, [0.0; 3]), pose(rows, [reach * c, reach * s, 0.3 - 0.3 * part])]
    });
    let mesh = models.scan("m_armadillo_igl.ply", 86_482)?;
    models.replace("the paper's Buddhas are not available: armadillos instead".into());
    Ok(Draft { meshes: twice(&mesh, 24), frames: frames.collect(), groups: Vec::new(), quick: 12 })
}

fn bunny_offset(models: &mut Models<'_>) -> Result<Draft, Error> {
    // The box is 2 long.
    const SHIFT: f64 = 0.013 * 2.0;
    let mesh = models.scan("m_stanford_bunny_35947.ply", 69_451)?;
    let (a, b) = (Baked::new(&mesh, 26), Baked::new(&mesh, 27));
    let mut rng = Rng::new(0xb0a7);
    let frames = (0..40).map(|_| {
        let (rows, shift) = (rng.rotation(), rng.direction().map(|x| SHIFT * x));
        [a.as_if_unbaked(&rows, [0.0; 3]), b.as_if_unbaked(&rows, shift)]
    });
    Ok(Draft { frames: frames.collect(), meshes: [a.mesh, b.mesh], groups: Vec::new(), quick: 2 })
}
