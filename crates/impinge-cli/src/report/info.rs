//! Output of `impinge info`: table or JSON.
use crate::{
    args::Form,
    info::contents::{FileContents, MeshInfo, PartInfo},
    omitted,
};
use impinge_check::values::text::VisibleJson;
use impinge_check::{
    relations,
    sources::{Hull, Omission},
    values::{
        Warning,
        numbers::{Coordinates, amount, count, grouped},
    },
};
use impinge_report::{Names, Stream, SummaryLine, Table, aligned};
use serde::Serialize;
use serde_json::{Map, Value};
use std::{
    borrow::Cow,
    io::{self, Write},
    iter,
    time::Duration,
};

pub(crate) fn write(
    contents: &FileContents,
    form: Form,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    match form {
        Form::Table => people(contents, columns, out),
        Form::Json => json(contents, out),
    }
}

#[derive(Serialize)]
struct JsonInfo<'a, P> {
    impinge: &'static str,
    parts: P,
    warnings: &'a [Warning],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    omissions: Vec<Omission>,
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
    /// For each kind of flaw the place of the first, at the part's pose; kinds without a flaw are omitted.
    flaws_at: Map<String, Value>,
    solid: JsonSolid,
    /// Lower and upper corner, or null.
    #[serde(rename = "box")]
    hull: Option<[[f64; 3]; 2]>,
    /// True if a transform that is not rigid was baked into the mesh.
    baked: bool,
    /// The number of the mesh: parts with the same one share it, and its tree.
    mesh: usize,
    tree: JsonTree,
}

/// The solid that a part bounds.
#[derive(Serialize)]
struct JsonSolid {
    status: &'static str,
    /// Connected surfaces.
    shells: usize,
    /// Edges that do not balance.
    edges: usize,
    /// The number of holes, or borders, that these edges make up.
    holes: usize,
    /// The middle of an edge of the widest hole, at the part's pose.
    at: Option<[f64; 3]>,
    /// The longest side of the box around it, in the mesh's own frame.
    width: Option<f64>,
    /// Lower and upper bound of the mesh's volume, in its own frame; null if it is not closed.
    volume: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct JsonTree {
    nodes: usize,
    leaves: usize,
    depth: usize,
    bytes: usize,
    milliseconds: f64,
}

fn json(contents: &FileContents, out: &mut dyn Write) -> anyhow::Result<()> {
    let parts = || contents.parts.iter().enumerate().map(|(index, part)| json_part(contents, index, part));
    let whole = JsonInfo {
        impinge: env!("CARGO_PKG_VERSION"),
        parts: Stream(parts),
        warnings: &contents.warnings,
        omissions: contents.omissions.iter().map(Omission::from).collect(),
    };
    serde_json::to_writer(VisibleJson::new(&mut *out), &whole)?;
    Ok(writeln!(out)?)
}

fn json_part<'a>(
    contents: &FileContents,
    index: usize,
    PartInfo { part, mesh, hull }: &'a PartInfo,
) -> JsonPart<'a> {
    let MeshInfo { flaws, solid, tree, build, .. } = &contents.meshes[*mesh];
    let placed = |at: Option<[f64; 3]>| at.map(|at| part.pose.place(at));
    let flaws_at = flaws.each().into_iter().filter_map(|([_, name], flaw)| {
        let name = name.replace([' ', '-'], "_");
        placed(flaw.at).map(|at| (name, at.to_vec().into()))
    });
    JsonPart {
        index,
        name: &part.name,
        file: part.file.to_string_lossy(),
        triangles: part.mesh.len(),
        vertices: part.mesh.points().len(),
        degenerate_triangles: flaws.degenerate.count,
        duplicate_triangles: flaws.duplicate.count,
        open_edges: flaws.open_edges.count,
        non_manifold_edges: flaws.non_manifold_edges.count,
        flaws_at: flaws_at.collect(),
        solid: JsonSolid {
            status: relations::closedness_name(solid.status),
            shells: solid.shells,
            edges: solid.edges,
            holes: solid.holes,
            at: placed(solid.at),
            width: solid.width,
            volume: solid.volume,
        },
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
}

fn people(contents: &FileContents, columns: Option<u16>, out: &mut dyn Write) -> anyhow::Result<()> {
    let parts = contents.parts.iter().map(|info| &info.part);
    let names = Names::of_parts(parts);
    writeln!(out, "{}", names.list())?;
    let listed = contents.listed().count();
    if listed > 0 {
        triangles(contents, &names, columns, out)?;
        writeln!(out)?;
        flaws(contents, &names, columns, out)?;
        solids(contents, &names, columns, out)?;
        writeln!(out)?;
        boxes(contents, &names, columns, out)?;
        writeln!(out)?;
        if contents.shown.trees {
            trees(contents, &names, columns, out)?;
            writeln!(out)?;
        }
    }
    if let Some(flawless @ 1..) = contents.parts.len().checked_sub(listed) {
        writeln!(out, "{} without flaw: --all lists all.\n", count(flawless as u64, "part"))?;
    }
    let baked: Vec<usize> = (0..contents.parts.len()).filter(|&i| contents.parts[i].part.baked).collect();
    for &i in baked.iter().take(BAKED) {
        let label = names.short(i, columns);
        writeln!(
            out,
            "The transform of {label} is not rigid; its mesh is a copy with the transform applied."
        )?;
    }
    if let Some(more @ 1..) = baked.len().checked_sub(BAKED) {
        writeln!(out, "{more} more transforms are not rigid.")?;
    }
    Ok(writeln!(out, "{}", summary(contents, columns))?)
}

/// Parts whose transforms were applied to them that are named; there may be thousands, and JSON names all.
const BAKED: usize = 20;

/// The triangles of each part, and their flaws.
fn triangles(
    contents: &FileContents,
    names: &Names<'_>,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let headings = [
        "part",
        ">triangles",
        ">vertices",
        ">degen-\nerate",
        ">dupli-\ncate",
        ">open\nedges",
        ">non-\nmanifold\nedges",
    ];
    let row = |(i, PartInfo { part, mesh, .. }): (usize, &PartInfo)| {
        let flaws = contents.meshes[*mesh].flaws.each().map(|(_, flaw)| flaw.count);
        let numbers = [part.mesh.len(), part.mesh.points().len()].into_iter().chain(flaws);
        iter::once(names.label(i)).chain(numbers.map(|n| grouped(n as u64))).collect()
    };
    let table = Table { headings: &headings, names: 1, together: 0, width: columns };
    table.write(|| contents.listed().map(row), out)
}

/// The solid of each part.
fn solids(
    contents: &FileContents,
    names: &Names<'_>,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let row = |(i, PartInfo { mesh, .. }): (usize, &PartInfo)| {
        let solid = &contents.meshes[*mesh].solid;
        let status = relations::closedness_name(solid.status).replace('_', " ");
        let volume = solid.volume.map_or_else(|| "none".to_owned(), |[lo, hi]| amount(lo / 2.0 + hi / 2.0));
        let width = solid.width.map_or_else(|| "none".to_owned(), amount);
        vec![names.label(i), status, grouped(solid.shells as u64), grouped(solid.edges as u64), width, volume]
    };
    let headings = ["part", "solid", ">shells", ">edges that\ndo not close", ">widest\nhole", ">volume"];
    let table = Table { headings: &headings, names: 1, together: 0, width: columns };
    table.write(|| contents.listed().map(row), out)
}

/// Writes the place of the first flaw of each sort in each part.
fn flaws(
    contents: &FileContents,
    names: &Names<'_>,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rows = || {
        contents.listed().flat_map(|(i, PartInfo { part, mesh, .. })| {
            contents.meshes[*mesh].flaws.each().into_iter().filter_map(move |(names, flaw)| {
                flaw.at.map(|at| (i, names[usize::from(flaw.count > 1)], flaw.count, part.pose.place(at)))
            })
        })
    };
    if rows().next().is_none() {
        return Ok(());
    }
    let size = Hull::of(contents.parts.iter().map(|info| &info.part)).size();
    let coordinates = Coordinates::like(rows().flat_map(|(.., at)| at), size);
    let row = |(i, name, count, at): (usize, &str, usize, [f64; 3])| {
        let what = [names.label(i), grouped(count as u64), name.to_owned()];
        what.into_iter().chain(at.map(|c| coordinates.show(c))).collect()
    };
    let headings = ["part", ">flaws", "", ">e.g. at x", ">y", ">z"];
    let table = Table { headings: &headings, names: 1, together: 0, width: columns };
    table.write(|| rows().map(row), out)?;
    writeln!(out)
}

/// Writes the box of each part.
fn boxes(
    contents: &FileContents,
    names: &Names<'_>,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let corners = contents.parts.iter().filter_map(|info| info.hull).flatten().flatten();
    let size = Hull::of(contents.parts.iter().map(|info| &info.part)).size();
    let coordinates = Coordinates::like(corners, size);
    let row = |(i, PartInfo { hull, .. }): (usize, &PartInfo)| {
        let numbers = match hull {
            Some(hull) => hull.as_flattened().iter().map(|&c| coordinates.show(c)).collect(),
            None => vec!["none".to_owned()],
        };
        iter::once(names.label(i)).chain(numbers).collect()
    };
    let headings = ["part", ">box from x", ">y", ">z", ">to x", ">y", ">z"];
    let table = Table { headings: &headings, names: 1, together: 0, width: columns };
    table.write(|| contents.listed().map(row), out)
}

/// The cost of each part's tree; parts that share a mesh share its tree.
fn trees(
    contents: &FileContents,
    names: &Names<'_>,
    columns: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut headings = vec!["part", ">tree nodes", ">leaves", ">depth", ">bytes", ">build ms"];
    if contents.meshes.len() < contents.parts.len() {
        headings.push("shared with");
    }
    // The first part that has the mesh.
    let mut owner = vec![usize::MAX; contents.meshes.len()];
    for (i, part) in contents.parts.iter().enumerate() {
        owner[part.mesh] = owner[part.mesh].min(i);
    }
    let row = |(i, PartInfo { mesh, .. }): (usize, &PartInfo)| {
        let MeshInfo { tree, build, .. } = &contents.meshes[*mesh];
        let shared = if owner[*mesh] == i { String::new() } else { names.short(owner[*mesh], columns) };
        let numbers = [tree.nodes, tree.leaves, tree.depth, tree.bytes].map(|n| grouped(n as u64));
        let time = format!("{:.3}", milliseconds(*build));
        let cells = iter::once(names.label(i)).chain(numbers).chain([time, shared]);
        cells.take(headings.len()).collect()
    };
    let table = Table { headings: &headings, names: 1, together: 0, width: columns };
    table.write(|| contents.listed().map(row), out)
}

/// Sums over all parts; of trees, each is counted once.
pub(crate) fn summary(contents: &FileContents, columns: Option<u16>) -> String {
    let over_parts = |of: fn(&PartInfo, &MeshInfo) -> usize| {
        contents.parts.iter().map(|part| of(part, &contents.meshes[part.mesh]) as u64).sum::<u64>()
    };
    let mut lines = vec![
        SummaryLine::new("Parts", contents.parts.len() as u64, ""),
        SummaryLine::new("Triangles", over_parts(|part, _| part.part.mesh.len()), ""),
    ];
    let flaws = [
        SummaryLine::of_kinds(
            "Bad triangles",
            &[
                ("degenerate", over_parts(|_, mesh| mesh.flaws.degenerate.count)),
                ("duplicate", over_parts(|_, mesh| mesh.flaws.duplicate.count)),
            ],
        ),
        SummaryLine::of_kinds(
            "Bad edges",
            &[
                ("open", over_parts(|_, mesh| mesh.flaws.open_edges.count)),
                ("non-manifold", over_parts(|_, mesh| mesh.flaws.non_manifold_edges.count)),
            ],
        ),
    ];
    lines.extend(flaws);
    if contents.shown.trees {
        let bytes: u64 = contents.meshes.iter().map(|mesh| mesh.tree.bytes as u64).sum();
        let build: f64 = contents.meshes.iter().map(|mesh| milliseconds(mesh.build)).sum();
        let cost = format!("{}, built in {build:.1} ms", count(bytes, "byte"));
        lines.push(SummaryLine::new("Trees", contents.meshes.len() as u64, cost));
    }
    lines.extend(omitted::lines(&contents.omissions));
    lines.extend(SummaryLine::of_warnings(&contents.warnings));
    aligned(&lines, columns)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e6
}
