//! Tests of the C interface: the header, and programs in C and C++.
mod equal;
mod header;
mod programs;
mod queries;
mod toolchain;
