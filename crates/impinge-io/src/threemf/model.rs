//! The XML of one model: its objects, components and build items.
use crate::{
    Error, Unit,
    affine::Affine,
    budget::Budget,
    error::Place,
    quote::show,
    used_points::used_points,
    xml::{attribute, attributes, raw_attributes, unescape, wrong},
};
use foldhash::HashMap;
use impinge::Mesh;
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
    name::QName,
};
use std::{borrow::Cow, rc::Rc, sync::Arc};

/// A reference to an object, from another object or from the build.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) object: u32,
    /// Path of the model that contains the object; `None` for this model.
    pub(super) path: Option<Box<str>>,
    pub(super) map: Affine,
    /// UUID of the production extension.
    pub(super) guid: Option<Arc<str>>,
    /// False if an item has `printable="0"`.
    pub(super) printable: bool,
}

#[derive(Debug)]
pub(super) enum Shape {
    /// A mesh, with its number among the meshes of the file.
    Mesh(usize, Arc<Mesh>),
    Components(Rc<[Reference]>),
    /// Content that only an extension defines.
    Other,
}

#[derive(Debug)]
pub(super) struct Object {
    /// Name of the object; `None` if it has none.
    pub(super) name: Option<Arc<str>>,
    pub(super) role: Role,
    pub(super) shape: Shape,
}

/// The attribute `type` of an object, reduced to the cases that matter here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// `model`, or `surface`.
    Part,
    /// `support` and `solidsupport`: scaffolding of one print, which touches the parts that it carries.
    Support,
    /// `other`, which a build must not name, and types that the specification does not define.
    Other,
}

impl Role {
    fn new(name: Option<&str>) -> Self {
        match name {
            None | Some("model" | "surface") => Self::Part,
            Some("support" | "solidsupport") => Self::Support,
            Some(_) => Self::Other,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Model {
    /// The attribute `unit`; its default is the millimetre.
    pub(super) unit: Option<String>,
    pub(super) objects: HashMap<u32, Object>,
    pub(super) items: Vec<Reference>,
    /// Number of beams and balls of the beam lattice extension.
    pub(super) beams: u64,
}

impl Model {
    /// Unit of the model; `None` for one that the specification does not define.
    pub(super) fn length_unit(&self) -> Option<Unit> {
        Some(match self.unit.as_deref() {
            None | Some("millimeter") => Unit::Millimetre,
            Some("micron") => Unit::Micrometre,
            Some("centimeter") => Unit::Centimetre,
            Some("inch") => Unit::Inch,
            Some("foot") => Unit::Foot,
            Some("meter") => Unit::Metre,
            Some(_) => return None,
        })
    }
}

/// Namespaces that a model may require. They add colours, other models, or names for triangles; or beams and
/// balls, which are counted for a warning.
const KNOWN: [&str; 6] = [
    "http://schemas.microsoft.com/3dmanufacturing/core/2015/02",
    "http://schemas.microsoft.com/3dmanufacturing/production/2015/06",
    "http://schemas.microsoft.com/3dmanufacturing/material/2015/02",
    "http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07",
    "http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02",
    "http://schemas.microsoft.com/3dmanufacturing/beamlattice/balls/2020/07",
];

/// Reads a model; its meshes take numbers from `next` on. The limit of parts also limits the number of its
/// objects and the number of its references: an empty element of 20 bytes packs to nothing and takes ten
/// times as much memory.
pub(super) fn parse(text: &str, next: &mut usize, budget: &Budget) -> Result<Model, Error> {
    let mut state = State { model: Model::default(), prefix: None, open: None, next, references: 0, budget };
    let mut reader = Reader::from_str(text);
    // Open elements: the XML reader accepts a text that ends inside them.
    let mut depth = 0_u64;
    loop {
        let start = Place::Byte(reader.buffer_position());
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(e) => {
                let place = Place::Byte(reader.error_position());
                return Err(Error::invalid(place, "this is not well-formed XML").because(e));
            }
        };
        match event {
            Event::Start(tag) => {
                depth += 1;
                state.start(&tag)
            }
            Event::End(tag) => {
                // The XML reader has matched it with its start.
                depth -= 1;
                state.end(tag.name())
            }
            Event::Empty(tag) => state.start(&tag).and_then(|()| state.end(tag.name())),
            Event::Eof if depth > 0 => Err(wrong("the XML ends inside an element")),
            Event::Eof if state.prefix.is_some() => return Ok(state.model),
            Event::Eof => Err(wrong("there is no model in this XML")),
            _ => Ok(()),
        }
        .map_err(|e| e.at(start))?;
    }
}

/// An object between its tags.
struct OpenObject {
    id: u32,
    name: String,
    role: Role,
    /// True for those of `mesh`, `vertices`, `triangles` and `components` that it has; each may occur once.
    has: [bool; 4],
    points: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    components: Vec<Reference>,
}

impl OpenObject {
    /// Refuses a second element of a name. With the points of two meshes in one list, triangles of the second
    /// mesh would use points of the first.
    fn once(&mut self, name: &str) -> Result<(), Error> {
        let names = ["mesh", "vertices", "triangles", "components"];
        match self.has.iter_mut().zip(names).find(|(_, known)| *known == name) {
            Some((has, _)) if *has => Err(wrong(format!("object {} has a second element '{name}'", self.id))),
            Some((has, _)) => {
                *has = true;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

struct State<'n> {
    model: Model,
    /// The prefix of the core's elements, which is that of the model element.
    prefix: Option<String>,
    open: Option<OpenObject>,
    next: &'n mut usize,
    /// Number of items and components so far.
    references: usize,
    budget: &'n Budget,
}

impl State<'_> {
    fn reference(&mut self, tag: &BytesStart<'_>) -> Result<Reference, Error> {
        self.references += 1;
        self.budget.parts(self.references)?;
        reference(tag)
    }

    /// The name of an element of the core; `None` for those of extensions.
    fn core<'t>(&self, name: QName<'t>) -> Option<&'t str> {
        let (prefix, local) = name.0.split_once(':').unwrap_or(("", name.0));
        (self.prefix.as_deref() == Some(prefix)).then_some(local)
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Result<(), Error> {
        let name = tag.name();
        if self.prefix.is_none() {
            if tag.local_name().as_ref() != "model" {
                return Err(wrong(format!("expected 'model', found '{}'", show(name.0.as_bytes()))));
            }
            self.prefix = Some(name.0.split_once(':').map_or("", |(prefix, _)| prefix).to_owned());
            self.model.unit = attribute(tag, "unit")?.map(Cow::into_owned);
            return check_extensions(tag);
        }
        let Some(name) = self.core(name) else {
            self.model.beams += u64::from(matches!(tag.local_name().as_ref(), "beam" | "ball"));
            return Ok(());
        };
        if matches!(name, "component" | "item") {
            let reference = self.reference(tag)?;
            match (name, &mut self.open) {
                ("item", _) => self.model.items.push(reference),
                (_, Some(open)) => open.components.push(reference),
                (_, None) => return Err(wrong("'component' is outside an object")),
            }
            return Ok(());
        }
        match (name, &mut self.open) {
            ("vertex", Some(open)) => {
                if open.points.len() == u32::MAX as usize {
                    return Err(wrong(format!("more than {} vertices in one object", u32::MAX)));
                }
                let [x, y, z] = attributes(tag, ["x", "y", "z"])?;
                open.points.push([float(&x)?, float(&y)?, float(&z)?]);
            }
            ("triangle", Some(open)) => {
                let mut triangle = [0; 3];
                for (corner, text) in triangle.iter_mut().zip(attributes(tag, ["v1", "v2", "v3"])?) {
                    *corner = whole(&text)?;
                    if *corner as usize >= open.points.len() {
                        let what = format!(
                            "object {}: triangle {} names vertex {corner}; there are {}, from 0",
                            open.id,
                            open.triangles.len(),
                            open.points.len()
                        );
                        return Err(wrong(what));
                    }
                }
                open.triangles.push(triangle);
            }
            ("mesh" | "vertices" | "triangles" | "components", Some(open)) => open.once(name)?,
            ("vertex" | "triangle" | "mesh", None) => {
                return Err(wrong(format!("'{name}' is outside an object")));
            }
            ("object", Some(_)) => return Err(wrong("an object is inside another object")),
            ("object", None) => {
                let [id] = attributes(tag, ["id"])?;
                let name = attribute(tag, "name")?.unwrap_or_default();
                self.open = Some(OpenObject {
                    id: whole(&id)?,
                    name: crate::quote::name(name.as_bytes()),
                    role: Role::new(attribute(tag, "type")?.as_deref()),
                    has: [false; 4],
                    points: Vec::new(),
                    triangles: Vec::new(),
                    components: Vec::new(),
                });
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: QName<'_>) -> Result<(), Error> {
        if self.core(name) != Some("object") {
            return Ok(());
        }
        let Some(open) = self.open.take() else { return Ok(()) };
        let shape = match (open.has[0], open.components.is_empty()) {
            (true, true) => {
                let mesh = used_points(open.points, open.triangles)
                    .map_err(|e| wrong(format!("object {} does not make a mesh", open.id)).because(e))?;
                *self.next += 1;
                Shape::Mesh(*self.next - 1, Arc::new(mesh))
            }
            (false, false) => Shape::Components(open.components.into()),
            (true, false) => return Err(wrong(format!("object {} has a mesh and components", open.id))),
            (false, true) => Shape::Other,
        };
        self.budget.parts(self.model.objects.len() + 1)?;
        let name = (!open.name.is_empty()).then(|| open.name.into());
        if self.model.objects.insert(open.id, Object { name, role: open.role, shape }).is_some() {
            return Err(wrong(format!("a second object {}", open.id)));
        }
        Ok(())
    }
}

/// Refuses a model that requires an extension which may change its shape.
fn check_extensions(tag: &BytesStart<'_>) -> Result<(), Error> {
    let required = attribute(tag, "requiredextensions")?.unwrap_or_default();
    let mut namespaces = HashMap::default();
    for a in raw_attributes(tag) {
        let a = a?;
        if let Some(prefix) = a.key.0.strip_prefix("xmlns:") {
            namespaces.insert(prefix.to_owned(), unescape(&a)?.into_owned());
        }
    }
    for prefix in required.split_whitespace() {
        let namespace = namespaces.get(prefix).map_or("", String::as_str);
        if !KNOWN.contains(&namespace) {
            let namespace = if namespace.is_empty() { prefix } else { namespace };
            let namespace = crate::quote::quoted(namespace);
            let what = format!("the model requires the extension '{namespace}', which is not supported");
            return Err(Error::unsupported(Place::File, what));
        }
    }
    Ok(())
}

/// A component or an item. A path and a UUID belong to the production extension, whatever its prefix is.
fn reference(tag: &BytesStart<'_>) -> Result<Reference, Error> {
    let [object] = attributes(tag, ["objectid"])?;
    let (mut path, mut guid) = (None, None);
    for a in raw_attributes(tag) {
        let a = a?;
        match a.key.local_name().as_ref() {
            "path" => path = Some(unescape(&a)?.trim_start_matches('/').into()),
            "UUID" => guid = Some(crate::quote::name(unescape(&a)?.as_bytes())),
            _ => {}
        }
    }
    let guid = guid.filter(|guid| !guid.is_empty()).map(Arc::from);
    // The attribute has the type xs:boolean.
    let printable = !matches!(attribute(tag, "printable")?.as_deref().map(str::trim), Some("0" | "false"));
    let map = match attribute(tag, "transform")? {
        Some(text) => transform(&text)?,
        None => Affine::IDENTITY,
    };
    Ok(Reference { object: whole(&object)?, path, map, guid, printable })
}

/// Parses twelve numbers: the rows of a matrix that row vectors multiply from the left, so they are columns
/// here.
fn transform(text: &str) -> Result<Affine, Error> {
    let mut m = [[0.0; 3]; 4];
    let mut words = text.split_ascii_whitespace();
    for entry in m.as_flattened_mut() {
        *entry = float(words.next().ok_or_else(|| wrong("a transform has fewer than 12 numbers"))?)?;
    }
    if words.next().is_some() {
        return Err(wrong("a transform has more than 12 numbers"));
    }
    let rows = std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]));
    Ok(Affine { rows, t: m[3] })
}

fn float(text: &str) -> Result<f64, Error> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(wrong(format!("the number '{}' is not finite", show(text.as_bytes())))),
        Err(_) => Err(wrong(format!("'{}' is not a number", show(text.as_bytes())))),
    }
}

fn whole(text: &str) -> Result<u32, Error> {
    text.trim()
        .parse()
        .map_err(|_| wrong(format!("'{}' is not a whole number below 2^32", show(text.as_bytes()))))
}
