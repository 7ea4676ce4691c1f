//! [`Ignore`]: findings that are designed.
use super::{glob::Glob, names::Fields, quantity::VolumeSize, set::SetRef};
use crate::values::{date::Date, length::Length, relations::Relations};
use impinge::relation::RelationKind;
use std::sync::Arc;

/// A rule about findings that are designed. It applies to findings that fulfil all that it states.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ignore {
    /// Reason why such findings are designed; not empty.
    pub reason: String,
    /// The set of one part of the pair.
    pub a: SetRef,
    /// The set of the other part.
    pub b: SetRef,
    /// The names of the tests whose findings it is about; `None` for all.
    pub test: Option<Glob>,
    /// The kinds of findings; `None` for all.
    pub findings: Option<Findings>,
    /// Properties that both parts share; all must hold.
    pub between: Vec<Between>,
    /// Largest depth of the clash, or length of a translation that undoes it, for which the rule applies.
    pub max_depth: Option<Length>,
    /// Largest common volume for which the rule applies.
    pub max_volume: Option<VolumeSize>,
    /// The last day on which the rule applies.
    pub until: Option<Date>,
    /// The line of the rules file on which it begins; 0 if it comes from no file.
    pub line: usize,
}

impl Ignore {
    /// True if the rule applies to findings of a test with this name.
    pub fn is_of_test(&self, name: &str) -> bool {
        self.test.as_ref().is_none_or(|test| test.fits(name))
    }
    /// True if the rule applies to pairs that have this relation.
    pub fn is_of_relation(&self, relation: RelationKind) -> bool {
        self.findings.is_none_or(|findings| findings.relations.holds(relation))
    }
    /// True if the rule applies to pairs that are apart, but within a clearance.
    pub fn is_of_near(&self) -> bool {
        self.findings.is_none_or(|findings| findings.near)
    }
    /// True if both parts share all properties that the rule states.
    pub fn is_between(&self, a: &Fields<'_>, b: &Fields<'_>) -> bool {
        self.between.iter().all(|between| between.holds(a, b))
    }
    /// True if the last day of the rule is before `today`.
    pub fn has_expired(&self, today: Date) -> bool {
        self.until.is_some_and(|until| until < today)
    }
}

/// Kinds of findings: relations, and parts within a clearance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Findings {
    /// Relations of parts that meet.
    pub relations: Relations,
    /// Parts that are apart, but within a clearance.
    pub near: bool,
}

/// A property that two parts share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Between {
    /// Two parts of one file.
    SameFile,
    /// Two parts of one file whose paths have one parent.
    SameParent,
    /// Two instances of one mesh.
    SameMesh,
    /// A part and its host. The part's property `host` (ASCII case ignored) is the GUID, the path or the name
    /// of the host.
    HostOpening,
    /// Two parts of one whole: their properties `aggregate` (ASCII case ignored) are equal. Also a part and
    /// the whole, whose GUID is that property of the part.
    SameAggregate,
}

impl Between {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::SameFile, Self::SameParent, Self::SameMesh, Self::HostOpening, Self::SameAggregate];

    /// The name in rules.
    pub fn name(self) -> &'static str {
        match self {
            Self::SameFile => "same-file",
            Self::SameParent => "same-parent",
            Self::SameMesh => "same-mesh",
            Self::HostOpening => "host-opening",
            Self::SameAggregate => "same-aggregate",
        }
    }
    /// True if two parts share it.
    pub fn holds(self, a: &Fields<'_>, b: &Fields<'_>) -> bool {
        match self {
            Self::SameFile => a.file() == b.file(),
            Self::SameParent => match (parent(a.path()), parent(b.path())) {
                (Some(p), Some(q)) => p == q && a.file() == b.file(),
                _ => false,
            },
            Self::SameMesh => Arc::ptr_eq(&a.part().mesh, &b.part().mesh) || a.part().mesh == b.part().mesh,
            Self::HostOpening => is_host(a, b) || is_host(b, a),
            Self::SameAggregate => match (whole(a), whole(b)) {
                (Some(p), Some(q)) if p == q => true,
                (p, q) => is_whole(a, q.as_deref()) || is_whole(b, p.as_deref()),
            },
        }
    }
}

fn parent(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(parent, _)| parent)
}

/// True if `part` states `host` as its host.
fn is_host(host: &Fields<'_>, part: &Fields<'_>) -> bool {
    let Some(stated) = part.get("host") else { return false };
    let stated = stated.text();
    host.guid() == Some(&*stated) || host.path() == stated || host.name() == stated
}

/// The GUID of the whole that a part belongs to.
fn whole(part: &Fields<'_>) -> Option<String> {
    part.get("aggregate").map(|stated| stated.text().into_owned())
}

/// True if a part has this GUID.
fn is_whole(part: &Fields<'_>, guid: Option<&str>) -> bool {
    guid.is_some() && part.guid() == guid
}

#[cfg(test)]
mod tests {
    use super::Between;
    use crate::rules::names::Fields;
    use impinge::{Mesh, Pose};
    use impinge_io::Part;
    use std::{path::Path, sync::Arc};

    #[test]
    fn parts_have_things_in_common() {
        let part = |file: &str, path: &str, mesh: &Arc<Mesh>| {
            Part::new(path, Path::new(file), mesh.clone(), Pose::IDENTITY)
        };
        let triangle = |x: f64| Mesh::new(vec![[x, 0.0, 0.0], [1.0; 3], [0.0; 3]], vec![[0, 1, 2]]).unwrap();
        let [m, equal, other] = [1.0, 1.0, 2.0].map(|x| Arc::new(triangle(x)));
        let holds = |between: Between, a: &Part, b: &Part| {
            let [a, b] = [a, b].map(|part| Fields::new(part, None));
            assert_eq!(between.holds(&a, &b), between.holds(&b, &a));
            between.holds(&a, &b)
        };
        let a = part("f", "house/wall", &m).with_guid("W");
        let b = part("f", "house/door", &equal).with_property("Host", "W");
        let c = part("g", "house/door", &other);
        assert!(holds(Between::SameFile, &a, &b) && !holds(Between::SameFile, &a, &c));
        assert!(holds(Between::SameParent, &a, &b) && !holds(Between::SameParent, &b, &c));
        assert!(!holds(Between::SameParent, &part("f", "x", &m), &part("f", "y", &m)));
        assert!(holds(Between::SameMesh, &a, &b) && !holds(Between::SameMesh, &a, &c));
        assert!(holds(Between::HostOpening, &a, &b) && !holds(Between::HostOpening, &a, &c));
        let [d, e] = ["house/d", "roof/e"].map(|path| part("f", path, &m).with_property("aggregate", "W"));
        let [f, g] = ["f", "g"].map(|path| part("f", path, &m));
        assert!(holds(Between::SameAggregate, &d, &e) && holds(Between::SameAggregate, &a, &d));
        assert!(!holds(Between::SameAggregate, &d, &f) && !holds(Between::SameAggregate, &f, &g));
    }
}
