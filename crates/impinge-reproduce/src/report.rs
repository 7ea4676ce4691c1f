//! What is told: one structure, and from it the files, as Markdown, HTML, CSV and pictures.
use crate::{
    Error, Paper,
    machine::Machine,
    measure,
    plot::{self, Panel},
    table::Table,
};
use std::{collections::BTreeMap, fmt::Write};

/// Whether what a paper says is so here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Holds,
    InPart,
    DoesNotHold,
    NotMeasured,
}

impl Outcome {
    /// Of a claim about several cases.
    pub(crate) fn of(cases: impl IntoIterator<Item = bool>) -> Self {
        let (mut all, mut any, mut n) = (true, false, 0);
        for case in cases {
            (all, any, n) = (all && case, any || case, n + 1);
        }
        match (n, all, any) {
            (0, _, _) => Self::NotMeasured,
            (_, true, _) => Self::Holds,
            (_, _, true) => Self::InPart,
            _ => Self::DoesNotHold,
        }
    }
    fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::InPart => "holds in part",
            Self::DoesNotHold => "does not hold here",
            Self::NotMeasured => "not measured",
        }
    }
    fn class(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::InPart => "part",
            Self::DoesNotHold => "not",
            Self::NotMeasured => "open",
        }
    }
}

/// A claim of a paper, and what became of it.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// With the place in the paper.
    pub(crate) claim: String,
    /// What must be measured for it to hold.
    pub(crate) rule: &'static str,
    pub(crate) measured: String,
    pub(crate) outcome: Outcome,
    /// Why it might not hold; told only then.
    pub(crate) why: &'static str,
}

/// A picture and the table that it shows.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) caption: String,
    pub(crate) panels: Vec<Panel>,
    pub(crate) columns: u32,
    /// Its name is the picture's, too.
    pub(crate) data: Table,
}

/// A part of a chapter.
#[derive(Clone, Debug)]
pub(crate) enum Block {
    Heading(String),
    Text(String),
    Table(Table),
    /// Too long to be read: a link.
    Data(Table),
    Figure(Figure),
}

/// A paper.
#[derive(Clone, Debug)]
pub(crate) struct Chapter {
    pub(crate) paper: Paper,
    pub(crate) title: &'static str,
    pub(crate) blocks: Vec<Block>,
    pub(crate) verdicts: Vec<Verdict>,
}

/// Everything that was measured, ready to be [written](crate::Folder::write).
#[derive(Debug)]
pub struct Report {
    machine: Machine,
    chapters: Vec<Chapter>,
}

/// By name within the report's folder.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

impl Report {
    pub(crate) fn new(machine: Machine, chapters: Vec<Chapter>) -> Self {
        Self { machine, chapters }
    }

    /// A line for each outcome: how many claims have it.
    pub fn summary(&self) -> String {
        let verdicts = || self.chapters.iter().flat_map(|c| &c.verdicts);
        let count = |outcome| verdicts().filter(|v| v.outcome == outcome).count();
        let outcomes = [Outcome::Holds, Outcome::InPart, Outcome::DoesNotHold, Outcome::NotMeasured];
        let counts: Vec<_> = outcomes
            .into_iter()
            .filter(|outcome| count(*outcome) > 0)
            .map(|outcome| format!("{} {}", outcome.words(), count(outcome)))
            .collect();
        format!("{} claims: {}.", verdicts().count(), counts.join(", "))
    }

    pub(crate) fn files(&self) -> Result<Files, Error> {
        let mut files = Files::new();
        let mut add = |name: String, bytes: Vec<u8>| match files.insert(name.clone(), bytes) {
            Some(_) => Err(Error::SameFile(name)),
            None => Ok(()),
        };
        for block in self.chapters.iter().flat_map(|chapter| &chapter.blocks) {
            match block {
                Block::Table(table) | Block::Data(table) => add(format!("{}.csv", table.file), table.csv())?,
                Block::Figure(Figure { panels, columns, data, .. }) => {
                    let failed = |reason| Error::Plot(data.file.clone(), reason);
                    let svg = plot::svg(panels, *columns).map_err(failed)?;
                    let png = plot::png(&svg).map_err(failed)?;
                    add(format!("{}.csv", data.file), data.csv())?;
                    add(format!("{}.svg", data.file), svg.into_bytes())?;
                    add(format!("{}.png", data.file), png)?;
                }
                Block::Heading(_) | Block::Text(_) => {}
            }
        }
        let markdown = self.markdown();
        add("report.html".into(), html(&markdown).into_bytes())?;
        add("REPORT.md".into(), markdown.into_bytes())?;
        Ok(files)
    }

    fn markdown(&self) -> String {
        let mut out = "# Four papers, measured again\n\n".to_owned();
        let mut line = |text: &str| {
            out += text;
            out += "\n";
        };
        line(
            "What the papers on bounding volumes that impinge is built on say of their methods, and what the same experiments give with impinge's implementation of them.\n",
        );
        line(&format!(
            "**{}** Each claim is judged by a rule, which stands beside it, from the measurements of this run.\n",
            self.summary()
        ));
        for chapter in &self.chapters {
            line(&format!("* [{}](#{})", chapter.title, chapter.paper.name()));
        }
        line("\n## The machine and the method\n\n| | |\n| --- | --- |");
        for (name, fact) in &self.machine.facts {
            line(&format!("| {name} | {} |", fact.replace('|', "\\|")));
        }
        line(&format!("\n{}\n", measure::METHOD));
        line(
            "Counts are exact and the same on every machine. Times are this machine's: compare them with each other, and with a paper's only as ratios between volumes. \
              Every table and figure lies beside this report as CSV, with all digits; pictures as SVG and PNG.\n",
        );
        for chapter in &self.chapters {
            line(&chapter.markdown());
        }
        out
    }
}

impl Chapter {
    fn markdown(&self) -> String {
        let mut out = format!("## {}\n\n<a id=\"{}\"></a>\n\n### Claims\n\n", self.title, self.paper.name());
        out += "| claim | here | measured |\n| --- | --- | --- |\n";
        for Verdict { claim, rule, measured, outcome, why } in &self.verdicts {
            let why = match outcome {
                Outcome::InPart | Outcome::DoesNotHold if !why.is_empty() => format!(" **Probably:** {why}"),
                _ => String::new(),
            };
            let [claim, rule, measured, why] =
                [claim.as_str(), rule, measured, &why].map(|text| text.replace('|', "\\|"));
            let (class, words) = (outcome.class(), outcome.words());
            // Writing to a String cannot fail.
            let _ = writeln!(
                out,
                "| {claim} *Holds if {rule}.* | <span class=\"{class}\">**{words}**</span> | {measured}{why} |"
            );
        }
        out += "\n";
        for block in &self.blocks {
            out += &match block {
                Block::Heading(text) => format!("### {text}\n\n"),
                Block::Text(text) => format!("{text}\n\n"),
                Block::Table(table) => {
                    let file = &table.file;
                    format!("**{}** ([{file}.csv]({file}.csv))\n\n{}\n", table.caption, table.markdown())
                }
                Block::Data(Table { file, caption, .. }) => {
                    format!("{caption}: [{file}.csv]({file}.csv)\n\n")
                }
                Block::Figure(Figure { caption, data, .. }) => {
                    let file = &data.file;
                    format!(
                        "![{caption}]({file}.svg)\n\n*{caption}* ([{file}.csv]({file}.csv), [PNG]({file}.png))\n\n"
                    )
                }
            };
        }
        out
    }
}

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#222;--faint:#666;--paper:#fff;--rule:#ddd;--band:#f6f7f9}
@media(prefers-color-scheme:dark){:root{--ink:#ddd;--faint:#999;--paper:#16181b;--rule:#3a3d42;--band:#1f2226}}
body{max-width:70rem;margin:2rem auto;padding:0 1.2rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{font-size:1.9rem}h2{margin-top:3.5rem;border-bottom:2px solid var(--rule);padding-bottom:.3rem}h3{margin-top:2.2rem}
table{border-collapse:collapse;font-size:.86rem;margin:.6rem 0 1.6rem;display:block;overflow-x:auto;font-variant-numeric:tabular-nums}
th,td{padding:.28rem .65rem;border-bottom:1px solid var(--rule);vertical-align:top}th{text-align:left;background:var(--band)}
img{max-width:100%;background:#fff;border:1px solid var(--rule);border-radius:4px}a{color:#0072b2}td em,p em{color:var(--faint)}
@media(prefers-color-scheme:dark){a{color:#56b4e9}}
span.holds strong{color:#00875f}span.part strong{color:#b06f00}span.not strong{color:#c8500a}span.open strong{color:var(--faint)}
span strong{white-space:nowrap}";

fn html(markdown: &str) -> String {
    let parser = pulldown_cmark::Parser::new_ext(markdown, pulldown_cmark::Options::ENABLE_TABLES);
    let mut body = String::new();
    pulldown_cmark::html::push_html(&mut body, parser);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Four papers, measured again</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, Mark, Series};

    fn report() -> Report {
        let mut table = Table::new("larsson08-table3", "Table 3.", ["scene", "time (ms)"]);
        table.row(["spheres".into(), 1.25.into()]);
        let figure = Figure {
            caption: "A curve.".into(),
            panels: vec![Panel::Curves {
                title: "t".into(),
                x: Axis::linear("x"),
                y: Axis::linear("y"),
                series: vec![Series {
                    name: "s".into(),
                    points: vec![(0.0, 1.0), (1.0, 2.0)],
                    mark: Mark::Line,
                }],
            }],
            columns: 1,
            data: Table::new("larsson08-figure", "", ["x", "y"]),
        };
        let verdict = |claim: &str, outcome| Verdict {
            claim: claim.into(),
            rule: "it is faster",
            measured: "2 | 3".into(),
            outcome,
            why: "caches grew",
        };
        let chapter = Chapter {
            paper: Paper::Larsson08,
            title: "Slab cut balls",
            blocks: vec![Block::Heading("Table".into()), Block::Table(table), Block::Figure(figure)],
            verdicts: vec![verdict("Fast.", Outcome::Holds), verdict("Small.", Outcome::DoesNotHold)],
        };
        Report::new(Machine::here(true), vec![chapter])
    }

    #[test]
    fn cases_make_an_outcome() {
        assert_eq!(Outcome::of([true, true]), Outcome::Holds);
        assert_eq!(Outcome::of([true, false]), Outcome::InPart);
        assert_eq!(Outcome::of([false]), Outcome::DoesNotHold);
        assert_eq!(Outcome::of([]), Outcome::NotMeasured);
    }

    #[test]
    fn every_block_has_its_files_and_the_report_links_to_them() {
        let files = report().files().unwrap();
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "REPORT.md",
                "larsson08-figure.csv",
                "larsson08-figure.png",
                "larsson08-figure.svg",
                "larsson08-table3.csv",
                "report.html"
            ]
        );
        let text = |name: &str| String::from_utf8(files[name].clone()).unwrap();
        let (markdown, html) = (text("REPORT.md"), text("report.html"));
        assert!(markdown.contains("2 claims: holds 1, does not hold here 1."), "{markdown}");
        // The reason is given where the claim fails, and nowhere else.
        assert_eq!(markdown.matches("**Probably:** caches grew").count(), 1);
        assert!(markdown.contains("2 \\| 3") && markdown.contains("| spheres | 1.25 |"), "{markdown}");
        for part in [
            "<img src=\"larsson08-figure.svg\"",
            "href=\"larsson08-table3.csv\"",
            "<td>spheres</td>",
            "class=\"not\"",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    #[test]
    fn two_tables_of_one_name_are_an_error() {
        let mut report = report();
        let again = report.chapters[0].clone();
        report.chapters.push(again);
        assert!(matches!(report.files(), Err(Error::SameFile(name)) if name == "larsson08-table3.csv"));
    }
}
