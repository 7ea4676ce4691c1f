//! Exact arithmetic on placed points.
/// SKELETON: replaced by the exact version.
pub(crate) fn round_row(row: &[f64; 3], t: f64, v: &[f64; 3]) -> f64 {
    row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + t
}
