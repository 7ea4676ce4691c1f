//! [`DotReport`] and [`GraphMlReport`]: what touches what, for programs that draw and walk graphs.
use crate::{
    words,
    writer::{Format, ReportWriter},
    xml::escaped,
};
use impinge_check::{ContactGraph, Dimension, Edge, Report, numbers::amount, relations, text::printable};
use std::{
    fmt::Write as _,
    io::{self, Write},
};

/// The contact graph in the language of Graphviz: `dot -Tsvg` draws it. Parts are boxes, those that float
/// have dashed ones; edges of parts that count as findings are red, contacts of areas are thick, of points
/// dotted.
#[derive(Clone, Copy, Debug, Default)]
pub struct DotReport;

/// The contact graph as GraphML, which networkx, yEd, Gephi and Cytoscape read. Nodes have a name, a file and
/// a component, edges a relation, a dimension, a length, an area and whether they count as findings.
#[derive(Clone, Copy, Debug, Default)]
pub struct GraphMlReport;

pub(crate) const DOT: Format = Format {
    name: "dot",
    extension: "dot",
    about: "what touches what, for Graphviz",
    contacts: true,
    writer: || Box::new(DotReport),
};

pub(crate) const GRAPHML: Format = Format {
    name: "graphml",
    extension: "graphml",
    about: "what touches what, for networkx, yEd and Gephi",
    contacts: true,
    writer: || Box::new(GraphMlReport),
};

/// A text in a DOT string.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in printable(text).chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The relation and the size of a contact, in words.
pub(crate) fn label(edge: &Edge) -> String {
    let mut text = kind(edge);
    if let Some([lo, hi]) = edge.size() {
        let _ = write!(text, " {}", amount(lo / 2.0 + hi / 2.0));
    }
    text
}

/// The relation and the dimension of a contact, in words.
pub(crate) fn kind(edge: &Edge) -> String {
    let words = [edge.relation.map(words::word), edge.dimension.map(Dimension::name)];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Whether each edge is a finding: edges are in the order of clashes.
pub(crate) fn counts(report: &Report) -> impl Iterator<Item = bool> {
    report.clashes().iter().map(|clash| report.counts(clash))
}

impl ReportWriter for DotReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let graph = report.contact_graph();
        let largest = graph.largest();
        writeln!(out, "graph contacts {{\n  node [shape=box];")?;
        for part in report.parts() {
            let floats = Some(graph.component(part.index())) != largest;
            let style = if floats { ", style=dashed" } else { "" };
            writeln!(out, "  {} [label={}{style}];", part.index(), quoted(part.name()))?;
        }
        for (edge, counts) in graph.edges().iter().zip(counts(report)) {
            let [a, b] = edge.parts;
            let color = if counts { ", color=red" } else { "" };
            let style = match edge.dimension {
                Some(Dimension::Area) => ", penwidth=2",
                Some(Dimension::Point) => ", style=dotted",
                _ => "",
            };
            writeln!(out, "  {a} -- {b} [label={}{color}{style}];", quoted(&label(edge)))?;
        }
        writeln!(out, "}}")
    }
}

/// The data of nodes and edges: key, what has it, name, type.
const KEYS: [(&str, &str, &str, &str); 14] = [
    ("name", "node", "name", "string"),
    ("file", "node", "file", "string"),
    ("component", "node", "component", "int"),
    ("floats", "node", "floats", "boolean"),
    ("relation", "edge", "relation", "string"),
    ("dimension", "edge", "dimension", "string"),
    ("counts", "edge", "counts", "boolean"),
    ("length_lo", "edge", "length_lo", "double"),
    ("length_hi", "edge", "length_hi", "double"),
    ("area_lo", "edge", "area_lo", "double"),
    ("area_hi", "edge", "area_hi", "double"),
    ("x", "edge", "x", "double"),
    ("y", "edge", "y", "double"),
    ("z", "edge", "z", "double"),
];

impl ReportWriter for GraphMlReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let graph = report.contact_graph();
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
        for (key, of, name, kind) in KEYS {
            writeln!(out, "  <key id=\"{key}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>")?;
        }
        writeln!(out, "  <graph id=\"contacts\" edgedefault=\"undirected\">")?;
        nodes(report, &graph, out)?;
        for (edge, counts) in graph.edges().iter().zip(counts(report)) {
            let [a, b] = edge.parts;
            write!(out, "    <edge source=\"p{a}\" target=\"p{b}\">")?;
            if let Some(kind) = edge.relation {
                datum(out, "relation", relations::name(kind))?;
            }
            if let Some(dimension) = edge.dimension {
                datum(out, "dimension", dimension.name())?;
            }
            datum(out, "counts", &counts.to_string())?;
            if let Some(contact) = edge.contact {
                let sizes = [contact.length, contact.area].concat();
                for (key, size) in ["length_lo", "length_hi", "area_lo", "area_hi"].iter().zip(sizes) {
                    datum(out, key, &size.to_string())?;
                }
            }
            for (key, c) in ["x", "y", "z"].iter().zip(edge.point) {
                datum(out, key, &c.to_string())?;
            }
            writeln!(out, "</edge>")?;
        }
        writeln!(out, "  </graph>\n</graphml>")
    }
}

fn nodes(report: &Report, graph: &ContactGraph, out: &mut dyn Write) -> io::Result<()> {
    let largest = graph.largest();
    for part in report.parts() {
        let component = graph.component(part.index());
        write!(out, "    <node id=\"p{}\">", part.index())?;
        datum(out, "name", part.name())?;
        datum(out, "file", &part.file().to_string_lossy())?;
        datum(out, "component", &component.to_string())?;
        datum(out, "floats", &(Some(component) != largest).to_string())?;
        writeln!(out, "</node>")?;
    }
    Ok(())
}

fn datum(out: &mut dyn Write, key: &str, value: &str) -> io::Result<()> {
    write!(out, "<data key=\"{key}\">{}</data>", escaped(value))
}

#[cfg(test)]
mod tests {
    use super::{DotReport, GraphMlReport, quoted};
    use crate::writer::ReportWriter;
    use impinge::{Mesh, Pose};
    use impinge_check::{Assembly, Check, Part, Watch};

    #[test]
    fn names_are_no_markup() {
        assert_eq!(quoted("a\"b\\c\n"), "\"a\\\"b\\\\c\u{fffd}\"");
    }

    #[test]
    fn a_graph_has_its_parts_and_contacts() {
        let mut assembly = Assembly::new();
        for (name, x) in [("a", 0.0), ("b <1>", 1.0), ("c", 9.0)] {
            let pose = Pose::from_translation([x, 0.0, 0.0]).unwrap();
            assembly.push(Part::from_mesh(name, Mesh::cuboid([1.0; 3]).unwrap(), pose));
        }
        let report = Check::new().contacts(true).run(assembly, &Watch::new()).unwrap();
        let text = |writer: &dyn ReportWriter| {
            let mut bytes = Vec::new();
            writer.write(&report, &mut bytes).unwrap();
            String::from_utf8(bytes).unwrap()
        };
        let dot = text(&DotReport);
        assert!(dot.contains("  0 -- 1 [label=\"touch, area 1.000\", penwidth=2];\n"), "{dot}");
        assert!(dot.contains("  2 [label=\"c\", style=dashed];\n"), "{dot}");
        let xml = text(&GraphMlReport);
        assert!(xml.contains("<data key=\"name\">b &lt;1&gt;</data>"), "{xml}");
        assert!(
            xml.contains("<edge source=\"p0\" target=\"p1\"><data key=\"relation\">touch</data>"),
            "{xml}"
        );
        assert_eq!(xml.matches("<node ").count(), 3, "{xml}");
        assert_eq!(xml.matches("<edge ").count(), 1, "{xml}");
    }
}
