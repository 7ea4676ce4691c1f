//! Settings of a scene.
use super::Enclosure;
use crate::{SimdLevel, Threads, broad_phase::BroadPhaseKind, solid::FillRule};

/// Settings of a scene. They change its speed and memory, never its results, except for
/// [`fill_rule`](Self::fill_rule).
///
/// ```
/// use impinge::{scene::{Enclosure, SceneOptions}, Scene, Threads, broad_phase::BroadPhaseKind};
/// // Thousands of bodies that turn on the spot; updates share the threads of the current rayon pool.
/// let options = SceneOptions::new()
///     .enclosure(Enclosure::Cubic)
///     .broad_phase(BroadPhaseKind::DynamicTree)
///     .threads(Threads::Pool);
/// let scene = Scene::with_options(options);
/// assert_eq!(scene.options(), options);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SceneOptions {
    /// The algorithm that finds the pairs of boxes that meet.
    pub broad_phase: BroadPhaseKind,
    /// The kind of the box around a body.
    pub enclosure: Enclosure,
    /// True if the scene remembers pairs of moving bodies: a lower bound of their distance, and for the first
    /// 16,384 pairs a [`QueryCache`](crate::query::QueryCache) of at most 0.1 MiB, mostly far less.
    pub caches: bool,
    /// The SIMD instructions of the scene's queries.
    pub simd: SimdLevel,
    /// The threads of an update. Several threads also divide large pairs of bodies.
    pub threads: Threads,
    /// The fill rule of bodies whose meshes are closed, for [`Detail::Relations`](crate::scene::Detail).
    pub fill_rule: FillRule,
}

impl Default for SceneOptions {
    fn default() -> Self {
        Self {
            broad_phase: BroadPhaseKind::default(),
            enclosure: Enclosure::default(),
            caches: true,
            simd: SimdLevel::default(),
            threads: Threads::default(),
            fill_rule: FillRule::default(),
        }
    }
}

impl SceneOptions {
    /// The default settings.
    pub fn new() -> Self {
        Self::default()
    }
    /// Sets [`broad_phase`](Self::broad_phase).
    #[must_use]
    pub fn broad_phase(self, broad_phase: BroadPhaseKind) -> Self {
        Self { broad_phase, ..self }
    }
    /// Sets [`enclosure`](Self::enclosure).
    #[must_use]
    pub fn enclosure(self, enclosure: Enclosure) -> Self {
        Self { enclosure, ..self }
    }
    /// Sets [`caches`](Self::caches).
    #[must_use]
    pub fn caches(self, caches: bool) -> Self {
        Self { caches, ..self }
    }
    /// Sets [`simd`](Self::simd).
    #[must_use]
    pub fn simd(self, simd: SimdLevel) -> Self {
        Self { simd, ..self }
    }
    /// Sets [`threads`](Self::threads).
    #[must_use]
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }
    /// Sets [`fill_rule`](Self::fill_rule).
    #[must_use]
    pub fn fill_rule(self, fill_rule: FillRule) -> Self {
        Self { fill_rule, ..self }
    }
}
