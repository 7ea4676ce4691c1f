//! Hu and others' broad phase: cubes that contain the bodies in every orientation, and three sorted lists of
//! their ends.
use super::sorted_lists::SortedLists;
use crate::{
    Error,
    measure::walk,
    rounds::{Rounds, Timed},
};
use impinge::{
    Mesh, Pose,
    broad_phase::{Aabb, BroadPhase},
};
use impinge_testkit::scenes::ManyBodies;

/// The broad phase of many bodies: the same for all contenders.
#[derive(Clone)]
pub(super) struct Broad {
    /// Time of each frame: lists kept from the frame before, and lists made from scratch.
    pub(super) kept: Vec<Timed>,
    pub(super) anew: Vec<Timed>,
    /// The pairs of bodies that it leaves in each frame, and the number of all pairs.
    pub(super) near: Vec<Vec<[u32; 2]>>,
    pub(super) all: usize,
}

impl Rounds for Broad {
    fn keep(&mut self, round: usize) {
        self.kept.keep(round);
        self.anew.keep(round);
    }
}

#[derive(Default)]
struct State {
    lists: SortedLists,
    cubes: Vec<Aabb>,
    near: Vec<[u32; 2]>,
}

/// The pairs of bodies that the paper's broad phase leaves in each frame.
pub(crate) fn near(scene: &ManyBodies) -> Vec<Vec<[u32; 2]>> {
    let balls: Vec<_> = scene.meshes.iter().map(|mesh| ball(mesh)).collect();
    let everybody: Vec<u32> = (0..).take(scene.bodies.len()).collect();
    let mut state = State::default();
    let each = |poses: &Vec<Pose>| {
        state.cubes = scene.bodies.iter().zip(poses).map(|(&mesh, pose)| cube(&balls[mesh], pose)).collect();
        state.lists.update(&state.cubes, &everybody, &mut state.near);
        state.near.sort_unstable();
        state.near.clone()
    };
    scene.frames.iter().map(each).collect()
}

/// Runs the paper's broad phase through all frames.
pub(super) fn broad(scene: &ManyBodies) -> Result<Broad, Error> {
    let balls: Vec<_> = scene.meshes.iter().map(|mesh| ball(mesh)).collect();
    let everybody: Vec<u32> = (0..).take(scene.bodies.len()).collect();
    let kept = |state: &mut State, frame: usize| {
        let bodies = scene.bodies.iter().zip(&scene.frames[frame]);
        state.cubes.clear();
        state.cubes.extend(bodies.map(|(&mesh, pose)| cube(&balls[mesh], pose)));
        state.lists.update(&state.cubes, &everybody, &mut state.near);
    };
    let anew = |state: &mut State, frame: usize| {
        state.lists = SortedLists::new();
        kept(state, frame);
    };
    let (mut one, mut other, mut near) = (State::default(), State::default(), Vec::new());
    for frame in 0..scene.frames.len() {
        kept(&mut one, frame);
        anew(&mut other, frame);
        for pairs in [&mut one.near, &mut other.near] {
            pairs.sort_unstable();
        }
        if one.near != other.near {
            return Err(Error::Disagreement(format!(
                "scene {}, frame {frame}: lists that were kept leave {} pairs of bodies, new ones {}",
                scene.name,
                one.near.len(),
                other.near.len()
            )));
        }
        near.push(one.near.clone());
    }
    let frames = scene.frames.len();
    Ok(Broad {
        kept: walk(frames, State::default, kept),
        anew: walk(frames, State::default, anew),
        near,
        all: scene.bodies.len() * (scene.bodies.len() - 1) / 2,
    })
}

/// Hu and others' cube around a mesh: the mean of the triangles' corners and the largest distance of a corner
/// from it (their equation (1); section 2). It contains the mesh in every orientation.
fn ball(mesh: &Mesh) -> ([f64; 3], f64) {
    let corners = || mesh.triangles().as_flattened().iter().map(|&i| mesh.points()[i as usize]);
    let n = (3 * mesh.len()).max(1) as f64;
    let c = [0, 1, 2].map(|k| corners().map(|v| v[k]).sum::<f64>() / n);
    let far = corners().map(|v| (0..3).map(|k| (v[k] - c[k]).powi(2)).sum::<f64>()).fold(0.0, f64::max);
    // Rounded up by far more than any rounding error here.
    (c, far.sqrt() * (1.0 + 1e-9) + 1e-9)
}

fn cube(&(c, r): &([f64; 3], f64), pose: &Pose) -> Aabb {
    let c = pose.place(c);
    Aabb { lo: c.map(|x| x - r), hi: c.map(|x| x + r) }
}
