//! Numbers for people.

/// Formats 22941 as `22,941`.
pub fn grouped(n: impl Into<u64>) -> String {
    let digits = n.into().to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats `1 part`, `2 parts`, for nouns with a plural in s.
pub fn count(n: impl Into<u64>, noun: &str) -> String {
    count_of(n.into(), noun, &format!("{noun}s"))
}

/// Formats a number and a noun, whose plural is `many`.
pub fn count_of(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// Format of coordinates in a column, all with the same number of decimals: six digits of the model's size,
/// or of the largest coordinate if that is smaller. Far from the origin, the digits before the point locate
/// the model, and those after it locate the place in the model.
pub struct Coordinates {
    decimals: usize,
    scientific: bool,
}

/// Largest number of digits after the first one of an f64.
const MOST_DIGITS: i32 = 16;

impl Coordinates {
    /// The format for `values` in a model of this `size`; 0 if there is no estimate of it.
    pub fn like(values: impl IntoIterator<Item = f64>, size: f64) -> Self {
        let largest = values.into_iter().filter(|c| c.is_finite()).fold(0.0_f64, |m, c| m.max(c.abs()));
        // The casts are exact: exponents of f64 are small. 0 counts as 1: it has no scale.
        let exponent = |x: f64| if x > 0.0 && x.is_finite() { x.log10().floor() as i32 } else { 0 };
        let first = exponent(largest);
        let fine = if size > 0.0 { exponent(size).min(first) } else { first };
        // Number of digits after the first one of the largest coordinate.
        let digits = (first - fine + 5).min(MOST_DIGITS);
        let scientific = !(-5..=11).contains(&first) || first - digits > 0;
        let decimals = if scientific { digits } else { digits - first };
        Self { decimals: decimals as usize, scientific }
    }

    /// A coordinate in that format.
    pub fn show(&self, c: f64) -> String {
        let shown = match self.scientific {
            true => format!("{c:.*e}", self.decimals),
            false => format!("{c:.*}", self.decimals),
        };
        match shown.strip_prefix('-') {
            Some(zero) if zero.bytes().all(|digit| b"0.e".contains(&digit)) => zero.to_owned(),
            _ => shown,
        }
    }
}

/// Formats a volume or a length in four digits, or as a whole number from 1000 to 10^7.
pub fn amount(x: f64) -> String {
    let scientific = format!("{x:.3e}");
    // After rounding: 0.99999 is 1.000.
    let exponent = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok());
    match exponent {
        Some(exponent @ -4..=6) => format!("{x:.*}", (3_i32 - exponent).max(0) as usize),
        _ => scientific,
    }
}

/// Formats a volume between two bounds that are not negative: one number in four digits if the bounds differ
/// by at most a hundredth, otherwise both bounds, rounded outwards except for the last bits.
pub fn volume([lo, hi]: [f64; 2]) -> String {
    if hi - lo <= hi / 100.0 {
        return amount(hi);
    }
    // Where the nearest number in four digits is on the wrong side by more than a billionth, the next one.
    let outwards = |x: f64, sign: f64| {
        let shown = format!("{x:.3e}");
        let exponent = shown.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
        match (shown.parse::<f64>(), exponent) {
            (Ok(near), Some(exponent)) if (near - x) * sign < -1e-9 * x => {
                amount(near + sign * 10.0_f64.powi(exponent - 3))
            }
            _ => amount(x),
        }
    };
    let least = if lo > 0.0 { outwards(lo, -1.0) } else { "0".to_owned() };
    format!("{least}–{}", outwards(hi, 1.0))
}

/// Formats a length roughly: in three digits, or in whole units from 1000 to 10^7. 0.0040 is `0.004`, 12689.4
/// is `12,689`.
pub fn rough(x: f64) -> String {
    if (1e3..1e7).contains(&x) {
        return grouped(x.round() as u64);
    }
    digits_of(x, 3)
}

/// Formats a length in four digits, or in as many as show which of `limits` it exceeds.
pub fn amount_beside(x: f64, limits: &[f64]) -> String {
    let sides = |x: f64| limits.iter().map(move |&limit| x <= limit);
    let is_honest = |text: &String| text.parse().is_ok_and(|shown| sides(shown).eq(sides(x)));
    let more = (5..=17).map(|digits| digits_of(x, digits));
    // 17 digits distinguish any two numbers.
    [amount(x)].into_iter().chain(more).find(is_honest).unwrap_or_else(|| x.to_string())
}

/// The shortest number from `lo` to `hi`; both are no less than 0.
pub fn shortest([lo, hi]: [f64; 2]) -> String {
    let is_between = |text: &String| text.parse().is_ok_and(|shown: f64| lo <= shown && shown <= hi);
    let tries = (1..=17).flat_map(|digits| [hi, lo, lo / 2.0 + hi / 2.0].map(|x| digits_of(x, digits)));
    { tries }.find(is_between).unwrap_or_else(|| hi.to_string())
}

/// Formats a number in `digits` digits, without trailing zeros.
fn digits_of(x: f64, digits: i32) -> String {
    let scientific = format!("{x:.*e}", (digits - 1).max(0) as usize);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse() {
        Ok(exponent @ -4..=6) => {
            trimmed(&format!("{x:.*}", (digits - 1 - exponent).max(0) as usize)).to_owned()
        }
        _ => format!("{}e{exponent}", trimmed(mantissa)),
    }
}

fn trimmed(decimal: &str) -> &str {
    if decimal.contains('.') { decimal.trim_end_matches('0').trim_end_matches('.') } else { decimal }
}

#[cfg(test)]
mod tests {
    use super::{Coordinates, amount, amount_beside, count, grouped, rough, shortest, volume};

    #[test]
    fn a_volume_that_is_not_known_well_has_both_bounds() {
        for (bounds, text) in [
            ([200.0, 200.0], "200.0"),
            ([199.0, 200.0], "200.0"),
            ([197.9, 200.0], "197.9–200.0"),
            ([0.0, 1200.0], "0–1200"),
            ([0.0, 0.0], "0.000"),
            ([1234.4, 1299.6], "1234–1300"),
            ([1234.6, 1299.4], "1234–1300"),
            ([2_499.999_999_999, 7_500.000_000_001], "2500–7500"),
            ([1.23456e-9, 9.9996e9], "1.234e-9–1.000e10"),
        ] {
            assert_eq!(volume(bounds), text);
        }
    }

    #[test]
    fn a_length_shows_on_which_side_of_a_limit_it_is() {
        assert_eq!(amount_beside(4.2, &[5.0]), "4.200");
        assert_eq!(amount_beside(5.0, &[5.0]), "5.000");
        // Four digits would be 5.000, which is on the other side of the limit.
        assert_eq!(amount_beside(4.999_96, &[4.999_98]), "4.99996");
        assert_eq!(amount_beside(5.000_000_1, &[5.0, 10.0]), "5.0000001");
        assert_eq!(amount_beside(5_f64.next_up(), &[5.0]), "5.000000000000001");
        assert_eq!(amount_beside(1.000_000_1e-9, &[1e-9]), "1.0000001e-9");
    }

    #[test]
    fn a_rough_length_has_three_digits_or_whole_units() {
        for (x, text) in [
            (0.3, "0.3"),
            (0.004, "0.004"),
            (0.123_45, "0.123"),
            (30.0, "30"),
            (999.6, "1000"),
            (12_689.4, "12,689"),
            (3e9, "3e9"),
            (1.2345e-9, "1.23e-9"),
            (0.0, "0"),
        ] {
            assert_eq!(rough(x), text);
        }
    }

    #[test]
    fn the_shortest_number_of_an_interval() {
        for (lo, hi, text) in [
            (5.0, 5.0, "5"),
            (0.0, 0.0, "0"),
            (1.249_999_999_9, 1.250_000_000_1, "1.25"),
            (1.118_033_988_749, 1.118_033_988_751, "1.11803398875"),
            (0.1 + 0.2, 0.1 + 0.2, "0.30000000000000004"),
            (19.99, 20.0, "20"),
            (20.0, 20.01, "20"),
            (1.2e-9, 1.2e-9, "1.2e-9"),
            (1.5e300, 1.5e300, "1.5e300"),
        ] {
            assert_eq!(shortest([lo, hi]), text);
        }
    }

    #[test]
    fn amounts_have_four_digits() {
        for (x, text) in [
            (0.0, "0.000"),
            (1.0, "1.000"),
            (0.000_123_46, "0.0001235"),
            (1_234_567.0, "1234567"),
            (0.000_012_345, "1.234e-5"),
            (12.3456, "12.35"),
            (0.999_999, "1.000"),
            (-8e9, "-8.000e9"),
        ] {
            assert_eq!(amount(x), text);
        }
    }

    #[test]
    fn numbers_for_people() {
        for (n, text) in
            [(0, "0"), (999, "999"), (1000, "1,000"), (22_941, "22,941"), (1_234_567, "1,234,567")]
        {
            assert_eq!(grouped(n as u64), text);
        }
        assert_eq!(count(1_u64, "part"), "1 part");
        assert_eq!(count(0_u64, "part"), "0 parts");
    }

    #[test]
    fn coordinates_have_six_digits() {
        let show = |largest: f64, c: f64| Coordinates::like([largest], largest).show(c);
        assert_eq!(show(123.4, 1.0 / 3.0), "0.333");
        assert_eq!(show(-123.4, -0.0004), "0.000");
        assert_eq!(show(0.0, 0.0), "0.00000");
        assert_eq!(show(9e13, 9e13), "9.00000e13");
        assert_eq!(show(1e-9, 0.0), "0.00000e0");
        assert_eq!(show(f64::INFINITY, 2.5), "2.50000");
    }

    #[test]
    fn far_from_the_origin_it_is_the_model_s_size_that_counts() {
        // A house of 20 m at map coordinates; a lattice of 2 m at a distance of a thousand kilometres, in
        // millimetres.
        let show = |largest: f64, size: f64, c: f64| Coordinates::like([largest], size).show(c);
        assert_eq!(show(5_932_123.0, 20.0, 5_932_123.456_78), "5932123.4568");
        assert_eq!(show(2e9, 1700.0, 2_000_000_123.456_7), "2000000123.46");
        // At most the digits that the number has, and as many as near the origin.
        assert_eq!(show(1e9, 1e-9, 1e9), "1000000000.0000000");
        assert_eq!(show(1e14, 1e-9, 1e14), "1.0000000000000000e14");
        assert_eq!(show(0.5, 1000.0, 0.123_456_789), "0.123457");
    }
}
