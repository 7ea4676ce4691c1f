//! Numbers of text formats, read where they stand, without looking for the word's end first. Whoever reads
//! them sees to it that a blank or nothing follows.
//!
//! What is read here is exactly what `str::parse` gives (`fast-float2` rounds correctly). Whoever gets
//! nothing asks `str::parse`: for what is not finite, and whatever else the word may be.

/// A finite number that starts at a place in a text, correctly rounded, and where it ends. What may follow it
/// is for the caller to say.
#[inline(always)]
pub(crate) fn decimal(text: &[u8], at: usize) -> Option<(f64, usize)> {
    let (number, len) = fast_float2::parse_partial::<f64, _>(text.get(at..)?).ok()?;
    number.is_finite().then_some((number, at + len))
}

/// A whole number of one to seven digits that starts at a place in a text, and where it ends.
#[inline]
pub(crate) fn short_integer(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let mut number = 0;
    for end in at..at + 8 {
        match text.get(end) {
            Some(digit @ b'0'..=b'9') => number = 10 * number + u32::from(digit - b'0'),
            _ => return (end > at).then_some((number, end)),
        }
    }
    None
}

/// Where the digits end that start at a place in a text, be there none.
#[inline]
pub(crate) fn skip_digits(text: &[u8], at: usize) -> usize {
    at + text.get(at..).unwrap_or_default().iter().take_while(|b| b.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 32) % n
        }
    }

    /// Whether a word was read; panics unless that gave what `str::parse` gives.
    #[track_caller]
    fn check(word: &str) -> bool {
        let expected = word.parse::<f64>().ok();
        for tail in ["", " ", "\n", "\t1234567890", "\r\nv 1 2 3"] {
            let text = format!("{word}{tail}");
            // Of a part of the word nothing is claimed.
            if let Some((value, end)) = decimal(text.as_bytes(), 0).filter(|r| r.1 == word.len()) {
                assert_eq!(Some(value.to_bits()), expected.map(f64::to_bits), "'{word}'");
                assert_eq!(decimal(format!("v {text}").as_bytes(), 2), Some((value, end + 2)), "'{word}'");
            }
        }
        decimal(word.as_bytes(), 0).is_some_and(|r| r.1 == word.len())
    }

    #[test]
    fn what_is_read_is_what_parse_gives() {
        let read = "0 -0 +0 00 0.0 -0.0 1 +1 1. .5 -.5 +.5 1e0 1E-5 10e-1 123456789012345678 0.1 0.3 123456 \
                    9007199254740993 9999999999999999999 5.8150000000000004 0.89199995378500896 1e-54 \
                    0.000000000000000000001234567890123456789 000000000000000000000000000000000000001.5 \
                    6.12323399573677e-17 1844674407370955161e-54 900719925474099.9999e-10 1.797693134862315 \
                    1234567.12345678 1.234567e+01 -9.87e-0005";
        for word in read.split_whitespace() {
            assert!(check(word), "'{word}'");
        }
        // Many digits, large or small numbers, some halfway, and what is no number.
        let others = "+ - . -. e5 1e 1e+ 1e- 1e5.5 1.2.3 --1 +-1 0x10 1_000 1,5 inf -inf infinity nan NaN 1f \
                      1d5 ١ 1\u{A0}2 99999999999999999999 18446744073709551616 1e400 1e-400 4.9e-324 1e309 \
                      1.e3 1e+5 2.2250738585072011e-308 1.7976931348623159e308 1e99999999999 1e-99999999999 \
                      1e00000000 9007199254740993.0 9007199254740993e-22 0.1e-54 1e12345678 1e-12345678 1#";
        for word in others.split_whitespace().chain([""]) {
            check(word);
        }
    }

    #[test]
    fn random_words_are_what_parse_gives() {
        let mut random = Random(7);
        let mut read = 0;
        let rounds = 50_000;
        for _ in 0..rounds {
            let mut word = String::from(["", "-", "+"][random.below(3) as usize]);
            let mut digits = |n: u64, word: &mut String| {
                (0..random.below(n)).for_each(|_| word.push(char::from(b'0' + random.below(10) as u8)));
            };
            digits(12, &mut word);
            word.push('.');
            digits(22, &mut word);
            if random.below(3) == 0 {
                word += &format!("e{}", random.below(40) as i64 - 30);
            }
            if random.below(8) == 0 {
                let at = random.below(word.len() as u64) as usize;
                word.replace_range(at..=at, ["/", ":", "e", ".", "-", "\u{FFFD}"][random.below(6) as usize]);
            }
            read += u32::from(check(&word));
        }
        assert!(read > rounds / 2, "{read}");
    }

    /// The hardest to round: halfway between two numbers, and one digit beside it.
    #[test]
    fn numbers_near_a_half_are_what_parse_gives() {
        let mut random = Random(3);
        for _ in 0..5_000 {
            // 2 m + 1 has 54 bits: it is halfway itself, and so it is with every power of two.
            let odd = 1 << 53 | random.below(1 << 32) << 21 | random.below(1 << 20) << 1 | 1;
            let k = random.below(2) as u32;
            for exact in [odd * 10_u64.pow(k), odd / 2 * 5 * 10_u64.pow(k), odd / 8 * 125 * 10_u64.pow(k)] {
                for near in [exact - 1, exact, exact + 1] {
                    for power in [k, k + 1, k + 3, k + 20] {
                        check(&format!("{near}e-{power}"));
                    }
                    let digits = near.to_string();
                    let at = random.below(digits.len() as u64 + 1) as usize;
                    check(&format!("{}.{}", &digits[..at], &digits[at..]));
                }
            }
        }
    }

    #[test]
    fn integers_and_digits_end_where_they_end() {
        assert_eq!(short_integer(b"1234567/8", 0), Some((1234567, 7)));
        assert_eq!(short_integer(b"f 12 345678", 2), Some((12, 4)));
        assert_eq!(short_integer(b"7", 0), Some((7, 1)));
        let none = [&b"12345678"[..], b"123456789", b"", b"/1234567", b"-1 234567"];
        assert!(none.iter().all(|text| short_integer(text, 0).is_none()));
        assert_eq!(short_integer(b"7", 2), None);
        assert_eq!(skip_digits(b"12345678901234567890/1", 1), 20);
        assert_eq!(skip_digits(b"/1", 0), 0);
        assert_eq!(skip_digits(b"12345678", 0), 8);
    }
}
