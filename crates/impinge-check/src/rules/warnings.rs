//! [`Rules::warnings`]: rules that are about nothing.
use super::{
    condition::TEXTS,
    members::Members,
    model::Rules,
    place::{shortened, suggestion},
    set::SetRef,
};
use crate::values::warning::Warning;

impl Rules {
    /// A warning for each set with a name that has no part, for each key that no part has, and for each test
    /// that has no pair: a misspelt word must not hide clashes. In the order of lines.
    pub fn warnings(&self, members: &Members) -> Vec<Warning> {
        let mut all = Vec::new();
        for (key, &line) in &members.absent {
            let known = TEXTS.iter().copied().chain(members.properties.iter().map(|name| &**name));
            let hint = suggestion(key, known.filter(|known| *known != &**key));
            all.push((line, format!("no part has '{}'{hint}", shortened(key))));
        }
        for (i, set) in self.sets.iter().enumerate() {
            if let Some(name) = &set.name
                && members.count(SetRef::Set(i)) == 0
            {
                all.push((set.line, format!("no part is in the set '{}'", shortened(name))));
            }
        }
        for test in &self.tests {
            if !members.has_pair([test.a, test.b]) {
                all.push((test.line, format!("the test '{}' has no pair of parts", shortened(&test.name))));
            }
        }
        all.sort_by_key(|&(line, _)| line);
        let warning =
            |(line, text)| Warning::new(&*self.file, (line > 0).then(|| format!("line {line}")), text);
        all.into_iter().map(warning).collect()
    }
}
