//! [`Rules::warnings`]: warnings about sets, keys and tests without parts.
use super::{
    condition::TEXTS,
    members::Members,
    model::Rules,
    place::{shortened, suggestion},
    set::SetRef,
    test::Find,
};
use crate::values::warning::Warning;

impl Rules {
    /// A warning for each named set without a part or without a reference to it, for each key that no part
    /// has, and for each test without a pair or part: a misspelt word must not hide clashes. Sorted by line.
    pub fn warnings(&self, members: &Members) -> Vec<Warning> {
        let mut all = Vec::new();
        for (key, &line) in &members.absent {
            let known = TEXTS.iter().copied().chain(members.properties.iter().map(|name| &**name));
            let hint = suggestion(key, known.filter(|known| *known != &**key));
            all.push((line, format!("no part has '{}'{hint}", shortened(key))));
        }
        let used = self.used_sets();
        for (i, set) in self.sets.iter().enumerate() {
            if let Some(name) = set.name.as_ref().filter(|_| !used[i]) {
                let text = "is not used by a test, an ignore rule or another set";
                all.push((set.line, format!("the set '{}' {text}", shortened(name))));
            }
            if let Some(name) = &set.name
                && members.count(SetRef::Set(i)) == 0
            {
                all.push((set.line, format!("no part is in the set '{}'", shortened(name))));
            }
        }
        for test in &self.tests {
            let missing = match test.find {
                // Such a test is about single parts.
                Find::Floating => (members.count(test.a) == 0).then_some("part"),
                _ => (!members.has_pair([test.a, test.b])).then_some("pair of parts"),
            };
            all.extend(missing.map(|missing| {
                (test.line, format!("the test '{}' has no {missing}", shortened(&test.name)))
            }));
        }
        all.sort_by_key(|&(line, _)| line);
        let warning =
            |(line, text)| Warning::new(&*self.file, (line > 0).then(|| format!("line {line}")), text);
        all.into_iter().map(warning).collect()
    }
    /// For each set, true if something refers to it.
    fn used_sets(&self) -> Vec<bool> {
        let mut used = vec![false; self.sets.len()];
        self.sets.iter().for_each(|set| set.condition.each_set(&mut |other| used[other] = true));
        let of_tests = self.tests.iter().flat_map(|test| [test.a, test.b]);
        let of_ignores = self.ignores.iter().flat_map(|ignore| [ignore.a, ignore.b]);
        let others = self.placements.iter().map(|placement| placement.set);
        for set in of_tests.chain(of_ignores).chain(others).chain(self.scopes.iter().flatten().copied()) {
            if let SetRef::Set(set) = set {
                used[set] = true;
            }
        }
        used
    }
}
