//! Boxes without bodies: the input of a broad phase.
use crate::rng::Rng;

/// Cubes in the unit cube. Each moves by 1 % of its side a frame and bounces off the walls.
#[derive(Clone, Debug)]
pub struct Boxes {
    /// Initial positions and motion.
    pub boxes: Vec<MovingBox>,
}

/// One box. Every frame, on each axis: `step` changes its sign if `centre + step` would leave [0, 1]; then it
/// is added to `centre`. The box reaches from `centre - half` to `centre + half`. Only sums occur, so that
/// programs in all languages get the same bits.
#[derive(Clone, Copy, Debug)]
pub struct MovingBox {
    /// Its centre in the first frame.
    pub centre: [f64; 3],
    /// Half its side.
    pub half: f64,
    /// Step that is added to its centre.
    pub step: [f64; 3],
}

impl Boxes {
    /// `count` boxes with half sides from 0.5 to 1.5 times `half`.
    pub fn new(count: usize, half: f64) -> Self {
        let mut rng = Rng::new(0xb0c5);
        let mut one = || {
            let centre = [rng.unit(), rng.unit(), rng.unit()];
            let half = half * rng.between(0.5, 1.5);
            MovingBox { centre, half, step: rng.direction().map(|x| 0.02 * half * x) }
        };
        Self { boxes: (0..count).map(|_| one()).collect() }
    }
}
