//! [`Part`], a mesh at a pose, with the data that its input has about it.
use crate::{Properties, PropertyValue};
use impinge::{Mesh, Pose, pose::place};
use std::{path::Path, sync::Arc};

/// One part of an assembly: a mesh, possibly shared with other parts, at a pose.
///
/// The readers of this crate make parts. A program that has parts from another source makes them itself:
///
/// ```
/// use impinge::{Mesh, Pose};
/// use impinge_io::Part;
/// use std::path::Path;
///
/// let wall = Part::new("Wall 7", Path::new("house.ifc"), Mesh::default(), Pose::IDENTITY)
///     .with_path("House/Storey 1/Wall 7")
///     .with_guid("1hOSvn6df7F8_7GcBWlRGQ")
///     .with_class("IfcWall")
///     .with_property("LoadBearing", true)
///     .with_chord(0.001);
/// assert_eq!(wall.class.as_deref(), Some("IfcWall"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// Name in the file, or one made from the file's name. Instances of one object share it.
    pub name: Arc<str>,
    /// Path of the file, as the caller gave it.
    pub file: Arc<Path>,
    /// Triangles. Instances of one mesh share it.
    pub mesh: Arc<Mesh>,
    /// Pose of the part; always rigid.
    pub pose: Pose,
    /// True if the reader applied a transform that is not rigid to the mesh.
    pub baked: bool,
    /// Names in the file's hierarchy, from the root to the part's own name, joined by `/`. Levels without a
    /// name are omitted. It equals the name if the format has no hierarchy. It need not be unique: siblings
    /// may share a name.
    pub path: Arc<str>,
    /// Identifier that the input gives, such as the `GlobalId` of IFC or the UUID of a 3MF item.
    pub guid: Option<Arc<str>>,
    /// Type that the input gives, such as `IfcWall`.
    pub class: Option<Arc<str>>,
    /// Further data of the input.
    pub properties: Properties,
    /// Largest distance of the triangles from the true surface, in the unit of the coordinates, if the input
    /// states it.
    pub chord: Option<f64>,
    /// Largest distance by which the number format of the file moved a point of the mesh, in the unit of the
    /// coordinates: sqrt(3) 2^-24 times the largest absolute coordinate, where the file stores f32. It is
    /// `None` for coordinates that the file has in another form, such as f64 or decimals. It does not include
    /// the rounding of poses. `chord` does not contain it.
    pub rounding: Option<f64>,
}

impl Part {
    /// Makes a part that came from no reader; `file` names its origin. Its path is its name.
    pub fn new(
        name: impl Into<Arc<str>>,
        file: impl Into<Arc<Path>>,
        mesh: impl Into<Arc<Mesh>>,
        pose: Pose,
    ) -> Self {
        let name = name.into();
        Self {
            path: Arc::clone(&name),
            name,
            file: file.into(),
            mesh: mesh.into(),
            pose,
            baked: false,
            guid: None,
            class: None,
            properties: Properties::new(),
            chord: None,
            rounding: None,
        }
    }
    /// Makes a part that came from no file: `memory` takes the place of the file's name.
    pub fn from_mesh(name: impl Into<Arc<str>>, mesh: impl Into<Arc<Mesh>>, pose: Pose) -> Self {
        Self::new(name, Path::new("memory"), mesh, pose)
    }
    /// Makes a part that came from no file, at any pose. One that is not rigid is applied to a copy of the
    /// mesh, as the readers do: each coordinate is rounded once, and [`Part::baked`] is set.
    ///
    /// # Errors
    /// A point that the pose moves out of the range of f64.
    ///
    /// ```
    /// use impinge::{Mesh, Pose};
    /// use impinge_io::Part;
    ///
    /// let double = Pose::affine([[2., 0., 0.], [0., 2., 0.], [0., 0., 2.]], [1., 0., 0.])?;
    /// let part = Part::from_mesh_at("box", Mesh::cuboid([1.; 3])?, double)?;
    /// assert!(part.baked && part.pose == Pose::IDENTITY);
    /// assert!(part.mesh.points().iter().all(|[x, ..]| [0., 2.].contains(x)));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn from_mesh_at(
        name: impl Into<Arc<str>>,
        mesh: impl Into<Arc<Mesh>>,
        pose: Pose,
    ) -> Result<Self, impinge::Error> {
        let mesh = mesh.into();
        if pose.is_rigid() {
            return Ok(Self::from_mesh(name, mesh, pose));
        }
        let place = |&point: &[f64; 3]| place(pose.rows(), pose.translation(), point);
        let placed = Mesh::new(mesh.points().iter().map(place).collect(), mesh.triangles().to_vec())?;
        Ok(Self { baked: true, ..Self::from_mesh(name, placed, Pose::IDENTITY) })
    }
    /// Sets the path in the hierarchy.
    pub fn with_path(self, path: impl Into<Arc<str>>) -> Self {
        Self { path: path.into(), ..self }
    }
    /// Sets the identifier.
    pub fn with_guid(self, guid: impl Into<Arc<str>>) -> Self {
        Self { guid: Some(guid.into()), ..self }
    }
    /// Sets the type.
    pub fn with_class(self, class: impl Into<Arc<str>>) -> Self {
        Self { class: Some(class.into()), ..self }
    }
    /// Sets one property: see [`Properties::insert`].
    pub fn with_property(mut self, name: impl Into<Arc<str>>, value: impl Into<PropertyValue>) -> Self {
        self.properties.insert(name, value);
        self
    }
    /// Sets the largest distance of the triangles from the true surface.
    pub fn with_chord(self, chord: f64) -> Self {
        Self { chord: Some(chord), ..self }
    }
    /// Sets the largest distance by which the file's number format moved a point: see [`Part::rounding`].
    pub fn with_rounding(self, rounding: f64) -> Self {
        Self { rounding: Some(rounding), ..self }
    }
}
