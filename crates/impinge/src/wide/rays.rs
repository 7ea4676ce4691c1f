//! The traversal for many rays: several are on their way at a time, a step each in turn.
//!
//! Each step of a ray waits for the step before: some 40 ns, mostly latencies. Several rays do not wait for
//! each other. A round takes the next child for each ray and prefetches it, then tests nodes, then leaves: so
//! few branches are mispredicted, and all of them depend on values computed a round ago. Each ray takes the
//! steps that it takes alone ([`super::ray`]).
use super::{
    leaf::LeafRef,
    node::QuantizedNode,
    ray::{Slope, TreeRay, boxes, triangles},
    tree::TreeView,
    waiting::{Furthest, WaitingStack, furthest, prefetch_child},
};
use crate::{
    Mesh, SimdLevel,
    counters::Count,
    from_world::RoundedVector,
    simd::{Simd, Work, detect},
    stop::StopFlag,
};

/// Number of rays on their way at a time.
pub(crate) const FLIGHTS: usize = 8;

/// A source of rays, which tests the triangles that they may meet.
pub(crate) trait RaySource {
    /// Puts the next ray in a place; the last ray there is done. Returns its origin in the tree's frame, its
    /// slope, and the greatest t that matters for the slope's direction. `None` if there are no more rays.
    fn next(&mut self, place: usize) -> Option<(RoundedVector, Slope, f64)>;
    /// Tests a triangle that the ray in a place may meet. May lower `limit`, the greatest t that matters.
    fn look(&mut self, place: usize, triangle: u32, limit: &mut f64);
}

/// The memory of a traversal.
#[derive(Debug, Default)]
pub(crate) struct Flights(Vec<Flight>);

/// A ray on its way.
#[derive(Debug)]
struct Flight {
    line: TreeRay,
    start: f32,
    end: f32,
    far: Furthest,
    limit: f64,
    stack: WaitingStack,
    is_busy: bool,
    /// The node that is tested next.
    node: u32,
    /// The leaf that is tested next, and then its triangles that remain to be tested, as bits.
    leaf: LeafRef,
    left: u32,
}

impl Default for Flight {
    fn default() -> Self {
        Self {
            line: TreeRay::NONE,
            start: 0.0,
            end: 0.0,
            far: furthest(0.0),
            limit: 0.0,
            stack: WaitingStack::default(),
            is_busy: false,
            node: 0,
            leaf: LeafRef { words: 0, first: 0, count: 0 },
            left: 0,
        }
    }
}

impl Flight {
    fn set_end(&mut self) {
        self.end = self.line.r(self.limit);
        self.far = furthest(self.end);
    }
    /// The first of the triangles that are left.
    #[inline(always)]
    fn first_left(&self, tree: TreeView<'_>) -> u32 {
        tree.order[(self.leaf.first + self.left.trailing_zeros()) as usize]
    }
    /// Takes the next ray for a place, if there is one.
    #[inline(never)]
    fn begin(&mut self, tree: TreeView<'_>, place: usize, rays: &mut dyn RaySource) {
        self.is_busy = false;
        while let Some((origin, slope, mut limit)) = rays.next(place) {
            let Some(line) = TreeRay::new(tree, origin, &slope) else {
                // The pose has no bound, or numbers are too large.
                tree.order.iter().for_each(|&triangle| rays.look(place, triangle, &mut limit));
                continue;
            };
            (self.line, self.limit, self.start) = (line, limit, line.start());
            (self.is_busy, self.node, self.left) = (true, 0, 0);
            self.stack.clear();
            self.set_end();
            return;
        }
    }
}

/// Shows the source all triangles that its rays may meet up to their limits, unless the stop flag is set.
pub(crate) fn walk(
    level: SimdLevel,
    tree: TreeView<'_>,
    mesh: &Mesh,
    stop: StopFlag<'_>,
    flights: &mut Flights,
    count: &mut Count,
    rays: &mut dyn RaySource,
) {
    flights.0.resize_with(FLIGHTS, Flight::default);
    flights.0.iter_mut().for_each(|flight| flight.is_busy = false);
    if tree.nodes.is_empty() {
        // Nothing is met: all of them are done as soon as they begin.
        while rays.next(0).is_some() {}
        return;
    }
    detect(level).call(FlightWalk { tree, mesh, stop, flights: &mut flights.0, count, rays });
}

struct FlightWalk<'a, 'f> {
    tree: TreeView<'a>,
    /// The mesh, which is only prefetched.
    mesh: &'a Mesh,
    stop: StopFlag<'a>,
    flights: &'f mut [Flight],
    count: &'f mut Count,
    rays: &'f mut dyn RaySource,
}

/// A list of up to [`FLIGHTS`] places.
#[derive(Default)]
struct FlightList([u8; FLIGHTS], usize);

impl FlightList {
    #[inline(always)]
    fn push(&mut self, place: usize) {
        self.0[self.1 % FLIGHTS] = place as u8;
        self.1 += 1;
    }
    #[inline(always)]
    fn get(&self) -> &[u8] {
        &self.0[..self.1]
    }
}

impl Work for FlightWalk<'_, '_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { tree, mesh, stop, flights, count, rays } = self;
        for (place, flight) in flights.iter_mut().enumerate() {
            flight.begin(tree, place, rays);
        }
        let (mut is_first, mut leaves) = (true, FlightList::default());
        loop {
            if stop.is_set() {
                return;
            }
            for &place in leaves.get() {
                let flight = &flights[usize::from(place)];
                if flight.left != 0 {
                    for corner in mesh.triangles()[flight.first_left(tree) as usize] {
                        simd.prefetch(mesh.points(), corner as usize);
                    }
                }
            }
            // In a loop of their own: the pops below depend on their limits.
            for &place in leaves.get() {
                let flight = &mut flights[usize::from(place)];
                while flight.left != 0 {
                    let triangle = flight.first_left(tree);
                    flight.left &= flight.left - 1;
                    count.triangles_tested(1);
                    rays.look(usize::from(place), triangle, &mut flight.limit);
                }
                flight.set_end();
            }
            let mut inner = FlightList::default();
            leaves = FlightList::default();
            for (place, flight) in flights.iter_mut().enumerate() {
                if !flight.is_busy {
                    continue;
                }
                if is_first {
                    inner.push(place);
                    continue;
                }
                let Some((parent, lane)) = flight.stack.pop(flight.far) else {
                    flight.begin(tree, place, rays);
                    if flight.is_busy {
                        inner.push(place);
                    }
                    continue;
                };
                let at = &tree.nodes[parent as usize];
                prefetch_child(simd, tree, at, lane);
                if at.leaves >> lane & 1 == 0 {
                    flight.node = at.child(lane);
                    inner.push(place);
                } else {
                    flight.leaf = at.leaf(lane, tree.precision);
                    leaves.push(place);
                }
            }
            is_first = false;
            if inner.1 + leaves.1 == 0 {
                return;
            }
            for &place in inner.get() {
                let flight = &mut flights[usize::from(place)];
                let at: &QuantizedNode = &tree.nodes[flight.node as usize];
                count.volumes_tested(u64::from(at.used.count_ones()));
                let (near, met) = boxes(simd, at, &flight.line, [flight.start, flight.end]);
                flight.stack.push(simd, flight.node, near, met);
            }
            for &place in leaves.get() {
                let flight = &mut flights[usize::from(place)];
                count.leaves_met(u64::from(flight.leaf.count));
                flight.left = triangles(simd, tree, &flight.line, flight.leaf);
                if flight.left != 0 {
                    simd.prefetch(mesh.triangles(), flight.first_left(tree) as usize);
                }
            }
        }
    }
}
