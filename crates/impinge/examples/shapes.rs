//! A capsule over a scanned mesh and a floor: exact shapes, without a triangulation.
use impinge::{Body, HalfSpace, Mesh, Model, Pose, Query, model::Shape};

fn main() -> Result<(), impinge::Error> {
    let scan = Model::new(Mesh::uv_sphere(1., 40, 80)?); // or a mesh from a file
    let scan = Body::new(&scan, Pose::IDENTITY);
    let floor = HalfSpace::new([0., 0., 1.], -1.25)?; // z <= -1.25

    let arm = Shape::capsule(0.05, 2.)?; // radius, length of its segment along z
    let arm = arm.at(Pose::from_translation([1.25, 0., 0.])?);
    let mut query = Query::new();
    let gap = query.distance(&arm, &scan).expect("both have triangles");
    println!("meets the scan: {}; {} to {} away", query.intersects(&arm, &scan), gap.lo, gap.hi);
    println!("meets the floor: {}", query.intersects(&arm, &floor));

    assert!(gap.lo <= 0.2 && 0.2 <= gap.hi && !query.intersects(&arm, &floor));
    Ok(())
}
