//! Shortcuts that the search for curves may take.

/// The facts that quick decisions may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// If triangles do not meet their own mesh, points are one if and only if their features are.
    Features,
    /// Nothing: all is compared, for tests.
    Nothing,
}
