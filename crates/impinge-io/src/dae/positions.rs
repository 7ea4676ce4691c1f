//! Points of a mesh: `vertices` names a `source`, whose `accessor` picks them from a `float_array`.
use super::{
    numbers::floats,
    tree::{ElementId, Tag, XmlTree},
};
use crate::{Error, budget::Budget};
use foldhash::{HashMap, HashMapExt};
use std::rc::Rc;

type SharedPoints = Rc<Vec<[f64; 3]>>;

/// Points and arrays that lie outside of the mesh that uses them: several meshes may share them.
pub(super) struct Positions<'t, 'a> {
    tree: &'t XmlTree<'a>,
    points: HashMap<ElementId, SharedPoints>,
    arrays: HashMap<ElementId, Rc<Vec<f64>>>,
}

impl<'t, 'a> Positions<'t, 'a> {
    pub(super) fn new(tree: &'t XmlTree<'a>) -> Self {
        Self { tree, points: HashMap::new(), arrays: HashMap::new() }
    }

    /// The points of the vertices of a mesh.
    pub(super) fn of(
        &mut self,
        mesh: ElementId,
        vertices: ElementId,
        budget: &mut Budget,
    ) -> Result<SharedPoints, Error> {
        let tree = self.tree;
        let mut source = None;
        for input in tree.children(vertices).filter(|&e| tree.tag(e) == Tag::Input) {
            if tree.required(input, "semantic")? == "POSITION" {
                if source.is_some() {
                    return Err(tree.wrong(input, "the vertices have a second input POSITION"));
                }
                source = Some(tree.target(input, "source", Tag::Source)?);
            }
        }
        let source = source.ok_or_else(|| tree.wrong(vertices, "the vertices have no input POSITION"))?;
        if tree.children(mesh).any(|child| child == source) {
            return self.read(source, budget).map(Rc::new);
        }
        if let Some(points) = self.points.get(&source) {
            return Ok(Rc::clone(points));
        }
        let points = Rc::new(self.read(source, budget)?);
        self.points.insert(source, Rc::clone(&points));
        Ok(points)
    }

    /// The points of a source.
    fn read(&mut self, source: ElementId, budget: &mut Budget) -> Result<Vec<[f64; 3]>, Error> {
        let tree = self.tree;
        let accessor = tree.child(source, Tag::TechniqueCommon).and_then(|e| tree.child(e, Tag::Accessor));
        let Some(accessor) = accessor else { return Err(tree.wrong(source, "the source has no accessor")) };
        let count =
            tree.required(accessor, "count").and_then(|_| tree.whole(accessor, "count"))?.unwrap_or(0);
        let stride = tree.whole(accessor, "stride")?.unwrap_or(1);
        let offset = tree.whole(accessor, "offset")?.unwrap_or(0);
        let axes = self.axes(accessor)?;
        let last = axes.into_iter().max().unwrap_or(0);
        if last >= stride {
            let what = format!("the parameters do not fit in the stride {stride}");
            return Err(tree.wrong(accessor, what));
        }
        let array = self.array(source, accessor)?;
        // Numbers that the accessor needs.
        let needed = match count.checked_sub(1) {
            Some(before) => before
                .checked_mul(stride)
                .and_then(|n| n.checked_add(offset)?.checked_add(last)?.checked_add(1)),
            None => Some(0),
        };
        if needed.is_none_or(|needed| needed > array.len() as u64) {
            let numbers = array.len();
            let what = format!(
                "{count} points with stride {stride} and offset {offset} do not fit in {numbers} numbers"
            );
            return Err(tree.wrong(accessor, what));
        }
        budget.points(count, || tree.place(accessor))?;
        // All of these are below the length of the array, but for an accessor of no point.
        let [offset, stride] = [offset, stride].map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let axes = axes.map(|axis| axis as usize);
        let rows = array.get(offset..).unwrap_or_default().chunks(stride).take(count as usize);
        Ok(rows.map(|row| axes.map(|axis| row[axis])).collect())
    }

    /// Positions of X, Y and Z among the parameters of an accessor. Names of other parameters do not matter.
    fn axes(&self, accessor: ElementId) -> Result<[u64; 3], Error> {
        let tree = self.tree;
        let mut axes = [None; 3];
        for (i, param) in (0..).zip(tree.children(accessor).filter(|&e| tree.tag(e) == Tag::Param)) {
            let name = tree.attribute(param, "name")?.unwrap_or_default();
            let known = ["X", "Y", "Z"].iter().position(|known| name.eq_ignore_ascii_case(known));
            if let Some(axis) = known
                && axes[axis].replace(i).is_some()
            {
                return Err(tree.wrong(param, format!("a second parameter {}", ["X", "Y", "Z"][axis])));
            }
        }
        match axes {
            [Some(x), Some(y), Some(z)] => Ok([x, y, z]),
            _ => Err(tree.wrong(accessor, "the accessor of positions needs the parameters X, Y and Z")),
        }
    }

    /// The numbers of the array that an accessor names.
    fn array(&mut self, source: ElementId, accessor: ElementId) -> Result<Rc<Vec<f64>>, Error> {
        let tree = self.tree;
        let array = tree.target(accessor, "source", Tag::FloatArray)?;
        if let Some(numbers) = self.arrays.get(&array) {
            return Ok(Rc::clone(numbers));
        }
        let numbers = floats(tree, array)?;
        if let Some(count) = tree.whole(array, "count")?
            && count != numbers.len() as u64
        {
            let what = format!("the array states {count} numbers and has {}", numbers.len());
            return Err(tree.wrong(array, what));
        }
        let numbers = Rc::new(numbers);
        if !tree.children(source).any(|child| child == array) {
            self.arrays.insert(array, Rc::clone(&numbers));
        }
        Ok(numbers)
    }
}
