//! Shortcuts that the search for curves may take.

/// The facts that quick decisions may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Points are one if and only if their features are, where triangles do not meet their own mesh.
    Features,
    /// Nothing: all is compared, for tests.
    Nothing,
}
