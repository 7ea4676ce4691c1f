//! Clashes: the parts that meet, and their relations. Among pairs whose boxes meet, finds the triangles that
//! meet, then the relation of the solids that they bound.
//!
//! Boxes that meet take 8 bytes a pair, parts that do 56, and 88 more if they are in each other: two thousand
//! parts in one place are two million clashes.
use crate::{
    build_options::of_parts,
    chord::{Sure, Tolerances},
    contact::Contact,
    demands::Demands,
    depth::{self, Depth, Depths, FirstDepths},
    meshes::distinct_meshes,
    pool::Pool,
    watch::Watch,
};
use impinge::{
    Body, Model, Query, Threads, contact::contact_point, distance::Margin, query::ContactPairs,
    relation::RelationKind, solid::FillRule,
};
use impinge_io::Part;
use std::{
    cmp::Reverse,
    collections::HashSet,
    mem,
    sync::{Arc, Mutex, PoisonError},
};

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

/// The query about parts whose boxes meet.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    /// Which points are inside of them; `None` if only surfaces count.
    pub(crate) solids: Option<FillRule>,
    /// The query about depths of solids.
    pub(crate) depths: Depths,
    /// Whether to measure what surfaces have in common that meet while insides do not.
    pub(crate) contacts: bool,
    /// If depths of other clashes are not needed: how many that rank first are.
    pub(crate) first_depths: Option<FirstDepths>,
}

/// All clashes of an assembly.
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

/// What a thread has found.
#[derive(Default)]
struct Share {
    list: Vec<Clash>,
    depths: Vec<OfPair<Depth>>,
    contacts: Vec<OfPair<Contact>>,
    not_examined: Vec<[u32; 2]>,
}

impl Share {
    fn append(&mut self, other: &mut Self) {
        self.list.append(&mut other.list);
        self.depths.append(&mut other.depths);
        self.contacts.append(&mut other.contacts);
        self.not_examined.append(&mut other.not_examined);
    }
}

/// Pairs that a thread takes at a time, and hands in together.
const RUN: usize = 16;

impl Clashes {
    /// Finds all clashes among pairs of parts whose boxes meet. `models` are the models of the parts; models
    /// of solids are already examined. With `tolerances`, each clash also gets its certainty.
    pub(crate) fn find(
        (parts, models): (&[Part], &[Arc<Model>]),
        mut meeting: Vec<[u32; 2]>,
        (wanted, tolerances, demands): (Wanted, Option<&Tolerances>, Option<&Demands>),
        pool: &Pool,
        watch: &Watch<'_>,
    ) -> Self {
        // The longest first, so that no thread is left alone with one at the end.
        let size = |part: u32| models[part as usize].mesh().len();
        meeting.sort_unstable_by_key(|&[a, b]| Reverse(size(a) + size(b)));

        let names = parts.iter().map(|part| &*part.name);
        watch.stage_of_pairs("testing part pairs", meeting.len(), names);
        let all = Mutex::new(Share::default());
        let postponed = postponed(&wanted, meeting.len()).is_some();
        // Threads that have no pair of parts left take part in the last ones.
        let query = || Query::new().threads(Threads::Pool).fill_rule(wanted.solids.unwrap_or_default());
        let own = || (query(), Vec::new(), Share::default());
        pool.in_order(meeting.len().div_ceil(RUN), own, |(query, memory, found), run| {
            for &[a, b] in meeting.iter().skip(run * RUN).take(RUN) {
                let [body_a, body_b] = [a, b].map(|part| body(parts, models, part));
                let examined = watch.examine([a, b], query, |query| {
                    let most = depth::most_listed([&body_a, &body_b]);
                    let (all, listed) =
                        query.contact_pairs_at_most(&body_a, &body_b, most, mem::take(memory));
                    let relation = |query: &mut Query| match &listed {
                        Some(pairs) => query.relation_of_pairs(pairs),
                        None => query.relation(&body_a, &body_b),
                    };
                    let kind = wanted.solids.map(|_| relation(query).kind);
                    if all.count == 0 && kind.is_none_or(|kind| kind == RelationKind::Apart) {
                        *memory = listed.map(ContactPairs::into_vec).unwrap_or_default();
                        return None;
                    }
                    let (bodies, both) = ([&body_a, &body_b], [a, b]);
                    // What is too much to be listed has no depth anyway.
                    let is_later = postponed && listed.is_some();
                    let kind_of_depth = kind.filter(|_| !is_later);
                    let depths = match demands {
                        Some(demands) => wanted.depths.of_relations(demands.plan([a, b]).demand.relations),
                        None => wanted.depths,
                    };
                    let depth = kind_of_depth.and_then(|kind| depths.ask(kind, listed.as_ref(), query));
                    // Bodies that meet are not clear of each other.
                    let certainty = tolerances
                        .and_then(|tolerances| tolerances.certainty(query, (bodies, both), Margin::ZERO));
                    let point = match all.first {
                        Some(least) => contact_point(&body_a, &body_b, least).point,
                        None => {
                            let is_closed = || models[a as usize].solid().status().is_closed();
                            corner(&parts[both[usize::from(is_exchanged(kind, is_closed))] as usize])
                        }
                    };
                    let is_asked = wanted.contacts && is_measured(kind);
                    let contact = listed.as_ref().filter(|_| is_asked);
                    let are_equal_solids =
                        kind == Some(RelationKind::Same) && models[a as usize].solid().status().is_closed();
                    let contact =
                        contact.map(|pairs| Contact::new(query.curves_of_pairs(pairs), are_equal_solids));
                    *memory = listed.map(ContactPairs::into_vec).unwrap_or_default();
                    Some((Clash::new(both, all.count, kind, certainty, point), depth, contact))
                });
                match examined {
                    Some(Some((clash, depth, contact))) => {
                        found.list.push(clash);
                        found.depths.extend(depth.map(|depth| ([a, b], depth)));
                        found.contacts.extend(contact.map(|contact| ([a, b], contact)));
                    }
                    Some(None) => {}
                    None => found.not_examined.push([a, b]),
                }
                watch.step(1);
            }
            // A list is whole after each push, also after a panic.
            all.lock().unwrap_or_else(PoisonError::into_inner).append(found);
        });
        let Share { list, depths, contacts, mut not_examined } =
            all.into_inner().unwrap_or_else(PoisonError::into_inner);
        not_examined.sort_unstable();
        Self { not_examined, ..Self::known(list, (depths, contacts), meeting.len() as u64) }
    }

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
    /// Whether a translation no longer than the tolerance parts them.
    pub(crate) fn is_shallow(&self, clash: &Clash) -> bool {
        self.depth(clash).is_some_and(|depth| depth.shallow == Some(true))
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

/// The number of clashes whose depths are measured in a second pass, for so many tested pairs. To
/// list triangle pairs again takes a tenth of the time, so that it pays only where few are shown.
pub(crate) fn postponed(wanted: &Wanted, tested: usize) -> Option<FirstDepths> {
    wanted.first_depths.filter(|first| {
        let (FirstDepths::Clashes(count) | FirstDepths::Groups(count)) = first;
        tested / 16 > *count
    })
}

/// Whether the contact of two parts depends on their surfaces, not on the relation alone.
fn is_measured(kind: Option<RelationKind>) -> bool {
    match kind {
        None | Some(RelationKind::Touch | RelationKind::Meet | RelationKind::Same) => true,
        Some(
            RelationKind::Overlap
            | RelationKind::AInB
            | RelationKind::BInA
            | RelationKind::Pierce
            | RelationKind::InsideOpen
            | RelationKind::Apart,
        ) => false,
    }
}

/// Whether the second of two parts is to be named first. The first one bounds a solid, or not.
pub(crate) fn is_exchanged(kind: Option<RelationKind>, is_closed: impl FnOnce() -> bool) -> bool {
    match kind {
        Some(RelationKind::BInA) => true,
        Some(RelationKind::Pierce | RelationKind::InsideOpen) => is_closed(),
        _ => false,
    }
}

/// A corner of a part, rounded. It has a triangle, as its box meets another.
fn corner(Part { mesh, pose, .. }: &Part) -> [f64; 3] {
    mesh.triangles().first().map_or([0.0; 3], |t| pose.place(mesh.points()[t[0] as usize]))
}

/// The body of a part at its pose.
pub(crate) fn body<'a>(parts: &[Part], models: &'a [Arc<Model>], part: u32) -> Body<'a> {
    Body::new(&models[part as usize], parts[part as usize].pose)
}

/// The model of each part; parts that share a mesh share it.
pub(crate) fn models(parts: &[Part], pool: &Pool, watch: &Watch<'_>) -> anyhow::Result<Vec<Arc<Model>>> {
    let (meshes, mesh_of) = distinct_meshes(parts);
    // The largest first, so that no thread is left alone with one at the end.
    let mut order: Vec<usize> = (0..meshes.len()).collect();
    order.sort_by_key(|&mesh| Reverse(meshes[mesh].len()));
    watch.stage("making parts ready, triangles", meshes.iter().map(|mesh| mesh.len() as u64).sum());
    // Threads that find no mesh left help with those that others are at.
    let built = pool.each(&order, |&mesh| {
        watch.check()?;
        let model = Model::new(Arc::clone(&meshes[mesh]), &of_parts());
        watch.step(meshes[mesh].len() as u64);
        anyhow::Ok(model)
    });
    let mut of_mesh: Vec<Option<Arc<Model>>> = vec![None; meshes.len()];
    for (mesh, model) in order.into_iter().zip(built) {
        of_mesh[mesh] = Some(Arc::new(model?));
    }
    Ok(mesh_of.into_iter().filter_map(|mesh| of_mesh[mesh].clone()).collect())
}

/// The solids of models: welds the vertices and matches the edges of each model once.
pub(crate) fn solids<'a>(
    models: impl IntoIterator<Item = &'a Arc<Model>>,
    pool: &Pool,
    watch: &Watch<'_>,
) -> anyhow::Result<()> {
    let mut seen = HashSet::new();
    let each: Vec<&Arc<Model>> = models.into_iter().filter(|model| seen.insert(Arc::as_ptr(model))).collect();
    watch.stage("looking at solids, triangles", each.iter().map(|model| model.mesh().len() as u64).sum());
    let done = pool.each(&each, |model| {
        watch.check()?;
        model.solid();
        watch.step(model.mesh().len() as u64);
        anyhow::Ok(())
    });
    done.into_iter().collect()
}

/// The size of a clash in memory is a promise.
const _: () = assert!(mem::size_of::<Clash>() == 56);
