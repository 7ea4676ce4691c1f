//! Settings of one walk, and the choice of the walk for the trees at hand.
use super::{WalkMemory, sweep};
use crate::{
    Pose, SimdLevel,
    counters::Count,
    flat::{self, Lists, Region},
    geometry::{AnyTree, Geometry, PlacedGeometry},
    motion::{Motion, Placement},
    narrow::Narrow,
    sink::{Listed, Rest, Sink},
    stop::StopFlag,
    task::{NearestTask, Task},
    wide::{RelativeTrees, WalkRange},
};
use std::{ops::ControlFlow, sync::atomic::AtomicBool};

/// Settings of one query run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueryContext<'a> {
    pub(crate) simd: SimdLevel,
    /// True if volume tests are counted, too.
    pub(crate) counting: bool,
    /// True if trees that do not fit may be compared by brute force.
    mixed: bool,
    pub(crate) stop: StopFlag<'a>,
}

impl<'a> QueryContext<'a> {
    pub(crate) fn new(simd: SimdLevel, counting: bool, mixed: bool, stop: Option<&'a AtomicBool>) -> Self {
        Self { simd, counting, mixed, stop: StopFlag(stop) }
    }

    /// Returns settings that compare trees that do not fit by brute force, for queries that always have a
    /// result.
    pub(crate) fn mixed(self) -> Self {
        Self { mixed: true, ..self }
    }

    /// Appends every pair of triangles that meet to `pairs`, in any order.
    pub(crate) fn append(
        &self,
        [a, b]: [PlacedGeometry<'_>; 2],
        memory: &mut WalkMemory,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        // It ends early only if it is stopped, which the caller checks.
        let _ = self.walk([a, b], memory, &mut Sink::All(pairs));
    }

    /// Appends pairs of triangles that meet up to a limit, in any order, and counts the rest.
    pub(crate) fn append_at_most(
        &self,
        [a, b]: [PlacedGeometry<'_>; 2],
        memory: &mut WalkMemory,
        pairs: &mut Vec<[u32; 2]>,
        most: usize,
    ) -> Rest {
        let mut rest = Rest::default();
        let _ = self.walk([a, b], memory, &mut Sink::AtMost(&mut Listed { pairs, most, rest: &mut rest }));
        rest
    }

    /// Appends the pairs of triangles of one mesh that [`Query::self_pairs`](crate::Query::self_pairs) lists,
    /// up to a limit, in any order, and counts the rest.
    pub(crate) fn append_within(
        &self,
        geometry: &Geometry,
        welded: Option<&[u32]>,
        memory: &mut WalkMemory,
        pairs: &mut Vec<[u32; 2]>,
        most: usize,
    ) -> Rest {
        let mut rest = Rest::default();
        // It ends early only if it is stopped, which the caller checks.
        let _ = if most == usize::MAX {
            self.walk_within(geometry, welded, memory, &mut Sink::All(pairs))
        } else {
            let mut listed = Listed { pairs, most, rest: &mut rest };
            self.walk_within(geometry, welded, memory, &mut Sink::AtMost(&mut listed))
        };
        rest
    }

    /// Passes on every pair of triangles that meet, the likeliest first, until `found` breaks.
    pub(crate) fn find<B>(
        &self,
        [a, b]: [PlacedGeometry<'_>; 2],
        memory: &mut WalkMemory,
        mut found: impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut broke = None;
        let mut each = |pair| found(pair).map_break(|b| broke = Some(b));
        let _ = self.walk([a, b], memory, &mut Sink::Each(&mut each));
        broke.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    pub(crate) fn first(&self, [a, b]: [PlacedGeometry<'_>; 2], memory: &mut WalkMemory) -> Option<[u32; 2]> {
        self.find([a, b], memory, ControlFlow::Break).break_value()
    }

    fn walk(
        &self,
        [a, b]: [PlacedGeometry<'_>; 2],
        memory: &mut WalkMemory,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let b_to_a = Motion::between(b.pose, a.pose);
        let narrow = Narrow::new(a.mesh(), b.mesh(), &b_to_a);
        self.walk_trees([a, b], &b_to_a, &narrow, memory, sink)
    }

    /// Passes on every pair of triangles that meet, with a prepared narrow phase.
    pub(crate) fn walk_trees(
        &self,
        [a, b]: [PlacedGeometry<'_>; 2],
        b_to_a: &Motion,
        narrow: &Narrow<'_>,
        memory: &mut WalkMemory,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let WalkMemory { flat, wide, other, sorted, counters } = memory;
        if let Some(done) = self.walk_lists([a, b], b_to_a, narrow, flat, &mut counters.count, sink) {
            return done;
        }
        let placement = a.placement(b, b_to_a);
        let task = self.task(&placement, narrow);
        if let (Some(of_a), Some(of_b)) = (a.geometry.wide(), b.geometry.wide()) {
            let transforms = of_a.relative_transforms(of_b, &of_a.placement(of_b, &placement));
            let trees = RelativeTrees { a: of_a, b: of_b, transforms: &transforms };
            return trees.walk(self.simd, WalkRange::All, &task, wide, &mut counters.count, sink);
        }
        match (a.geometry.tree(), b.geometry.tree()) {
            (AnyTree::Other(of_a), AnyTree::Other(of_b)) if of_a.fits(&**of_b) => {
                of_a.walk(&**of_b, &task, other, counters, sink)
            }
            _ if self.mixed => {
                sweep::run([a.geometry.mesh(), b.geometry.mesh()], narrow, sorted, &mut counters.count, sink)
            }
            // Only models of other crates get here, as the docs of every query state, and `Model::fits` tests
            // for it. A silent brute-force query would take time without bound.
            (of_a, of_b) => panic!(
                "bodies with trees of {} and {} (or of one volume in two arities) have no common walk: build \
                 both alike, or ask for Query::mixed_by_brute_force",
                of_a.name(),
                of_b.name()
            ),
        }
    }

    /// Passes on every pair of triangles that meet by lists of boxes, for models that may do without trees
    /// (`Quality::OnDemand`). Returns `None`, and passes on nothing, if their trees are better.
    pub(crate) fn walk_lists(
        &self,
        [a, b]: [PlacedGeometry<'_>; 2],
        b_to_a: &Motion,
        narrow: &Narrow<'_>,
        memory: &mut flat::FlatMemory,
        count: &mut Count,
        sink: &mut Sink<'_>,
    ) -> Option<ControlFlow<()>> {
        let (of_a, of_b) = (a.geometry.on_demand()?, b.geometry.on_demand()?);
        let (mesh_a, mesh_b) = (a.geometry.mesh(), b.geometry.mesh());
        if narrow.is_within() || of_a.is_due(mesh_a) && of_b.is_due(mesh_b) {
            return None;
        }
        let region = match Region::of([a.mesh(), b.mesh()], b_to_a) {
            Region::Nothing => return Some(ControlFlow::Continue(())),
            Region::Boxes(boxes) => boxes,
            Region::Unknown => return None,
        };
        let lists = Lists {
            meshes: [mesh_a, mesh_b],
            lists: [of_a.list(mesh_a, a.geometry.extent()), of_b.list(mesh_b, b.geometry.extent())],
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

    /// Passes on every pair of triangles of one mesh that meet elsewhere than in common vertices and edges,
    /// the lesser number first, in any order. `welded` holds for each point the first one that is equal, if
    /// known.
    pub(crate) fn walk_within(
        &self,
        geometry: &Geometry,
        welded: Option<&[u32]>,
        memory: &mut WalkMemory,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        self.walk_within_by(geometry, welded, geometry, memory, sink)
    }

    /// `walk_within` for a mesh whose tree nothing else needs: see [`Geometry::with_quick_tree`].
    pub(crate) fn walk_within_once(
        &self,
        geometry: &Geometry,
        welded: Option<&[u32]>,
        memory: &mut WalkMemory,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let quick = geometry.with_quick_tree();
        self.walk_within_by(geometry, welded, quick.as_ref().unwrap_or(geometry), memory, sink)
    }

    /// `walk_within` by another tree of the mesh.
    fn walk_within_by(
        &self,
        geometry: &Geometry,
        welded: Option<&[u32]>,
        by: &Geometry,
        memory: &mut WalkMemory,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let narrow = Narrow::within(geometry.at_rest().mesh(), welded);
        let both = [by.at_rest(); 2];
        let still = Motion::between(&Pose::IDENTITY, &Pose::IDENTITY);
        match sink {
            Sink::All(pairs) => {
                let before = pairs.len();
                let all = &mut Sink::All(pairs);
                let done = self.walk_trees(both, &still, &narrow, memory, all);
                pairs[before..].iter_mut().for_each(|pair| pair.sort_unstable());
                done
            }
            sink => {
                let mut ordered = |[i, j]: [u32; 2]| sink.take([i.min(j), i.max(j)]);
                let each = &mut Sink::Each(&mut ordered);
                self.walk_trees(both, &still, &narrow, memory, each)
            }
        }
    }

    /// The task of a walk for distances.
    pub(crate) fn nearest_task<'t>(&self, placement: &'t Placement, length: f64) -> NearestTask<'t>
    where
        'a: 't,
    {
        NearestTask { placement, length, counting: self.counting, stop: self.stop }
    }

    pub(crate) fn task<'t>(&self, placement: &'t Placement, narrow: &'t Narrow<'t>) -> Task<'t>
    where
        'a: 't,
    {
        Task { placement, narrow, counting: self.counting, stop: self.stop }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;
    use crate::{BuildOptions, Mesh, Model, Quality};

    /// By a tree of its own or not, and with equal points computed or not.
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
                let model = Model::with_options(mesh.clone(), options);
                if is_welded {
                    model.solid();
                }
                let (ask, mut pairs) = (QueryContext::new(Default::default(), false, true, None), Vec::new());
                let (scratch, sink) = (&mut WalkMemory::default(), &mut Sink::All(&mut pairs));
                let _ = if once {
                    ask.walk_within_once(model.geometry(), model.welded(), scratch, sink)
                } else {
                    ask.walk_within(model.geometry(), model.welded(), scratch, sink)
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
