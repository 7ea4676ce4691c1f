//! Plain tables: `name: words`, and more words on lines without a colon; `#` starts a comment.
use std::collections::BTreeSet;

/// Names and words of all rows.
pub(crate) fn rows(text: &str) -> Vec<(String, Vec<String>)> {
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap();
        let words = match line.split_once(':') {
            Some((name, words)) => {
                rows.push((name.to_owned(), Vec::new()));
                words
            }
            None => line,
        };
        let words = words.split_whitespace().map(str::to_owned);
        match rows.last_mut() {
            Some((_, row)) => row.extend(words),
            None => assert_eq!(words.count(), 0, "no colon in '{line}'"),
        }
    }
    rows
}

/// A row, folded to the width of a source line.
pub(crate) fn row<'a>(name: &str, words: impl IntoIterator<Item = &'a str>) -> String {
    let mut row = format!("{name}:");
    let mut columns = row.len();
    for word in words {
        if columns + 1 + word.len() > 110 {
            row += "\n   ";
            columns = 3;
        }
        row += " ";
        row += word;
        columns += 1 + word.len();
    }
    row + "\n"
}

/// Lines and paths of uses: `12 crate::mesh::Mesh, 40 super::find, ...`
pub(crate) fn places(uses: &BTreeSet<(usize, String)>) -> String {
    let most = 8;
    let mut places: Vec<_> = uses.iter().take(most).map(|(line, path)| format!("{line} {path}")).collect();
    if uses.len() > most {
        places.push(format!("and {} more", uses.len() - most));
    }
    places.join(", ")
}
