//! Nearest points, rays and regions: the examples of docs/points-and-rays.md (docs/check compares them).
use impinge::{Body, HalfSpace, Mesh, Model, Pose, Query, rays::Ray, regions::InRegion};

fn main() -> Result<(), impinge::Error> {
    let points = vec![[0., 0., 0.], [5., 0., 0.], [0., 5., 0.], [0., 0., 5.]];
    let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    let model = Model::new(mesh);
    let body = Body::new(&model, Pose::IDENTITY);
    let mut query = Query::new();

    let found = query.closest_point(&body, [1., 2., 3.]); // Option<ClosestPoint>
    println!("{found:?}");

    let ray = Ray::new([0., 0., 9.], [0., 0., -1.])?.until(20.)?;
    let first = query.ray_first(&body, &ray); // Option<RayHit>
    let meets = query.ray_meets(&body, &ray); // bool, for lines of sight
    let all = query.ray_all(&body, &ray); // sorted by the exact t
    println!("{meets}: {first:?}, {} in all", all.len());

    let above = HalfSpace::new([0., 0., -1.], -2.)?; // z >= 2
    let triangles = query.triangles_in(&body, &[above], InRegion::Partly);
    println!("{triangles:?} have a point above z = 2");
    Ok(())
}
