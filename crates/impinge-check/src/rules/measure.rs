//! Numbers of parts that conditions use.
use crate::sources::hull::rounded_box;
use impinge::Mesh;
use impinge_io::Part;
use std::collections::HashMap;

/// The volume that a mesh encloses: the sum of its signed tetrahedra, as an absolute value, rounded. `None`
/// if triangles use some edge more often in one direction than in the other: then the sum depends on the
/// origin. Cost: O(n log n) for n triangles.
pub(crate) fn volume(mesh: &Mesh) -> Option<f64> {
    if !is_closed(mesh) {
        return None;
    }
    let points = mesh.points();
    // An origin near the mesh reduces cancellation.
    let origin = mesh.triangles().first().map(|triangle| points[triangle[0] as usize])?;
    let six = mesh.triangles().iter().map(|triangle| {
        let [a, b, c] = triangle.map(|vertex| {
            let point = points[vertex as usize];
            [0, 1, 2].map(|k| point[k] - origin[k])
        });
        let cross = [0, 1, 2].map(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            b[i] * c[j] - b[j] * c[i]
        });
        a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]
    });
    Some(six.sum::<f64>().abs() / 6.0)
}

/// True if triangles use each edge as often in one direction as in the other. Points with equal coordinates
/// are one.
fn is_closed(mesh: &Mesh) -> bool {
    let mut numbers = HashMap::new();
    let number_of: Vec<usize> = mesh
        .points()
        .iter()
        .map(|point| {
            let next = numbers.len();
            // Adding zero turns -0.0 into 0.0.
            *numbers.entry(point.map(|c| (c + 0.0).to_bits())).or_insert(next)
        })
        .collect();
    let mut edges = Vec::with_capacity(3 * mesh.len());
    for triangle in mesh.triangles() {
        let corners = triangle.map(|vertex| number_of[vertex as usize]);
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            match a.cmp(&b) {
                std::cmp::Ordering::Less => edges.push((a, b, 1_i64)),
                std::cmp::Ordering::Greater => edges.push((b, a, -1)),
                std::cmp::Ordering::Equal => {}
            }
        }
    }
    edges.sort_unstable();
    edges
        .chunk_by(|p, q| (p.0, p.1) == (q.0, q.1))
        .all(|edge| edge.iter().map(|edge| edge.2).sum::<i64>() == 0)
}

/// The sides of a part's box along the axes, from corners that are rounded once; `None` without a triangle.
pub(crate) fn sides(part: &Part) -> Option<[f64; 3]> {
    let [low, high] = rounded_box(&part.mesh, &part.pose)?;
    Some([0, 1, 2].map(|k| high[k] - low[k]))
}

#[cfg(test)]
mod tests {
    use super::{sides, volume};
    use impinge::{Mesh, Pose};
    use impinge_io::Part;

    /// A box of 2 by 3 by 4, whose triangles have points of their own.
    fn cuboid(at: f64) -> Mesh {
        let corner =
            |i: usize| [0, 1, 2].map(|k| at + if i >> k & 1 == 1 { [2.0, 3.0, 4.0][k] } else { 0.0 });
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
        let points: Vec<_> = triangles.flatten().map(corner).collect();
        let triangles = (0..points.len() as u32).step_by(3).map(|i| [i, i + 1, i + 2]).collect();
        Mesh::new(points, triangles).unwrap()
    }

    #[test]
    fn closed_meshes_have_a_volume() {
        let mesh = cuboid(0.0);
        assert_eq!(volume(&mesh), Some(24.0));
        assert_eq!(volume(&cuboid(1024.0)), Some(24.0));
        let inverted = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
        assert_eq!(volume(&Mesh::new(mesh.points().to_vec(), inverted).unwrap()), Some(24.0));
        let open = Mesh::new(mesh.points().to_vec(), mesh.triangles()[1..].to_vec()).unwrap();
        assert_eq!((volume(&open), volume(&Mesh::default())), (None, None));
        let part = Part::from_mesh("a", mesh, Pose::IDENTITY);
        assert_eq!(sides(&part), Some([2.0, 3.0, 4.0]));
    }
}
