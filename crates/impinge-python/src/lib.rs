//! The module `impinge._core` of the Python package impinge: the queries of the crate `impinge` for numpy
//! arrays. Everything that may take long runs while other threads of Python run; see `run.rs`.
#![forbid(unsafe_code)]

mod arrays;
mod assembly;
mod baseline;
mod body;
mod call;
mod ccd;
mod check;
mod command;
mod compat;
mod contacts;
mod errors;
mod findings;
mod fork;
mod gate;
mod groups;
mod half_space;
mod measure;
mod mesh;
mod model;
mod operand;
mod part;
mod path;
mod picture;
mod plan;
mod pool;
mod poses;
mod progress;
mod query;
mod records;
mod report;
mod results;
mod robot;
mod rules;
mod run;
mod saved_report;
mod scene;
mod shape;
mod vectors;

/// Exact collision queries of triangle meshes; import the package `impinge` instead.
#[pyo3::pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::{
        assembly::PyAssembly,
        baseline::{_updated, PyBaseline, PyBaselineFile},
        body::{PyBody, PyRounded, nearest_rigid},
        ccd::{_first_mesh_contact, _first_shift_contact, _first_times},
        check::PyCheck,
        command::_command,
        compat::{
            _add_contacts, _apart, _candidates, _distance, _first_meeting, _held, _meet, _meeting, _nearest,
            _overlap, _pairs_of, PyContact, PyGaps, PyOverlap, PyPairs, PySolid,
        },
        contacts::{_contact_graph, _floating},
        findings::{_explain, _finding_keys, _finding_numbers, _ranked_findings, _summaries},
        fork::_after_fork,
        groups::{_labels, PyGroups},
        half_space::PyHalfSpace,
        measure::{_batch_seconds_alone, _seconds_alone},
        mesh::{PyMesh, PyMeshView},
        model::PyModel,
        path::PyPath,
        plan::{_merge, _plan, _work},
        pool::{get_threads, set_threads},
        query::{PyCoverage, PySweep, PySweeps},
        records::{PyCheckedPart, PyClash, PyFinding, PyNearPair},
        report::PyReport,
        robot::PyRobot,
        rules::{_pose_list, _rules_text, PyRules},
        saved_report::{_report_bytes, _report_of},
        scene::PyScene,
        shape::PyShape,
        vectors::{_circle, _lengths, _product, _rotations, _turns, _units},
    };
    use pyo3::{prelude::*, types::PyModule};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::errors::silence_out_of_memory();
        crate::query::add_to(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
