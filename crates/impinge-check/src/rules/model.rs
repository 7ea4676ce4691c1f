//! [`Rules`]: sets, tests and ignore rules.
use super::{
    ignore::Ignore,
    names::{Fields, NamePattern},
    placement::Placement,
    set::{Set, SetRef},
    test::Test,
};
use crate::{
    sources::file_units::{CoordinateUnit, FileUnits},
    values::error::Error,
};
use impinge::Pose;
use impinge_io::{Assembly, Part, Unit};
use std::sync::Arc;

/// Sets of parts, tests of pairs of sets, and rules about findings to ignore.
///
/// ```
/// use impinge_check::Rules;
///
/// let rules = Rules::parse("impinge.toml", r#"
///     version = 1
///     [sets]
///     steel = { name = "IPE*" }
///     [[test]]
///     name = "steel x all"
///     a = "steel"
///     b = "*"
/// "#)?;
/// assert_eq!(rules.tests()[0].name, "steel x all");
/// let wrong = Rules::parse("impinge.toml", "version = 1\n[set]").unwrap_err().to_string();
/// assert_eq!(wrong, "impinge.toml:2:2: unknown key 'set'; did you mean 'sets'?");
/// # Ok::<(), impinge_check::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// The name of the file; empty for rules that come from none.
    pub(crate) file: String,
    pub(crate) unit: Option<Unit>,
    pub(crate) names: Option<NamePattern>,
    pub(crate) sets: Vec<Set>,
    pub(crate) placements: Vec<Placement>,
    pub(crate) tests: Vec<Test>,
    pub(crate) ignores: Vec<Ignore>,
    pub(crate) scopes: Vec<[SetRef; 2]>,
    pub(crate) poses: Vec<(String, Arc<[Pose]>)>,
}

impl Rules {
    /// A file with every construct, and comments that explain it.
    pub const EXAMPLE: &str = include_str!("example.toml");

    /// Rules without a set, a test or an ignore rule.
    pub fn new() -> Self {
        Self::default()
    }
    /// The name of the file that they come from; empty if there is none.
    pub fn file(&self) -> &str {
        &self.file
    }
    /// The unit of lengths without one, and of the coordinates of files that state none.
    pub fn unit(&self) -> Option<Unit> {
        self.unit
    }
    /// The pattern of part names.
    pub fn names(&self) -> Option<&NamePattern> {
        self.names.as_ref()
    }
    /// The sets: first those with names, in the order of the file, then the conditions written in place of a
    /// name.
    pub fn sets(&self) -> &[Set] {
        &self.sets
    }
    /// The placement errors of sets, in the order of the file
    /// ([`Report::is_fragile`](crate::Report::is_fragile)).
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }
    /// The tests, in the order of the file; those of a matrix row by row. Without any, a check has one test
    /// of all pairs.
    pub fn tests(&self) -> &[Test] {
        &self.tests
    }
    /// The ignore rules, in the order of the file. The first that applies to a finding counts.
    pub fn ignores(&self) -> &[Ignore] {
        &self.ignores
    }
    /// Pairs of sets that limit all tests. A pair of parts is only tested if, for each of them, one part is
    /// in the first set and the other one in the second.
    pub fn scopes(&self) -> &[[SetRef; 2]] {
        &self.scopes
    }
    /// The names of lists of poses that tests need and these rules lack; each once.
    pub fn missing_poses(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.tests.iter().filter_map(|test| test.poses.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| self.poses_of(name).is_none());
        names
    }
    /// The list of poses with this name.
    pub fn poses_of(&self, name: &str) -> Option<&[Pose]> {
        self.poses.iter().find(|(own, _)| own == name).map(|(_, poses)| &**poses)
    }
    /// These rules with a list of poses, to which tests refer by this name ([`Test::poses`]). Poses are rigid
    /// motions that are applied to parts at their own poses. The list replaces one with the same name.
    #[must_use]
    pub fn with_poses(mut self, name: impl Into<String>, poses: impl Into<Arc<[Pose]>>) -> Self {
        let name = name.into();
        self.poses.retain(|(own, _)| *own != name);
        self.poses.push((name, poses.into()));
        self
    }
    /// These rules with another pattern of part names.
    #[must_use]
    pub fn with_names(self, names: NamePattern) -> Self {
        Self { names: Some(names), ..self }
    }
    /// The texts of a part under these rules.
    pub fn fields<'a>(&'a self, part: &'a Part) -> Fields<'a> {
        Fields::new(part, self.names.as_ref())
    }

    /// The units of an assembly's files. `stated` is the unit of files that state none; without it, that is
    /// the unit of the rules.
    ///
    /// # Errors
    /// The errors of [`FileUnits::of`]. The unit of the rules contradicts no file if all files state theirs.
    pub fn file_units(&self, assembly: &Assembly, stated: Option<Unit>) -> Result<FileUnits, Error> {
        let units = FileUnits::of(assembly, stated)?;
        if self.unit.is_none() || units.known() != CoordinateUnit::Unknown {
            return Ok(units);
        }
        let by_rules = FileUnits::of(assembly, self.unit)?;
        match by_rules.contradiction() {
            Some(text) => Err(Error::new(format!("the unit of the rules, {text}"))),
            None => Ok(by_rules),
        }
    }

    /// Both rules together. The file, the unit and the pattern of names are those of `self`, if it has them.
    /// The ignore rules of `self` come first.
    #[must_use]
    pub fn and(mut self, mut other: Self) -> Self {
        let by = self.sets.len();
        if self.file.is_empty() {
            self.file = other.file;
        }
        self.unit = self.unit.or(other.unit);
        self.names = self.names.or(other.names);
        for set in &mut other.sets {
            set.condition.shift_sets(by);
        }
        for test in &mut other.tests {
            [test.a, test.b] = [test.a.shifted(by), test.b.shifted(by)];
        }
        for ignore in &mut other.ignores {
            [ignore.a, ignore.b] = [ignore.a.shifted(by), ignore.b.shifted(by)];
        }
        self.sets.append(&mut other.sets);
        for placement in &mut other.placements {
            placement.set = placement.set.shifted(by);
        }
        self.placements.append(&mut other.placements);
        self.tests.append(&mut other.tests);
        self.ignores.append(&mut other.ignores);
        self.poses.append(&mut other.poses);
        self.scopes.extend(other.scopes.iter().map(|scope| scope.map(|set| set.shifted(by))));
        self
    }
}
