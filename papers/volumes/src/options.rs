//! Build options.
use crate::{Fit, Kind, Overlap, Split};
use impinge::{Error, ErrorKind, Quality, Threads};

/// Kind of the tree and build options. The results of queries do not depend on them.
///
/// An option that a kind does not support is an error of [`Options::build`]; it is never replaced silently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Options {
    /// The bounding volume.
    pub kind: Kind,
    /// Rule that cuts a set of triangles in two; the fast tree has a fixed rule.
    pub split: Split,
    /// Fit of the volume: one of [`Kind::fits`], or [`Fit::Auto`].
    pub fit: Fit,
    /// Overlap test: one of [`Kind::overlaps`], or [`Overlap::Auto`]. A query of two bodies uses the test of
    /// the first, resting body.
    pub overlap: Overlap,
    /// Maximum number of triangles in a leaf: 1 to 8, or 0 for the default of the kind (8 for [`Kind::Wide`],
    /// 4 for the others).
    pub leaf_size: usize,
    /// Number of children of a node: one of [`Kind::arities`], or 0 for the first of them.
    pub arity: usize,
    /// Build quality. Only [`Kind::Wide`] supports several.
    pub quality: Quality,
    /// Stores the corners of leaves in 16 bits a coordinate instead of 24. Only [`Kind::Wide`] supports this.
    pub compact: bool,
    /// Threads that build and refit the tree: for builds of [`Kind::Wide`], and for refits of [`Kind::Wide`],
    /// boxes and DOPs.
    pub threads: Threads,
}

impl Options {
    /// The default options of a kind.
    pub fn new(kind: Kind) -> Self {
        Self { kind, ..Self::default() }
    }
    /// Sets the rule that cuts a set of triangles in two.
    pub fn split(self, split: Split) -> Self {
        Self { split, ..self }
    }
    /// Sets the fit of the volume.
    pub fn fit(self, fit: Fit) -> Self {
        Self { fit, ..self }
    }
    /// Sets the overlap test.
    pub fn overlap(self, overlap: Overlap) -> Self {
        Self { overlap, ..self }
    }
    /// Sets the maximum number of triangles in a leaf.
    pub fn leaf_size(self, leaf_size: usize) -> Self {
        Self { leaf_size, ..self }
    }
    /// Sets the number of children of a node.
    pub fn arity(self, arity: usize) -> Self {
        Self { arity, ..self }
    }
    /// Sets the build quality.
    pub fn quality(self, quality: Quality) -> Self {
        Self { quality, ..self }
    }
    /// Sets whether leaves store corners in 16 bits a coordinate.
    pub fn compact(self, compact: bool) -> Self {
        Self { compact, ..self }
    }
    /// Sets the threads.
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// Checks that the kind supports these options.
    ///
    /// # Errors
    /// Returns an error if it does not: [`ErrorKind::UnsupportedOption`].
    pub fn check(&self) -> Result<(), Error> {
        let (kind, name) = (self.kind, self.kind.name());
        let refuse = |what: String| Err(ErrorKind::UnsupportedOption { reason: what.into() }.into());
        let listed = |names: Vec<&str>| names.join(", ");
        if self.leaf_size > 8 {
            return refuse(format!("leaf size {}: a leaf contains 1 to 8 triangles", self.leaf_size));
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
            return refuse(format!("split {}: {name} supports only its own rule", self.split.name()));
        }
        if kind != Kind::Wide && self.quality != Quality::High {
            return refuse(format!("quality {}: only wide supports it, not {name}", self.quality.name()));
        }
        if kind != Kind::Wide && self.compact {
            return refuse(format!("compact leaves: only wide supports them, not {name}"));
        }
        Ok(())
    }
}
