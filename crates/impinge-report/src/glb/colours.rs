//! Two colours for the parts of findings.

/// Colours of parts. The two parts of a finding differ if possible.
///
/// This is a forest whose edges store whether both ends differ. A finding between two trees joins them so
/// that its parts differ; one within a tree changes nothing. So a finding has two colours unless those before
/// it prevent that.
pub(super) struct Colours {
    /// Parent of each part (a root is its own), and true if their colours differ.
    parents: Vec<(u32, bool)>,
}

impl Colours {
    pub(super) fn new(parts: usize) -> Self {
        Self { parents: (0..parts as u32).map(|part| (part, false)).collect() }
    }
    /// Makes two parts differ if possible; returns true if they do.
    pub(super) fn part(&mut self, [a, b]: [u32; 2]) -> bool {
        let ((root_a, differs_a), (root_b, differs_b)) = (self.root(a), self.root(b));
        if root_a == root_b {
            return differs_a != differs_b;
        }
        // The first part of a finding is blue if it is free: roots are blue.
        self.parents[root_b as usize] = (root_a, differs_a == differs_b);
        true
    }
    /// Colour of a part, 0 or 1.
    pub(super) fn of(&mut self, part: u32) -> usize {
        usize::from(self.root(part).1)
    }
    /// Root of a part, and true if their colours differ. Shortens every other link of the path.
    fn root(&mut self, mut part: u32) -> (u32, bool) {
        let mut differs = false;
        loop {
            let (parent, step) = self.parents[part as usize];
            if parent == part {
                return (part, differs);
            }
            let (above, more) = self.parents[parent as usize];
            self.parents[part as usize] = (above, step ^ more);
            differs ^= step ^ more;
            part = above;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Colours;

    #[test]
    fn first_findings_have_two_colours() {
        let mut colours = Colours::new(6);
        for pair in [[0, 1], [2, 3], [1, 3], [4, 0]] {
            assert!(colours.part(pair), "{pair:?}");
        }
        // An odd cycle has an edge of one colour; an even one has none.
        assert!(!colours.part([0, 3]));
        assert!(colours.part([0, 2]) != colours.part([1, 2]));
        for [a, b] in [[0, 1], [2, 3], [1, 3], [4, 0]] {
            assert_ne!(colours.of(a), colours.of(b));
        }
        assert_eq!(colours.of(5), 0);
    }

    /// Compares with all colourings. A finding has one colour only if no colouring gives two colours to it
    /// and to all earlier findings that have two.
    #[test]
    fn colours_are_those_of_all_colourings() {
        let pairs: Vec<[u32; 2]> = (0..6).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        for start in 0..15_usize {
            let mut colours = Colours::new(6);
            let mut kept: Vec<[u32; 2]> = Vec::new();
            for i in 0..15 {
                let pair = pairs[(start + 4 * i) % 15];
                kept.push(pair);
                let works = (0..64_u32).any(|set| kept.iter().all(|[a, b]| (set >> a ^ set >> b) & 1 == 1));
                assert_eq!(colours.part(pair), works, "{kept:?}");
                if !works {
                    kept.pop();
                }
            }
            assert!(kept.iter().all(|&[a, b]| colours.of(a) != colours.of(b)));
        }
    }
}
