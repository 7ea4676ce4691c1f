//! Poses from a fuzzer's bytes.
use super::bytes::Bytes;
use impinge::Pose;

/// A pose that keeps grid points exact in f64: a signed permutation, perhaps times a power of two, and a
/// shift.
pub(super) fn grid_pose(bytes: &mut Bytes<'_>) -> Pose {
    let (turn, signs, stretch) = (bytes.below(6), bytes.byte(), bytes.below(4));
    let columns = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]][turn as usize];
    let rows = std::array::from_fn(|i| {
        let mut row = [0.0; 3];
        let (sign, size) =
            (if signs >> i & 1 == 1 { -1.0 } else { 1.0 }, if stretch == i as u8 { 0.5 } else { 1.0 });
        row[columns[i]] = sign * size;
        row
    });
    let t = std::array::from_fn(|_| bytes.grid() / 2.0);
    Pose::affine(rows, t).unwrap_or(Pose::IDENTITY)
}

fn chaos_pose(bytes: &mut Bytes<'_>) -> Option<Pose> {
    let rows = std::array::from_fn(|_| std::array::from_fn(|_| bytes.chaos()));
    let t = std::array::from_fn(|_| bytes.chaos());
    if bytes.below(2) == 0 {
        Pose::affine(rows, t).ok()
    } else {
        Pose::affine(*Pose::IDENTITY.rows(), t).ok()
    }
}

/// The identity, a pose that keeps grid points, or any pose.
pub(super) fn any_pose(bytes: &mut Bytes<'_>, is_grid: bool) -> Option<Pose> {
    match (bytes.below(3), is_grid) {
        (0, _) => Some(Pose::IDENTITY),
        (_, true) => Some(grid_pose(bytes)),
        _ => chaos_pose(bytes),
    }
}
