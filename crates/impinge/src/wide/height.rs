//! The traversal for heights over a plane: the lowest volumes first, as long as they are not above a limit.
//!
//! # Bound
//! That of `region.rs`: in the tree's frame, and divided by a scale, the plane's value at a box is off by
//! `error` and 16 u. The limit is divided by the scale, too, and rounded up.
use super::{
    relative::up,
    tree::{TreeView, WideTree},
    waiting::{WaitingStack, furthest},
};
use crate::{
    Pose, SimdLevel,
    counters::Count,
    from_world::RoundedPlane,
    half_space::HalfSpace,
    motion::{Motion, Rotation},
    normalized_frame::NormalizedFrame,
    simd::{Simd, Work, detect},
    stop::StopFlag,
    triangle::lanes::dot,
    vector::UNIT_F32,
};
use std::ops::ControlFlow;

/// A tree at a pose, and a half-space.
#[derive(Clone, Copy)]
pub(crate) struct WideHeightTask<'a> {
    pub(crate) tree: &'a WideTree,
    pub(crate) pose: &'a Pose,
    pub(crate) half_space: &'a HalfSpace,
    pub(crate) stop: StopFlag<'a>,
}

/// Calls `take` with each triangle that may have a point x with n.x - d at most `limit`, until it breaks or
/// the stop flag is set. `take` returns the limit from then on. A limit is not negative and does not grow.
pub(crate) fn walk(
    level: SimdLevel,
    WideHeightTask { tree, pose, half_space, stop }: WideHeightTask<'_>,
    limit: f64,
    stack: &mut WaitingStack,
    count: &mut Count,
    take: &mut dyn FnMut(u32) -> ControlFlow<(), f64>,
) {
    if tree.nodes.is_empty() {
        return;
    }
    let to_world = Motion::between(pose, &Pose::IDENTITY)
        .in_normalized_frames(&tree.normalized, &NormalizedFrame::WORLD)
        .turned(&tree.turn, &Rotation::new(*Pose::IDENTITY.rows()));
    let plane = RoundedPlane::new(&to_world, half_space, tree.reach);
    detect(level).call(HeightWalk { tree: tree.view(), plane, limit, stop, stack, count, take });
}

struct HeightWalk<'a, 's> {
    tree: TreeView<'a>,
    plane: RoundedPlane,
    limit: f64,
    stop: StopFlag<'a>,
    stack: &'s mut WaitingStack,
    count: &'s mut Count,
    take: &'s mut dyn FnMut(u32) -> ControlFlow<(), f64>,
}

/// A limit in the tree's units, enlarged by the bound.
fn most(plane: &RoundedPlane, limit: f64) -> f32 {
    up((limit / plane.scale).next_up() + plane.error + 16.0 * UNIT_F32)
}

impl Work for HeightWalk<'_, '_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { tree, plane, limit, stop, stack, count, take } = self;
        let mut far = furthest(most(&plane, limit));
        let a = plane.a.map(|a| a as f32);
        let ([x, y, z], b) = (a, plane.b as f32);
        let sizes = [x.abs(), y.abs(), z.abs()];
        stack.clear();
        let (mut node, mut steps) = (0, 0_usize);
        loop {
            let at = &tree.nodes[node as usize];
            count.volumes_tested(u64::from(at.used.count_ones()));
            let boxes = at.boxes(simd);
            let value = dot(simd.eights(&[x, y, z]), boxes.c) + simd.eight(b);
            let low = value - dot(simd.eights(&sizes), boxes.e);
            let mut next = stack.open(simd, node, low, at.used, far);
            node = loop {
                if steps & 15 == 0 && stop.is_set() {
                    return;
                }
                steps += 1;
                let Some((parent, lane)) = next else { return };
                let at = &tree.nodes[parent as usize];
                if at.leaves >> lane & 1 == 0 {
                    break at.child(lane);
                }
                let leaf = at.leaf(lane, tree.precision);
                count.leaves_met(u64::from(leaf.count));
                for &triangle in &tree.order[leaf.first as usize..][..leaf.count as usize] {
                    let ControlFlow::Continue(limit) = take(triangle) else { return };
                    far = furthest(most(&plane, limit));
                }
                next = stack.pop(far);
            };
        }
    }
}
