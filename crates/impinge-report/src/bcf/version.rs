//! [`BcfVersion`], a version of BCF.

/// A version of BCF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BcfVersion {
    /// 2.1, which all programs read.
    #[default]
    V2,
    /// 3.0.
    V3,
}

impl BcfVersion {
    /// All versions.
    pub const ALL: [Self; 2] = [Self::V2, Self::V3];

    /// Name in files: `2.1` or `3.0`.
    pub fn name(self) -> &'static str {
        match self {
            Self::V2 => "2.1",
            Self::V3 => "3.0",
        }
    }
}
