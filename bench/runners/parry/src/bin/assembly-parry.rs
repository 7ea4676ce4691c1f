//! Finds every clash of an assembly by parry3d-f64, as its users would: a tree of the parts' boxes, a
//! `TriMesh` of each part that meets another's box, `Bvh::leaf_pairs` of each two such parts.
use contract::assembly::{AssemblyLibrary, Found, Part, main as contract_main};
use parry3d_f64::{
    bounding_volume::Aabb,
    math::Vector,
    partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace},
    shape::{TriMesh, Triangle},
};
use std::process::ExitCode;

#[path = "../triangle.rs"]
mod triangle;

struct Parry;

impl AssemblyLibrary for Parry {
    const NAME: &'static str = "parry3d-f64 Bvh::leaf_pairs, plain test";
    const VERSION: &'static str = env!("PARRY_VERSION");
    const NOTES: &'static str = "reads by impinge-io; Bvh over the parts, a TriMesh of each part whose box \
        meets another's, boxes of both trees compared as they stand; a plain f64 test that is not parry's";

    fn find(parts: &[Part]) -> Result<Found, String> {
        let boxes: Vec<Aabb> = parts
            .iter()
            .map(|part| Aabb::from_points(part.mesh.points().iter().map(|&p| Vector::from_array(p))))
            .collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let mut near = Vec::new();
        tree.traverse_bvtt_single_tree::<false>(&mut BvhWorkspace::default(), &mut |i: u32, j: u32| {
            near.push([i as usize, j as usize]);
        });
        let mut meshes: Vec<Option<TriMesh>> = parts.iter().map(|_| None).collect();
        for &i in near.as_flattened() {
            if meshes[i].is_none() {
                let mesh = &parts[i].mesh;
                let points = mesh.points().iter().map(|&p| Vector::from_array(p)).collect();
                let made = TriMesh::new(points, mesh.triangles().to_vec());
                meshes[i] = Some(made.map_err(|error| format!("parry refuses a part: {error}"))?);
            }
        }
        let mut found = Found::default();
        for [i, j] in near {
            let (Some(a), Some(b)) = (&meshes[i], &meshes[j]) else { continue };
            let pairs = triangle_pairs(a, b);
            found.clashing += usize::from(pairs > 0);
            found.triangle_pairs += pairs;
        }
        Ok(found)
    }
}

fn triangle_pairs(a: &TriMesh, b: &TriMesh) -> usize {
    let near = |p: &BvhNode, q: &BvhNode| p.intersects(q);
    let corners = |t: Triangle| [t.a, t.b, t.c].map(|v| [v.x, v.y, v.z]);
    let meet = |i, j| triangle::meet(corners(a.triangle(i)), corners(b.triangle(j)));
    a.bvh().leaf_pairs(b.bvh(), near).filter(|&(i, j)| meet(i, j)).count()
}

fn main() -> ExitCode {
    contract_main::<Parry>()
}
