//! Van den Bergen 1997: AABB trees against OBB trees, under 15 axes and 6.
mod claims;
mod deform;
mod measurements;

pub(crate) use self::deform::DEFORMATIONS;
use self::{
    deform::{Bent, DEFORMED},
    measurements::{AABB_LITE, Costs, ModelMeasurement, OBB_SAT, contenders},
};
use crate::{
    Error, Experiment, Part, Settings, Watch,
    measure::{self, Ask, race, separations},
    part::Chapter,
    plot::{Axis, Panel},
    report::{Block, By, Figure, Section},
    rounds::judged,
    table::{Cell, Table, rounded},
};
use impinge_volumes::Kind;

pub(crate) static CHAPTER: Chapter = Chapter {
    title: "Van den Bergen 1997: AABB trees",
    about: "Two copies of a model are placed at random, so that about 60 % of the placements intersect, and \
            asked whether they do: the query ends at the first pair of triangles that meet (the paper's \
            queries are boolean, too). Trees of boxes along a model's axes (AABB) are split as in the paper, \
            trees of oriented boxes (OBB) as in RAPID; one triangle a leaf. SAT tests all 15 axes that can \
            separate two boxes, SAT lite only the 6 face normals. In the text of the paper that we have, \
            **its tables have lost their digits**, so its sentences are compared with our numbers, not its \
            numbers.",
    parts: &[
        Part {
            experiment: Experiment::Bergen97,
            name: "bergen97/tables",
            about: "Tables 1 to 3: queries, builds, a refit, memory, and exits of the test",
            by: By::Times,
            minutes: 1,
            run: |settings, watch| tables_of(&SCENES, settings, watch),
        },
        Part {
            experiment: Experiment::Bergen97,
            name: "bergen97/deformed",
            about: "refitted trees under deformation",
            by: By::Times,
            minutes: 1,
            run: |settings, watch| deformed_of(&SCENES, settings, watch),
        },
    ],
};

const SCENES: [(&str, &str); 3] =
    [("random-torus", "torus"), ("random-spacecraft", "X-wing"), ("random-teapot", "teapot")];

fn tables_of(
    scenes: &[(&str, &'static str)],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Section, Error> {
    let models = measure(scenes, settings, watch)?;
    Ok(Section::new(blocks(&models), judged(&models, claims::on_queries)))
}

fn deformed_of(
    scenes: &[(&str, &'static str)],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Section, Error> {
    let models = bend(scenes, settings, watch)?;
    let about = format!(
        "Both copies are deformed, their AABB trees refitted or rebuilt, and queried at the first {DEFORMED} \
         placements (SAT lite). *Decay* is the library's measure of the refitted tree: the surface of its \
         boxes, relative to the whole's, over that after the build. A frame is the refit or the rebuild of \
         both copies and one query."
    );
    let blocks = vec![Block::Text(about), Block::Table(deformed(&models))];
    Ok(Section::new(blocks, judged(&models, claims::on_deformations)))
}

fn measure(
    scenes: &[(&str, &'static str)],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Vec<ModelMeasurement>, Error> {
    let mut models = Vec::new();
    for &(name, label) in scenes {
        let scene = settings.scene(name)?;
        let all = contenders();
        let runs = race(&scene, &all, Ask::First, watch)?;
        let exits = [&all[1], &all[0]].map(|contender| separations(&scene, contender, Ask::First, watch));
        watch.stage(format!("bergen97: {name}, builds"), 3);
        let builds = [&all[0], &all[1]].map(|contender| {
            let time = measure::build(&scene.meshes[0], &contender.options);
            watch.step();
            time
        });
        let refit = deform::refit(&scene.meshes[0], &all[3]);
        watch.step();
        models.push(ModelMeasurement {
            label,
            triangles: scene.meshes[0].len(),
            placements: scene.frames.len(),
            runs,
            exits,
            builds,
            refit,
        });
    }
    Ok(models)
}

fn bend(
    scenes: &[(&str, &'static str)],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Vec<Bent>, Error> {
    let mut models = Vec::new();
    for &(name, label) in scenes {
        let scene = settings.scene(name)?;
        models.push(Bent { label, deformed: deform::deformations(&scene, &contenders()[3], watch)? });
    }
    Ok(models)
}

fn blocks(models: &[ModelMeasurement]) -> Vec<Block> {
    vec![
        Block::Heading("Tables 1 and 2: cost of a placement".into()),
        Block::Text(
            "Nv, Np and T are means of a placement. Cv and Cp, the costs of one volume test and of one pair \
             of triangles in leaves that are reached, are the ones that fit T = C0 + Nv Cv + Np Cp best over \
             all placements (least squares of relative errors; C0 is what a query costs before its first \
             test); Tv = Nv Cv and Tp = Np Cp. Cells are empty where the placements do not determine the \
             costs or noise makes one negative. The paper's T has no C0."
                .into(),
        ),
        Block::Table(costs(models)),
        Block::Heading("Table 3: builds, refits, queries and memory".into()),
        Block::Table(operations(models)),
        Block::Heading("At which axis the test exits".into()),
        Block::Figure(histogram(models)),
    ]
}

fn costs(models: &[ModelMeasurement]) -> Table {
    let mut table = Table::new(
        "bergen97-tables1-2",
        "Tables 1 (SAT) and 2 (SAT lite), a placement",
        [
            "model",
            "tree, test",
            "Nv",
            "Cv (ns)",
            "Tv (us)",
            "Np",
            "Cp (ns)",
            "Tp (us)",
            "Tp / (Tv + Tp) (%)",
            "C0 (us)",
            "T (us)",
            "T / T of OBB, SAT",
        ],
    );
    for model in models {
        for run in &model.runs {
            let costs = Costs::of(run);
            let of = |f: &dyn Fn(&Costs) -> f64| Cell::from(costs.as_ref().map(f));
            table.row([
                model.label.into(),
                run.name.into(),
                run.volume_tests().into(),
                of(&|c| 1e9 * c.volume_test),
                of(&|c| 1e6 * c.volume_test * run.volume_tests()),
                run.leaf_pairs().into(),
                of(&|c| 1e9 * c.leaf_pair),
                of(&|c| 1e6 * c.leaf_pair * run.leaf_pairs()),
                model.leaf_share(run.name).map(|share| 100.0 * share).into(),
                of(&|c| 1e6 * c.query),
                (1e6 * run.seconds()).into(),
                model.times(run.name, OBB_SAT).into(),
            ]);
        }
    }
    table
}

fn operations(models: &[ModelMeasurement]) -> Table {
    let heads = models.iter().map(|m| m.label.to_owned());
    let mut table = Table::new(
        "bergen97-table3",
        "Table 3. Cost of each operation",
        ["operation".to_owned()].into_iter().chain(heads),
    );
    let mut add = |name: &str, of: &dyn Fn(&ModelMeasurement) -> Cell| {
        table.row([Cell::from(name)].into_iter().chain(models.iter().map(of)));
    };
    add("build an OBB tree (ms)", &|m| (1e3 * m.builds[0].seconds).into());
    add("build an AABB tree (ms)", &|m| (1e3 * m.builds[1].seconds).into());
    add("refit an AABB tree (ms)", &|m| (1e3 * m.refit.seconds).into());
    add("test a pair of OBB trees (SAT) (ms)", &|m| (1e3 * m.run(OBB_SAT).seconds()).into());
    add("test a pair of AABB trees (SAT lite) (ms)", &|m| (1e3 * m.run(AABB_LITE).seconds()).into());
    add("both OBB trees (KiB)", &|m| m.kibibytes(OBB_SAT).into());
    add("both AABB trees (KiB)", &|m| m.kibibytes(AABB_LITE).into());
    add("triangles a model", &|m| m.triangles.into());
    add("placements", &|m| m.placements.into());
    add("intersecting placements (%)", &|m| (100.0 * m.meeting()).into());
    table
}

/// Section 4: queries after deformations.
fn deformed(models: &[Bent]) -> Table {
    let mut table = Table::new(
        "bergen97-deformed",
        "Queries of refitted and of rebuilt AABB trees",
        [
            "model",
            "deformation",
            "decay",
            "refit (ms)",
            "rebuild (ms)",
            "T refitted (us)",
            "T rebuilt (us)",
            "T refitted / rebuilt",
            "Nv refitted / rebuilt",
            "frame refitted / rebuilt",
        ],
    );
    for (model, d) in models.iter().flat_map(|m| m.deformed.iter().map(move |d| (m, d))) {
        table.row([
            model.label.into(),
            d.name.into(),
            d.decay.into(),
            (1e3 * d.update[0].seconds).into(),
            (1e3 * d.update[1].seconds).into(),
            (1e6 * d.seconds[0].seconds).into(),
            (1e6 * d.seconds[1].seconds).into(),
            d.slower().into(),
            d.more_tests().into(),
            (d.frame(0) / d.frame(1)).into(),
        ]);
    }
    table
}

fn histogram(models: &[ModelMeasurement]) -> Figure {
    let axes = Kind::Aabb.tests();
    let heads = models.iter().flat_map(|m| ["AABB", "OBB"].map(|tree| format!("{}, {tree} (%)", m.label)));
    let mut data = Table::new("bergen97-exits", "", ["axis".to_owned()].into_iter().chain(heads));
    let share = |m: &ModelMeasurement, k: usize, axis: usize| {
        let exits = &m.exits[k].separations;
        100.0 * exits[axis] as f64 / exits.iter().sum::<u64>().max(1) as f64
    };
    for (axis, name) in axes.iter().enumerate() {
        let cells = models.iter().flat_map(|m| [0, 1].map(|k| Cell::from(share(m, k, axis))));
        data.row([Cell::from(*name)].into_iter().chain(cells));
    }
    let panels = models.iter().map(|m| Panel::Bars {
        title: format!(
            "{}: edge axes separate {} % (AABB), {} % (OBB)",
            m.label,
            rounded(100.0 * m.edge_share(0)),
            rounded(100.0 * m.edge_share(1))
        ),
        groups: axes.iter().map(|a| a.replace(" x ", "x")).collect(),
        x: "axis, in the order of the test: faces of a and b, then edges of a x edges of b".into(),
        y: Axis::linear("exits (%)"),
        series: ["AABB", "OBB"]
            .iter()
            .enumerate()
            .map(|(k, tree)| ((*tree).to_owned(), (0..axes.len()).map(|axis| share(m, k, axis)).collect()))
            .collect(),
    });
    Figure {
        caption: "At which of its 15 axes the separating-axis test ends, if the boxes are disjoint.".into(),
        panels: panels.collect(),
        columns: 1,
        data,
    }
}

#[cfg(test)]
mod tests;
