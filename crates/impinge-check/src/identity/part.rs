//! [`PartIdentity`]: the properties by which a part is found again.
use super::{place::Place, shape::ShapeMeasures};
use crate::parts::meshes::distinct_meshes;
use impinge::Mesh;
use impinge_io::Part;
use std::{path::Path, sync::Arc};

/// The properties of a part by which it is found again in the next delivery.
#[derive(Clone, Debug, PartialEq)]
pub struct PartIdentity {
    /// Identifier that the input gives.
    pub guid: Option<Arc<str>>,
    /// Path in the hierarchy; `None` if it is only the name.
    pub path: Option<Arc<str>>,
    /// Name; empty if it has none.
    pub name: Arc<str>,
    /// Name of the file, without its folder: deliveries come in different folders.
    pub file: Arc<str>,
    /// Type that the input gives.
    pub class: Option<Arc<str>>,
    /// Measures of the mesh.
    pub shape: ShapeMeasures,
    /// Place in the assembly.
    pub place: Place,
}

/// Texts of a part that replace those of its input, such as the fields of a name of the form
/// `file|type|guid|name`. `None` leaves the input's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartNames {
    /// Identifier.
    pub guid: Option<Arc<str>>,
    /// Name.
    pub name: Option<Arc<str>>,
    /// File.
    pub file: Option<Arc<str>>,
    /// Type.
    pub class: Option<Arc<str>>,
}

impl PartIdentity {
    /// The identities of parts, in their order. `names` returns the texts that replace those of the part with
    /// this index. Cost: each distinct mesh is measured once, in a time that is linear in its size.
    ///
    /// ```
    /// use impinge_check::{Part, identity::{PartIdentity, PartNames}};
    /// use impinge::{Mesh, Pose};
    ///
    /// let cube = Part::from_mesh("a|IfcWall|7", Mesh::cuboid([1.0; 3])?, Pose::IDENTITY);
    /// let split = |_: usize, part: &Part| {
    ///     let fields: Vec<&str> = part.name.split('|').collect();
    ///     PartNames { class: Some(fields[1].into()), guid: Some(fields[2].into()), ..PartNames::default() }
    /// };
    /// let identity = &PartIdentity::of(&[cube], split)[0];
    /// assert_eq!((identity.class.as_deref(), identity.shape.area), (Some("IfcWall"), 6.0));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn of(parts: &[Part], mut names: impl FnMut(usize, &Part) -> PartNames) -> Vec<Self> {
        let (meshes, mesh_of) = distinct_meshes(parts);
        let measure = |mesh: &Arc<Mesh>| {
            let place = Place::of(mesh);
            (ShapeMeasures::of(mesh, place.centroid), place)
        };
        let measured: Vec<_> = meshes.iter().map(measure).collect();
        let mut last_file: Option<(Arc<Path>, Arc<str>)> = None;
        let identity = |(i, part): (usize, &Part)| {
            let (shape, place) = measured[mesh_of[i]];
            let names = names(i, part);
            // Parts of one file follow each other, and share its name.
            let file = match &last_file {
                Some((path, name)) if Arc::ptr_eq(path, &part.file) => Arc::clone(name),
                _ => {
                    let name = part.file.file_name().unwrap_or(part.file.as_os_str());
                    let name: Arc<str> = name.to_string_lossy().into();
                    last_file = Some((Arc::clone(&part.file), Arc::clone(&name)));
                    name
                }
            };
            Self {
                guid: names.guid.or_else(|| part.guid.clone()).filter(|guid| !guid.is_empty()),
                path: (part.path != part.name).then(|| Arc::clone(&part.path)),
                name: names.name.unwrap_or_else(|| Arc::clone(&part.name)),
                file: names.file.unwrap_or(file),
                class: names.class.or_else(|| part.class.clone()),
                shape,
                place: place.placed(&part.pose, shape.radius()),
            }
        };
        parts.iter().enumerate().map(identity).collect()
    }
    /// True if the other part is at the same place and, if the index lists are equal, is turned the same way.
    pub(super) fn is_in_place(&self, other: &Self) -> bool {
        if self.shape.indices() == other.shape.indices() {
            return self.place.is_same(&other.place, &self.shape);
        }
        self.place.distance(&other.place) <= self.place.tolerance(&self.shape)
    }
}
