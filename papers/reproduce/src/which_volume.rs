//! Comparison of all volumes: the fast tree beside those of the papers, and the defaults of each.
mod claims;
mod measurements;

use self::measurements::{Cost, VolumeMeasurement, bytes, contenders, times};
use crate::{
    Error, Experiment, Part, Settings, Watch,
    measure::{self, Ask, Run, race},
    part::Chapter,
    plot::{Axis, Panel, Spread},
    report::{Block, By, Figure, Section, Verdict},
    rounds::judged,
    table::{Cell, Table},
};
use impinge_volumes::{Fit, Kind, Overlap, Split};

pub(crate) static CHAPTER: Chapter = Chapter {
    title: "Which volume?",
    about: "Every volume with its defaults (`auto`, below), on generated scenes, so that every machine \
            measures the same bits. Times of queries are for two bodies at a frame, all pairs of triangles \
            or the first that is found; times are given as multiples of the fast tree's (*wide*). *wide, \
            compact* keeps leaves in 16 bits a coordinate, *wide, fast build* is built with less care \
            (`--compact`, `--quality fast`).",
    parts: &[
        Part {
            experiment: Experiment::WhichVolume,
            name: "which-volume/scenes",
            about: "queries, memory and builds in six scenes",
            by: By::Times,
            minutes: 9,
            run: compare,
        },
        Part {
            experiment: Experiment::WhichVolume,
            name: "which-volume/auto",
            about: "what `auto` picks for each volume",
            by: By::Counts,
            minutes: 1,
            run: |_, _| Ok(auto()),
        },
    ],
};

/// Scenes that the testkit generates, so that every machine measures the same bits: smooth and close, far and
/// near, CAD, slivers.
const SCENES: [(&str, &str); 6] = [
    ("spheres-l1", "spheres pass through each other"),
    ("spheres-nested", "sphere in sphere, 3 % apart"),
    ("knots-l2", "knots, close along a curve"),
    ("random-teapot", "teapots at random"),
    ("tumble-motor", "gearboxes tumble (CAD)"),
    ("rods", "heaps of thin rods"),
];

fn compare(settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Section, Error> {
    let scenes = measure(&SCENES, settings, watch)?;
    let blocks = vec![Block::Figure(figure(&scenes)), Block::Table(by_scene(&scenes))];
    Ok(Section::new(blocks, judged(&scenes, claims::verdicts)))
}

fn auto() -> Section {
    let none: [Verdict; 0] = [];
    Section::new(vec![Block::Table(choices())], none)
}

fn measure(
    scenes: &[(&str, &'static str)],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Vec<VolumeMeasurement>, Error> {
    let contenders = contenders();
    let mut all = Vec::new();
    for &(name, label) in scenes {
        let scene = settings.generated(name)?;
        let runs =
            [race(&scene, &contenders, Ask::All, watch)?, race(&scene, &contenders, Ask::First, watch)?];
        watch.stage(format!("which-volume: {name}, builds"), contenders.len());
        let builds = contenders
            .iter()
            .map(|contender| {
                let time = measure::build(&scene.meshes[0], &contender.options);
                watch.step();
                (contender.name, time)
            })
            .collect();
        let triangles = scene.meshes.each_ref().map(|mesh| mesh.len());
        all.push(VolumeMeasurement { label, triangles, runs, builds });
    }
    Ok(all)
}

fn figure(scenes: &[VolumeMeasurement]) -> Figure {
    let names: Vec<&str> = contenders().iter().map(|contender| contender.name).collect();
    let costs = [
        ("all pairs, time / wide's", Cost::All),
        ("first contact, time / wide's", Cost::First),
        ("build, time / wide's", Cost::Build),
    ];
    let heads = ["", ": least", ": most"];
    let mut data = Table::new(
        "which-volume",
        "",
        ["volume".to_owned()].into_iter().chain(
            costs
                .iter()
                .map(|cost| cost.0)
                .chain(["bytes a triangle"])
                .flat_map(|c| heads.map(|h| format!("{c}{h}"))),
        ),
    );
    for &name in &names {
        let spreads = costs.iter().map(|cost| times(scenes, cost.1, name)).chain([bytes(scenes, name)]);
        let cells = spreads.flat_map(|s| [s.middle, s.least, s.most]).map(Cell::from);
        data.row([Cell::from(name)].into_iter().chain(cells));
    }
    let legend =
        || ["geometric mean of the scenes".to_owned(), "from the least scene to the most".to_owned()];
    let panel = |title: &str, x: Axis, of: &dyn Fn(&str) -> Spread| Panel::Rows {
        title: title.into(),
        rows: names.iter().map(|&name| (name.to_owned(), of(name))).collect(),
        x,
        legend: legend(),
    };
    let timed =
        |title: &str, cost| panel(title, Axis::log("time / time of wide"), &|name| times(scenes, cost, name));
    Figure {
        caption: "Costs of the volumes: times as multiples of the fast tree's (less is faster), and bytes a \
            triangle."
            .into(),
        panels: vec![
            timed("All pairs", Cost::All),
            timed("First contact", Cost::First),
            panel("Memory", Axis::linear("bytes a triangle"), &|name| bytes(scenes, name)),
            timed("Build", Cost::Build),
        ],
        columns: 2,
        data,
    }
}

fn by_scene(scenes: &[VolumeMeasurement]) -> Table {
    let mut table = Table::new(
        "which-volume-scenes",
        "Scene by scene, mean of a frame",
        [
            "scene",
            "triangles",
            "volume",
            "all pairs (us)",
            "all pairs / wide's",
            "first contact (us)",
            "first contact / wide's",
            "bytes a triangle",
            "build (ns a triangle)",
        ],
    );
    for scene in scenes {
        for Run { name, .. } in &scene.runs[0] {
            table.row([
                scene.label.into(),
                scene.triangles.iter().sum::<usize>().into(),
                (*name).into(),
                (1e6 * scene.of(Cost::All, name)).into(),
                scene.times(Cost::All, name).into(),
                (1e6 * scene.of(Cost::First, name)).into(),
                scene.times(Cost::First, name).into(),
                scene.of(Cost::Bytes, name).into(),
                (1e9 * scene.of(Cost::Build, name)).into(),
            ]);
        }
    }
    table
}

/// The values of `auto`, volume by volume.
fn choices() -> Table {
    let mut table = Table::new(
        "which-volume-auto",
        "What `auto` picks; - where the volume has no choice",
        ["volume", "split", "fit", "overlap test", "triangles a leaf", "children a node", "from"],
    );
    for &kind in Kind::ALL {
        let about = kind.about();
        // The first is the value of `auto`. It may be the volume's own best, which has no other name.
        let fit = match kind.fits() {
            [first, _, ..] => Fit::name(*first),
            _ => "-",
        };
        let overlap = match kind.overlaps() {
            [first, _, ..] => Overlap::name(*first),
            _ => "-",
        };
        // The fast tree has its own rule, which is none of the others.
        let (split, leaf) = if kind == Kind::Wide { ("-", 8) } else { (Split::name(about.split), 4) };
        table.row([
            kind.name().into(),
            split.into(),
            fit.into(),
            overlap.into(),
            Cell::from(leaf as usize),
            kind.arities().first().copied().into(),
            about.paper.into(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests;
