//! Flags that end work early.
use crate::{
    handle::{Shell, create, free, handle, shared},
    status::{call, impinge_status},
};
use std::{
    mem::MaybeUninit,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// A flag that ends queries and checks early: they then return IMPINGE_STATUS_STOPPED. Any thread may set it.
pub struct impinge_stop(Shell<Arc<AtomicBool>>);
handle!(impinge_stop, Arc<AtomicBool>, b"im stop ");

/// Makes a flag that is not set. Free it with impinge_stop_free().
#[unsafe(no_mangle)]
pub extern "C" fn impinge_stop_new(out_stop: Option<&mut MaybeUninit<*mut impinge_stop>>) -> impinge_status {
    call(|| create(out_stop, || Ok(Arc::default())))
}

/// Sets or clears a flag. It must stay set until the work has returned.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_stop_set(stop: Option<&impinge_stop>, is_set: bool) -> impinge_status {
    call(|| {
        shared(stop)?.store(is_set, Ordering::Relaxed);
        Ok(())
    })
}

/// Frees a flag. Queries that have it stay valid. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_stop_free(stop: *mut impinge_stop) {
    unsafe { free(stop) };
}
