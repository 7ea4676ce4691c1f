//! [`Coverage`]: what is proved about the cover of a part.

/// The result of [`Query::coverage`](crate::Query::coverage): what is proved about the cover of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Coverage {
    /// Whether each point of the part is in an element of the proxy; `None` if it is undecided.
    pub covered: Option<bool>,
    /// Bounds of the greatest distance of a point of the part from the proxy. Both are 0 if it is covered. If
    /// it is undecided, the lower one is 0, and no point is farther than the upper one.
    pub depth: [f64; 2],
    /// A point of the part that is in no element, and as far outside as the lower bound.
    pub witness: Option<Witness>,
    /// The number of pieces into which triangles were divided, and triangles.
    pub pieces: u64,
}

impl Coverage {
    pub(super) const COVERED: Self = Self { covered: Some(true), depth: [0.0; 2], witness: None, pieces: 0 };
}

/// A point of the part that its proxy does not cover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Witness {
    /// The triangle of the part.
    pub triangle: u32,
    /// The point, rounded.
    pub point: [f64; 3],
}
