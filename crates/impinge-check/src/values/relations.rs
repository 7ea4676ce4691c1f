//! [`Relations`], a set of relations, and the names of relations that programs and files use.
use crate::values::named::StoredByName;
use impinge::{
    relation::RelationKind,
    solid::{Closedness, FillRule},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// All relations that a check finds, the gravest first. Parts that are apart are no finding.
pub const ALL: [RelationKind; 8] = [
    RelationKind::Overlap,
    RelationKind::Inside,
    RelationKind::Contains,
    RelationKind::Duplicate,
    RelationKind::Pierce,
    RelationKind::SurfaceInside,
    RelationKind::Meet,
    RelationKind::Touch,
];

/// The place of a relation in [`ALL`]; [`RelationKind::Apart`] comes last.
pub fn place(kind: RelationKind) -> usize {
    match kind {
        RelationKind::Overlap => 0,
        RelationKind::Inside => 1,
        RelationKind::Contains => 2,
        RelationKind::Duplicate => 3,
        RelationKind::Pierce => 4,
        RelationKind::SurfaceInside => 5,
        RelationKind::Meet => 6,
        RelationKind::Touch => 7,
        RelationKind::Apart => ALL.len(),
    }
}

/// The name of a relation in JSON, CSV and stored files.
pub fn name(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Overlap => "overlap",
        RelationKind::Inside => "inside",
        RelationKind::Contains => "contains",
        RelationKind::Duplicate => "duplicate",
        RelationKind::Pierce => "pierce",
        RelationKind::SurfaceInside => "surface_inside",
        RelationKind::Meet => "meet",
        RelationKind::Touch => "touch",
        RelationKind::Apart => "apart",
    }
}

/// The name of [`Closedness`] in JSON, CSV and stored files.
pub fn closedness_name(status: Closedness) -> &'static str {
    match status {
        Closedness::Closed => "closed",
        Closedness::ClosedByEvenOdd => "closed_by_even_odd",
        Closedness::Open => "open",
        Closedness::NoInterior => "no_interior",
    }
}

/// The name of [`FillRule`] in JSON, CSV, options and stored files.
pub fn fill_rule_name(rule: FillRule) -> &'static str {
    match rule {
        FillRule::NonZero => "nonzero",
        FillRule::Positive => "positive",
        FillRule::EvenOdd => "even_odd",
    }
}

/// The rule by which points are inside of a part, if it has an inside. Some parts are closed by the even-odd
/// rule alone.
pub fn rule_of(rule: FillRule, status: Closedness) -> Option<FillRule> {
    match status {
        Closedness::Closed => Some(rule),
        Closedness::ClosedByEvenOdd => Some(FillRule::EvenOdd),
        Closedness::Open | Closedness::NoInterior => None,
    }
}

/// A set of relations; for example those that count as findings.
///
/// ```
/// use impinge_check::Relations;
/// use impinge::relation::RelationKind;
///
/// let grave: Relations = "overlap,inside".parse()?;
/// assert!(grave.holds(RelationKind::Inside) && !grave.holds(RelationKind::Touch));
/// assert!(!Relations::USUAL.holds(RelationKind::Touch));
/// # Ok::<(), impinge_check::Error>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "Vec<String>", try_from = "Vec<String>")]
pub struct Relations(u16);

impl Relations {
    /// No relation.
    pub const NONE: Self = Self(0);
    /// Every relation but [`RelationKind::Apart`].
    pub const ALL: Self = Self((1 << ALL.len()) - 1);
    /// Every relation but [`RelationKind::Touch`] and [`RelationKind::Apart`]: those that count by default.
    pub const USUAL: Self = Self((1 << (ALL.len() - 1)) - 1);
    /// The words that `parse` accepts, each with its relations. `inside` is [`RelationKind::Inside`] and
    /// [`RelationKind::Contains`]: in a set it does not matter which of the two parts is the inner one.
    pub const WORDS: [(&'static str, Self); 8] = [
        ("overlap", Self(1)),
        ("inside", Self(1 << 1 | 1 << 2)),
        ("duplicate", Self(1 << 3)),
        ("pierce", Self(1 << 4)),
        ("surface-inside", Self(1 << 5)),
        ("meet", Self(1 << 6)),
        ("touch", Self(1 << 7)),
        ("all", Self::ALL),
    ];

    /// Words of earlier versions, which rules files may contain, and today's words.
    const EARLIER: [(&'static str, &'static str); 3] =
        [("contained", "inside"), ("same", "duplicate"), ("inside-open", "surface-inside")];

    /// The relations of one of [`Relations::WORDS`], or of an earlier version's word for it.
    pub fn of_word(word: &str) -> Option<Self> {
        let word = Self::EARLIER.iter().find(|(earlier, _)| *earlier == word).map_or(word, |(_, now)| now);
        Self::WORDS.iter().find(|(name, _)| *name == word).map(|(_, relations)| *relations)
    }
    /// The set of these relations, without [`RelationKind::Apart`].
    pub fn of(kinds: &[RelationKind]) -> Self {
        kinds.iter().fold(Self::NONE, |all, &kind| all.with(kind))
    }
    /// This set with one more relation.
    #[must_use]
    pub fn with(self, kind: RelationKind) -> Self {
        Self((self.0 | 1 << place(kind)) & Self::ALL.0)
    }
    /// The relations of both sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// True if a relation is in the set.
    pub fn holds(self, kind: RelationKind) -> bool {
        self.0 >> place(kind) & 1 != 0
    }
    /// True if no relation is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// The relations of the set, the gravest first.
    pub fn each(self) -> impl Iterator<Item = RelationKind> {
        ALL.into_iter().filter(move |&kind| self.holds(kind))
    }
}

impl fmt::Debug for Relations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.each()).finish()
    }
}

/// Reads words of [`Relations::WORDS`], separated by commas.
impl FromStr for Relations {
    type Err = crate::Error;

    fn from_str(text: &str) -> Result<Self, crate::Error> {
        let mut all = Self::NONE;
        for word in text.split(',').map(str::trim) {
            let Some(relations) = Self::of_word(word) else {
                let names = Self::WORDS.map(|(name, _)| name).join(", ");
                return Err(crate::Error::new(format!("'{word}' is no relation; there are {names}")));
            };
            all = all.and(relations);
        }
        Ok(all)
    }
}

impl From<Relations> for Vec<String> {
    fn from(all: Relations) -> Self {
        all.each().map(|kind| name(kind).to_owned()).collect()
    }
}

impl TryFrom<Vec<String>> for Relations {
    type Error = String;

    fn try_from(names: Vec<String>) -> Result<Self, String> {
        names.iter().try_fold(Self::NONE, |all, word| {
            let kind = ALL.into_iter().find(|&kind| name(kind) == word);
            Ok(all.with(kind.ok_or_else(|| format!("there is no relation '{word}'"))?))
        })
    }
}

/// No file stores [`RelationKind::Apart`]: parts that are apart are no clash.
impl StoredByName for RelationKind {
    const VALUES: &'static [Self] = &ALL;
    fn name(self) -> &'static str {
        name(self)
    }
}

impl StoredByName for Closedness {
    const VALUES: &'static [Self] = &[Self::Closed, Self::ClosedByEvenOdd, Self::Open, Self::NoInterior];
    fn name(self) -> &'static str {
        closedness_name(self)
    }
}

impl StoredByName for FillRule {
    const VALUES: &'static [Self] = &[Self::NonZero, Self::Positive, Self::EvenOdd];
    fn name(self) -> &'static str {
        fill_rule_name(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, Relations, name, place};
    use impinge::relation::RelationKind;

    #[test]
    fn every_relation_has_a_word_and_a_place() {
        assert!(ALL.iter().all(|&kind| Relations::ALL.holds(kind)));
        assert!(!Relations::ALL.holds(RelationKind::Apart) && place(RelationKind::Apart) == ALL.len());
        assert!(!Relations::of(&[RelationKind::Apart]).holds(RelationKind::Apart));
        assert!(ALL.iter().enumerate().all(|(i, &kind)| place(kind) == i));
        assert_eq!(Relations::of(&ALL[..7]), Relations::USUAL);
        let each = Relations::WORDS[..7].iter().fold(Relations::NONE, |all, (_, one)| all.and(*one));
        assert_eq!(each, Relations::ALL);
        let words: Relations = "inside, meet".parse().unwrap();
        assert_eq!(words.each().map(name).collect::<Vec<_>>(), ["inside", "contains", "meet"]);
        assert_eq!("contained,meet".parse::<Relations>().unwrap(), words);
        assert!("overlaps".parse::<Relations>().unwrap_err().to_string().contains("'overlaps'"));
        let stored = serde_json::to_string(&words).unwrap();
        assert_eq!(stored, r#"["inside","contains","meet"]"#);
        assert_eq!(serde_json::from_str::<Relations>(&stored).unwrap(), words);
        assert!(serde_json::from_str::<Relations>(r#"["apart"]"#).is_err());
    }
}
