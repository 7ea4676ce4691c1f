// Included by both binaries, below `use parry3d... as parry` and `type Real`.
use contract::{Arguments, Engine, Frame, Mesh};
use parry::{
    bounding_volume::BoundingVolume,
    math::{Mat3, Pose, Rotation, Vector},
    partitioning::BvhNode,
    query,
    shape::TriMesh,
};
use std::process::ExitCode;

#[path = "triangle.rs"]
mod triangle;

struct Parry {
    meshes: [TriMesh; 2],
    poses: [Pose; 2],
    gjk: bool,
}

impl Engine for Parry {
    /// The test of two triangles: plain, in f64; or parry's GJK, the test in its own `intersection_test`.
    const OPTIONS: &'static [(&'static str, &'static str)] = &[("triangles", "plain")];
    type Input = (Vec<Vector>, Vec<[u32; 3]>);

    fn input(mesh: &Mesh) -> Result<Self::Input, String> {
        let points =
            mesh.points.iter().map(|p| Vector::new(p[0] as Real, p[1] as Real, p[2] as Real)).collect();
        Ok((points, mesh.triangles.clone()))
    }
    fn build(a: Self::Input, b: Self::Input, arguments: &Arguments) -> Result<Self, String> {
        let gjk = arguments.choose("triangles", &["plain", "gjk"], |name| name)? == "gjk";
        let mesh = |(points, triangles): Self::Input| {
            TriMesh::new(points, triangles).map_err(|error| format!("parry refuses the mesh: {error}"))
        };
        Ok(Self { meshes: [mesh(a)?, mesh(b)?], poses: [Pose::IDENTITY; 2], gjk })
    }
    fn name(&self) -> String {
        format!("{NAME} Bvh::leaf_pairs, {}", if self.gjk { "GJK" } else { "plain test" })
    }
    fn version(&self) -> String {
        VERSION.to_owned()
    }
    fn notes(&self) -> String {
        let test = if self.gjk {
            "triangles by parry's GJK"
        } else {
            "triangles by a plain f64 test, not parry's code, as it has no fast public one"
        };
        format!(
            "{}: vertices, and poses as the nearest unit quaternion; boxes placed pair by pair as its \
             mesh_intersection does; {test}; \
             `first` is query::intersection_test, `distance` query::distance, which asks each triangle of \
             the one mesh that is near enough about all of the other",
            std::any::type_name::<Real>()
        )
    }
    /// The vectors are moved in, not copied.
    fn copied(&self) -> usize {
        0
    }
    fn place(&mut self, frame: &Frame) -> Result<(), String> {
        for (pose, to) in self.poses.iter_mut().zip(frame) {
            let column =
                |j: usize| Vector::new(to.rows[0][j] as Real, to.rows[1][j] as Real, to.rows[2][j] as Real);
            let [x, y, z] = to.translation.map(|t| t as Real);
            let rotation = Rotation::from_mat3(&Mat3::from_cols(column(0), column(1), column(2)));
            *pose = Pose::from_parts(Vector::new(x, y, z), rotation.normalize());
        }
        Ok(())
    }
    fn query(&mut self, all: bool, pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        let [a, b] = &self.meshes;
        if !all {
            // It returns whether they meet, not where.
            if query::intersection_test(&self.poses[0], a, &self.poses[1], b)
                .is_ok_and(|found| found.intersecting)
            {
                pairs.push([0, 0]);
            }
            return;
        }
        let b_to_a = self.poses[0].inv_mul(&self.poses[1]);
        let near = |p: &BvhNode, q: &BvhNode| p.aabb().intersects(&q.aabb().transform_by(&b_to_a));
        for (i, j) in a.bvh().leaf_pairs(b.bvh(), near) {
            let (p, q) = (a.triangle(i), b.triangle(j));
            let meet = if self.gjk {
                query::details::intersection_test_support_map_support_map(&b_to_a, &p, &q)
            } else {
                let corners =
                    |t: parry::shape::Triangle| [t.a, t.b, t.c].map(|v| [v.x, v.y, v.z].map(f64::from));
                triangle::meet(corners(p), corners(q.transformed(&b_to_a)))
            };
            if meet {
                pairs.push([i, j]);
            }
        }
    }
    fn distance(&mut self) -> Result<f64, String> {
        let [a, b] = &self.meshes;
        let found = query::distance(&self.poses[0], a, &self.poses[1], b);
        // Stored in an array, as f64 needs no conversion.
        let [distance] = [found.map_err(|error| error.to_string())?.distance].map(f64::from);
        Ok(distance)
    }
}

fn main() -> ExitCode {
    contract::main::<Parry>()
}
