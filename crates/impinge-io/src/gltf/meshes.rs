//! Builds one `Mesh` from all primitives of a glTF mesh, once for all nodes that have it.
use super::{
    accessor::Data,
    document::{Document, Primitive},
    extensions,
};
use crate::{Error, budget::Budget, error::Place, rounding, sink::Sink};
use foldhash::{HashMap, HashMapExt};
use impinge::Mesh;
use std::{ops::Range, rc::Rc, sync::Arc};

/// A mesh, and a bound on how far rounding to f32 moved its points. Quantized points, which are integers,
/// have no bound: the file does not state where they were before.
type RoundedMesh = (Arc<Mesh>, Option<f64>);

pub(super) struct Meshes<'a> {
    document: &'a Document,
    /// Meshes built so far, by number, each with the bound on the rounding of its points, if any are f32.
    done: Vec<Option<RoundedMesh>>,
    /// Points of the accessors that several meshes use, by number; `None` until read. A file may keep all its
    /// points in one accessor.
    shared: HashMap<usize, Option<Rc<Vec<[f64; 3]>>>>,
    /// Number of primitives without a triangle.
    other: u64,
}

impl<'a> Meshes<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        let mut last = HashMap::new();
        let mut shared = HashMap::new();
        for (i, mesh) in document.meshes.iter().enumerate() {
            for position in mesh.primitives.iter().filter_map(|p| p.attributes.position) {
                if last.insert(position, i).is_some_and(|other| other != i) {
                    shared.insert(position, None);
                }
            }
        }
        Self { document, done: vec![None; document.meshes.len()], shared, other: 0 }
    }

    pub(super) fn get(
        &mut self,
        i: usize,
        data: &mut Data<'_, '_>,
        budget: &mut Budget,
    ) -> Result<RoundedMesh, Error> {
        if let Some((mesh, rounding)) = &self.done[i] {
            return Ok((Arc::clone(mesh), *rounding));
        }
        let mut sources: Vec<UsedPoints> = Vec::new();
        // Position in the sources of each accessor seen so far: primitives often share their points.
        let mut known: HashMap<usize, usize> = HashMap::new();
        let mut triangles = Vec::new();
        for (k, primitive) in self.document.meshes[i].primitives.iter().enumerate() {
            let place = || format!("mesh {i} primitive {k}");
            let mode = primitive.mode.unwrap_or(4);
            let Some(positions) = primitive.attributes.position.filter(|_| mode > 3) else {
                self.other += 1;
                continue;
            };
            if primitive.extensions.draco.is_some() && !data.has_data(positions) {
                return Err(extensions::refused_by_name("KHR_draco_mesh_compression").inside(&place()));
            }
            let source = match known.get(&positions) {
                Some(&source) => source,
                None => {
                    let points = self.points(positions, data, budget).map_err(|e| e.inside(&place()))?;
                    sources.push(UsedPoints { points, uses: Vec::new() });
                    known.insert(positions, sources.len() - 1);
                    sources.len() - 1
                }
            };
            let source = &mut sources[source];
            let before = triangles.len();
            let corners = corners(primitive, &source.points, data).map_err(|e| e.inside(&place()))?;
            self.other += u64::from(corners.len() < 3);
            budget.input = data.size();
            budget.triangles(how_many(mode, corners.len()), || Place::Item(place()))?;
            cut(mode, &corners, &mut triangles).map_err(|what| Error::item(place(), what))?;
            source.uses.push(before..triangles.len());
        }
        let wrong = || Error::item(format!("mesh {i}"), "it does not make a mesh");
        let points = gather(sources, &mut triangles).ok_or_else(wrong)?;
        let mesh = Arc::new(Mesh::new(points, triangles).map_err(|e| wrong().because(e))?);
        // The error of quantized points is unknown.
        let is_f32 = !known.is_empty() && known.keys().all(|&i| data.is_f32(i));
        let rounding = is_f32.then(|| rounding::of_f32(&mesh));
        self.done[i] = Some((Arc::clone(&mesh), rounding));
        Ok((mesh, rounding))
    }

    fn points(
        &mut self,
        accessor: usize,
        data: &mut Data<'_, '_>,
        budget: &mut Budget,
    ) -> Result<Rc<Vec<[f64; 3]>>, Error> {
        match self.shared.get_mut(&accessor) {
            None => data.points(accessor, budget).map(Rc::new),
            Some(Some(read)) => Ok(Rc::clone(read)),
            Some(slot) => Ok(Rc::clone(slot.insert(Rc::new(data.points(accessor, budget)?)))),
        }
    }

    /// Warns of skipped primitives and meshes.
    pub(super) fn warn(&self, sink: &mut Sink) {
        if self.other > 0 {
            let what = format!("{} primitives hold points, lines or nothing and are skipped", self.other);
            sink.warn(Place::File, what);
        }
        let lost = self.done.iter().filter(|m| m.is_none()).count();
        if lost > 0 {
            let what = format!("{lost} meshes have no node in the scene and are skipped");
            sink.warn(Place::File, what);
        }
    }
}

/// The corners of a primitive, as indices into its points, none out of range.
fn corners(primitive: &Primitive, points: &[[f64; 3]], data: &mut Data<'_, '_>) -> Result<Vec<u32>, Error> {
    let count = points.len();
    let Some(indices) = primitive.indices else {
        let all = u32::try_from(count).map_err(|_| Error::invalid(Place::File, "more than 2^32 points"))?;
        return Ok((0..all).collect());
    };
    let corners = data.indices(indices)?;
    match corners.iter().position(|&c| c as usize >= count) {
        None => Ok(corners),
        Some(at) => {
            let what = format!("index {at} names vertex {}; there are {count}, from 0", corners[at]);
            Err(Error::invalid(Place::File, what))
        }
    }
}

/// The points of an accessor, and the ranges of the triangles whose corners are indices into them.
struct UsedPoints {
    points: Rc<Vec<[f64; 3]>>,
    uses: Vec<Range<usize>>,
}

impl UsedPoints {
    /// Calls `f` for every corner of these triangles; a point may occur many times.
    fn each(&self, triangles: &mut [[u32; 3]], mut f: impl FnMut(&mut u32)) {
        for range in &self.uses {
            triangles[range.clone()].as_flattened_mut().iter_mut().for_each(&mut f);
        }
    }
}

/// The points that triangles use, in file order, and the triangles renumbered; `None` if 32 bits cannot
/// number them. The cost is proportional to the triangles, however many points an accessor has.
fn gather(sources: Vec<UsedPoints>, triangles: &mut [[u32; 3]]) -> Option<Vec<[f64; 3]>> {
    let mut points: Vec<[f64; 3]> = Vec::new();
    for source in sources {
        let all = &source.points;
        let corners = 3 * source.uses.iter().map(Range::len).sum::<usize>();
        let first = u32::try_from(points.len()).ok()?;
        if corners < all.len() / 4 {
            let mut used = Vec::with_capacity(corners);
            source.each(triangles, |i| used.push(*i));
            used.sort_unstable();
            used.dedup();
            first.checked_add(u32::try_from(used.len()).ok()?)?;
            points.extend(used.iter().map(|&i| all[i as usize]));
            source.each(triangles, |i| *i = first + used.partition_point(|u| *u < *i) as u32);
            continue;
        }
        const UNUSED: u32 = u32::MAX;
        let mut new = vec![UNUSED; all.len()];
        source.each(triangles, |i| new[*i as usize] = 0);
        let mut next = first;
        for number in new.iter_mut().filter(|n| **n != UNUSED) {
            *number = next;
            next = next.checked_add(1)?;
        }
        source.each(triangles, |i| *i = new[*i as usize]);
        let used = (next - first) as usize;
        if points.is_empty() && used == all.len() {
            points = Rc::unwrap_or_clone(source.points);
        } else {
            points.reserve(used);
            points.extend(all.iter().zip(&new).filter(|(_, n)| **n != UNUSED).map(|(p, _)| *p));
        }
    }
    Some(points)
}

/// Number of triangles that `cut` makes.
fn how_many(mode: u64, corners: usize) -> u64 {
    match mode {
        4 => corners as u64 / 3,
        _ => (corners as u64).saturating_sub(2),
    }
}

/// Appends the triangles of a primitive, given its corners.
fn cut(mode: u64, corners: &[u32], out: &mut Vec<[u32; 3]>) -> Result<(), String> {
    match mode {
        4 => {
            let (whole, rest) = corners.as_chunks();
            if !rest.is_empty() {
                return Err(format!("{} corners do not make whole triangles", corners.len()));
            }
            out.extend_from_slice(whole);
        }
        5 => out.extend(corners.windows(3).enumerate().map(|(n, c)| match n % 2 {
            0 => [c[0], c[1], c[2]],
            _ => [c[1], c[0], c[2]],
        })),
        6 => out.extend(corners.windows(2).skip(1).map(|c| [corners[0], c[0], c[1]])),
        mode => return Err(format!("{mode} is not a mode of a primitive")),
    }
    Ok(())
}
