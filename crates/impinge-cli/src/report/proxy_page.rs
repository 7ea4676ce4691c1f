//! The page of `impinge proxy check`: a table, and a picture of each link that is not covered.
use super::proxy::{ShownLengths, place, ratio, uncovered, verdict, word};
use crate::proxy::results::ProxyResults;
use base64::{Engine, prelude::BASE64_STANDARD};
use impinge_check::values::text::printable;
use quick_xml::escape::escape;
use std::io::Write;

const STYLE: &str = "\
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1b2330; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .3rem .6rem; border-bottom: 1px solid #dde2ea; }
th:first-child, td:first-child { text-align: left; }
.no { color: #b4161b; font-weight: 600; } .yes, .nearly { color: #1d7a3b; } .undecided { color: #8a5a00; }
figure { display: inline-block; margin: 1rem 1rem 0 0; width: 28rem; max-width: 100%; }
img { width: 100%; border: 1px solid #dde2ea; }
figcaption { color: #4a5568; }
.key i { display: inline-block; width: .8rem; height: .8rem; margin: 0 .3rem 0 .8rem; vertical-align: -1px; }
@media (prefers-color-scheme: dark) { body { background: #14181f; color: #dfe5ee; } th, td, img { border-color: #333c4a; } }
";

/// Writes the page. `pictures` has a PNG file, or nothing, for each link.
pub(crate) fn write(
    results: &ProxyResults,
    pictures: &[Option<Vec<u8>>],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let lengths = ShownLengths::new(results.unit);
    let text = |text: &str| escape(printable(text)).into_owned();
    let part = text(&results.part.to_string_lossy());
    let against = match &results.proxy {
        Some(proxy) => text(&proxy.to_string_lossy()),
        None => "its own collision geometry".to_owned(),
    };
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; img-src data:\">\n\
         <title>Cover of {part}</title>\n<style>{STYLE}</style></head>\n<body>\n\
         <h1>Cover of {part}</h1>\n<p>By {against}. {}</p>\n",
        text(&verdict(results))
    )?;
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
        writeln!(
            out,
            "<figure><img alt=\"{name}\" src=\"data:image/png;base64,{}\">\
             <figcaption>{name}: {}</figcaption></figure>",
            BASE64_STANDARD.encode(png),
            match link.cover.covered {
                Some(true) => "covered".to_owned(),
                _ if link.cover.shapes == 0 => "no shape".to_owned(),
                _ => format!("uncovered by {}", lengths.length(link.cover.depth[1])),
            }
        )?;
    }
    Ok(writeln!(out, "</body></html>")?)
}
