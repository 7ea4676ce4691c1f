//! [`ContactGraph`]: the pairs of parts that have a point in common.
use crate::{
    parts::Parts,
    records::{
        clash::{Clash, Clashes},
        contact::{Contact, Dimension},
        near::Near,
    },
};
use impinge::{relation::RelationKind, solid::Closedness};

/// The parts of an assembly, and an edge for each pair of them that has a point in common.
///
/// Contact is exact, without a tolerance. Pairs that a run did not examine
/// ([`Report::not_examined`](crate::Report::not_examined)) have no edge.
#[derive(Clone, Debug)]
pub struct ContactGraph {
    edges: Vec<Edge>,
    /// For each part the start of its neighbours in `neighbours`; one more at the end.
    starts: Vec<u32>,
    /// Neighbours of each part, ascending, with the index of the edge.
    neighbours: Vec<(u32, u32)>,
    /// For each part the number of its component.
    components: Vec<u32>,
    /// For each component its parts, ascending.
    members: Vec<Vec<u32>>,
}

/// Two parts that have a point in common.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Edge {
    /// Indices of the parts, the smaller first.
    pub parts: [u32; 2],
    /// Relation of the first part to the second; `None` if the check was about surfaces alone.
    pub relation: Option<RelationKind>,
    /// The dimension of their contact; `None` if the check did not measure it, or too many triangle pairs
    /// meet.
    pub dimension: Option<Dimension>,
    /// The measured contact, if surfaces meet and insides do not, and the check measured it.
    pub contact: Option<Contact>,
    /// A point of both parts, rounded.
    pub point: [f64; 3],
}

impl Edge {
    /// Lower and upper bound of the length or area of their contact, if it is measured.
    pub fn size(&self) -> Option<[f64; 2]> {
        match (self.dimension?, self.contact?) {
            (Dimension::Area, contact) => Some(contact.area),
            (Dimension::Line, contact) => Some(contact.length),
            (Dimension::Point | Dimension::Volume, _) => None,
        }
    }
}

impl ContactGraph {
    /// The graph with an edge for each clash.
    pub(crate) fn new(parts: &Parts, clashes: &Clashes) -> Self {
        let is_solid = |part: u32| parts.status(part).is_some_and(Closedness::is_closed);
        let edge = |clash: &Clash| {
            let contact = clashes.contact(clash).copied();
            let by_relation = clash.relation.and_then(|relation| match relation {
                RelationKind::Duplicate if is_solid(clash.parts[0]) => Some(Dimension::Volume),
                RelationKind::Duplicate => None,
                relation => Dimension::of(relation),
            });
            let dimension = by_relation.or(contact.map(|contact| contact.dimension));
            Edge { parts: clash.parts, relation: clash.relation, dimension, contact, point: clash.point }
        };
        Self::of_edges(parts.parts.len(), clashes.list.iter().map(edge).collect())
    }
    /// Adds an edge for each near pair.
    pub(crate) fn with_near<'a>(self, near: impl Iterator<Item = &'a Near>) -> Self {
        let parts = self.components.len();
        let edge = |near: &Near| Edge {
            parts: near.parts,
            relation: Some(RelationKind::Apart),
            dimension: None,
            contact: None,
            point: near.points[0],
        };
        Self::of_edges(parts, self.edges.into_iter().chain(near.map(edge)).collect())
    }
    fn of_edges(parts: usize, edges: Vec<Edge>) -> Self {
        let mut starts = vec![0_u32; parts + 1];
        edges.iter().flat_map(|edge| edge.parts).for_each(|part| starts[part as usize + 1] += 1);
        for part in 0..parts {
            starts[part + 1] += starts[part];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![(0, 0); 2 * edges.len()];
        for (i, edge) in (0..).zip(&edges) {
            let [a, b] = edge.parts;
            for (from, to) in [(a, b), (b, a)] {
                neighbours[next[from as usize] as usize] = (to, i);
                next[from as usize] += 1;
            }
        }
        for part in 0..parts {
            neighbours[starts[part] as usize..starts[part + 1] as usize].sort_unstable();
        }
        let mut graph = Self { edges, starts, neighbours, components: Vec::new(), members: Vec::new() };
        graph.number_components(parts);
        graph
    }

    /// Numbers the components by a flood from each part in turn: they are in the order of their first parts.
    fn number_components(&mut self, parts: usize) {
        const NONE: u32 = u32::MAX;
        let mut components = vec![NONE; parts];
        let mut members: Vec<Vec<u32>> = Vec::new();
        let mut open = Vec::new();
        for first in 0..parts as u32 {
            if components[first as usize] != NONE {
                continue;
            }
            let number = members.len() as u32;
            components[first as usize] = number;
            open.push(first);
            let mut own = Vec::new();
            while let Some(part) = open.pop() {
                own.push(part);
                for (next, _) in self.neighbours_of(part) {
                    if components[*next as usize] == NONE {
                        components[*next as usize] = number;
                        open.push(*next);
                    }
                }
            }
            own.sort_unstable();
            members.push(own);
        }
        (self.components, self.members) = (components, members);
    }
    fn neighbours_of(&self, part: u32) -> &[(u32, u32)] {
        let [start, end] = [part, part + 1].map(|i| self.starts[i as usize] as usize);
        &self.neighbours[start..end]
    }

    /// All edges, sorted by their parts.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }
    /// The edges of a part, each with the other part, sorted by that.
    ///
    /// # Panics
    /// If there is no such part.
    pub fn edges_of(&self, part: u32) -> impl ExactSizeIterator<Item = (u32, &Edge)> {
        self.neighbours_of(part).iter().map(|&(other, edge)| (other, &self.edges[edge as usize]))
    }
    /// The connected components, in the order of their first parts. The parts of each ascend.
    pub fn components(&self) -> &[Vec<u32>] {
        &self.members
    }
    /// The index of a part's component.
    ///
    /// # Panics
    /// If there is no such part.
    pub fn component(&self, part: u32) -> usize {
        self.components[part as usize] as usize
    }
    /// The component with the most parts; of several, the first.
    pub fn largest(&self) -> Option<usize> {
        (0..self.members.len()).max_by_key(|&i| (self.members[i].len(), std::cmp::Reverse(i)))
    }
    /// The components that are not the largest: parts and groups that touch nothing else.
    pub fn floating(&self) -> impl Iterator<Item = usize> {
        let largest = self.largest();
        (0..self.members.len()).filter(move |&i| Some(i) != largest)
    }
}

#[cfg(test)]
mod tests {
    use super::ContactGraph;
    use crate::{
        parts::{MeshFacts, PartRecord, Parts, chord::Stated, texts::PartTexts},
        records::{
            clash::{Clash, Clashes},
            contact::Dimension,
        },
    };
    use impinge::{Pose, relation::RelationKind};
    use std::{path::Path, sync::Arc};

    /// `count` parts of one mesh.
    fn parts(count: usize) -> Parts {
        let part = |_| PartRecord {
            name: Arc::from(""),
            file: Path::new("").into(),
            texts: PartTexts::default(),
            mesh: 0,
            pose: Pose::IDENTITY,
            stated: Stated::default(),
        };
        Parts::of((0..count).map(part).collect(), vec![MeshFacts { triangles: 1, solid: None }], None)
    }

    #[test]
    fn components_are_what_is_connected() {
        let clash = |parts| Clash::new(parts, 1, Some(RelationKind::Overlap), None, [0.0; 3]);
        let clashes = [[0, 3], [1, 2], [2, 5], [3, 6]].map(clash).to_vec();
        let graph = ContactGraph::new(&parts(7), &Clashes::known(clashes, Vec::new(), Vec::new(), 4));
        assert_eq!(graph.components(), [vec![0, 3, 6], vec![1, 2, 5], vec![4]]);
        assert_eq!(graph.largest(), Some(0));
        assert_eq!(graph.floating().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(graph.component(5), 1);
        assert_eq!(graph.edges_of(2).map(|(other, _)| other).collect::<Vec<_>>(), [1, 5]);
        assert!(graph.edges().iter().all(|edge| edge.dimension == Some(Dimension::Volume)));
        let none = ContactGraph::new(&parts(0), &Clashes::default());
        assert_eq!((none.largest(), none.components().len()), (None, 0));
    }
}
