//! Reach of a box in each direction.

/// The number of directions in which a box's reach is kept: -x, -y, -z, x, y, z.
const DIRECTIONS: usize = 6;

/// Reach of a box in each direction: -lo, hi.
pub(super) type Sides = [f32; DIRECTIONS];

/// Three coordinates and a fourth lane that is constant or unused: one SSE2 vector.
pub(super) type Half = [f32; 4];

/// [`Sides`] as two vectors: the opposite of a direction is the same lane of the other vector.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(16))]
pub(super) struct Reach {
    pub(super) back: Half,
    pub(super) ahead: Half,
}

impl Reach {
    pub(super) fn new([a, b, c, x, y, z]: &Sides) -> Self {
        Self { back: [*a, *b, *c, 0.0], ahead: [*x, *y, *z, 1.0] }
    }
    /// The box cut by a plane across one direction.
    #[inline(always)]
    pub(super) fn cut(&self, direction: usize, plane: f32) -> Self {
        let [back, ahead] = LANES[direction];
        let set = |x: f32, mask: u32| f32::from_bits(x.to_bits() & !mask | plane.to_bits() & mask);
        Self {
            back: std::array::from_fn(|i| set(self.back[i], back[i])),
            ahead: std::array::from_fn(|i| set(self.ahead[i], ahead[i])),
        }
    }
    /// For each direction, the sum of this box's reach along it and the other's reach against it: negative if
    /// the direction separates the two.
    #[inline(always)]
    pub(super) fn overlap(&self, other: &Self) -> [Half; 2] {
        [
            std::array::from_fn(|i| self.back[i] + other.ahead[i]),
            std::array::from_fn(|i| self.ahead[i] + other.back[i]),
        ]
    }
}

/// For each direction a mask with all ones in its lane; two codes are unused.
pub(super) const LANES: [[[u32; 4]; 2]; 8] = {
    let mut lanes = [[[0; 4]; 2]; 8];
    // If the last lane were the same for all directions, the compiler would split it off and store lanes one
    // by one.
    lanes[6] = [[0, 0, 0, u32::MAX]; 2];
    let mut d = 0;
    while d < DIRECTIONS {
        lanes[d][d / 3][d % 3] = u32::MAX;
        d += 1;
    }
    lanes
};
