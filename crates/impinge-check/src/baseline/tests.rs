//! Tests of the baseline.
