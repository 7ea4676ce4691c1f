//! The leg from one rigid pose to another.
use super::leg::Leg;
use crate::{
    Error, Pose,
    circle::sin_cos_of_angle,
    vector::{Matrix, Vector, largest, length},
};

/// A leg on which the body's point `reference` moves straight.
pub(super) fn leg(p0: &Pose, p1: &Pose, reference: Vector) -> Result<Leg, Error> {
    leg_from([p0, p1], reference, [*p0, *p1])
}

/// The leg of a body at a pose of its own that rigid motions move, from the first one to the second.
pub(super) fn carried_leg(motions: [&Pose; 2], body: &Pose) -> Result<Leg, Error> {
    let [start, end] = motions.map(|motion| body.then(motion));
    leg_from(motions, [0.0; 3], [start?, end?])
}

/// The leg of two rigid motions, of a body that is at the pose `start` at first, and is to end at `target`.
fn leg_from([p0, p1]: [&Pose; 2], reference: Vector, [start, target]: [Pose; 2]) -> Result<Leg, Error> {
    for pose in [p0, p1] {
        if !pose.is_rigid() {
            // The error says by how much.
            Pose::rigid(*pose.rows(), *pose.translation())?;
        }
    }
    let (center, end) = (p0.place(reference), p1.place(reference));
    let way = [0, 1, 2].map(|k| end[k] - center[k]);
    let turn = rotation_vector(&turn_between(p0.rows(), p1.rows()));
    Ok(Leg::new(start, center, turn, way).ending_at(target))
}

/// R1 R0^T.
fn turn_between(r0: &Matrix, r1: &Matrix) -> Matrix {
    let entry = |i: usize, j: usize| r1[i][0] * r0[j][0] + r1[i][1] * r0[j][1] + r1[i][2] * r0[j][2];
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
}

/// The axis times the angle, at most pi, of a rotation. Where the angle is pi, the axis' first component that
/// is not 0 is positive.
fn rotation_vector(r: &Matrix) -> Vector {
    // Four times the squares of the quaternion's components; the largest is at least 1, so that its root is
    // accurate, and the others follow from sums of entries (Shepperd 1978).
    let squares = [
        1.0 + r[0][0] + r[1][1] + r[2][2],
        1.0 + r[0][0] - r[1][1] - r[2][2],
        1.0 - r[0][0] + r[1][1] - r[2][2],
        1.0 - r[0][0] - r[1][1] + r[2][2],
    ];
    let most = largest(squares);
    let at = squares.iter().position(|x| *x == most).unwrap_or(0);
    let (xy, yz, zx) = (r[1][0] + r[0][1], r[2][1] + r[1][2], r[0][2] + r[2][0]);
    let across = [r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]];
    let [w, x, y, z] = match at {
        0 => [most, across[0], across[1], across[2]],
        1 => [across[0], most, xy, zx],
        2 => [across[1], xy, most, yz],
        _ => [across[2], zx, yz, most],
    };
    // All four have the same factor, twice the largest component.
    let v = [x, y, z];
    let is_turned = w < 0.0 || (w == 0.0 && v.iter().find(|x| **x != 0.0).is_some_and(|x| *x < 0.0));
    let v = if is_turned { v.map(|x| -x) } else { v };
    let sine = length(v);
    if sine == 0.0 {
        return [0.0; 3];
    }
    let angle = 2.0 * angle_of(sine, w.abs());
    v.map(|x| x * (angle / sine))
}

/// The angle from 0 to pi/2 of a vector (cosine, sine) of any length. It is the same on every machine, unlike
/// `f64::atan2`.
fn angle_of(sine: f64, cosine: f64) -> f64 {
    let size = (sine * sine + cosine * cosine).sqrt();
    let (sine, cosine) = (sine / size, cosine / size);
    // Each step takes an error d to d - sin d, about d^3 / 6: 0.8, 0.07, 6e-5, 3e-14, 0.
    let mut angle = std::f64::consts::FRAC_PI_4;
    for _ in 0..5 {
        let (s, c) = sin_cos_of_angle(angle);
        angle += sine * c - cosine * s;
    }
    angle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_agree_with_the_standard_library() {
        for k in 0..=10_000 {
            let x = f64::from(k) * std::f64::consts::FRAC_PI_2 / 10_000.0;
            let angle = angle_of(3.0 * x.sin(), 3.0 * x.cos());
            assert!((angle - x).abs() < 4e-16, "{x} {angle}");
        }
    }

    #[test]
    fn half_turns_have_an_axis() {
        for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.6, -0.8], [-0.8, 0.6, 0.0]] {
            let pose = Pose::from_axis_angle(axis, std::f64::consts::PI, [0.0; 3]).unwrap();
            let turn = rotation_vector(pose.rows());
            assert!((length(turn) - std::f64::consts::PI).abs() < 1e-15, "{axis:?} {turn:?}");
            let along: f64 = (0..3).map(|k| turn[k] * axis[k]).sum();
            assert!((along.abs() - std::f64::consts::PI).abs() < 1e-15, "{axis:?} {turn:?}");
        }
        assert_eq!(rotation_vector(Pose::IDENTITY.rows()), [0.0; 3]);
    }
}
