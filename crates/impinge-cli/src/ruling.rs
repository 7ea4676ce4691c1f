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

/// Options that choose the rules.
#[derive(Args)]
pub(crate) struct Ruling {
    /// Read sets, tests and ignore rules [default: impinge.toml]
    ///
    /// A file impinge.toml in the current folder is used without this option. `impinge rules` checks and
    /// explains files of rules.
    #[arg(long, value_name = "FILE", help_heading = "Pairs")]
    rules: Option<PathBuf>,

    /// Use no file of rules, not even impinge.toml
    #[arg(long, conflicts_with = "rules", help_heading = "Pairs")]
    no_rules: bool,

    /// Check only pairs whose parts both fit GLOB
    ///
    /// A glob fits a whole name; * stands for any characters, and upper and lower case differ. Commas
    /// separate several globs; a name must fit one of them.
    #[arg(long, value_name = "GLOB", help_heading = "Pairs")]
    only: Option<String>,

    /// Skip pairs with a part that fits glob A, or pairs of an A and a B
    ///
    /// 'bolt*' skips every pair with a bolt; 'bolt*,nut*' skips only pairs of a bolt and a nut. Repeat the
    /// option for several globs or pairs: here, a comma joins the two globs of a pair.
    #[arg(long, value_name = "A[,B]", help_heading = "Pairs")]
    ignore: Vec<String>,

    /// Split names into fields, as '{file}|{type}|{name}'
    ///
    /// The fields {file}, {type}, {guid} and {name} replace those that the part itself has. Rules, baselines
    /// and --group-by can use all fields.
    #[arg(long, value_name = "PATTERN", help_heading = "Pairs")]
    names: Option<NamePattern>,
}

impl Ruling {
    /// True if an option limits what is checked or reported.
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
