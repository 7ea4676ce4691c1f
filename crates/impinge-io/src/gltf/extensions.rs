//! The effect of each glTF extension on triangles.
use super::document::Document;
use crate::{Error, error::Place, quote::show, sink::Sink};

enum Effect {
    /// No effect on triangles (appearance, light, sound, names, properties), or the reader supports it.
    None,
    /// Triangles stay as they are, but something else is lost; the text describes it.
    Told(&'static str),
    /// Triangles cannot be read; the text gives the reason and a remedy.
    Refused(&'static str),
}
use Effect::{None as Harmless, Refused, Told};

const DECOMPRESS: &str = "write the file again without compression, for example with Blender or with \
                          `gltf-transform cp in.glb out.glb`";

/// Extensions by the beginning of their names; the first match counts.
const EXTENSIONS: [(&str, Effect); 42] = [
    // Supported by the reader.
    ("CESIUM_RTC", Harmless),
    ("EXT_mesh_gpu_instancing", Harmless),
    ("KHR_mesh_quantization", Harmless),
    // The warnings on hidden nodes and on levels of detail are issued where those are read.
    ("KHR_node_visibility", Harmless),
    ("MSFT_lod", Harmless),
    // The warning on animations is issued where those are read; this extension adds further targets.
    ("KHR_animation_pointer", Harmless),
    ("KHR_draco_mesh_compression", Refused("its triangles are compressed with Draco")),
    ("EXT_meshopt_compression", Refused("its data is compressed with meshopt")),
    ("KHR_meshopt_compression", Refused("its data is compressed with meshopt")),
    ("AGI_articulations", Told("articulations are not applied: nodes stay as modelled")),
    ("EXT_property_animation", Told("property animations are not applied")),
    ("KHR_gaussian_splatting_compression", Refused("its data is compressed splats")),
    ("KHR_gaussian_splatting", Told("splats are not triangles and are skipped")),
    ("KHR_implicit_shapes", Told("shapes without triangles (spheres, boxes) are skipped")),
    ("KHR_physics_rigid_bodies", Told("rigid bodies' colliders are skipped")),
    ("MAXAR_mesh_variants", Told("only the default variants of meshes are read")),
    ("OMI_collider", Told("colliders are skipped")),
    ("OMI_physics", Told("physics shapes and bodies are skipped")),
    ("ADOBE_materials_", Harmless),
    ("AGI_stk_metadata", Harmless),
    ("CESIUM_primitive_outline", Harmless),
    ("EXT_feature_metadata", Harmless),
    ("EXT_instance_features", Harmless),
    ("EXT_lights_", Harmless),
    ("EXT_mesh_features", Harmless),
    ("EXT_structural_metadata", Harmless),
    ("EXT_texture_", Harmless),
    ("FB_geometry_metadata", Harmless),
    ("FB_ngon_encoding", Harmless),
    ("GRIFFEL_bim_data", Harmless),
    ("KHR_audio", Harmless),
    ("KHR_lights_", Harmless),
    ("KHR_materials_", Harmless),
    ("KHR_node_hoverability", Harmless),
    ("KHR_node_selectability", Harmless),
    ("KHR_techniques_webgl", Harmless),
    ("KHR_texture_", Harmless),
    ("KHR_xmp", Harmless),
    ("MSFT_packing_", Harmless),
    ("MSFT_texture_", Harmless),
    ("NV_materials_", Harmless),
    // VRM 0 and, as VRMC_vrm and so on, VRM 1: appearance and licence of an avatar.
    ("VRM", Harmless),
];

fn effect(name: &str) -> Option<&'static Effect> {
    EXTENSIONS.iter().find(|(start, _)| name.starts_with(start)).map(|(_, effect)| effect)
}

/// Refuses a document that requires an unsupported extension, and warns of content that is lost.
pub(super) fn check(document: &Document, sink: &mut Sink) -> Result<(), Error> {
    for name in &document.extensions_required {
        match effect(name) {
            Some(Refused(why)) => return Err(refused(name, why)),
            Some(_) => {}
            None => {
                let name = show(name.as_bytes());
                let what = format!("the file requires the extension '{name}', which is not supported");
                return Err(Error::unsupported(Place::File, what));
            }
        }
    }
    let mut told: Vec<&str> = Vec::new();
    for name in document.extensions_used.iter().chain(&document.extensions_required) {
        if let Some(Told(what)) = effect(name)
            && !told.contains(what)
        {
            told.push(what);
            sink.warn(Place::File, format!("{}: {what}", show(name.as_bytes())));
        }
    }
    Ok(())
}

/// The error for data that only an extension can decode, given the extension's name.
pub(super) fn refused_by_name(name: &str) -> Error {
    match effect(name) {
        Some(Refused(why)) => refused(name, why),
        _ => Error::unsupported(Place::File, format!("the extension '{name}' is not supported")),
    }
}

#[cold]
fn refused(name: &str, why: &str) -> Error {
    let name = show(name.as_bytes());
    let what = format!("the file needs the extension '{name}', which is not supported: {why}; {DECOMPRESS}");
    Error::unsupported(Place::File, what)
}
