//! Parses numbers of text formats in place, without first searching for the end of the word. The caller
//! checks that a blank or the end of the text follows.
//!
//! The result equals that of `str::parse`. Most numbers of meshes have few digits: m / 10^k, with an integer
//! m of at most 2^53 and k of at most 22, is a division of two exact f64 that rounds once (Clinger 1990,
//! section 3). All others go to `fast-float2`, which also rounds correctly and takes about twice as many
//! instructions. On `None` the caller uses `str::parse`, which handles values that are not finite and every
//! other word.

/// Parses a finite number, correctly rounded, and returns it with its end. The caller decides what may
/// follow.
#[inline(always)]
pub(crate) fn decimal(text: &[u8], at: usize) -> Option<(f64, usize)> {
    short_decimal(text, at).or_else(|| any_decimal(text, at))
}

#[inline(never)]
fn any_decimal(text: &[u8], at: usize) -> Option<(f64, usize)> {
    let (number, len) = fast_float2::parse_partial::<f64, _>(text.get(at..)?).ok()?;
    number.is_finite().then_some((number, at + len))
}

/// Parses an optional minus, one to seven digits, a point, and one to fifteen digits. Without the point, the
/// digits must be at most 2^53. Returns `None` if fewer than 32 bytes are left.
#[inline(always)]
fn short_decimal(text: &[u8], at: usize) -> Option<(f64, usize)> {
    const TENS: [u64; 16] = {
        let mut tens = [1; 16];
        let mut k = 1;
        while k < 16 {
            tens[k] = 10 * tens[k - 1];
            k += 1;
        }
        tens
    };
    let text = text.get(at..)?.first_chunk::<32>()?;
    let negative = text[0] == b'-';
    let start = usize::from(negative);
    let whole = Eight::of(text[start..start + 8].as_array()?);
    let point = start + whole.digits;
    if !(1..8).contains(&whole.digits) || text[point] != b'.' {
        return None;
    }
    let part = Eight::of(text[point + 1..point + 9].as_array()?);
    let more = Eight::of(text[point + 9..point + 17].as_array()?);
    let (part, digits) = if part.digits < 8 {
        (part.number(), part.digits)
    } else if more.digits < 8 {
        (part.number() * TENS[more.digits] + more.number(), 8 + more.digits)
    } else {
        return None;
    };
    let end = point + 1 + digits;
    // The digits without the point are below 10^7 10^12 or 10^3 10^15, so nothing overflows.
    let few = digits > 0 && (digits <= 12 || whole.digits < 4);
    if !few || matches!(text[end], b'e' | b'E') {
        return None;
    }
    let all = whole.number() * TENS[digits] + part;
    if all > 1 << 53 {
        return None;
    }
    let number = all as f64 / TENS[digits] as f64;
    Some((if negative { -number } else { number }, at + end))
}

/// Parses a whole number of one to seven digits, and returns it with its end.
#[inline(always)]
pub(crate) fn short_integer(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let text = text.get(at..)?;
    let eight = match text.first_chunk() {
        Some(bytes) => Eight::of(bytes),
        None => Eight::of(&filled(text)),
    };
    (1..8).contains(&eight.digits).then(|| (eight.number() as u32, at + eight.digits))
}

/// The leading digits of eight bytes, which are one number with the first byte lowest. A digit xor b'0' is at
/// most 9. Adding 0x76 sets the top bit of any other byte, and carries only into later bytes.
struct Eight {
    values: u64,
    digits: usize,
}

impl Eight {
    #[inline(always)]
    fn of(bytes: &[u8; 8]) -> Self {
        const EACH: u64 = u64::MAX / 255;
        let values = u64::from_le_bytes(*bytes) ^ (EACH * 0x30);
        let others = (values.wrapping_add(EACH * 0x76) | values) & (EACH * 0x80);
        Self { values, digits: (others.trailing_zeros() / 8) as usize }
    }
    /// The value of the digits. Shifts the last digit to the last byte, then adds digits in twos, fours and
    /// eights.
    #[inline(always)]
    fn number(&self) -> u64 {
        // A shift by all 64 bits, for no digit, gives zero.
        let values = self.values.checked_shl(64 - 8 * self.digits as u32).unwrap_or(0);
        let twos = values.wrapping_mul(10).wrapping_add(values >> 8) & 0x00FF_00FF_00FF_00FF;
        let fours = twos.wrapping_mul(100).wrapping_add(twos >> 16) & 0x0000_FFFF_0000_FFFF;
        fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF
    }
}

/// The last few bytes of a text, padded with zeros.
#[inline(never)]
fn filled(rest: &[u8]) -> [u8; 8] {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    bytes
}

/// End of the run of digits that starts at `at`, which may be empty.
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

    /// Returns true if a word was read; panics unless the result equals that of `str::parse`.
    #[track_caller]
    fn check(word: &str) -> bool {
        let expected = word.parse::<f64>().ok();
        let long = " 12345678901234567890 12345678901234567890";
        for tail in ["", " ", "\n", "\t1234567890", "\r\nv 1 2 3", long] {
            let text = format!("{word}{tail}");
            // If the parser stops inside the word, any value is right.
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
        // Many digits, large or small numbers, some halfway cases, and words that are not numbers.
        let others = "+ - . -. e5 1e 1e+ 1e- 1e5.5 1.2.3 --1 +-1 0x10 1_000 1,5 inf -inf infinity nan NaN 1f \
                      1d5 ١ 1\u{A0}2 99999999999999999999 18446744073709551616 1e400 1e-400 4.9e-324 1e309 \
                      1.e3 1e+5 2.2250738585072011e-308 1.7976931348623159e308 1e99999999999 1e-99999999999 \
                      1e00000000 9007199254740993.0 9007199254740993e-22 0.1e-54 1e12345678 1e-12345678 1#";
        for word in others.split_whitespace().chain([""]) {
            check(word);
        }
    }

    #[test]
    fn a_division_is_enough_for_few_digits() {
        let tail = " 12345678901234567890 12345678901234567890";
        for (word, enough) in [
            ("0.5", true),
            ("-0.0", true),
            ("1234567.12345678", true),
            ("12345678.5", false),
            ("900.719925474099", true),
            ("9.007199254740992", true),
            ("9.007199254740993", false),
            ("0.123456789012345", true),
            ("0.1234567890123456", false),
            ("1234.1234567890123", false),
            ("1234567.123456789012", false),
            ("1.e3", false),
            (".5", false),
            ("+1.5", false),
            ("1.5e3", false),
            ("1.5E3", false),
            ("12", false),
        ] {
            let text = format!("{word}{tail}");
            let read = short_decimal(text.as_bytes(), 0);
            assert_eq!(
                read.map(|r| (r.0.to_bits(), r.1)),
                enough.then(|| { (word.parse::<f64>().expect("a number").to_bits(), word.len()) }),
                "'{word}'"
            );
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

    /// The hardest cases to round: halfway between two numbers, and one digit away from it.
    #[test]
    fn numbers_near_a_half_are_what_parse_gives() {
        let mut random = Random(3);
        for _ in 0..5_000 {
            // 2 m + 1 has 54 bits, so it is a halfway case, as is its product with every power of two.
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
