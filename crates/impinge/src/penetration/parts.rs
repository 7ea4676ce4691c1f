//! Results that a query for penetration can compute.

/// The parts of a penetration to compute. The default is none of them.
///
/// ```
/// use impinge::penetration::PenetrationParts;
/// let wanted = PenetrationParts::new().overlap_volume(true);
/// assert!(wanted.overlap_volume && !wanted.separating_translation);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PenetrationParts {
    /// True to compute [`Penetration::overlap_volume`](super::Penetration::overlap_volume).
    pub overlap_volume: bool,
    /// True to compute [`Penetration::interference_depth`](super::Penetration::interference_depth).
    pub interference_depth: bool,
    /// True to compute [`Penetration::depth_at_least`](super::Penetration::depth_at_least).
    pub depth_at_least: bool,
    /// True to compute [`Penetration::separating_translation`](super::Penetration::separating_translation).
    pub separating_translation: bool,
    /// True to compute [`Penetration::separating_distance`](super::Penetration::separating_distance).
    pub separating_distance: bool,
}

impl PenetrationParts {
    /// No parts.
    pub fn new() -> Self {
        Self::default()
    }
    /// All parts.
    pub fn all() -> Self {
        Self {
            overlap_volume: true,
            interference_depth: true,
            depth_at_least: true,
            separating_translation: true,
            separating_distance: true,
        }
    }
    /// Sets whether to compute the volume.
    #[must_use]
    pub fn overlap_volume(self, overlap_volume: bool) -> Self {
        Self { overlap_volume, ..self }
    }
    /// Sets whether to compute the interference depth.
    #[must_use]
    pub fn interference_depth(self, interference_depth: bool) -> Self {
        Self { interference_depth, ..self }
    }
    /// Sets whether to compute the deepest corner.
    #[must_use]
    pub fn depth_at_least(self, depth_at_least: bool) -> Self {
        Self { depth_at_least, ..self }
    }
    /// Sets whether to compute a separating translation.
    #[must_use]
    pub fn separating_translation(self, separating_translation: bool) -> Self {
        Self { separating_translation, ..self }
    }
    /// Sets whether to compute bounds of the length of the shortest separating translation.
    #[must_use]
    pub fn separating_distance(self, separating_distance: bool) -> Self {
        Self { separating_distance, ..self }
    }
    /// True if nothing but a separating translation and its length is needed.
    pub(super) fn are_only_parting(&self) -> bool {
        self.are_parting() && !(self.overlap_volume || self.interference_depth || self.depth_at_least)
    }
    /// True if a separating translation is needed.
    pub(super) fn are_parting(&self) -> bool {
        self.separating_translation || self.separating_distance
    }
}
