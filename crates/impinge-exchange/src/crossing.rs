//! [`Border`]: the border edges of a surface, to decide if another surface crosses it.
use impinge::{
    Mesh,
    curves::{Curves, Feature},
};
use std::collections::{HashMap, HashSet};

/// The edges of a mesh that only one triangle has.
pub(crate) struct Border(HashSet<[u32; 2]>);

impl Border {
    pub(crate) fn of(mesh: &Mesh) -> Self {
        // Points with equal coordinates are one vertex, with the index of the first, as in features of
        // curves.
        let mut first = HashMap::new();
        let vertices: Vec<u32> = (0..)
            .zip(mesh.points())
            // -0 + 0 is 0.
            .map(|(i, point)| *first.entry(point.map(|x| (x + 0.0).to_bits())).or_insert(i))
            .collect();
        let mut triangles = HashSet::new();
        let mut is_border = HashMap::new();
        for corners in mesh.triangles() {
            let [a, b, c] = corners.map(|i| vertices[i as usize]);
            let mut sorted = [a, b, c];
            sorted.sort_unstable();
            // Triangles with the same corners, such as both sides of a sheet, count once.
            if a == b || b == c || c == a || !triangles.insert(sorted) {
                continue;
            }
            for edge in [[a, b], [b, c], [c, a]] {
                let edge = [edge[0].min(edge[1]), edge[0].max(edge[1])];
                is_border.entry(edge).and_modify(|is| *is = false).or_insert(true);
            }
        }
        Self(is_border.into_iter().filter(|(_, is)| *is).map(|(edge, _)| edge).collect())
    }
    /// True if the segment between points of two features lies on one edge of the border.
    fn holds(&self, features: [Feature; 2]) -> bool {
        let has = |[v, w]: [u32; 2]| self.0.contains(&[v.min(w), v.max(w)]);
        match features {
            [Feature::Vertex(v), Feature::Vertex(w)] => has([v, w]),
            [Feature::Vertex(v), Feature::Edge(edge)] | [Feature::Edge(edge), Feature::Vertex(v)] => {
                edge.contains(&v) && has(edge)
            }
            [Feature::Edge(one), Feature::Edge(other)] => one == other && has(one),
            _ => false,
        }
    }
}

/// True if two surfaces may cross or lie on each other. False if they meet only in single points, and along
/// border edges of one of them.
pub(crate) fn may_cross(curves: &Curves, borders: [&Border; 2]) -> bool {
    let nodes = curves.nodes();
    let is_inner = |from: u32, to: u32| {
        let ends = [from, to].map(|node| nodes[node as usize].features);
        !(0..2).any(|side| borders[side].holds(ends.map(|features| features[side])))
    };
    curves.patches().len() > 0
        || curves.lines().any(|line| {
            let next = line.nodes.iter().skip(1).chain(line.nodes.first().filter(|_| line.closed));
            line.nodes.iter().zip(next).any(|(&from, &to)| is_inner(from, to))
        })
}
