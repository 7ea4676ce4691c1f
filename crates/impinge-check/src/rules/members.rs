//! [`Members`]: the sets that each part is in.
use super::{
    column::{Column, is_value},
    condition::{Condition, FieldMatch},
    measure,
    model::Rules,
    names::Fields,
    quantity::{Quantity, Range},
    set::SetRef,
};
use crate::{
    parts::meshes::distinct_meshes,
    sources::file_units::CoordinateUnit,
    values::{error::Error, text::printable},
};
use impinge_io::{Part, Unit};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

/// The sets that each part is in. Parts that are in the same sets have the same class.
#[derive(Clone, Debug)]
pub struct Members {
    /// The class of each part; empty if there is no set, and all parts are of class 0.
    class_of: Vec<u32>,
    /// For each class the bits of its sets.
    sets_of: Vec<Vec<u64>>,
    /// For each class the number of its parts.
    sizes: Vec<usize>,
    /// The keys of conditions that no part has, each with the first line that has it.
    pub(crate) absent: BTreeMap<Arc<str>, usize>,
    /// Names of properties, if there are absent keys.
    pub(crate) properties: Vec<Arc<str>>,
}

impl Members {
    /// Members of no set, for a number of parts.
    pub fn of_no_set(parts: usize) -> Self {
        Self {
            class_of: Vec::new(),
            sets_of: vec![Vec::new()],
            sizes: vec![parts],
            absent: BTreeMap::new(),
            properties: Vec::new(),
        }
    }
    /// True if a part is in a set.
    pub fn holds(&self, part: usize, set: SetRef) -> bool {
        self.class_holds(self.class(part), set)
    }
    /// The class of a part. Classes are numbered in the order of the first part of each.
    pub fn class(&self, part: usize) -> u32 {
        if self.class_of.is_empty() { 0 } else { self.class_of[part] }
    }
    /// True if the parts of a class are in a set.
    pub fn class_holds(&self, class: u32, set: SetRef) -> bool {
        match set {
            SetRef::All => true,
            SetRef::Set(set) => {
                self.sets_of[class as usize].get(set / 64).is_some_and(|word| word >> (set % 64) & 1 == 1)
            }
        }
    }
    /// True if one of two parts is in `a` and the other one in `b`.
    pub fn is_pair(&self, [p, q]: [usize; 2], [a, b]: [SetRef; 2]) -> bool {
        self.is_pair_of_classes([p, q].map(|part| self.class(part)), [a, b])
    }
    /// True if the parts of one class are in `a`, and those of the other one in `b`.
    pub fn is_pair_of_classes(&self, [p, q]: [u32; 2], [a, b]: [SetRef; 2]) -> bool {
        let holds = |class, set| self.class_holds(class, set);
        holds(p, a) && holds(q, b) || holds(p, b) && holds(q, a)
    }
    /// The class of each part.
    pub fn classes(&self) -> impl Iterator<Item = u32> {
        (0..self.part_count()).map(|part| self.class(part))
    }
    /// Number of parts.
    pub fn part_count(&self) -> usize {
        self.sizes.iter().sum()
    }
    /// Number of classes.
    pub fn class_count(&self) -> usize {
        self.sets_of.len()
    }
    /// Number of parts in a set.
    pub fn count(&self, set: SetRef) -> usize {
        self.count_of(|class| self.class_holds(class, set))
    }
    /// True if there are two different parts, one in `a` and the other one in `b`.
    pub fn has_pair(&self, [a, b]: [SetRef; 2]) -> bool {
        let counts = [self.count(a), self.count(b)];
        let both = self.count_of(|class| self.class_holds(class, a) && self.class_holds(class, b));
        !counts.contains(&0) && (counts, both) != ([1, 1], 1)
    }
    /// The indices of the parts in a set.
    pub fn parts(&self, set: SetRef) -> impl Iterator<Item = usize> {
        (0..self.part_count()).filter(move |&part| self.holds(part, set))
    }

    fn count_of(&self, holds: impl Fn(u32) -> bool) -> usize {
        (0..).zip(&self.sizes).filter(|&(class, _)| holds(class)).map(|(_, size)| size).sum()
    }
}

impl Rules {
    /// Finds the sets that each part is in. `coordinates` is the unit of the coordinates of all parts. If it
    /// is unknown, the unit of the rules is used.
    ///
    /// # Errors
    /// A condition has a length or a volume with a unit, and the unit of the coordinates is unknown.
    ///
    /// Cost: each condition is evaluated once for each value of its field.
    pub fn members(&self, parts: &[Part], coordinates: CoordinateUnit) -> Result<Members, Error> {
        if self.sets.is_empty() {
            return Ok(Members::of_no_set(parts.len()));
        }
        let unit = match coordinates {
            CoordinateUnit::Unknown => self.unit,
            known => known.unit(),
        };
        let fields: Vec<_> = parts.iter().map(|part| self.fields(part)).collect();
        let mut evaluation =
            Evaluation { rules: self, parts, fields, unit, columns: HashMap::new(), absent: BTreeMap::new() };
        let mut classes = Classes::new(parts.len());
        for set in evaluation.order() {
            let holds = evaluation.holds(&self.sets[set].condition, &classes)?;
            classes.split(set, &holds);
        }
        let Evaluation { absent, .. } = evaluation;
        let mut properties = Vec::new();
        if !absent.is_empty() {
            let names = parts.iter().flat_map(|part| part.properties.iter().map(|(name, _)| name));
            let names: std::collections::BTreeSet<&str> = names.collect();
            properties = names.into_iter().map(Arc::from).collect();
        }
        Ok(classes.finish(absent, properties))
    }
}

/// Classes that become finer with each set.
struct Classes {
    class_of: Vec<u32>,
    sets_of: Vec<Vec<u64>>,
}

impl Classes {
    fn new(parts: usize) -> Self {
        Self { class_of: vec![0; parts], sets_of: vec![Vec::new()] }
    }
    fn holds(&self, part: usize, set: usize) -> bool {
        let sets = &self.sets_of[self.class_of[part] as usize];
        sets.get(set / 64).is_some_and(|word| word >> (set % 64) & 1 == 1)
    }
    /// Splits the classes by a set.
    fn split(&mut self, set: usize, holds: &[bool]) {
        let old = self.sets_of.len();
        // For each class, the class of its parts that are in the set, and whether some part is not in the
        // set, or is.
        let (mut inside, mut seen) = (vec![None; old], vec![[false; 2]; old]);
        for (&class, &is_in) in self.class_of.iter().zip(holds) {
            seen[class as usize][usize::from(is_in)] = true;
        }
        for class in 0..old {
            let [some_not, some] = seen[class];
            if !some {
                continue;
            }
            let target = if some_not { self.sets_of.len() } else { class };
            if some_not {
                self.sets_of.push(self.sets_of[class].clone());
            }
            let bits = &mut self.sets_of[target];
            bits.resize(bits.len().max(set / 64 + 1), 0);
            bits[set / 64] |= 1 << (set % 64);
            inside[class] = Some(target as u32);
        }
        for (class, _) in self.class_of.iter_mut().zip(holds).filter(|(_, is_in)| **is_in) {
            *class = inside[*class as usize].unwrap_or(*class);
        }
    }
    /// Numbers the classes in the order of their first parts.
    fn finish(mut self, absent: BTreeMap<Arc<str>, usize>, properties: Vec<Arc<str>>) -> Members {
        let mut number = vec![None; self.sets_of.len()];
        let (mut sets_of, mut sizes) = (Vec::new(), Vec::new());
        for class in &mut self.class_of {
            let new = *number[*class as usize].get_or_insert_with(|| {
                sets_of.push(std::mem::take(&mut self.sets_of[*class as usize]));
                sizes.push(0);
                sizes.len() as u32 - 1
            });
            sizes[new as usize] += 1;
            *class = new;
        }
        Members { class_of: self.class_of, sets_of, sizes, absent, properties }
    }
}

#[derive(PartialEq, Eq, Hash)]
enum ColumnKey<'a> {
    Field(&'a str),
    Volume,
    Triangles,
    Side(Option<usize>),
}

/// Evaluates conditions for all parts at once.
struct Evaluation<'a> {
    rules: &'a Rules,
    parts: &'a [Part],
    fields: Vec<Fields<'a>>,
    unit: Option<Unit>,
    columns: HashMap<ColumnKey<'a>, Column>,
    absent: BTreeMap<Arc<str>, usize>,
}

impl<'a> Evaluation<'a> {
    /// The sets, each after those that it refers to. There is no cycle.
    fn order(&self) -> Vec<usize> {
        let sets = &self.rules.sets;
        let mut waits = vec![0; sets.len()];
        let mut users = vec![Vec::new(); sets.len()];
        for (set, waits) in waits.iter_mut().enumerate() {
            sets[set].condition.for_each_leaf(&mut |leaf| {
                if let Condition::Set(other) = leaf {
                    users[*other].push(set);
                    *waits += 1;
                }
            });
        }
        let mut order: Vec<_> = (0..sets.len()).filter(|&set| waits[set] == 0).collect();
        let mut next = 0;
        while let Some(&set) = order.get(next) {
            next += 1;
            for &user in &users[set] {
                waits[user] -= 1;
                if waits[user] == 0 {
                    order.push(user);
                }
            }
        }
        order
    }

    /// For each part, true if a condition holds.
    fn holds(&mut self, condition: &'a Condition, classes: &Classes) -> Result<Vec<bool>, Error> {
        let count = self.parts.len();
        Ok(match condition {
            Condition::All(all) => {
                let mut holds = vec![true; count];
                for one in all {
                    let one = self.holds(one, classes)?;
                    holds.iter_mut().zip(one).for_each(|(holds, one)| *holds &= one);
                }
                holds
            }
            Condition::Any(any) => {
                let mut holds = vec![false; count];
                for one in any {
                    let one = self.holds(one, classes)?;
                    holds.iter_mut().zip(one).for_each(|(holds, one)| *holds |= one);
                }
                holds
            }
            Condition::Not(one) => {
                let mut holds = self.holds(one, classes)?;
                holds.iter_mut().for_each(|holds| *holds = !*holds);
                holds
            }
            Condition::Set(set) => (0..count).map(|part| classes.holds(part, *set)).collect(),
            Condition::Field { key, any, line } => self.field(key, any, *line),
            Condition::Volume { any, line } => {
                let any = self.ranges(any, "volume", *line)?;
                self.measured(ColumnKey::Volume, &any)
            }
            Condition::Side { axis, any, line } => {
                let any = self.ranges(any, "size", *line)?;
                self.measured(ColumnKey::Side(*axis), &any)
            }
            Condition::Triangles { any } => self.measured(ColumnKey::Triangles, any),
        })
    }
    fn field(&mut self, key: &'a Arc<str>, any: &[FieldMatch], line: usize) -> Vec<bool> {
        let has_parts = !self.parts.is_empty();
        let column = self.column(ColumnKey::Field(key));
        let holds = column.holds(|value| any.iter().any(|one| is_value(one, key, value)));
        let is_absent = has_parts && column.values.iter().all(Option::is_none);
        if is_absent {
            let first = self.absent.entry(Arc::clone(key)).or_insert(line);
            *first = line.min(*first);
        }
        holds
    }
    fn measured(&mut self, key: ColumnKey<'a>, any: &[Range<f64>]) -> Vec<bool> {
        self.column(key)
            .holds(|value| value.number.is_some_and(|number| any.iter().any(|range| range.holds(number))))
    }
    /// Ranges in the unit of the coordinates.
    fn ranges<Q: Quantity>(
        &self,
        any: &[Range<Q>],
        key: &str,
        line: usize,
    ) -> Result<Vec<Range<f64>>, Error> {
        let within = |range: &Range<Q>| {
            range.within(self.unit).ok_or_else(|| {
                let why = match self.unit {
                    None => "the unit of the coordinates is unknown; state it: unit = \"m\" in the rules",
                    Some(_) => "the number is too large in the unit of the coordinates",
                };
                Error::new(printable(&format!("{}:{line}: {key} {}: {why}", self.rules.file, range.text())))
            })
        };
        any.iter().map(within).collect()
    }

    fn column(&mut self, key: ColumnKey<'a>) -> &Column {
        let (parts, fields) = (self.parts, &self.fields);
        let make = |key: &ColumnKey<'a>| match key {
            ColumnKey::Field(key) => Column::new(fields.iter().map(|fields| fields.get(key))),
            ColumnKey::Triangles => Column::numbers(parts.iter().map(|part| Some(part.mesh.len() as f64))),
            ColumnKey::Volume => {
                let (meshes, mesh_of) = distinct_meshes(parts);
                let volumes: Vec<_> = meshes.iter().map(|mesh| measure::volume(mesh)).collect();
                Column::numbers(mesh_of.iter().map(|&mesh| volumes[mesh]))
            }
            ColumnKey::Side(axis) => Column::numbers(parts.iter().map(|part| {
                let sides = measure::sides(part)?;
                Some(axis.map_or(sides[0].max(sides[1]).max(sides[2]), |axis| sides[axis]))
            })),
        };
        self.columns.entry(key).or_insert_with_key(make)
    }
}
