//! Catalogue of all parts, by experiment.
use crate::{
    Experiment, Part, bergen97, hu16, larsson08, open_questions, part::Chapter, which_volume, zachmann02,
};

impl Experiment {
    pub(crate) fn chapter(self) -> &'static Chapter {
        match self {
            Self::Bergen97 => &bergen97::CHAPTER,
            Self::Zachmann02 => &zachmann02::CHAPTER,
            Self::Hu16 => &hu16::CHAPTER,
            Self::Larsson08 => &larsson08::CHAPTER,
            Self::WhichVolume => &which_volume::CHAPTER,
            Self::OpenQuestions => &open_questions::CHAPTER,
        }
    }
    /// Parts of the experiment, in the order of the report.
    pub fn parts(self) -> &'static [Part] {
        self.chapter().parts
    }
}

impl Part {
    /// Every part, experiment by experiment.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        Experiment::ALL.into_iter().flat_map(Experiment::parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_begin_with_the_experiment_and_are_unique() {
        let mut names = HashSet::new();
        for part in Part::all() {
            let rest = part.name.strip_prefix(part.experiment.name()).and_then(|rest| rest.strip_prefix('/'));
            assert!(rest.is_some_and(|rest| !rest.contains('/')), "{}", part.name);
            assert!(names.insert(part.file()), "{}", part.name);
            assert!((1..=30).contains(&part.minutes), "{}: {} minutes", part.name, part.minutes);
        }
        assert!(Experiment::ALL.iter().all(|experiment| !experiment.parts().is_empty()));
    }
}
