//! The example of the README, line by line (docs/check compares them).

fn main() -> Result<(), impinge::Error> {
    use impinge::{Body, Mesh, Model, Pose, Query};

    let points = vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0., 0., 2.]];
    let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    let model = Model::new(mesh); // a mesh and its tree, built once
    let a = Body::new(&model, Pose::IDENTITY);
    let b = Body::new(&model, Pose::from_translation([1., 0.5, 0.25])?);

    let mut query = Query::new(); // one a thread; warm queries do not allocate
    println!("relation: {:?}", query.relation(&a, &b).kind);
    println!("distance: {:?}", query.distance(&a, &b));
    for [i, j] in query.pairs(&a, &b) {
        println!("triangle {i} of a meets triangle {j} of b");
    }
    Ok(())
}
