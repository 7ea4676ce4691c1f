//! The frame in which the coordinates of two bodies' points are exact without integers, if there is one.
use crate::{
    Pose,
    exact::{AxisPlacement, SumPoint, handedness},
    vector::Vector,
};

/// The frame of two bodies, and the form of exact coordinates in it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ExactFrame {
    /// The bodies' own, as their poses are equal. Coordinates are the stored ones.
    Stored,
    /// The world's, as both poses map axes to axes; or their own, as they are turned alike and moved apart along
    /// axes that both maps keep. Coordinates are sums of two numbers.
    Sums([AxisPlacement; 2]),
    /// There is none, or coordinates are not in the safe range.
    Integers,
}

impl ExactFrame {
    /// The frame of bodies at poses. `in_safe_range` is true if the coordinates of their models are.
    pub(crate) fn new(poses: [&Pose; 2], in_safe_range: bool) -> Self {
        let frame = Self::in_world(poses, in_safe_range);
        if !in_safe_range || !matches!(frame, Self::Integers) {
            return frame;
        }
        turned_alike(poses).map_or(frame, Self::Sums)
    }
    /// The frame of bodies at poses, if it is the world's or the poses are equal.
    pub(crate) fn in_world([a, b]: [&Pose; 2], in_safe_range: bool) -> Self {
        let placement = |pose: &Pose| AxisPlacement::new(pose.rows(), pose.translation());
        if !in_safe_range {
            Self::Integers
        } else if a == b {
            Self::Stored
        } else if let (Some(a), Some(b)) = (placement(a), placement(b)) {
            Self::Sums([a, b])
        } else {
            Self::Integers
        }
    }
    /// True if coordinates are the stored ones.
    pub(crate) fn is_stored(&self) -> bool {
        matches!(self, Self::Stored)
    }
}

/// The placements of bodies at R v + s and R w + t in the frame that R is taken from: v + R^-1 s and w + R^-1
/// t, but for a common translation. `None` if R is not the same, mirrors, or does not map an axis to each one
/// along which s and t differ.
fn turned_alike([a, b]: [&Pose; 2]) -> Option<[AxisPlacement; 2]> {
    let (rows, [s, t]) = (a.rows(), [a.translation(), b.translation()]);
    if rows != b.rows() || handedness(rows) != 1 {
        return None;
    }
    let mut offsets = [[0.0; 3]; 2];
    for k in (0..3).filter(|&k| s[k] != t[k]) {
        let is_image = |axis: &usize| (0..3).all(|i| rows[i][*axis].abs() == f64::from(u8::from(i == k)));
        let axis = (0..3).find(is_image)?;
        offsets[0][axis] = rows[k][axis] * s[k];
        offsets[1][axis] = rows[k][axis] * t[k];
    }
    let [s, t] = offsets;
    let still = Pose::IDENTITY;
    Some([AxisPlacement::new(still.rows(), &s)?, AxisPlacement::new(still.rows(), &t)?])
}

/// Placed points of two bodies, each with the number of its body.
#[inline(always)]
pub(crate) fn sums<const N: usize>(
    places: &[AxisPlacement; 2],
    points: &[(usize, Vector); N],
) -> [SumPoint; N] {
    let mut sums = [SumPoint::ORIGIN; N];
    for (sum, (body, v)) in sums.iter_mut().zip(points) {
        *sum = places[*body].point(v);
    }
    sums
}

/// Computes `$ask` of `$g`, the predicates on six points of two bodies, in an [`ExactFrame`]; `None` if it
/// takes integers.
macro_rules! in_exact_frame {
    ($frame:expr, $points:expr, $g:ident => $ask:expr) => {
        match &$frame {
            $crate::posed::exact_frame::ExactFrame::Stored => {
                $crate::exact::by_points(&$points.map(|(_, v)| v), |$g| $ask)
            }
            $crate::posed::exact_frame::ExactFrame::Sums(places) => {
                $crate::exact::by_points(&$crate::posed::exact_frame::sums(places, &$points), |$g| $ask)
            }
            $crate::posed::exact_frame::ExactFrame::Integers => None,
        }
    };
}
pub(crate) use in_exact_frame;
