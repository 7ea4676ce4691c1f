//! Bodies that deform for 1,000 frames.
use crate::{Error, Settings};
use impinge::Mesh;
use impinge_testkit::{circle::sin_cos, meshes};
use std::{f64::consts::TAU, sync::Arc};

type Points = Vec<[f64; 3]>;

/// A body and its vertices at each frame. At frame 0 it has its own shape, for which its tree is built.
pub(super) struct Motion {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) mesh: Arc<Mesh>,
    at: Box<dyn Fn(usize) -> Points>,
    pub(super) stand_in: Option<String>,
}

impl Motion {
    pub(super) fn at(&self, frame: usize) -> Points {
        (self.at)(frame)
    }
}

/// Frames of a full period of the wave. At no frame that is compared is the body at rest.
const PERIOD: f64 = 97.0;
/// Frames in which the twist gains a full turn from end to end.
const TURN: f64 = 250.0;

/// The paper's torus under three maps, and the galloping horse.
pub(super) fn all(settings: &Settings<'_>) -> Result<Vec<Motion>, Error> {
    let torus = Arc::new(meshes::torus(100, 25, 0.25));
    let of = |name, about, map: fn([f64; 3], usize, f64) -> [f64; 3]| {
        let rest = torus.points().to_vec();
        let at = move |frame: usize| {
            rest.iter().enumerate().map(|(n, &v)| map(v, n, frame as f64)).collect::<Points>()
        };
        Motion { name, about, mesh: Arc::clone(&torus), at: Box::new(at), stand_in: None }
    };
    let gallop = settings.gallop()?;
    let frames = gallop.frames;
    Ok(vec![
        of(
            "wave",
            "a standing wave across the torus, of 97 frames and a height of 0.3 radii",
            |[x, y, z], _, t| {
                let height = 0.3 * sin_cos(TAU * t / PERIOD).0;
                [x, y, z + height * sin_cos(4.0 * x + 2.0 * y).0]
            },
        ),
        of(
            "twist",
            "the torus is twisted about a diameter, by a turn from end to end every 250 frames",
            |[x, y, z], _, t| {
                let (s, c) = sin_cos(TAU * t / TURN * x / 2.5);
                [x, c * y - s * z, s * y + c * z]
            },
        ),
        of(
            "blow-up",
            "every vertex of the torus leaves the centre at its own pace, up to twice its distance",
            |v, n, t| {
                // The fractional part of n times the golden ratio is as good as random.
                let far = 1.0 + t / 1000.0 * (n as f64 * 0.618_033_988_749_895).fract();
                v.map(|x| far * x)
            },
        ),
        Motion {
            name: "gallop",
            about: "a galloping horse, 48 frames that repeat",
            mesh: Arc::new(gallop.mesh),
            at: Box::new(move |frame| frames[frame % frames.len()].clone()),
            stand_in: gallop.stand_in,
        },
    ])
}
