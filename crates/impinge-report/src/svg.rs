//! [`SvgReport`]: a picture of the contact graph that needs no other program.
use crate::{
    graph,
    grid::cut,
    layout::{self, Vec2},
    names::Names,
    writer::{Format, ReportWriter},
    xml::escaped,
};
use impinge::relation::RelationKind;
use impinge_check::{
    ContactGraph, Dimension, Edge, Report,
    numbers::{count, count_of, grouped},
};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, Write},
};
use unicode_width::UnicodeWidthChar;

/// The contact graph as a picture. Parts are boxes, contacts lines: dotted for points, dashed for lines,
/// solid for areas and volumes, and thicker for larger areas. The relation gives the color. Groups that float
/// have dashed frames; parts without a contact are listed below. Full names and sizes are tooltips.
///
/// At most 300 parts with contacts are drawn, those with the most contacts, and at most 200 parts without
/// one. A line in the picture names the omissions. The same report gives the same bytes on every machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SvgReport;

pub(crate) const FORMAT: Format = Format {
    name: "svg",
    extension: "svg",
    about: "a picture of what touches what",
    contacts: true,
    writer: || Box::new(SvgReport),
};

/// The most parts that are drawn with their contacts: more cannot be read.
const MOST_CONNECTED: usize = 300;
/// The most parts without a contact that are named.
const MOST_SINGLE: usize = 200;
/// The most columns of a label.
const MOST_OF_LABEL: usize = 32;
/// The least width of the picture without its margins.
const LEAST_WIDTH: f64 = 720.0;
/// The width of the picture over its height, about.
const ASPECT: f64 = 1.1;
/// The room around everything, and the one between groups.
const MARGIN: f64 = 20.0;
const BETWEEN: Vec2 = [28.0, 28.0];
/// The room between a group and its frame.
const PADDING: f64 = 10.0;
/// The height of a box and of a line of text.
const BOX_HEIGHT: f64 = 22.0;
const LINE_HEIGHT: f64 = 20.0;
/// The room beside the text in a box.
const BESIDE_TEXT: f64 = 7.0;
/// Widths of lines: of points and lines, and from the smallest to the largest area.
const THIN: f64 = 2.0;
const AREAS: [f64; 2] = [2.0, 7.0];
/// The length of a line in the legend.
const SAMPLE: f64 = 34.0;

/// The background is drawn, so that the picture is readable on a page of any color.
const STYLE: &str = "\
.contacts{color:#1f2328}.contacts .page{fill:#fff}.contacts .part{fill:#f3f5f7;stroke:#6e7781}\
.contacts text{fill:currentColor}.contacts .note{fill:#b35900}.contacts .float{fill:none;stroke:#6e7781}\
.contacts .edge{fill:none;stroke:#57606a}.contacts .overlap{stroke:#cf222e}.contacts .inside{stroke:#8250df}\
.contacts .same{stroke:#bf8700}.contacts .pierces{stroke:#0969da}\
@media (prefers-color-scheme:dark){.contacts{color:#e6edf3}.contacts .page{fill:#0d1117}\
.contacts .part{fill:#1c2330;stroke:#8b949e}.contacts .note{fill:#ffb366}.contacts .float{stroke:#8b949e}\
.contacts .edge{stroke:#a3adb8}.contacts .overlap{stroke:#ff7b72}.contacts .inside{stroke:#d2a8ff}\
.contacts .same{stroke:#e3b341}.contacts .pierces{stroke:#79c0ff}}";

impl ReportWriter for SvgReport {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(Picture::new(report).draw().as_bytes())
    }
}

struct Picture<'a> {
    report: &'a Report,
    graph: ContactGraph,
    names: Names<'a>,
    /// Parts with contacts that are drawn, ascending, and the number of all.
    connected: (Vec<u32>, usize),
    /// Parts without contacts that are drawn, ascending, and the number of all.
    single: (Vec<u32>, usize),
    /// The largest upper bound of a contact's area.
    largest_area: f64,
}

/// Boxes of a group of parts, and where they are in it.
struct Group {
    parts: Vec<u32>,
    /// Centres.
    places: Vec<Vec2>,
    size: Vec2,
    floats: bool,
}

/// The style of lines of one kind of contact.
#[derive(Clone, Copy)]
struct Stroke {
    class: &'static str,
    width: f64,
    dashes: &'static str,
}

impl<'a> Picture<'a> {
    fn new(report: &'a Report) -> Self {
        let graph = report.contact_graph();
        let contacts = |part: u32| graph.edges_of(part).len();
        let (mut connected, mut single): (Vec<u32>, Vec<u32>) =
            (0..report.part_count() as u32).partition(|&part| contacts(part) > 0);
        let all = [&connected, &single].map(Vec::len);
        connected.sort_by_key(|&part| (std::cmp::Reverse(contacts(part)), part));
        connected.truncate(MOST_CONNECTED);
        connected.sort_unstable();
        if connected.len() < all[0] {
            // A box without its contacts would look as if it had none.
            let drawn = connected.clone();
            let is_drawn = |part: u32| drawn.binary_search(&part).is_ok();
            connected.retain(|&part| graph.edges_of(part).any(|(other, _)| is_drawn(other)));
        }
        single.truncate(MOST_SINGLE);
        let areas = graph.edges().iter().filter_map(area);
        Self {
            report,
            names: Names::of(report.parts()),
            connected: (connected, all[0]),
            single: (single, all[1]),
            largest_area: areas.fold(0.0, f64::max),
            graph,
        }
    }

    /// Contacts with both ends drawn, and whether they count as findings.
    fn edges(&self) -> Vec<(&Edge, bool)> {
        let is_drawn = |part: &u32| self.connected.0.binary_search(part).is_ok();
        let all = self.graph.edges().iter().zip(graph::counts(self.report));
        all.filter(|(edge, _)| edge.parts.iter().all(is_drawn)).collect()
    }

    fn draw(&self) -> String {
        let edges = self.edges();
        let groups = self.groups(&edges);
        let blocks: Vec<Vec2> = groups.iter().map(|group| group.size).collect();
        let ground: f64 = blocks.iter().map(|[w, h]| (w + BETWEEN[0]) * (h + BETWEEN[1])).sum();
        let widest = blocks.iter().map(|size| size[0]).fold(0.0, f64::max);
        let width = (ground * ASPECT).sqrt().max(widest).max(LEAST_WIDTH);

        let (mut body, mut y) = (String::new(), MARGIN);
        for (class, line) in self.lines(edges.len()) {
            y += LINE_HEIGHT;
            text(&mut body, class, [MARGIN, y - 6.0], &line);
        }
        y += self.legend(&mut body, &edges, &groups, [MARGIN, y + 8.0], width) + 8.0;
        if !groups.is_empty() {
            y += BETWEEN[1];
            let (corners, size) = layout::rows(&blocks, width, BETWEEN);
            self.draw_groups(&mut body, (&groups, &corners), &edges, [MARGIN, y]);
            y += size[1];
        }
        if !self.single.0.is_empty() {
            y += self.draw_single(&mut body, [MARGIN, y + BETWEEN[1]], width) + BETWEEN[1];
        }
        let [w, h] = [width + 2.0 * MARGIN, y + MARGIN].map(f64::ceil);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"contacts\" viewBox=\"0 0 {w} {h}\" \
             width=\"{w}\" height=\"{h}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>Contacts of parts</title>\n<style>{STYLE}</style>\n\
             <rect class=\"page\" width=\"{w}\" height=\"{h}\"/>\n{body}</svg>\n"
        )
    }

    /// The lines above the graph. What is not drawn, or not known, is said here.
    fn lines(&self, drawn: usize) -> Vec<(&'static str, String)> {
        let parts = count(self.report.part_count() as u64, "part");
        let contacts = count(self.graph.edges().len() as u64, "contact");
        let mut lines = vec![("head", format!("{parts}, {contacts}"))];
        let (shown, all) = (self.connected.0.len(), self.connected.1);
        if shown < all {
            let line = format!(
                "Not everything is drawn: only {} of {} parts with contacts, those with the most, and {} of \
                 {contacts}.",
                grouped(shown as u64),
                grouped(all as u64),
                grouped(drawn as u64),
            );
            lines.push(("note", line));
        }
        let left = self.report.coverage().not_examined;
        if left > 0 {
            let pairs = count_of(left, "part pair was", "part pairs were");
            lines.push(("note", format!("{pairs} not examined: contacts may be missing.")));
        }
        lines
    }

    /// Connected parts that are drawn, each group laid out. Those with the most parts come first.
    fn groups(&self, edges: &[(&Edge, bool)]) -> Vec<Group> {
        let mut parts: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for &part in &self.connected.0 {
            parts.entry(self.graph.component(part)).or_default().push(part);
        }
        let mut ends: BTreeMap<usize, Vec<[u32; 2]>> = BTreeMap::new();
        for (edge, _) in edges {
            ends.entry(self.graph.component(edge.parts[0])).or_default().push(edge.parts);
        }
        let mut order: Vec<usize> = parts.keys().copied().collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(self.graph.components()[i].len()), i));
        let largest = self.graph.largest();
        let group = |component: usize| {
            let parts = parts.remove(&component).unwrap_or_default();
            let index = |part: u32| parts.binary_search(&part).unwrap_or_default();
            let edges: Vec<[usize; 2]> =
                ends.remove(&component).unwrap_or_default().into_iter().map(|ends| ends.map(index)).collect();
            let sizes: Vec<Vec2> = parts.iter().map(|&part| self.size(part)).collect();
            let mut places = layout::place(&sizes, &edges);
            let end = |k: usize, sign: f64| {
                let ends = places.iter().zip(&sizes).map(|(at, size)| sign * at[k] + size[k] / 2.0);
                ends.fold(f64::NEG_INFINITY, f64::max)
            };
            let lo = [0, 1].map(|k| PADDING + end(k, -1.0));
            let size = [0, 1].map(|k| PADDING + end(k, 1.0) + lo[k]);
            for place in &mut places {
                *place = [place[0] + lo[0], place[1] + lo[1]];
            }
            Group { parts, places, size, floats: Some(component) != largest }
        };
        order.into_iter().map(group).collect()
    }

    fn label(&self, part: u32) -> String {
        cut(self.names.label(part as usize), MOST_OF_LABEL)
    }
    /// The size of a part's box.
    fn size(&self, part: u32) -> Vec2 {
        [text_width(&self.label(part)) + 2.0 * BESIDE_TEXT, BOX_HEIGHT]
    }

    fn draw_groups(
        &self,
        out: &mut String,
        (groups, corners): (&[Group], &[Vec2]),
        edges: &[(&Edge, bool)],
        at: Vec2,
    ) {
        let mut centres: BTreeMap<u32, Vec2> = BTreeMap::new();
        for (group, corner) in groups.iter().zip(corners) {
            let corner = [at[0] + corner[0], at[1] + corner[1]];
            if group.floats {
                frame(out, corner, group.size);
            }
            for (&part, place) in group.parts.iter().zip(&group.places) {
                centres.insert(part, [corner[0] + place[0], corner[1] + place[1]]);
            }
        }
        for (edge, counts) in edges {
            let [a, b] = edge.parts.map(|part| centres.get(&part).copied().unwrap_or_default());
            let names = edge.parts.map(|part| self.names.label(part as usize));
            let finding = if *counts { "; a finding" } else { "" };
            let title = format!("{} – {}: {}{finding}", names[0], names[1], graph::label(edge));
            line(out, [a, b], self.stroke(edge), Some(&title));
        }
        for (&part, &centre) in &centres {
            self.draw_part(out, part, centre);
        }
    }

    /// A box with its centre.
    fn draw_part(&self, out: &mut String, part: u32, [x, y]: Vec2) {
        let [w, h] = self.size(part);
        let title = self.names.label(part as usize);
        let _ = writeln!(
            out,
            "<g><title>{}</title><rect class=\"part\" x=\"{:.1}\" y=\"{:.1}\" width=\"{w:.1}\" \
             height=\"{h:.1}\" rx=\"4\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></g>",
            escaped(&title),
            x - w / 2.0,
            y - h / 2.0,
            y + 4.0,
            escaped(&self.label(part)),
        );
    }

    /// Parts without contacts, in rows; the height of all.
    fn draw_single(&self, out: &mut String, at: Vec2, width: f64) -> f64 {
        let (shown, all) = &self.single;
        let mut head = format!("{} without a contact", count(*all as u64, "part"));
        if shown.len() < *all {
            let _ = write!(head, "; the first {} are drawn", grouped(shown.len() as u64));
        }
        text(out, "head", [at[0], at[1] + 12.0], &head);
        let sizes: Vec<Vec2> = shown.iter().map(|&part| self.size(part)).collect();
        let (corners, size) = layout::rows(&sizes, width, [6.0, 6.0]);
        for ((&part, corner), [w, h]) in shown.iter().zip(corners).zip(&sizes) {
            let [x, y] = [at[0] + corner[0] + w / 2.0, at[1] + LINE_HEIGHT + corner[1] + h / 2.0];
            self.draw_part(out, part, [x, y]);
        }
        LINE_HEIGHT + size[1]
    }

    /// A sample of each kind of line that occurs, and its meaning, in rows; the height of all.
    fn legend(
        &self,
        out: &mut String,
        edges: &[(&Edge, bool)],
        groups: &[Group],
        at: Vec2,
        width: f64,
    ) -> f64 {
        let mut kinds: BTreeMap<(&str, Option<Dimension>, String), Stroke> = BTreeMap::new();
        for (edge, _) in edges {
            let mut name = graph::kind(edge);
            if edge.dimension.is_none() {
                name += if name.is_empty() { "dimension not computed" } else { ", dimension not computed" };
            }
            if area(edge).is_some() {
                name += " (thicker: larger)";
            }
            let stroke = Stroke { width: self.stroke(edge).width.min(3.0), ..self.stroke(edge) };
            kinds.entry((stroke.class, edge.dimension, name)).or_insert(stroke);
        }
        let mut entries: Vec<(String, Option<Stroke>)> =
            kinds.into_iter().map(|((_, _, name), stroke)| (name, Some(stroke))).collect();
        if groups.iter().any(|group| group.floats) {
            entries.push(("a group that floats: it touches nothing else".to_owned(), None));
        }
        let size = |(name, _): &(String, _)| [SAMPLE + 8.0 + text_width(name), LINE_HEIGHT];
        let sizes: Vec<Vec2> = entries.iter().map(size).collect();
        let (corners, size) = layout::rows(&sizes, width, [22.0, 0.0]);
        for ((name, stroke), corner) in entries.iter().zip(corners) {
            let [x, y] = [at[0] + corner[0], at[1] + corner[1] + LINE_HEIGHT / 2.0];
            match stroke {
                Some(stroke) => line(out, [[x, y], [x + SAMPLE, y]], *stroke, None),
                None => frame(out, [x, y - 7.0], [SAMPLE, 14.0]),
            }
            text(out, "key", [x + SAMPLE + 8.0, y + 4.0], name);
        }
        size[1]
    }

    fn stroke(&self, edge: &Edge) -> Stroke {
        let class = match edge.relation {
            Some(RelationKind::Overlap) => "edge overlap",
            Some(RelationKind::AInB | RelationKind::BInA | RelationKind::InsideOpen) => "edge inside",
            Some(RelationKind::Same) => "edge same",
            Some(RelationKind::Pierce) => "edge pierces",
            Some(RelationKind::Touch | RelationKind::Meet | RelationKind::Apart) | None => "edge",
        };
        let (width, dashes) = match edge.dimension {
            // Dots are round ends of dashes that have no length.
            Some(Dimension::Point) => (THIN + 1.0, "0.1 6"),
            Some(Dimension::Line) => (THIN, "8 5"),
            Some(Dimension::Area) => (self.area_width(edge), ""),
            Some(Dimension::Volume) => (THIN + 1.0, ""),
            None => (1.0, ""),
        };
        Stroke { class, width, dashes }
    }
    fn area_width(&self, edge: &Edge) -> f64 {
        match area(edge) {
            Some(area) if self.largest_area > 0.0 => {
                AREAS[0] + (AREAS[1] - AREAS[0]) * (area / self.largest_area).sqrt()
            }
            _ => AREAS[0],
        }
    }
}

/// The upper bound of a contact's area, if that is finite.
fn area(edge: &Edge) -> Option<f64> {
    let size = edge.size().filter(|_| edge.dimension == Some(Dimension::Area));
    size.map(|[_, hi]| hi).filter(|hi| hi.is_finite())
}

fn line(out: &mut String, [[x1, y1], [x2, y2]]: [Vec2; 2], stroke: Stroke, title: Option<&str>) {
    let Stroke { class, width, dashes } = stroke;
    let _ = write!(
        out,
        "<path class=\"{class}\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke-width=\"{width:.1}\""
    );
    if !dashes.is_empty() {
        let _ = write!(out, " stroke-dasharray=\"{dashes}\"");
        if dashes.starts_with("0.1") {
            out.push_str(" stroke-linecap=\"round\"");
        }
    }
    match title {
        Some(title) => {
            let _ = writeln!(out, "><title>{}</title></path>", escaped(title));
        }
        None => out.push_str("/>\n"),
    }
}

fn frame(out: &mut String, [x, y]: Vec2, [w, h]: Vec2) {
    let _ = writeln!(
        out,
        "<rect class=\"float\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"6\" \
         stroke-dasharray=\"3 3\"/>"
    );
}

/// A line of text that begins at a point.
fn text(out: &mut String, class: &str, [x, y]: Vec2, text: &str) {
    let weight = if class == "head" { " font-weight=\"bold\"" } else { "" };
    let _ =
        writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\"{weight}>{}</text>", escaped(text));
}

/// The width of a text in the wider of the usual fonts without serifs, about.
fn text_width(text: &str) -> f64 {
    let width = |c: char| match c {
        _ if c.width() == Some(2) => 12.5,
        _ if c.width().is_none_or(|width| width == 0) => 0.0,
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '\'' | '!' | ' ' | 'f' | 't' => 4.6,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 11.6,
        _ if c.is_uppercase() => 9.2,
        _ => 7.5,
    };
    text.chars().map(width).sum()
}

#[cfg(test)]
mod tests {
    use super::{MOST_CONNECTED, MOST_SINGLE, SvgReport};
    use crate::writer::ReportWriter;
    use impinge::{Mesh, Pose};
    use impinge_check::{Assembly, Check, Part, Watch};

    /// The picture of cubes of side 1 at places along an axis.
    fn picture(parts: &[(&str, f64)]) -> String {
        let mut assembly = Assembly::new();
        for (name, x) in parts {
            let pose = Pose::from_translation([*x, 0.0, 0.0]).unwrap();
            assembly.push(Part::from_mesh(*name, Mesh::cuboid([1.0; 3]).unwrap(), pose));
        }
        let report = Check::new().contacts(true).run(assembly, &Watch::new()).unwrap();
        let mut bytes = Vec::new();
        SvgReport.write(&report, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn parts_contacts_and_groups_are_drawn() {
        let svg = picture(&[("a", 0.0), ("b", 1.0), ("c", 1.5), ("d", 20.0), ("e", 21.0), ("f", 40.0)]);
        assert_eq!(svg.matches("class=\"part\"").count(), 6, "{svg}");
        // Three contacts, two samples in the legend.
        assert_eq!(svg.matches("<path class=\"edge").count(), 3 + 2, "{svg}");
        assert!(svg.contains("stroke-width=\"7.0\"><title>a – b: touch, area 1.000</title>"), "{svg}");
        assert!(svg.contains("<title>b – c: overlap, volume; a finding</title>"), "{svg}");
        assert!(svg.contains(">touch, area (thicker: larger)</text>"), "{svg}");
        // One group floats, and one sample of a frame.
        assert_eq!(svg.matches("class=\"float\"").count(), 2, "{svg}");
        assert!(svg.contains(">1 part without a contact</text>"), "{svg}");
        assert!(svg.contains(">6 parts, 3 contacts</text>"), "{svg}");
    }

    #[test]
    fn names_are_no_markup() {
        let svg = picture(&[("</text><script>alert(1)</script>", 0.0), ("\"&\u{1b}[2J\n", 1.0)]);
        assert!(!svg.contains("<script"), "{svg}");
        assert!(svg.contains("&quot;&amp;\u{fffd}[2J\u{fffd}"), "{svg}");
        assert!(!svg.contains('\u{1b}'), "{svg}");
    }

    #[test]
    fn what_is_left_out_is_stated() {
        // A row of cubes that touch, and cubes far from each other.
        let names: Vec<String> = (0..MOST_CONNECTED + MOST_SINGLE + 20).map(|i| i.to_string()).collect();
        let place = |i: usize| if i < MOST_CONNECTED + 10 { i as f64 } else { 1e4 + 3.0 * i as f64 };
        let parts: Vec<(&str, f64)> =
            names.iter().enumerate().map(|(i, name)| (name.as_str(), place(i))).collect();
        let svg = picture(&parts);
        assert!(
            svg.contains(
                "Not everything is drawn: only 300 of 310 parts with contacts, those with the most, and 299 of \
                 309 contacts."
            ),
            "{svg}"
        );
        assert!(svg.contains("210 parts without a contact; the first 200 are drawn"), "{svg}");
        assert_eq!(svg.matches("class=\"part\"").count(), 500);
        assert_eq!(picture(&parts), svg);
    }

    #[test]
    fn an_assembly_without_parts_has_a_picture() {
        let svg = picture(&[]);
        assert!(svg.contains(">0 parts, 0 contacts</text>") && svg.ends_with("</svg>\n"), "{svg}");
    }
}
