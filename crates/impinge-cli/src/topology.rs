//! What is wrong with a mesh as the surface of a solid. Vertices are one if their positions are equal.
use impinge::Mesh;
use num_bigint::BigInt;
use robust::{Coord, orient2d};
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
        for triangle in mesh.triangles() {
            flaws.degenerate += usize::from(is_degenerate(triangle.map(|k| mesh.points()[k as usize])));
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

/// Whether the three points lie on a line, over the real numbers.
///
/// They do if and only if their shadows along all three axes do.
fn is_degenerate(corners: [[f64; 3]; 3]) -> bool {
    // `orient2d` is exact while no product of two coordinate differences, nor the rounding error of one, leaves
    // the range of f64: with c = 0 or 2^-480 <= |c| <= 2^500, products stay below 2^1002, and errors, multiples
    // of the product of two units in the last place, above 2^(2 * (-480 - 52)) = 2^-1064.
    let ordinary = |c: f64| c == 0.0 || (3.0e-145..=3.0e150).contains(&c.abs());
    if !corners.as_flattened().iter().all(|&c| ordinary(c)) {
        return is_degenerate_big(corners);
    }
    [[0, 1], [1, 2], [2, 0]].iter().all(|&[i, j]| {
        let [a, b, c] = corners.map(|p| Coord { x: p[i], y: p[j] });
        orient2d(a, b, c) == 0.0
    })
}

/// The same in integers, for coordinates of any size.
fn is_degenerate_big(corners: [[f64; 3]; 3]) -> bool {
    let [a, b, c] = corners.map(|point| point.map(in_units));
    let to = |p: &[BigInt; 3], k: usize| &p[k] - &a[k];
    [[0, 1], [1, 2], [2, 0]].iter().all(|&[i, j]| to(&b, i) * to(&c, j) == to(&b, j) * to(&c, i))
}

/// A finite f64 as a multiple of 2^-1074, the least of them all.
fn in_units(value: f64) -> BigInt {
    let bits = value.to_bits();
    let (exponent, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let magnitude = match exponent {
        0 => BigInt::from(fraction),
        _ => BigInt::from(fraction | 1 << 52) << (exponent - 1),
    };
    if value < 0.0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::{Flaws, in_units, is_degenerate, is_degenerate_big};
    use impinge::Mesh;
    use num_bigint::BigInt;

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

    #[test]
    fn on_a_line_is_decided_exactly() {
        // (1, 1, 1), (2, 2, 2) and a point one ulp beside the line.
        let near = [[1.0; 3], [2.0; 3], [0.1, 0.1, 0.1_f64.next_up()]];
        let on = [[1.0; 3], [2.0; 3], [0.1; 3]];
        // The same at the ends of the range, where products under- and overflow.
        for scale in [1.0, 1e-300, 1e-322, 8e307] {
            let by = |corners: [[f64; 3]; 3]| corners.map(|p| p.map(|c| c * scale));
            assert!(is_degenerate(by(on)), "{scale}");
            assert!(is_degenerate_big(by(on)), "{scale}");
        }
        for scale in [1.0, 2.0_f64.powi(-1000), 2.0_f64.powi(1022)] {
            let scaled = near.map(|p| p.map(|c| c * scale));
            assert!(!is_degenerate(scaled), "{scale}");
            assert!(!is_degenerate_big(scaled), "{scale}");
        }
        let tiny = 5e-324;
        assert!(!is_degenerate([[0.0; 3], [tiny, 0.0, 0.0], [0.0, tiny, 0.0]]));
        assert!(is_degenerate([[0.0; 3], [tiny, 0.0, 0.0], [3.0 * tiny, 0.0, 0.0]]));
    }

    #[test]
    fn a_coordinate_in_units() {
        assert_eq!(in_units(5e-324), BigInt::from(1));
        assert_eq!(in_units(-1.5e-323), BigInt::from(-3));
        assert_eq!(in_units(1.0), BigInt::from(1) << 1074);
        assert_eq!(in_units(f64::MIN_POSITIVE), BigInt::from(1) << 52);
        assert_eq!(in_units(-0.0), BigInt::from(0));
    }
}
