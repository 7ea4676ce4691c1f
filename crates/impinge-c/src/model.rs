//! Models: meshes with their trees.
use crate::{
    border::{place, text},
    handle::{Shell, create, free, handle, shared},
    mesh::impinge_mesh,
    status::{call, impinge_status},
};
use impinge::{Model, solid::Closedness};
use impinge_io::{open_model, save_model};
use std::{ffi::c_char, mem::MaybeUninit, path::Path, sync::Arc};

/// A mesh with a tree that makes queries fast. It never changes: any number of bodies, scenes and threads can
/// share it.
pub struct impinge_model(Shell<Arc<Model>>);
handle!(impinge_model, Arc<Model>, b"im model");

/// Whether a mesh bounds a solid.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum impinge_closedness {
    /// Every edge balances: the mesh bounds a solid.
    Closed = 0,
    /// The mesh bounds a solid by parity alone: its triangles disagree about the front.
    ClosedByEvenOdd = 1,
    /// A surface: some edges have a triangle on one side alone.
    Open = 2,
    /// A surface that encloses nothing, as all triangles cancel each other.
    NoInterior = 3,
}

impl From<Closedness> for impinge_closedness {
    fn from(status: Closedness) -> Self {
        match status {
            Closedness::Closed => Self::Closed,
            Closedness::ClosedByEvenOdd => Self::ClosedByEvenOdd,
            Closedness::Open => Self::Open,
            Closedness::NoInterior => Self::NoInterior,
        }
    }
}

/// An interval that contains the true number. Both bounds are NaN if the number is unknown.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_interval {
    /// Lower bound.
    pub lo: f64,
    /// Upper bound.
    pub hi: f64,
}

impl From<Option<[f64; 2]>> for impinge_interval {
    fn from(bounds: Option<[f64; 2]>) -> Self {
        let [lo, hi] = bounds.unwrap_or([f64::NAN; 2]);
        Self { lo, hi }
    }
}

/// A model's mesh as a solid.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_model_facts {
    /// The least coordinates of its triangles, in the mesh's own frame; 0 without triangles.
    pub lower: [f64; 3],
    /// The greatest coordinates of its triangles.
    pub upper: [f64; 3],
    /// Whether it bounds a solid.
    pub closedness: impinge_closedness,
    /// The number of edges that do not balance; 0 of a closed mesh.
    pub open_edges: usize,
    /// The number of connected shells.
    pub shells: usize,
    /// The volume that it winds around, negative if triangles face inwards. Unknown unless it is closed.
    pub volume: impinge_interval,
}

/// Builds the tree of a mesh, in O(n log n). The model shares the mesh, which can be freed.
///
/// Free the model with impinge_model_free().
#[unsafe(no_mangle)]
pub extern "C" fn impinge_model_new(
    mesh: Option<&impinge_mesh>,
    out_model: Option<&mut MaybeUninit<*mut impinge_model>>,
) -> impinge_status {
    call(|| create(out_model, || Ok(Arc::new(Model::new(Arc::clone(shared(mesh)?))))))
}

/// Saves a model with its tree. The file appears whole or not at all.
///
/// Errors: IMPINGE_STATUS_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_model_save(
    model: Option<&impinge_model>,
    path: *const c_char,
    path_length: usize,
) -> impinge_status {
    call(|| {
        let path = unsafe { text(path, path_length, "path") }?;
        Ok(save_model(shared(model)?, Path::new(path))?)
    })
}

/// Opens a saved model. The file is mapped into memory, and nothing is built: do not change it while the
/// model is in use.
///
/// Errors: IMPINGE_STATUS_IO, IMPINGE_STATUS_INVALID_CONTENT. Free the model with impinge_model_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_model_open(
    path: *const c_char,
    path_length: usize,
    out_model: Option<&mut MaybeUninit<*mut impinge_model>>,
) -> impinge_status {
    call(|| {
        create(out_model, || {
            let path = unsafe { text(path, path_length, "path") }?;
            Ok(Arc::new(open_model(Path::new(path))?))
        })
    })
}

/// Computes what the mesh is as a solid. O(n log n) at the first call.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_model_get_facts(
    model: Option<&impinge_model>,
    out_facts: Option<&mut MaybeUninit<impinge_model_facts>>,
) -> impinge_status {
    call(|| {
        let (model, out) = (shared(model)?, place(out_facts, "out_facts")?);
        let ([lower, upper], solid) = (*model.extent(), model.solid());
        out.write(impinge_model_facts {
            lower,
            upper,
            closedness: solid.status().into(),
            open_edges: solid.open_edges(),
            shells: solid.shells(),
            volume: model.winding_volume().into(),
        });
        Ok(())
    })
}

/// Frees a model. Bodies and scenes that have it stay valid. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_model_free(model: *mut impinge_model) {
    unsafe { free(model) };
}
