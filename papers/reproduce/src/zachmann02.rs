//! Zachmann 2002: restricted boxtrees, their four overlap tests, and 24-DOPs.
mod build;
mod measurements;
mod memory;

use self::measurements::{
    AXIS, BOXTREE, DOP, LITE, LOOKUP, OBJECTS, Objects, PairMeasurement, SAH, SAT, SERIES, is_series, tests,
    volumes,
};
use crate::{
    Error, Experiment, Part, Settings, Watch,
    part::Chapter,
    plot::{Axis, Mark, Panel, Series},
    printed::zachmann02::LOOKUP_PERCENT,
    report::{Block, By, Figure, Outcome, Section, Verdict},
    rounds::judged,
    table::{Cell, Table, rounded},
};

pub(crate) static CHAPTER: Chapter = Chapter {
    title: "Zachmann 2002: restricted boxtrees",
    about: "A boxtree's node stores one plane by which it is cut off its parent. Two equal objects, each \
            scaled into a cube of side 2, stand at a distance d between centres; one tumbles through a full \
            turn, with a query at each step (here at every 20th of the paper's 5000), and the mean time is \
            plotted against d. Queries end at the first pair of triangles that meet: the paper does not say \
            so, but its times (0.25 ms for tori of 90,000 triangles on a 1 GHz processor) are not those of \
            finding all pairs. Boxtrees are built by the paper's criterion, one triangle a leaf; beside \
            them, where it matters, stand boxtrees built by the surface area heuristic (SAH), which is also \
            how our 24-DOPs are built. The paper's CAD models (car, headlight, lock) are not available: a \
            motor and a reciprocating saw replace them, as soups of all their parts.",
    parts: &[
        Part {
            experiment: Experiment::Zachmann02,
            name: "zachmann02/figure9",
            about: "the four overlap tests of boxtrees",
            by: By::Times,
            minutes: 1,
            run: |settings, watch| figure9(&OBJECTS, settings, watch),
        },
        Part {
            experiment: Experiment::Zachmann02,
            name: "zachmann02/figure10",
            about: "boxtrees against 24-DOPs, by distance and by size",
            by: By::Times,
            minutes: 1,
            run: |settings, watch| figure10(&OBJECTS, &SERIES, settings, watch),
        },
        Part {
            experiment: Experiment::Zachmann02,
            name: "zachmann02/figure6",
            about: "build time against the number of triangles",
            by: By::Times,
            minutes: 1,
            run: |settings, watch| build::section(&[&OBJECTS[..], &SERIES].concat(), settings, watch),
        },
        Part {
            experiment: Experiment::Zachmann02,
            name: "zachmann02/table1",
            about: "memory and operations of the volumes",
            by: By::Counts,
            minutes: 1,
            run: |_, _| Ok(memory::table1()),
        },
        Part {
            experiment: Experiment::Zachmann02,
            name: "zachmann02/figure1",
            about: "empty space in an AABB tree",
            by: By::Counts,
            minutes: 1,
            run: |settings, watch| memory::figure1(&OBJECTS, settings, watch),
        },
    ],
};

#[cfg(test)]
pub(crate) fn scenes() -> impl Iterator<Item = &'static str> {
    OBJECTS.iter().chain(&SERIES).map(|scene| scene.0)
}

fn figure9(objects: Objects<'_>, settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Section, Error> {
    let objects = measurements::measure(objects, &tests(), settings, watch)?;
    let figure = by_distance(
        "zachmann02-tests",
        "Time against distance for the four overlap tests of boxtrees.",
        &objects,
        &[(AXIS, AXIS), (LOOKUP, LOOKUP), (SAT, SAT), (LITE, LITE)],
    );
    let blocks = vec![Block::Figure(figure), Block::Table(summary("zachmann02-summary", &objects))];
    Ok(Section::new(blocks, judged(&objects, on_tests)))
}

fn figure10(
    objects: Objects<'_>,
    series: Objects<'_>,
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Section, Error> {
    let objects = measurements::measure(objects, &volumes(), settings, watch)?;
    let shown = [(LITE, BOXTREE), (SAH, SAH), (DOP, DOP)];
    let figure = by_distance(
        "zachmann02-distance",
        "Time against distance for boxtrees (SAT lite) and 24-DOPs.",
        &objects,
        &shown,
    );
    let table = summary("zachmann02-volumes", &objects);
    // The objects of no series, then the series by size, which include two of the objects.
    let mut all = measurements::measure(series, &volumes(), settings, watch)?;
    all.extend(objects);
    all.sort_by_key(|m| (is_series(m.label), m.mesh.len()));
    let blocks = vec![
        Block::Figure(figure),
        Block::Table(table),
        Block::Heading("Summary by the number of triangles".into()),
        Block::Figure(size_figure(&all)),
    ];
    Ok(Section::new(blocks, judged(&all, on_volumes)))
}

/// Figure with a panel for each object. `shown` has the name and the label of each contender.
fn by_distance(file: &str, caption: &str, objects: &[PairMeasurement], shown: &[(&str, &str)]) -> Figure {
    let heads = shown.iter().map(|(_, called)| format!("{called} (us)"));
    let mut data =
        Table::new(file, "", ["object".to_owned(), "distance".to_owned()].into_iter().chain(heads));
    for object in objects {
        let curves: Vec<_> = shown.iter().map(|(name, _)| object.by_distance(name)).collect();
        for (k, (distance, _)) in object.by_distance(shown[0].0).into_iter().enumerate() {
            let cells = curves.iter().map(|curve| Cell::from(1e6 * curve[k].1));
            data.row([Cell::from(object.label), Cell::from(distance)].into_iter().chain(cells));
        }
    }
    let panels = objects.iter().map(|object| Panel::Curves {
        title: format!("{}, {} triangles", object.label, object.mesh.len()),
        x: Axis::linear("distance of the centres (cube of side 2)"),
        y: Axis::log("mean time (us)"),
        series: shown
            .iter()
            .map(|(name, called)| Series {
                name: (*called).into(),
                points: object.by_distance(name).into_iter().map(|(d, s)| (d, 1e6 * s)).collect(),
                mark: Mark::Points,
            })
            .collect(),
    });
    Figure { caption: caption.into(), panels: panels.collect(), columns: 2, data }
}

fn summary(file: &str, objects: &[PairMeasurement]) -> Table {
    let mut table = Table::new(
        file,
        "The mean over all distances",
        [
            "object",
            "triangles",
            "volume and test",
            "time (us)",
            "time / boxtree, SAT lite",
            "Nv",
            "Np",
            "triangle tests",
        ],
    );
    for object in objects {
        for run in &object.runs {
            table.row([
                object.label.into(),
                object.mesh.len().into(),
                run.name.into(),
                (1e6 * object.seconds(run.name)).into(),
                object.times(run.name, LITE).into(),
                run.volume_tests().into(),
                run.leaf_pairs().into(),
                run.mean(|f| f.count.triangle_tests as f64).into(),
            ]);
        }
    }
    table
}

fn size_figure(all: &[PairMeasurement]) -> Figure {
    let by_size = || all.iter().filter(|m| is_series(m.label));
    let shown = [(LITE, BOXTREE), (SAH, SAH), (DOP, DOP)];
    let heads = shown.iter().map(|(_, called)| format!("{called} (us)"));
    let mut data = Table::new(
        "zachmann02-size",
        "",
        ["object".to_owned(), "triangles".to_owned()].into_iter().chain(heads),
    );
    for one in by_size() {
        let cells = shown.iter().map(|(name, _)| Cell::from(1e6 * one.seconds(name)));
        data.row([Cell::from(one.label), one.mesh.len().into()].into_iter().chain(cells));
    }
    let panels = ["torus", "sphere"].map(|label| Panel::Curves {
        title: label.into(),
        x: Axis::linear("triangles of each object"),
        y: Axis::linear("mean time over all distances (us)"),
        series: shown
            .iter()
            .map(|(name, called)| {
                let series = by_size().filter(|m| m.label == label);
                let points = series.map(|m| (m.mesh.len() as f64, 1e6 * m.seconds(name))).collect();
                Series { name: (*called).into(), points, mark: Mark::Points }
            })
            .collect(),
    });
    Figure {
        caption: "The mean over all distances against the number of triangles, as the paper's Figure 10 for \
            the torus."
            .into(),
        panels: panels.into(),
        columns: 2,
        data,
    }
}

fn on_tests(objects: &[PairMeasurement]) -> Vec<Verdict> {
    let list = |of: &dyn Fn(&PairMeasurement) -> String| {
        objects.iter().map(|m| format!("{} {}", m.label, of(m))).collect::<Vec<_>>().join(", ")
    };
    vec![
        Verdict {
            claim: "SAT lite is the fastest of the boxtree's overlap tests (Figure 9).".into(),
            by: By::Times,
            rule: "its mean over the distances is the least on each object",
            measured: format!(
                "Times of axis alignment, tables and SAT over SAT lite: {}.",
                list(&|m| [AXIS, LOOKUP, SAT].map(|n| rounded(m.times(n, LITE))).join(" / "))
            ),
            outcome: Outcome::of(
                objects.iter().map(|m| [AXIS, LOOKUP, SAT].iter().all(|n| m.times(n, LITE) > 1.0)),
            ),
            why: "",
        },
        Verdict {
            claim: format!(
                "Look-up tables are at most {LOOKUP_PERCENT} % faster, and slower on small objects (section \
                    5)."
            ),
            by: By::Times,
            rule: "axis alignment takes at most 1.08 times as long as the tables on each object",
            measured: format!("Axis alignment over tables: {}.", list(&|m| rounded(m.times(AXIS, LOOKUP)))),
            outcome: Outcome::of(
                objects.iter().map(|m| m.times(AXIS, LOOKUP) <= 1.0 + LOOKUP_PERCENT / 100.0),
            ),
            why: "",
        },
    ]
}

fn on_volumes(cases: &[PairMeasurement]) -> Vec<Verdict> {
    let ratio = |m: &PairMeasurement, name: &str| {
        format!("{} {}: {}", m.label, m.mesh.len(), rounded(m.times(name, DOP)))
    };
    let ratios = |name: &str| cases.iter().map(|m| ratio(m, name)).collect::<Vec<_>>().join(", ");
    let close = cases.iter().filter(|m| m.times(LITE, DOP) <= 1.25).count();
    vec![Verdict {
        claim: "Boxtrees are about as fast as 24-DOP trees in most cases (Figure 10, section 6).".into(),
        by: By::Times,
        rule: "in more than half of the cases (CAD objects and both series) they take at most 1.25 times \
                as long; in part, if in any",
        measured: format!("Boxtree over 24-DOP: {}. With the SAH split: {}.", ratios(LITE), ratios(SAH)),
        outcome: match close {
            _ if cases.is_empty() => Outcome::NotMeasured,
            0 => Outcome::DoesNotHold,
            n if 2 * n > cases.len() => Outcome::Holds,
            _ => Outcome::InPart,
        },
        why: "24 half-spaces fit so much more tightly that they need a small part of a boxtree's tests \
                (Nv in the summary above), and theirs is straight-line arithmetic on one row of floats, \
                which processors since 2002 have become many times better at; caches of megabytes leave 9 \
                bytes a node little to gain. The comparator differs, too: the paper's DOPs \
                  are re-aligned in one direction, ours are tested both ways, and are built by SAH.",
    }]
}

#[cfg(test)]
mod tests;
