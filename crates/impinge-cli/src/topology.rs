//! Flaws of a mesh as the surface of a solid. Vertices are one if their positions are equal.
use impinge::Mesh;
use std::collections::{HashMap, HashSet};

/// The number of flaws of one kind, and the place of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Flaw {
    pub(crate) count: usize,
    /// In the mesh's own frame, rounded.
    pub(crate) at: Option<[f64; 3]>,
}

impl Flaw {
    fn add(&mut self, points: &[[f64; 3]]) {
        self.count += 1;
        self.at.get_or_insert_with(|| {
            let share = |k: usize| points.iter().map(|point| point[k] / points.len() as f64).sum();
            [share(0), share(1), share(2)]
        });
    }
}

/// The flaws of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Flaws {
    /// Triangles whose three points lie on a line: segments and points.
    pub(crate) degenerate: Flaw,
    /// Triangles whose three positions, in any order, an earlier triangle has.
    pub(crate) duplicate: Flaw,
    /// Edges of one triangle.
    pub(crate) open_edges: Flaw,
    /// Edges of three triangles or more.
    pub(crate) non_manifold_edges: Flaw,
}

impl Flaws {
    pub(crate) fn of(mesh: &Mesh) -> Self {
        let position_of = positions(mesh);
        let mut seen = HashSet::with_capacity(mesh.len());
        // By the edge's positions: how many triangles have it, and the places of its ends.
        let mut users: HashMap<[u32; 2], (u32, [u32; 2])> = HashMap::with_capacity(mesh.len() * 3 / 2);
        let mut flaws = Self::default();
        for (i, triangle) in (0..).zip(mesh.triangles()) {
            if mesh.is_degenerate(i) {
                flaws.degenerate.add(&mesh.corners(i));
            }
            let mut corners = triangle.map(|k| (position_of[k as usize], k));
            corners.sort_unstable();
            if !seen.insert(corners.map(|(position, _)| position)) {
                flaws.duplicate.add(&mesh.corners(i));
            }
            for [(i, k), (j, l)] in [[0, 1], [0, 2], [1, 2]].map(|side| side.map(|c| corners[c])) {
                if i != j {
                    users.entry([i, j]).or_insert((0, [k, l])).0 += 1;
                }
            }
        }
        // In an order that does not change from run to run.
        let mut wrong: Vec<(u32, [u32; 2])> = users.into_values().filter(|&(n, _)| n != 2).collect();
        wrong.sort_unstable_by_key(|&(_, ends)| ends);
        for (n, ends) in wrong {
            let flaw = if n == 1 { &mut flaws.open_edges } else { &mut flaws.non_manifold_edges };
            flaw.add(&ends.map(|k| mesh.points()[k as usize]));
        }
        flaws
    }

    /// Each by its name, in one number and in many.
    pub(crate) fn each(&self) -> [([&'static str; 2], Flaw); 4] {
        [
            (["degenerate triangle", "degenerate triangles"], self.degenerate),
            (["duplicate triangle", "duplicate triangles"], self.duplicate),
            (["open edge", "open edges"], self.open_edges),
            (["non-manifold edge", "non-manifold edges"], self.non_manifold_edges),
        ]
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

    fn counts(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> [usize; 4] {
        flaws(points, triangles).each().map(|(_, flaw)| flaw.count)
    }

    #[test]
    fn each_flaw_is_counted() {
        assert_eq!(counts(&CORNERS, &TETRAHEDRON[..3]), [0, 0, 3, 0]);
        let twice = [TETRAHEDRON.as_slice(), &[[1, 3, 0]]].concat();
        assert_eq!(counts(&CORNERS, &twice), [0, 1, 0, 3]);
        assert_eq!(counts(&[[0.0; 3], [1.0; 3], [3.0; 3]], &[[0, 1, 2]]), [1, 0, 3, 0]);
        assert_eq!(counts(&[[7.0; 3]], &[[0, 0, 0]]), [1, 0, 0, 0]);
    }

    #[test]
    fn each_flaw_has_a_place() {
        let open = flaws(&CORNERS, &TETRAHEDRON[..3]);
        assert_eq!(open.open_edges.at, Some([0.0, 0.5, 0.0]));
        assert_eq!(open.degenerate.at, None);
        assert_eq!(flaws(&[[7.0; 3]], &[[0, 0, 0]]).degenerate.at, Some([7.0; 3]));
    }
}
