//! [`TopicStatus`]: the meanings of words for a topic's status.
use super::{decision::DecisionKind, status::Status};

/// The status of a topic in programs for coordination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TopicStatus {
    /// A topic without a decision.
    Open,
    /// A topic whose earlier decision is withdrawn.
    Reopened,
    /// A topic that somebody works on.
    InProgress,
    /// A topic that is accepted, or done with.
    Closed,
    /// A topic that somebody states to be gone. The next check finds out whether it is.
    Resolved,
}

/// Words for each status, in lower case, without blanks, dashes and underscores. The words of BCF 1 are only
/// degrees of severity.
const WORDS: &[(TopicStatus, &[&str])] = &[
    (
        TopicStatus::Open,
        &[
            "open",
            "opened",
            "new",
            "active",
            "assigned",
            "unassigned",
            "offen",
            "neu",
            "aktiv",
            "nieuw",
            "actief",
            "ouvert",
            "ouverte",
            "nouveau",
            "error",
            "warning",
            "info",
            "unknown",
        ],
    ),
    (TopicStatus::Reopened, &["reopened", "reopen", "wiedereröffnet", "heropend", "rouvert"]),
    (
        TopicStatus::InProgress,
        &["inprogress", "inreview", "reviewed", "inbearbeitung", "inbehandeling", "ongoing", "encours"],
    ),
    (
        TopicStatus::Closed,
        &[
            "closed",
            "approved",
            "accepted",
            "done",
            "geschlossen",
            "erledigt",
            "akzeptiert",
            "freigegeben",
            "gesloten",
            "afgerond",
            "geaccepteerd",
            "fermé",
            "clos",
        ],
    ),
    (TopicStatus::Resolved, &["resolved", "fixed", "solved", "gelöst", "behoben", "opgelost", "résolu"]),
];

impl TopicStatus {
    /// All statuses.
    pub const ALL: [Self; 5] = [Self::Open, Self::InProgress, Self::Resolved, Self::Closed, Self::Reopened];

    /// The status for a word in upper or lower case, such as `Open`, `OPEN` or `Offen`; `None` for unknown
    /// words.
    pub fn of_word(word: &str) -> Option<Self> {
        let is_joint = |c: char| c.is_whitespace() || matches!(c, '-' | '_');
        let word: String = word.to_lowercase().chars().filter(|&c| !is_joint(c)).collect();
        WORDS.iter().find(|(_, words)| words.contains(&&*word)).map(|(status, _)| *status)
    }
    /// Its usual word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "Open",
            Self::Reopened => "ReOpened",
            Self::InProgress => "In Progress",
            Self::Closed => "Closed",
            Self::Resolved => "Resolved",
        }
    }
    /// The topic's status for a finding's status.
    pub fn of(status: Status) -> Self {
        match status {
            Status::New | Status::Active => Self::Open,
            Status::Reopened => Self::Reopened,
            Status::Reviewed => Self::InProgress,
            Status::Approved => Self::Closed,
            Status::Resolved => Self::Resolved,
        }
    }
    /// The decision that the status makes, if any. Resolved makes none, since the check itself finds resolved
    /// findings.
    pub fn decision(self) -> Option<DecisionKind> {
        match self {
            Self::InProgress => Some(DecisionKind::Reviewed),
            Self::Closed => Some(DecisionKind::Approved),
            Self::Open | Self::Reopened | Self::Resolved => None,
        }
    }
    /// The word for a finding's status. It is the word that the other program had, if its meaning agrees with
    /// the status, or is unknown. A resolved finding always has the word for resolved.
    pub fn word_for(status: Status, kept: Option<&str>) -> &str {
        let own = Self::of(status);
        match kept {
            Some(word)
                if Self::of_word(word).is_none_or(|kept| kept.agrees(own)) && own != Self::Resolved =>
            {
                word
            }
            _ => own.word(),
        }
    }
    /// True if a topic may keep this status while the status of its finding is `own`. A topic that a person
    /// set to resolved keeps it while the finding is open, until a check confirms it.
    fn agrees(self, own: Self) -> bool {
        self == own || self == Self::Resolved && own == Self::Open
    }
}

#[cfg(test)]
mod tests {
    use super::{Status, TopicStatus, WORDS};

    #[test]
    fn words_of_archives_are_known() {
        for (word, expected) in [
            ("Open", Some(TopicStatus::Open)),
            ("OPEN", Some(TopicStatus::Open)),
            ("Offen", Some(TopicStatus::Open)),
            ("ReOpened", Some(TopicStatus::Reopened)),
            ("re-opened", Some(TopicStatus::Reopened)),
            ("In Progress", Some(TopicStatus::InProgress)),
            ("Closed", Some(TopicStatus::Closed)),
            ("Resolved", Some(TopicStatus::Resolved)),
            ("MULTICOM", None),
            ("", None),
        ] {
            assert_eq!(TopicStatus::of_word(word), expected, "{word}");
        }
        for status in TopicStatus::ALL {
            assert_eq!(TopicStatus::of_word(status.word()), Some(status));
        }
        let words: Vec<&str> = WORDS.iter().flat_map(|(_, words)| *words).copied().collect();
        let distinct: std::collections::HashSet<&str> = words.iter().copied().collect();
        assert_eq!(words.len(), distinct.len());
    }

    #[test]
    fn words_are_kept_while_they_are_true() {
        for (status, kept, word) in [
            (Status::Active, Some("Offen"), "Offen"),
            (Status::New, Some("MULTICOM"), "MULTICOM"),
            (Status::Approved, Some("Offen"), "Closed"),
            (Status::Approved, Some("Erledigt"), "Erledigt"),
            (Status::Reopened, Some("Closed"), "ReOpened"),
            (Status::Active, Some("Resolved"), "Resolved"),
            (Status::Resolved, Some("MULTICOM"), "Resolved"),
            (Status::Reviewed, None, "In Progress"),
        ] {
            assert_eq!(TopicStatus::word_for(status, kept), word, "{status} {kept:?}");
        }
    }
}
