//! Arguments about rules: a file, and short forms for what needs none.
use crate::rules_file::{self, RulesFile, USUAL, has_usual_file};
use clap::Args;
use impinge_check::{Rules, rules::NamePattern};
use std::{path::PathBuf, sync::Arc};

/// The rules of a run.
pub(crate) struct Ruled {
    /// `None` if there are none.
    pub(crate) rules: Option<Arc<Rules>>,
    /// The files that they come from. The usual one counts also where it is absent: the next run reads it.
    pub(crate) files: Vec<PathBuf>,
}

/// Which rules apply.
#[derive(Args)]
#[command(next_help_heading = "Rules")]
pub(crate) struct Ruling {
    /// Rules file: sets of parts, tests, ignore rules (see `impinge rules`) [default: impinge.toml in the
    /// current folder, if it is there]
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,

    /// Use no rules file, not even impinge.toml.
    #[arg(long, conflicts_with = "rules")]
    no_rules: bool,

    /// Only pairs of parts whose names both fit GLOB; several are separated by commas.
    #[arg(long, value_name = "GLOB")]
    only: Option<String>,

    /// Ignore pairs with a part whose name fits GLOB, or of a part that fits the first GLOB and one that fits
    /// the second. Can be given several times.
    #[arg(long, value_name = "GLOB[,GLOB]")]
    ignore: Vec<String>,

    /// Split names into fields, as '{file}|{type}|{guid}|{name}'.
    #[arg(long, value_name = "PATTERN")]
    names: Option<NamePattern>,
}

impl Ruling {
    /// Whether an option limits what is checked or reported.
    pub(crate) fn is_any(&self) -> bool {
        self.rules.is_some() || self.only.is_some() || !self.ignore.is_empty()
    }
    /// The rules of the file and of the short forms. `between` are two globs. `is_usual` is whether a rules
    /// file in the current folder is used.
    pub(crate) fn read(&self, between: Option<[&str; 2]>, is_usual: bool) -> anyhow::Result<Ruled> {
        let ignore: Vec<&str> = self.ignore.iter().map(String::as_str).collect();
        let mut quick = Rules::quick(self.only.as_deref(), &ignore, between)?;
        if let Some(names) = &self.names {
            quick = quick.with_names(names.clone());
        }
        let takes_usual = is_usual && !self.no_rules && self.rules.is_none();
        let file = match &self.rules {
            Some(path) => Some(rules_file::read_with_poses(path)?),
            // Whatever is there: what cannot be read is an error, and not the lack of rules.
            None if takes_usual && has_usual_file() => Some(rules_file::read_usual()?),
            None => None,
        };
        let absent = || takes_usual.then(|| PathBuf::from(USUAL)).into_iter().collect();
        Ok(match file {
            Some(RulesFile { rules, files }) => Ruled { rules: Some(Arc::new(quick.and(rules))), files },
            None if quick == Rules::new() => Ruled { rules: None, files: absent() },
            None => Ruled { rules: Some(Arc::new(quick)), files: absent() },
        })
    }
}
