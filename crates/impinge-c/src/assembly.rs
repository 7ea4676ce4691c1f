//! Assemblies: named parts.
use crate::{
    border::{Buffer, list, place, text},
    handle::{Shell, create, exclusive, free, handle, shared},
    mesh::{impinge_mesh, parse},
    pose::{Maps, checked, impinge_pose},
    status::{Done, Failure, call, impinge_status},
};
use impinge_check::{Assembly, Part};
use impinge_io::read;
use std::{ffi::c_char, mem::MaybeUninit, sync::Arc};

/// Named parts, each a mesh at a pose: what impinge_check() takes.
pub struct impinge_assembly(Shell<Arc<Assembly>>);
handle!(impinge_assembly, Arc<Assembly>, b"im assem");

/// Makes an assembly without parts. Free it with impinge_assembly_free().
#[unsafe(no_mangle)]
pub extern "C" fn impinge_assembly_new(
    out_assembly: Option<&mut MaybeUninit<*mut impinge_assembly>>,
) -> impinge_status {
    call(|| create(out_assembly, || Ok(Arc::default())))
}

/// Reads a file (STL, OBJ, PLY, OFF, glTF, GLB, 3MF, DAE, a bundle of impinge) or a folder of such files, and
/// appends its parts.
///
/// Errors: IMPINGE_STATUS_IO, IMPINGE_STATUS_INVALID_CONTENT; the assembly is then as before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_assembly_read(
    assembly: Option<&mut impinge_assembly>,
    path: *const c_char,
    path_length: usize,
) -> impinge_status {
    call(|| {
        let assembly = exclusive(assembly)?;
        let path = unsafe { text(path, path_length, "path") }?;
        Arc::make_mut(assembly).append(read(path)?);
        Ok(())
    })
}

/// Reads the content of such a file, and appends its parts. The extension, such as "glb", names its format;
/// an empty one leaves that to the content.
///
/// Errors: IMPINGE_STATUS_INVALID_CONTENT, an unknown extension; the assembly is then as before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_assembly_parse(
    assembly: Option<&mut impinge_assembly>,
    bytes: *const u8,
    byte_count: usize,
    extension: *const c_char,
    extension_length: usize,
) -> impinge_status {
    call(|| {
        let assembly = exclusive(assembly)?;
        let bytes = unsafe { list(bytes, byte_count, "bytes") }?;
        let extension = unsafe { text(extension, extension_length, "extension") }?;
        Arc::make_mut(assembly).append(parse(bytes, extension)?);
        Ok(())
    })
}

/// Appends a part with a name. It shares the mesh, which can be freed. NULL as the pose is the identity.
///
/// Errors: a pose that is not rigid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_assembly_add(
    assembly: Option<&mut impinge_assembly>,
    name: *const c_char,
    name_length: usize,
    mesh: Option<&impinge_mesh>,
    pose: Option<&impinge_pose>,
) -> impinge_status {
    unsafe { add(assembly, (name, name_length), mesh, pose, Maps::Rigid) }
}

/// Appends a part at an affine pose. One that is not rigid is applied to a copy of the mesh, with rounded
/// coordinates.
///
/// Errors: a pose that is singular, a coordinate that becomes too large.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_assembly_add_affine(
    assembly: Option<&mut impinge_assembly>,
    name: *const c_char,
    name_length: usize,
    mesh: Option<&impinge_mesh>,
    pose: Option<&impinge_pose>,
) -> impinge_status {
    unsafe { add(assembly, (name, name_length), mesh, pose, Maps::Affine) }
}

/// # Safety
/// The name is a text as [`text`] takes it.
unsafe fn add(
    assembly: Option<&mut impinge_assembly>,
    (name, name_length): (*const c_char, usize),
    mesh: Option<&impinge_mesh>,
    pose: Option<&impinge_pose>,
    maps: Maps,
) -> impinge_status {
    call(|| {
        let (assembly, mesh, pose) = (exclusive(assembly)?, Arc::clone(shared(mesh)?), checked(pose, maps)?);
        // SAFETY: the caller's promise.
        let name = unsafe { text(name, name_length, "name") }?;
        Arc::make_mut(assembly).push(Part::from_mesh_at(name, mesh, pose)?);
        Ok(())
    })
}

/// The number of parts.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_assembly_part_count(
    assembly: Option<&impinge_assembly>,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let count = shared(assembly)?.parts.len();
        place(out_count, "out_count")?.write(count);
        Ok(())
    })
}

/// A part of an assembly.
fn part(assembly: &Assembly, index: usize) -> Done<&Part> {
    let part = assembly.parts.get(index);
    part.ok_or_else(|| Failure::argument(format!("there is no part {index}, but {}", assembly.parts.len())))
}

/// Copies the name of a part into a buffer, with a NUL at its end that does not count.
///
/// Errors: there is no such part, IMPINGE_STATUS_BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_assembly_part_name(
    assembly: Option<&impinge_assembly>,
    index: usize,
    name: *mut c_char,
    capacity: usize,
    out_length: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let part = part(shared(assembly)?, index)?;
        unsafe { Buffer::new(name, capacity, out_length) }?.fill_text(&part.name)
    })
}

/// Makes a handle of the mesh of a part, which it shares. Free the mesh with impinge_mesh_free().
///
/// Errors: there is no such part.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_assembly_part_mesh(
    assembly: Option<&impinge_assembly>,
    index: usize,
    out_mesh: Option<&mut MaybeUninit<*mut impinge_mesh>>,
) -> impinge_status {
    call(|| create(out_mesh, || Ok(Arc::clone(&part(shared(assembly)?, index)?.mesh))))
}

/// Frees an assembly. Reports about it stay valid. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_assembly_free(assembly: *mut impinge_assembly) {
    unsafe { free(assembly) };
}
