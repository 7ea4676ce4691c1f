//! Tests of the test kit: its oracle and its generators.
#![allow(clippy::print_stdout, missing_docs)]
mod elsewhere;
mod meshes;
mod near_degenerate;
mod oracle;
mod sweeps;
