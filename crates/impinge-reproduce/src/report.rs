//! The report: one structure, from which the Markdown, HTML, CSV and picture files are made.
use crate::{
    Error, Experiment,
    load::{self, Load},
    machine::Machine,
    measure,
    plot::{self, Panel},
    table::Table,
};
use std::{collections::BTreeMap, fmt::Write};

/// Verdict on a claim of a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Holds,
    InPart,
    DoesNotHold,
    NotMeasured,
    /// The machine was too busy for a claim about times.
    NotJudged,
}

impl Outcome {
    /// Verdict on a claim about several cases.
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
            Self::NotJudged => "not judged",
        }
    }
    fn class(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::InPart => "part",
            Self::DoesNotHold => "not",
            Self::NotMeasured | Self::NotJudged => "open",
        }
    }
}

/// Basis of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// Times: other work on the machine can change the verdict.
    Times,
    /// Counts: the verdict is the same on every machine.
    Counts,
}

/// A claim of a paper, and its verdict.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// The claim, with its place in the paper.
    pub(crate) claim: String,
    pub(crate) by: By,
    /// The condition for the claim to hold.
    pub(crate) rule: &'static str,
    pub(crate) measured: String,
    pub(crate) outcome: Outcome,
    /// Possible reason that it does not hold; shown only then.
    pub(crate) why: &'static str,
}

/// A picture and the table that it shows.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) caption: String,
    pub(crate) panels: Vec<Panel>,
    pub(crate) columns: u32,
    /// Its name is also that of the picture.
    pub(crate) data: Table,
}

/// A part of a chapter.
#[derive(Clone, Debug)]
pub(crate) enum Block {
    Heading(String),
    Text(String),
    Table(Table),
    /// Too long for the page: a link.
    Data(Table),
    Figure(Figure),
}

/// An experiment.
#[derive(Clone, Debug)]
pub(crate) struct Chapter {
    experiment: Experiment,
    title: &'static str,
    pub(crate) blocks: Vec<Block>,
    pub(crate) verdicts: Vec<Verdict>,
    load: Option<Load>,
}

impl Chapter {
    /// An experiment whose load is not measured yet.
    pub(crate) fn new(
        experiment: Experiment,
        title: &'static str,
        blocks: Vec<Block>,
        verdicts: Vec<Verdict>,
    ) -> Self {
        Self { experiment, title, blocks, verdicts, load: None }
    }
    /// The experiment with the load during its measurements: if it is too high, no claim about times is
    /// judged.
    pub(crate) fn under(mut self, load: Load) -> Self {
        if load.is_too_much() {
            let timed = self.verdicts.iter_mut().filter(|verdict| verdict.by == By::Times);
            timed.for_each(|verdict| verdict.outcome = Outcome::NotJudged);
        }
        self.load = Some(load);
        self
    }
}

/// All measurements, ready to be [written](crate::Folder::write).
#[derive(Debug)]
pub struct Report {
    machine: Machine,
    chapters: Vec<Chapter>,
}

/// Files by name within the report's folder.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

impl Report {
    pub(crate) fn new(machine: Machine, chapters: Vec<Chapter>) -> Self {
        Self { machine, chapters }
    }

    /// A line for each outcome: the number of claims that have it.
    pub fn summary(&self) -> String {
        let verdicts = || self.chapters.iter().flat_map(|c| &c.verdicts);
        let count = |outcome| verdicts().filter(|v| v.outcome == outcome).count();
        let outcomes =
            [Outcome::Holds, Outcome::InPart, Outcome::DoesNotHold, Outcome::NotMeasured, Outcome::NotJudged];
        let counts: Vec<_> = outcomes
            .into_iter()
            .filter(|outcome| count(*outcome) > 0)
            .map(|outcome| format!("{} {}", outcome.words(), count(outcome)))
            .collect();
        let busy = self.chapters.iter().filter_map(|chapter| Some((chapter, chapter.load?)));
        let busy: Vec<_> = busy
            .filter(|(_, load)| load.is_too_much())
            .map(|(chapter, load)| format!("{} at load {}", chapter.experiment.name(), load.words()))
            .collect();
        let why = match &busy[..] {
            [] => String::new(),
            busy => format!(
                " The machine was too busy to judge times (more than {:.1} runnable threads): {}.",
                load::bound_here(),
                busy.join(", ")
            ),
        };
        format!("{} claims: {}.{why}", verdicts().count(), counts.join(", "))
    }
    fn title(&self) -> &'static str {
        match &self.chapters[..] {
            [chapter] if !Experiment::PAPERS.contains(&chapter.experiment) => chapter.title,
            _ => "Four papers, measured again",
        }
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
        add("report.html".into(), html(self.title(), &markdown).into_bytes())?;
        add("REPORT.md".into(), markdown.into_bytes())?;
        Ok(files)
    }

    fn markdown(&self) -> String {
        let mut out = format!("# {}\n\n", self.title());
        let mut line = |text: &str| {
            out += text;
            out += "\n";
        };
        if self.chapters.iter().any(|chapter| Experiment::PAPERS.contains(&chapter.experiment)) {
            line(
                "Claims of the papers on bounding volumes that impinge is built on, and results of \
                    the same \
                 experiments with impinge's implementation of their methods.\n",
            );
        }
        line(&format!(
            "**{}** Each claim is judged by the rule beside it, from the measurements of this \
                run.\n",
            self.summary()
        ));
        for chapter in &self.chapters {
            line(&format!("* [{}](#{})", chapter.title, chapter.experiment.name()));
        }
        line("\n## The machine and the method\n\n| | |\n| --- | --- |");
        for (name, fact) in &self.machine.facts {
            line(&format!("| {name} | {} |", fact.replace('|', "\\|")));
        }
        line(&format!("\n{}\n", measure::METHOD));
        line(
            "Counts are exact and the same on every machine. Times are this machine's: compare them with \
                each other, and with a paper's only as ratios between volumes. Every table and figure lies \
                beside this report as CSV, with all digits; pictures as SVG and \
              PNG.\n",
        );
        for chapter in &self.chapters {
            line(&chapter.markdown());
        }
        out
    }
}

impl Chapter {
    fn markdown(&self) -> String {
        let mut out = format!("## {}\n\n<a id=\"{}\"></a>\n\n", self.title, self.experiment.name());
        let load = self.load.map(|load| (load, load.is_too_much()));
        out += &match load {
            Some((load, true)) => format!(
                "**Machine busy: load {}, above {:.1}.** So the claims about times below are not judged, and \
                    the times \
                 themselves are not to be relied on. Counts are not touched by it.\n\n",
                load.words(),
                load.bound
            ),
            Some((load, false)) => format!("Load while this was measured: {}.\n\n", load.words()),
            None => String::new(),
        };
        out += "### Claims\n\n";
        out += "| claim | here | measured |\n| --- | --- | --- |\n";
        for Verdict { claim, by: _, rule, measured, outcome, why } in &self.verdicts {
            let why = match outcome {
                Outcome::InPart | Outcome::DoesNotHold if !why.is_empty() => format!(" **Probably:** {why}"),
                _ => String::new(),
            };
            let [claim, rule, measured, why] =
                [claim.as_str(), rule, measured, &why].map(|text| text.replace('|', "\\|"));
            let class = outcome.class();
            let words = match (outcome, load) {
                (Outcome::NotJudged, Some((load, _))) => {
                    format!("{}: machine busy, load {}", outcome.words(), load.words())
                }
                _ => outcome.words().to_owned(),
            };
            // Writing to a String cannot fail.
            let _ = writeln!(
                out,
                "| {claim} *Holds if {rule}.* | <span class=\"{class}\">**{words}**</span> | {measured}{why} \
                    |"
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
                        "![{caption}]({file}.svg)\n\n*{caption}* ([{file}.csv]({file}.csv), \
                            [PNG]({file}.png))\n\n"
                    )
                }
            };
        }
        out
    }
}

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

fn html(title: &str, markdown: &str) -> String {
    let parser = pulldown_cmark::Parser::new_ext(markdown, pulldown_cmark::Options::ENABLE_TABLES);
    let mut body = String::new();
    pulldown_cmark::html::push_html(&mut body, parser);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

#[cfg(test)]
pub(crate) mod tests;
