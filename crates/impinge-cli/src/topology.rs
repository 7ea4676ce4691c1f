//! What is wrong with a mesh as the surface of a solid. Vertices are one if their positions are equal.
use impinge::Mesh;
use std::collections::{HashMap, HashSet};

/// The flaws of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flaws {
    /// Triangles whose three points lie on a line: segments and points.
    pub(crate) degenerate: usize,
    /// Triangles whose three positions, in any order, an earlier triangle has.
    pub(crate) duplicate: usize,
    /// Edges of one triangle.
    pub(crate) open_edges: usize,
    /// Edges of three triangles or more.
    pub(crate) non_manifold_edges: usize,
}

impl Flaws {
    pub(crate) fn of(mesh: &Mesh) -> Self {
        let position_of = positions(mesh);
        let mut seen = HashSet::with_capacity(mesh.len());
        let mut users: HashMap<[u32; 2], u32> = HashMap::with_capacity(mesh.len() * 3 / 2);
        let mut flaws = Self::default();
        for (i, triangle) in (0..).zip(mesh.triangles()) {
            flaws.degenerate += usize::from(mesh.is_degenerate(i));
            let corners = triangle.map(|k| position_of[k as usize]);
            let mut sorted = corners;
            sorted.sort_unstable();
            flaws.duplicate += usize::from(!seen.insert(sorted));
            for [i, j] in [[0, 1], [0, 2], [1, 2]].map(|side| side.map(|k| sorted[k])) {
                if i != j {
                    *users.entry([i, j]).or_default() += 1;
                }
            }
        }
        flaws.open_edges = users.values().filter(|&&n| n == 1).count();
        flaws.non_manifold_edges = users.values().filter(|&&n| n > 2).count();
        flaws
    }
}

/// A number for each point, the same for the same position.
fn positions(mesh: &Mesh) -> Vec<u32> {
    let mut numbers = HashMap::with_capacity(mesh.points().len());
    let number = |point: &[f64; 3]| {
        let next = numbers.len() as u32;
        // -0 + 0 is 0: one place, one key.
        *numbers.entry(point.map(|c| (c + 0.0).to_bits())).or_insert(next)
    };
    mesh.points().iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::Flaws;
    use impinge::Mesh;

    fn flaws(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Flaws {
        Flaws::of(&Mesh::new(points.to_vec(), triangles.to_vec()).unwrap())
    }

    const CORNERS: [[f64; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

    #[test]
    fn a_closed_surface_has_no_flaw() {
        assert_eq!(flaws(&CORNERS, &TETRAHEDRON), Flaws::default());
        // Every triangle with points of its own: edges are matched by position, and -0 is 0.
        let soup: Vec<[f64; 3]> =
            TETRAHEDRON.as_flattened().iter().map(|&k| CORNERS[k as usize].map(|c| -c)).collect();
        let triangles: Vec<[u32; 3]> = (0..4).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        assert_eq!(flaws(&soup, &triangles), Flaws::default());
    }

    #[test]
    fn each_flaw_is_counted() {
        let open = Flaws { open_edges: 3, ..Flaws::default() };
        assert_eq!(flaws(&CORNERS, &TETRAHEDRON[..3]), open);
        let twice = [TETRAHEDRON.as_slice(), &[[1, 3, 0]]].concat();
        let duplicate = Flaws { duplicate: 1, non_manifold_edges: 3, ..Flaws::default() };
        assert_eq!(flaws(&CORNERS, &twice), duplicate);
        let segment = Flaws { degenerate: 1, open_edges: 3, ..Flaws::default() };
        assert_eq!(flaws(&[[0.0; 3], [1.0; 3], [3.0; 3]], &[[0, 1, 2]]), segment);
        let point = Flaws { degenerate: 1, ..Flaws::default() };
        assert_eq!(flaws(&[[7.0; 3]], &[[0, 0, 0]]), point);
    }
}
