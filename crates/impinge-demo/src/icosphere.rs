//! A sphere of triangles.
use impinge::Mesh;
use std::collections::BTreeMap;

/// The unit sphere as an icosahedron whose faces are cut into four `level` times: 20 * 4^`level` triangles.
pub fn icosphere(level: u32) -> Mesh {
    let g = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let mut points: Vec<[f64; 3]> = Vec::new();
    for (a, b) in [(-1.0, g), (1.0, g), (-1.0, -g), (1.0, -g)] {
        points.extend([[a, b, 0.0], [0.0, a, b], [b, 0.0, a]].map(on_sphere));
    }
    // The 20 triples of vertices at edge length from each other, oriented outwards.
    let near = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>() < 1.2;
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                let [a, b, c] = [i, j, k].map(|v| points[v]);
                if near(a, b) && near(b, c) && near(c, a) {
                    let n = [
                        (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]),
                        (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]),
                        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]),
                    ];
                    let outwards = n[0] * a[0] + n[1] * a[1] + n[2] * a[2] > 0.0;
                    let [i, j, k] = [i, j, k].map(|v| v as u32);
                    triangles.push(if outwards { [i, j, k] } else { [i, k, j] });
                }
            }
        }
    }
    for _ in 0..level {
        // Ordered: a randomly seeded hash would make counts of instructions differ from run to run.
        let mut middles = BTreeMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let (p, q) = (points[a as usize], points[b as usize]);
                points.push(on_sphere(std::array::from_fn(|k| p[k] + q[k])));
                points.len() as u32 - 1
            })
        };
        let mut finer = Vec::with_capacity(4 * triangles.len());
        for [a, b, c] in triangles {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    Mesh::new(points, triangles).expect("finite points, indices below their number")
}

fn on_sphere(p: [f64; 3]) -> [f64; 3] {
    let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
    p.map(|c| c / length)
}
