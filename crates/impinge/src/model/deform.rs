//! Vertices that move while the triangles stay: refits and rebuilds.
use super::Model;
use crate::Error;

/// Policy of [`Model::deform`] for rebuilds of the tree.
///
/// Time of queries of a refitted tree as a multiple of those of a rebuilt one (waves, twists, blow-ups, folds
/// and noise of a torus of 16,640 triangles, example `refit_speed`):
///
/// | decay | wide | aabb |
/// |---|---|---|
/// | up to 1.4 | 1.0 to 1.3 | 1.0 to 1.3 |
/// | 1.5 to 2.7 | 1.1 to 1.6 | 1.1 to 1.5 |
/// | 4 to 6 | 1.2 to 2.1 | 1.1 to 1.8 |
///
/// A build costs about 5 refits of kind wide (2 of fast quality), 50 to 70 of boxes. So `When(2.0)`, the
/// default, suits models with a few queries for each shape; `Never` suits models with few queries, or whose
/// shapes come back, such as a gait's. Other volumes gain little by refits: their builds take 1 to 3 times as
/// long.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Rebuild {
    /// Always refits.
    Never,
    /// Always rebuilds.
    Always,
    /// Rebuilds after a refit that leaves a larger [`Model::decay`] than this.
    When(f64),
}

impl Default for Rebuild {
    /// `When(2.0)`.
    fn default() -> Self {
        Self::When(2.0)
    }
}

/// Result of [`Model::deform`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deformed {
    /// The tree kept its topology.
    Refitted,
    /// The tree was rebuilt.
    Rebuilt,
}

impl Model {
    /// Moves all vertices; the triangles and the tree's topology stay. Results are those for the new mesh,
    /// for every new shape; the speed of queries depends on [`Model::decay`].
    ///
    /// The cost depends on the volume:
    ///
    /// * Boxes and DOPs are merged from the last node to the first: O(n), a hundredth of a build.
    /// * Kind wide encodes its boxes and leaves again. It lays slabs around all corners below, in their old
    ///   directions or along the mean normal: a fifth of a build.
    /// * Other volumes are fitted again to all triangles below them: O(n depth), most of a build.
    ///
    /// The mesh is copied if it is shared ([`Model::shared_mesh`]). For boxes, DOPs and kind wide the model
    /// keeps memory after the first refit (wide: some 50 bytes a triangle), and later refits allocate
    /// nothing. Source: van den Bergen 1997, section 4.
    ///
    /// # Errors
    /// A number of points that is not that of the vertices, or a coordinate that is not finite. The model
    /// then does not change.
    ///
    /// ```
    /// use impinge::{ErrorKind, Mesh, Model};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let mut model = Model::new(triangle);
    /// model.refit(&[[0., 0., 1.], [2., 0., 1.], [0., 2., 3.]])?;
    /// assert_eq!(model.mesh().points()[2], [0., 2., 3.]);
    /// let error = model.refit(&[[f64::NAN; 3]; 3]).unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::VertexNotFinite { vertex: 0, .. }));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn refit(&mut self, points: &[[f64; 3]]) -> Result<(), Error> {
        self.geometry.refit(points)?;
        self.reshaped();
        Ok(())
    }

    /// Moves some vertices; of several positions of one vertex the last counts. For kind wide, boxes and DOPs
    /// the cost is that of the triangles around these vertices, and of the nodes above them: O(k log n). For
    /// other volumes it is that of [`Model::refit`]; also for more than a quarter of all vertices, and for
    /// vertices that leave the mesh's box by more than half its size. The first call takes O(n) to find the
    /// triangles around each vertex.
    ///
    /// Slabs of large nodes of kind wide only grow in this way, at most to the nodes' boxes, until the next
    /// full refit.
    ///
    /// # Errors
    /// A vertex that does not exist, or a coordinate that is not finite. The model then does not change.
    pub fn refit_some(&mut self, moved: &[(u32, [f64; 3])]) -> Result<(), Error> {
        self.geometry.refit_some(moved)?;
        self.reshaped();
        Ok(())
    }

    /// Growth of the tree's boxes since it was built: the sum of their surfaces as a multiple of the root's,
    /// now over then. It is 1 after a build, and where no box has a surface. O(1). Queries of a refitted tree
    /// get slower as it grows ([`Rebuild`]). Below 1 it means little: a new tree might be better, too.
    pub fn decay(&self) -> f64 {
        self.geometry.decay()
    }

    /// Rebuilds the tree, with the options of the first build.
    pub fn rebuild(&mut self) {
        *self = Self::of(self.geometry.rebuilt());
    }

    /// Moves all vertices, and rebuilds the tree if the policy requires it.
    ///
    /// # Errors
    /// As [`Model::refit`].
    #[doc(alias("beginUpdateModel", "update_vertices"))]
    pub fn deform(&mut self, points: &[[f64; 3]], policy: Rebuild) -> Result<Deformed, Error> {
        if policy == Rebuild::Always {
            self.geometry.move_points(points)?;
        } else {
            self.refit(points)?;
        }
        let rebuild = match policy {
            Rebuild::Never => false,
            Rebuild::Always => true,
            Rebuild::When(most) => self.decay() > most,
        };
        if rebuild {
            self.rebuild();
            return Ok(Deformed::Rebuilt);
        }
        Ok(Deformed::Refitted)
    }
}
