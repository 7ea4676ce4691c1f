//! Queries: their memory, threads and settings.
use crate::{
    handle::{Shell, create, exclusive, free, handle, shared},
    number::number,
    pose::{self, Maps, impinge_pose},
    status::{Done, Failure, call, impinge_status},
    stop::impinge_stop,
};
use impinge::{Pose, Query, Threads, solid::FillRule};
use impinge_check::Pool;
use std::{
    mem::MaybeUninit,
    sync::{Arc, atomic::AtomicBool},
};

/// The memory and settings of queries. Keep it: a query that has warmed up allocates nothing. Use it on one
/// thread at a time; each thread needs its own.
pub struct impinge_query(Shell<QueryState>);
handle!(impinge_query, QueryState, b"im query");

/// Which points are inside of a closed mesh, by the number of times w that it winds around them.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum impinge_fill_rule {
    /// Inside where w is not 0. The default.
    NonZero = 0,
    /// Inside where w > 0.
    Positive = 1,
    /// Inside where w is odd.
    EvenOdd = 2,
}

pub(crate) fn fill_rule(rule: MaybeUninit<impinge_fill_rule>) -> Done<FillRule> {
    match number(rule) {
        0 => Ok(FillRule::NonZero),
        1 => Ok(FillRule::Positive),
        2 => Ok(FillRule::EvenOdd),
        other => Err(Failure::argument(format!("{other} is no fill rule"))),
    }
}

#[derive(Default)]
pub(crate) struct QueryState {
    query: Query,
    /// Threads for the queries that can be divided.
    pool: Option<Pool>,
    stop: Option<Arc<AtomicBool>>,
    /// The poses of queries at many poses.
    maps: Maps,
}

impl QueryState {
    /// Runs queries on the threads of the state, until its flag is set.
    pub(crate) fn run<T: Send>(&mut self, queries: impl FnOnce(&mut Query) -> T + Send) -> Done<T> {
        let Self { query, pool, stop, .. } = self;
        let work = || match stop {
            Some(stop) => query.with_stop(stop, queries).map_err(Failure::from),
            None => Ok(queries(query)),
        };
        match pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
    /// The poses of a query at many poses.
    ///
    /// # Safety
    /// As [`pose::all`].
    pub(crate) unsafe fn poses(&self, poses: *const impinge_pose, count: usize) -> Done<Vec<Pose>> {
        // SAFETY: the caller's promise.
        unsafe { pose::all(poses, count, self.maps, "poses") }
    }
    fn set(&mut self, set: impl FnOnce(Query) -> Query) {
        self.query = set(std::mem::take(&mut self.query));
    }
}

/// Makes a query with the default settings: one thread, the fill rule NON_ZERO.
///
/// Free it with impinge_query_free().
#[unsafe(no_mangle)]
pub extern "C" fn impinge_query_new(
    out_query: Option<&mut MaybeUninit<*mut impinge_query>>,
) -> impinge_status {
    call(|| create(out_query, || Ok(QueryState::default())))
}

/// Sets the number of threads that share queries at many poses, of many points or rays, and large pairs of
/// bodies. 1 is the calling thread, 0 one for each core. Results do not depend on it.
///
/// Errors: the system starts no threads.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_query_set_threads(
    query: Option<&mut impinge_query>,
    threads: u16,
) -> impinge_status {
    call(|| {
        let state = exclusive(query)?;
        state.pool = if threads == 1 { None } else { Some(Pool::new(threads)?) };
        let threads = if threads == 1 { Threads::One } else { Threads::Pool };
        state.set(|query| query.threads(threads));
        Ok(())
    })
}

/// Sets the rule by which points are inside of solids.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_query_set_fill_rule(
    query: Option<&mut impinge_query>,
    rule: MaybeUninit<impinge_fill_rule>,
) -> impinge_status {
    call(|| {
        let (state, rule) = (exclusive(query)?, fill_rule(rule)?);
        state.set(|query| query.fill_rule(rule));
        Ok(())
    })
}

/// Sets whether queries at many poses take affine ones. False at first. Paths in motion stay rigid.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_query_set_affine(
    query: Option<&mut impinge_query>,
    affine: bool,
) -> impinge_status {
    call(|| {
        exclusive(query)?.maps = if affine { Maps::Affine } else { Maps::Rigid };
        Ok(())
    })
}

/// Sets the flag that ends this query's work; NULL for none.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_query_set_stop(
    query: Option<&mut impinge_query>,
    stop: Option<&impinge_stop>,
) -> impinge_status {
    call(|| {
        let stop = stop.map(|stop| shared(Some(stop))).transpose()?;
        exclusive(query)?.stop = stop.cloned();
        Ok(())
    })
}

/// Frees a query. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_query_free(query: *mut impinge_query) {
    unsafe { free(query) };
}
