//! Formats that are not supported: a description of each, and a way to convert it.
use crate::{Error, error::Place, format::EXTENSIONS};
use std::path::Path;

/// Advice for files that another program made and can export.
const EXPORT: &str = "export STL, OBJ, glTF or 3MF from the program that made it";

/// Advice for files that the Python package converts.
const WITH_STEP: &str =
    "pip install \".[step]\" in a checkout of impinge; the command impinge of that package reads it";
const WITH_IFC: &str =
    "pip install \".[ifc]\" in a checkout of impinge; the command impinge of that package reads it";
const WITH_H5M: &str =
    "pip install \".[h5m]\" in a checkout of impinge; the command impinge of that package reads it";

const OTHERS: [(&[&str], &str, &str); 16] = [
    (&["step", "stp", "iges", "igs", "brep", "brp"], "CAD surfaces, not triangles", WITH_STEP),
    (&["ifc", "ifczip"], "a building model (IFC)", WITH_IFC),
    (&["h5m"], "a nuclear model (DAGMC)", WITH_H5M),
    (
        &["p21", "stpz", "x_t", "x_b", "sat", "jt"],
        "CAD surfaces, not triangles",
        "export STL, 3MF, OBJ or glTF from the CAD program, or convert it with FreeCAD or Gmsh",
    ),
    (
        &["sldprt", "sldasm", "catpart", "catproduct", "ipt", "iam", "prt", "asm", "f3d", "fcstd", "3dm"],
        "the file of a CAD program",
        "export STL, 3MF, OBJ or glTF from it",
    ),
    (&["ifcxml"], "a building model (IFC as XML)", "export it as .ifc"),
    (&["rvt", "rfa", "nwd", "nwc", "pln"], "a building model", "export IFC and convert it, or OBJ or glTF"),
    (&["dwg", "dxf", "skp"], "a drawing or sketch", EXPORT),
    (
        &["fbx", "blend", "max", "ma", "mb", "c4d"],
        "an animation scene",
        "export glTF, OBJ or STL from Blender",
    ),
    (&["3ds", "lwo", "x", "ac"], "an old scene format", "export glTF, OBJ or STL from Blender"),
    (&["wrl", "vrml", "x3d", "x3dv"], "VRML or X3D", "convert it to OBJ, PLY or STL with MeshLab"),
    (&["usd", "usda", "usdc", "usdz"], "USD", "export glTF, OBJ or STL from Blender"),
    (
        &["vtk", "vtu", "vtp", "msh", "inp"],
        "a simulation mesh",
        "convert its surface to STL, with meshio say",
    ),
    (&["amf"], "AMF", "export 3MF or STL from the slicer"),
    (&["pcd", "las", "laz", "e57", "xyz"], "a point cloud, without triangles", "make a mesh of it first"),
    (ROBOTS, "a robot description", WITH_ROBOTS),
];

/// Extensions of robot descriptions, which name files of meshes.
const ROBOTS: &[&str] = &["urdf", "xacro", "srdf", "sdf", "mjcf"];
const WITH_ROBOTS: &str = "`impinge proxy check` tests its collision geometry; check the folder of its meshes, or load \
                           it in Python with pinocchio or MuJoCo and pass the model to impinge.adapters";

/// True if a file has the extension of one of these formats and contains geometry.
pub(crate) fn has_geometry(path: &Path) -> bool {
    is_other(path) && !ROBOTS.contains(&&*extension(path))
}

/// True if an extension belongs to one of these formats.
pub(crate) fn is_other(path: &Path) -> bool {
    OTHERS.iter().any(|(extensions, ..)| extensions.contains(&&*extension(path)))
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

/// The error for an unsupported format. STEP and IFC without an extension are recognized by their first
/// lines.
pub(crate) fn unsupported(path: &Path, bytes: &[u8]) -> Error {
    let extension = extension(path);
    let is_step = bytes.trim_ascii_start().starts_with(b"ISO-10303-21");
    // Both are files of ISO 10303-21; the header of IFC names its schema.
    let head = &bytes[..bytes.len().min(4096)];
    let by_content = usize::from(head.windows(4).any(|window| window == b"'IFC"));
    let by_name = OTHERS.iter().find(|(extensions, ..)| extensions.contains(&&*extension));
    let what = match by_name.or(is_step.then_some(&OTHERS[by_content])) {
        Some((_, what, instead)) => format!(" ({what}): {instead}"),
        None => format!(": {EXPORT}"),
    };
    let enabled = EXTENSIONS.iter().filter(|(_, format)| format.is_enabled());
    let known: Vec<_> = enabled.map(|(e, _)| format!(".{e}")).collect();
    let known = known.join(", ");
    Error::unsupported(Place::File, format!("unsupported format{what}; supported are {known}"))
}
