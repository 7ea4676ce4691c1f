//! parry3d-f64 in the races of many bodies: its `Bvh` as a broad phase, and its trees or its own test of two
//! meshes below that.
use contract::{
    Pose,
    many::{Bodies, Corners, Made, ManyBodiesLibrary, Race, main as contract_main},
};
use parry3d_f64::{
    bounding_volume::{Aabb, BoundingVolume},
    math::{Mat3, Pose as ParryPose, Rotation, Vector},
    partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace},
    query,
    shape::TriMesh,
    utils::hashmap::{Entry, HashMap},
};
use std::process::ExitCode;

#[path = "../triangle.rs"]
mod triangle;

/// Method by which the tree follows the boxes.
#[derive(Clone, Copy)]
enum Upkeep {
    /// Leaves are set, subtrees are rebuilt in turn, the tree is refitted; then all pairs are searched again.
    Refit,
    /// A new tree every frame.
    Rebuild,
    /// As in rapier: loosened leaves, a table of pairs, and a search for pairs where a box left its leaf.
    /// Margin by which a box is loosened.
    Changes(f64),
}

struct Phase {
    upkeep: Upkeep,
    tree: Bvh,
    workspace: BvhWorkspace,
    /// Pairs of loosened boxes, with the update that last found them.
    known: HashMap<(u32, u32), u32>,
    updates: u32,
}

impl Phase {
    fn new(boxes: &[Aabb], upkeep: Upkeep) -> Self {
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, boxes);
        Self { upkeep, tree, workspace: BvhWorkspace::default(), known: HashMap::default(), updates: 0 }
    }
    /// All pairs of boxes that meet.
    fn update(&mut self, boxes: &[Aabb], mut each: impl FnMut(u32, u32)) {
        let workspace = &mut self.workspace;
        let margin = match self.upkeep {
            Upkeep::Rebuild => {
                self.tree = Bvh::from_leaves(BvhBuildStrategy::Binned, boxes);
                self.tree.traverse_bvtt_single_tree::<false>(workspace, &mut each);
                return;
            }
            Upkeep::Refit => 0.0,
            Upkeep::Changes(margin) => margin,
        };
        for (i, b) in (0..).zip(boxes) {
            self.tree.insert_or_update_partially(*b, i, margin);
        }
        // The same order as in rapier.
        self.tree.optimize_incremental(workspace);
        self.tree.refit(workspace);
        if margin == 0.0 {
            self.tree.traverse_bvtt_single_tree::<false>(workspace, &mut each);
            return;
        }
        let (known, first) = (&mut self.known, self.updates == 0);
        self.updates += 1;
        let now = self.updates;
        let mut see = |i: u32, j: u32| match known.entry((i.min(j), i.max(j))) {
            Entry::Occupied(mut seen) => *seen.get_mut() = now,
            Entry::Vacant(new) => {
                new.insert(now);
            }
        };
        if first {
            self.tree.traverse_bvtt_single_tree::<false>(workspace, &mut see);
        } else {
            self.tree.traverse_bvtt_single_tree::<true>(workspace, &mut see);
        }
        let tree = &self.tree;
        known.retain(|&(i, j), seen| {
            let near = *seen == now
                || match (tree.leaf_node(i), tree.leaf_node(j)) {
                    (Some(p), Some(q)) => !(p.is_changed() || q.is_changed()) || p.intersects(q),
                    _ => false,
                };
            if near && boxes[i as usize].intersects(&boxes[j as usize]) {
                each(i, j);
            }
            near
        });
    }
}

struct BoxRace {
    phase: Phase,
    boxes: Vec<Aabb>,
    pairs: Vec<[u32; 2]>,
}

fn aabb([lo, hi]: &Corners) -> Aabb {
    Aabb::new(Vector::from_array(*lo), Vector::from_array(*hi))
}

impl Race<[Corners]> for BoxRace {
    fn place(&mut self, frame: &[Corners]) -> Result<(), String> {
        self.boxes.clear();
        self.boxes.extend(frame.iter().map(aabb));
        Ok(())
    }
    fn update(&mut self) {
        self.pairs.clear();
        self.phase.update(&self.boxes, |i, j| self.pairs.push([i, j]));
    }
    fn found(&mut self, pairs: &mut Vec<[u32; 2]>) -> usize {
        pairs.extend(&self.pairs);
        0
    }
}

struct BodyRace {
    phase: Phase,
    meshes: Vec<TriMesh>,
    bodies: Vec<u32>,
    all: bool,
    poses: Vec<ParryPose>,
    boxes: Vec<Aabb>,
    pairs: Vec<[u32; 2]>,
    triangles: usize,
}

/// Number of pairs of triangles of two meshes, counted as in `engine.rs`.
fn triangle_pairs(a: &TriMesh, b: &TriMesh, b_to_a: &ParryPose) -> usize {
    let near = |p: &BvhNode, q: &BvhNode| p.aabb().intersects(&q.aabb().transform_by(b_to_a));
    let corners = |t: parry3d_f64::shape::Triangle| [t.a, t.b, t.c].map(|v| [v.x, v.y, v.z]);
    let meet = |i, j| triangle::meet(corners(a.triangle(i)), corners(b.triangle(j).transformed(b_to_a)));
    a.bvh().leaf_pairs(b.bvh(), near).filter(|&(i, j)| meet(i, j)).count()
}

impl Race<[Pose]> for BodyRace {
    fn place(&mut self, frame: &[Pose]) -> Result<(), String> {
        let pose = |to: &Pose| {
            let column = |j: usize| Vector::new(to.rows[0][j], to.rows[1][j], to.rows[2][j]);
            let rotation = Rotation::from_mat3(&Mat3::from_cols(column(0), column(1), column(2)));
            ParryPose::from_parts(Vector::from_array(to.translation), rotation.normalize())
        };
        self.poses.clear();
        self.poses.extend(frame.iter().map(pose));
        Ok(())
    }
    fn update(&mut self) {
        let Self { phase, meshes, bodies, all, poses, boxes, pairs, triangles } = self;
        boxes.clear();
        boxes.extend(poses.iter().zip(&*bodies).map(|(pose, &mesh)| meshes[mesh as usize].aabb(pose)));
        pairs.clear();
        *triangles = 0;
        phase.update(boxes, |i, j| {
            let [(a, p), (b, q)] = [i, j].map(|i| (&meshes[bodies[i as usize] as usize], &poses[i as usize]));
            let meet = if *all {
                let count = triangle_pairs(a, b, &p.inv_mul(q));
                *triangles += count;
                count > 0
            } else {
                query::intersection_test(p, a, q, b).is_ok_and(|found| found.intersecting)
            };
            if meet {
                pairs.push([i, j]);
            }
        });
    }
    fn found(&mut self, pairs: &mut Vec<[u32; 2]>) -> usize {
        pairs.extend(&self.pairs);
        self.triangles
    }
}

struct Parry;

fn upkeep(method: &str) -> Result<(Upkeep, &'static str), String> {
    match method {
        "refit" => Ok((Upkeep::Refit, "leaves set, optimize_incremental, refit, all pairs of the tree")),
        "rebuild" => Ok((Upkeep::Rebuild, "Bvh::from_leaves (binned) every frame, all pairs of the tree")),
        "changes" => Ok((
            Upkeep::Changes(0.001),
            "as in rapier: leaves loosened by 0.001, optimize_incremental, refit, pairs \
             of changed leaves, a hash table of pairs, filtered by the boxes",
        )),
        _ => Err(format!("methods are refit, rebuild and changes, not `{method}`")),
    }
}

impl ManyBodiesLibrary for Parry {
    const NAME: &'static str = "parry3d-f64";
    const VERSION: &'static str = env!("PARRY_VERSION");

    fn bodies(scene: &Bodies, method: &str, all: bool) -> Made<Pose> {
        let mesh = |mesh: &contract::Mesh| {
            let points = mesh.points.iter().map(|&p| Vector::from_array(p)).collect();
            TriMesh::new(points, mesh.triangles.clone()).map_err(|e| format!("parry refuses the mesh: {e}"))
        };
        let meshes = scene.meshes.iter().map(mesh).collect::<Result<Vec<_>, _>>()?;
        let (upkeep, notes) = upkeep(method)?;
        let mut race = BodyRace {
            phase: Phase::new(&[], upkeep),
            meshes,
            bodies: scene.bodies.clone(),
            all,
            poses: Vec::new(),
            boxes: Vec::new(),
            pairs: Vec::new(),
            triangles: 0,
        };
        race.place(scene.frames.first().ok_or("no frames")?)?;
        race.boxes.extend(
            race.poses.iter().zip(&race.bodies).map(|(pose, &mesh)| race.meshes[mesh as usize].aabb(pose)),
        );
        race.phase = Phase::new(&race.boxes, upkeep);
        let below = if all {
            "leaf_pairs and a plain f64 test that is not parry's"
        } else {
            "query::intersection_test"
        };
        Ok((Box::new(race), format!("{notes}; below: {below}")))
    }
    fn boxes(first: &[Corners], method: &str) -> Made<Corners> {
        let (upkeep, notes) = upkeep(method)?;
        let boxes: Vec<_> = first.iter().map(aabb).collect();
        Ok((
            Box::new(BoxRace { phase: Phase::new(&boxes, upkeep), boxes, pairs: Vec::new() }),
            notes.to_owned(),
        ))
    }
}

fn main() -> ExitCode {
    contract_main::<Parry>()
}
