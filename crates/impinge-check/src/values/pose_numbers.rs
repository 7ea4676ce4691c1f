//! Poses as numbers in files.
use impinge::Pose;

pub(crate) fn of(pose: &Pose) -> [f64; 12] {
    let (rows, t) = (pose.rows(), pose.translation());
    std::array::from_fn(|i| if i < 9 { rows[i / 3][i % 3] } else { t[i - 9] })
}

/// The pose with these numbers, which must be rigid, as those of the readers are.
pub(crate) fn pose(n: &[f64; 12]) -> anyhow::Result<Pose> {
    let rows = [0, 3, 6].map(|i| [n[i], n[i + 1], n[i + 2]]);
    Ok(Pose::rigid(rows, [n[9], n[10], n[11]])?)
}
