//! Random scenes: soups with degenerate triangles, on paths of all kinds.
use super::{Case, Side, Track};
use impinge::{Mesh, Model, Pose, path::Path};
use impinge_testkit::rng::Rng;
use std::f64::consts::FRAC_PI_2;

/// A soup of 1 to `most` triangles, of which some are segments and points; on a grid of integers, or not.
pub(super) fn soup(rng: &mut Rng, grid: bool, most: u64) -> Model {
    let (count, size) = (1 + rng.below(most), *rng.pick(&[1.0, 0.3, 0.05]));
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    for first in (0..count as u32).map(|k| 3 * k) {
        let center = rng.point(1.5);
        let [a, b, c] = [(); 3].map(|()| {
            if grid {
                return rng.grid_point(2);
            }
            let v = rng.point(size);
            [0, 1, 2].map(|k| center[k] + v[k])
        });
        points.extend(match rng.below(8) {
            0 => [a; 3],
            1 => [a, b, b],
            // On a line.
            2 => [a, b, [0, 1, 2].map(|k| 2.0 * b[k] - a[k])],
            _ => [a, b, c],
        });
        faces.push([first, first + 1, first + 2]);
    }
    Model::new(Mesh::new(points, faces).unwrap())
}

fn rotation(rng: &mut Rng, grid: bool) -> [[f64; 3]; 3] {
    if !grid {
        return rng.rotation();
    }
    let axes = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        [[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
    ];
    *rng.pick(&axes)
}

/// A place up to `far` from the origin.
fn place(rng: &mut Rng, grid: bool, far: f64) -> [f64; 3] {
    if grid {
        return rng.grid_point(far as i64);
    }
    let (direction, size) = (rng.direction(), rng.between(0.0, far));
    direction.map(|x| x * size)
}

fn rigid(rng: &mut Rng, grid: bool, far: f64) -> Pose {
    Pose::rigid(rotation(rng, grid), place(rng, grid, far)).unwrap()
}

/// A rigid pose, or one in six that scales, shears or mirrors.
pub(super) fn pose(rng: &mut Rng, grid: bool, far: f64) -> Pose {
    let pose = rigid(rng, grid, far);
    if !rng.one_in(6) {
        return pose;
    }
    let mut rows = *pose.rows();
    match rng.below(3) {
        0 => rows = rows.map(|row| row.map(|x| 0.5 * x)),
        1 => rows[0] = rows[0].map(|x| -x),
        _ => rows[1] = [0, 1, 2].map(|k| rows[1][k] + 0.5 * rows[0][k]),
    }
    Pose::affine(rows, *pose.translation()).unwrap()
}

/// A path that starts up to 6 from the origin and comes near it, mostly.
pub(super) fn path(rng: &mut Rng, grid: bool) -> Path {
    let start = pose(rng, grid, 6.0);
    let back = place(rng, grid, 3.0);
    let by = [0, 1, 2].map(|k| back[k] - 2.0 * start.translation()[k]);
    match rng.below(5) {
        0 => Path::translation(start, by),
        1 | 2 => {
            let axis = if grid { rng.grid_point(1) } else { rng.direction() };
            let axis = if axis == [0.0; 3] { [0.0, 0.0, 1.0] } else { axis };
            let angle =
                if grid { FRAC_PI_2 * rng.int(-4, 4) as f64 } else { *rng.pick(&[0.1, 1.0, 7.0, 40.0]) };
            let along: f64 = (0..3).map(|k| axis[k] * by[k]).sum();
            let advance = if rng.one_in(3) { 0.0 } else { along };
            Path::screw(start, place(rng, grid, 3.0), axis, angle, advance)
        }
        3 => {
            let [from, to] = [(); 2].map(|()| rigid(rng, grid, 6.0));
            let reference = if rng.one_in(2) { [0.0; 3] } else { place(rng, grid, 3.0) };
            Path::between(&from, &to, reference)
        }
        _ => {
            let poses: Vec<Pose> = (0..rng.int(2, 5)).map(|_| rigid(rng, grid, 5.0)).collect();
            Path::piecewise(&poses)
        }
    }
    .unwrap()
}

/// Two soups of which the first rests, the second or none; with radii and a margin in some cases.
pub(super) fn case(rng: &mut Rng) -> Case {
    let (grid, most) = (rng.one_in(3), *rng.pick(&[1, 3, 40]));
    let [a, b] = [(); 2].map(|()| soup(rng, grid, most));
    let track = |rng: &mut Rng, is_still: bool| {
        if is_still { Track::Still(pose(rng, grid, 1.0)) } else { Track::Along(path(rng, grid)) }
    };
    let still = rng.below(3);
    let [radius_a, radius_b, margin] = [(); 3].map(|()| match rng.below(6) {
        0 => rng.between(0.0, 0.5),
        1 => *rng.pick(&[1e-9, 0.125, 1.0]),
        _ => 0.0,
    });
    let a = Side { model: a, track: track(rng, still == 0), radius: radius_a };
    let b = Side { model: b, track: track(rng, still == 1), radius: radius_b };
    Case { a, b, margin }
}
