//! Table 1, and Figure 1: why one plane a node can be enough.
use super::measurements::Objects;
use crate::{
    Error, Settings, Watch,
    measure::built,
    plot::{Axis, Panel},
    printed::zachmann02::TABLE_1,
    report::{Block, By, Figure, Outcome, Section, Verdict},
    table::{Cell, Table, rounded},
};
use impinge_volumes::{Kind, Options, Split, empty_space};

/// Our volume for each row of Table 1, and true if the row's test is the volume's default.
const VOLUMES: [(Kind, bool); 7] = [
    (Kind::Boxtree, false),
    (Kind::Boxtree, true),
    (Kind::Boxtree, false),
    (Kind::Sphere, true),
    (Kind::Aabb, true),
    (Kind::Obb, true),
    (Kind::Dop24, true),
];

pub(super) fn table1() -> Section {
    Section::new(table(), verdicts())
}

fn table() -> Vec<Block> {
    let mut table = Table::new(
        "zachmann02-table1",
        "Table 1. Bytes of a node with its link, and operations for a pair of nodes; ours, and the paper's \
            beside it",
        [
            "volume, test",
            "bytes",
            "paper: bytes",
            "operations: test",
            "operations: transforming a volume",
            "paper: operations",
        ],
    );
    for (printed, (kind, default)) in TABLE_1.iter().zip(VOLUMES) {
        let about = kind.about();
        let ours = |n: u32| default.then_some(u64::from(n));
        table.row([
            printed.name.into(),
            about.node_bytes.into(),
            printed.bytes.into(),
            ours(about.test_operations).into(),
            ours(about.placing_operations).into(),
            printed.operations.into(),
        ]);
    }
    let note = "Bytes are what a tree allocates a node here. A boxtree of ours keeps both children's planes \
        in their parent (the paper's section 3.2.5), 9 bytes in the paper's count. Operations are \
        multiplications, additions and comparisons of the volume's default test if it finds no separation; \
        a transform is done once for a visited volume, not once a pair, so it is shared by the tests of \
        up to two children. Ours are not given for tests that are not the default. \
         The paper's AABBs are tested by full SAT, ours by SAT lite.";
    vec![Block::Table(table), Block::Text(note.into())]
}

fn verdicts() -> Vec<Verdict> {
    let [boxtree, sphere, aabb, obb, dop] =
        [Kind::Boxtree, Kind::Sphere, Kind::Aabb, Kind::Obb, Kind::Dop24].map(|kind| kind.about().node_bytes);
    vec![Verdict {
        claim: "A boxtree's node takes 9 bytes, the least of all, and about a factor 7 less than an OBB's \
            (Table 1, section 6)."
            .into(),
        by: By::Counts,
        rule: "ours takes at most 9, every other volume of Table 1 more, and an OBB at least 7 times as much",
        measured: format!(
            "{boxtree} bytes, against {sphere} (ball), {aabb} (AABB), {obb} (OBB, {} times), {dop} (24-DOP).",
            rounded(obb / boxtree)
        ),
        outcome: Outcome::of([
            boxtree <= 9.0,
            [sphere, aabb, obb, dop].iter().all(|other| *other > boxtree),
            obb / boxtree >= 7.0,
        ]),
        why: "",
    }]
}

/// Numbers of nodes of each object, by the tenth of their parent's box that they leave empty.
struct EmptySpace {
    rows: Vec<(&'static str, [usize; 10])>,
}

pub(super) fn figure1(
    objects: Objects<'_>,
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<Section, Error> {
    watch.stage("zachmann02: empty space".into(), objects.len());
    let options = Options::new(Kind::Aabb).split(Split::Midpoint).leaf_size(1);
    let mut rows = Vec::new();
    for &(name, label) in objects {
        let scene = settings.scene(name)?;
        rows.push((label, empty_space(&built(&scene.meshes[0], &options)).expect("a tree of boxes")));
        watch.step();
    }
    let empty = EmptySpace { rows };
    Ok(Section::new(empty.blocks(), empty.verdicts()))
}

/// Shares in percent.
fn shares(tenths: &[usize; 10]) -> [f64; 10] {
    let all = tenths.iter().sum::<usize>().max(1) as f64;
    tenths.map(|n| 100.0 * n as f64 / all)
}

impl EmptySpace {
    fn blocks(&self) -> Vec<Block> {
        let tenths: Vec<String> = (0..10).map(|k| format!("{}-{}", 10 * k, 10 * (k + 1))).collect();
        let heads = self.rows.iter().map(|(label, _)| format!("{label} (% of nodes)"));
        let mut data =
            Table::new("zachmann02-empty", "", ["empty part (%)".to_owned()].into_iter().chain(heads));
        for (k, tenth) in tenths.iter().enumerate() {
            let cells = self.rows.iter().map(|row| Cell::from(shares(&row.1)[k]));
            data.row([Cell::from(&**tenth)].into_iter().chain(cells));
        }
        let panel = Panel::Bars {
            title: "empty space between a node's box and its parent's".into(),
            groups: tenths,
            x: "empty part of the parent's box (%), without the side of the split".into(),
            y: Axis::linear("nodes (%)"),
            series: self
                .rows
                .iter()
                .map(|(label, tenths)| ((*label).to_owned(), shares(tenths).to_vec()))
                .collect(),
        };
        let caption = "How much of its parent's box a node of an AABB tree leaves empty (split in the \
            middle, one triangle a leaf)."
            .into();
        vec![Block::Figure(Figure { caption, panels: vec![panel], columns: 1, data })]
    }

    fn verdicts(&self) -> Vec<Verdict> {
        let under_20 = |row: &(&str, [usize; 10])| shares(&row.1)[..2].iter().sum::<f64>();
        let words = self.rows.iter().map(|row| {
            format!("{} {} % ({} % below 10 %)", row.0, rounded(under_20(row)), rounded(shares(&row.1)[0]))
        });
        vec![Verdict {
            claim: "About half of all nodes leave only about 10 % of their parent's box empty (section 3.1, \
                Figure 1)."
                .into(),
            by: By::Counts,
            rule: "at least half of the nodes leave less than 20 % empty, on each object",
            measured: format!(
                "Nodes that leave less than 20 % empty: {}.",
                words.collect::<Vec<_>>().join(", ")
            ),
            outcome: Outcome::of(self.rows.iter().map(|row| under_20(row) >= 50.0)),
            why: "The objects are turned at random before their trees are built. On a smooth surface that \
                lies askew to the axes, cutting a box leaves two that are each smaller on all sides; \
                  and near the leaves, where most nodes are, the boxes are those of single triangles.",
        }]
    }
}
