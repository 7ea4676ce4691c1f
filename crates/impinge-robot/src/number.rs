//! [`Number`]: a radius with the place of its digits, and [`with_radii`], which replaces digits in a text.
use crate::{error::Error, quote::shown};
use std::ops::Range;

/// A number of a file and the place of its digits.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// The f64 nearest to the decimal number.
    pub value: f64,
    /// Byte range of the digits (with sign and exponent) in the text.
    pub at: Range<usize>,
}

/// The finite number that the whole of `text[at]` writes.
pub(crate) fn finite(text: &str, at: Range<usize>, what: &str) -> Result<f64, Error> {
    let digits = &text[at.clone()];
    match digits.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => {
            let what = format!("{what} '{}' is not finite; write a finite number", shown(digits));
            Err(Error::at(text, at.start, what))
        }
        Err(_) => {
            let what = format!("{what} '{}' is not a number; write one such as 0.05", shown(digits));
            Err(Error::at(text, at.start, what))
        }
    }
}

/// A length that the whole of `text[at]` writes: finite, and not negative.
pub(crate) fn length(text: &str, at: Range<usize>, what: &str) -> Result<Number, Error> {
    let value = finite(text, at.clone(), what)?;
    if value < 0.0 {
        let message = format!("{what} {value} is negative; write 0 or a positive number");
        return Err(Error::at(text, at.start, message));
    }
    // A radius of -0 is 0.
    Ok(Number { value: value.abs(), at })
}

/// The text with other digits in the ranges given. Every other byte stays. Digits that already mean the value
/// stay, too.
///
/// New digits are the shortest that give exactly this f64. An exponent comes with a point and a sign,
/// `1.0e-7`, as YAML 1.1 has no other.
///
/// ```
/// use impinge_robot::{Urdf, with_radii};
/// let text = r#"<robot name="r"><link name="a"><collision><geometry>
///     <sphere radius="0.050"/></geometry></collision></link></robot>"#;
/// let urdf = Urdf::parse(text)?;
/// let radius = urdf.links[0].collisions[0].geometry.radius().expect("a sphere");
/// let repaired = with_radii(text, &[(radius.at.clone(), 0.0625)]);
/// assert_eq!(repaired, text.replace("0.050", "0.0625"));
/// assert_eq!(with_radii(text, &[(radius.at.clone(), 0.05)]), text);
/// # Ok::<(), impinge_robot::Error>(())
/// ```
///
/// # Panics
/// Ranges that overlap, or are not ranges of characters of this text; a value that is negative or not finite.
pub fn with_radii(text: &str, radii: &[(Range<usize>, f64)]) -> String {
    let mut sorted: Vec<_> = radii.iter().collect();
    sorted.sort_by_key(|(at, _)| at.start);
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for (at, value) in sorted {
        assert!(value.is_finite() && *value >= 0.0, "the radius {value} is negative or not finite");
        assert!(end <= at.start, "the range {at:?} overlaps another");
        out.push_str(&text[end..at.start]);
        let old = &text[at.clone()];
        if old.parse() == Ok(*value) {
            out.push_str(old)
        } else {
            out.push_str(&shortest(*value))
        }
        end = at.end;
    }
    out + &text[end..]
}

/// The shortest decimal number that parses to this f64.
pub(crate) fn shortest(value: f64) -> String {
    let plain = format!("{}", value.abs());
    let (mantissa, exponent) = match format!("{:e}", value.abs()).split_once('e') {
        Some((mantissa, exponent)) => (mantissa.to_owned(), exponent.to_owned()),
        None => return plain,
    };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    let scientific = format!("{mantissa}{point}e{sign}{exponent}");
    if scientific.len() < plain.len() { scientific } else { plain }
}

#[cfg(test)]
mod tests {
    use super::shortest;

    #[test]
    fn the_shortest_digits_give_the_same_number() {
        for (value, digits) in [
            (0.1, "0.1"),
            (1.0, "1"),
            (0.0, "0"),
            (1e-7, "1.0e-7"),
            (1.5e-300, "1.5e-300"),
            (1e300, "1.0e+300"),
            (0.30000000000000004, "0.30000000000000004"),
            (1234.5, "1234.5"),
        ] {
            assert_eq!(shortest(value), digits);
            assert_eq!(digits.parse(), Ok(value));
        }
        for k in 0..2000 {
            let value =
                f64::from_bits(0x0000_0000_0000_0001_u64.wrapping_add(k * 0x001F_FFFF_1234_5679)).abs();
            if value.is_finite() {
                assert_eq!(shortest(value).parse(), Ok(value));
            }
        }
    }
}
