//! [`Length`]: a length as people write it, which may have a unit of its own.
use crate::values::error::Error;
use impinge::distance::Margin;
use impinge_io::Unit;
use std::{fmt, str::FromStr};

/// A length that is finite and not negative, as `5`, `5mm` or `0.2 in`.
///
/// A number without a unit is in the unit of the coordinates. A number with a unit is converted exactly and
/// rounded once: [`Length::within`] returns the f64 that is nearest to the decimal number times the ratio of
/// the two units. The units are those of [`Unit`]: µm, mm, cm, m, in and ft, and their English names.
///
/// ```
/// use impinge_check::{Length, Unit};
///
/// let length: Length = "5mm".parse()?;
/// assert_eq!(length.within(Some(Unit::Metre)), Some(0.005));
/// assert_eq!("1 in".parse::<Length>()?.within(Some(Unit::Millimetre)), Some(25.4));
/// // The unit of the coordinates is unknown.
/// assert_eq!(length.within(None), None);
/// assert_eq!("5".parse::<Length>()?.within(None), Some(5.0));
/// # Ok::<(), impinge_check::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Length {
    text: String,
    /// In its own unit.
    number: f64,
    unit: Option<(Decimal, Unit)>,
}

impl Length {
    /// The number, in the length's own unit if it has one.
    pub fn number(&self) -> f64 {
        self.number
    }
    /// The unit that was written with the number.
    pub fn unit(&self) -> Option<Unit> {
        self.unit.as_ref().map(|(_, unit)| *unit)
    }
    /// The length in the unit of the coordinates; `None` if that is unknown and is needed, or if the result
    /// is not finite.
    pub fn within(&self, coordinates: Option<Unit>) -> Option<f64> {
        match &self.unit {
            None => Some(self.number),
            Some((decimal, own)) => Some(decimal.converted(*own, coordinates?)).filter(|x| x.is_finite()),
        }
    }
}

/// NUMBER, or NUMBER and a unit, with or without blanks between them.
impl FromStr for Length {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let (decimal, rest) = match text.parse::<f64>() {
            // Infinity and NaN are numbers to the parser, too.
            Ok(_) => (text, ""),
            Err(_) => text.split_at(number_end(text)),
        };
        let number: f64 = decimal.parse().map_err(|_| Error::new("not a number"))?;
        let number =
            Margin::new(number).map_err(|_| Error::new("a length is finite and not negative"))?.get();
        let unit = match rest.trim() {
            "" => None,
            unit => {
                let unit = unit.parse().map_err(|error| Error::new(format!("'{unit}' is {error}")))?;
                Some((Decimal::of(decimal), unit))
            }
        };
        Ok(Self { text: text.to_owned(), number, unit })
    }
}

/// Writes the length as it was given.
impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Returns the end of the number at the start of a text. An `e` belongs to it only if an exponent follows.
fn number_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| from + bytes[from..].iter().take_while(|c| c.is_ascii_digit()).count();
    let sign = |at: usize| at + usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let mut end = digits(sign(0));
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let first = sign(end + 1);
        if digits(first) > first {
            end = digits(first);
        }
    }
    end
}

/// A decimal number without a sign: the digits as an integer, times a power of ten.
#[derive(Clone, Debug, PartialEq)]
struct Decimal {
    /// Values from 0 to 9, the first one not 0.
    digits: Vec<u8>,
    exponent: i64,
}

/// Significant digits of a quotient.
///
/// A number halfway between two neighbouring f64 is m 2^e with m < 2^54 and e >= -1075. It has at most 768
/// significant digits: if e < 0, it is m 5^-e 10^e, and m 5^-e < 2^54 5^1075 < 10^768; if not, it is an
/// integer below 2^1024. So it is a multiple of the last place of a quotient with more digits, and none lies
/// between the quotient that is cut off and the true one. A further digit that is not 0 puts the text on the
/// true side of all of them.
const DIGITS: usize = 800;

impl Decimal {
    /// Converts a text that the parser of f64 accepts, and that is not negative.
    fn of(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        // An exponent that is too large for an i64 has made the number 0 or infinite.
        let limit = if exponent.starts_with('-') { i64::MIN / 4 } else { i64::MAX / 4 };
        let exponent = exponent.parse().unwrap_or(limit).clamp(i64::MIN / 4, i64::MAX / 4);
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit).map(|c| c - b'0');
        let digits = digits.skip_while(|&digit| digit == 0).collect();
        Self { digits, exponent: exponent - fraction.len() as i64 }
    }

    /// The nearest f64 to this number of `from` in units of `to`.
    fn converted(&self, from: Unit, to: Unit) -> f64 {
        let ((times, up), (over, down)) = (from.decimal_metres(), to.decimal_metres());
        let product = multiplied(&self.digits, times);
        let (digits, shift) = divided(&product, over);
        let exponent = self.exponent + i64::from(up) - i64::from(down) + shift;
        let digits: String = digits.iter().map(|&digit| char::from(b'0' + digit)).collect();
        // The parser rounds a decimal number of any length to the nearest f64.
        if digits.is_empty() { 0.0 } else { format!("{digits}e{exponent}").parse().unwrap_or(f64::INFINITY) }
    }
}

/// The digits of a product; none if it is 0.
fn multiplied(digits: &[u8], times: u32) -> Vec<u8> {
    let mut carry = 0_u64;
    let mut product = Vec::with_capacity(digits.len() + 10);
    for &digit in digits.iter().rev() {
        carry += u64::from(digit) * u64::from(times);
        product.push((carry % 10) as u8);
        carry /= 10;
    }
    while carry > 0 {
        product.push((carry % 10) as u8);
        carry /= 10;
    }
    product.reverse();
    product
}

/// The digits of a quotient and its power of ten. A quotient that does not end has [`DIGITS`] digits or more,
/// and a 1 after them.
fn divided(digits: &[u8], over: u32) -> (Vec<u8>, i64) {
    let over = u64::from(over);
    let mut quotient: Vec<u8> = Vec::new();
    let (mut rest, mut shift) = (0_u64, 0);
    let mut push = |rest: &mut u64, digit: u8| {
        *rest = *rest * 10 + u64::from(digit);
        let next = (*rest / over) as u8;
        *rest %= over;
        if next > 0 || !quotient.is_empty() {
            quotient.push(next);
        }
        quotient.len()
    };
    let mut count = 0;
    for &digit in digits {
        count = push(&mut rest, digit);
    }
    while rest > 0 && count < DIGITS {
        count = push(&mut rest, 0);
        shift -= 1;
    }
    if rest > 0 {
        quotient.push(1);
        shift -= 1;
    }
    (quotient, shift)
}

#[cfg(test)]
mod tests {
    use super::Length;
    use impinge_io::Unit::{self, Centimetre, Foot, Inch, Metre, Micrometre, Millimetre};

    fn within(text: &str, unit: Unit) -> f64 {
        text.parse::<Length>().unwrap().within(Some(unit)).unwrap()
    }

    #[test]
    #[expect(clippy::excessive_precision, reason = "the digits decide how the compiler rounds")]
    fn a_length_is_the_nearest_f64() {
        // The right-hand sides are written in decimal, by hand: the compiler rounds them once.
        for (text, unit, expected) in [
            ("5mm", Metre, 0.005),
            ("0.1mm", Metre, 0.0001),
            ("7um", Metre, 7e-6),
            ("3 µm", Millimetre, 0.003),
            ("1in", Millimetre, 25.4),
            ("0.2 in", Millimetre, 5.08),
            ("0.7 inches", Centimetre, 1.778),
            ("1 ft", Inch, 12.0),
            ("7ft", Metre, 2.1336),
            ("3cm", Millimetre, 30.0),
            ("1e3mm", Metre, 1.0),
            ("+2.5E-1 m", Millimetre, 250.0),
            (".5m", Centimetre, 50.0),
            ("5.m", Metre, 5.0),
            ("5mm", Millimetre, 5.0),
            ("0mm", Foot, 0.0),
            ("000.000e999ft", Inch, 0.0),
            ("1in", Foot, 0.083_333_333_333_333_333_333_333_333_333_333_333_333_333_333_333),
            ("1 m", Inch, 39.370_078_740_157_480_314_960_629_921_259_842_519_685_039_370_078_74),
            ("1m", Foot, 3.280_839_895_013_123_359_580_052_493_438_320_209_973_753_280_839_895),
            ("127mm", Inch, 5.0),
        ] {
            assert_eq!(within(text, unit).to_bits(), f64::to_bits(expected), "{text} in {unit}");
        }
        // Numbers that f64 arithmetic gets wrong, so that the test can fail.
        assert_ne!(0.7_f64 * 2.54, 1.778);
        assert_ne!(0.017_f64 * 1e-3, 0.000_017);
        assert_eq!(within("0.017mm", Metre), 0.000_017);
    }

    /// Compares converted whole numbers of units with the exact quotients, in integers.
    #[test]
    fn quotients_are_nearest_by_integers() {
        for n in (1_u128..20_000).step_by(7).chain([999_999_999_999, 123_456_789_012_345]) {
            for (from, to, times, over) in [
                (Metre, Inch, 5000, 127),
                (Metre, Foot, 1250, 381),
                (Inch, Foot, 1, 12),
                (Centimetre, Inch, 50, 127),
            ] {
                let x = within(&format!("{n}{}", from.symbol()), to);
                let bits = x.to_bits();
                let (m, e) = ((bits & ((1 << 52) - 1)) | 1 << 52, (bits >> 52) as i32 - 1075);
                // x = m 2^e is nearest if |n times / over - m 2^e| <= 2^e / 2; both sides are multiplied by 2
                // over 2^-e.
                assert!((-60..=0).contains(&e), "{x}");
                let exact = (n * times) << (1 - e);
                let found = 2 * u128::from(m) * over;
                assert!(exact.abs_diff(found) <= over, "{n} {from} in {to}");
            }
        }
    }

    /// Halfway between two numbers, and next to it: 1 + 2^-53 feet, in feet and as many inches.
    #[test]
    fn ties_and_their_neighbours_are_told_apart() {
        let tie = "1.00000000000000011102230246251565404236316680908203125";
        let zeros = "0".repeat(700);
        let next = f64::from_bits(1.0_f64.to_bits() + 1);
        assert_eq!(within(&format!("{tie}ft"), Foot), 1.0);
        assert_eq!(within(&format!("{tie}{zeros}1ft"), Foot), next);
        // Twelve times that, in inches: the quotient ends, or does not.
        let inches = "12.000000000000001332267629550187848508358001708984375";
        assert_eq!(within(&format!("{inches}in"), Foot), 1.0);
        assert_eq!(within(&format!("{inches}{zeros}1in"), Foot), next);
        // Fifty inches and half of the spacing there, in centimetres: the divisor is 254.
        let centimetres = "127.00000000000000902389274415327236056327819824218750";
        assert_eq!(within(&format!("{centimetres}cm"), Inch), 50.0);
        assert_eq!(within(&format!("{centimetres}{zeros}1cm"), Inch), 50.0_f64.next_up());
    }

    #[test]
    fn lengths_out_of_range() {
        assert_eq!("1e308m".parse::<Length>().unwrap().within(Some(Micrometre)), None);
        assert_eq!(within("1e-400m", Millimetre), 0.0);
        assert_eq!(within("1e-323mm", Metre), 0.0);
        assert_eq!(within("1e-99999999999999999999999 m", Inch), 0.0);
        assert_eq!(within("5e-324 m", Metre).to_bits(), 1);
    }

    #[test]
    fn what_is_no_length_is_refused() {
        let refuse = |text: &str| text.parse::<Length>().unwrap_err().to_string();
        for text in ["", "mm", "x", "--5", ".mm", "e5", "5 5 mm", "NaN", "inf", "-1", "-1mm", "1e999m"] {
            refuse(text);
        }
        assert_eq!(refuse("5 parsec"), "'parsec' is not a unit of length; known are µm, mm, cm, m, in, ft");
        assert_eq!(refuse("five"), "not a number");
        assert_eq!(refuse("-5mm"), "a length is finite and not negative");
        assert!(refuse("5e").contains("'e' is not a unit"));
        let bare: Length = " 2.5 ".parse().unwrap();
        assert_eq!((bare.number(), bare.unit(), bare.within(None)), (2.5, None, Some(2.5)));
        let length: Length = "2.5 mm".parse().unwrap();
        assert_eq!((length.number(), length.unit(), length.within(None)), (2.5, Some(Millimetre), None));
        assert_eq!(length.to_string(), "2.5 mm");
    }
}
