//! [`Rules::parse`]: rules from the text of a file.
use super::{
    condition_reader::SetReader,
    ignore_reader,
    item::{Item, Table},
    model::Rules,
    place::{Document, shortened},
    placement,
    test_reader::TestReader,
};
use crate::values::error::Error;
use impinge_io::Unit;
use toml::de::DeTable;

const ROOT: [&str; 8] = ["version", "unit", "names", "sets", "placement", "test", "matrix", "ignore"];

/// Largest size of a file in bytes. Parsing takes some 50 times as much memory.
const MOST_BYTES: usize = 4 << 20;

impl Rules {
    /// Reads rules in TOML. `file` is the name that errors and warnings have.
    ///
    /// # Errors
    /// `FILE:LINE:COLUMN: what (what was seen)` for the first fault: invalid TOML, an unknown key or word, a
    /// value of another type, or sets that refer to each other in a circle. Columns are counted in
    /// characters.
    ///
    /// Cost: about linear in the text, of at most 4 MiB.
    pub fn parse(file: &str, text: &str) -> Result<Self, Error> {
        let document = Document::new(file, text);
        if text.len() > MOST_BYTES {
            let size = text.len() >> 20;
            return Err(
                document.error(0, format!("a rules file has at most 4 MiB (this one has {size} MiB)"))
            );
        }
        let table = DeTable::parse(text).map_err(|error| syntax_error(&document, text, &error))?;
        let root = Table::root(&document, table.get_ref(), &ROOT)?;
        check_version(&root)?;
        let unit = root.get("unit").map(|item| unit(&item)).transpose()?;
        let pattern = |item: Item<'_>| {
            let item = item.table(&["pattern"])?.need("pattern")?;
            let wrong = |error: Error| item.error(format!("the pattern of names: {error}"));
            item.text()?.parse().map_err(wrong)
        };
        let names = root.get("names").map(pattern).transpose()?;
        let mut sets = SetReader::new(root.get("sets"), unit)?;
        let tests = TestReader::read(root.get("test"), root.get("matrix"), unit, &mut sets)?;
        let ignores = ignore_reader::read(root.get("ignore"), unit, &mut sets, &tests)?;
        let placements = placement::read(root.get("placement"), unit, &sets)?;
        let sets = sets.finish();
        let file = file.to_owned();
        Ok(Self { file, unit, names, sets, placements, tests, ignores, ..Self::default() })
    }
}

/// The error of a text that is not valid TOML.
fn syntax_error(document: &Document<'_>, text: &str, error: &toml::de::Error) -> Error {
    // Keys that are nested too deep come without a place.
    if error.message().contains("recurs") {
        let at = error.span().map_or(0, |span| span.start);
        return document.error(at, "keys, lists and tables are nested too deep; at most 80 levels are read");
    }
    let span = error.span().unwrap_or_default();
    let line = text.get(span.clone()).unwrap_or_default().lines().next().unwrap_or_default();
    let seen = match line.trim() {
        "" => String::new(),
        seen => format!(" ({})", shortened(seen)),
    };
    document.error(span.start, format!("{}{seen}", shortened(error.message())))
}

fn check_version(root: &Table<'_>) -> Result<(), Error> {
    let version = root.need("version")?;
    match version.number().as_deref() {
        Some("1") => Ok(()),
        Some(_) => Err(version.expected("1, the only version that this program reads")),
        None => Err(version.expected("1")),
    }
}

fn unit(item: &Item<'_>) -> Result<Unit, Error> {
    let text = item.text()?;
    text.parse().map_err(|error| item.error(format!("'{}' is {error}", shortened(text))))
}
