//! Parts, their sources, warnings and omissions as tuples, which `impinge._assembly` makes objects of.
use crate::{errors, mesh::PyMesh, poses};
use impinge::{Mesh, Pose, pose};
use impinge_io::{Axis, Omission, OmissionKind, Part, Properties, PropertyValue, Source, Warning};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBytes, PyDict},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// A part: name, file, mesh, pose, baked, path, guid, type, properties, chord,
/// rounding.
pub(crate) type PartTuple<'py> = (
    String,
    PathBuf,
    Py<PyMesh>,
    Bound<'py, PyAny>,
    bool,
    String,
    Option<String>,
    Option<String>,
    Bound<'py, PyDict>,
    Option<f64>,
    Option<f64>,
);
/// A source: file, format, unit, upward axis, number of parts, bytes, digest, offset, settings.
pub(crate) type SourceTuple = (
    PathBuf,
    Option<String>,
    Option<String>,
    Option<String>,
    usize,
    Option<u64>,
    Option<Py<PyBytes>>,
    Option<(f64, f64, f64)>,
    Option<String>,
);
/// A warning: file, place, text.
pub(crate) type WarningTuple = (PathBuf, Option<String>, String);
/// An omission: file, reason, name, guid, type, count, whether it failed.
pub(crate) type OmissionTuple =
    (PathBuf, String, Option<String>, Option<String>, Option<String>, usize, bool);

/// Everything of a part but its mesh.
pub(crate) fn to_tuple<'py>(py: Python<'py>, part: &Part, mesh: Py<PyMesh>) -> PyResult<PartTuple<'py>> {
    let text = |text: &Option<Arc<str>>| text.as_deref().map(str::to_owned);
    Ok((
        part.name.to_string(),
        part.file.to_path_buf(),
        mesh,
        poses::matrix(py, &part.pose)?.into_any(),
        part.baked,
        part.path.to_string(),
        text(&part.guid),
        text(&part.class),
        to_dict(py, &part.properties)?,
        part.chord,
        part.rounding,
    ))
}

pub(crate) fn from_tuple(tuple: &PartTuple<'_>) -> PyResult<Part> {
    let (name, file, mesh, pose, baked, path, guid, class, properties, chord, rounding) = tuple;
    let pose = poses::pose(Some(pose), false)?;
    let mut part = Part::new(&**name, &**file, Arc::clone(&mesh.get().0), pose).with_path(&**path);
    part.baked = *baked;
    part.guid = guid.as_deref().map(Arc::from);
    part.class = class.as_deref().map(Arc::from);
    part.properties = from_dict(properties)?;
    (part.chord, part.rounding) = (*chord, *rounding);
    Ok(part)
}

/// Properties as a dict, in their order.
pub(crate) fn to_dict<'py>(py: Python<'py>, properties: &Properties) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in properties {
        match value {
            PropertyValue::Text(text) => dict.set_item(name, &**text)?,
            PropertyValue::Number(number) => dict.set_item(name, number)?,
            PropertyValue::Truth(truth) => dict.set_item(name, truth)?,
            // A type that is new, and that this module should learn.
            other => dict.set_item(name, other.to_string())?,
        }
    }
    Ok(dict)
}

pub(crate) fn from_dict(dict: &Bound<'_, PyDict>) -> PyResult<Properties> {
    let entry = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let name: String = name.extract()?;
        let value = if let Ok(truth) = value.extract::<bool>() {
            PropertyValue::Truth(truth)
        } else if let Ok(text) = value.extract::<String>() {
            PropertyValue::from(text)
        } else if let Ok(number) = value.extract::<f64>() {
            PropertyValue::Number(number)
        } else {
            let class = value.get_type().name()?;
            let text = format!("property '{name}' must be a str, a number or a bool, not {class}");
            return Err(PyTypeError::new_err(text));
        };
        Ok((name, value))
    };
    dict.iter().map(entry).collect()
}

pub(crate) fn source_to_tuple(py: Python<'_>, source: &Source) -> SourceTuple {
    (
        source.file.to_path_buf(),
        source.format.map(|format| format.to_string()),
        source.unit.map(|unit| unit.to_string()),
        source.up.map(|axis| axis.name().to_owned()),
        source.parts,
        source.bytes,
        source.digest.map(|digest| PyBytes::new(py, &digest).unbind()),
        source.offset.map(|[x, y, z]| (x, y, z)),
        source.settings.as_deref().map(str::to_owned),
    )
}

pub(crate) fn source_from_tuple(py: Python<'_>, tuple: &SourceTuple) -> PyResult<Source> {
    let (file, format, unit, up, parts, bytes, digest, offset, settings) = tuple;
    let mut source = Source::new(&**file);
    (source.parts, source.bytes) = (*parts, *bytes);
    source.offset = offset.map(|(x, y, z)| [x, y, z]);
    source.settings = settings.as_deref().map(Arc::from);
    if let Some(digest) = digest {
        let digest = digest.as_bytes(py);
        let wrong = |_| errors::value(format!("digest: SHA-256 has 32 bytes, not {}", digest.len()));
        source.digest = Some(digest.try_into().map_err(wrong)?);
    }
    if let Some(format) = format {
        source.format = Some(format.parse().map_err(|error| errors::value(format!("{format}: {error}")))?);
    }
    if let Some(unit) = unit {
        source.unit = Some(unit.parse().map_err(|error| errors::value(format!("{unit}: {error}")))?);
    }
    if let Some(up) = up {
        let axis = Axis::ALL.into_iter().find(|axis| axis.name() == up);
        source.up = Some(axis.ok_or_else(|| errors::value(format!("up: {up:?} is not 'x', 'y' or 'z'")))?);
    }
    Ok(source)
}

pub(crate) fn warning_to_tuple(warning: &Warning) -> WarningTuple {
    (warning.file().to_path_buf(), warning.place(), warning.text().to_owned())
}

pub(crate) fn warning_from_tuple((file, place, text): WarningTuple) -> Warning {
    Warning::new(Path::new(&file), place, text)
}

pub(crate) fn omission_to_tuple(omission: &Omission) -> OmissionTuple {
    let text = |text: &Option<Arc<str>>| text.as_deref().map(str::to_owned);
    (
        omission.file.to_path_buf(),
        omission.reason.to_string(),
        text(&omission.name),
        text(&omission.guid),
        text(&omission.class),
        omission.count,
        omission.kind == OmissionKind::Failed,
    )
}

pub(crate) fn omission_from_tuple(tuple: OmissionTuple) -> Omission {
    let (file, reason, name, guid, class, count, failed) = tuple;
    let mut omission = match failed {
        true => Omission::failed(file, reason),
        false => Omission::left_out(file, reason),
    };
    (omission.name, omission.guid) = (name.map(Arc::from), guid.map(Arc::from));
    (omission.class, omission.count) = (class.map(Arc::from), count);
    omission
}

/// A mesh and a rigid pose for a mesh at any pose: one that is not rigid is applied to a copy of the points,
/// each rounded once, as the readers do. The third value is whether that was needed.
pub(crate) fn placed(
    mesh: &Arc<Mesh>,
    matrix: Option<&Bound<'_, PyAny>>,
    affine: bool,
) -> PyResult<(Arc<Mesh>, Pose, bool)> {
    let map = poses::pose(matrix, affine)?;
    if !affine || map.is_rigid() {
        return Ok((Arc::clone(mesh), map, false));
    }
    let place = |&point: &[f64; 3]| pose::place(map.rows(), map.translation(), point);
    let points = mesh.points().iter().map(place).collect();
    let baked = Mesh::new(points, mesh.triangles().to_vec());
    Ok((Arc::new(baked.map_err(|error| errors::error(&error))?), Pose::IDENTITY, true))
}
