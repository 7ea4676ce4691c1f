//! One question, whoever asks: a query, a batch, a scene.
use super::Scratch;
use crate::{
    Body, Count, Model, Pose, SimdLevel, brute_force,
    flat::{self, Lists, Region},
    hierarchy::{Stop, Task},
    model::Tree,
    motion::Motion,
    narrow::Narrow,
    sink::{Listed, Rest, Sink},
    wide::WalkRange,
};
use std::{ops::ControlFlow, sync::atomic::AtomicBool};

/// How to ask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) simd: SimdLevel,
    /// Whether volume tests are counted, too.
    counting: bool,
    /// Whether trees that do not fit may be compared by brute force.
    mixed: bool,
    pub(crate) stop: Stop<'a>,
}

impl<'a> Ask<'a> {
    pub(crate) fn new(simd: SimdLevel, counting: bool, mixed: bool, stop: Option<&'a AtomicBool>) -> Self {
        Self { simd, counting, mixed, stop: Stop(stop) }
    }

    /// Every pair of triangles that meet, in any order, behind what `pairs` holds.
    pub(crate) fn append(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        scratch: &mut Scratch,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        // It ends early only if it is stopped, of which the caller knows.
        let _ = self.walk(a, b, scratch, &mut Sink::All(pairs));
    }

    /// The same up to a limit; the rest is counted.
    pub(crate) fn append_at_most(
        &self,
        [a, b]: [&Body<'_>; 2],
        scratch: &mut Scratch,
        (pairs, most): (&mut Vec<[u32; 2]>, usize),
    ) -> Rest {
        let mut rest = Rest::default();
        let _ = self.walk(a, b, scratch, &mut Sink::AtMost(&mut Listed { pairs, most, rest: &mut rest }));
        rest
    }

    /// Every pair of triangles of one mesh that [`Query::self_pairs`](crate::Query::self_pairs) lists, up to
    /// a limit, in any order; the rest is counted.
    pub(crate) fn append_within(
        &self,
        model: &Model,
        scratch: &mut Scratch,
        (pairs, most): (&mut Vec<[u32; 2]>, usize),
    ) -> Rest {
        let mut rest = Rest::default();
        // It ends early only if it is stopped, of which the caller knows.
        let _ = if most == usize::MAX {
            self.walk_within(model, scratch, &mut Sink::All(pairs))
        } else {
            let mut listed = Listed { pairs, most, rest: &mut rest };
            self.walk_within(model, scratch, &mut Sink::AtMost(&mut listed))
        };
        rest
    }

    /// Every pair of triangles that meet, the likeliest first, until `found` breaks.
    pub(crate) fn find<B>(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        scratch: &mut Scratch,
        mut found: impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut broke = None;
        let mut each = |pair| found(pair).map_break(|b| broke = Some(b));
        let _ = self.walk(a, b, scratch, &mut Sink::Each(&mut each));
        broke.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    pub(crate) fn first(&self, a: &Body<'_>, b: &Body<'_>, scratch: &mut Scratch) -> Option<[u32; 2]> {
        self.find(a, b, scratch, ControlFlow::Break).break_value()
    }

    fn walk(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::new(a, b, &b_to_a);
        self.walk_trees([a, b], (&b_to_a, &narrow), scratch, sink)
    }

    /// The same, for whoever has made the narrow phase ready.
    pub(crate) fn walk_trees(
        &self,
        [a, b]: [&Body<'_>; 2],
        (b_to_a, narrow): (&Motion, &Narrow<'_>),
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let Scratch { flat, wide, other, sorted, counters, .. } = scratch;
        if let Some(done) = self.walk_lists([a, b], (b_to_a, narrow), flat, &mut counters.count, sink) {
            return done;
        }
        let placement = a.placement(b, b_to_a);
        let task = self.task(&placement, narrow);
        if let (Some(of_a), Some(of_b)) = (a.model.wide(), b.model.wide()) {
            let transforms = of_a.relative_transforms(of_b, &of_a.placement(of_b, &placement));
            let part = (self.simd, WalkRange::All);
            return of_a.walk((of_b, &transforms), part, &task, wide, &mut counters.count, sink);
        }
        match (a.model.tree(), b.model.tree()) {
            (Tree::Other(of_a), Tree::Other(of_b)) if of_a.fits(&**of_b) => {
                of_a.walk(&**of_b, &task, other, counters, sink)
            }
            _ if self.mixed => brute_force::run([a, b], narrow, sorted, &mut counters.count, sink),
            // Told in the docs of every verb: only models of another crate get here, and `Model::fits` asks
            // before. To answer by brute force in silence takes time without bound.
            (of_a, of_b) => panic!(
                "bodies with trees of {} and {} (or of one volume in two arities) have no common walk: build \
                 both alike, or ask for Query::mixed_by_brute_force",
                of_a.name(),
                of_b.name()
            ),
        }
    }

    /// The same by lists of boxes, of models that may do without trees (`Quality::OnDemand`); `None`, and
    /// nothing was sent, where their trees are better.
    pub(crate) fn walk_lists(
        &self,
        [a, b]: [&Body<'_>; 2],
        (b_to_a, narrow): (&Motion, &Narrow<'_>),
        memory: &mut flat::Memory,
        count: &mut Count,
        sink: &mut Sink<'_>,
    ) -> Option<ControlFlow<()>> {
        let (of_a, of_b) = (a.model.on_demand()?, b.model.on_demand()?);
        let (mesh_a, mesh_b) = (a.model.mesh(), b.model.mesh());
        if narrow.is_within() || of_a.is_due(mesh_a) && of_b.is_due(mesh_b) {
            return None;
        }
        let region = match Region::of([a, b], b_to_a) {
            Region::Nothing => return Some(ControlFlow::Continue(())),
            Region::Boxes(boxes) => boxes,
            Region::Unknown => return None,
        };
        let lists = Lists {
            bodies: [a, b],
            lists: [of_a.list(mesh_a, a.model.extent()), of_b.list(mesh_b, b.model.extent())],
            region,
            narrow,
            stop: self.stop,
            build: of_a.price(mesh_a) + of_b.price(mesh_b),
        };
        let (done, spent) = flat::walk(&lists, self.simd, memory, count, sink)?;
        of_a.spend(spent);
        of_b.spend(spent);
        Some(done)
    }

    /// Every pair of triangles of one mesh that meet elsewhere than in common vertices and edges, the
    /// lesser number first, in any order.
    pub(crate) fn walk_within(
        &self,
        model: &Model,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        self.walk_within_by(model, model, scratch, sink)
    }

    /// The same where nothing else asks for the model's tree: see [`Model::with_quick_tree`].
    pub(crate) fn walk_within_once(
        &self,
        model: &Model,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let quick = model.with_quick_tree();
        self.walk_within_by(model, quick.as_ref().unwrap_or(model), scratch, sink)
    }

    /// The same by the tree of another model of the mesh.
    fn walk_within_by(
        &self,
        model: &Model,
        by: &Model,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let of_mesh = Body::new(model, Pose::IDENTITY);
        let narrow = Narrow::within(&of_mesh);
        let body = Body::new(by, Pose::IDENTITY);
        let still = Motion::between(&body.pose, &body.pose);
        match sink {
            Sink::All(pairs) => {
                let before = pairs.len();
                let all = &mut Sink::All(pairs);
                let done = self.walk_trees([&body; 2], (&still, &narrow), scratch, all);
                pairs[before..].iter_mut().for_each(|pair| pair.sort_unstable());
                done
            }
            sink => {
                let mut ordered = |[i, j]: [u32; 2]| sink.take([i.min(j), i.max(j)]);
                let each = &mut Sink::Each(&mut ordered);
                self.walk_trees([&body; 2], (&still, &narrow), scratch, each)
            }
        }
    }

    pub(crate) fn task<'t>(&self, placement: &'t crate::motion::Placement, narrow: &'t Narrow<'t>) -> Task<'t>
    where
        'a: 't,
    {
        Task { placement, narrow, counting: self.counting, stop: self.stop }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BuildOptions, Mesh, Quality};
    use impinge_testkit::rng::Rng;

    /// Whether by a tree of its own or not, and whether equal points are known or not.
    #[test]
    fn what_meets_its_own_mesh_is_the_same_however_it_is_found() {
        let mut rng = Rng::new(61);
        let mut met = 0;
        for most in [3, 6, 30] {
            // No point has the number of another, but many are equal; one zero is as good as the other.
            let mut at =
                || [(); 3].map(|()| (rng.int(-most, most) as f64) * [1.0, -1.0][rng.below(2) as usize]);
            let points: Vec<_> = (0..900).map(|_| at()).collect();
            let faces = (0..300).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
            let mesh = Mesh::new(points, faces).unwrap();
            let found = |options: &BuildOptions, is_welded: bool, once: bool| {
                let model = Model::new(mesh.clone(), options);
                if is_welded {
                    model.solid();
                }
                let (ask, mut pairs) = (Ask::new(Default::default(), false, true, None), Vec::new());
                let (scratch, sink) = (&mut Scratch::default(), &mut Sink::All(&mut pairs));
                let _ = if once {
                    ask.walk_within_once(&model, scratch, sink)
                } else {
                    ask.walk_within(&model, scratch, sink)
                };
                pairs.sort_unstable();
                pairs
            };
            let want = found(&BuildOptions::new(), false, false);
            met += want.len();
            for quality in [Quality::High, Quality::OnDemand] {
                for (is_welded, once) in [(false, true), (true, false), (true, true)] {
                    let options = BuildOptions::new().quality(quality);
                    assert_eq!(
                        found(&options, is_welded, once),
                        want,
                        "{most} {quality:?} {is_welded} {once}"
                    );
                }
            }
        }
        assert!(met > 1000, "{met}");
    }
}
