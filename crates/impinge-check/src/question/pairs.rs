//! [`Pairs`]: the pairs of parts that a check is about.
use std::{fmt, sync::Arc};

/// Returns true if a check is about two parts, given by their indices, the smaller first.
type Asks = dyn Fn(u32, u32) -> bool + Send + Sync;

/// The pairs of parts that a check is about. Parts have the indices of the assembly.
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum Pairs {
    /// Every pair.
    #[default]
    All,
    /// Pairs of a part before this index and a part from this index on; for example of two files.
    Across {
        /// The index of the first part of the second group.
        second: usize,
    },
    /// Pairs for which the function returns true. It is called with the smaller index first, for pairs whose
    /// boxes meet, or are within the clearance.
    Where(Arc<Asks>),
}

impl Pairs {
    /// Pairs for which the function returns true.
    pub fn filter(asks: impl Fn(u32, u32) -> bool + Send + Sync + 'static) -> Self {
        Self::Where(Arc::new(asks))
    }
    /// The listed pairs, each of two indices in any order.
    pub fn listed(pairs: impl IntoIterator<Item = [u32; 2]>) -> Self {
        let sorted = pairs.into_iter().map(|[a, b]| [a.min(b), a.max(b)]);
        let all: std::collections::HashSet<[u32; 2]> = sorted.collect();
        Self::filter(move |a, b| all.contains(&[a, b]))
    }

    /// True for the pairs of the check; the smaller index comes first.
    pub(crate) fn asks(&self, [a, b]: [u32; 2]) -> bool {
        match self {
            Self::All => true,
            Self::Across { second } => (a as usize) < *second && *second <= b as usize,
            Self::Where(asks) => asks(a, b),
        }
    }
    /// The largest number of pairs of `parts` parts. For [`Pairs::Where`] it is the number of all pairs,
    /// since the function is called only where boxes meet.
    pub fn count(&self, parts: usize) -> u64 {
        let n = parts as u64;
        match self {
            Self::Across { second } => *second as u64 * n.saturating_sub(*second as u64),
            Self::All | Self::Where(_) => n * n.saturating_sub(1) / 2,
        }
    }
}

impl fmt::Debug for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("All"),
            Self::Across { second } => f.debug_struct("Across").field("second", second).finish(),
            Self::Where(_) => f.write_str("Where(..)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    #[test]
    fn each_pair_is_asked_once() {
        let all = || (0..5).flat_map(|b| (0..b).map(move |a| [a, b]));
        let count = |pairs: &Pairs| all().filter(|&pair| pairs.asks(pair)).count() as u64;
        for second in 0..=5 {
            let across = Pairs::Across { second };
            assert_eq!(count(&across), across.count(5));
        }
        assert_eq!(count(&Pairs::All), Pairs::All.count(5));
        assert_eq!(count(&Pairs::listed([[3, 1], [1, 3], [0, 4]])), 2);
        assert_eq!(count(&Pairs::filter(|a, b| a + 1 == b)), 4);
    }
}
