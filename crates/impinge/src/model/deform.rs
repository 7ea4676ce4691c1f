//! Vertices that move while the triangles stay: refits, and when to rebuild.
use super::Model;
use crate::Error;

/// When a model that is deformed is rebuilt instead of being refitted.
///
/// Queries of a refitted tree took so many times as long as of a rebuilt one (waves, twists, blow-ups, folds
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
/// shapes come back, such as a gait's. Kinds that are fitted again gain little by refits: their builds take 1
/// to 3 times as long.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Rebuild {
    /// Refits are always enough.
    Never,
    /// Every time.
    Always,
    /// Where a refit left a tree whose [`Model::decay`] is larger.
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
    /// It was rebuilt.
    Rebuilt,
}

impl Model {
    /// Moves all vertices; the triangles and the tree's topology stay. Results are those for the new mesh,
    /// for every new shape; the speed of queries depends on [`Model::decay`].
    ///
    /// Boxes and DOPs are merged from the last node to the first, O(n), a hundredth of a build. The boxes and
    /// leaves of kind wide are encoded again, its slabs laid around all corners below in the directions that
    /// they have, or the mean normal: a fifth of a build. Volumes of other kinds are fitted again to all
    /// triangles below them, O(n depth): most of a build. The mesh is copied if it is shared
    /// ([`Model::shared_mesh`]). For boxes, DOPs and kind wide the model keeps memory from the first time on
    /// (wide: some 50 bytes a triangle), and later refits allocate nothing. Source: van den Bergen 1997,
    /// section 4.
    ///
    /// # Errors
    /// Not as many points as vertices, or a coordinate that is not finite: then nothing has changed.
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

    /// Moves some vertices: the last position of each that is named counts. For kind wide, boxes and DOPs the
    /// work is that for the triangles that have these vertices, and the nodes above them: O(k log n). Where
    /// they are more than a quarter of all, or leave the box of the mesh by more than half its size, and for
    /// other kinds, it is that of [`Model::refit`]. The first call takes O(n) to find which triangles have
    /// which vertices.
    ///
    /// The slabs of large nodes of kind wide only grow by this, at most to the nodes' boxes, until all is
    /// refitted again.
    ///
    /// # Errors
    /// A vertex that there is not, or a coordinate that is not finite: then nothing has changed.
    pub fn refit_some(&mut self, moved: &[(u32, [f64; 3])]) -> Result<(), Error> {
        self.geometry.refit_some(moved)?;
        self.reshaped();
        Ok(())
    }

    /// How much larger the boxes of the tree have become since it was built: the sum of their surfaces as a
    /// multiple of the whole's, now over then; 1 after a build, and where nothing has a surface. It costs
    /// nothing. Queries of a tree that was refitted get slower as this grows ([`Rebuild`]); below 1 it means
    /// little: a build might do better, too.
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
    /// Those of [`Model::refit`].
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
