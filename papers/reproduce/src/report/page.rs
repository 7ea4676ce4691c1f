//! The report as Markdown.
use super::{Block, Figure, Judged, Outcome, Report};
use crate::{Experiment, finished::Finished, machine::Machine, measure, settings::Used, table::Table};
use std::fmt::Write;

/// Letter of a machine: A is that of the first part.
fn letter(index: usize) -> String {
    u8::try_from(index)
        .ok()
        .filter(|&n| n < 26)
        .map_or_else(|| index.to_string(), |n| char::from(b'A' + n).into())
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Writes a line to a String, which cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{ let _ = writeln!($out, $($arg)*); }};
}

impl Report {
    pub(super) fn markdown(&self) -> String {
        let mut out = format!("# {}\n\n", self.title());
        if self.experiments().any(|experiment| Experiment::PAPERS.contains(&experiment)) {
            out += "Claims of the papers on bounding volumes that impinge is built on, and results of the \
                    same experiments with impinge's implementation of their methods.\n\n";
        }
        put!(
            out,
            "**{}** Each claim is judged by the rule beside it, from the measurements of its part.\n",
            self.summary()
        );
        for experiment in self.experiments() {
            put!(out, "* [{}](#{})", experiment.chapter().title, experiment.name());
        }
        out += "\n## The parts\n\n";
        let machines = self.machines();
        out += &self.parts(&machines);
        out += "\n## The machines and the method\n\n";
        out += &facts(&machines);
        put!(out, "\n{}\n", measure::METHOD);
        out += "Counts are exact and the same on every machine. Times are those of the part's machine: \
                compare them with each other, and with a paper's only as ratios between volumes. Every table \
                and figure lies beside this report as CSV, with all digits; pictures as SVG and PNG; and the \
                folder `parts` has the results of each part, from which this report is made.\n\n";
        for experiment in self.experiments() {
            out += &self.chapter(experiment);
        }
        out
    }

    /// The machines of all parts, without repetition.
    fn machines(&self) -> Vec<&Machine> {
        let mut machines: Vec<&Machine> = Vec::new();
        for one in &self.finished {
            if !machines.contains(&&one.origin.machine) {
                machines.push(&one.origin.machine);
            }
        }
        machines
    }

    fn parts(&self, machines: &[&Machine]) -> String {
        let mut out = String::from(
            "| part | run | models | finished | commit | machine | load | duration |\n\
             | --- | --- | --- | --- | --- | --- | --: | --: |\n",
        );
        for Finished { part, origin, .. } in &self.finished {
            let machine = machines.iter().position(|machine| **machine == origin.machine).unwrap_or(0);
            put!(
                out,
                "| `{}` | {} | {} | {} | {} | {} | {} | {} |",
                part.name,
                origin.run(),
                models(&origin.models),
                origin.date,
                escaped(&origin.revision),
                letter(machine),
                origin.load.words(),
                origin.duration()
            );
        }
        for part in &self.missing {
            put!(out, "| `{}` | **missing** | | | | | | |", part.name);
        }
        out
    }

    fn chapter(&self, experiment: Experiment) -> String {
        let chapter = experiment.chapter();
        let parts: Vec<&Finished> =
            self.finished.iter().filter(|one| one.part.experiment == experiment).collect();
        let mut out = format!("## {}\n\n<a id=\"{}\"></a>\n\n", chapter.title, experiment.name());
        let missing = self.missing.iter().filter(|part| part.experiment == experiment);
        let missing: Vec<String> = missing.map(|part| format!("`{}` ({})", part.name, part.about)).collect();
        if !missing.is_empty() {
            put!(out, "**Missing parts:** {}. Claims on them are not below.\n", missing.join(", "));
        }
        if !chapter.about.is_empty() {
            put!(out, "{}\n", chapter.about);
        }
        out += "### Claims\n\n| claim | here | measured |\n| --- | --- | --- |\n";
        for part in &parts {
            part.section.verdicts.iter().for_each(|verdict| out += &claim(verdict, part));
        }
        out += "\n";
        parts.iter().for_each(|part| out += &section(part));
        out
    }
}

/// Facts of each machine side by side.
fn facts(machines: &[&Machine]) -> String {
    let heads: Vec<String> = (0..machines.len()).map(|index| format!("machine {}", letter(index))).collect();
    let mut out = format!("| | {} |\n| --- |{}\n", heads.join(" | "), " --- |".repeat(machines.len()));
    for (name, _) in machines.first().map_or(&[][..], |machine| &machine.facts) {
        let of = |machine: &&Machine| {
            let fact = machine.facts.iter().find(|fact| fact.0 == *name);
            fact.map_or_else(|| "unknown".to_owned(), |fact| escaped(&fact.1))
        };
        put!(out, "| {name} | {} |", machines.iter().map(of).collect::<Vec<_>>().join(" | "));
    }
    out
}

/// Scenes of real models and of stand-ins, for a cell of a table.
fn models(used: &[Used]) -> String {
    let scenes = |stands_in: bool| {
        let scenes = used.iter().filter(|one| one.stand_in.is_some() == stands_in);
        scenes.map(|one| one.scene.as_str()).collect::<Vec<_>>().join(", ")
    };
    let words: Vec<String> = [("real", scenes(false)), ("**stand-ins**", scenes(true))]
        .into_iter()
        .filter(|(_, scenes)| !scenes.is_empty())
        .map(|(kind, scenes)| format!("{kind}: {scenes}"))
        .collect();
    if words.is_empty() { "generated".into() } else { words.join("; ") }
}

fn claim(Judged { claim, by: _, rule, measured, outcome, why }: &Judged, part: &Finished) -> String {
    let why = match outcome {
        Outcome::InPart | Outcome::DoesNotHold | Outcome::Varies if !why.is_empty() => {
            format!(" **Probably:** {why}")
        }
        _ => String::new(),
    };
    let words = match outcome {
        Outcome::NotJudged => {
            format!("{}: machine busy, load {}", outcome.words(), part.origin.load.words())
        }
        _ => outcome.words().to_owned(),
    };
    let [claim, rule, measured, why] = [claim, rule, measured, &why].map(|text| escaped(text));
    let class = outcome.class();
    format!("| {claim} *Holds if {rule}.* | <span class=\"{class}\">**{words}**</span> | {measured}{why} |\n")
}

fn section(finished: &Finished) -> String {
    let Finished { part, origin, section } = finished;
    let mut out = format!("### `{}`: {}\n\n", part.name, part.about);
    let load = origin.load;
    if finished.was_too_busy() {
        put!(
            out,
            "**Machine busy: load {}, above {:.1}.** So the claims about times are not judged, and the times \
             themselves are not reliable. Counts do not depend on it. To repeat the part: `impinge-papers reproduce \
             --only {}`.\n",
            load.words(),
            load.bound,
            part.name
        );
    }
    put!(
        out,
        "A {} run of {}, commit {}, load {} (times are judged up to {:.1}).\n",
        origin.run(),
        origin.date,
        origin.revision,
        load.words(),
        load.bound
    );
    for Used { scene, real, stand_in, .. } in &origin.models {
        match stand_in {
            Some(stand_in) => put!(
                out,
                "**`{scene}` is a stand-in, not the paper's model**: {stand_in}. Its counts and times cannot \
                 be compared with the paper's.\n"
            ),
            None => put!(out, "`{scene}` is the real model: {}.\n", real.join(", ")),
        }
    }
    for block in &section.blocks {
        match block {
            Block::Heading(text) => put!(out, "#### {text}\n"),
            Block::Text(text) => put!(out, "{text}\n"),
            Block::Table(table) => {
                let file = &table.file;
                put!(out, "**{}** ([{file}.csv]({file}.csv))\n\n{}", table.caption, table.markdown());
            }
            Block::Data(Table { file, caption, .. }) => {
                put!(out, "{caption}: [{file}.csv]({file}.csv)\n");
            }
            Block::Figure(Figure { caption, data, .. }) => {
                let file = &data.file;
                put!(
                    out,
                    "![{caption}]({file}.svg)\n\n*{caption}* ([{file}.csv]({file}.csv), [PNG]({file}.png))\n"
                );
            }
        }
    }
    out
}
