//! Reads the tables `ignore` of a rules file.
use super::{
    condition_reader::SetReader,
    glob::Glob,
    ignore::{Between, Findings, Ignore},
    item::{Item, Table},
    place::{shortened, suggestion},
    set::SetRef,
    test::Test,
    test_reader::{LENGTH, relation},
};
use crate::values::{date::Date, error::Error};
use impinge_io::Unit;
use toml::de::DeValue;

const IGNORE: [&str; 9] =
    ["reason", "a", "b", "test", "relation", "between", "max_depth", "max_volume", "until"];

/// The name of the test if rules state none.
pub(crate) const ONLY_TEST: &str = "check";

/// Reads the ignore rules of a file with these tests. `unit` is that of lengths without one.
pub(crate) fn read<'a>(
    item: Option<Item<'a>>,
    unit: Option<Unit>,
    sets: &mut SetReader<'a>,
    tests: &[Test],
) -> Result<Vec<Ignore>, Error> {
    let tables = item.map_or(Ok(Vec::new()), |item| item.tables(&IGNORE))?;
    tables.iter().map(|table| ignore(table, unit, sets, tests)).collect()
}

fn ignore<'a>(
    table: &Table<'a>,
    unit: Option<Unit>,
    sets: &mut SetReader<'a>,
    tests: &[Test],
) -> Result<Ignore, Error> {
    let mut set = |key| table.get(key).map_or(Ok(SetRef::All), |item| sets.set_ref(&item));
    Ok(Ignore {
        reason: table.need("reason")?.some_text()?.to_owned(),
        a: set("a")?,
        b: set("b")?,
        test: table.get("test").map(|item| test(&item, tests)).transpose()?,
        findings: table.get("relation").map(|item| findings(&item)).transpose()?,
        between: table.get("between").map_or(Ok(Vec::new()), |item| between(&item))?,
        max_depth: table.quantity("max_depth", unit, LENGTH)?,
        max_volume: table.quantity("max_volume", unit, "a volume such as 5 or \"5cm3\"")?,
        until: table.get("until").map(|item| date(&item)).transpose()?,
        line: table.line(),
    })
}

/// The name of a test, or a glob that fits some.
fn test(item: &Item<'_>, tests: &[Test]) -> Result<Glob, Error> {
    let text = item.text()?;
    let names = || {
        let only = Some(ONLY_TEST).filter(|_| tests.is_empty());
        tests.iter().map(|test| &*test.name).chain(only)
    };
    if names().any(|name| name == text) {
        return Ok(Glob::literal(text));
    }
    let glob: Glob = text.parse().map_err(|error: Error| item.error(error.to_string()))?;
    if !names().any(|name| glob.fits(name)) {
        let hint = suggestion(text, names());
        return Err(item.error(format!("no test has the name '{}'{hint}", shortened(text))));
    }
    Ok(glob)
}

fn findings(item: &Item<'_>) -> Result<Findings, Error> {
    let mut all = Findings::default();
    let each = item.each();
    if each.is_empty() {
        return Err(item.error("'relation' must not be empty"));
    }
    for item in each {
        match item.value().as_str() {
            Some("near") => all.near = true,
            _ => all.relations = all.relations.and(relation(&item, &["near"])?),
        }
    }
    Ok(all)
}

fn between(item: &Item<'_>) -> Result<Vec<Between>, Error> {
    let each = item.each();
    if each.is_empty() {
        return Err(item.error("'between' must not be empty"));
    }
    let one = |item: &Item<'_>| {
        let word = item.text()?;
        let known = Between::ALL.into_iter().find(|between| between.name() == word);
        known.ok_or_else(|| item.unknown("word of 'between'", word, &Between::ALL.map(Between::name)))
    };
    each.iter().map(one).collect()
}

/// A date of TOML, or its text.
fn date(item: &Item<'_>) -> Result<Date, Error> {
    let what = "a date such as 2027-03-01";
    let date = match item.value() {
        DeValue::Datetime(value) => match (value.date, value.time, value.offset) {
            (Some(date), None, None) => Date::new(date.year, date.month, date.day),
            _ => None,
        },
        _ => return item.read(what, str::parse),
    };
    date.ok_or_else(|| item.expected(what))
}
