//! What the questions of one paper give.
use crate::report::{Block, Verdict};

/// Answers to the open questions of one paper. The first block is a heading that names the paper; a verdict
/// is on what the paper expects.
pub(super) struct Answers {
    pub(super) blocks: Vec<Block>,
    pub(super) verdicts: Vec<Verdict>,
}
