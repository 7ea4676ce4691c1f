//! The body of a scene that is nearest to a point.
use super::{
    Scene,
    bodies::Slot,
    margins::wider,
    nearest_body::NearestBody,
    thread_memory::{Order, ThreadMemory},
};
use crate::{
    Body, Rounded, Threads,
    body_id::BodyId,
    broad_phase::Aabb,
    distance::{Accuracy, ClosestPoint},
    margin::Margin,
    pool,
    query::{Scratch, hand_out, run_length},
    vector::Vector,
    walk::QueryContext,
    world::rotated,
};

impl Scene {
    /// The body whose surface is nearest to a point of the world; `None` if that is farther than
    /// [`Accuracy::above`], or there are no triangles. It takes the bodies' current poses and radii, with or
    /// without an update, and ignores filters.
    ///
    /// Bodies are tested in the order of their boxes, until these are farther than the nearest one found:
    /// O(bodies) and a few [`Query::closest_point`](crate::Query::closest_point)s.
    ///
    /// ```
    /// use impinge::{Mesh, Model, Pose, Scene, distance::Accuracy};
    /// use std::sync::Arc;
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Arc::new(Model::new(triangle));
    /// let mut scene = Scene::new();
    /// scene.add(Arc::clone(&model), Pose::IDENTITY)?;
    /// let above = scene.add(model, Pose::from_translation([0., 0., 5.])?)?;
    /// let found = scene.nearest_body([0.5, 0.5, 4.0], Accuracy::new()).expect("there are triangles");
    /// assert_eq!((found.body, found.closest.point), (above, [0.5, 0.5, 5.0]));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn nearest_body(&mut self, point: [f64; 3], stop: Accuracy) -> Option<NearestBody> {
        self.nearest_bodies(&[point], stop)[0]
    }
    /// Finds the [`nearest_body`](Self::nearest_body) of each point, on the threads of the scene's options.
    pub fn nearest_bodies(&mut self, points: &[[f64; 3]], stop: Accuracy) -> &[Option<NearestBody>] {
        self.placed.clear();
        self.placed.extend((0..).zip(&self.slots).filter_map(|(slot, of)| {
            let model = of.model.as_ref().filter(|model| !model.mesh().is_empty())?;
            Some((of.id(slot)?, wider(rotated(model, &of.pose), of.radius)))
        }));
        let wanted = if self.options.threads == Threads::Pool { pool::threads() } else { 1 };
        let threads = wanted.min(points.len()).max(1);
        if self.threads.len() < threads {
            self.threads.resize_with(threads, ThreadMemory::default);
        }
        let ask = QueryContext::new(self.options.simd, false, false, None);
        self.nearest.clear();
        self.nearest.resize(points.len(), None);
        let run = run_length(points.len(), threads);
        let bodies = Bodies { slots: &self.slots, placed: &self.placed };
        hand_out(&mut self.threads[..threads], &mut self.nearest, run, &|_, memory, first, slots| {
            let scratch = &mut memory.scratches.first().scratch;
            for (slot, point) in slots.iter_mut().zip(&points[first..]) {
                *slot = bodies.nearest(&ask, *point, stop, &mut memory.order, scratch);
            }
        });
        &self.nearest
    }
}

/// The bodies with triangles, and boxes around them.
#[derive(Clone, Copy)]
struct Bodies<'a> {
    slots: &'a [Slot],
    placed: &'a [(BodyId, Aabb)],
}

impl Bodies<'_> {
    /// The nearest body. It does not depend on the order of tests, as each body has an interval of its own.
    fn nearest(
        self,
        ask: &QueryContext<'_>,
        point: Vector,
        stop: Accuracy,
        order: &mut Order,
        scratch: &mut Scratch,
    ) -> Option<NearestBody> {
        if !point.iter().all(|x| x.is_finite()) {
            return None;
        }
        order.clear();
        order.extend((0..).zip(self.placed).map(|(i, (_, aabb))| (at_least(aabb, &point), i)));
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut best: Option<NearestBody> = None;
        let mut found = 0;
        for k in 0..order.len() {
            let (least, i) = order[k];
            let hi = best.map_or(f64::INFINITY, |best| best.closest.hi);
            if least > hi {
                break;
            }
            let Some(body) = self.body(i) else { continue };
            if !is_within(ask, &body, point, stop, hi, scratch) {
                continue;
            }
            let Some(closest) = nearest_point(ask, &body, point, stop, scratch) else { continue };
            order[found] = (closest.lo, i);
            found += 1;
            let (id, _) = self.placed[i as usize];
            if best.is_none_or(|best| (closest.hi, id) < (best.closest.hi, best.body)) {
                best = Some(NearestBody { body: id, closest });
            }
        }
        let mut best = best?;
        // The lower bounds of other bodies count only if they are no farther than the nearest one. So it does
        // not matter whether they were tested before it.
        for &(lo, i) in &order[..found] {
            let ClosestPoint { lo: least, hi, .. } = best.closest;
            let Some(body) = self.body(i) else { continue };
            if lo < least && is_within(ask, &body, point, stop, hi, scratch) {
                best.closest.lo = lo;
            }
        }
        Some(best)
    }

    fn body(&self, i: u32) -> Option<Rounded<'_>> {
        let (id, _) = self.placed[i as usize];
        let Slot { model, pose, radius, .. } = &self.slots[id.slot()];
        Body::new(model.as_ref()?, *pose).rounded(*radius).ok()
    }
}

fn nearest_point(
    ask: &QueryContext<'_>,
    body: &Rounded<'_>,
    point: Vector,
    stop: Accuracy,
    scratch: &mut Scratch,
) -> Option<ClosestPoint> {
    match body.radius() {
        0.0 => ask.near_point(&body.body(), point, stop, scratch),
        radius => ask.rounded_point(&body.body(), radius, point, stop, scratch),
    }
}

/// True if a body is no farther than `most`, exactly.
fn is_within(
    ask: &QueryContext<'_>,
    body: &Rounded<'_>,
    point: Vector,
    stop: Accuracy,
    most: f64,
    scratch: &mut Scratch,
) -> bool {
    let Ok(most) = Margin::new(most) else { return true };
    nearest_point(ask, body, point, stop.not_above(most), scratch).is_some()
}

/// A lower bound of the distance of a point from a box.
fn at_least(aabb: &Aabb, x: &Vector) -> f64 {
    aabb.apart_from(&Aabb { lo: *x, hi: *x })
}
