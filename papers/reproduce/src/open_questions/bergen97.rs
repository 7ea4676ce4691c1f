//! Van den Bergen 1997: refitted trees of every volume over 1,000 frames, when to rebuild, and affine poses.
mod affine;
mod compared;
mod motions;
mod quality;
mod rebuilds;

use self::motions::Motion;
use crate::{
    Error, Settings, Watch,
    report::{Block, Judged, Section},
};

pub(super) fn section(settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Section, Error> {
    section_of(&motions::all(settings)?, settings, watch)
}

fn section_of(motions: &[Motion], settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Section, Error> {
    let title = Block::Heading("Van den Bergen 1997: deforming and affine bodies".into());
    let mut section = Section::new(vec![title], Vec::<Judged>::new());
    let stand_ins = motions.iter().filter_map(|m| Some((m.name, m.stand_in.as_ref()?)));
    section.blocks.extend(stand_ins.map(|(name, text)| Block::Text(format!("*{name}*: {text}."))));
    let parts = [
        quality::section(motions, settings, watch)?,
        rebuilds::section(motions, settings, watch)?,
        affine::section(settings, watch)?,
    ];
    for part in parts {
        section.blocks.extend(part.blocks);
        section.verdicts.extend(part.verdicts);
    }
    Ok(section)
}

#[cfg(test)]
mod tests;
