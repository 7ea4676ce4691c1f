//! [`NamePattern`] and [`Fields`]: the texts of a part.
use super::condition::{MEASURED, WORDS};
use crate::values::error::Error;
use impinge_io::{Part, PropertyValue};
use std::{borrow::Cow, str::FromStr};

/// Splits names of parts into fields, such as `{file}|{type}|{guid}|{name}`.
///
/// Each field takes the shortest text before the literal text that follows it. The last field takes the rest.
/// `{{` and `}}` are braces.
///
/// ```
/// use impinge_check::rules::NamePattern;
///
/// let pattern: NamePattern = "{file}|{name}".parse()?;
/// assert_eq!(pattern.split("a|b|c"), Some(vec![("file", "a"), ("name", "b|c")]));
/// assert_eq!(pattern.split("a"), None);
/// # Ok::<(), impinge_check::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern {
    /// Text before the first field.
    prefix: String,
    /// Each field with the text that follows it.
    fields: Vec<(String, String)>,
}

impl NamePattern {
    /// The fields of a name, each with its text; `None` if the pattern does not fit. Cost: linear in the name
    /// for each field.
    pub fn split<'a>(&'a self, name: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
        let mut rest = name.strip_prefix(&*self.prefix)?;
        let mut found = Vec::with_capacity(self.fields.len());
        for (i, (field, after)) in self.fields.iter().enumerate() {
            let is_last = i + 1 == self.fields.len();
            let end = if is_last { rest.strip_suffix(&**after)?.len() } else { rest.find(&**after)? };
            found.push((&**field, &rest[..end]));
            rest = &rest[end + after.len()..];
        }
        Some(found)
    }
    /// The names of the fields.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(field, _)| &**field)
    }
}

impl FromStr for NamePattern {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut pattern = Self { prefix: String::new(), fields: Vec::new() };
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            let is_double = rest.as_str().starts_with(c);
            match c {
                '{' if !is_double => {
                    let Some((field, after)) = rest.as_str().split_once('}') else {
                        return Err(Error::new("'{' without '}'"));
                    };
                    pattern.add(field)?;
                    rest = after.chars();
                }
                '}' if !is_double => return Err(Error::new("'}' without '{'; write }} for the character")),
                c => {
                    if matches!(c, '{' | '}') {
                        rest.next();
                    }
                    pattern.fields.last_mut().map_or(&mut pattern.prefix, |(_, after)| after).push(c);
                }
            }
        }
        if pattern.fields.is_empty() {
            return Err(Error::new("it has no field such as {name}"));
        }
        Ok(pattern)
    }
}

impl NamePattern {
    fn add(&mut self, field: &str) -> Result<(), Error> {
        let fail =
            |why: &str| Err(Error::new(format!("the field '{{{}}}' {why}", super::place::shortened(field))));
        if field.is_empty() || field.contains('{') {
            return fail("needs a name");
        }
        if MEASURED.contains(&field) || WORDS.contains(&field) {
            return fail("has the name of something else in conditions");
        }
        if self.fields().any(|known| known == field) {
            return fail("occurs twice");
        }
        if self.fields.last().is_some_and(|(_, after)| after.is_empty()) {
            return fail("follows another one without text between them");
        }
        self.fields.push((field.to_owned(), String::new()));
        Ok(())
    }
}

/// The texts of a part under the rules: those that the pattern finds in its name replace its own.
///
/// A field that the pattern finds empty counts as missing.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    part: &'a Part,
    /// The fields that the pattern found; no allocation without a pattern.
    found: Vec<(&'a str, &'a str)>,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(part: &'a Part, pattern: Option<&'a NamePattern>) -> Self {
        let mut found = pattern.and_then(|pattern| pattern.split(&part.name)).unwrap_or_default();
        found.retain(|(_, text)| !text.is_empty());
        Self { part, found }
    }
    /// The part.
    pub fn part(&self) -> &'a Part {
        self.part
    }
    /// The file: a whole path, as the caller gave it.
    pub fn file(&self) -> Cow<'a, str> {
        self.found("file").map_or_else(|| self.part.file.to_string_lossy(), Cow::Borrowed)
    }
    /// The path in the hierarchy of the file.
    pub fn path(&self) -> &'a str {
        self.found("path").unwrap_or(&self.part.path)
    }
    /// The name.
    pub fn name(&self) -> &'a str {
        self.found("name").unwrap_or(&self.part.name)
    }
    /// The type.
    pub fn class(&self) -> Option<&'a str> {
        self.found("type").or(self.part.class.as_deref())
    }
    /// The identifier.
    pub fn guid(&self) -> Option<&'a str> {
        self.found("guid").or(self.part.guid.as_deref())
    }
    /// The fields that the pattern found in the name, in its order.
    pub fn in_name(&self) -> &[(&'a str, &'a str)] {
        &self.found
    }
    /// The field or property with a name: the first that exists of the text that the pattern found, the
    /// part's own field, its property with this name, and its first property whose name differs only in the
    /// case of ASCII letters.
    pub fn get(&self, key: &str) -> Option<FieldValue<'a>> {
        let own = match key {
            "file" => Some(self.file()),
            "path" => Some(self.path().into()),
            "name" => Some(self.name().into()),
            "type" => self.class().map(Cow::Borrowed),
            "guid" => self.guid().map(Cow::Borrowed),
            key => self.found(key).map(Cow::Borrowed),
        };
        own.map(FieldValue::Text).or_else(|| self.property(key))
    }
    fn found(&self, key: &str) -> Option<&'a str> {
        self.found.iter().find(|(field, _)| *field == key).map(|(_, text)| *text)
    }
    fn property(&self, key: &str) -> Option<FieldValue<'a>> {
        let properties = &self.part.properties;
        let folded =
            || properties.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value);
        properties.get(key).or_else(folded).map(FieldValue::of)
    }
}

/// The value of a field or property.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FieldValue<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// A number.
    Number(f64),
    /// True or false.
    Truth(bool),
}

impl<'a> FieldValue<'a> {
    fn of(value: &'a PropertyValue) -> Self {
        match value {
            PropertyValue::Text(text) => Self::Text((&**text).into()),
            PropertyValue::Number(number) => Self::Number(*number),
            PropertyValue::Truth(truth) => Self::Truth(*truth),
            other => Self::Text(other.to_string().into()),
        }
    }
    /// The text, or the value written as text.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Number(number) => number.to_string().into(),
            Self::Truth(truth) => truth.to_string().into(),
        }
    }
    /// The number, or the finite number that the text is.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Text(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            Self::Number(number) => Some(*number),
            Self::Truth(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FieldValue, Fields, NamePattern};
    use impinge::{Mesh, Pose};
    use impinge_io::Part;
    use std::path::Path;

    #[test]
    fn names_are_split_at_the_first_place_of_each_text() {
        let split = |pattern: &str, name: &str| {
            let pattern: NamePattern = pattern.parse().unwrap();
            let found = pattern.split(name)?.into_iter().map(|(_, text)| text.to_owned());
            Some(found.collect::<Vec<_>>())
        };
        let some = |texts: &[&str]| Some(texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>());
        assert_eq!(split("{a}|{b}", "x||y"), some(&["x", "|y"]));
        assert_eq!(split("{a}, {b} ({c})", "x, y (z) (w)"), some(&["x", "y", "z) (w"]));
        assert_eq!(split("{a} ({c})", "x (z"), None);
        assert_eq!(split("<{a}>", "<>"), some(&[""]));
        assert_eq!(split("<{a}>", "a>"), None);
        assert_eq!(split("{{{a}}}", "{é}"), some(&["é"]));
        for (text, why) in [
            ("", "no field"),
            ("abc", "no field"),
            ("{a}{b}", "without text between"),
            ("{a}|{a}", "twice"),
            ("{}", "needs a name"),
            ("{a", "'{' without"),
            ("a}", "'}' without"),
            ("{size}", "something else"),
            ("{set}", "something else"),
        ] {
            let error = text.parse::<NamePattern>().unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn fields_of_the_name_come_first() {
        let part = Part::new("||G|beam", Path::new("dir/a.obj"), Mesh::default(), Pose::IDENTITY)
            .with_class("IfcBeam")
            .with_guid("own")
            .with_property("MATERIAL", "first")
            .with_property("Material", "second")
            .with_property("Mass", 2.5)
            .with_property("Fire", true);
        let pattern: NamePattern = "{file}|{type}|{guid}|{name}".parse().unwrap();
        let fields = Fields::new(&part, Some(&pattern));
        assert_eq!((fields.name(), fields.guid()), ("beam", Some("G")));
        // Empty fields leave the part's own.
        assert_eq!((fields.class(), &*fields.file()), (Some("IfcBeam"), "dir/a.obj"));
        assert_eq!(fields.path(), "||G|beam");
        let text = |key: &str| fields.get(key).map(|value| value.text().into_owned());
        assert_eq!(text("Material").as_deref(), Some("second"));
        assert_eq!(text("material").as_deref(), Some("first"));
        assert_eq!((text("Mass").as_deref(), text("Fire").as_deref()), (Some("2.5"), Some("true")));
        assert_eq!(fields.get("mass").unwrap().number(), Some(2.5));
        assert_eq!(fields.get("Masse"), None);
        assert_eq!(FieldValue::Text(" 1e3".into()).number(), Some(1000.0));
        assert_eq!(FieldValue::Text("inf".into()).number(), None);
        let plain = Fields::new(&part, None);
        assert_eq!((plain.name(), plain.guid(), plain.in_name()), ("||G|beam", Some("own"), &[][..]));
    }
}
