//! Bodies at poses that scale and shear.
use super::{
    super::work::{Work, all_pairs},
    compared::{placements, trees},
};
use crate::{
    Error, Settings, Watch,
    measure::built,
    report::{Block, By, Outcome, Section, Verdict},
    table::{Table, rounded},
};
use impinge::{Model, Pose};
use impinge_testkit::meshes;
use impinge_volumes::{Kind, Options};
use std::sync::Arc;

/// Maps that are exact in f64 for points in f32. So a mapped mesh at rest is the mesh under the map, bit by
/// bit.
const MAPS: [(&str, [[f64; 3]; 3]); 4] = [
    ("rigid", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("scale by 2, 1, 1/2", [[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.5]]),
    ("scale by 4, 1, 1/4", [[4.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.25]]),
    ("shear by 45 degrees", [[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
];

/// Counts of the tree under a map, and of a tree that is built for the mapped mesh.
struct MappedTreeWork {
    kind: Kind,
    maps: Vec<[Work; 2]>,
}

pub(super) fn section(settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Section, Error> {
    let places = placements(if settings.sources.quick { 6 } else { 20 });
    watch.stage("open-questions: bergen97, affine poses".into(), Kind::ALL.len());
    let mut rows = Vec::new();
    for (kind, options) in trees() {
        rows.push(MappedTreeWork { kind, maps: measured(&options, &places)? });
        watch.step();
    }
    let blocks = vec![
        Block::Text(format!(
            "Affine poses: two tori of 5,000 triangles; the first is scaled or sheared by its \
                pose; {} placements, all pairs, each asked both ways round. Nv is that of the tree of the \
                unmapped mesh, at the affine pose; the ratio is over Nv of a tree that is built for the \
             mapped mesh, at a rigid pose. No tree is rebuilt or refitted for a pose.",
            places.len()
        )),
        Block::Table(table(&rows)),
    ];
    Ok(Section::new(blocks, verdicts(&rows)))
}

fn measured(options: &Options, places: &[[Pose; 2]]) -> Result<Vec<[Work; 2]>, Error> {
    let unmapped =
        Arc::new(meshes::mapped(&meshes::torus(100, 25, 0.25), |v| v.map(|x| f64::from(x as f32))));
    let model = built(&unmapped, options);
    MAPS.iter()
        .map(|(name, rows)| {
            let map = |v: [f64; 3]| rows.map(|r| r[0] * v[0] + r[1] * v[1] + r[2] * v[2]);
            let mapped = built(&Arc::new(meshes::mapped(&unmapped, map)), options);
            let affine = Pose::affine(*rows, [0.0; 3]).map_err(|e| Error::Disagreement(e.to_string()))?;
            let works = [
                both_ways([&model, &model], affine, places),
                both_ways([&mapped, &model], Pose::IDENTITY, places),
            ];
            works[0].same_pairs(&works[1], || {
                format!("{name}, {}: at an affine pose and mapped", options.kind.name())
            })?;
            Ok(works)
        })
        .collect()
}

/// Work of all placements of the second body, with the first body at a pose, and of the two bodies exchanged.
fn both_ways([a, b]: [&Model; 2], at: Pose, places: &[[Pose; 2]]) -> Work {
    let mut work = Work::default();
    let ways: Vec<[Pose; 2]> = places.iter().map(|&[_, other]| [at, other]).collect();
    work += all_pairs([a, b], &ways);
    let exchanged: Vec<[Pose; 2]> = ways.iter().map(|&[a, b]| [b, a]).collect();
    work += all_pairs([b, a], &exchanged);
    work
}

fn table(rows: &[MappedTreeWork]) -> Table {
    let heads = MAPS.iter().skip(1).flat_map(|(name, _)| [format!("Nv, {name}"), "/ mapped".to_owned()]);
    let mut table = Table::new(
        "open-bergen97-affine",
        "Trees at affine poses, sum over all placements",
        ["volume", "Nv, rigid"].map(str::to_owned).into_iter().chain(heads),
    );
    for MappedTreeWork { kind, maps } in rows {
        let cells = maps
            .iter()
            .skip(1)
            .flat_map(|[affine, mapped]| [affine.count.volume_tests.into(), affine.over(mapped).into()]);
        table.row([kind.name().into(), maps[0][0].count.volume_tests.into()].into_iter().chain(cells));
    }
    table
}

fn verdicts(rows: &[MappedTreeWork]) -> Vec<Verdict> {
    let costs = |kind: Kind| {
        let row = rows.iter().find(|row| row.kind == kind);
        row.map(|row| row.maps[1..].iter().map(|[affine, mapped]| affine.over(mapped)).fold(0.0, f64::max))
    };
    let boxes = costs(Kind::Aabb);
    vec![Verdict {
        claim: "Trees of boxes serve bodies under any affine map, scaling and shear included, as they are \
            (Bergen97, section 3)."
            .into(),
        by: By::Counts,
        rule: "Nv of a tree of boxes at each affine pose is at most twice that of a tree that is built for \
            the mapped mesh",
        measured: format!("The largest ratio: {}.", boxes.map_or_else(String::new, rounded)),
        outcome: Outcome::of(boxes.map(|ratio| ratio <= 2.0)),
        why: "A box becomes a parallelepiped, which fits the mapped triangles as the box fits the others.",
    }]
}
