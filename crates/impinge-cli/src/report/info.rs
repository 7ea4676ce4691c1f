//! What `impinge info` says: table or JSON.
use super::{Coordinates, Names, count, folded, grouped, table};
use crate::{
    args::Form,
    info::{MeshInfo, PartInfo, Report},
    topology::Flaws,
};
use serde::Serialize;
use std::{borrow::Cow, io::Write, iter, time::Duration};

pub(crate) fn write(
    report: &Report,
    form: Form,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    match form {
        Form::Table => people(report, columns, out),
        Form::Json => json(report, out),
    }
}

#[derive(Serialize)]
struct JsonReport<'a> {
    impinge: &'static str,
    parts: Vec<JsonPart<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    volumes: Vec<JsonVolume<'a>>,
}

/// The trees of all meshes, made of one volume.
#[derive(Serialize)]
struct JsonVolume<'a> {
    name: &'a str,
    nodes: usize,
    bytes: usize,
    depth: usize,
    milliseconds: f64,
    /// Nodes by the tenths of their parent's box that they leave empty.
    empty_space: [usize; 10],
}

#[derive(Serialize)]
struct JsonPart<'a> {
    index: usize,
    name: &'a str,
    file: Cow<'a, str>,
    triangles: usize,
    vertices: usize,
    degenerate_triangles: usize,
    duplicate_triangles: usize,
    open_edges: usize,
    non_manifold_edges: usize,
    /// Lower and upper corner, or null.
    #[serde(rename = "box")]
    hull: Option<[[f64; 3]; 2]>,
    /// Whether a transform that is not rigid was baked into the mesh.
    baked: bool,
    /// The number of the mesh: parts with the same one share it, and its tree.
    mesh: usize,
    tree: JsonTree,
}

#[derive(Serialize)]
struct JsonTree {
    nodes: usize,
    leaves: usize,
    depth: usize,
    bytes: usize,
    milliseconds: f64,
}

fn json(report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    let parts = report.parts.iter().enumerate().map(|(index, PartInfo { part, mesh, hull })| {
        let MeshInfo { flaws, tree, build, .. } = &report.meshes[*mesh];
        JsonPart {
            index,
            name: &part.name,
            file: part.file.to_string_lossy(),
            triangles: part.mesh.len(),
            vertices: part.mesh.points().len(),
            degenerate_triangles: flaws.degenerate,
            duplicate_triangles: flaws.duplicate,
            open_edges: flaws.open_edges,
            non_manifold_edges: flaws.non_manifold_edges,
            hull: *hull,
            baked: part.baked,
            mesh: *mesh,
            tree: JsonTree {
                nodes: tree.nodes,
                leaves: tree.leaves,
                depth: tree.depth,
                bytes: tree.bytes,
                milliseconds: milliseconds(*build),
            },
        }
    });
    let volumes = report.volumes.iter().map(|volume| JsonVolume {
        name: &volume.name,
        nodes: volume.nodes,
        bytes: volume.bytes,
        depth: volume.depth,
        milliseconds: milliseconds(volume.build),
        empty_space: volume.empty,
    });
    let volumes = volumes.collect();
    let whole = JsonReport { impinge: env!("CARGO_PKG_VERSION"), parts: parts.collect(), volumes };
    serde_json::to_writer(&mut *out, &whole)?;
    Ok(writeln!(out)?)
}

fn people(report: &Report, columns: Option<u16>, out: &mut dyn Write) -> anyhow::Result<()> {
    let names = Names::new(report.parts.iter().map(|info| &info.part));
    writeln!(out, "{}", names.list(report.parts.iter().map(|info| &info.part)))?;
    writeln!(out, "{}\n", triangles(report, &names.labels, columns))?;
    writeln!(out, "{}\n", boxes(report, &names.labels, columns))?;
    writeln!(out, "{}\n", trees(report, &names.labels, columns))?;
    if !report.volumes.is_empty() {
        writeln!(out, "{}\n", volumes(report, columns))?;
        writeln!(out, "{}\n", empty_space(report, columns))?;
    }
    writeln!(out, "{}", folded(&summary(report), columns))?;
    for (PartInfo { part, .. }, label) in report.parts.iter().zip(&names.labels) {
        if part.baked {
            writeln!(
                out,
                "The transform of {label} is not rigid; its mesh is a copy with the transform applied."
            )?;
        }
    }
    Ok(())
}

/// What each part is made of, and its flaws.
fn triangles(report: &Report, labels: &[String], columns: Option<u16>) -> String {
    let headings = [
        "part",
        ">triangles",
        ">vertices",
        ">degen-\nerate",
        ">dupli-\ncate",
        ">open\nedges",
        ">non-\nmanifold\nedges",
    ];
    let mut table = table(&headings, columns);
    for (PartInfo { part, mesh, .. }, label) in report.parts.iter().zip(labels) {
        let Flaws { degenerate, duplicate, open_edges, non_manifold_edges } = report.meshes[*mesh].flaws;
        let (all, vertices) = (part.mesh.len(), part.mesh.points().len());
        let numbers = [all, vertices, degenerate, duplicate, open_edges, non_manifold_edges];
        table.add_row(iter::once(label.clone()).chain(numbers.map(|n| grouped(n as u64))));
    }
    table.trim_fmt()
}

/// Where each part lies.
fn boxes(report: &Report, labels: &[String], columns: Option<u16>) -> String {
    let corners = report.parts.iter().filter_map(|info| info.hull).flatten().flatten();
    let coordinates = Coordinates::like(corners);
    let mut table = table(&["part", ">box from x", ">y", ">z", ">to x", ">y", ">z"], columns);
    for (PartInfo { hull, .. }, label) in report.parts.iter().zip(labels) {
        let numbers = match hull {
            Some(hull) => hull.as_flattened().iter().map(|&c| coordinates.show(c)).collect(),
            None => vec!["none".to_owned()],
        };
        table.add_row(iter::once(label.clone()).chain(numbers));
    }
    table.trim_fmt()
}

/// What the tree of each part costs; parts that share a mesh share its tree.
fn trees(report: &Report, labels: &[String], columns: Option<u16>) -> String {
    let mut headings = vec!["part", ">tree nodes", ">leaves", ">depth", ">bytes", ">build ms"];
    if report.meshes.len() < report.parts.len() {
        headings.push("shared with");
    }
    let mut table = table(&headings, columns);
    let mut owner = vec![None; report.meshes.len()];
    for (PartInfo { mesh, .. }, label) in report.parts.iter().zip(labels) {
        let MeshInfo { tree, build, .. } = &report.meshes[*mesh];
        let shared = owner[*mesh].clone().unwrap_or_default();
        owner[*mesh].get_or_insert_with(|| label.clone());
        let numbers = [tree.nodes, tree.leaves, tree.depth, tree.bytes].map(|n| grouped(n as u64));
        let time = format!("{:.3}", milliseconds(*build));
        let cells = iter::once(label.clone()).chain(numbers).chain([time, shared]);
        table.add_row(cells.take(headings.len()));
    }
    table.trim_fmt()
}

/// What the trees of all meshes together would cost, made of each volume.
fn volumes(report: &Report, columns: Option<u16>) -> String {
    let mut table = table(&["volume", ">nodes", ">depth", ">bytes", ">a triangle", ">build ms"], columns);
    let triangles: usize = report.meshes.iter().map(|mesh| mesh.triangles).sum();
    for volume in &report.volumes {
        let [nodes, depth, bytes] = [volume.nodes, volume.depth, volume.bytes].map(|n| grouped(n as u64));
        let each = format!("{:.1}", volume.bytes as f64 / triangles.max(1) as f64);
        let time = format!("{:.1}", milliseconds(volume.build));
        table.add_row([volume.name.clone(), nodes, depth, bytes, each, time]);
    }
    table.trim_fmt()
}

/// Zachmann's Figure 1, a row a volume: percent of the nodes.
fn empty_space(report: &Report, columns: Option<u16>) -> String {
    let headings = [
        "empty in\nparent's box",
        ">under\n10 %",
        ">20",
        ">30",
        ">40",
        ">50",
        ">60",
        ">70",
        ">80",
        ">90",
        ">100",
    ];
    let mut table = table(&headings, columns);
    for volume in &report.volumes {
        let all = volume.empty.iter().sum::<usize>().max(1) as f64;
        let parts = volume.empty.map(|n| format!("{:.0} %", 100.0 * n as f64 / all));
        table.add_row(iter::once(volume.name.clone()).chain(parts));
    }
    table.trim_fmt()
}

/// Sums over all parts; of trees, each is counted once.
fn summary(report: &Report) -> String {
    let over_parts = |of: fn(&PartInfo, &MeshInfo) -> usize| {
        report.parts.iter().map(|part| of(part, &report.meshes[part.mesh]) as u64).sum::<u64>()
    };
    let bytes: u64 = report.meshes.iter().map(|mesh| mesh.tree.bytes as u64).sum();
    let build: f64 = report.meshes.iter().map(|mesh| milliseconds(mesh.build)).sum();
    format!(
        "{} with {}: {} degenerate, {} duplicate; {}, {}. {} in {}, {build:.1} ms.",
        count(report.parts.len() as u64, "part"),
        count(over_parts(|part, _| part.part.mesh.len()), "triangle"),
        grouped(over_parts(|_, mesh| mesh.flaws.degenerate)),
        grouped(over_parts(|_, mesh| mesh.flaws.duplicate)),
        count(over_parts(|_, mesh| mesh.flaws.open_edges), "open edge"),
        count(over_parts(|_, mesh| mesh.flaws.non_manifold_edges), "non-manifold edge"),
        count(report.meshes.len() as u64, "tree"),
        count(bytes, "byte"),
    )
}

fn milliseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e6
}
