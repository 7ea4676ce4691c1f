//! The page of `impinge proxy check`: a table, and a picture of each link that is not covered.
use super::{
    page::{self, text},
    proxy::{ShownLengths, place, ratio, uncovered, verdict, word},
};
use crate::proxy::results::ProxyResults;
use std::io::Write;

const STYLE: &str = "\
.no { color: #b4161b; font-weight: 600; } .yes, .nearly { color: #1d7a3b; } .undecided { color: #8a5a00; }
";

/// Writes the page. `pictures` has a PNG file, or nothing, for each link.
pub(crate) fn write(
    results: &ProxyResults,
    pictures: &[Option<Vec<u8>>],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let lengths = ShownLengths::new(results.unit);
    let part = text(&results.part.to_string_lossy());
    let against = match &results.proxy {
        Some(proxy) => text(&proxy.to_string_lossy()),
        None => "its own collision geometry".to_owned(),
    };
    page::begin(&format!("Cover of {part}"), STYLE, out)?;
    writeln!(out, "<p>By {against}. {}</p>", text(&verdict(results)))?;
    let unit = &lengths.unit;
    writeln!(
        out,
        "<table><thead><tr><th>Link</th><th>Covered</th><th>Uncovered by{unit}</th><th>At{unit}</th>\
         <th>Excess{unit}</th><th>Volume</th></tr></thead><tbody>"
    )?;
    for link in &results.links {
        let verdict = word(link.verdict);
        writeln!(
            out,
            "<tr><td>{}</td><td class=\"{verdict}\">{verdict}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td></tr>",
            text(&link.name),
            text(&uncovered(link, &lengths)),
            place(link, &lengths),
            link.cover.excess.map_or(String::new(), |[_, hi]| lengths.number(hi)),
            ratio(link)
        )?;
    }
    writeln!(out, "</tbody></table>")?;
    if pictures.iter().any(Option::is_some) {
        writeln!(
            out,
            "<p class=\"key\">The part, with what is outside of the shapes:\
             <i style=\"background:#aab2be\"></i>covered\
             <i style=\"background:#fabe3c\"></i>up to a third of the depth of the link\
             <i style=\"background:#f07828\"></i>two thirds\
             <i style=\"background:#d62030\"></i>more. Shapes are translucent.</p>"
        )?;
    }
    for (link, png) in results.links.iter().zip(pictures) {
        let Some(png) = png else { continue };
        let name = text(&link.name);
        let depth = match link.cover.covered {
            Some(true) => "covered".to_owned(),
            _ if link.cover.shapes == 0 => "no shape".to_owned(),
            _ => format!("uncovered by {}", lengths.length(link.cover.depth[1])),
        };
        page::figure(png, &name, &format!("{name}: {depth}"), out)?;
    }
    page::end(out)
}
