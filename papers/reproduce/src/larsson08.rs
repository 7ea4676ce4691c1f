//! Larsson and Akenine-Moller 2008: slab cut balls against balls and oriented boxes.
mod claims;
mod measurements;

use self::measurements::{BALL, OBB, RITTER, RowMeasurement, SCB, contenders};
use crate::{
    Error, Experiment, Part, Settings, Watch,
    measure::{Ask, Frame, built, race},
    part::Chapter,
    plot::{Axis, Mark, Panel, Series},
    printed::larsson08::{BYTES, OPERATIONS, TABLE_3},
    report::{Block, By, Figure, Section, Verdict},
    rounds::judged,
    table::{Cell, Table, grouped, rounded},
};
use impinge_volumes::Kind;

pub(crate) static CHAPTER: Chapter = Chapter {
    title: "Larsson and Akenine-Moller 2008: bounding volume hierarchies of slab cut balls",
    about: "A slab cut ball (SCB) is a ball between two parallel planes: 9 floats. The paper compares trees \
            of it with trees of balls and with RAPID's OBB trees, on one query: all pairs of triangles that \
            meet. Here OBB is impinge's own oriented box with RAPID's split (the mean of centroids) and \
            15-axis test, not RAPID. Trees of balls and SCBs are built by the paper's split; one triangle a \
            leaf. Np is the paper's count, pairs of triangles in leaves that are reached; impinge tests \
            fewer of them, since it first asks whether the triangles' own boxes meet. The paper does not \
            give its knots; ours have its numbers of triangles, another curve and perhaps a narrower gap, so \
            that their counts are not the paper's.",
    parts: &[
        Part {
            experiment: Experiment::Larsson08,
            name: "larsson08/table3",
            about: "Table 3 and Figure 11: all pairs of seven scenes",
            by: By::Times,
            minutes: 3,
            run: |settings, watch| table3_of(&[0, 1, 2, 3, 4, 5, 6], settings, watch),
        },
        Part {
            experiment: Experiment::Larsson08,
            name: "larsson08/bytes",
            about: "memory and operations of the volumes",
            by: By::Counts,
            minutes: 1,
            run: bytes,
        },
    ],
};

/// Scenes in the order of Table 3: name, index in `FAMILIES`, and true if the paper plots it frame by frame.
const SCENES: [(&str, usize, bool); 7] = [
    ("spheres-l1", 0, true),
    ("spheres-l2", 0, false),
    ("knots-l1", 1, false),
    ("knots-l2", 1, false),
    ("knots-l3", 1, false),
    ("horses", 2, true),
    ("hands", 3, true),
];
#[cfg(test)]
pub(crate) fn scenes() -> impl Iterator<Item = &'static str> {
    SCENES.iter().map(|scene| scene.0)
}

/// Section on the scenes with these indices.
fn table3_of(which: &[usize], settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Section, Error> {
    let rows = measure(which, settings, watch)?;
    Ok(Section::new(blocks(&rows), judged(&rows, claims::verdicts)))
}

fn measure(
    which: &[usize],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Vec<RowMeasurement>, Error> {
    let mut rows = Vec::new();
    for &index in which {
        let (name, family, plotted) = SCENES[index];
        let scene = settings.scene(name)?;
        let runs = race(&scene, &contenders(), Ask::All, watch)?;
        rows.push(RowMeasurement {
            printed: &TABLE_3[index],
            family,
            plotted,
            triangles: scene.meshes.each_ref().map(|m| m.len()),
            is_stand_in: scene.stand_in.is_some(),
            close: scene.groups.get(1).map_or(0..0, |group| group.frames.clone()),
            runs,
        });
    }
    Ok(rows)
}

fn blocks(rows: &[RowMeasurement]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for row in rows.iter().filter(|row| row.is_stand_in) {
        let [[a, b], [c, d]] = [row.triangles.map(|n| n as u64), row.printed.triangles];
        let times = row.run(SCB).volume_tests() / row.printed.trees[1].volume_tests as f64;
        blocks.push(Block::Text(format!(
            "**{}: its rows are of a stand-in with {} + {} triangles; the paper's models have {} + {}.** Its \
             counts are not the paper's: Nv of SCBs is {} times that of Table 3, a difference of the models \
             and not of the volumes. Its last column is empty.",
            row.label(),
            grouped(a),
            grouped(b),
            grouped(c),
            grouped(d),
            rounded(times)
        )));
    }
    blocks.push(Block::Heading("Table 3: mean of a frame".into()));
    blocks.push(Block::Table(table_3(rows)));
    blocks.push(Block::Figure(speed_ups(rows)));
    blocks.push(Block::Heading("Figure 11: frame by frame".into()));
    blocks.push(Block::Text(
        "The paper plots balls, SCBs and OBBs; logarithmic scales are ours, so that all curves can be read."
            .into(),
    ));
    blocks.extend(rows.iter().filter(|row| row.plotted).map(|row| Block::Figure(by_frame(row))));
    blocks
}

fn table_3(rows: &[RowMeasurement]) -> Table {
    let mut table = Table::new(
        "larsson08-table3",
        "Table 3. Our numbers and the paper's; times are in ms, and as multiples of SCB's",
        [
            "scene",
            "volume",
            "time (ms)",
            "time / SCB",
            "Nv",
            "Np",
            "triangle tests",
            "paper: time (ms)",
            "paper: time / SCB",
            "paper: Nv",
            "paper: Np",
            "Nv / paper's",
        ],
    );
    for row in rows {
        for run in &row.runs {
            let tree = [BALL, SCB, OBB].iter().position(|name| *name == run.name);
            let printed = tree.map(|k| row.printed.trees[k]);
            let scb = row.printed.trees[1].ms;
            table.row([
                row.label().into(),
                run.name.into(),
                (1e3 * run.seconds()).into(),
                row.over_scb(run.name).into(),
                run.volume_tests().into(),
                run.leaf_pairs().into(),
                run.mean(|f| f.count.triangle_tests as f64).into(),
                printed.map(|p| p.ms).into(),
                printed.map(|p| p.ms / scb).into(),
                printed.map(|p| p.volume_tests).into(),
                printed.map(|p| p.triangle_tests).into(),
                match printed {
                    Some(_) if row.is_stand_in => Cell::missing("other model"),
                    printed => printed.map(|p| run.volume_tests() / p.volume_tests as f64).into(),
                },
            ]);
        }
    }
    table
}

fn speed_ups(rows: &[RowMeasurement]) -> Figure {
    let groups: Vec<String> = rows.iter().map(RowMeasurement::label).collect();
    let mut data = Table::new(
        "larsson08-speed-up",
        "",
        ["scene", "time ball / SCB", "paper: time ball / SCB", "time OBB / SCB", "paper: time OBB / SCB"],
    );
    for row in rows {
        let [ball, obb] = row.printed_over_scb();
        let cells = [row.over_scb(BALL), ball, row.over_scb(OBB), obb];
        data.row([Cell::from(row.label())].into_iter().chain(cells.map(Cell::from)));
    }
    let panel = |title: &str, name: &str, k: usize| Panel::Bars {
        title: title.into(),
        groups: groups.clone(),
        x: String::new(),
        y: Axis::linear("time / time of SCB"),
        series: vec![
            ("here".into(), rows.iter().map(|row| row.over_scb(name)).collect()),
            ("the paper".into(), rows.iter().map(|row| row.printed_over_scb()[k]).collect()),
        ],
    };
    Figure {
        caption: "Times of the two others as multiples of slab cut balls'; above 1, slab cut balls are \
            faster."
            .into(),
        panels: vec![panel("Balls", BALL, 0), panel("Oriented boxes", OBB, 1)],
        columns: 1,
        data,
    }
}

/// The paper's Figure 11 for one scene.
fn by_frame(row: &RowMeasurement) -> Figure {
    let shown = [BALL, SCB, OBB];
    let scene = row.label();
    let file = format!("larsson08-frames-{}", row.printed.scene.to_lowercase());
    let heads = shown.iter().flat_map(|name| [format!("{name}: Nv"), format!("{name}: time (ms)")]);
    let mut data = Table::new(file, "", ["frame".to_owned()].into_iter().chain(heads));
    let frames = row.run(SCB).frames.len();
    for index in 0..frames {
        let cells = shown.iter().flat_map(|name| {
            let Frame { count, seconds, .. } = row.run(name).frames[index];
            [Cell::from(count.volume_tests), Cell::from(1e3 * seconds)]
        });
        data.row([Cell::from(index)].into_iter().chain(cells));
    }
    let panel = |title: String, label: &str, of: &dyn Fn(&Frame) -> f64| Panel::Curves {
        title,
        x: Axis::linear("frame (of those run)"),
        y: Axis::log(label),
        series: shown
            .iter()
            .map(|name| {
                let points = row.run(name).frames.iter().enumerate().map(|(i, f)| (i as f64, of(f)));
                // Zero has no logarithm; the least work of a query is one test.
                let points = points.map(|(x, y)| (x, y.max(1e-6))).collect();
                Series { name: (*name).into(), points, mark: Mark::Line }
            })
            .collect(),
    };
    Figure {
        caption: format!("{scene}, frame by frame: volume tests and time."),
        panels: vec![
            panel(format!("{scene}: volume tests"), "Nv", &|f| f.count.volume_tests as f64),
            panel(format!("{scene}: time"), "time (ms)", &|f| 1e3 * f.seconds),
        ],
        columns: 2,
        data,
    }
}

fn bytes(settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Section, Error> {
    let scene = settings.scene(SCENES[0].0)?;
    let contenders = contenders();
    let shown: Vec<_> = contenders.iter().filter(|contender| contender.name != RITTER).collect();
    watch.stage("larsson08: bytes".into(), shown.len());
    let mut table = Table::new(
        "larsson08-bytes",
        "Bytes of a volume and operations of its test; the trees are both of Spheres-L1",
        [
            "volume",
            "bytes a volume",
            "with its link",
            "both trees (KiB)",
            "operations a test, transform included",
            "paper: bytes",
            "paper: operations",
        ],
    );
    let printed = |list: &[(&str, u64)], kind: Kind| list.iter().find(|p| p.0 == kind.name()).map(|p| p.1);
    for contender in shown {
        let kind = contender.options.kind;
        let about = kind.about();
        let bytes = |mesh| built(mesh, &contender.options).stats().bytes;
        let both: usize = scene.meshes.iter().map(bytes).sum();
        table.row([
            contender.name.into(),
            about.volume_bytes.into(),
            about.node_bytes.into(),
            (both as f64 / 1024.0).into(),
            u64::from(about.test_operations + about.placing_operations).into(),
            printed(&BYTES, kind).into(),
            printed(&OPERATIONS, kind).into(),
        ]);
        watch.step();
    }
    let note = "The paper sets the constant that decides when two slabs count as aligned to a = 0.7. It is a \
        constant of impinge's code, too, so this command cannot vary it; impinge's papers/docs/measurements.md has the \
        results of other values.";
    let none: [Verdict; 0] = [];
    Ok(Section::new(vec![Block::Table(table), Block::Text(note.into())], none))
}

#[cfg(test)]
mod tests;
