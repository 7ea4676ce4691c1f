//! [`Rules::quick`]: rules of the short options of a command line.
use super::{
    condition::{Condition, FieldMatch},
    glob::{Glob, split_list},
    ignore::Ignore,
    model::Rules,
    set::{Set, SetRef},
};
use crate::values::error::Error;
use std::sync::Arc;

impl Rules {
    /// The rules of the options `--only`, `--ignore` and `--between`. [`Rules::and`] combines them with those
    /// of a file. All texts are globs of names, or lists of these separated by commas.
    ///
    /// * `only`: only pairs of two parts that fit one of the globs are tested.
    /// * `ignore`: each text is a rule. `A` ignores findings of pairs with a part that fits A. `A,B` ignores
    ///   those of a part that fits A and a part that fits B.
    /// * `between`: only pairs of a part that fits the first list and a part that fits the second are tested.
    ///
    /// ```
    /// use impinge_check::Rules;
    ///
    /// let rules = Rules::quick(Some("pipe*,duct*"), &["bolt*", "nut*,washer*"], None)?;
    /// assert_eq!((rules.scopes().len(), rules.ignores().len()), (1, 2));
    /// assert_eq!(rules.ignores()[1].reason, "ignore nut*,washer*");
    /// # Ok::<(), impinge_check::Error>(())
    /// ```
    ///
    /// # Errors
    /// A glob is invalid or empty, or a text of `ignore` has more than two.
    pub fn quick(only: Option<&str>, ignore: &[&str], between: Option<[&str; 2]>) -> Result<Self, Error> {
        let mut rules = Self::new();
        if let Some(only) = only {
            let set = rules.add("--only", only, &split_list(only))?;
            rules.scopes.push([set; 2]);
        }
        if let Some([a, b]) = between {
            let sets = [a, b].map(|text| rules.add("--between", text, &split_list(text)));
            let [a, b] = sets;
            rules.scopes.push([a?, b?]);
        }
        for text in ignore {
            let globs = split_list(text);
            let [a, b] = match *globs {
                [_] => [rules.add("--ignore", text, &globs)?, SetRef::All],
                [a, b] => [rules.add("--ignore", text, &[a])?, rules.add("--ignore", text, &[b])?],
                _ => return Err(Error::new(format!("--ignore {text}: write GLOB, or GLOB,GLOB for pairs"))),
            };
            rules.ignores.push(Ignore {
                // The same text for the option of the command and the argument in Python.
                reason: format!("ignore {text}"),
                a,
                b,
                test: None,
                findings: None,
                between: Vec::new(),
                max_depth: None,
                max_volume: None,
                until: None,
                line: 0,
            });
        }
        Ok(rules)
    }

    /// Adds the set of the parts that fit one of the globs.
    fn add(&mut self, option: &str, text: &str, globs: &[&str]) -> Result<SetRef, Error> {
        let wrong =
            |why: String| Error::new(crate::values::text::printable(&format!("{option} {text}: {why}")));
        let one = |glob: &&str| match *glob {
            "" => Err(wrong("a glob is empty".to_owned())),
            glob => glob.parse::<Glob>().map(FieldMatch::Glob).map_err(|error| wrong(error.to_string())),
        };
        let any = globs.iter().map(one).collect::<Result<_, _>>()?;
        let condition = Condition::Field { key: Arc::from("name"), any, line: 0 };
        self.sets.push(Set { name: None, condition, line: 0 });
        Ok(SetRef::Set(self.sets.len() - 1))
    }
}
