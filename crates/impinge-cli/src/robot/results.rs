//! What `impinge robot` found.
use crate::proxy::results::ProxyResults;
use impinge_robot::{DisabledPair, DisabledUse};

/// What a check found.
pub(crate) struct RobotResults {
    /// Names of links and obstacles. Findings have their places in this list.
    pub(crate) parts: Vec<String>,
    pub(crate) configurations: usize,
    /// Pairs of links that are tested in each.
    pub(crate) pairs: usize,
    pub(crate) margin: f64,
    /// The configurations in collision, in order, with the pairs of links.
    pub(crate) collisions: Vec<Collision>,
    /// The edges that are not clear; `None` if they were not asked for.
    pub(crate) edges: Option<Vec<EdgeFinding>>,
}

/// The motion from a configuration to the next, which is not clear.
pub(crate) struct EdgeFinding {
    pub(crate) edge: usize,
    /// False if it is undecided.
    pub(crate) is_contact: bool,
    pub(crate) free_until: f64,
    pub(crate) meets_at: Option<f64>,
    pub(crate) links: [usize; 2],
}

pub(crate) struct Collision {
    pub(crate) configuration: usize,
    pub(crate) links: Vec<[usize; 2]>,
}

impl RobotResults {
    /// The names of a pair of links.
    pub(crate) fn names(&self, links: [usize; 2]) -> [&str; 2] {
        links.map(|link| &*self.parts[link])
    }
    /// True if nothing was found.
    pub(crate) fn is_clear(&self) -> bool {
        self.collisions.is_empty() && self.edges.as_ref().is_none_or(Vec::is_empty)
    }
}

/// What was found of the disabled pairs.
pub(crate) struct LintResults {
    pub(crate) samples: u64,
    pub(crate) pairs: Vec<LintPair>,
    /// Whether collision geometry covers visual geometry; `None` if it was not asked for.
    pub(crate) cover: Option<ProxyResults>,
}

impl LintResults {
    /// True if nothing is wrong.
    pub(crate) fn is_right(&self) -> bool {
        let is_covered = self.cover.as_ref().is_none_or(ProxyResults::is_covered);
        is_covered && !self.pairs.iter().any(LintPair::is_wrong)
    }
}

pub(crate) struct LintPair {
    pub(crate) links: [String; 2],
    pub(crate) reason: Option<String>,
    pub(crate) use_of: DisabledUse,
    /// A configuration in which they collide.
    pub(crate) found: Option<Configuration>,
}

pub(crate) struct Configuration {
    /// The number of the sample.
    pub(crate) sample: u64,
    /// Names of joints and their positions.
    pub(crate) joints: Vec<(String, f64)>,
    /// For each joint, whether it is between the links.
    pub(crate) is_between: Vec<bool>,
}

impl LintPair {
    /// True if the pair is said not to collide, and does. Other reasons disable pairs on purpose.
    pub(crate) fn is_wrong(&self) -> bool {
        self.found.is_some() && !DisabledPair::expects_collisions(self.reason.as_deref())
    }
}
