//! Van den Bergen 1997: refitted trees of every volume over 1,000 frames, when to rebuild, and affine poses.
mod affine;
mod motions;
mod quality;
mod rebuilds;

use self::motions::Motion;
use crate::{
    Error, Settings, Watch,
    report::{Block, Judged, Section},
};
use impinge::Pose;
use impinge_testkit::rng::Rng;
use impinge_volumes::{Kind, Options};

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

/// All kinds as the paper has trees, with one triangle a leaf; the fast tree with its own leaves.
fn trees() -> impl Iterator<Item = (Kind, Options)> {
    Kind::ALL.iter().map(|&kind| (kind, Options::new(kind).leaf_size(usize::from(kind != Kind::Wide))))
}

/// Placements of two copies of a body that is 2 long: the first at the origin. The distance grows from 0.2 to
/// 1.2, so that some pairs of surfaces cross, and some only come near.
fn placements(count: usize) -> Vec<[Pose; 2]> {
    let mut rng = Rng::new(0x0be6);
    let mut place = |k: usize| {
        let far = 0.2 + (k as f64 + 0.5) / count as f64;
        let shift = rng.direction().map(|x| far * x);
        let first = Pose::rigid(rng.rotation(), [0.0; 3]);
        let second = Pose::rigid(rng.rotation(), shift);
        match (first, second) {
            (Ok(first), Ok(second)) => [first, second],
            _ => unreachable!("rotations are rigid"),
        }
    };
    (0..count).map(&mut place).collect()
}

#[cfg(test)]
mod tests;
