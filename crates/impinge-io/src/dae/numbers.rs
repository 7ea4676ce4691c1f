//! Numbers in the text of elements. An error names the line of the number.
use super::tree::{ElementId, ElementText, XmlTree, newlines};
use crate::{
    Error,
    number::{decimal, short_integer},
    quote::show,
    text::is_blank,
};

/// The words of an element's text.
struct NumberText<'t> {
    text: &'t str,
    line: u64,
    at: usize,
}

impl<'t> NumberText<'t> {
    fn new(text: Option<&'t ElementText<'_>>) -> Self {
        text.map_or(Self { text: "", line: 0, at: 0 }, |t| Self { text: &t.text, line: t.line, at: 0 })
    }

    /// Moves to the next word; false at the end.
    fn skip_blanks(&mut self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let blanks = rest.iter().take_while(|b| is_blank(**b)).count();
        self.at += blanks;
        blanks < rest.len()
    }

    /// Passes a number that ends at `end` if a word ends there.
    fn pass(&mut self, end: usize) -> bool {
        let ends = self.text.as_bytes().get(end).is_none_or(|b| is_blank(*b));
        if ends {
            self.at = end;
        }
        ends
    }

    /// The word that starts here; passes it.
    fn word(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(|b| !is_blank(*b)).count();
        self.at += length;
        &rest[..length]
    }

    /// The next number; `None` at the end.
    ///
    /// # Errors
    /// A word that is no finite number.
    fn float(&mut self) -> Result<Option<f64>, Error> {
        if !self.skip_blanks() {
            return Ok(None);
        }
        if let Some((value, end)) = decimal(self.text.as_bytes(), self.at)
            && self.pass(end)
        {
            return Ok(Some(value));
        }
        let word = self.word();
        // Some exporters write the infinities of XML Schema, INF and -INF.
        match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            Ok(_) => Err(self.wrong(format!("the number '{}' is not finite", show(word.as_bytes())))),
            Err(_) => Err(self.wrong(format!("'{}' is not a number", show(word.as_bytes())))),
        }
    }

    /// The next whole number; `None` at the end.
    ///
    /// # Errors
    /// A word that is no whole number below 2^32.
    fn whole(&mut self) -> Result<Option<u32>, Error> {
        if !self.skip_blanks() {
            return Ok(None);
        }
        if let Some((value, end)) = short_integer(self.text.as_bytes(), self.at)
            && self.pass(end)
        {
            return Ok(Some(value));
        }
        let word = self.word();
        let value = word
            .parse()
            .map_err(|_| self.wrong(format!("'{}' is not a whole number below 2^32", show(word.as_bytes()))));
        value.map(Some)
    }

    /// The error of the word just passed.
    #[cold]
    fn wrong(&self, what: String) -> Error {
        Error::line(self.line + newlines(&self.text[..self.at]), what)
    }
}

/// All numbers of an element.
pub(super) fn floats(tree: &XmlTree<'_>, e: ElementId) -> Result<Vec<f64>, Error> {
    let mut text = NumberText::new(tree.text(e));
    let mut numbers = Vec::new();
    while let Some(number) = text.float()? {
        numbers.push(number);
    }
    Ok(numbers)
}

/// The numbers of an element that has exactly `N`.
pub(super) fn exact_floats<const N: usize>(tree: &XmlTree<'_>, e: ElementId) -> Result<[f64; N], Error> {
    let numbers = floats(tree, e)?;
    let found = numbers.len();
    numbers.try_into().map_err(|_| {
        let name = show(tree.name(e).as_bytes());
        tree.wrong(e, format!("'{name}' has {found} numbers in place of {N}"))
    })
}

/// All whole numbers of an element.
pub(super) fn wholes(tree: &XmlTree<'_>, e: ElementId) -> Result<Vec<u32>, Error> {
    let mut text = NumberText::new(tree.text(e));
    let mut numbers = Vec::new();
    while let Some(number) = text.whole()? {
        numbers.push(number);
    }
    Ok(numbers)
}

/// Vertices of the corners in a `p`, which has `stride` indices for each corner, that of the vertex at
/// `offset`. The others, such as those of normals, are not examined. Adds them to `corners`.
///
/// # Errors
/// An index that is not below `count`; a corner whose indices are not all there.
pub(super) fn corners(
    tree: &XmlTree<'_>,
    p: ElementId,
    [stride, offset]: [u64; 2],
    count: usize,
    corners: &mut Vec<u32>,
) -> Result<(), Error> {
    let mut text = NumberText::new(tree.text(p));
    let mut column = 0;
    while text.skip_blanks() {
        if column == offset {
            let Some(vertex) = text.whole()? else { break };
            if vertex as usize >= count {
                return Err(text.wrong(format!("an index names vertex {vertex}; there are {count}, from 0")));
            }
            corners.push(vertex);
        } else {
            text.word();
        }
        column = if column + 1 == stride { 0 } else { column + 1 };
    }
    if column != 0 {
        let what = format!("the indices do not make whole corners of {stride} indices");
        return Err(text.wrong(what));
    }
    Ok(())
}
