//! The text in front of an array's numbers: a Python dict of exactly three entries.
//!
//! ```text
//! {'descr': '<f8', 'fortran_order': False, 'shape': (3, 12), }
//! ```
//!
//! NumPy writes it so and reads whatever Python's `literal_eval` does; what other writers make of it (other
//! quotes, blanks, order of entries) is read, too. Nothing nests, so that there is no depth to run out of.
use anyhow::{Context, bail};
use impinge_check::files;

/// The contents of the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The type of the numbers: `<f8` for f64 in little-endian order.
    pub(super) descr: String,
    /// True if the first index runs fastest.
    pub(super) fortran_order: bool,
    /// The number of values along each axis.
    pub(super) shape: Vec<usize>,
}

impl Header {
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let mut cursor = Cursor(text);
        if !cursor.take('{') {
            bail!("the header is not a dict");
        }
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        while !cursor.take('}') {
            let name = cursor.string().context("the header is not a dict of names and values")?;
            if !cursor.take(':') {
                bail!("in the header, no ':' follows '{}'", files::cut(name));
            }
            let twice = match name {
                "descr" => {
                    descr.replace(cursor.string().context("'descr' is not the name of a type")?).is_some()
                }
                "fortran_order" => {
                    let order = cursor.truth().context("'fortran_order' is neither True nor False")?;
                    fortran_order.replace(order).is_some()
                }
                "shape" => shape.replace(cursor.tuple().context("'shape' makes no sense")?).is_some(),
                _ => bail!("the header has an unknown entry '{}'", files::cut(name)),
            };
            if twice {
                bail!("the header has '{name}' twice");
            }
            if !cursor.take(',') {
                // The last entry may do without.
                if !cursor.take('}') {
                    bail!("in the header, neither ',' nor '}}' follows '{}'", files::cut(name));
                }
                break;
            }
        }
        if !cursor.0.trim_ascii().is_empty() {
            bail!("something follows the header's dict");
        }
        let missing = |name| format!("the header has no '{name}'");
        Ok(Self {
            descr: descr.with_context(|| missing("descr"))?.to_owned(),
            fortran_order: fortran_order.with_context(|| missing("fortran_order"))?,
            shape: shape.with_context(|| missing("shape"))?,
        })
    }
}

/// The rest of the text. Blanks before a token are skipped.
struct Cursor<'a>(&'a str);

impl<'a> Cursor<'a> {
    fn skip_blanks(&mut self) {
        self.0 = self.0.trim_ascii_start();
    }
    /// Takes this character if it comes next. Returns true if it did.
    fn take(&mut self, token: char) -> bool {
        self.skip_blanks();
        let rest = self.0.strip_prefix(token);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }
    /// The text between two quotes of one kind. It has no escapes: no expected name needs one.
    fn string(&mut self) -> Option<&'a str> {
        let quote = ['\'', '"'].into_iter().find(|&quote| self.take(quote))?;
        let (text, rest) = self.0.split_once(quote)?;
        self.0 = rest;
        (!text.contains(['\\', '\n'])).then_some(text)
    }
    fn truth(&mut self) -> Option<bool> {
        self.skip_blanks();
        let found = [("True", true), ("False", false)].into_iter().find(|(word, _)| self.0.starts_with(word));
        let (word, truth) = found?;
        self.0 = &self.0[word.len()..];
        Some(truth)
    }
    /// Numbers in brackets: `()`, `(3,)`, `(3, 12)`. `(3)` is none in Python.
    fn tuple(&mut self) -> Option<Vec<usize>> {
        let mut numbers = Vec::new();
        if !self.take('(') {
            return None;
        }
        while !self.take(')') {
            numbers.push(self.number()?);
            if !self.take(',') {
                return (self.take(')') && numbers.len() > 1).then_some(numbers);
            }
        }
        Some(numbers)
    }
    fn number(&mut self) -> Option<usize> {
        self.skip_blanks();
        let end = self.0.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        digits.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Header;

    #[test]
    fn what_numpy_writes() {
        let header = |shape: &str| {
            Header::parse(&format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}   \n"))
        };
        for (text, shape) in
            [("()", vec![]), ("(3,)", vec![3]), ("(3, 12)", vec![3, 12]), ("(2, 2, 3, 4)", vec![2, 2, 3, 4])]
        {
            let expected = Header { descr: "<f8".into(), fortran_order: false, shape };
            assert_eq!(header(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_others_write() {
        let expected = Header { descr: ">f8".into(), fortran_order: true, shape: vec![3, 12] };
        for text in [
            "{'shape': (3, 12), 'descr': '>f8', 'fortran_order': True}",
            "{\"descr\":\">f8\",\"fortran_order\":True,\"shape\":(3,12,)}",
            " { 'descr' : '>f8' , 'fortran_order' :\tTrue,\n'shape' : ( 3 ,12 ) , } ",
        ] {
            assert_eq!(Header::parse(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_has_a_reason() {
        let whole = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 12), }";
        for (old, new, reason) in [
            ("{", "", "not a dict"),
            ("{", "[", "not a dict"),
            ("}", "", "a dict of names"),
            (", }", "", "neither ',' nor '}'"),
            ("}", "} 1", "something follows"),
            ("'descr': '<f8', ", "", "no 'descr'"),
            ("'fortran_order': False, ", "", "no 'fortran_order'"),
            ("'shape': (3, 12), ", "", "no 'shape'"),
            ("'shape'", "'descr': '<f8', 'shape'", "'descr' twice"),
            ("'shape'", "'version': 1, 'shape'", "unknown entry 'version'"),
            ("'descr':", "'descr'", "no ':' follows 'descr'"),
            ("'descr'", "descr", "a dict of names"),
            ("'<f8'", "[('x', '<f8')]", "'descr' is not"),
            ("'<f8'", "'<f8", "neither ',' nor"),
            ("'<f8'", "'\\x3cf8'", "'descr' is not"),
            ("False", "0", "'fortran_order' is neither"),
            ("False", "Falsehood", "neither ',' nor"),
            ("(3, 12)", "(3)", "'shape' makes no sense"),
            ("(3, 12)", "(-3, 12)", "'shape' makes no sense"),
            ("(3, 12)", "(3 12)", "'shape' makes no sense"),
            ("(3, 12)", "(3, 12", "'shape' makes no sense"),
            ("(3, 12)", "(,)", "'shape' makes no sense"),
            ("(3, 12)", "3", "'shape' makes no sense"),
            ("(3, 12)", "(3, 99999999999999999999999)", "'shape' makes no sense"),
            ("(3, 12)", "((((((((", "'shape' makes no sense"),
        ] {
            let text = whole.replacen(old, new, 1);
            let said = Header::parse(&text).expect_err(&text).to_string();
            assert!(said.contains(reason), "{text}: {said}");
        }
        // Any beginning is refused, too, and none panics.
        for end in 0..whole.len() {
            Header::parse(&whole[..end]).expect_err(&whole[..end]);
        }
    }
}
