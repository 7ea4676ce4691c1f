//! Placements of the two triangles of a case.
use super::super::rng::{Rng, nudge};
use super::case::PairCase;
use impinge::Pose;

/// Placements of the two triangles; case `index` uses placement `index / FAMILIES.len() % PLACEMENTS.len()`.
pub const PLACEMENTS: [&str; 6] = [
    "at rest",
    "common pose",
    "last bits",
    "quarter turns, one offset",
    "turned alike, apart along an axis",
    "unrelated poses",
];

/// The number of the placement of [`near_touching_instances`](super::near_touching_instances).
pub(super) const INSTANCES: u64 = PLACEMENTS.len() as u64;

pub(super) fn place(rng: &mut Rng, placement: u64, exact: bool, size: f64, mut case: PairCase) -> PairCase {
    match placement {
        0 => case,
        1 => {
            let (rows, t) = any_pose(rng, size);
            let pose = finite_pose(rows, t);
            PairCase { pose_p: pose, pose_q: pose, ..case }
        }
        2 => {
            let (mut rows, mut t) = any_pose(rng, size);
            case.pose_p = finite_pose(rows, t);
            for _ in 0..rng.int(1, 3) {
                let ulps = *rng.pick(&[-4, -3, -2, -1, 1, 2, 3, 4]);
                let (i, j) = (rng.below(3) as usize, rng.below(4) as usize);
                let entry = if j < 3 { &mut rows[i][j] } else { &mut t[i] };
                if *entry != 0.0 || rng.one_in(4) {
                    *entry = nudge(*entry, ulps);
                }
            }
            PairCase { pose_q: finite_pose(rows, t), ..case }
        }
        3 => {
            // Placed coordinates are sums that f64 does not hold; triangles that touch still touch.
            let reach = *rng.pick(&[1e-3, 1.0, 1e3, 1e9]);
            let far = if size > 1e-40 && size < 1e9 { reach * size } else { size };
            let common = rng.point(far);
            for (corners, pose) in [(&mut case.p, &mut case.pose_p), (&mut case.q, &mut case.pose_q)] {
                let (mut rows, own) = quarter_turns(rng, size);
                if rng.one_in(4) {
                    rows[rng.below(3) as usize].iter_mut().for_each(|x| *x = -*x);
                }
                let mut offset = common;
                for k in 0..3 {
                    offset[k] = moved_apart(rng, corners, k, common[k], own[k]);
                }
                for v in corners {
                    *v = inverse(&rows).map(|r| r[0] * v[0] + r[1] * v[1] + r[2] * v[2]);
                }
                *pose = finite_pose(rows, offset);
            }
            case
        }
        4 => {
            let (axis, angle) = (rng.below(3) as usize, rng.between(-3.0, 3.0));
            let mut rows = *Pose::IDENTITY.rows();
            let [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
            (rows[i][i], rows[i][j], rows[j][i], rows[j][j]) =
                (angle.cos(), -angle.sin(), angle.sin(), angle.cos());
            if rng.one_in(4) {
                rows[axis][axis] = -1.0;
            }
            let common = rng.point(size);
            for (corners, pose) in [(&mut case.p, &mut case.pose_p), (&mut case.q, &mut case.pose_q)] {
                let mut offset = common;
                let own = rng.int(-2, 2) as f64 * size;
                // The axis of the mesh is that of the world or its opposite.
                let sign = rows[axis][axis];
                offset[axis] = sign * moved_apart(rng, corners, axis, sign * common[axis], own);
                *pose = finite_pose(rows, offset);
            }
            case
        }
        INSTANCES => {
            let (turn, shift) = (rng.rotation(), rng.point(4.0 * size));
            let turned = |v: [f64; 3]| turn.map(|r| r[0] * v[0] + r[1] * v[1] + r[2] * v[2]);
            for (corners, pose) in [(&mut case.p, &mut case.pose_p), (&mut case.q, &mut case.pose_q)] {
                let (rows, t) = quarter_turns(rng, size);
                for v in corners {
                    let d: [f64; 3] = std::array::from_fn(|k| v[k] - t[k]);
                    *v = inverse(&rows).map(|r| r[0] * d[0] + r[1] * d[1] + r[2] * d[2]);
                }
                let column = |j: usize| turned([rows[0][j], rows[1][j], rows[2][j]]);
                let [x, y, z] = [column(0), column(1), column(2)];
                let t = turned(t);
                *pose = finite_pose(
                    std::array::from_fn(|i| [x[i], y[i], z[i]]),
                    std::array::from_fn(|i| t[i] + shift[i]),
                );
            }
            case
        }
        _ => {
            // The corners are given in space; each pose's rounded inverse maps them to points that the pose
            // nearly maps back.
            let exact = exact && !rng.one_in(4);
            for (corners, pose) in [(&mut case.p, &mut case.pose_p), (&mut case.q, &mut case.pose_q)] {
                let (rows, t) = if exact { quarter_turns(rng, size) } else { any_pose(rng, size) };
                let inverse = inverse(&rows);
                for v in corners {
                    let d: [f64; 3] = std::array::from_fn(|k| v[k] - t[k]);
                    *v = inverse.map(|r| r[0] * d[0] + r[1] * d[1] + r[2] * d[2]);
                }
                *pose = finite_pose(rows, t);
            }
            case
        }
    }
}

/// Moves corners by -`own` along axis `k` if that is exact. Returns the offset that places them as `common`
/// would have before, in one of 16 cases an ulp off.
fn moved_apart(rng: &mut Rng, corners: &mut [[f64; 3]; 3], k: usize, common: f64, own: f64) -> f64 {
    let is_exact = |x: f64| (x - own) + own == x && x - (x - own) == own;
    let (moved, mut offset) = (common + own, common);
    if moved - own == common && moved - common == own && corners.iter().all(|v| is_exact(v[k])) {
        corners.iter_mut().for_each(|v| v[k] -= own);
        offset = moved;
    }
    if rng.one_in(16) { nudge(offset, *rng.pick(&[-1, 1])) } else { offset }
}

/// A linear part and a translation. The linear part is a rotation accurate to 1e-16 or 1e-7 (as in f32), a
/// quarter turn or the identity, and may be scaled or mirrored.
fn any_pose(rng: &mut Rng, size: f64) -> ([[f64; 3]; 3], [f64; 3]) {
    let mut rows = match rng.below(8) {
        0 => [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        1 => Pose::IDENTITY.rows().to_owned(),
        _ => rng.rotation(),
    };
    match rng.below(8) {
        0 | 1 => rows.iter_mut().flatten().for_each(|c| *c = f64::from(*c as f32)),
        2 => {
            let scale: [f64; 3] = std::array::from_fn(|_| rng.between(0.25, 4.0));
            for row in &mut rows {
                *row = std::array::from_fn(|k| row[k] * scale[k]);
            }
        }
        3 => rows[rng.below(3) as usize].iter_mut().for_each(|c| *c = -*c),
        _ => {}
    }
    let reach = match rng.below(8) {
        0 => 0.0,
        // Far away, except for tiny triangles, whose placed corners would have a thousand digits.
        1 if size > 1e-40 && size < 1e9 => 1e9,
        _ => size,
    };
    (rows, rng.point(reach))
}

/// One of the 24 rotations of a cube, and a translation by multiples of `size`: the inverse is exact.
fn quarter_turns(rng: &mut Rng, size: f64) -> ([[f64; 3]; 3], [f64; 3]) {
    let first = rng.below(3) as usize;
    let signs = [rng.pick(&[-1.0, 1.0]), rng.pick(&[-1.0, 1.0])];
    let mut rows = [[0.0; 3]; 3];
    if rng.one_in(2) {
        // An even permutation of the axes; the third sign makes the determinant 1.
        rows[0][first] = *signs[0];
        rows[1][(first + 1) % 3] = *signs[1];
        rows[2][(first + 2) % 3] = signs[0] * signs[1];
    } else {
        rows[0][first] = *signs[0];
        rows[1][(first + 2) % 3] = *signs[1];
        rows[2][(first + 1) % 3] = -(signs[0] * signs[1]);
    }
    (rows, std::array::from_fn(|_| rng.int(-2, 2) as f64 * size))
}

fn finite_pose(rows: [[f64; 3]; 3], t: [f64; 3]) -> Pose {
    let pose = Pose::rigid(rows, t).or_else(|_| Pose::affine(rows, t));
    // Every linear part is a rotation, perhaps mirrored or scaled by 1/4 to 4. Every number is finite.
    pose.unwrap_or_else(|error| unreachable!("{error}"))
}

/// The inverse by cofactors, rounded.
fn inverse(m: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let cofactor = |i: usize, j: usize| {
        let (a, b, c, d) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        m[a][c] * m[b][d] - m[a][d] * m[b][c]
    };
    let determinant: f64 = (0..3).map(|j| m[0][j] * cofactor(0, j)).sum();
    std::array::from_fn(|i| std::array::from_fn(|j| cofactor(j, i) / determinant))
}
