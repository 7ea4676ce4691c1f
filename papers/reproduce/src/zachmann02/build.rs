//! Figure 6: build time against the number of triangles.
use super::measurements::{Objects, is_series};
use crate::{
    Error, Settings, Watch,
    measure::build,
    numbers::{Proportion, proportion},
    plot::{Axis, FIT, Mark, Panel, Series},
    printed::zachmann02::BUILD_RATE,
    report::{Block, By, Figure, Outcome, Section, Verdict},
    rounds::{Rounds, Timed, judged},
    table::{Cell, Table, rounded},
};
use impinge_volumes::{Kind, Options, Split};

const BUILDERS: [(&str, Kind, Split); 4] = [
    ("boxtree", Kind::Boxtree, Split::Restricted),
    ("boxtree, longest axis", Kind::Boxtree, Split::RestrictedLongest),
    ("boxtree, SAH split", Kind::Boxtree, Split::Sah),
    ("24-DOP", Kind::Dop24, Split::Sah),
];
/// Options with one triangle a leaf, as everywhere.
fn options(kind: Kind, split: Split) -> Options {
    Options::new(kind).split(split).leaf_size(1)
}

/// Label and triangles of each object, and times by builder.
#[derive(Clone)]
struct Builds {
    rows: Vec<(&'static str, usize, [Timed; BUILDERS.len()])>,
}

impl Rounds for Builds {
    fn keep(&mut self, round: usize) {
        self.rows.iter_mut().for_each(|row| row.2.keep(round));
    }
}

pub(super) fn section(
    objects: Objects<'_>,
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Section, Error> {
    watch.stage("zachmann02: builds".into(), objects.len());
    let mut rows = Vec::new();
    for &(name, label) in objects {
        let mesh = &settings.scene(name)?.meshes[0];
        let times = BUILDERS.map(|(_, kind, split)| build(mesh, &options(kind, split)));
        watch.step();
        rows.push((label, mesh.len(), times));
    }
    // The series by size, then the other objects.
    rows.sort_by_key(|row| (!is_series(row.0), row.1));
    let builds = Builds { rows };
    let verdicts = judged(std::slice::from_ref(&builds), |all: &[Builds]| {
        all.iter().flat_map(Builds::verdicts).collect()
    });
    Ok(Section::new(builds.blocks(), verdicts))
}

/// n log2 n.
fn work(triangles: f64) -> f64 {
    triangles * triangles.log2()
}

impl Builds {
    /// Fit over all objects: seconds = c n log2 n.
    fn fit(&self, builder: usize) -> Option<Proportion> {
        let points: Vec<_> =
            self.rows.iter().map(|(_, n, s)| (work(*n as f64), s[builder].seconds)).collect();
        proportion(&points)
    }

    fn blocks(&self) -> Vec<Block> {
        let heads = BUILDERS.iter().map(|(name, ..)| format!("{name} (ms)"));
        let mut data = Table::new(
            "zachmann02-build",
            "",
            ["object".to_owned(), "triangles".to_owned()].into_iter().chain(heads),
        );
        for (label, n, seconds) in &self.rows {
            let cells = seconds.iter().map(|s| Cell::from(1e3 * s.seconds));
            data.row([Cell::from(*label), (*n).into()].into_iter().chain(cells));
        }
        let mut fits = Table::new(
            "zachmann02-build-fit",
            "Fit of seconds = c n log2 n over all objects",
            ["builder", "c (ns)", "R^2", "triangles a second at 100,000"],
        );
        let most = self.rows.iter().map(|row| row.1).max().unwrap_or(0) as f64;
        let mut series = Vec::new();
        for (k, (name, ..)) in BUILDERS.iter().enumerate() {
            let points = self.rows.iter().map(|(_, n, s)| (*n as f64, 1e3 * s[k].seconds)).collect();
            series.push(Series { name: (*name).into(), points, mark: Mark::Dots });
            let fit = self.fit(k);
            fits.row([
                (*name).into(),
                fit.map(|f| 1e9 * f.factor).into(),
                fit.map(|f| f.r_squared).into(),
                fit.map(|f| 1e5 / (f.factor * work(1e5))).into(),
            ]);
        }
        for (k, (name, ..)) in BUILDERS.iter().enumerate() {
            if let Some(fit) = self.fit(k) {
                let at = |part: u32| most * f64::from(part.max(1)) / 12.0;
                let points = (0..=12).map(|part| (at(part), 1e3 * fit.factor * work(at(part)))).collect();
                series.push(Series { name: format!("{name}{FIT}"), points, mark: Mark::Dashes });
            }
        }
        let panel = Panel::Curves {
            title: "build time of one tree, one thread".into(),
            x: Axis::linear("triangles, n"),
            y: Axis::linear("time (ms)"),
            series,
        };
        let caption =
            "Build time against the number of triangles (torus and sphere series, motor, saw), and \
            c n log2 n."
                .into();
        vec![Block::Figure(Figure { caption, panels: vec![panel], columns: 1, data }), Block::Table(fits)]
    }

    fn verdicts(&self) -> Vec<Verdict> {
        let fit = self.fit(0);
        vec![Verdict {
            claim: format!(
                "A boxtree is built in O(n log n) with a small constant (section 4.3, Figure 6); \
                    {BUILD_RATE} triangles a second on a 1 GHz Pentium III (section 6)."
            ),
            by: By::Times,
            rule: "c n log2 n fits the build times of all objects with R^2 of at least 0.95",
            measured: match fit {
                Some(f) => format!(
                    "c = {} ns, R^2 = {:.4}; that is {} triangles a second at n = 100,000. Rates of \
                        different machines are not compared.",
                    rounded(1e9 * f.factor),
                    f.r_squared,
                    rounded(1e5 / (f.factor * work(1e5)))
                ),
                None => "Too few objects for a fit.".into(),
            },
            outcome: Outcome::of(fit.map(|f| f.r_squared >= 0.95)),
            why: "Objects of different shapes are in one fit, and their trees differ in depth.",
        }]
    }
}
