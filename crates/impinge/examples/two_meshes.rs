//! The triangles of two bodies that meet: build the tree once, place the bodies, query.
use impinge::{Body, Mesh, Model, Pose, Query};

fn tetrahedron() -> Result<Mesh, impinge::Error> {
    let points = vec![[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
    Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
}

fn main() -> Result<(), impinge::Error> {
    let model = Model::new(tetrahedron()?);
    // A quarter turn about z, and a shift: x = R v + t.
    let turned = Pose::rigid([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [1.0, 0.5, 0.25])?;
    let (a, b) = (Body::new(&model, Pose::IDENTITY), Body::new(&model, turned));

    let mut query = Query::new();
    let pairs = query.pairs(&a, &b);
    for &[i, j] in pairs {
        let [x, y, z] = impinge::contact::contact_point(&a, &b, [i, j]).point;
        println!("triangle {i} of a meets triangle {j} of b, for instance at ({x:.3}, {y:.3}, {z:.3})");
    }
    println!("{} pairs", pairs.len());
    Ok(())
}
