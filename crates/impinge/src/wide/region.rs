//! The traversal for convex regions: volumes beyond a plane are excluded, volumes inside all of them are
//! taken as they are.
//!
//! # Bound
//! u = 2^-24. The head of `from_world.rs` takes planes to the tree's frame and divides them by a number so
//! that a.y + b is at most 1. Then it rounds to f32 by u, a box's value a.c + b by 4 u, its reach |a|.e by 4
//! u and their sum by 2 u. `pad` is the plane's error and 16 u.
use super::{
    node::WIDTH,
    relative::up,
    tree::{TreeView, WideTree},
};
use crate::{
    Pose, SimdLevel,
    counters::Count,
    from_world::RoundedPlane,
    half_space::HalfSpace,
    motion::{Motion, Rotation},
    normalized_frame::NormalizedFrame,
    simd::{Lanes, Mask, Simd, Work, detect},
    stop::StopFlag,
    triangle::lanes::dot,
    vector::UNIT_F32,
};

/// A plane in the tree's frame.
#[derive(Clone, Copy, Debug)]
struct TreePlane {
    a: [f32; 3],
    b: f32,
    /// Infinite where it has no bound.
    pad: f32,
}

/// A node that may have triangles in the region.
#[derive(Clone, Copy, Debug)]
struct WaitingNode {
    node: u32,
    /// A bit for each of the first 64 planes: 0 only if the whole node is inside of the plane.
    cutting: u64,
    is_inside: bool,
}

/// The memory of a traversal.
#[derive(Debug, Default)]
pub(crate) struct RegionMemory {
    planes: Vec<TreePlane>,
    waiting: Vec<WaitingNode>,
}

/// A tree at a pose, and the planes of a region.
#[derive(Clone, Copy)]
pub(crate) struct WideRegionTask<'a> {
    pub(crate) tree: &'a WideTree,
    pub(crate) pose: &'a Pose,
    pub(crate) planes: &'a [HalfSpace],
    pub(crate) stop: StopFlag<'a>,
}

/// Calls `take` with each triangle that may be in the region, and true if it certainly is, until the stop
/// flag is set.
pub(crate) fn walk(
    level: SimdLevel,
    WideRegionTask { tree, pose, planes, stop }: WideRegionTask<'_>,
    memory: &mut RegionMemory,
    count: &mut Count,
    take: &mut dyn FnMut(u32, bool),
) {
    memory.waiting.clear();
    memory.planes.clear();
    if tree.nodes.is_empty() {
        return;
    }
    let to_world = Motion::between(pose, &Pose::IDENTITY)
        .in_normalized_frames(&tree.normalized, &NormalizedFrame::WORLD)
        .turned(&tree.turn, &Rotation::new(*Pose::IDENTITY.rows()));
    memory.planes.extend(planes.iter().map(|plane| placed(&to_world, plane, tree.reach)));
    memory.waiting.push(WaitingNode { node: 0, cutting: u64::MAX, is_inside: planes.is_empty() });
    detect(level).call(RegionWalk { tree: tree.view(), stop, memory, count, take });
}

fn placed(to_world: &Motion, plane: &HalfSpace, reach: f64) -> TreePlane {
    let RoundedPlane { a, b, error, .. } = RoundedPlane::new(to_world, plane, reach);
    TreePlane { a: a.map(|a| a as f32), b: b as f32, pad: up(error + 16.0 * UNIT_F32) }
}

struct RegionWalk<'a, 's> {
    tree: TreeView<'a>,
    stop: StopFlag<'a>,
    memory: &'s mut RegionMemory,
    count: &'s mut Count,
    take: &'s mut dyn FnMut(u32, bool),
}

impl Work for RegionWalk<'_, '_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { tree, stop, memory: RegionMemory { planes, waiting }, count, take } = self;
        let mut steps = 0_usize;
        while let Some(WaitingNode { node, cutting, is_inside }) = waiting.pop() {
            if steps & 15 == 0 && stop.is_set() {
                return;
            }
            steps += 1;
            let node = &tree.nodes[node as usize];
            let (mut beyond, mut cut) = (0, if is_inside { 0 } else { u32::from(node.used) });
            let mut by_lane = [0_u64; WIDTH];
            if !is_inside {
                count.volumes_tested(u64::from(node.used.count_ones()));
                let boxes = node.boxes(simd);
                cut = 0;
                for (i, plane) in planes.iter().enumerate() {
                    if i < 64 && cutting >> i & 1 == 0 {
                        continue;
                    }
                    let [x, y, z] = plane.a;
                    let a = simd.eights(&plane.a);
                    let value = dot(a, boxes.c) + simd.eight(plane.b);
                    let reach = dot(simd.eights(&[x.abs(), y.abs(), z.abs()]), boxes.e);
                    let pad = simd.eight(plane.pad);
                    beyond |= (value - reach).gt(pad).bits();
                    let inside = (simd.eight(0.0) - pad).gt(value + reach).bits();
                    cut |= !inside;
                    for (lane, cutting) in by_lane.iter_mut().enumerate() {
                        *cutting |= u64::from(!inside >> lane & 1) << (i & 63);
                    }
                }
            }
            for lane in (0..WIDTH).filter(|lane| u32::from(node.used) & !beyond & 1 << lane != 0) {
                let is_inside = cut >> lane & 1 == 0;
                if node.leaves >> lane & 1 == 0 {
                    waiting.push(WaitingNode { node: node.child(lane), cutting: by_lane[lane], is_inside });
                    continue;
                }
                let leaf = node.leaf(lane, tree.precision);
                count.leaves_met(u64::from(leaf.count));
                for &triangle in &tree.order[leaf.first as usize..][..leaf.count as usize] {
                    take(triangle, is_inside);
                }
            }
        }
    }
}
