//! Expands the items of the build to parts, through nested components and across the models of the package.
use super::{
    model::{self, Model, Reference, Role, Shape},
    package::Package,
};
use crate::{
    Axis, Error,
    affine::Affine,
    error::Place,
    quote::show,
    sink::{Label, Sink},
};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use std::{rc::Rc, sync::Arc};

/// Maximum depth of nested components; only a cycle goes deeper.
const MAX_DEPTH: usize = 256;

/// The models read so far, by path; the first is the root.
struct Models {
    list: Vec<(String, Model)>,
    index: HashMap<String, usize>,
    meshes: usize,
    /// True if two of them have different units.
    mixed: bool,
}

impl Models {
    fn load(&mut self, path: &str, package: &mut Package<'_>, sink: &mut Sink) -> Result<usize, Error> {
        if let Some(&i) = self.index.get(path) {
            return Ok(i);
        }
        let shown = show(path.as_bytes());
        let model = model::parse(&package.text(path)?, &mut self.meshes, &sink.budget)
            .map_err(|e| e.inside(&shown))?;
        if let Some(unit) = model.unit.as_ref().filter(|unit| *unit != "millimeter") {
            let what =
                format!("its unit is the {}; coordinates are taken as they are", show(unit.as_bytes()));
            sink.warn(Place::Item(shown.clone()), what);
        }
        if model.beams > 0 {
            let what = format!("{} beams and balls are not triangles and are skipped", model.beams);
            sink.warn(Place::Item(shown.clone()), what);
        }
        for object in model.objects.values() {
            if let Shape::Mesh(_, mesh) = &object.shape {
                sink.budget.points(mesh.points().len() as u64, || Place::Item(shown.clone()))?;
                sink.budget.triangles(mesh.len() as u64, || Place::Item(shown.clone()))?;
            }
        }
        // Models of a package may differ in their units.
        let unit = match self.list.first() {
            Some((_, root)) => root.length_unit().filter(|unit| {
                self.mixed |= model.length_unit() != Some(*unit);
                !self.mixed
            }),
            None => model.length_unit(),
        };
        sink.describe(unit, Some(Axis::Z));
        self.list.push((path.to_owned(), model));
        self.index.insert(path.to_owned(), self.list.len() - 1);
        Ok(self.list.len() - 1)
    }
}

/// An object to be placed.
struct PendingObject {
    model: usize,
    object: u32,
    map: Affine,
    depth: usize,
    /// Name of the nearest enclosing object that has one.
    name: Option<Arc<str>>,
    /// Path of that object; empty if there is none.
    path: Arc<str>,
    /// UUID of the component or item.
    guid: Option<Arc<str>>,
}

pub(super) fn run(package: &mut Package<'_>, root: String, sink: &mut Sink) -> Result<(), Error> {
    let root = root.trim_start_matches('/');
    let mut models = Models { list: Vec::new(), index: HashMap::new(), meshes: 0, mixed: false };
    models.load(root, package, sink)?;
    let items = std::mem::take(&mut models.list[0].1.items);
    let mut open = Vec::new();
    let outside = PendingObject {
        model: 0,
        object: 0,
        map: Affine::IDENTITY,
        depth: 0,
        name: None,
        path: "".into(),
        guid: None,
    };
    push(&items, &outside, &mut open, &mut models, package, sink)?;
    let not_printed = items.iter().filter(|item| !item.printable).count();
    drop(items);
    let (mut supports, mut others) = (0_u64, 0_u64);
    let mut placed = 0;
    let mut seen = HashSet::new();
    while let Some(mut this) = open.pop() {
        placed += 1;
        // Thirty objects of two components each could produce 2^30 parts.
        sink.budget.parts(placed + open.len())?;
        let (path, model) = &models.list[this.model];
        let place = || Place::Item(format!("{} object {}", show(path.as_bytes()), this.object));
        if this.depth > MAX_DEPTH {
            let what = format!("components nest deeper than {MAX_DEPTH}: an object contains itself");
            return Err(Error::invalid(place(), what));
        }
        let Some(object) = model.objects.get(&this.object) else {
            return Err(Error::invalid(place(), "there is no such object"));
        };
        seen.insert((this.model, this.object));
        match object.role {
            Role::Part => {}
            Role::Other => others += 1,
            // Skips its components as well: no other reference may show these objects.
            Role::Support => {
                supports += 1;
                continue;
            }
        }
        if let Some(name) = &object.name {
            this.name = Some(Arc::clone(name));
            this.path = sink.path(&this.path, name);
        }
        match &object.shape {
            Shape::Mesh(id, mesh) => {
                let label = match this.name {
                    Some(name) => Label { name, path: this.path, guid: this.guid },
                    None => {
                        let name: Arc<str> = format!("object {}", this.object).into();
                        Label { path: Arc::clone(&name), name, guid: this.guid }
                    }
                };
                sink.placed(label, *id, mesh, &this.map, None)?;
            }
            Shape::Components(components) => {
                let components = Rc::clone(components);
                push(&components, &this, &mut open, &mut models, package, sink)?;
            }
            Shape::Other => {
                return Err(Error::unsupported(place(), "it is neither a mesh nor made of components"));
            }
        }
    }
    if supports > 0 {
        let what = format!("{supports} placed objects are supports of the print and are skipped");
        sink.warn(Place::File, what);
    }
    if others > 0 {
        let what = format!("{others} placed objects are of a type that is not a part; they are read anyway");
        sink.warn(Place::File, what);
    }
    if not_printed > 0 {
        let what = format!("{not_printed} items of the build are not to be printed; they are read anyway");
        sink.warn(Place::File, what);
    }
    let objects =
        models.list.iter().enumerate().flat_map(|(i, (_, model))| {
            model.objects.iter().map(move |(id, object)| ((i, *id), &object.shape))
        });
    let lost = objects.filter(|(key, shape)| matches!(shape, Shape::Mesh(..)) && !seen.contains(key)).count();
    if lost > 0 {
        sink.warn(
            Place::File,
            format!("{lost} objects with a mesh are in no item of the build and are skipped"),
        );
    }
    Ok(())
}

/// Pushes references onto the stack, so that the first comes off first.
fn push(
    references: &[Reference],
    outer: &PendingObject,
    open: &mut Vec<PendingObject>,
    models: &mut Models,
    package: &mut Package<'_>,
    sink: &mut Sink,
) -> Result<(), Error> {
    sink.budget.parts(open.len() + references.len())?;
    for reference in references.iter().rev() {
        let model = match &reference.path {
            Some(path) => models.load(path, package, sink)?,
            None => outer.model,
        };
        open.push(PendingObject {
            model,
            object: reference.object,
            map: outer.map.after(&reference.map),
            depth: outer.depth + 1,
            name: outer.name.clone(),
            path: Arc::clone(&outer.path),
            guid: reference.guid.clone(),
        });
    }
    Ok(())
}
