//! A mesh as a chain of oriented triangles: the balance of edges, and the triangle across each edge.
//!
//! Corners are one *vertex* if their coordinates are equal. A triangle whose corners lie on one line has no
//! sides, but counts in the balance of edges: it fills a T-junction. Two equal triangles of opposite
//! orientation cancel. This test is quick, and avoids cells; where other triangles cancel each other, cells
//! decide.
//!
//! A chain is closed if its edges balance on every line: `balance.rs`.
use super::{balance::adds_up, planes};
use crate::{Mesh, graph::Buckets, vector::Vector};
use std::collections::HashMap;

/// No triangle, or more than one, lies across an edge.
pub(crate) const NONE: u32 = u32::MAX;

/// The role of a triangle in the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// One of its triangles.
    Face,
    /// Its corners lie on one line.
    Degenerate,
    /// An equal triangle of opposite orientation cancels it: both together are a sheet.
    Sheet,
}

#[derive(Debug)]
pub(super) struct Chain {
    /// For each point, the first one that is equal.
    pub(super) vertices: Vec<u32>,
    pub(super) roles: Vec<Role>,
    /// At 3 t + k, for edge k of triangle t, from corner k to the next: the edge of the only other triangle
    /// there, as 3 t' + k'; or [`NONE`]. It runs the other way, unless the chain is closed by parity alone.
    pub(super) twins: Vec<u32>,
    /// Edges that do not balance, by vertices.
    pub(super) unbalanced: Vec<[u32; 2]>,
    pub(super) closed: Closed,
    /// True if all areas cancel. The triangles are still faces then: those of a surface.
    pub(super) is_sheet: bool,
    /// Number of faces of a surface that cancel each other, each without twins.
    pub(super) sheets: usize,
    /// True if equal triangles cancel beside others that do not.
    pub(super) has_sheets: bool,
}

/// Sums of edges that vanish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// Sums with orientation.
    Oriented,
    /// Sums modulo 2: numbers of edges are even.
    Parity,
    No,
}

/// An edge of a triangle.
#[derive(Clone, Copy)]
struct HalfEdge {
    /// The greater vertex; the lesser is the bucket.
    other: u32,
    /// 3 t + k.
    place: u32,
    /// The third vertex.
    third: u32,
    /// True if it runs from the lesser to the greater vertex.
    up: bool,
}

/// For each point of a mesh, the first one that is equal.
pub(super) fn weld(points: &[Vector]) -> Vec<u32> {
    let mut first = HashMap::with_capacity(points.len());
    // Adding zero turns -0.0 into 0.0; coordinates are finite, so that equal ones have equal bits.
    let bits = |p: &Vector| p.map(|x| (x + 0.0).to_bits());
    points.iter().zip(0..).map(|(p, i)| *first.entry(bits(p)).or_insert(i)).collect()
}

impl Chain {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let vertices = weld(mesh.points());
        let triangles: Vec<[u32; 3]> =
            mesh.triangles().iter().map(|t| t.map(|i| vertices[i as usize])).collect();
        let role = |(t, i): (&[u32; 3], u32)| {
            let twice = t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
            if twice || mesh.is_degenerate(i) { Role::Degenerate } else { Role::Face }
        };
        let mut roles: Vec<Role> = triangles.iter().zip(0..).map(role).collect();
        let half_edges = triangles.iter().zip(0_u32..).flat_map(|(t, i)| {
            (0..3).filter_map(move |k| {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                let half =
                    HalfEdge { other: a.max(b), place: 3 * i + k as u32, third: t[(k + 2) % 3], up: a < b };
                (a != b).then_some((a.min(b), half))
            })
        });
        let mut edges = Buckets::new(mesh.points().len(), half_edges);
        edges.sort_by_key(|half| (half.other, half.place));
        cancel(&edges, &mut roles);
        let (mut twins, mut unbalanced, mut even) = (vec![NONE; 3 * mesh.len()], Vec::new(), true);
        let mut odd = Vec::new();
        for (i, list) in (0..).zip(edges.lists()) {
            for edge in list.chunk_by(|a, b| a.other == b.other) {
                let role = |half: &HalfEdge| roles[half.place as usize / 3];
                // Nearly all edges. Where a sheet's triangles end, too, more than one triangle lies across.
                if let [a, b] = edge
                    && a.up != b.up
                    && role(a) == Role::Face
                    && role(b) == Role::Face
                {
                    twins[a.place as usize] = b.place;
                    twins[b.place as usize] = a.place;
                    continue;
                }
                let live = || edge.iter().filter(|half| role(half) != Role::Sheet);
                let (count, up) = (live().count(), live().filter(|half| half.up).count());
                if 2 * up != count {
                    unbalanced.push([i, edge[0].other]);
                }
                if count % 2 != 0 {
                    odd.push([i, edge[0].other]);
                    even = false;
                }
            }
        }
        let balance = |parity: bool, list: &[[u32; 2]]| {
            let sum = |&[a, b]: &[u32; 2]| {
                // A search, because `a` may be an apex of n of these edges.
                let of_a = edges.of(a);
                let first = of_a.partition_point(|half| half.other < b);
                let halves = of_a[first..].iter().take_while(|half| half.other == b);
                let live = halves.filter(|half| roles[half.place as usize / 3] != Role::Sheet);
                let sum: i64 = live.map(|half| if half.up { 1 } else { -1 }).sum();
                ([a, b], if parity { sum.rem_euclid(2) } else { sum })
            };
            list.is_empty() || adds_up(&list.iter().map(sum).collect::<Vec<_>>(), mesh.points(), parity)
        };
        let closed = if balance(false, &unbalanced) {
            Closed::Oriented
        } else if even || balance(true, &odd) {
            Closed::Parity
        } else {
            Closed::No
        };
        if closed == Closed::Parity {
            // Orientation does not matter: any two triangles are neighbours.
            for list in edges.lists() {
                for edge in list.chunk_by(|a, b| a.other == b.other) {
                    if let [a, b] = edge
                        && [a, b].iter().all(|half| roles[half.place as usize / 3] == Role::Face)
                    {
                        twins[a.place as usize] = b.place;
                        twins[b.place as usize] = a.place;
                    }
                }
            }
        }
        if closed != Closed::No {
            unbalanced.clear();
        }
        let faces = |roles: &[Role]| -> Vec<u32> {
            (0..).zip(roles).filter(|(_, role)| **role == Role::Face).map(|(t, _)| t).collect()
        };
        let is_sheet = match closed {
            Closed::No => !roles.contains(&Role::Face),
            _ => planes::cancel(mesh, &vertices, &faces(&roles), closed == Closed::Parity),
        };
        let mut sheets = 0;
        if is_sheet || closed == Closed::No {
            for role in roles.iter_mut().filter(|role| **role == Role::Sheet) {
                *role = Role::Face;
                sheets += 1;
            }
        }
        let has_sheets = roles.contains(&Role::Sheet);
        Self { vertices, roles, twins, unbalanced, closed, is_sheet, sheets, has_sheets }
    }
    /// True if two edges with the same ends, of two triangles, run the same way.
    pub(super) fn runs_alike(&self, mesh: &Mesh, a: u32, b: u32) -> bool {
        if self.closed == Closed::Oriented {
            return false;
        }
        let start = |edge: u32| mesh.corners(edge / 3)[edge as usize % 3];
        start(a) == start(b)
    }
}

/// Cancels equal triangles of opposite orientation, two by two.
fn cancel(edges: &Buckets<HalfEdge>, roles: &mut [Role]) {
    for list in edges.lists() {
        for edge in list.chunk_by(|a, b| a.other == b.other) {
            // Equal triangles have all edges in common: their least one will do.
            if edge.len() < 2 || edge.iter().all(|half| half.third < half.other) {
                continue;
            }
            if let [a, b] = edge
                && a.third != b.third
            {
                continue;
            }
            let mut equal: Vec<&HalfEdge> = edge
                .iter()
                .filter(|half| half.third > half.other && roles[half.place as usize / 3] == Role::Face)
                .collect();
            equal.sort_unstable_by_key(|half| (half.third, half.place));
            for equal in equal.chunk_by(|a, b| a.third == b.third) {
                let up = equal.iter().filter(|half| half.up).count();
                let pairs = up.min(equal.len() - up);
                for way in [true, false] {
                    for half in equal.iter().filter(|half| half.up == way).take(pairs) {
                        roles[half.place as usize / 3] = Role::Sheet;
                    }
                }
            }
        }
    }
}
