//! [`Unit`], a unit of length.
use std::{error, fmt, str::FromStr};

/// A unit of length.
///
/// ```
/// use impinge_io::Unit;
/// assert_eq!("mm".parse(), Ok(Unit::Millimetre));
/// assert_eq!("inches".parse(), Ok(Unit::Inch));
/// assert_eq!(Unit::Inch.metres(), 0.0254);
/// assert_eq!(Unit::Inch.to_string(), "inch");
/// assert_eq!(Unit::Inch.symbol(), "in");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// 1e-6 m.
    Micrometre,
    /// 0.001 m.
    Millimetre,
    /// 0.01 m.
    Centimetre,
    /// The SI's unit of length.
    Metre,
    /// 0.0254 m, exactly.
    Inch,
    /// 0.3048 m, exactly.
    Foot,
}

impl Unit {
    /// All units.
    pub const ALL: &'static [Self] =
        &[Self::Micrometre, Self::Millimetre, Self::Centimetre, Self::Metre, Self::Inch, Self::Foot];

    /// Length in metres: the f64 nearest to the exact factor.
    pub fn metres(self) -> f64 {
        match self {
            Self::Micrometre => 1e-6,
            Self::Millimetre => 1e-3,
            Self::Centimetre => 1e-2,
            Self::Metre => 1.0,
            Self::Inch => 0.0254,
            Self::Foot => 0.3048,
        }
    }

    /// The exact length as `(n, e)`: n 10^e metres.
    ///
    /// ```
    /// assert_eq!(impinge_io::Unit::Inch.decimal_metres(), (254, -4));
    /// ```
    pub fn decimal_metres(self) -> (u32, i32) {
        match self {
            Self::Micrometre => (1, -6),
            Self::Millimetre => (1, -3),
            Self::Centimetre => (1, -2),
            Self::Metre => (1, 0),
            Self::Inch => (254, -4),
            Self::Foot => (3048, -4),
        }
    }

    /// The symbol: µm, mm, cm, m, in, ft.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Micrometre => "µm",
            Self::Millimetre => "mm",
            Self::Centimetre => "cm",
            Self::Metre => "m",
            Self::Inch => "in",
            Self::Foot => "ft",
        }
    }

    /// The name, such as `millimetre`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Micrometre => "micrometre",
            Self::Millimetre => "millimetre",
            Self::Centimetre => "centimetre",
            Self::Metre => "metre",
            Self::Inch => "inch",
            Self::Foot => "foot",
        }
    }
}

/// Writes the name.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads a symbol, or an English name in either spelling, singular or plural, in upper or lower case. Symbols
/// are lower case: `Mm` is a megametre. `um` and `micron` are micrometres.
impl FromStr for Unit {
    type Err = UnknownUnit;

    fn from_str(text: &str) -> Result<Self, UnknownUnit> {
        Ok(match text {
            // Unicode has two letters that look like this: the micro sign and the Greek mu.
            "µm" | "μm" | "um" => Self::Micrometre,
            "mm" => Self::Millimetre,
            "cm" => Self::Centimetre,
            "m" => Self::Metre,
            "in" => Self::Inch,
            "ft" => Self::Foot,
            _ => match &text.to_lowercase()[..] {
                "micrometre" | "micrometer" | "micrometres" | "micrometers" | "micron" | "microns" => {
                    Self::Micrometre
                }
                "millimetre" | "millimeter" | "millimetres" | "millimeters" => Self::Millimetre,
                "centimetre" | "centimeter" | "centimetres" | "centimeters" => Self::Centimetre,
                "metre" | "meter" | "metres" | "meters" => Self::Metre,
                "inch" | "inches" => Self::Inch,
                "foot" | "feet" => Self::Foot,
                _ => return Err(UnknownUnit(())),
            },
        })
    }
}

/// The error of parsing a [`Unit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownUnit(());

impl fmt::Display for UnknownUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = Unit::ALL.iter().map(|unit| unit.symbol()).collect();
        write!(f, "not a unit of length; known are {}", known.join(", "))
    }
}

impl error::Error for UnknownUnit {}

#[cfg(test)]
mod tests {
    use super::Unit;

    #[test]
    fn both_forms_of_a_length_agree() {
        for unit in Unit::ALL {
            let (n, e) = unit.decimal_metres();
            // The parser rounds once.
            assert_eq!(format!("{n}e{e}").parse(), Ok(unit.metres()), "{unit}");
        }
    }
}
