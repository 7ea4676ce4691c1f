//! [`DotReport`]: the contact graph, for Graphviz.
use crate::{
    names::Names,
    size_units::SizeUnits,
    words,
    writer::{Format, ReportWriter},
};
use impinge_check::{
    Report,
    records::{Dimension, Edge},
    values::text::printable,
};
use std::{
    fmt::Write as _,
    io::{self, Write},
};

/// Report of the contact graph in the language of Graphviz: `dot -Tsvg` draws it. Parts are boxes, dashed if
/// they float. Edges that count as findings are red. Contacts in areas are thick, those in points dotted.
#[derive(Clone, Copy, Debug, Default)]
pub struct DotReport;

pub(crate) const FORMAT: Format = Format {
    name: "dot",
    extension: "dot",
    about: "what touches what, for Graphviz",
    contacts: true,
    writer: || Box::new(DotReport),
};

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
fn label(edge: &Edge, units: &SizeUnits) -> String {
    let mut text = kind(edge);
    if let Some([lo, hi]) = edge.size() {
        let power = if edge.dimension == Some(Dimension::Area) { 2 } else { 1 };
        let _ = write!(text, " {}", units.contact(lo / 2.0 + hi / 2.0, power));
    }
    text
}

/// The relation and the dimension of a contact, in words.
fn kind(edge: &Edge) -> String {
    let words = [edge.relation.map(words::word), edge.dimension.map(Dimension::name)];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// For each edge, true if it counts as a finding. Edges are in the order of clashes.
fn counts(report: &Report) -> impl Iterator<Item = bool> {
    report.clashes().iter().map(|clash| report.counts(clash))
}

impl ReportWriter for DotReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let (graph, names, units) = (report.contact_graph(), Names::of(report), SizeUnits::of(report));
        let largest = graph.largest();
        // Most parts have few contacts, so the layers of the default layout would make a strip.
        writeln!(out, "graph contacts {{\n  layout=neato; overlap=prism; sep=\"+16\";")?;
        writeln!(out, "  node [shape=box]; edge [len=2.5];")?;
        for part in report.parts() {
            let floats = Some(graph.component(part.index())) != largest;
            let style = if floats { ", style=dashed" } else { "" };
            writeln!(
                out,
                "  {} [label={}{style}];",
                part.index(),
                quoted(&names.label(part.index() as usize))
            )?;
        }
        for (edge, counts) in graph.edges().iter().zip(counts(report)) {
            let [a, b] = edge.parts;
            let color = if counts { ", color=red" } else { "" };
            let style = match edge.dimension {
                Some(Dimension::Area) => ", penwidth=2",
                Some(Dimension::Point) => ", style=dotted",
                _ => "",
            };
            writeln!(out, "  {a} -- {b} [label={}{color}{style}];", quoted(&label(edge, &units)))?;
        }
        writeln!(out, "}}")
    }
}

#[cfg(test)]
mod tests {
    use super::{DotReport, quoted};
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
        let mut bytes = Vec::new();
        DotReport.write(&report, &mut bytes).unwrap();
        let dot = String::from_utf8(bytes).unwrap();
        assert!(dot.contains("  0 -- 1 [label=\"touch, area 1.000\", penwidth=2];\n"), "{dot}");
        assert!(dot.contains("  2 [label=\"c\", style=dashed];\n"), "{dot}");
    }
}
