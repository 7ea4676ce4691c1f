//! Questions that the papers leave open, answered by counts, which are the same on every machine.
mod bergen97;
mod contenders;
mod cut_ball;
mod hu16;
mod larsson08;
mod restricted_box;
mod walk;
mod work;
mod zachmann02;

use crate::{
    Experiment, Part,
    part::{Chapter, Measure},
    report::By,
};

pub(crate) static CHAPTER: Chapter = Chapter {
    title: "Questions that the papers leave open",
    about: "Questions that the papers leave to later work, answered with impinge's implementation. Every number \
            here is a count or a number of bytes, so none depends on the machine or on its load. Nv is the \
            number of tests of two volumes, Np the number of pairs of triangles in leaves that are reached; \
            tables state whether they are means or sums.",
    parts: &[
        part(
            "open-questions/bergen97",
            "refits over 1,000 frames against rebuilds, affine poses",
            3,
            bergen97::section,
        ),
        part(
            "open-questions/zachmann02",
            "planes at right angles, look-ahead, tables, deforming boxtrees, 24-DOPs",
            13,
            zachmann02::section,
        ),
        part("open-questions/hu16", "each idea of the hybrid tree alone", 2, hu16::section),
        part(
            "open-questions/larsson08",
            "parameters relative to the parent's, zero to two slabs, arity and leaf size",
            2,
            larsson08::section,
        ),
    ],
};

const fn part(name: &'static str, about: &'static str, minutes: u32, run: Measure) -> Part {
    Part { experiment: Experiment::OpenQuestions, name, about, by: By::Counts, minutes, run }
}
