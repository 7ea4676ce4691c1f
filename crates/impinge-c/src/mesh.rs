//! Meshes.
use crate::{
    border::{Buffer, groups, list, place, text},
    handle::{Shell, create, free, handle, shared},
    status::{Done, Failure, call, impinge_status},
};
use impinge::Mesh;
use impinge_io::{Format, Options, UnknownFormat, merged, parse_with, read, read_from};
use std::{ffi::c_char, mem::MaybeUninit, path::Path, sync::Arc};

/// A triangle mesh: a list of points and of triples of their indices, connected in any way. It never changes,
/// so that threads can share it.
pub struct impinge_mesh(Shell<Arc<Mesh>>);
handle!(impinge_mesh, Arc<Mesh>, b"im mesh ");

/// Makes a mesh. Points are three numbers each, triangles three indices of points. Both are copied.
/// The unit of length is yours; lengths and distances of all results have it, volumes its cube.
///
/// Errors: a coordinate that is NaN or infinite, an index that is out of range, more than 2^27 triangles.
/// Free the mesh with impinge_mesh_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_mesh_new(
    points: *const f64,
    point_count: usize,
    triangles: *const u32,
    triangle_count: usize,
    out_mesh: Option<&mut MaybeUninit<*mut impinge_mesh>>,
) -> impinge_status {
    call(|| {
        create(out_mesh, || {
            let points = unsafe { groups(points, point_count, "points") }?;
            let triangles = unsafe { groups(triangles, triangle_count, "triangles") }?;
            Ok(Arc::new(Mesh::new(points.to_vec(), triangles.to_vec())?))
        })
    })
}

/// Makes a closed box around the origin, from its lengths along x, y and z.
///
/// Errors: a length that is not positive and finite. Free the mesh with impinge_mesh_free().
#[unsafe(no_mangle)]
pub extern "C" fn impinge_mesh_new_box(
    x: f64,
    y: f64,
    z: f64,
    out_mesh: Option<&mut MaybeUninit<*mut impinge_mesh>>,
) -> impinge_status {
    call(|| create(out_mesh, || Ok(Arc::new(Mesh::cuboid([x, y, z])?))))
}

/// Reads a file (STL, OBJ, PLY, OFF, glTF, GLB, 3MF, DAE, a bundle of impinge) and joins its parts to one
/// mesh, at their poses. To keep them apart, see impinge_assembly_read().
///
/// Errors: IMPINGE_STATUS_IO, IMPINGE_STATUS_INVALID_CONTENT. Free the mesh with impinge_mesh_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_mesh_read(
    path: *const c_char,
    path_length: usize,
    out_mesh: Option<&mut MaybeUninit<*mut impinge_mesh>>,
) -> impinge_status {
    call(|| {
        create(out_mesh, || {
            let path = unsafe { text(path, path_length, "path") }?;
            Ok(merged(&read(path)?.parts)?)
        })
    })
}

/// Reads the content of such a file. The extension, such as "stl", names its format; an empty one leaves that
/// to the content.
///
/// Errors: IMPINGE_STATUS_INVALID_CONTENT, an unknown extension. Free the mesh with impinge_mesh_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_mesh_parse(
    bytes: *const u8,
    byte_count: usize,
    extension: *const c_char,
    extension_length: usize,
    out_mesh: Option<&mut MaybeUninit<*mut impinge_mesh>>,
) -> impinge_status {
    call(|| {
        create(out_mesh, || {
            let bytes = unsafe { list(bytes, byte_count, "bytes") }?;
            let extension = unsafe { text(extension, extension_length, "extension") }?;
            Ok(merged(&parse(bytes, extension)?.parts)?)
        })
    })
}

/// The content of a file, in the format of an extension.
pub(crate) fn parse(bytes: &[u8], extension: &str) -> Done<impinge_io::Assembly> {
    let (name, options) = (Path::new("memory"), Options::default());
    if extension.is_empty() {
        return Ok(read_from(bytes, name, None, &options)?);
    }
    let format: Format = extension
        .parse()
        .map_err(|error: UnknownFormat| Failure::argument(format!("'{extension}' is {error}")))?;
    Ok(parse_with(format, bytes, name, &options)?)
}

/// The numbers of points and of triangles.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_mesh_size(
    mesh: Option<&impinge_mesh>,
    out_points: Option<&mut MaybeUninit<usize>>,
    out_triangles: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let mesh = shared(mesh)?;
        let (points, triangles) = (place(out_points, "out_points")?, place(out_triangles, "out_triangles")?);
        points.write(mesh.points().len());
        triangles.write(mesh.len());
        Ok(())
    })
}

/// Copies the points into a buffer: three numbers each. Capacity and count are numbers of points.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_mesh_points(
    mesh: Option<&impinge_mesh>,
    points: *mut f64,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let buffer = unsafe { Buffer::new(points.cast::<[f64; 3]>(), capacity, out_count) }?;
        buffer.fill(shared(mesh)?.points().iter().copied())
    })
}

/// Copies the triangles into a buffer: three indices each. Capacity and count are numbers of triangles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_mesh_triangles(
    mesh: Option<&impinge_mesh>,
    triangles: *mut u32,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let buffer = unsafe { Buffer::new(triangles.cast::<[u32; 3]>(), capacity, out_count) }?;
        buffer.fill(shared(mesh)?.triangles().iter().copied())
    })
}

/// Frees a mesh. Models and assemblies that were made from it stay valid. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_mesh_free(mesh: *mut impinge_mesh) {
    unsafe { free(mesh) };
}
