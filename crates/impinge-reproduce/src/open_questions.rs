//! Questions that the papers leave open, answered by counts, which are the same on every machine.
mod answers;
mod contenders;
mod cut_ball;
mod larsson08;
mod restricted_box;
mod walk;
mod zachmann02;

use self::answers::Answers;
use crate::{
    Error, Experiment, Settings, Watch,
    report::{Block, Chapter},
};

/// Measures the answers.
type Part = fn(&Settings<'_>, &mut dyn Watch) -> Result<Answers, Error>;

/// The papers, in the order of the report.
const PARTS: &[Part] = &[larsson08::answers, zachmann02::answers];

pub(crate) fn chapter(settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Chapter, Error> {
    let mut blocks = vec![Block::Text(
        "Questions that the papers leave to later work, answered with impinge's implementation. Every number \
            here is a count or a number of bytes, so none depends on the machine or on its load. Nv is the \
            number of tests of two volumes, Np the number of pairs of triangles in leaves that are reached; \
         both are means of a query."
            .into(),
    )];
    let mut verdicts = Vec::new();
    for part in PARTS {
        let answers = part(settings, watch)?;
        blocks.extend(answers.blocks);
        verdicts.extend(answers.verdicts);
    }
    Ok(Chapter::new(Experiment::OpenQuestions, "Questions that the papers leave open", blocks, verdicts))
}
