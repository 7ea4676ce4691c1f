//! Experiments that can be run.
/// An experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Experiment {
    /// G. van den Bergen 1997: AABB trees.
    Bergen97,
    /// G. Zachmann 2002: restricted boxtrees.
    Zachmann02,
    /// J. Hu and others 2016: hybrid trees.
    Hu16,
    /// T. Larsson and T. Akenine-Moller 2008: slab cut balls.
    Larsson08,
    /// Comparison of all volumes, from no paper.
    WhichVolume,
    /// Questions that the papers leave open, by counts.
    OpenQuestions,
}

impl Experiment {
    /// Experiments of the papers, oldest first, except that the longest is last.
    pub const PAPERS: [Self; 4] = [Self::Bergen97, Self::Zachmann02, Self::Hu16, Self::Larsson08];
    /// All experiments, the papers' first.
    pub const ALL: [Self; 6] = [
        Self::Bergen97,
        Self::Zachmann02,
        Self::Hu16,
        Self::Larsson08,
        Self::WhichVolume,
        Self::OpenQuestions,
    ];

    /// Name on the command line and in names of files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bergen97 => "bergen97",
            Self::Zachmann02 => "zachmann02",
            Self::Hu16 => "hu16",
            Self::Larsson08 => "larsson08",
            Self::WhichVolume => "which-volume",
            Self::OpenQuestions => "open-questions",
        }
    }
}
