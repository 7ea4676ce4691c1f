//! Which shortcuts the search for curves may take.

/// What may be relied on to be quick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Of triangles that do not meet their own mesh, points are one if and only if their features are.
    Features,
    /// All is compared, for tests.
    Nothing,
}
