//! Numbers of rules: volumes, and ranges of numbers, lengths and volumes.
use crate::values::{error::Error, length::Length};
use impinge_io::Unit;
use std::{fmt, str::FromStr};

/// A volume that is finite and not negative, such as `5`, `5cm3`, `5 cm^3` or `5 cm³`.
///
/// A number without a unit is in the cube of the unit of the coordinates. The result of a conversion is
/// rounded a few times.
///
/// ```
/// use impinge_check::{Unit, rules::VolumeSize};
///
/// let volume: VolumeSize = "8cm3".parse()?;
/// assert!((volume.within(Some(Unit::Metre)).unwrap() - 8e-6).abs() < 1e-20);
/// assert_eq!((volume.within(Some(Unit::Centimetre)), volume.within(None)), (Some(8.0), None));
/// # Ok::<(), impinge_check::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeSize {
    text: String,
    number: f64,
    unit: Option<Unit>,
}

impl VolumeSize {
    /// The volume in the cube of the unit of the coordinates; `None` if that is unknown and is needed, or if
    /// the result is not finite.
    pub fn within(&self, coordinates: Option<Unit>) -> Option<f64> {
        let factor = match self.unit {
            None => 1.0,
            Some(own) if Some(own) == coordinates => 1.0,
            Some(own) => (own.metres() / coordinates?.metres()).powi(3),
        };
        Some(self.number * factor).filter(|volume| volume.is_finite())
    }
    /// The volume of a number in the cube of a unit.
    pub(crate) fn of_number(text: &str, unit: Option<Unit>) -> Result<Self, Error> {
        Ok(Self { unit, ..text.parse()? })
    }
}

/// NUMBER, or NUMBER and the cube of a unit, with or without blanks between them.
impl FromStr for VolumeSize {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let wrong = |why: Error| {
            let why = why.to_string().replace("a length is", "a volume is");
            Error::new(format!("{why}; write a volume as 5, or as 5cm3"))
        };
        let (number, unit) = if text.parse::<f64>().is_ok() {
            (text.parse::<Length>().map_err(wrong)?.number(), None)
        } else {
            let cube = ["^3", "³", "3"].iter().find_map(|end| text.strip_suffix(end));
            let length: Length = cube.unwrap_or(text).parse().map_err(wrong)?;
            if cube.is_none() || length.unit().is_none() {
                return Err(wrong(Error::new("not a volume")));
            }
            (length.number(), length.unit())
        };
        Ok(Self { text: text.to_owned(), number, unit })
    }
}

/// Writes the volume as it was given.
impl fmt::Display for VolumeSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// A number that a range is made of.
pub(crate) trait Quantity: Sized {
    /// Reads a quantity. A number without a unit is in `unit`.
    fn read(text: &str, unit: Option<Unit>) -> Result<Self, Error>;
    /// The number in the unit of the coordinates.
    fn number(&self, coordinates: Option<Unit>) -> Option<f64>;
}

impl Quantity for f64 {
    fn read(text: &str, _: Option<Unit>) -> Result<Self, Error> {
        let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| Error::new("not a number"))
    }
    fn number(&self, _: Option<Unit>) -> Option<f64> {
        Some(*self)
    }
}

impl Quantity for Length {
    fn read(text: &str, unit: Option<Unit>) -> Result<Self, Error> {
        let length: Self = text.parse()?;
        match unit {
            Some(unit) if length.unit().is_none() => format!("{length}{}", unit.symbol()).parse(),
            _ => Ok(length),
        }
    }
    fn number(&self, coordinates: Option<Unit>) -> Option<f64> {
        self.within(coordinates)
    }
}

impl Quantity for VolumeSize {
    fn read(text: &str, unit: Option<Unit>) -> Result<Self, Error> {
        let volume: Self = text.parse()?;
        match volume.unit {
            None => Self::of_number(text, unit),
            Some(_) => Ok(volume),
        }
    }
    fn number(&self, coordinates: Option<Unit>) -> Option<f64> {
        self.within(coordinates)
    }
}

/// A range of numbers. Either end may be missing, and may belong to the range or not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Range<Q> {
    text: String,
    /// The end, and whether it belongs to the range.
    low: Option<(Q, bool)>,
    high: Option<(Q, bool)>,
}

impl<Q: Quantity> Range<Q> {
    /// Reads `<x`, `<=x`, `>x`, `>=x`, `a..b` or a single number.
    pub(crate) fn read(text: &str, unit: Option<Unit>) -> Result<Self, Error> {
        let one = |number: &str| Q::read(number, unit);
        let (low, high) = if let Some(rest) = text.strip_prefix("<=") {
            (None, Some((one(rest)?, true)))
        } else if let Some(rest) = text.strip_prefix('<') {
            (None, Some((one(rest)?, false)))
        } else if let Some(rest) = text.strip_prefix(">=") {
            (Some((one(rest)?, true)), None)
        } else if let Some(rest) = text.strip_prefix('>') {
            (Some((one(rest)?, false)), None)
        } else if let Some((low, high)) = text.split_once("..") {
            (Some((one(low)?, true)), Some((one(high)?, true)))
        } else {
            (Some((one(text)?, true)), Some((one(text)?, true)))
        };
        let ends = (&low, &high);
        if let (Some((low, _)), Some((high, _))) = ends
            && low.number(Some(Unit::Metre)) > high.number(Some(Unit::Metre))
        {
            return Err(Error::new("the range is empty"));
        }
        Ok(Self { text: text.to_owned(), low, high })
    }
    /// The range in the unit of the coordinates; `None` if that is unknown and is needed.
    pub(crate) fn within(&self, coordinates: Option<Unit>) -> Option<Range<f64>> {
        let end = |end: &Option<(Q, bool)>| match end {
            Some((number, is_closed)) => Some(Some((number.number(coordinates)?, *is_closed))),
            None => Some(None),
        };
        Some(Range { text: self.text.clone(), low: end(&self.low)?, high: end(&self.high)? })
    }
    /// The range as it was given.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

impl Range<f64> {
    /// True if a number is in the range. NaN is in none.
    pub(crate) fn holds(&self, number: f64) -> bool {
        let is_above = match self.low {
            Some((low, true)) => number >= low,
            Some((low, false)) => number > low,
            None => true,
        };
        let is_below = match self.high {
            Some((high, true)) => number <= high,
            Some((high, false)) => number < high,
            None => true,
        };
        is_above && is_below
    }
}

#[cfg(test)]
mod tests {
    use super::{Quantity, Range, VolumeSize};
    use crate::values::length::Length;
    use impinge_io::Unit;

    #[test]
    fn volumes_have_cubes_of_units() {
        let within = |text: &str, unit| text.parse::<VolumeSize>().unwrap().within(unit);
        for (text, unit, expected) in [
            ("8cm3", Unit::Millimetre, 8000.0),
            ("2e-6 m^3", Unit::Centimetre, 2.0),
            ("1ft³", Unit::Inch, 1728.0),
            ("1.53", Unit::Inch, 1.53),
            ("3 mm3", Unit::Millimetre, 3.0),
            ("0m3", Unit::Millimetre, 0.0),
        ] {
            let found = within(text, Some(unit)).unwrap();
            assert!((found - expected).abs() <= 1e-14 * expected, "{text}: {found}");
        }
        assert_eq!((within("1", None), within("1m3", None)), (Some(1.0), None));
        assert_eq!(within("1e300m3", Some(Unit::Micrometre)), None);
        for text in ["", "x", "1cm", "1cm2", "-1cm3", "-1", "NaN", "inf", "1 parsec3", "3", "cm3", "1e400"] {
            if text != "3" {
                let error = text.parse::<VolumeSize>().unwrap_err().to_string();
                assert!(error.ends_with("write a volume as 5, or as 5cm3"), "{error}");
            }
        }
        assert_eq!(
            VolumeSize::read("5", Some(Unit::Centimetre)).unwrap().within(Some(Unit::Millimetre)),
            Some(5000.0)
        );
        assert_eq!(VolumeSize::read("5m3", Some(Unit::Inch)).unwrap().within(Some(Unit::Metre)), Some(5.0));
    }

    #[test]
    fn ranges_have_open_and_closed_ends() {
        for (text, inside, outside) in [
            ("<2", &[-1e300, 1.9][..], &[2.0, 3.0, f64::NAN][..]),
            ("<= 2", &[2.0], &[2.1]),
            (">2", &[2.1], &[2.0]),
            (">=2", &[2.0], &[1.9]),
            ("-1..2.5", &[-1.0, 2.5], &[-1.1, 2.6]),
            ("1...5e1", &[1.0, 5.0], &[0.9, 5.1]),
            (" 7 ", &[7.0], &[7.1]),
        ] {
            let range = Range::<f64>::read(text, None);
            if text == "1...5e1" {
                // The first two dots are those of the range: 1 to .5e1.
                assert!(range.unwrap().holds(5.0));
                continue;
            }
            let range = range.unwrap();
            assert!(inside.iter().all(|&x| range.holds(x)), "{text}");
            assert!(!outside.iter().any(|&x| range.holds(x)), "{text}");
        }
        for text in ["", "<", "<x", "..", "1..", "5..1", "=5", "NaN", "<inf", "><5"] {
            assert!(Range::<f64>::read(text, None).is_err(), "{text}");
        }
        assert!(
            Range::<Length>::read("5cm..1mm", None).is_err() && Range::<Length>::read(">-1", None).is_err()
        );
        let range = Range::<Length>::read("5..1m", Some(Unit::Millimetre)).unwrap();
        let within = range.within(Some(Unit::Centimetre)).unwrap();
        assert!(within.holds(0.5) && within.holds(100.0) && !within.holds(0.4));
        assert_eq!(range.within(None), None);
        assert_eq!(range.text(), "5..1m");
    }
}
