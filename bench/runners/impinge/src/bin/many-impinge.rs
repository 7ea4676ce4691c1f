//! impinge in the races of many bodies.
use contract::{
    Pose,
    many::{Bodies, Corners, Made, ManyBodiesLibrary, Race, main as contract_main},
};
use impinge::{
    Mesh, Model, Scene,
    broad_phase::{Aabb, BroadPhase, BroadPhaseKind, BruteForce, DynamicTree, Grid},
    scene::{BodyId, Detail, Enclosure, SceneOptions},
};
use std::{process::ExitCode, sync::Arc};

/// Every implementation, by its name.
fn phase(method: &str) -> Result<Box<dyn BroadPhase>, String> {
    match method {
        "brute-force" => Ok(Box::new(BruteForce)),
        "grid" => Ok(Box::new(Grid::new())),
        "dynamic-tree" => Ok(Box::new(DynamicTree::new())),
        _ => Err(format!("methods for boxes are brute-force, grid and dynamic-tree, not `{method}`")),
    }
}

struct BoxRace {
    phase: Box<dyn BroadPhase>,
    boxes: Vec<Aabb>,
    changed: Vec<u32>,
    pairs: Vec<[u32; 2]>,
}

impl Race<[Corners]> for BoxRace {
    fn place(&mut self, frame: &[Corners]) -> Result<(), String> {
        self.boxes.clear();
        self.boxes.extend(frame.iter().map(|&[lo, hi]| Aabb { lo, hi }));
        self.changed.clear();
        self.changed.extend(0..frame.len() as u32);
        Ok(())
    }
    fn update(&mut self) {
        self.phase.update(&self.boxes, &self.changed, &mut self.pairs);
    }
    fn found(&mut self, pairs: &mut Vec<[u32; 2]>) -> usize {
        pairs.extend(&self.pairs);
        0
    }
}

struct BodyRace {
    scene: Scene,
    bodies: Vec<BodyId>,
    poses: Vec<impinge::Pose>,
    detail: Detail,
}

fn poses(frame: &[Pose]) -> Result<Vec<impinge::Pose>, String> {
    let pose = |to: &Pose| impinge::Pose::rigid(to.rows, to.translation).map_err(|error| error.to_string());
    frame.iter().map(pose).collect()
}

impl Race<[Pose]> for BodyRace {
    fn place(&mut self, frame: &[Pose]) -> Result<(), String> {
        self.poses = poses(frame)?;
        Ok(())
    }
    fn update(&mut self) {
        for (&body, &pose) in self.bodies.iter().zip(&self.poses) {
            // Every body is in the scene.
            let _ = self.scene.set_pose(body, pose);
        }
        self.scene.update(self.detail);
    }
    fn found(&mut self, pairs: &mut Vec<[u32; 2]>) -> usize {
        let contacts = self.scene.contacts();
        // Bodies were added in order, and none removed: a slot is an index.
        pairs.extend(contacts.iter().map(|contact| contact.bodies.map(|body| body.slot() as u32)));
        // No lists of triangles, unless requested.
        let count = |contact| self.scene.triangle_pairs(contact).map_or(0, <[_]>::len);
        contacts.iter().map(count).sum()
    }
}

struct Impinge;

fn choose<T: Copy>(text: &str, all: &[T], name: impl Fn(T) -> &'static str) -> Result<T, String> {
    let known = || all.iter().map(|&one| name(one)).collect::<Vec<_>>().join(", ");
    all.iter()
        .copied()
        .find(|&one| name(one) == text)
        .ok_or_else(|| format!("`{text}` is not one of {}", known()))
}

impl ManyBodiesLibrary for Impinge {
    const NAME: &'static str = "impinge";
    const VERSION: &'static str = "this tree (see the revision of the record)";

    fn bodies(scene: &Bodies, method: &str, all: bool) -> Made<Pose> {
        let (phase, enclosure) = method.split_once(':').unwrap_or((method, "rotated"));
        let options = SceneOptions::new()
            .broad_phase(choose(phase, BroadPhaseKind::ALL, BroadPhaseKind::name)?)
            .enclosure(choose(enclosure, Enclosure::ALL, Enclosure::name)?);
        let model = |mesh: &contract::Mesh| {
            let mesh = Mesh::new(mesh.points.clone(), mesh.triangles.clone()).map_err(|e| e.to_string())?;
            Ok::<_, String>(Arc::new(Model::new(mesh)))
        };
        let models: Vec<_> = scene.meshes.iter().map(model).collect::<Result<_, _>>()?;
        let poses = poses(scene.frames.first().ok_or("no frames")?)?;
        let mut world = Scene::with_options(options);
        let add = |(&mesh, &pose): (&u32, _)| world.add(Arc::clone(&models[mesh as usize]), pose);
        let bodies = scene.bodies.iter().zip(&poses).map(add).collect::<Result<_, _>>();
        let bodies = bodies.map_err(|error| error.to_string())?;
        let detail = if all { Detail::Triangles } else { Detail::Bodies };
        let notes = format!("Scene, broad phase `{phase}`, enclosure `{enclosure}`; update on one thread");
        Ok((Box::new(BodyRace { scene: world, bodies, poses, detail }), notes))
    }
    fn boxes(first: &[Corners], method: &str) -> Made<Corners> {
        let boxes = Vec::with_capacity(first.len());
        let race = BoxRace { phase: phase(method)?, boxes, changed: Vec::new(), pairs: Vec::new() };
        Ok((Box::new(race), format!("broad_phase `{method}`, with all boxes marked as changed")))
    }
}

fn main() -> ExitCode {
    contract_main::<Impinge>()
}
