//! [`Clash`]: two parts that meet, and their relation.
//!
//! A pair whose boxes meet takes 12 bytes. A clash takes 56 bytes, and its depth 112 more. Two thousand parts
//! in one place are two million clashes.
use crate::{
    parts::chord::Sure,
    records::{contact::Contact, depth::Depth},
};
use impinge::relation::RelationKind;
use std::mem;

/// Two parts that meet, or one inside the other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Clash {
    /// Indices of the parts, the smaller first.
    pub parts: [u32; 2],
    /// Number of pairs of their triangles that meet; 0 if one is inside the other without contact.
    pub triangle_pairs: u64,
    /// Relation of the first part to the second; `None` if the check was about surfaces alone.
    pub relation: Option<RelationKind>,
    /// Certainty that the true parts clash, if the check has chord tolerances.
    pub certainty: Option<Sure>,
    /// Index of its depth in `Clashes::depths`.
    depth: Option<u32>,
    /// A point of both parts, up to rounding: a point of the least pair of triangles that meets, else a
    /// corner of the inner part.
    pub point: [f64; 3],
}

#[derive(Default)]
pub(crate) struct Clashes {
    /// Sorted by part indices.
    pub(crate) list: Vec<Clash>,
    /// Number of pairs of parts whose exact closed world boxes meet. All of them were tested, except
    /// `not_examined`.
    pub(crate) boxes_overlap: u64,
    /// Pairs among these for which there was no time, sorted.
    pub(crate) not_examined: Vec<[u32; 2]>,
    /// The depths of the clashes for which the check includes them.
    depths: Vec<Depth>,
    /// Contacts of parts that touch, if the check includes them; sorted by part indices.
    contacts: Vec<OfPair<Contact>>,
}

type OfPair<T> = ([u32; 2], T);

impl Clashes {
    /// Sorts clashes, each given once, and the depths and contacts of some of them. `boxes_overlap` is the
    /// number of tested pairs.
    pub(crate) fn known(
        mut list: Vec<Clash>,
        mut depths: Vec<OfPair<Depth>>,
        mut contacts: Vec<OfPair<Contact>>,
        boxes_overlap: u64,
    ) -> Self {
        contacts.sort_unstable_by_key(|&(parts, _)| parts);
        list.sort_unstable_by_key(|clash| clash.parts);
        depths.sort_unstable_by_key(|&(parts, _)| parts);
        let mut known = (0..).zip(&depths).peekable();
        for clash in &mut list {
            clash.depth = known.next_if(|(_, (parts, _))| *parts == clash.parts).map(|(place, _)| place);
        }
        let depths = depths.into_iter().map(|(_, depth)| depth).collect();
        Self { list, boxes_overlap, not_examined: Vec::new(), depths, contacts }
    }

    /// Adds depths of clashes that have none.
    pub(crate) fn add_depths(&mut self, mut more: Vec<OfPair<Depth>>) {
        more.sort_unstable_by_key(|&(parts, _)| parts);
        for (parts, depth) in more {
            if let Ok(place) = self.list.binary_search_by_key(&parts, |clash| clash.parts) {
                self.list[place].depth = Some(self.depths.len() as u32);
                self.depths.push(depth);
            }
        }
    }
    /// The depth of a clash, if the check includes it.
    pub(crate) fn depth(&self, clash: &Clash) -> Option<&Depth> {
        clash.depth.map(|place| &self.depths[place as usize])
    }
    pub(crate) fn contacts(&self) -> impl Iterator<Item = ([u32; 2], Contact)> {
        self.contacts.iter().copied()
    }
    /// The contact of the parts of a clash, if the check includes it.
    pub(crate) fn contact(&self, clash: &Clash) -> Option<&Contact> {
        let place = self.contacts.binary_search_by_key(&clash.parts, |&(parts, _)| parts).ok()?;
        Some(&self.contacts[place].1)
    }
    /// Numbers of pairs of parts that meet, and of those where one is inside the other without contact.
    pub(crate) fn touching(&self) -> [u64; 2] {
        let all = self.list.len() as u64;
        let touching = self.list.iter().filter(|clash| clash.is_touching()).count() as u64;
        [touching, all - touching]
    }
}

impl Clash {
    pub(crate) fn new(
        parts: [u32; 2],
        triangle_pairs: u64,
        relation: Option<RelationKind>,
        certainty: Option<Sure>,
        point: [f64; 3],
    ) -> Self {
        Self { parts, triangle_pairs, relation, certainty, depth: None, point }
    }
    /// True if their surfaces meet.
    pub fn is_touching(&self) -> bool {
        self.triangle_pairs > 0
    }
}

/// True if the second of two parts has to be named first. `is_closed` returns whether the first bounds a
/// solid.
pub(crate) fn is_exchanged(kind: Option<RelationKind>, is_closed: impl FnOnce() -> bool) -> bool {
    match kind {
        Some(RelationKind::Contains) => true,
        Some(RelationKind::Pierce | RelationKind::SurfaceInside) => is_closed(),
        _ => false,
    }
}

/// The documentation of the module promises this size.
const _: () = assert!(mem::size_of::<Clash>() == 56);
