//! Models of any kind.
use crate::{Kind, Options, Overlap, any_tree::AnyTree};
use impinge::{BuildOptions, Error, ErrorKind, Mesh, Model};
use std::{any::Any, sync::Arc};

/// Greatest number of triangles of a tree. Links have 28 bits for the index of a node or a triangle: room for
/// four nodes a triangle. (The fast tree has links of its own, for as many triangles as a mesh may have.)
const MOST_TRIANGLES: usize = 1 << 26;

impl Options {
    /// Builds a model of that kind.
    ///
    /// # Errors
    /// Returns an error of [`Options::check`], or [`ErrorKind::TooMany`] for more than 2^26 triangles, for
    /// which the links of the papers' trees have no room.
    ///
    /// ```
    /// use impinge::{Body, ErrorKind, Mesh, Pose, Query};
    /// use impinge_volumes::{Fit, Kind, Options};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Options::new(Kind::Sphere).fit(Fit::Ritter).arity(4).build(triangle)?;
    /// let body = Body::new(&model, Pose::IDENTITY);
    /// assert!(Query::new().intersects(&body, &body));
    /// let error = Options::new(Kind::Obb).fit(Fit::Ritter).check().unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::UnsupportedOption { .. }));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn build(&self, mesh: impl Into<Arc<Mesh>>) -> Result<Model, Error> {
        self.check()?;
        let mesh = mesh.into();
        if self.kind != Kind::Wide && mesh.len() > MOST_TRIANGLES {
            let what = "triangles in a tree of this volume";
            return Err(ErrorKind::TooMany { found: mesh.len(), most: MOST_TRIANGLES, what }.into());
        }
        let leaf_size = if self.leaf_size == 0 { 8 } else { self.leaf_size };
        Ok(match AnyTree::build(&mesh, self) {
            Some(tree) => Model::with_hierarchy(mesh, Box::new(tree), self.threads),
            None => {
                let options = BuildOptions::new().quality(self.quality).compact(self.compact);
                Model::with_options(mesh, &options.leaf_size(leaf_size).threads(self.threads))
            }
        })
    }
}

/// The kind of a model's tree.
pub fn kind_of(model: &Model) -> Kind {
    options_of(model).kind
}

/// The options that a model's tree was built with; for the fast tree only the kind.
pub fn options_of(model: &Model) -> Options {
    let tree = model.hierarchy().and_then(|tree| (tree as &dyn Any).downcast_ref::<AnyTree>());
    tree.map_or(Options::default(), AnyTree::options)
}

/// Changes the overlap test of a model's volumes.
///
/// # Errors
/// Returns an error if its kind has no such test: [`ErrorKind::UnsupportedOption`].
pub fn set_overlap(model: &mut Model, overlap: Overlap) -> Result<(), Error> {
    options_of(model).overlap(overlap).check()?;
    let tree = model.hierarchy_mut().and_then(|tree| (tree as &mut dyn Any).downcast_mut::<AnyTree>());
    if let Some(tree) = tree {
        tree.set_overlap(overlap);
    }
    Ok(())
}
