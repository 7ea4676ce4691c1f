//! Zachmann 2002: split rules at full size, planes at right angles, look-up tables, deforming objects, and
//! the numbers of tests of boxtrees and 24-DOPs.
use super::{
    contenders,
    restricted_box::{Planes, fitted},
    walk::{Topology, count, meeting},
};
use crate::{
    Error, Settings, Watch,
    bergen97::DEFORMATIONS,
    measure::{Contender, built},
    report::{Block, By, Outcome, Section, Verdict},
    table::{Cell, Table},
};
use impinge::{Mesh, model::Rebuild};
use impinge_volumes::{Kind, Overlap, Split};

/// Objects of the paper's kinds, at its sizes; CAD last. The saw, with 198,470 triangles, would take too
/// long.
const OBJECTS: [&str; 7] = [
    "tumble-torus-4k",
    "tumble-torus",
    "tumble-torus-101k",
    "tumble-sphere-5k",
    "tumble-sphere",
    "tumble-sphere-82k",
    "tumble-motor",
];
/// Objects for which the planes of a node's children vary.
const PLANES: [&str; 3] = ["tumble-torus", "tumble-sphere", "tumble-motor"];
/// Objects that deform.
const DEFORMED: [&str; 3] = ["tumble-torus-4k", "tumble-sphere-5k", "tumble-motor"];

const CRITERION: &str = "boxtree, the paper's criterion";
const RIGHT_ANGLES: &str = "with planes at right angles";
const AHEAD: &str = "with look-ahead";
const SAH: &str = "boxtree, SAH";
const AXIS: &str = "criterion, axis alignment";
const TABLES: &str = "criterion, look-up tables";
const DOP: &str = "24-DOP, SAH";

fn variants() -> [Contender; 7] {
    let boxtree = |name, split, overlap| Contender::new(name, Kind::Boxtree, split, overlap);
    [
        boxtree(CRITERION, Split::Restricted, Overlap::SatLite),
        boxtree(RIGHT_ANGLES, Split::Perpendicular, Overlap::SatLite),
        boxtree(AHEAD, Split::LookAhead, Overlap::SatLite),
        boxtree(SAH, Split::Sah, Overlap::SatLite),
        boxtree(AXIS, Split::Restricted, Overlap::Axis),
        boxtree(TABLES, Split::Restricted, Overlap::Lookup),
        Contender::new(DOP, Kind::Dop24, Split::Sah, Overlap::Auto),
    ]
}

/// One object: its triangles, and Nv and Np of each variant.
struct Object {
    name: &'static str,
    triangles: usize,
    means: Vec<(&'static str, [f64; 2])>,
}

impl Object {
    fn mean(&self, name: &str, k: usize) -> f64 {
        let found = self.means.iter().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| unreachable!("no variant {name}")).1[k]
    }
    fn ratio(&self, name: &str, than: &str, k: usize) -> f64 {
        self.mean(name, k) / self.mean(than, k)
    }
}

pub(super) fn section(settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Section, Error> {
    section_of(&OBJECTS, &PLANES, &DEFORMED, settings, watch)
}

fn section_of(
    objects: &[&'static str],
    planes: &[&'static str],
    deformed: &[&'static str],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Section, Error> {
    let mut notes = Vec::new();
    let mut measured = Vec::new();
    for &name in objects {
        watch.stage(format!("open-questions: {name}"), 1);
        let scene = settings.scene(name)?;
        notes.extend(scene.stand_in.as_ref().map(|text| format!("*{name}*: {text}.")));
        let works = contenders::first_contacts(&scene, &variants())?;
        let means = variants().into_iter().zip(works).map(|(contender, work)| {
            let [nv, np, _] = work.means();
            (contender.name, [nv, np])
        });
        measured.push(Object { name, triangles: scene.meshes[0].len(), means: means.collect() });
        watch.step();
    }
    let planes = planes_table(planes, settings, watch)?;
    let (deformed, ratios) = deformed_table(deformed, settings, watch)?;
    let text = |text: &str| Block::Text(text.into());
    let heading = |text: &str| Block::Heading(text.into());
    let mut blocks = vec![
        heading("Zachmann 2002: restricted boxtrees"),
        text(
            "The paper's tumbling objects, one triangle a leaf; queries end at the first contact, as in its \
                chapter. All boxtrees are tested by SAT lite unless a row names another test.",
        ),
    ];
    blocks.extend(notes.into_iter().map(Block::Text));
    blocks.extend([
        heading("Split rules, look-up tables and 24-DOPs at full size (sections 3.2, 4.2 and 6.1)"),
        text(
            "Planes at right angles: the criterion also considers the 12 cases in which each child is cut off \
                across an axis of its own. Look-ahead: the grandchildren's volumes are added to the sum. Look-up \
                tables round planes outwards by at most 1/128 of half the object, and are the test of axis \
                alignment but for that.",
        ),
        Block::Table(splits_table(&measured)),
        heading("Planes of the two children of a node (section 4.2)"),
        text(
            "All pairs of triangles that meet, in the same trees: a node's two planes lie across one axis, as \
                in the paper, or each child has the plane that cuts most off it, as in impinge's boxtree. Six \
                planes are an AABB tree: the least that more planes a node could reach. None of these cuts a \
                box twice, as impinge's boxtree does where one plane leaves it loose.",
        ),
        Block::Table(planes),
        heading("Deforming objects (section 6.1)"),
        text(
            "Both objects get van den Bergen's deformations. A refit keeps the tree, and fits each plane again \
                to the boxes of the triangles below, from the root down. It takes one pass for these boxes and \
                one for the planes, O(n). The numbers of tests after it are compared with those of a tree that \
                is built again.",
        ),
        Block::Table(deformed),
    ]);
    Ok(Section::new(blocks, verdicts(&measured, &ratios)))
}

fn splits_table(objects: &[Object]) -> Table {
    let mut table = Table::new(
        "open-zachmann02-splits",
        "First contacts: mean of a query",
        ["object", "triangles", "volume, split and test", "Nv", "Np", "Nv / criterion", "Np / criterion"],
    );
    for object in objects {
        for &(name, [nv, np]) in &object.means {
            let ratio = |k| Cell::Text(format!("{:.3}", object.ratio(name, CRITERION, k)));
            table.row([
                object.name.into(),
                object.triangles.into(),
                name.into(),
                nv.into(),
                np.into(),
                ratio(0),
                ratio(1),
            ]);
        }
    }
    table
}

fn planes_table(
    names: &[&'static str],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Table, Error> {
    let mut table = Table::new(
        "open-zachmann02-planes",
        "Planes of a node's children: all pairs, mean of a query",
        ["object", "split", "planes", "Nv", "Np", "Nv / one axis"],
    );
    for &name in names {
        watch.stage(format!("open-questions: {name}, planes"), 1);
        let scene = settings.scene(name)?;
        let meeting = meeting(&scene);
        for (split, called) in
            [(Split::Restricted, "criterion"), (Split::Perpendicular, "at right angles"), (Split::Sah, "SAH")]
        {
            let topologies = scene.meshes.each_ref().map(|mesh| Topology::of(mesh, split));
            let mut base = None;
            for (planes, shown) in [
                (Planes::OneAxis, "across one axis"),
                (Planes::OwnAxis, "each across its own"),
                (Planes::Six, "six"),
            ] {
                let [a, b] = topologies.each_ref().map(|topology| fitted(topology, planes));
                let [nv, np, _] = count(shown, [&a, &b], &scene, &meeting)?.means();
                let base = *base.get_or_insert(nv);
                table.row([
                    name.into(),
                    called.into(),
                    shown.into(),
                    nv.into(),
                    np.into(),
                    Cell::Text(format!("{:.3}", nv / base)),
                ]);
            }
        }
        watch.step();
    }
    Ok(table)
}

/// Table, and for boxtrees of the criterion Nv after a refit over that of a rebuilt tree.
fn deformed_table(
    names: &[&'static str],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<(Table, Vec<(String, f64)>), Error> {
    let mut table = Table::new(
        "open-zachmann02-deformed",
        "Deforming objects: first contacts, mean of a query",
        [
            "object",
            "deformation",
            "volume",
            "Nv refitted",
            "Nv rebuilt",
            "Nv ratio",
            "Np refitted",
            "Np rebuilt",
        ],
    );
    let new = |name, kind, split| Contender::new(name, kind, split, Overlap::Auto);
    let volumes = [
        new(CRITERION, Kind::Boxtree, Split::Restricted),
        new(SAH, Kind::Boxtree, Split::Sah),
        new("AABB, SAH", Kind::Aabb, Split::Sah),
        new(DOP, Kind::Dop24, Split::Sah),
    ];
    let mut ratios = Vec::new();
    for &name in names {
        watch.stage(format!("open-questions: {name}, deformed"), DEFORMATIONS.len());
        let scene = settings.scene(name)?;
        let size = scene.meshes[0].points().iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        for (deformation, deform) in DEFORMATIONS {
            let bent = |mesh: &Mesh| -> Vec<[f64; 3]> {
                let at = |(n, v): (usize, &[f64; 3])| deform(v.map(|x| x / size), n).map(|x| x * size);
                mesh.points().iter().enumerate().map(at).collect()
            };
            let mut hits = Vec::new();
            for volume in &volumes {
                let mut means = Vec::new();
                for policy in [Rebuild::Never, Rebuild::Always] {
                    let mut models = scene.meshes.each_ref().map(|mesh| built(mesh, &volume.options));
                    for (model, mesh) in models.iter_mut().zip(&scene.meshes) {
                        let moved = model.deform(&bent(mesh), policy);
                        moved.map_err(|error| Error::Disagreement(error.to_string()))?;
                    }
                    let (work, found) = contenders::count(&models, &scene.frames);
                    if let Some(frame) = contenders::differs(&mut hits, found) {
                        let volume = volume.name;
                        return Err(Error::Disagreement(format!(
                            "scene {name}, {deformation}, frame {frame}: {volume} differs"
                        )));
                    }
                    means.push(work.means());
                }
                let ratio = means[0][0] / means[1][0];
                if volume.name == CRITERION {
                    let short = deformation.split(':').next().unwrap_or(deformation);
                    ratios.push((format!("{name}, {short}: {ratio:.2}"), ratio));
                }
                table.row([
                    name.into(),
                    deformation.into(),
                    volume.name.into(),
                    means[0][0].into(),
                    means[1][0].into(),
                    Cell::Text(format!("{ratio:.3}")),
                    means[0][1].into(),
                    means[1][1].into(),
                ]);
            }
            watch.step();
        }
    }
    Ok((table, ratios))
}

fn verdicts(objects: &[Object], deformed: &[(String, f64)]) -> Vec<Verdict> {
    let list = |name: &str, than: &str, k: usize| {
        let one = |o: &Object| format!("{} {:.3}", o.name, o.ratio(name, than, k));
        objects.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let fewer = |name: &str| Outcome::of(objects.iter().map(|o| o.ratio(name, CRITERION, 0) < 1.0));
    vec![
        Verdict {
            claim: "Planes at right angles are worth exploring (section 4.2).".into(),
            by: By::Counts,
            rule: "the criterion with these cases takes fewer tests on every object",
            measured: format!("Nv over that of the criterion: {}.", list(RIGHT_ANGLES, CRITERION, 0)),
            outcome: fewer(RIGHT_ANGLES),
            why: "children at right angles overlap: both contain the corner between the planes, and most \
                surfaces do not leave it empty.",
        },
        Verdict {
            claim: "A look-ahead criterion could give better hierarchies (section 6.1).".into(),
            by: By::Counts,
            rule: "it takes fewer tests than the criterion on every object",
            measured: format!(
                "Nv over that of the criterion: {}. SAH: {}.",
                list(AHEAD, CRITERION, 0),
                list(SAH, CRITERION, 0)
            ),
            outcome: fewer(AHEAD),
            why: "the sum of volumes ignores the numbers of triangles, on both levels.",
        },
        Verdict {
            claim: "Boxtrees can be extended to deforming objects (section 6.1 leaves it open).".into(),
            by: By::Counts,
            rule: "after a refit, queries take at most 1.5 times the tests of a rebuilt tree in each case",
            measured: format!(
                "Nv refitted over rebuilt: {}.",
                deformed.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join("; ")
            ),
            outcome: Outcome::of(deformed.iter().map(|(_, ratio)| *ratio <= 1.5)),
            why: "each box is cut off its parent by one plane, so a parent that became loose leaves its \
                children loose for several levels.",
        },
        Verdict {
            claim: "Boxtrees need about the tests of 24-DOP trees (section 6, by counts).".into(),
            by: By::Counts,
            rule: "Nv is at most twice that of 24-DOPs on every object, with the better of both split rules",
            measured: format!(
                "Nv over that of 24-DOPs with the criterion: {}. With SAH: {}.",
                list(CRITERION, DOP, 0),
                list(SAH, DOP, 0)
            ),
            outcome: Outcome::of(
                objects.iter().map(|o| o.ratio(CRITERION, DOP, 0).min(o.ratio(SAH, DOP, 0)) <= 2.0),
            ),
            why: "24 half-spaces follow a surface at any angle, and one plane a level does not.",
        },
    ]
}

#[cfg(test)]
mod tests;
