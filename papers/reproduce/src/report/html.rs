//! The report as HTML.
const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#222;--faint:#666;--paper:#fff;--rule:#ddd;--band:#f6f7f9}
@media(prefers-color-scheme:dark){
:root{--ink:#ddd;--faint:#999;--paper:#16181b;--rule:#3a3d42;--band:#1f2226}}
body{max-width:70rem;margin:2rem auto;padding:0 1.2rem;font:16px/1.5 system-ui,sans-serif;
color:var(--ink);background:var(--paper)}
h1{font-size:1.9rem}h2{margin-top:3.5rem;border-bottom:2px solid var(--rule);padding-bottom:.3rem}
h3{margin-top:2.2rem}
table{border-collapse:collapse;font-size:.86rem;margin:.6rem 0 1.6rem;display:block;overflow-x:auto;
font-variant-numeric:tabular-nums}
th,td{padding:.28rem .65rem;border-bottom:1px solid var(--rule);vertical-align:top}
th{text-align:left;background:var(--band)}
img{max-width:100%;background:#fff;border:1px solid var(--rule);border-radius:4px}
a{color:#0072b2}td em,p em{color:var(--faint)}
@media(prefers-color-scheme:dark){a{color:#56b4e9}}
span.holds strong{color:#00875f}span.part strong{color:#b06f00}span.not strong{color:#c8500a}
span.open strong{color:var(--faint)}
span strong{white-space:nowrap}";

pub(super) fn html(title: &str, markdown: &str) -> String {
    let parser = pulldown_cmark::Parser::new_ext(markdown, pulldown_cmark::Options::ENABLE_TABLES);
    let mut body = String::new();
    pulldown_cmark::html::push_html(&mut body, parser);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}
