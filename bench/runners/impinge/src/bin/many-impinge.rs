//! impinge among many.
use contract::{
    Pose,
    many::{Bodies, Corners, Library, Race, main as contract_main},
};
use impinge::{
    Body, BuildOptions, Mesh, Model, Query, QueryCache, Scratch, WorldBox,
    broad_phase::{BroadPhase, BruteForce, Extent, Grid},
};
use std::{collections::HashMap, process::ExitCode, sync::Arc};

fn phase(method: &str) -> Result<Box<dyn BroadPhase>, String> {
    match method {
        "brute-force" => Ok(Box::new(BruteForce)),
        "grid" => Ok(Box::new(Grid::new())),
        _ => Err(format!("methods are brute-force and grid, not `{method}`")),
    }
}

struct BoxRace {
    phase: Box<dyn BroadPhase>,
    boxes: Vec<Extent>,
    changed: Vec<u32>,
    pairs: Vec<[u32; 2]>,
}

impl Race<[Corners]> for BoxRace {
    fn place(&mut self, frame: &[Corners]) -> Result<(), String> {
        self.boxes.clear();
        self.boxes.extend(frame.iter().map(|&[lo, hi]| Extent { lo, hi }));
        self.changed = (0..frame.len() as u32).collect();
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

/// A broad phase, and each of its pairs asked by itself.
struct BodyRace {
    models: Vec<Arc<Model>>,
    bodies: Vec<u32>,
    all: bool,
    poses: Vec<impinge::Pose>,
    phase: Box<dyn BroadPhase>,
    boxes: Vec<Extent>,
    near: Vec<[u32; 2]>,
    caches: HashMap<[u32; 2], QueryCache>,
    scratch: Scratch,
    met: Vec<[u32; 2]>,
    triangles: usize,
    of_triangles: Vec<[u32; 2]>,
}

impl Race<[Pose]> for BodyRace {
    fn place(&mut self, frame: &[Pose]) -> Result<(), String> {
        let pose = |to: &Pose| impinge::Pose::rigid(to.rows, to.translation).map_err(|error| error.to_string());
        self.poses = frame.iter().map(pose).collect::<Result<_, _>>()?;
        Ok(())
    }
    fn update(&mut self) {
        self.boxes.clear();
        for (pose, &model) in self.poses.iter().zip(&self.bodies) {
            let found = WorldBox::new(self.models[model as usize].mesh(), pose);
            self.boxes.push(found.map_or(Extent::EMPTY, |b| Extent { lo: b.lower(), hi: b.upper() }));
        }
        let changed: Vec<u32> = (0..self.boxes.len() as u32).collect();
        self.phase.update(&self.boxes, &changed, &mut self.near);
        let query = Query::default();
        self.met.clear();
        self.triangles = 0;
        for &pair in &self.near {
            let [a, b] = pair.map(|i| Body::new(&self.models[self.bodies[i as usize] as usize], self.poses[i as usize]));
            let cache = self.caches.entry(pair).or_default();
            let meet = if self.all {
                query.intersecting_pairs_cached(&a, &b, cache, &mut self.scratch, &mut self.of_triangles, &mut ());
                self.triangles += self.of_triangles.len();
                !self.of_triangles.is_empty()
            } else {
                query.intersects_cached(&a, &b, cache, &mut self.scratch, &mut ()).is_some()
            };
            if meet {
                self.met.push(pair);
            }
        }
    }
    fn found(&mut self, pairs: &mut Vec<[u32; 2]>) -> usize {
        pairs.extend(&self.met);
        self.triangles
    }
}

struct Impinge;

impl Library for Impinge {
    const NAME: &'static str = "impinge";
    const VERSION: &'static str = "this tree (see the revision of the record)";

    fn bodies(scene: &Bodies, method: &str, all: bool) -> Result<(Box<dyn Race<[Pose]>>, String), String> {
        let model = |mesh: &contract::Mesh| {
            let mesh = Mesh::new(mesh.points.clone(), mesh.triangles.clone()).map_err(|error| error.to_string())?;
            Ok::<_, String>(Arc::new(Model::new(mesh, &BuildOptions::default())))
        };
        let models = scene.meshes.iter().map(model).collect::<Result<_, _>>()?;
        let race = BodyRace {
            models,
            bodies: scene.bodies.clone(),
            all,
            poses: Vec::new(),
            phase: phase(method)?,
            boxes: Vec::new(),
            near: Vec::new(),
            caches: HashMap::new(),
            scratch: Scratch::new(),
            met: Vec::new(),
            triangles: 0,
            of_triangles: Vec::new(),
        };
        Ok((Box::new(race), format!("NOT Scene: WorldBox of every body, broad phase `{method}`, a QueryCache a pair")))
    }
    fn boxes(first: &[Corners], method: &str) -> Result<(Box<dyn Race<[Corners]>>, String), String> {
        let boxes = Vec::with_capacity(first.len());
        let race = BoxRace { phase: phase(method)?, boxes, changed: Vec::new(), pairs: Vec::new() };
        Ok((Box::new(race), format!("broad_phase `{method}`; all boxes changed")))
    }
}

fn main() -> ExitCode {
    contract_main::<Impinge>()
}
