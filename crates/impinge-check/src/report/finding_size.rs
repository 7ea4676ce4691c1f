//! [`FindingSize`]: the measures of a finding.
use super::{Report, finding::Finding};

/// The measures of a finding; `None` if not measured, or without a meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FindingSize {
    /// Bounds of the volume in common.
    pub volume: Option<[f64; 2]>,
    /// Upper bound of the interference depth
    /// ([`Depth::interference_depth`](crate::records::Depth::interference_depth)).
    pub depth: Option<f64>,
    /// The length of a separating translation
    /// ([`Depth::separating_distance`](crate::records::Depth::separating_distance)).
    pub separating_distance: Option<f64>,
    /// Upper bound of the distance ([`Report::distance_of`]).
    pub distance: Option<f64>,
}

impl Report {
    /// The size of a finding.
    pub fn size_of(&self, finding: &Finding) -> FindingSize {
        let depth = self.clash_of(finding).and_then(|clash| self.depth(clash));
        FindingSize {
            volume: depth.and_then(|depth| depth.overlap_volume),
            depth: depth.and_then(|depth| depth.interference_depth).map(|[_, hi]| hi),
            separating_distance: depth.and_then(|depth| depth.separating_distance),
            distance: self.distance_of(finding),
        }
    }
}

impl FindingSize {
    /// Combines the measures of findings with those of one more: the greatest bounds of volumes, the greatest
    /// depths, the least distance. Without a separating distance of one, the result has none.
    pub(crate) fn and(&self, more: &Self) -> Self {
        let most = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::max);
        let both = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a.max(c), b.max(d)];
        Self {
            volume: self.volume.into_iter().chain(more.volume).reduce(both),
            depth: most(self.depth, more.depth),
            separating_distance: self
                .separating_distance
                .zip(more.separating_distance)
                .map(|(a, b)| a.max(b)),
            distance: self.distance.into_iter().chain(more.distance).reduce(f64::min),
        }
    }
}
