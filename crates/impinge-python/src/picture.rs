//! Pictures of one mesh, as notebooks show them.
use crate::{errors, run};
use impinge::{Mesh, Pose};
use impinge_check::{Assembly, Check, Part, Watch};
use impinge_report::Pictures;
use pyo3::{prelude::*, types::PyBytes};
use std::sync::Arc;

/// Pixels of pictures in notebooks.
const IN_NOTEBOOK: (u32, u32) = (480, 320);

/// A PNG file of a mesh at a pose; `None` without triangles.
pub(crate) fn png<'py>(
    py: Python<'py>,
    mesh: &Arc<Mesh>,
    pose: Option<Pose>,
    size: Option<(u32, u32)>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let (width, height) = size.unwrap_or(IN_NOTEBOOK);
    for (name, side) in [("width", width), ("height", height)] {
        if !(1..=4096).contains(&side) {
            return Err(errors::value(format!("{name} must be from 1 to 4096, not {side}")));
        }
    }
    let mesh = Arc::clone(mesh);
    let drawn = run::work(py, move |_| -> Result<_, String> {
        let mesh = match pose {
            None => mesh,
            // A pose may scale, which parts do not.
            Some(pose) => {
                let points = mesh.points().iter().map(|&point| pose.place(point)).collect();
                let moved = Mesh::new(points, mesh.triangles().to_vec());
                Arc::new(moved.map_err(|error| error.to_string())?)
            }
        };
        let mut assembly = Assembly::new();
        assembly.push(Part::from_mesh("mesh", mesh, Pose::IDENTITY));
        // A report without any pair: pictures take the parts from it.
        let report =
            Check::new().surfaces(true).run(assembly, &Watch::new()).map_err(|error| error.to_string())?;
        Ok(Pictures::new(&report).size(width, height).png_of_part(0))
    })?;
    Ok(drawn.map_err(errors::value)?.map(|png| PyBytes::new(py, &png)))
}

/// Shows an object that has a picture: in the notebook, else in a browser.
pub(crate) fn show(object: &Bound<'_, PyAny>) -> PyResult<()> {
    object.py().import("impinge._notebook")?.call_method1("show_picture", (object,))?;
    Ok(())
}
