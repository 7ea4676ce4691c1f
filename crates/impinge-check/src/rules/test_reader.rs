//! Reads the tables `test` and `matrix` of a rules file.
use super::{
    condition_reader::SetReader,
    item::{Entry, Item, Table},
    place::shortened,
    set::SetRef,
    severity::Severity,
    test::{Find, Test},
};
use crate::values::{count::Count, error::Error, length::Length, relations::Relations};
use impinge_io::Unit;
use std::collections::{HashMap, HashSet};

/// Name of a length in errors.
pub(crate) const LENGTH: &str = "a length such as 0.5 or \"0.5mm\"";

const TEST: [&str; 12] = [
    "name",
    "find",
    "a",
    "b",
    "report",
    "tolerance",
    "clearance",
    "chord",
    "count",
    "poses",
    "between_poses",
    "severity",
];
const MATRIX: [&str; 8] = ["name", "severity", "report", "clearance", "chord", "count", "columns", "rows"];

/// Reads tests one after the other; refuses equal names.
pub(crate) struct TestReader {
    unit: Option<Unit>,
    names: HashSet<String>,
    tests: Vec<Test>,
}

impl TestReader {
    /// Reads the tests of a file. `unit` is that of lengths without one.
    pub(crate) fn read<'a>(
        tests: Option<Item<'a>>,
        matrices: Option<Item<'a>>,
        unit: Option<Unit>,
        sets: &mut SetReader<'a>,
    ) -> Result<Vec<Test>, Error> {
        let mut reader = Self { unit, names: HashSet::new(), tests: Vec::new() };
        if let Some(item) = tests {
            for table in item.tables(&TEST)? {
                reader.test(&table, sets)?;
            }
        }
        if let Some(item) = matrices {
            for table in item.tables(&MATRIX)? {
                reader.matrix(&table, sets)?;
            }
        }
        Ok(reader.tests)
    }

    fn test<'a>(&mut self, table: &Table<'a>, sets: &mut SetReader<'a>) -> Result<(), Error> {
        let item = table.need("name")?;
        let mut test = Test { name: item.some_text()?.to_owned(), ..self.common(table)? };
        test.a = sets.set_ref(&table.need("a")?)?;
        test.b = table.get("b").map_or(Ok(test.a), |item| sets.set_ref(&item))?;
        test.tolerance = table.quantity("tolerance", self.unit, LENGTH)?;
        test.find = table.get("find").map_or(Ok(Find::Pairs), |item| find(&item))?;
        let (without, what): (&[_], _) = match test.find {
            Find::Pairs => (&["poses", "between_poses"], "of pairs"),
            Find::Floating => (
                &["b", "report", "tolerance", "clearance", "chord", "count", "poses", "between_poses"],
                "of what floats",
            ),
            Find::LostContact => (
                &["report", "tolerance", "clearance", "chord", "count", "poses", "between_poses"],
                "of lost contacts",
            ),
            Find::MinGap => (&["report", "tolerance", "chord", "count"], "of gaps along poses"),
        };
        if let Some((key, item)) = without.iter().find_map(|key| Some((key, table.get(key)?))) {
            return Err(item.error(format!("'{key}' has no meaning in a test {what}")));
        }
        if test.find == Find::MinGap {
            test.poses = Some(table.need("poses")?.some_text()?.to_owned());
            test.between_poses = table.get("between_poses").map_or(Ok(false), |item| item.flag())?;
        }
        if matches!(test.find, Find::LostContact | Find::MinGap) {
            test.report = Relations::NONE;
        }
        self.push(test, &item)
    }
    /// Reads the keys that tests and tables of tests share.
    fn common(&self, table: &Table<'_>) -> Result<Test, Error> {
        Ok(Test {
            name: String::new(),
            find: Find::Pairs,
            a: SetRef::All,
            b: SetRef::All,
            report: table.get("report").map_or(Ok(Relations::USUAL), |item| relations(&item))?,
            tolerance: None,
            clearance: table.quantity("clearance", self.unit, LENGTH)?,
            chord: table.quantity("chord", self.unit, LENGTH)?,
            count: table.get("count").map(|item| count(&item)).transpose()?,
            poses: None,
            between_poses: false,
            severity: table.get("severity").map_or(Ok(Severity::Medium), |item| severity(&item))?,
            line: table.line(),
        })
    }
    fn push(&mut self, test: Test, item: &Item<'_>) -> Result<(), Error> {
        if !self.names.insert(test.name.clone()) {
            return Err(item.error(format!("two tests have the name '{}'", shortened(&test.name))));
        }
        self.tests.push(test);
        Ok(())
    }

    /// Makes a test of each cell with a length.
    fn matrix<'a>(&mut self, table: &Table<'a>, sets: &SetReader<'a>) -> Result<(), Error> {
        let name = table.need("name")?.some_text()?;
        let common = self.common(table)?;
        let item = table.need("columns")?;
        let Some(list) = item.list() else { return Err(item.expected("a list of sets")) };
        let mut columns = Vec::with_capacity(list.len());
        for item in &list {
            let column = item.text()?;
            if columns.iter().any(|(known, _)| *known == column) {
                return Err(item.error(format!("two columns have the name '{}'", shortened(column))));
            }
            columns.push((column, sets.of_key(column, item)?));
        }
        let item = table.need("rows")?;
        let Some(rows) = item.entries() else { return Err(item.expected("a table of rows")) };
        // The cells with a pair of sets, in either order.
        let mut cells: HashMap<[&str; 2], (Length, String)> = HashMap::new();
        for row in &rows {
            let a = sets.of_key(row.key, &row.item.at(row.at))?;
            for (&(column, b), cell) in columns.iter().zip(row_cells(row, columns.len())?) {
                let Some(tolerance) = self.cell(&cell)? else { continue };
                let pair = if row.key <= column { [row.key, column] } else { [column, row.key] };
                let title = format!("{} x {column}", row.key);
                match cells.get(&pair) {
                    Some((length, _)) if are_equal(length, &tolerance) => {}
                    Some((length, other)) => {
                        let text = format!("'{title}' is {tolerance}, and '{other}' is {length}");
                        return Err(cell.error(shortened(&text)));
                    }
                    None => {
                        let name = format!("{name}: {title}");
                        cells.insert(pair, (tolerance.clone(), title));
                        let tolerance = Some(tolerance);
                        self.push(
                            Test { name, a, b, tolerance, line: cell.line(), ..common.clone() },
                            &cell,
                        )?;
                    }
                }
            }
        }
        Ok(())
    }
    /// The tolerance of a cell; `None` if its pairs are not tested.
    fn cell(&self, item: &Item<'_>) -> Result<Option<Length>, Error> {
        let what = "a tolerance such as 0.5 or \"0.5mm\", or \"-\"";
        if matches!(item.value().as_str(), Some("-")) || item.value().as_bool() == Some(false) {
            return Ok(None);
        }
        item.read(what, |text| super::quantity::Quantity::read(text, self.unit)).map(Some)
    }
}

fn row_cells<'a>(row: &Entry<'a>, columns: usize) -> Result<Vec<Item<'a>>, Error> {
    let Some(cells) = row.item.list() else { return Err(row.item.expected("a list of tolerances")) };
    if cells.len() != columns {
        let text = format!("row '{}' has {} cells for {columns} columns", shortened(row.key), cells.len());
        return Err(row.item.error(text));
    }
    Ok(cells)
}

fn are_equal(a: &Length, b: &Length) -> bool {
    a.unit().is_some() == b.unit().is_some() && a.within(Some(Unit::Metre)) == b.within(Some(Unit::Metre))
}

/// A word of [`Relations::WORDS`], or a list of them.
fn relations(item: &Item<'_>) -> Result<Relations, Error> {
    let mut all = Relations::NONE;
    for item in item.each() {
        all = all.and(relation(&item, &[])?);
    }
    if all.is_empty() { Err(item.error("'report' must not be empty")) } else { Ok(all) }
}

/// The relations of a word of [`Relations::WORDS`]. `more` are further known words for an error.
pub(crate) fn relation(item: &Item<'_>, more: &[&'static str]) -> Result<Relations, Error> {
    let word = item.text()?;
    Relations::of_word(word).ok_or_else(|| {
        let names: Vec<_> =
            Relations::WORDS.iter().map(|(name, _)| *name).chain(more.iter().copied()).collect();
        item.unknown("relation", word, &names)
    })
}

fn find(item: &Item<'_>) -> Result<Find, Error> {
    match item.text()? {
        "pairs" => Ok(Find::Pairs),
        "floating" => Ok(Find::Floating),
        "lost-contact" => Ok(Find::LostContact),
        "min-gap" => Ok(Find::MinGap),
        word => Err(item.unknown("'find'", word, &["pairs", "floating", "lost-contact", "min-gap"])),
    }
}

fn count(item: &Item<'_>) -> Result<Count, Error> {
    let word = item.text()?;
    let known = Count::ALL.into_iter().find(|count| count.name() == word);
    known.ok_or_else(|| item.unknown("count", word, &Count::ALL.map(Count::name)))
}

fn severity(item: &Item<'_>) -> Result<Severity, Error> {
    let word = item.text()?;
    let known = Severity::ALL.into_iter().find(|severity| severity.name() == word);
    known.ok_or_else(|| item.unknown("severity", word, &Severity::ALL.map(Severity::name)))
}
