//! [`Date`]: a day of the Gregorian calendar.
use crate::values::error::Error;
use std::{fmt, str::FromStr};

/// A day of the Gregorian calendar in the years 0 to 9999, as `2027-03-01`.
///
/// ```
/// use impinge_check::Date;
///
/// let until: Date = "2027-03-01".parse()?;
/// assert!(Date::from_days(20_000) < until);
/// assert_eq!(Date::from_days(20_000).to_string(), "2024-10-04");
/// assert!("2027-02-29".parse::<Date>().is_err());
/// # Ok::<(), impinge_check::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// The day with these numbers; `None` if the calendar has no such day.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let is_day = year <= 9999 && day >= 1 && day <= days_of(year, month)?;
        is_day.then_some(Self { year, month, day })
    }
    /// The day `days` days after 1970-01-01, the first day of Unix time. A day outside of the years 0 to 9999
    /// becomes the nearest day within them.
    pub fn from_days(days: i64) -> Self {
        // Howard Hinnant's algorithm: years begin in March, so that the leap day is the last one.
        let days = days.clamp(-719_528, 2_932_896) + 719_468;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        Self { year: (year + 400 * era + next) as u16, month: month as u8, day: day as u8 }
    }
    /// The year.
    pub fn year(self) -> u16 {
        self.year
    }
    /// The month, from 1 to 12.
    pub fn month(self) -> u8 {
        self.month
    }
    /// The day of the month, from 1.
    pub fn day(self) -> u8 {
        self.day
    }
}

/// Number of days of a month; `None` if there is no such month.
fn days_of(year: u16, month: u8) -> Option<u8> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => Some(if is_leap { 29 } else { 28 }),
        4 | 6 | 9 | 11 => Some(30),
        1..=12 => Some(31),
        _ => None,
    }
}

/// Writes `YYYY-MM-DD`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:04}-{:02}-{:02}", self.year, self.month, self.day))
    }
}

/// Reads `YYYY-MM-DD`.
impl FromStr for Date {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let number = |from: usize, to: usize| {
            let digits = text.get(from..to).filter(|part| part.bytes().all(|c| c.is_ascii_digit()))?;
            digits.parse::<u16>().ok()
        };
        let is_shaped = text.len() == 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
        let numbers =
            if is_shaped { (number(0, 4), number(5, 7), number(8, 10)) } else { (None, None, None) };
        let (Some(year), Some(month), Some(day)) = numbers else {
            return Err(Error::new("not a date as 2027-03-01"));
        };
        // Two digits fit.
        Self::new(year, month as u8, day as u8).ok_or_else(|| Error::new("the calendar has no such day"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Date, days_of};

    #[test]
    fn days_are_counted_as_the_calendar_does() {
        // Every day of ten thousand years, one after the other.
        let mut days = -719_528;
        for year in 0..=9999 {
            for month in 1..=12 {
                for day in 1..=days_of(year, month).unwrap() {
                    let date = Date::from_days(days);
                    assert_eq!(Some(date), Date::new(year, month, day), "{days}");
                    days += 1;
                }
            }
        }
        assert_eq!(Date::from_days(0).to_string(), "1970-01-01");
        assert_eq!(Date::from_days(i64::MAX), Date::new(9999, 12, 31).unwrap());
        assert_eq!(Date::from_days(i64::MIN), Date::new(0, 1, 1).unwrap());
        assert_eq!(days, 2_932_897);
    }

    #[test]
    fn dates_are_read_as_they_are_written() {
        for text in ["2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31"] {
            let date: Date = text.parse().unwrap();
            assert_eq!(date.to_string(), text);
        }
        let (a, b): (Date, Date) = ("2027-03-01".parse().unwrap(), "2027-02-28".parse().unwrap());
        assert!(b < a && (a.year(), a.month(), a.day()) == (2027, 3, 1));
        for text in ["2023-02-29", "1900-02-29", "2023-13-01", "2023-00-01", "2023-01-00", "2023-04-31"] {
            assert!(text.parse::<Date>().unwrap_err().to_string().contains("no such day"), "{text}");
        }
        for text in
            ["", "2023-1-01", "2023-01-1", "+023-01-01", "2023/01/01", "20230101", "2023-01-01 ", "é23-01-01"]
        {
            assert!(text.parse::<Date>().unwrap_err().to_string().contains("not a date"), "{text}");
        }
    }
}
