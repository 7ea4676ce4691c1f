//! [`SetReader`]: conditions and sets of a rules file.
use super::{
    condition::{Condition, FieldMatch, MEASURED, TEXTS},
    glob::Glob,
    item::Item,
    place::{shortened, suggestion},
    quantity::{Quantity, Range},
    set::{Set, SetRef},
};
use crate::values::error::Error;
use impinge_io::Unit;
use std::{collections::HashMap, sync::Arc};
use toml::de::DeValue;

/// Largest number of sets, those without a name included.
const MOST_SETS: usize = 10_000;

/// Reads conditions, and collects the sets.
pub(crate) struct SetReader<'a> {
    /// The unit of lengths without one.
    unit: Option<Unit>,
    /// The index of each named set.
    names: HashMap<&'a str, usize>,
    sets: Vec<Set>,
}

impl<'a> SetReader<'a> {
    pub(crate) fn new(sets: Option<Item<'a>>, unit: Option<Unit>) -> Result<Self, Error> {
        let mut reader = Self { unit, names: HashMap::new(), sets: Vec::new() };
        let Some(item) = sets else { return Ok(reader) };
        let Some(entries) = item.entries() else { return Err(item.expected("a table of conditions")) };
        for (i, entry) in entries.iter().enumerate() {
            if matches!(entry.key, "" | "*") {
                return Err(entry.error(format!("a set cannot have the name '{}'", entry.key)));
            }
            reader.names.insert(entry.key, i);
        }
        // The references of each set, with their places, to find cycles.
        let mut references = Vec::with_capacity(entries.len());
        for entry in &entries {
            let mut found = Vec::new();
            let condition = reader.condition(&entry.item, &mut found)?;
            references.push(found);
            let name = Some(Arc::from(entry.key));
            reader.push(Set { name, condition, line: entry.line() }, &entry.item)?;
        }
        reader.check_cycles(&references)?;
        Ok(reader)
    }
    /// The sets, those of the table `sets` first.
    pub(crate) fn finish(self) -> Vec<Set> {
        self.sets
    }
    /// Reads a reference to a set: a name, `*`, or a condition.
    pub(crate) fn set_ref(&mut self, item: &Item<'a>) -> Result<SetRef, Error> {
        match item.value() {
            DeValue::String(name) if *name == "*" => Ok(SetRef::All),
            DeValue::String(_) => self.named(item).map(SetRef::Set),
            DeValue::Array(_) | DeValue::Table(_) => {
                let condition = self.condition(item, &mut Vec::new())?;
                self.push(Set { name: None, condition, line: item.line() }, item)?;
                Ok(SetRef::Set(self.sets.len() - 1))
            }
            _ => Err(item.expected("the name of a set, \"*\", or a condition")),
        }
    }
    /// The set whose name is a key.
    pub(crate) fn of_key(&self, key: &str, place: &Item<'a>) -> Result<SetRef, Error> {
        if key == "*" { Ok(SetRef::All) } else { self.find(key, place).map(SetRef::Set) }
    }

    fn push(&mut self, set: Set, item: &Item<'a>) -> Result<(), Error> {
        if self.sets.len() == MOST_SETS {
            return Err(item.error(format!("more than {MOST_SETS} sets and conditions")));
        }
        self.sets.push(set);
        Ok(())
    }
    fn named(&self, item: &Item<'a>) -> Result<usize, Error> {
        self.find(item.text()?, item)
    }
    fn find(&self, name: &str, place: &Item<'a>) -> Result<usize, Error> {
        self.names.get(name).copied().ok_or_else(|| {
            let hint = suggestion(name, self.names.keys().copied());
            place.error(format!("unknown set '{}'{hint}", shortened(name)))
        })
    }
    /// Reads a condition. Adds the sets that it refers to, with their places, to `references`.
    fn condition(&self, item: &Item<'a>, references: &mut References<'a>) -> Result<Condition, Error> {
        match item.value() {
            DeValue::String(_) => {
                Ok(Condition::Field { key: Arc::from("name"), any: vec![glob(item)?], line: item.line() })
            }
            DeValue::Array(_) => self.alternatives(item, references),
            DeValue::Table(_) => {
                let entries = item.entries().unwrap_or_default();
                let mut all = Vec::with_capacity(entries.len());
                for entry in entries {
                    all.push(self.keyed(entry.key, &entry.item, references)?);
                }
                match all.len() {
                    0 => Err(item.error("an empty condition; write \"*\" for all parts")),
                    1 => Ok(all.remove(0)),
                    _ => Ok(Condition::All(all)),
                }
            }
            _ => Err(item.expected("a condition: a glob of names, a table, or a list of conditions")),
        }
    }
    /// Reads alternatives: at least one must hold. A list of globs is one condition, because long lists of
    /// names are common.
    fn alternatives(&self, item: &Item<'a>, references: &mut References<'a>) -> Result<Condition, Error> {
        let each = item.each();
        if each.len() > 1 && each.iter().all(|item| item.value().is_str()) {
            let any = each.iter().map(glob).collect::<Result<_, _>>()?;
            return Ok(Condition::Field { key: Arc::from("name"), any, line: item.line() });
        }
        self.list(item, references).map(Condition::Any)
    }
    fn list(&self, item: &Item<'a>, references: &mut References<'a>) -> Result<Vec<Condition>, Error> {
        let each = item.each();
        if each.is_empty() {
            return Err(item.error("an empty list of conditions"));
        }
        each.iter().map(|item| self.condition(item, references)).collect()
    }
    /// The condition of one key of a table.
    fn keyed(&self, key: &str, item: &Item<'a>, references: &mut References<'a>) -> Result<Condition, Error> {
        let line = item.line();
        let each = item.each();
        if each.is_empty() {
            return Err(item.error(format!("'{}' is empty", shortened(key))));
        }
        let what = "a number, or a range such as \"<5\" or \"1..5\"";
        match key {
            "any" => self.alternatives(item, references),
            "all" => self.list(item, references).map(Condition::All),
            "not" => Ok(Condition::Not(Box::new(self.condition(item, references)?))),
            "set" => {
                let one = |item: &Item<'a>| {
                    let set = self.named(item)?;
                    references.push((set, *item));
                    Ok(Condition::Set(set))
                };
                Ok(Condition::Any(each.iter().map(one).collect::<Result<_, Error>>()?))
            }
            "volume" => Ok(Condition::Volume { any: self.ranges(&each, what)?, line }),
            "triangles" => Ok(Condition::Triangles { any: self.ranges(&each, what)? }),
            key if MEASURED.contains(&key) => {
                let axis = ["length_x", "length_y", "length_z"].iter().position(|side| *side == key);
                Ok(Condition::Side { axis, any: self.ranges(&each, what)?, line })
            }
            key => {
                let is_text = TEXTS.contains(&key);
                let any = each.iter().map(|item| value(item, is_text)).collect::<Result<_, _>>()?;
                Ok(Condition::Field { key: Arc::from(key), any, line })
            }
        }
    }
    fn ranges<Q: Quantity>(&self, each: &[Item<'a>], what: &str) -> Result<Vec<Range<Q>>, Error> {
        each.iter().map(|item| item.read(what, |text| Range::read(text, self.unit))).collect()
    }

    /// Refuses sets that refer to each other in a circle.
    fn check_cycles(&self, references: &[References<'a>]) -> Result<(), Error> {
        let mut state = vec![State::New; references.len()];
        for start in 0..references.len() {
            // Sets on the way to the current one, each with the next reference to follow.
            let mut way = vec![(start, 0)];
            while let Some((set, next)) = way.last_mut() {
                let (set, reference) = (*set, references[*set].get(*next));
                *next += 1;
                if state[set] == State::Done {
                    way.pop();
                    continue;
                }
                state[set] = State::OnTheWay;
                match reference {
                    None => {
                        state[set] = State::Done;
                        way.pop();
                    }
                    Some((other, _)) if state[*other] == State::New => way.push((*other, 0)),
                    Some((other, item)) if state[*other] == State::OnTheWay => {
                        let from = way.iter().position(|(set, _)| set == other).unwrap_or_default();
                        let names = way[from..].iter().map(|&(set, _)| set).chain([*other]);
                        let names: Vec<_> = names.filter_map(|set| self.sets[set].name()).collect();
                        let text = format!("sets refer to each other: {}", names.join(" -> "));
                        return Err(item.error(shortened(&text)));
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }
}

/// Sets that a condition refers to, with the places.
type References<'a> = Vec<(usize, Item<'a>)>;

/// Progress of the search for cycles at a set.
#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    OnTheWay,
    Done,
}

/// A glob of names, or of another text.
pub(crate) fn glob(item: &Item<'_>) -> Result<FieldMatch, Error> {
    let glob: Glob = item.text()?.parse().map_err(|error: Error| item.error(error.to_string()))?;
    Ok(FieldMatch::Glob(glob))
}

/// Reads a value of a field. If the field may be a number, a text such as `<5` is a range.
fn value(item: &Item<'_>, is_text: bool) -> Result<FieldMatch, Error> {
    if is_text {
        return if item.value().is_str() {
            glob(item)
        } else {
            Err(item.expected("a glob, or a list of globs"))
        };
    }
    match item.value() {
        DeValue::String(text) => {
            let is_range = text.starts_with(['<', '>']) || text.contains("..");
            match Range::read(text, None) {
                Ok(range) if is_range => Ok(FieldMatch::Range(range)),
                _ => glob(item),
            }
        }
        DeValue::Boolean(truth) => Ok(FieldMatch::Truth(*truth)),
        DeValue::Integer(_) | DeValue::Float(_) => {
            item.read("a finite number", |text| Range::read(text, None)).map(FieldMatch::Range)
        }
        DeValue::Table(_) => Err(item.expected("a value; a key with dots needs quotes")),
        _ => {
            Err(item.expected("a glob, a number, a range such as \"<5\", true or false, or a list of these"))
        }
    }
}
