//! The requirements of rivals: a mesh must be a two-manifold with shared corners.
use contract::Mesh;
use std::collections::HashMap;

/// The mesh with equal corners merged, and without unused corners.
pub fn merged(mesh: &Mesh) -> Mesh {
    let mut known = HashMap::new();
    let mut out = Mesh::default();
    for triangle in &mesh.triangles {
        out.triangles.push(triangle.map(|corner| {
            let point = mesh.points[corner as usize];
            // Adding 0 makes a zero positive.
            *known.entry(point.map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
                out.points.push(point);
                out.points.len() as u32 - 1
            })
        }));
    }
    out
}

/// True if each edge has two triangles, which traverse it in opposite directions, and the triangles around
/// each corner are one fan. Corners must be [merged].
pub fn is_two_manifold(mesh: &Mesh) -> bool {
    // From each directed edge to the corner opposite.
    let mut edges = HashMap::new();
    let mut degree = vec![0_u32; mesh.points.len()];
    for &[a, b, c] in &mesh.triangles {
        if a == b || b == c || c == a {
            return false;
        }
        for (from, to, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
            degree[from as usize] += 1;
            if edges.insert((from, to), opposite).is_some() {
                return false;
            }
        }
    }
    if edges.is_empty() || edges.keys().any(|&(from, to)| !edges.contains_key(&(to, from))) {
        return false;
    }
    // Around each corner, one round must reach all its triangles.
    let mut start: Vec<Option<u32>> = vec![None; mesh.points.len()];
    edges.keys().for_each(|&(from, to)| start[from as usize] = Some(to));
    start.iter().zip(&degree).enumerate().all(|(corner, (first, &degree))| {
        let Some(first) = *first else { return degree == 0 };
        let (mut at, mut seen) = (first, 0);
        loop {
            at = edges[&(corner as u32, at)];
            seen += 1;
            if at == first || seen > degree {
                return seen == degree;
            }
        }
    })
}

/// Six times the volume, rounded.
pub fn volume_6(mesh: &Mesh) -> f64 {
    let Some(&origin) = mesh.points.first() else { return 0.0 };
    let corner = |i: u32| [0, 1, 2].map(|k| mesh.points[i as usize][k] - origin[k]);
    let six = |t: &[u32; 3]| {
        let [a, b, c] = t.map(corner);
        a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    mesh.triangles.iter().map(six).sum()
}

/// The mesh with all triangles reversed.
pub fn reversed(mesh: &Mesh) -> Mesh {
    let triangles = mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    Mesh { points: mesh.points.clone(), triangles }
}

/// Several meshes in one.
pub fn joined<'a>(meshes: impl IntoIterator<Item = &'a Mesh>) -> Mesh {
    let mut out = Mesh::default();
    for mesh in meshes {
        let first = out.points.len() as u32;
        out.points.extend(&mesh.points);
        out.triangles.extend(mesh.triangles.iter().map(|t| t.map(|corner| corner + first)));
    }
    out
}

/// The mesh with each corner moved.
pub fn mapped(mesh: &Mesh, map: impl Fn([f64; 3]) -> [f64; 3]) -> Mesh {
    Mesh { points: mesh.points.iter().map(|&point| map(point)).collect(), triangles: mesh.triangles.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(at: f64) -> Mesh {
        let mesh = impinge_testkit::meshes::cuboid([1.0; 3]);
        let points = mesh.points().iter().map(|p| p.map(|x| x + at)).collect();
        Mesh { points, triangles: mesh.triangles().to_vec() }
    }

    #[test]
    fn manifolds() {
        assert!(is_two_manifold(&merged(&cube(0.0))));
        assert_eq!(volume_6(&cube(5.0)), 48.0);
        assert_eq!(volume_6(&reversed(&cube(5.0))), -48.0);
        let apart = merged(&joined([&cube(0.0), &cube(9.0)]));
        assert!(is_two_manifold(&apart) && apart.points.len() == 16);
        // Two that share a corner are pinched there.
        let pinched = merged(&joined([&cube(0.0), &cube(2.0)]));
        assert!(!is_two_manifold(&pinched) && pinched.points.len() == 15);
        let mut open = merged(&cube(0.0));
        open.triangles.pop();
        assert!(!is_two_manifold(&open));
        assert!(!is_two_manifold(&Mesh::default()));
    }
}
