//! [`AllowedPairs`]: pairs of parts that are not checked, each with a reason.
use std::{collections::BTreeMap, fmt};

/// The reason for which a pair of parts is not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairReason {
    /// A joint connects the links, or joints and links without shapes do.
    Adjacent,
    /// Only fixed joints are between them, so that their relation never changes.
    Rigid,
    /// An SRDF lists the pair. The reason is that of the file, empty if it has none.
    Listed(String),
    /// The caller allowed it.
    Allowed,
}

impl fmt::Display for PairReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Adjacent => "Adjacent",
            Self::Rigid => "Rigid",
            Self::Listed(reason) => reason,
            Self::Allowed => "User",
        })
    }
}

/// Pairs of parts that are not checked: the *allowed collision matrix*.
#[derive(Clone, Debug, Default)]
pub(super) struct AllowedPairs(BTreeMap<[usize; 2], PairReason>);

impl AllowedPairs {
    pub(super) fn get(&self, [a, b]: [usize; 2]) -> Option<&PairReason> {
        self.0.get(&[a.min(b), a.max(b)])
    }
    pub(super) fn set(&mut self, [a, b]: [usize; 2], reason: Option<PairReason>) {
        let pair = [a.min(b), a.max(b)];
        match reason {
            Some(reason) => self.0.insert(pair, reason),
            None => self.0.remove(&pair),
        };
    }
    /// Drops all pairs of a part.
    pub(super) fn forget(&mut self, part: usize) {
        self.0.retain(|pair, _| !pair.contains(&part));
    }
    pub(super) fn iter(&self) -> impl Iterator<Item = ([usize; 2], &PairReason)> {
        self.0.iter().map(|(pair, reason)| (*pair, reason))
    }
}
