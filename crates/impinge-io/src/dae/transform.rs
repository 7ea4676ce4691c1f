//! Transforms of nodes.
//!
//! The elements of a node apply to a point from the last to the first: with `translate` before `scale`, the
//! point is scaled, then moved. `rotate` has an axis n and an angle a in degrees; with c = cos a and s =
//! sin a it is the map
//!
//! ```text
//! x -> c x + s (n cross x) + (1 - c) (n . x) n
//! ```
//!
//! Quarter turns are exact. Other sines and cosines have the same bits on every machine.
use super::{
    numbers::exact_floats,
    tree::{ElementId, Tag, XmlTree},
};
use crate::{Error, affine::Affine};
use impinge::circle::sin_cos;

/// The map of an element that is a transform; `None` for other elements, and for transforms that are not
/// supported.
pub(super) fn local(tree: &XmlTree<'_>, e: ElementId) -> Result<Option<Affine>, Error> {
    Ok(Some(match tree.tag(e) {
        Tag::Matrix | Tag::BindShapeMatrix => {
            let m = exact_floats::<16>(tree, e)?;
            if m[12..] != [0.0, 0.0, 0.0, 1.0] {
                return Err(tree.wrong(e, "the last row of the matrix is not 0 0 0 1"));
            }
            let rows = std::array::from_fn(|i| std::array::from_fn(|j| m[4 * i + j]));
            Affine { rows, t: [m[3], m[7], m[11]] }
        }
        Tag::Translate => Affine { t: exact_floats(tree, e)?, ..Affine::IDENTITY },
        Tag::Scale => {
            let [x, y, z] = exact_floats(tree, e)?;
            Affine { rows: [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]], ..Affine::IDENTITY }
        }
        Tag::Rotate => {
            let [x, y, z, angle] = exact_floats(tree, e)?;
            let rows = rotation([x, y, z], angle)
                .ok_or_else(|| tree.wrong(e, "the axis of the rotation has no direction"))?;
            Affine { rows, ..Affine::IDENTITY }
        }
        _ => return Ok(None),
    }))
}

/// True if the axis of a rotation has unit length, as the format requires, to six digits.
pub(super) fn has_unit_axis(tree: &XmlTree<'_>, e: ElementId) -> Result<bool, Error> {
    let [x, y, z, angle] = exact_floats(tree, e)?;
    Ok(angle == 0.0 || (x * x + y * y + z * z - 1.0).abs() <= 1e-5)
}

/// The rotation about an axis of any length; `None` if that is zero or too large.
fn rotation(axis: [f64; 3], degrees: f64) -> Option<[[f64; 3]; 3]> {
    if degrees == 0.0 {
        return Some(Affine::IDENTITY.rows);
    }
    let length = axis.iter().map(|c| c * c).sum::<f64>().sqrt();
    if !length.is_normal() {
        return None;
    }
    let [x, y, z] = axis.map(|c| c / length);
    let (s, c) = sin_cos_of_degrees(degrees);
    let d = 1.0 - c;
    Some([
        [c + d * x * x, d * x * y - s * z, d * x * z + s * y],
        [d * x * y + s * z, c + d * y * y, d * y * z - s * x],
        [d * x * z - s * y, d * y * z + s * x, c + d * z * z],
    ])
}

/// (sin, cos) of an angle in degrees, exact for quarter turns.
fn sin_cos_of_degrees(degrees: f64) -> (f64, f64) {
    // The remainder and the difference are exact.
    let turn = degrees % 360.0;
    let quarters = (turn / 90.0).round();
    let (s, c) = sin_cos((turn - 90.0 * quarters).to_radians());
    match quarters.rem_euclid(4.0) as u8 {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

#[cfg(test)]
mod tests {
    use super::{rotation, sin_cos_of_degrees};

    #[test]
    fn quarter_turns_are_exact_and_others_near() {
        for (degrees, expected) in [
            (0.0, (0.0, 1.0)),
            (90.0, (1.0, 0.0)),
            (-90.0, (-1.0, 0.0)),
            (180.0, (0.0, -1.0)),
            (270.0, (-1.0, 0.0)),
            (-450.0, (-1.0, 0.0)),
            (360e9, (0.0, 1.0)),
        ] {
            assert_eq!(sin_cos_of_degrees(degrees), expected, "{degrees}");
        }
        for i in -8000..8000 {
            let degrees = f64::from(i) * 0.1;
            let (s, c) = sin_cos_of_degrees(degrees);
            let (sine, cosine) = degrees.to_radians().sin_cos();
            assert!((s - sine).abs() < 1e-14 && (c - cosine).abs() < 1e-14, "{degrees}");
        }
    }

    #[test]
    fn an_axis_is_normalized_and_must_have_a_direction() {
        let quarter = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(rotation([0.0, 0.0, 2.0], 90.0), Some(quarter));
        for axis in [[0.0; 3], [1e300, 0.0, 0.0], [1e-200, 0.0, 0.0]] {
            assert_eq!(rotation(axis, 90.0), None);
            assert!(rotation(axis, 0.0).is_some());
        }
    }
}
