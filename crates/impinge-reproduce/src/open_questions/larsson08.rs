//! Larsson and Akenine-Moller 2008: slab cut balls.
use super::Answers;
use crate::{Error, Settings, Watch, report::Block};

pub(super) fn answers(_settings: &Settings<'_>, _watch: &mut dyn Watch) -> Result<Answers, Error> {
    Ok(Answers {
        blocks: vec![Block::Heading("Larsson and Akenine-Moller 2008: slab cut balls".into())],
        verdicts: Vec::new(),
    })
}
