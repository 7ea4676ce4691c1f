//! The elements of a COLLADA document that matter here, as a tree. Their content may refer to elements that
//! follow, so the whole document is parsed first.
use crate::{
    Error,
    error::Place,
    quote::{quoted, show},
    xml::attribute_of,
};
use foldhash::{HashMap, HashMapExt};
use quick_xml::{
    Reader,
    events::{Event, attributes::Attributes},
};
use std::{borrow::Cow, collections::hash_map};

/// Name of an element that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Tag {
    Root,
    Asset,
    Unit,
    UpAxis,
    /// Any of the libraries whose elements are kept.
    Library,
    Geometry,
    Mesh,
    /// `convex_mesh`, `spline`, `brep`: shapes that are skipped.
    OtherShape,
    Source,
    FloatArray,
    TechniqueCommon,
    Accessor,
    Param,
    Vertices,
    Input,
    Triangles,
    Polylist,
    Polygons,
    Tristrips,
    Trifans,
    /// `lines`, `linestrips`
    Lines,
    P,
    /// A polygon with holes.
    Ph,
    Vcount,
    Controller,
    Skin,
    Morph,
    BindShapeMatrix,
    Node,
    Matrix,
    Translate,
    Rotate,
    Scale,
    /// `skew`, `lookat`
    OtherTransform,
    InstanceGeometry,
    InstanceController,
    InstanceNode,
    VisualScene,
    Scene,
    InstanceVisualScene,
    Animation,
    PhysicsModel,
    KinematicsModel,
}

impl Tag {
    fn new(name: &str) -> Option<Self> {
        Some(match name {
            "asset" => Self::Asset,
            "unit" => Self::Unit,
            "up_axis" => Self::UpAxis,
            "library_geometries"
            | "library_controllers"
            | "library_nodes"
            | "library_visual_scenes"
            | "library_animations"
            | "library_physics_models"
            | "library_kinematics_models" => Self::Library,
            "geometry" => Self::Geometry,
            "mesh" => Self::Mesh,
            "convex_mesh" | "spline" | "brep" => Self::OtherShape,
            "source" => Self::Source,
            "float_array" => Self::FloatArray,
            "technique_common" => Self::TechniqueCommon,
            "accessor" => Self::Accessor,
            "param" => Self::Param,
            "vertices" => Self::Vertices,
            "input" => Self::Input,
            "triangles" => Self::Triangles,
            "polylist" => Self::Polylist,
            "polygons" => Self::Polygons,
            "tristrips" => Self::Tristrips,
            "trifans" => Self::Trifans,
            "lines" | "linestrips" => Self::Lines,
            "p" => Self::P,
            "ph" => Self::Ph,
            "vcount" => Self::Vcount,
            "controller" => Self::Controller,
            "skin" => Self::Skin,
            "morph" => Self::Morph,
            "bind_shape_matrix" => Self::BindShapeMatrix,
            "node" => Self::Node,
            "matrix" => Self::Matrix,
            "translate" => Self::Translate,
            "rotate" => Self::Rotate,
            "scale" => Self::Scale,
            "skew" | "lookat" => Self::OtherTransform,
            "instance_geometry" => Self::InstanceGeometry,
            "instance_controller" => Self::InstanceController,
            "instance_node" => Self::InstanceNode,
            "visual_scene" => Self::VisualScene,
            "scene" => Self::Scene,
            "instance_visual_scene" => Self::InstanceVisualScene,
            "animation" => Self::Animation,
            "physics_model" => Self::PhysicsModel,
            "kinematics_model" => Self::KinematicsModel,
            _ => return None,
        })
    }

    /// True if the element's content is skipped.
    fn is_opaque(self) -> bool {
        matches!(
            self,
            Self::OtherShape
                | Self::Lines
                | Self::Ph
                | Self::OtherTransform
                | Self::Animation
                | Self::PhysicsModel
                | Self::KinematicsModel
        )
    }

    /// True if the element's text is kept.
    fn has_text(self) -> bool {
        matches!(
            self,
            Self::UpAxis
                | Self::FloatArray
                | Self::P
                | Self::Vcount
                | Self::BindShapeMatrix
                | Self::Matrix
                | Self::Translate
                | Self::Rotate
                | Self::Scale
        )
    }

    /// True if other elements refer to the element by its `id`.
    fn has_references(self) -> bool {
        matches!(
            self,
            Self::Geometry
                | Self::Source
                | Self::FloatArray
                | Self::Vertices
                | Self::Controller
                | Self::Node
                | Self::VisualScene
        )
    }
}

/// Number of an element in the tree; 0 is the root.
pub(super) type ElementId = u32;

struct XmlElement<'a> {
    tag: Tag,
    /// Text between `<` and `>`.
    start: &'a str,
    line: u64,
    /// The first child and the next sibling; 0 if there is none.
    first: ElementId,
    next: ElementId,
    /// Index in `texts`.
    text: Option<u32>,
}

/// The text of an element, and the line where it starts.
pub(super) struct ElementText<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) line: u64,
}

pub(super) struct XmlTree<'a> {
    elements: Vec<XmlElement<'a>>,
    texts: Vec<ElementText<'a>>,
    /// Elements by their `id`, with the line of a second one of the same kind.
    ids: HashMap<(Tag, Cow<'a, str>), (ElementId, Option<u64>)>,
}

/// An element between its tags, and its last child so far.
struct OpenElement {
    id: ElementId,
    last: ElementId,
}

impl<'a> XmlTree<'a> {
    /// # Errors
    /// Text that is not well-formed XML, a document type declaration, a root other than `COLLADA`.
    pub(super) fn parse(text: &'a str) -> Result<Self, Error> {
        let mut tree = Self { elements: Vec::new(), texts: Vec::new(), ids: HashMap::new() };
        let mut reader = Reader::from_str(text);
        let mut open: Vec<OpenElement> = Vec::new();
        // Number of open elements that are skipped, and the line that the next event starts in.
        let (mut skipped, mut line) = (0_u64, 1);
        loop {
            let from = reader.buffer_position() as usize;
            let event = reader.read_event().map_err(|e| {
                let at = (reader.error_position() as usize).clamp(from, text.len());
                Error::line(line + newlines(&text[from..at]), "this is not well-formed XML").because(e)
            })?;
            let markup = &text[from..reader.buffer_position() as usize];
            match event {
                Event::Start(_) if skipped > 0 => skipped += 1,
                Event::Start(tag) => match tree.start(tag.local_name().as_ref(), markup, line, &mut open)? {
                    Some(element) => {
                        skipped = u64::from(element.0.is_opaque());
                        open.push(OpenElement { id: element.1, last: 0 });
                    }
                    None => skipped = 1,
                },
                Event::Empty(_) if skipped > 0 => {}
                Event::Empty(tag) => drop(tree.start(tag.local_name().as_ref(), markup, line, &mut open)?),
                // The XML reader has matched it with its start.
                Event::End(_) => {
                    // An opaque element is open and counted.
                    let is_counted = skipped > 0;
                    skipped = skipped.saturating_sub(1);
                    let is_opaque = |o: &OpenElement| tree.tag(o.id).is_opaque();
                    if !is_counted || skipped == 0 && open.last().is_some_and(is_opaque) {
                        open.pop();
                    }
                }
                Event::Text(text) if skipped == 0 => tree.text_of(&open, text.into_inner(), line),
                Event::CData(text) if skipped == 0 => tree.text_of(&open, text.into_inner(), line),
                Event::GeneralRef(name)
                    if skipped == 0 && open.last().is_some_and(|o| tree.tag(o.id).has_text()) =>
                {
                    let name = show(name.into_inner().as_bytes());
                    return Err(Error::line(line, format!("the entity '&{name};' is not a number")));
                }
                Event::DocType(_) => {
                    let what = "a document type declaration is not supported";
                    return Err(Error::unsupported(Place::Line(line), what));
                }
                Event::Eof if !open.is_empty() => {
                    return Err(Error::line(line, "the XML ends inside an element"));
                }
                Event::Eof if tree.elements.is_empty() => {
                    return Err(Error::line(line, "there is no element in this XML"));
                }
                Event::Eof => return Ok(tree),
                _ => {}
            }
            line += newlines(markup);
        }
    }

    /// Adds an element; `None` if it is skipped.
    fn start(
        &mut self,
        name: &str,
        markup: &'a str,
        line: u64,
        open: &mut [OpenElement],
    ) -> Result<Option<(Tag, ElementId)>, Error> {
        let tag = match (open.last_mut(), self.elements.is_empty()) {
            (None, true) if name == "COLLADA" => Tag::Root,
            (None, true) => {
                let what = format!("expected 'COLLADA', found '{}'", show(name.as_bytes()));
                return Err(Error::line(line, what));
            }
            (None, false) => return Err(Error::line(line, "an element follows the end of the document")),
            (Some(_), _) => match Tag::new(name) {
                Some(tag) => tag,
                None => return Ok(None),
            },
        };
        let id = ElementId::try_from(self.elements.len());
        let id = id.map_err(|_| Error::too_large(Place::Line(line), "more than 2^32 elements"))?;
        let start = markup.strip_prefix('<').unwrap_or(markup);
        let start = start.strip_suffix('>').unwrap_or(start);
        let start = start.strip_suffix('/').unwrap_or(start);
        self.elements.push(XmlElement { tag, start, line, first: 0, next: 0, text: None });
        if let Some(outer) = open.last_mut() {
            match std::mem::replace(&mut outer.last, id) {
                0 => self.elements[outer.id as usize].first = id,
                before => self.elements[before as usize].next = id,
            }
        }
        if tag.has_references()
            && let Some(name) = self.attribute(id, "id")?
        {
            match self.ids.entry((tag, name)) {
                hash_map::Entry::Vacant(entry) => drop(entry.insert((id, None))),
                hash_map::Entry::Occupied(mut entry) => drop(entry.get_mut().1.get_or_insert(line)),
            }
        }
        Ok(Some((tag, id)))
    }

    /// Appends to the text of the innermost open element. Comments may divide it.
    fn text_of(&mut self, open: &[OpenElement], text: Cow<'a, str>, line: u64) {
        let Some(element) = open.last().map(|o| &mut self.elements[o.id as usize]) else { return };
        if !element.tag.has_text() {
            return;
        }
        match element.text {
            Some(i) => self.texts[i as usize].text.to_mut().push_str(&text),
            None => {
                // There are at most as many texts as elements.
                element.text = Some(self.texts.len() as u32);
                self.texts.push(ElementText { text, line });
            }
        }
    }

    pub(super) fn tag(&self, e: ElementId) -> Tag {
        self.elements[e as usize].tag
    }

    pub(super) fn line(&self, e: ElementId) -> u64 {
        self.elements[e as usize].line
    }

    pub(super) fn place(&self, e: ElementId) -> Place {
        Place::Line(self.line(e))
    }

    /// Number of all elements.
    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    /// Elements of a name, anywhere in the document, in its order.
    pub(super) fn all(&self, tag: Tag) -> impl Iterator<Item = ElementId> {
        (0..).zip(&self.elements).filter(move |(_, e)| e.tag == tag).map(|(id, _)| id)
    }

    pub(super) fn children(&self, e: ElementId) -> impl Iterator<Item = ElementId> {
        let some = |id: ElementId| (id != 0).then_some(id);
        std::iter::successors(some(self.elements[e as usize].first), move |&child| {
            some(self.elements[child as usize].next)
        })
    }

    /// The first child of a name.
    pub(super) fn child(&self, e: ElementId, tag: Tag) -> Option<ElementId> {
        self.children(e).find(|&child| self.tag(child) == tag)
    }

    /// The text of an element; `None` if it has none.
    pub(super) fn text(&self, e: ElementId) -> Option<&ElementText<'a>> {
        self.elements[e as usize].text.map(|i| &self.texts[i as usize])
    }

    /// Name of an element as the file spells it.
    pub(super) fn name(&self, e: ElementId) -> &'a str {
        let start = self.elements[e as usize].start;
        let end = start.find(|c: char| c.is_ascii_whitespace()).unwrap_or(start.len());
        &start[..end]
    }

    /// An attribute, unescaped.
    pub(super) fn attribute(&self, e: ElementId, name: &str) -> Result<Option<Cow<'a, str>>, Error> {
        let start = self.elements[e as usize].start;
        attribute_of(Attributes::new(start, self.name(e).len()), name)
            .map_err(|error| error.at(self.place(e)))
    }

    /// An attribute that must be there.
    pub(super) fn required(&self, e: ElementId, name: &str) -> Result<Cow<'a, str>, Error> {
        let found = self.attribute(e, name)?;
        found.ok_or_else(|| {
            self.wrong(e, format!("'{}' needs the attribute '{name}'", show_name(self.name(e))))
        })
    }

    /// An attribute that is a whole number.
    pub(super) fn whole(&self, e: ElementId, name: &str) -> Result<Option<u64>, Error> {
        let Some(text) = self.attribute(e, name)? else { return Ok(None) };
        text.trim()
            .parse()
            .map(Some)
            .map_err(|_| self.wrong(e, format!("{name}=\"{}\" is not a whole number", show(text.as_bytes()))))
    }

    /// The element of a kind that an attribute names as `#id`.
    pub(super) fn target(&self, e: ElementId, attribute: &str, tag: Tag) -> Result<ElementId, Error> {
        let url = self.required(e, attribute)?;
        let url = url.trim();
        let Some(id) = url.strip_prefix('#') else {
            let what = format!("'{}' is in another document, which is not read", quoted(url));
            return Err(Error::unsupported(self.place(e), what));
        };
        match self.ids.get(&(tag, Cow::Borrowed(id))) {
            Some((target, None)) => Ok(*target),
            Some((target, Some(second))) => {
                let first = self.line(*target);
                let what = format!("two elements have the id '{}': lines {first} and {second}", quoted(id));
                Err(self.wrong(e, what))
            }
            None => {
                let what = format!("there is no {} '{}'", tag.noun(), quoted(id));
                Err(self.wrong(e, what))
            }
        }
    }

    /// The error of an element.
    #[cold]
    pub(super) fn wrong(&self, e: ElementId, what: impl Into<String>) -> Error {
        Error::line(self.line(e), what)
    }
}

impl Tag {
    /// Name of the elements that others refer to.
    fn noun(self) -> &'static str {
        match self {
            Self::Geometry => "geometry",
            Self::Source => "source",
            Self::FloatArray => "float_array",
            Self::Vertices => "vertices",
            Self::Controller => "controller",
            Self::Node => "node",
            _ => "visual_scene",
        }
    }
}

fn show_name(name: &str) -> String {
    show(name.as_bytes())
}

/// Number of line ends.
pub(super) fn newlines(text: &str) -> u64 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64
}
