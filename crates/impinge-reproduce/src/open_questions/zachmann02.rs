//! Zachmann 2002: restricted boxtrees.
use super::Answers;
use crate::{Error, Settings, Watch, report::Block};

pub(super) fn answers(_settings: &Settings<'_>, _watch: &mut dyn Watch) -> Result<Answers, Error> {
    Ok(Answers {
        blocks: vec![Block::Heading("Zachmann 2002: restricted boxtrees".into())],
        verdicts: Vec::new(),
    })
}
