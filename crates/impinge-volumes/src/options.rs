//! Build options.
use crate::{Fit, Kind, Overlap, Split};
use impinge::{Error, Quality, Threads};

/// Which tree to build, and how. The answers of queries do not depend on it.
///
/// What a kind cannot do is an error of [`Options::build`], never something else that is done instead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Options {
    /// The bounding volume.
    pub kind: Kind,
    /// How a set of triangles is cut in two; the fast tree has no choice.
    pub split: Split,
    /// How the volume is fitted: one of [`Kind::fits`], or [`Fit::Auto`].
    pub fit: Fit,
    /// How two volumes are compared: one of [`Kind::overlaps`], or [`Overlap::Auto`]. Of two bodies that of
    /// the resting one, the first, counts.
    pub overlap: Overlap,
    /// Most triangles in a leaf: 0 for what suits the kind (8 for [`Kind::Wide`], 4 for the others), else 1
    /// to 8.
    pub leaf_size: usize,
    /// Children of a node: one of [`Kind::arities`], or 0 for the first of them.
    pub arity: usize,
    /// How much care is taken. Only [`Kind::Wide`] has the choice.
    pub quality: Quality,
    /// Whether leaves keep corners in 16 bits a coordinate instead of 24. Only [`Kind::Wide`] has the choice.
    pub compact: bool,
    /// Whose threads build and refit the tree: builds of [`Kind::Wide`], and refits of that, boxes and DOPs.
    pub threads: Threads,
}

impl Options {
    /// The defaults of a kind.
    pub fn new(kind: Kind) -> Self {
        Self { kind, ..Self::default() }
    }
    /// Sets the rule by which a set of triangles is cut in two.
    pub fn split(self, split: Split) -> Self {
        Self { split, ..self }
    }
    /// Sets how the volume is fitted.
    pub fn fit(self, fit: Fit) -> Self {
        Self { fit, ..self }
    }
    /// Sets the overlap test.
    pub fn overlap(self, overlap: Overlap) -> Self {
        Self { overlap, ..self }
    }
    /// Sets the largest number of triangles in a leaf.
    pub fn leaf_size(self, leaf_size: usize) -> Self {
        Self { leaf_size, ..self }
    }
    /// Sets the largest number of children of a node.
    pub fn arity(self, arity: usize) -> Self {
        Self { arity, ..self }
    }
    /// Sets the build quality.
    pub fn quality(self, quality: Quality) -> Self {
        Self { quality, ..self }
    }
    /// Whether leaves keep corners in 16 bits a coordinate.
    pub fn compact(self, compact: bool) -> Self {
        Self { compact, ..self }
    }
    /// Sets the threads.
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// Whether the kind can do what is asked.
    ///
    /// # Errors
    /// It cannot: [`Error::is_unsupported_option`].
    pub fn check(&self) -> Result<(), Error> {
        let (kind, name) = (self.kind, self.kind.name());
        let refuse = |what: String| Err(Error::unsupported_option(what));
        let listed = |names: Vec<&str>| names.join(", ");
        if self.leaf_size > 8 {
            return refuse(format!("leaf size {}: a leaf holds 1 to 8 triangles", self.leaf_size));
        }
        if self.arity != 0 && !kind.arities().contains(&self.arity) {
            let known = kind.arities().iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            return refuse(format!("arity {}: nodes of {name} have {known} children", self.arity));
        }
        if self.fit != Fit::Auto && !kind.fits().contains(&self.fit) {
            let known = listed(kind.fits().iter().map(|fit| fit.name()).collect());
            return refuse(format!("fit {}: {name} has {known}", self.fit.name()));
        }
        if self.overlap != Overlap::Auto && !kind.overlaps().contains(&self.overlap) {
            let known = listed(kind.overlaps().iter().map(|overlap| overlap.name()).collect());
            return refuse(format!("overlap test {}: {name} has {known}", self.overlap.name()));
        }
        if kind == Kind::Wide && self.split != Split::Auto {
            return refuse(format!("split {}: {name} is always cut by its own rule", self.split.name()));
        }
        if kind != Kind::Wide && self.quality != Quality::High {
            return refuse(format!("quality {}: only wide has the choice, not {name}", self.quality.name()));
        }
        if kind != Kind::Wide && self.compact {
            return refuse(format!("compact leaves: only wide has them, not {name}"));
        }
        Ok(())
    }
}
