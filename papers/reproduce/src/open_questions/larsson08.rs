//! Larsson and Akenine-Moller 2008: parameters relative to the parent's, slabs chosen with regard to the
//! parent's, zero to two slabs a node, more children a node and triangles a leaf.
use super::{
    cut_ball::{CutBall, DECODING, Relative, second_normal},
    walk::{Topology, Tree, Vector, WalkCounts, count, dot, meeting},
};
use crate::{
    Error, Settings, Watch,
    measure::built,
    report::{Block, By, Outcome, Section, Verdict},
    table::{Cell, Table},
};
use impinge::{Body, Query};
use impinge_testkit::scenes::Scene;
use impinge_volumes::{
    Kind, Options, Split,
    experiments::{extremal_points, narrow_by, of_extremal},
};
use std::collections::HashSet;

/// Scenes of the paper, and one of long thin triangles, where the paper expects most of a better choice of
/// slabs.
const SCENES: [&str; 4] = ["spheres-l1", "knots-l1", "horses", RODS];
/// Scene that is not the paper's. Balls around rods overlap nearly all others, and their queries take too
/// long. So it has fewer frames, and no trees with balls that no slab cuts.
const RODS: &str = "rods";
const FRAMES_OF_RODS: usize = 12;

/// Bits of a parameter that is stored relative to the parent's.
const BITS: [u32; 7] = [16, 12, 10, 8, 7, 6, 5];
/// Weights w of the rule "least width (1 + w |cos|)", for the angle between a slab and the parent's.
const WEIGHTS: [f64; 4] = [0.1, 0.3, 1.0, 3.0];
/// Parts of the rest that a slab must cut off to be kept.
const PARTS: [f64; 4] = [0.75, 0.5, 0.25, 0.1];
const ARITIES: [usize; 3] = [2, 4, 8];
const LEAVES: [usize; 4] = [1, 2, 4, 8];

/// Bytes of a ball, of a slab and of a link.
const BALL: f64 = 16.0;
const SLAB: f64 = 20.0;
const LINK: f64 = 4.0;

/// A volume's fitted parameters, before it is stored.
#[derive(Clone, Copy)]
struct Fitted {
    centre: Vector,
    normal: Vector,
    second: Option<Vector>,
}

impl Fitted {
    /// Centre and normals by the paper's fit, with each slab's width multiplied by a weight of its normal.
    fn new(points: &[Vector], weight: impl Fn(&Vector) -> f64) -> Self {
        let ends = extremal_points(points.iter().copied());
        let normal = narrow_by(points, &ends, weight);
        let second = second_normal(&normal, points, &ends);
        Self { centre: of_extremal(points, &ends).centre, normal, second }
    }
    fn slab_cut(&self, points: &[Vector]) -> CutBall {
        CutBall::around(self.centre, &[self.normal], points)
    }
}

/// A variant of the volume in one scene.
struct VariantRow {
    scene: &'static str,
    name: String,
    /// Mean number of slabs.
    slabs: f64,
    /// Bytes of a volume.
    bytes: f64,
    work: WalkCounts,
    /// Operations of a test that the variant adds.
    added: u64,
}

impl VariantRow {
    fn means(&self) -> [f64; 3] {
        let [nv, np, operations] = self.work.means();
        [nv, np, operations + nv * self.added as f64]
    }
}

/// Variants for each question, and the base of each scene: one slab, by the paper's fit.
struct Rows {
    base: Vec<VariantRow>,
    relative: Vec<VariantRow>,
    regard: Vec<VariantRow>,
    hybrid: Vec<VariantRow>,
}

/// One scene, prepared.
struct Stage {
    name: &'static str,
    scene: Scene,
    topologies: [Topology; 2],
    meeting: Vec<HashSet<[u32; 2]>>,
}

impl Stage {
    fn row(&self, name: String, trees: [&Tree<'_, CutBall>; 2]) -> Result<VariantRow, Error> {
        let slabs = trees.map(|tree| tree.iter().map(|volume| volume.count as f64).sum::<f64>());
        let volumes = self.topologies.each_ref().map(|t| t.volumes() as f64);
        let slabs = (slabs[0] + slabs[1]) / (volumes[0] + volumes[1]);
        let work = count(&name, trees, &self.scene, &self.meeting)?;
        Ok(VariantRow { scene: self.name, name, slabs, bytes: BALL + SLAB * slabs, work, added: 0 })
    }
}

fn measure(scenes: &[&'static str], settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Rows, Error> {
    let mut rows = Rows { base: Vec::new(), relative: Vec::new(), regard: Vec::new(), hybrid: Vec::new() };
    for &name in scenes {
        watch.stage(format!("open-questions: {name}"), 4);
        let mut scene = settings.scene(name)?;
        if name == RODS {
            let step = scene.frames.len().div_ceil(FRAMES_OF_RODS).max(1);
            scene.frames = scene.frames.into_iter().step_by(step).collect();
        }
        let stage = Stage {
            name,
            topologies: scene.meshes.each_ref().map(|mesh| Topology::of(mesh, Split::Centroid)),
            meeting: meeting(&scene),
            scene,
        };
        let fits =
            stage.topologies.each_ref().map(|t| t.fit_each(|_, _, points| Fitted::new(points, |_| 1.0)));
        watch.step();
        let pairs = || stage.topologies.iter().zip(&fits);
        // Zero to two slabs.
        let full = pairs().map(|(topology, fits)| {
            topology.fit_each(|_, at, points| {
                let Fitted { centre, normal, second } = *fits.at(at);
                let normals: Vec<Vector> = [normal].into_iter().chain(second).collect();
                CutBall::around(centre, &normals, points)
            })
        });
        let full: Vec<Tree<'_, CutBall>> = full.collect();
        let derived = |of: &dyn Fn(CutBall) -> CutBall| -> Vec<Tree<'_, CutBall>> {
            let trees = stage.topologies.iter().zip(&full);
            trees.map(|(topology, full)| topology.fit_each(|_, at, _| of(*full.at(at)))).collect()
        };
        for slabs in usize::from(name == RODS)..=2 {
            let trees = derived(&|volume| volume.with(slabs));
            let row = stage
                .row(format!("{slabs} slab{}", if slabs == 1 { "" } else { "s" }), [&trees[0], &trees[1]])?;
            if slabs == 1 { &mut rows.base } else { &mut rows.hybrid }.push(row);
        }
        for part in PARTS.into_iter().filter(|_| name != RODS) {
            let trees = derived(&|volume| volume.worthwhile(part));
            let name = format!("0 to 2, each cuts off {} %", 100.0 * part);
            rows.hybrid.push(stage.row(name, [&trees[0], &trees[1]])?);
        }
        watch.step();
        // Parameters relative to the parent's.
        for bits in BITS {
            let trees: Vec<Tree<'_, CutBall>> = pairs()
                .map(|(topology, fits)| {
                    topology.fit_each(|parent: Option<&CutBall>, at, points| {
                        let fitted = fits.at(at);
                        match parent {
                            Some(parent) => {
                                Relative { bits }.store(parent, &fitted.centre, &fitted.normal, points)
                            }
                            None => fitted.slab_cut(points),
                        }
                    })
                })
                .collect();
            let row = stage.row(format!("{bits} bits"), [&trees[0], &trees[1]])?;
            rows.relative.push(VariantRow { bytes: f64::from(bits), added: DECODING, ..row });
        }
        watch.step();
        // Slabs chosen with regard to the parent's.
        for w in WEIGHTS {
            let trees: Vec<Tree<'_, CutBall>> = pairs()
                .map(|(topology, fits)| {
                    topology.fit_each(|parent: Option<&CutBall>, at, points| match parent {
                        Some(parent) => {
                            let above = parent.normal();
                            let ends = extremal_points(points.iter().copied());
                            let normal = narrow_by(points, &ends, |n| 1.0 + w * dot(n, &above).abs());
                            CutBall::around(fits.at(at).centre, &[normal], points)
                        }
                        None => fits.at(at).slab_cut(points),
                    })
                })
                .collect();
            rows.regard.push(stage.row(format!("w = {w}"), [&trees[0], &trees[1]])?);
        }
        watch.step();
    }
    Ok(rows)
}

pub(super) fn section(settings: &Settings<'_>, watch: &mut dyn Watch) -> Result<Section, Error> {
    section_of(&SCENES, settings, watch)
}

fn section_of(
    scenes: &[&'static str],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Section, Error> {
    let rows = measure(scenes, settings, watch)?;
    let arities =
        arities(&scenes.iter().copied().filter(|&name| name != RODS).collect::<Vec<_>>(), settings, watch)?;
    let text = |text: &str| Block::Text(text.into());
    let heading = |text: &str| Block::Heading(text.into());
    let blocks = vec![
        heading("Larsson and Akenine-Moller 2008: slab cut balls"),
        text(
            "Trees by the paper's split, one triangle a leaf and two children a node unless a table varies \
                them; all pairs of triangles that meet. Operations are multiplications, additions and \
                comparisons by the paper's Table 1, of the tests that ran. Every variant finds the pairs of \
                triangles that impinge's fast tree finds, in every frame, or the run stops with an error. The \
                scene `rods` has long thin triangles and is not the paper's; balls that no slab cuts \
                would take too long there, so it has no rows with them.",
        ),
        heading("Child parameters relative to the parent's (section 7)"),
        text(
            "A child has eight parameters of b bits, so b bytes: its centre in multiples of the parent's \
                radius, its radius as a part of that, its normal as a point of half an octahedron, and its \
                planes as parts of its radius. Each is fitted to the parent as decoded, and rounded outwards, \
                so errors do not add up. The ball and slab in full take 36 bytes, the paper's compact form 26. \
                A link takes 4 more.",
        ),
        Block::Table(relative_table(&rows)),
        heading("Slabs chosen with regard to the parent's (section 6)"),
        text(
            "Of the slabs that the paper's fit tries, the one with the least width (1 + w |cos|) is taken; \
                cos is that of the angle between its normal and the parent's. With w = 0 it is the paper's.",
        ),
        Block::Table(regard_table(&rows)),
        heading("Zero to two slabs a node (section 6)"),
        text(
            "The second slab is at right angles to the first. Where the number varies, a slab is kept if it \
                cuts off at least the given part of the volume that is left. Bytes: 16 for a ball, 20 for each \
                slab, links not included.",
        ),
        Block::Table(hybrid_table(&rows)),
        heading("Children a node and triangles a leaf (section 7)"),
        text(
            "Impinge's slab cut balls of 36 bytes. Bytes include links, nodes' empty slots and the order of the \
             triangles.",
        ),
        Block::Table(arities.0),
    ];
    let mut verdicts = verdicts(&rows);
    verdicts.extend(arities.1);
    Ok(Section::new(blocks, verdicts))
}

impl Rows {
    fn base(&self, scene: &str) -> &VariantRow {
        self.base.iter().find(|row| row.scene == scene).unwrap_or_else(|| unreachable!("no base of {scene}"))
    }
    /// Tests, pairs of leaves and operations over those of slab cut balls.
    fn ratios(&self, row: &VariantRow) -> [f64; 3] {
        let base = self.base(row.scene).means();
        let means = row.means();
        std::array::from_fn(|k| means[k] / base[k])
    }
    /// Each scene's base row before its variants.
    fn with_base<'a>(&'a self, variants: &'a [VariantRow]) -> impl Iterator<Item = &'a VariantRow> {
        self.base
            .iter()
            .flat_map(|base| [base].into_iter().chain(variants.iter().filter(|row| row.scene == base.scene)))
    }
}

fn relative_table(rows: &Rows) -> Table {
    let mut table = Table::new(
        "open-larsson08-relative",
        "Parameters relative to the parent's: mean of a query",
        [
            "scene",
            "parameters",
            "bytes a volume",
            "with its link",
            "Nv",
            "Np",
            "Nv / 36 bytes",
            "operations / 36 bytes",
        ],
    );
    for row in rows.with_base(&rows.relative) {
        let ([nv, np, _], [more, _, operations]) = (row.means(), rows.ratios(row));
        let name = if row.added == 0 { "in full" } else { &*row.name };
        table.row([
            row.scene.into(),
            name.into(),
            row.bytes.into(),
            (row.bytes + LINK).into(),
            nv.into(),
            np.into(),
            Cell::Text(format!("{more:.3}")),
            Cell::Text(format!("{operations:.3}")),
        ]);
    }
    table
}

fn regard_table(rows: &Rows) -> Table {
    let mut table = Table::new(
        "open-larsson08-regard",
        "Slabs chosen with regard to the parent's: mean of a query",
        ["scene", "weight", "Nv", "Np", "Nv / w = 0"],
    );
    for row in rows.with_base(&rows.regard) {
        let ([nv, np, _], [more, ..]) = (row.means(), rows.ratios(row));
        let name = if row.name.starts_with('w') { &*row.name } else { "w = 0" };
        table.row([row.scene.into(), name.into(), nv.into(), np.into(), Cell::Text(format!("{more:.3}"))]);
    }
    table
}

fn hybrid_table(rows: &Rows) -> Table {
    let mut table = Table::new(
        "open-larsson08-hybrid",
        "Zero to two slabs a node: mean of a query",
        [
            "scene",
            "slabs",
            "slabs a volume",
            "bytes a volume",
            "Nv",
            "Np",
            "operations",
            "Nv / 1 slab",
            "operations / 1 slab",
        ],
    );
    for row in rows.with_base(&rows.hybrid) {
        let ([nv, np, all], [more, _, operations]) = (row.means(), rows.ratios(row));
        table.row([
            row.scene.into(),
            row.name.as_str().into(),
            row.slabs.into(),
            row.bytes.into(),
            nv.into(),
            np.into(),
            all.into(),
            Cell::Text(format!("{more:.3}")),
            Cell::Text(format!("{operations:.3}")),
        ]);
    }
    table
}

/// Children a node and triangles a leaf, by impinge's own trees.
fn arities(
    scenes: &[&'static str],
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<(Table, Vec<Verdict>), Error> {
    let mut table = Table::new(
        "open-larsson08-arity",
        "Slab cut balls: children a node and triangles a leaf, mean of a query",
        [
            "scene",
            "children",
            "triangles a leaf",
            "bytes a triangle",
            "Nv",
            "Np",
            "Nv / 2 children, 1 triangle",
        ],
    );
    // For each scene Nv with 4 children over that with 2, one triangle a leaf.
    let mut fewer = Vec::new();
    for &name in scenes {
        watch.stage(format!("open-questions: {name}, children and leaves"), ARITIES.len());
        let scene = settings.scene(name)?;
        let triangles = scene.meshes.iter().map(|mesh| mesh.len()).sum::<usize>() as f64;
        let (mut first, mut hits): (Option<f64>, Option<u64>) = (None, None);
        for arity in ARITIES {
            for leaf in LEAVES {
                let options = Options::new(Kind::Scb).split(Split::Centroid).arity(arity).leaf_size(leaf);
                let [a, b] = scene.meshes.each_ref().map(|mesh| built(mesh, &options));
                let mut query = Query::new().counting(true);
                let found: u64 = scene
                    .frames
                    .iter()
                    .map(|&[p, q]| query.pairs(&Body::new(&a, p), &Body::new(&b, q)).len() as u64)
                    .sum();
                if *hits.get_or_insert(found) != found {
                    return Err(Error::Disagreement(format!(
                        "scene {name}: {found} pairs with {arity} children and {leaf} triangles a leaf"
                    )));
                }
                let count = query.counters().map(|c| c.count).unwrap_or_default();
                let frames = scene.frames.len().max(1) as f64;
                let [nv, np] = [count.volume_tests, count.leaf_pairs].map(|n| n as f64 / frames);
                let bytes = (a.stats().bytes + b.stats().bytes) as f64 / triangles;
                let base = *first.get_or_insert(nv);
                if (arity, leaf) == (4, 1) {
                    fewer.push((name, nv / base));
                }
                table.row([
                    name.into(),
                    arity.into(),
                    leaf.into(),
                    bytes.into(),
                    nv.into(),
                    np.into(),
                    Cell::Text(format!("{:.3}", nv / base)),
                ]);
            }
            watch.step();
        }
    }
    let ratios =
        fewer.iter().map(|(name, ratio)| format!("{name} {ratio:.3}")).collect::<Vec<_>>().join(", ");
    let verdict = Verdict {
        claim:
            "Nodes of four slab cut balls take fewer tests than nodes of two (section 7 proposes them for \
            memory)."
                .into(),
        by: By::Counts,
        rule: "Nv with 4 children is below that with 2 in every scene, one triangle a leaf",
        measured: format!("Nv with 4 over Nv with 2: {ratios}."),
        outcome: Outcome::of(fewer.iter().map(|(_, ratio)| *ratio < 1.0)),
        why: "a skipped level saves a test of each of its nodes that overlap, and costs tests of all children \
            where it would have ended the descent.",
    };
    Ok((table, vec![verdict]))
}

fn verdicts(rows: &Rows) -> Vec<Verdict> {
    // The variant with the least ratio in each scene.
    let least = |variants: &[VariantRow], k: usize| -> Vec<(String, f64)> {
        let best = |base: &VariantRow| {
            let of_scene = variants.iter().filter(|row| row.scene == base.scene);
            let best = of_scene.min_by(|a, b| rows.ratios(a)[k].total_cmp(&rows.ratios(b)[k]))?;
            Some((
                format!("{} {:.3} ({})", best.scene, rows.ratios(best)[k], best.name),
                rows.ratios(best)[k],
            ))
        };
        rows.base.iter().filter_map(best).collect()
    };
    let listed =
        |of: &[(String, f64)]| of.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(", ");
    let eight: Vec<&VariantRow> = rows.relative.iter().filter(|row| row.name == "8 bits").collect();
    let eight: Vec<(String, f64)> = eight
        .into_iter()
        .map(|row| (format!("{} {:.3}", row.scene, rows.ratios(row)[0]), rows.ratios(row)[0]))
        .collect();
    let (regard, hybrid) = (least(&rows.regard, 0), least(&rows.hybrid, 2));
    vec![
        Verdict {
            claim: "Parameters relative to the parent's save much memory (section 7).".into(),
            by: By::Counts,
            rule: "8 bytes a volume in place of 36 cost at most 5 % more tests in every scene",
            measured: format!("Nv with 8 bytes over Nv with 36: {}.", listed(&eight)),
            outcome: Outcome::of(eight.iter().map(|(_, ratio)| *ratio <= 1.05)),
            why: "a slab around a few flat triangles is thinner than a step of its planes.",
        },
        Verdict {
            claim: "Slabs chosen with regard to the parent's are better, above all for long thin triangles \
                (section 6)."
                .into(),
            by: By::Counts,
            rule: "in every scene some weight saves at least 1 % of the tests",
            measured: format!("Least Nv over that of w = 0: {}.", listed(&regard)),
            outcome: Outcome::of(regard.iter().map(|(_, ratio)| *ratio <= 0.99)),
            why: "the narrowest slab is hardly ever parallel to the parent's where the parent's did its work \
                already.",
        },
        Verdict {
            claim: "Zero to two slabs a node seem best (section 6).".into(),
            by: By::Counts,
            rule: "in every scene some choice of zero to two slabs takes fewer operations than one slab",
            measured: format!("Least operations over those of one slab: {}.", listed(&hybrid)),
            outcome: Outcome::of(hybrid.iter().map(|(_, ratio)| *ratio < 1.0)),
            why: "a second slab makes each test more expensive, and where triangles are small and round one slab \
                is tight already.",
        },
    ]
}

#[cfg(test)]
mod tests;
