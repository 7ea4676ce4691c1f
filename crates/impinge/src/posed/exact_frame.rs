//! The frame in which the coordinates of two bodies' points are exact without integers, if there is one.
use crate::{
    Pose,
    exact::{AxisPlacement, SumPoint},
    vector::Vector,
};

/// See the module's head.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ExactFrame {
    /// The bodies' own, as their poses are equal: coordinates are what is stored.
    Stored,
    /// The world's, as both poses map axes to axes: coordinates are sums of two numbers.
    Sums([AxisPlacement; 2]),
    /// None, or coordinates are not in the safe range.
    Integers,
}

impl ExactFrame {
    /// The frame of bodies at poses, whose models are in the safe range or not.
    pub(crate) fn new([a, b]: [&Pose; 2], in_safe_range: bool) -> Self {
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
    /// Whether coordinates are what is stored.
    pub(crate) fn is_stored(&self) -> bool {
        matches!(self, Self::Stored)
    }
}

/// Points of two bodies, by their body.
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
