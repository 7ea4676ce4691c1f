//! [`Clash`]: two parts that meet, and their relation.
//!
//! A pair whose boxes meet takes 12 bytes, parts that meet take 56, and 72 more if they are in each other: two
//! thousand parts in one place are two million clashes.
use crate::{
    parts::chord::Sure,
    records::{contact::Contact, depth::Depth},
};
use impinge::relation::RelationKind;
use std::mem;

/// Two parts that meet, or where one is inside the other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Clash {
    /// Indices of the parts, the smaller first.
    pub parts: [u32; 2],
    /// How many pairs of their triangles meet: none where one is inside the other and touches nothing.
    pub triangle_pairs: u64,
    /// What the first is to the second; `None` if the check was about surfaces alone.
    pub relation: Option<RelationKind>,
    /// Whether the true parts clash for certain, if the check has chord tolerances.
    pub certainty: Option<Sure>,
    /// The place of its depth in the list of depths.
    depth: Option<u32>,
    /// A point of both, to rounding: where the least pair of triangles meets, else a corner of the part that
    /// is inside the other.
    pub point: [f64; 3],
}

/// All clashes of an assembly.
#[derive(Default)]
pub(crate) struct Clashes {
    /// Sorted by part indices.
    pub(crate) list: Vec<Clash>,
    /// Pairs of parts whose exact closed world boxes meet: all of them were tested, but for those that
    /// follow.
    pub(crate) boxes_overlap: u64,
    /// Pairs of these for which there was no time, sorted.
    pub(crate) not_examined: Vec<[u32; 2]>,
    /// The depths of those clashes for which the query includes them.
    depths: Vec<Depth>,
    /// What parts that touch have in common, if the query includes that; sorted by part indices.
    contacts: Vec<OfPair<Contact>>,
}

/// Something about two parts.
type OfPair<T> = ([u32; 2], T);

impl Clashes {
    /// From clashes in any order, each once, and the depths and contacts of some of them. `boxes_overlap` is
    /// how many pairs were tested.
    pub(crate) fn known(
        mut list: Vec<Clash>,
        (mut depths, mut contacts): (Vec<OfPair<Depth>>, Vec<OfPair<Contact>>),
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
    /// The depth of a clash, if the query includes it.
    pub(crate) fn depth(&self, clash: &Clash) -> Option<&Depth> {
        clash.depth.map(|place| &self.depths[place as usize])
    }
    /// What parts that touch have in common.
    pub(crate) fn contacts(&self) -> impl Iterator<Item = ([u32; 2], Contact)> {
        self.contacts.iter().copied()
    }
    /// What the parts of a clash have in common, if the query includes that.
    pub(crate) fn contact(&self, clash: &Clash) -> Option<&Contact> {
        let place = self.contacts.binary_search_by_key(&clash.parts, |&(parts, _)| parts).ok()?;
        Some(&self.contacts[place].1)
    }
    /// How many pairs of parts meet, and how many do not but are inside each other.
    pub(crate) fn touching(&self) -> [u64; 2] {
        let all = self.list.len() as u64;
        let touching = self.list.iter().filter(|clash| clash.is_touching()).count() as u64;
        [touching, all - touching]
    }
}

impl Clash {
    /// With no depth known.
    pub(crate) fn new(
        parts: [u32; 2],
        triangle_pairs: u64,
        relation: Option<RelationKind>,
        certainty: Option<Sure>,
        point: [f64; 3],
    ) -> Self {
        Self { parts, triangle_pairs, relation, certainty, depth: None, point }
    }
    /// Whether their surfaces meet.
    pub fn is_touching(&self) -> bool {
        self.triangle_pairs > 0
    }
}

/// Whether the second of two parts is to be named first. The first one bounds a solid, or not.
pub(crate) fn is_exchanged(kind: Option<RelationKind>, is_closed: impl FnOnce() -> bool) -> bool {
    match kind {
        Some(RelationKind::Contains) => true,
        Some(RelationKind::Pierce | RelationKind::SurfaceInside) => is_closed(),
        _ => false,
    }
}

/// The size of a clash in memory is a promise.
const _: () = assert!(mem::size_of::<Clash>() == 56);
