//! Many queries at a time. Results are in the order of the queries, whatever the threads.
use super::{
    Query, QueryParts, Scratch, Scratches,
    pair_lists::{PairLists, Run},
    scratch::Share,
};
use crate::{
    AnyBody, Body, Model, Obstacle, Pose, Threads,
    margin::Margin,
    obstacle::{ObstacleRef, Operands, operands},
    pool,
    sink::{reserve, sort},
    walk::QueryContext,
};
use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

impl QueryContext<'_> {
    /// A pair of triangles that meet, or that are as near as the radii of the bodies.
    fn first_of(
        &self,
        a: &impl AnyBody,
        b: &(impl Obstacle + ?Sized),
        scratch: &mut Scratch,
    ) -> Option<[u32; 2]> {
        match operands(a, b, Margin::ZERO) {
            Operands::Bodies([a, b], margin) if margin.is_zero() => {
                self.first([a.placed(), b.placed()], &mut scratch.walk)
            }
            operands => self.mixed().first_of_operands(operands, scratch),
        }
    }

    /// Appends the pairs of triangles that meet, or that are as near as the radii, in any order.
    fn append_of(
        &self,
        [a, b]: [&Body<'_>; 2],
        radii: [f64; 2],
        scratch: &mut Scratch,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        let margin = Margin::ZERO.with_radii(radii);
        if margin.is_zero() {
            self.append([a.placed(), b.placed()], &mut scratch.walk, pairs);
        } else {
            // Without a limit nothing is left out.
            let _ = self.mixed().append_near([a, b], margin, scratch, pairs, usize::MAX);
        }
    }

    /// [`Self::first_of`] with the operands the other way round.
    fn first_against(
        &self,
        a: &(impl Obstacle + ?Sized),
        b: &Body<'_>,
        scratch: &mut Scratch,
    ) -> Option<[u32; 2]> {
        match a.obstacle() {
            ObstacleRef::Body(a, 0.0) => self.first_of(a, b, scratch),
            ObstacleRef::Body(a, radius) => {
                let margin = Margin::ZERO.with_radii([radius, 0.0]);
                self.mixed().first_within([a, b], margin, scratch)
            }
            ObstacleRef::HalfSpace(a) => {
                self.first_low(b, a, Margin::ZERO, scratch).map(|triangle| [0, triangle])
            }
        }
    }
}

/// Batches: with [`Threads::Pool`] the threads share the queries, at least one each. A warm batch does not
/// allocate for a query: results grow to their size, scratch memory to the deepest query of its thread.
impl Query {
    /// Decides [`Query::intersects`] for `a`, which may be a [half-space](crate::HalfSpace), and `b` at each
    /// of many poses, such as a planner's.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    ///
    /// ```
    /// use impinge::{Body, Mesh, Model, Pose, Query};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::new(triangle);
    /// let a = Body::new(&model, Pose::IDENTITY);
    /// let poses = [Pose::from_translation([2., 0., 0.])?, Pose::from_translation([3., 0., 0.])?];
    /// let mut query = Query::new();
    /// assert_eq!(query.intersects_at(&a, &model, &poses), [true, false]);
    /// assert_eq!(query.pairs_at(&a, &model, &poses).iter().map(<[_]>::len).collect::<Vec<_>>(), [1, 0]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn intersects_at(&mut self, a: &(impl Obstacle + ?Sized), b: &Model, poses: &[Pose]) -> &[bool] {
        self.each(poses.len(), false, |ask, i, scratch| {
            ask.first_against(a, &Body::new(b, poses[i]), scratch).is_some()
        })
    }

    /// Decides [`Query::intersects`] for each pair of bodies.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn intersects_each(&mut self, bodies: &[[impl AnyBody; 2]]) -> &[bool] {
        self.each(bodies.len(), false, |ask, i, scratch| {
            let [a, b] = &bodies[i];
            ask.first_of(a, b, scratch).is_some()
        })
    }

    /// Finds [`Query::first_contact`] of `a` and `b` at each of many poses, with the same pairs as single
    /// queries.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn first_contact_at(
        &mut self,
        a: &(impl Obstacle + ?Sized),
        b: &Model,
        poses: &[Pose],
    ) -> &[Option<[u32; 2]>] {
        self.each(poses.len(), None, |ask, i, scratch| ask.first_against(a, &Body::new(b, poses[i]), scratch))
    }

    /// Finds [`Query::first_contact`] of each pair of bodies.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn first_contact_each(&mut self, bodies: &[[impl AnyBody; 2]]) -> &[Option<[u32; 2]>] {
        self.each(bodies.len(), None, |ask, i, scratch| {
            let [a, b] = &bodies[i];
            ask.first_of(a, b, scratch)
        })
    }

    /// Finds [`Query::pairs`] of `a` and `b` at each of many poses. Work on several threads holds all pairs
    /// twice until it ends.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn pairs_at(&mut self, a: &(impl Obstacle + ?Sized), b: &Model, poses: &[Pose]) -> &PairLists {
        self.all_of(poses.len(), |ask, i, scratch, pairs| {
            let b = &Body::new(b, poses[i]);
            match a.obstacle() {
                ObstacleRef::Body(a, radius) => ask.append_of([a, b], [radius, 0.0], scratch, pairs),
                ObstacleRef::HalfSpace(a) => {
                    let _ = ask.find_low::<()>(b, a, Margin::ZERO, scratch, |triangle| {
                        pairs.push([0, triangle]);
                        ControlFlow::Continue(())
                    });
                }
            }
        })
    }

    /// Finds [`Query::pairs`] of each pair of bodies.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn pairs_each(&mut self, bodies: &[[impl AnyBody; 2]]) -> &PairLists {
        self.all_of(bodies.len(), |ask, i, scratch, pairs| {
            let [a, b] = &bodies[i];
            let radii = [a.any_radius(), b.any_radius()];
            ask.append_of([a.any_body(), b.any_body()], radii, scratch, pairs);
        })
    }

    /// The result of `one` for each of `count` queries, by number, on the query's threads; `empty` for those
    /// that a stop leaves out.
    pub(crate) fn each<T: Clone + Send + Sync + 'static>(
        &mut self,
        count: usize,
        empty: T,
        one: impl Fn(&QueryContext<'_>, usize, &mut Scratch) -> T + Sync,
    ) -> &[T] {
        let QueryParts { ask, threads, scratches, results, .. } = self.parts();
        let results = results.get::<Vec<T>>();
        results.clear();
        results.resize(count, empty);
        let shares = scratches.for_threads(threads, count);
        let run = run_length(count, shares.len());
        hand_out(shares, results, run, &|_, share, first, slots| {
            for (i, slot) in (first..).zip(slots) {
                if ask.stop.is_set() {
                    return;
                }
                *slot = one(&ask, i, &mut share.scratch);
            }
        });
        results
    }

    /// The pairs that `append` finds for each of `count` queries, sorted, on the query's threads.
    fn all_of(
        &mut self,
        count: usize,
        append: impl Fn(&QueryContext<'_>, usize, &mut Scratch, &mut Vec<[u32; 2]>) + Sync,
    ) -> &PairLists {
        let ask = QueryContext::new(self.simd, self.counting, self.mixed, self.stop.as_deref());
        let PairLists { pairs, starts, runs } = &mut self.lists;
        pairs.clear();
        starts.truncate(1);
        let shares = self.scratches.for_threads(self.threads, count);
        let one = |i: usize, scratch: &mut _, pairs: &mut Vec<[u32; 2]>| {
            let start = pairs.len();
            if !ask.stop.is_set() {
                append(&ask, i, scratch, pairs);
            }
            sort(&mut pairs[start..]);
        };
        if let [share] = shares {
            for i in 0..count {
                one(i, &mut share.scratch, pairs);
                starts.push(pairs.len());
            }
            return &self.lists;
        }
        shares.iter_mut().for_each(|share| share.pairs.clear());
        runs.clear();
        runs.resize(count, Run::default());
        let run = run_length(count, shares.len());
        hand_out(shares, runs, run, &|n, share, first, slots| {
            let Share { scratch, pairs, .. } = share;
            for (i, slot) in (first..).zip(slots) {
                let start = pairs.len();
                one(i, scratch, pairs);
                *slot = Run { share: n, start, count: pairs.len() - start };
            }
        });
        reserve(pairs, shares.iter().map(|share| share.pairs.len()).sum());
        for &Run { share, start, count } in runs.iter() {
            pairs.extend_from_slice(&shares[share].pairs[start..][..count]);
            starts.push(pairs.len());
        }
        &self.lists
    }
}

impl Scratches {
    pub(crate) fn for_threads(&mut self, threads: Threads, tasks: usize) -> &mut [Share] {
        self.shares(if threads == Threads::Pool { tasks } else { 1 })
    }
}

/// Number of tasks that a thread takes at a time: few enough that threads end together, and enough that
/// taking them costs little.
pub(crate) fn run_length(count: usize, shares: usize) -> usize {
    (count / (64 * shares)).clamp(1, 64)
}

/// Calls `task(n, share n, first, slots)`: share n takes the next `run` slots as soon as it is free, until
/// there are none; `first` is the index of the first one.
pub(crate) fn hand_out<S: Send, T: Send>(
    shares: &mut [S],
    slots: &mut [T],
    run: usize,
    task: &(impl Fn(usize, &mut S, usize, &mut [T]) + Sync),
) {
    if let [share] = shares {
        return task(0, share, 0, slots);
    }
    let runs = Mutex::new(slots.chunks_mut(run).enumerate());
    pool::each(shares, &|n, share| {
        loop {
            // A thread that panicked took its run with it: the others are whole.
            let next = runs.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((k, slots)) = next else { return };
            task(n, share, k * run, slots);
        }
    });
}
