//! Pages of tables and pictures, complete in one file, without scripts.
use base64::{Engine, prelude::BASE64_STANDARD};
use impinge_check::values::text::printable;
use quick_xml::escape::escape;
use std::io::Write;

const STYLE: &str = "\
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1b2330; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .3rem .6rem; border-bottom: 1px solid #dde2ea; }
th:first-child, td:first-child { text-align: left; }
figure { display: inline-block; margin: 1rem 1rem 0 0; width: 28rem; max-width: 100%; }
img { width: 100%; border: 1px solid #dde2ea; }
figcaption { color: #4a5568; }
.key i { display: inline-block; width: .8rem; height: .8rem; margin: 0 .3rem 0 .8rem; vertical-align: -1px; }
@media (prefers-color-scheme: dark) { body { background: #14181f; color: #dfe5ee; } th, td, img { border-color: #333c4a; } }
";

/// Text that a page shows as it is.
pub(super) fn text(text: &str) -> String {
    escape(printable(text)).into_owned()
}

/// Writes what comes before the content. The title is text for pages, and `style` is added to that of all.
pub(super) fn begin(title: &str, style: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    Ok(write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; img-src data:\">\n\
         <title>{title}</title>\n<style>{STYLE}{style}</style></head>\n<body>\n<h1>{title}</h1>\n"
    )?)
}

/// Writes a PNG file as a figure. Its name and caption are text for pages.
pub(super) fn figure(png: &[u8], name: &str, caption: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let data = BASE64_STANDARD.encode(png);
    Ok(writeln!(
        out,
        "<figure><img alt=\"{name}\" src=\"data:image/png;base64,{data}\">\
         <figcaption>{caption}</figcaption></figure>"
    )?)
}

/// Writes what comes after the content.
pub(super) fn end(out: &mut dyn Write) -> anyhow::Result<()> {
    Ok(writeln!(out, "</body></html>")?)
}
