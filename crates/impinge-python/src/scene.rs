//! Many bodies: the base of `impinge.Scene`. Ids are numbers that count up from 0.
use crate::{
    arrays, errors,
    gate::{Gate, Refused},
    half_space::PyHalfSpace,
    model::{self, PyModel},
    pool, poses, query, results, run,
};
use impinge::{
    Error, ErrorKind, Model, Pose, Scene, Threads,
    distance::Margin,
    model::{Deformed, Shape},
    relation::RelationKind,
    scene::{BodyId, Detail, Enclosure, Filter, SceneOptions, Watch},
};
use numpy::{PyArray1, PyArray2};
use pyo3::{
    exceptions::{PyKeyError, PyRuntimeError},
    prelude::*,
    types::PyTuple,
};
use rayon::ThreadPool;
use std::{
    collections::{BTreeMap, HashMap},
    mem,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// A scene, and the numbers that identify its bodies in Python. No number is used twice.
#[derive(Default)]
struct Numbered {
    scene: Scene,
    /// Bodies by their numbers.
    ids: BTreeMap<i64, BodyId>,
    next: i64,
    /// Numbers of all bodies, and of removed ones that the last update or the next may list as ended.
    numbers: HashMap<BodyId, i64>,
    /// `next` at the last update: bodies from here on are in none of its lists.
    updated: i64,
    /// Bodies removed before the last update, and those removed since.
    removed: [Vec<BodyId>; 2],
}

impl Numbered {
    fn id(&self, number: i64) -> PyResult<BodyId> {
        self.ids
            .get(&number)
            .copied()
            .ok_or_else(|| PyKeyError::new_err(format!("the scene has no body {number}")))
    }
    /// Gives a new body its filter and number.
    fn number_new(&mut self, id: BodyId, (groups, mask): (u32, u32)) -> PyResult<i64> {
        self.scene.set_filter(id, Filter { groups, mask }).map_err(refused)?;
        let number = self.next;
        self.next += 1;
        self.ids.insert(number, id);
        self.numbers.insert(id, number);
        Ok(number)
    }
    fn number(&self, id: BodyId) -> i64 {
        self.numbers.get(&id).copied().unwrap_or(-1)
    }
    /// Forgets the numbers that no list contains after an update.
    fn finish_update(&mut self) {
        self.updated = self.next;
        let [before, since] = &mut self.removed;
        for id in before.drain(..) {
            self.numbers.remove(&id);
        }
        mem::swap(before, since);
    }
    /// The numbers of two bodies, the lesser first, and whether that exchanges them: a body may have the
    /// place of one that was removed, by which a scene sorts.
    fn pair(&self, [a, b]: [BodyId; 2]) -> ([i64; 2], bool) {
        let (a, b) = (self.number(a), self.number(b));
        if b < a { ([b, a], true) } else { ([a, b], false) }
    }
    fn pairs(&self, all: &[[BodyId; 2]]) -> Vec<[i64; 2]> {
        let mut pairs: Vec<[i64; 2]> = all.iter().map(|&pair| self.pair(pair).0).collect();
        pairs.sort_unstable();
        pairs
    }
}

/// The scene of `impinge.Scene`. The gate is entered only by those who do not hold the interpreter.
#[pyclass(frozen, name = "_Scene", module = "impinge._core")]
pub(crate) struct PyScene {
    inner: Arc<Gate<Numbered>>,
    threads: Option<usize>,
}

fn refused(error: Error) -> PyErr {
    if *error.kind() == ErrorKind::MissingDetail {
        return PyRuntimeError::new_err("the last update was not asked for detail='triangles'");
    }
    errors::error(&error)
}

fn named<T: Copy>(what: &str, name: &str, all: &[T], name_of: fn(T) -> &'static str) -> PyResult<T> {
    all.iter().copied().find(|&one| name_of(one) == name).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&one| name_of(one)).collect();
        errors::value(format!("{what} must be one of {}, not {name:?}", names.join(", ")))
    })
}

const DETAILS: [Detail; 4] = [Detail::Bodies, Detail::Counts, Detail::Triangles, Detail::Relations];

fn detail_name(detail: Detail) -> &'static str {
    match detail {
        Detail::Bodies => "bodies",
        Detail::Counts => "counts",
        Detail::Triangles => "triangles",
        Detail::Relations => "relations",
    }
}

fn margin(distance: f64) -> PyResult<Margin> {
    Margin::new(distance).map_err(refused)
}

impl PyScene {
    /// Does something with the scene, while others may run.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Numbered) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        self.inner.with(py, act)
    }
    fn pool(&self) -> PyResult<Option<Arc<ThreadPool>>> {
        pool::get(self.threads)
    }
}

#[pymethods]
impl PyScene {
    #[new]
    fn new(
        #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
        fill_rule: &str,
        enclosure: &str,
    ) -> PyResult<Self> {
        let is_one = pool::get(threads)?.is_none();
        let options = SceneOptions::new()
            .fill_rule(results::fill_rule(fill_rule)?)
            .enclosure(named("enclosure", enclosure, Enclosure::ALL, Enclosure::name)?)
            .threads(if is_one { Threads::One } else { Threads::Pool });
        let numbered = Numbered { scene: Scene::with_options(options), ..Numbered::default() };
        Ok(Self { inner: Arc::new(Gate::new(numbered)), threads })
    }
    fn add(
        &self,
        py: Python<'_>,
        model: Py<PyModel>,
        pose: Option<&Bound<'_, PyAny>>,
        affine: bool,
        filter: (u32, u32),
        radius: f64,
    ) -> PyResult<i64> {
        let (model, pose) = (Arc::clone(&model.get().model), poses::pose(pose, affine)?);
        let shape = Shape::padded(model, radius).map_err(refused)?;
        self.with(py, move |of| {
            let id = of.scene.add_shape(&shape, pose).map_err(refused)?;
            of.number_new(id, filter)
        })
    }
    fn add_half_space(
        &self,
        py: Python<'_>,
        half_space: &Bound<'_, PyHalfSpace>,
        filter: (u32, u32),
    ) -> PyResult<i64> {
        let half_space = half_space.get().half_space;
        self.with(py, move |of| {
            let id = of.scene.add_half_space(half_space).map_err(refused)?;
            of.number_new(id, filter)
        })
    }
    fn set_half_space(&self, py: Python<'_>, body: i64, half_space: &Bound<'_, PyHalfSpace>) -> PyResult<()> {
        let half_space = half_space.get().half_space;
        self.with(py, move |of| of.scene.set_half_space(of.id(body)?, half_space).map_err(refused))
    }
    fn half_space(&self, py: Python<'_>, body: i64) -> PyResult<Option<PyHalfSpace>> {
        let found = self.with(py, move |of| of.scene.half_space(of.id(body)?).map_err(refused))?;
        Ok(found.map(|half_space| PyHalfSpace { half_space }))
    }
    fn set_radius(&self, py: Python<'_>, body: i64, radius: f64) -> PyResult<()> {
        self.with(py, move |of| of.scene.set_radius(of.id(body)?, radius).map_err(refused))
    }
    fn radius(&self, py: Python<'_>, body: i64) -> PyResult<f64> {
        self.with(py, move |of| of.scene.radius(of.id(body)?).map_err(refused))
    }
    fn remove(&self, py: Python<'_>, body: i64) -> PyResult<()> {
        self.with(py, move |of| {
            let id = of.id(body)?;
            of.scene.remove(id).map_err(refused)?;
            of.ids.remove(&body);
            if body < of.updated {
                of.removed[1].push(id);
            } else {
                of.numbers.remove(&id);
            }
            Ok(())
        })
    }
    fn set_model(&self, py: Python<'_>, body: i64, model: Py<PyModel>) -> PyResult<()> {
        let model = Arc::clone(&model.get().model);
        self.with(py, move |of| of.scene.set_model(of.id(body)?, model).map_err(refused))
    }
    /// The model of a body: the object `known`, if it is that model.
    fn model(&self, py: Python<'_>, body: i64, known: Option<Py<PyModel>>) -> PyResult<Py<PyModel>> {
        let find = |of: &mut Numbered| Ok(Arc::clone(of.scene.body(of.id(body)?).map_err(refused)?.0));
        let model: Arc<Model> = self.with(py, find)?;
        match known {
            Some(known) if Arc::ptr_eq(&known.get().model, &model) => Ok(known),
            _ => Py::new(py, PyModel::wrap(py, model)?),
        }
    }
    fn set_pose(&self, py: Python<'_>, body: i64, pose: &Bound<'_, PyAny>, affine: bool) -> PyResult<()> {
        let pose = poses::pose(Some(pose), affine)?;
        self.with(py, move |of| of.scene.set_pose(of.id(body)?, pose).map_err(refused))
    }
    fn set_poses(
        &self,
        py: Python<'_>,
        bodies: Vec<i64>,
        poses: &Bound<'_, PyAny>,
        affine: bool,
    ) -> PyResult<()> {
        let poses = poses::poses(poses, affine, Some(1))?;
        if bodies.len() != poses.len() {
            return Err(errors::value(format!("{} bodies, but {} poses", bodies.len(), poses.len())));
        }
        self.with(py, move |of| {
            // All or nothing.
            let ids = bodies.iter().map(|&body| of.id(body)).collect::<PyResult<Vec<BodyId>>>()?;
            let mut moves = ids.into_iter().zip(poses);
            moves.try_for_each(|(id, pose)| of.scene.set_pose(id, pose)).map_err(refused)
        })
    }
    fn pose<'py>(&self, py: Python<'py>, body: i64) -> PyResult<Bound<'py, PyAny>> {
        let find = |of: &mut Numbered| Ok(*of.scene.body(of.id(body)?).map_err(refused)?.1);
        let pose: Pose = self.with(py, find)?;
        Ok(poses::matrix(py, &pose)?.into_any())
    }
    fn deform(&self, body: i64, vertices: &Bound<'_, PyAny>, rebuild: f64) -> PyResult<&'static str> {
        let (points, policy) = (arrays::points("vertices", vertices)?, model::policy(rebuild)?);
        let deformed = self
            .with(vertices.py(), move |of| of.scene.deform(of.id(body)?, &points, policy).map_err(refused))?;
        Ok(match deformed {
            Deformed::Refitted => "refitted",
            Deformed::Rebuilt => "rebuilt",
        })
    }
    fn deform_some(&self, body: i64, indices: Vec<u32>, vertices: &Bound<'_, PyAny>) -> PyResult<()> {
        let points = arrays::points("vertices", vertices)?;
        if points.len() != indices.len() {
            return Err(errors::value(format!("{} indices, but {} vertices", indices.len(), points.len())));
        }
        let moved: Vec<_> = indices.into_iter().zip(points).collect();
        self.with(vertices.py(), move |of| of.scene.deform_some(of.id(body)?, &moved).map_err(refused))
    }
    fn set_filter(&self, py: Python<'_>, body: i64, group: u32, mask: u32) -> PyResult<()> {
        let filter = Filter { groups: group, mask };
        self.with(py, move |of| of.scene.set_filter(of.id(body)?, filter).map_err(refused))
    }
    fn set_allowed(&self, py: Python<'_>, a: i64, b: i64, allowed: bool) -> PyResult<()> {
        self.with(py, move |of| of.scene.set_allowed([of.id(a)?, of.id(b)?], allowed).map_err(refused))
    }
    fn set_margin(&self, py: Python<'_>, distance: f64) -> PyResult<()> {
        let margin = margin(distance)?;
        self.with(py, move |of| {
            of.scene.set_margin(margin);
            Ok(())
        })
    }
    fn set_body_margin(&self, py: Python<'_>, body: i64, distance: Option<f64>) -> PyResult<()> {
        let margin = distance.map(margin).transpose()?;
        self.with(py, move |of| of.scene.set_body_margin(of.id(body)?, margin).map_err(refused))
    }
    fn set_pair_margin(&self, py: Python<'_>, a: i64, b: i64, distance: Option<f64>) -> PyResult<()> {
        let margin = distance.map(margin).transpose()?;
        self.with(py, move |of| of.scene.set_pair_margin([of.id(a)?, of.id(b)?], margin).map_err(refused))
    }
    fn update(&self, py: Python<'_>, detail: &str) -> PyResult<()> {
        let detail = named("detail", detail, &DETAILS, detail_name)?;
        let (pool, inner) = (self.pool()?, Arc::clone(&self.inner));
        let update = move |stop: &Arc<AtomicBool>| {
            // Not in the pool: a waiting thread there may get another question about this scene meanwhile,
            // and would wait for itself.
            let mut of = inner.enter_unless(|| stop.load(Ordering::Relaxed))?;
            let scene = &mut of.scene;
            let mut run = || scene.update_with(detail, &Watch::new().stop(stop));
            let done = match &pool {
                Some(pool) => pool.install(run),
                None => run(),
            };
            if done.is_ok() {
                of.finish_update();
            }
            Ok::<_, Refused>(done)
        };
        // An update that was stopped goes on where it ended.
        if run::is_main(py)? && matches!(py.detach(|| run::in_time(&update)), Ok(Ok(_))) {
            return Ok(());
        }
        run::work(py, update)??.map(|_| ()).map_err(refused)
    }
    /// The bodies, whether it began, the witness, the number of pairs, the relation, and whether they touch.
    #[expect(clippy::type_complexity)]
    fn contacts<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Vec<([i64; 2], bool, [i64; 2], i64, &'static str, bool)>> {
        self.with(py, |of| {
            let one = |contact: &impinge::scene::Contact| {
                let witness = contact.witness.map_or([-1; 2], |pair| pair.map(i64::from));
                let count = contact.triangle_pairs.map_or(-1, |count| count as i64);
                let (bodies, is_exchanged) = of.pair(contact.bodies);
                let kind = contact.relation.map(|relation| match relation.kind {
                    RelationKind::Inside if is_exchanged => RelationKind::Contains,
                    RelationKind::Contains if is_exchanged => RelationKind::Inside,
                    kind => kind,
                });
                let kind = kind.map_or("", impinge_check::relations::name);
                let touching = contact.relation.is_none_or(|relation| relation.touching);
                let [first, second] = witness;
                let witness = if is_exchanged { [second, first] } else { witness };
                (bodies, contact.began, witness, count, kind, touching)
            };
            let mut all: Vec<_> = of.scene.contacts().iter().map(one).collect();
            all.sort_unstable_by_key(|(bodies, ..)| *bodies);
            Ok(all)
        })
    }
    fn ended<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let ended = self.with(py, |of| Ok(of.pairs(of.scene.ended())));
        Ok(arrays::table::<i64, 2>(py, ended?)?.into_any())
    }
    /// The bodies, whether it began, the interval of the distance, triangles and nearest points.
    #[expect(clippy::type_complexity)]
    fn near(&self, py: Python<'_>) -> PyResult<Vec<([i64; 2], bool, f64, f64, [u32; 2], [[f64; 3]; 2])>> {
        self.with(py, |of| {
            let one = |near: &impinge::scene::Proximity| {
                let gap = near.gap;
                let (bodies, is_exchanged) = of.pair(near.bodies);
                let ([s, t], [p, q]) = (gap.triangles, gap.points);
                let (triangles, points) =
                    if is_exchanged { ([t, s], [q, p]) } else { (gap.triangles, gap.points) };
                (bodies, near.began, gap.lo, gap.hi, triangles, points)
            };
            let mut all: Vec<_> = of.scene.near().iter().map(one).collect();
            all.sort_unstable_by_key(|(bodies, ..)| *bodies);
            Ok(all)
        })
    }
    fn near_ended<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let ended = self.with(py, |of| Ok(of.pairs(of.scene.near_ended())));
        Ok(arrays::table::<i64, 2>(py, ended?)?.into_any())
    }
    fn triangle_pairs<'py>(&self, py: Python<'py>, a: i64, b: i64) -> PyResult<Bound<'py, PyAny>> {
        let pairs = self.with(py, move |of| {
            let (first, second) = (of.id(a)?, of.id(b)?);
            let bodies = [first.min(second), first.max(second)];
            let contacts = of.scene.contacts();
            let Ok(at) = contacts.binary_search_by_key(&bodies, |contact| contact.bodies) else {
                return Err(PyKeyError::new_err(format!(
                    "at the last update bodies {a} and {b} did not meet"
                )));
            };
            let mut pairs = of.scene.triangle_pairs(&contacts[at]).map_err(refused)?.to_vec();
            if second < first {
                pairs.iter_mut().for_each(|pair| pair.reverse());
                pairs.sort_unstable();
            }
            Ok(pairs)
        })?;
        Ok(arrays::table(py, pairs)?.into_any())
    }
    /// For each point the nearest body, or -1, the interval of the distance, the triangle and its point.
    #[expect(clippy::type_complexity)]
    fn nearest_bodies<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        above: Option<f64>,
        exact: bool,
    ) -> PyResult<(
        Bound<'py, PyArray1<i64>>,
        Bound<'py, PyArray1<f64>>,
        Bound<'py, PyArray1<f64>>,
        Bound<'py, PyArray1<i64>>,
        Bound<'py, PyArray2<f64>>,
    )> {
        let (py, stop) = (points.py(), query::stop(above, exact)?);
        let points = arrays::finite_points("points", points)?;
        let (pool, inner) = (self.pool()?, Arc::clone(&self.inner));
        // It cannot be stopped: a helper goes on alone after Ctrl-C.
        let found = run::work(py, move |flag| {
            // Not in the pool: see `update`.
            let mut of = inner.enter_unless(|| flag.load(Ordering::Relaxed))?;
            let of = &mut *of;
            let scene = &mut of.scene;
            let found = match &pool {
                Some(pool) => pool.install(|| scene.nearest_bodies(&points, stop)),
                None => scene.nearest_bodies(&points, stop),
            };
            let numbers = &of.numbers;
            let number = |id: BodyId| numbers.get(&id).copied().unwrap_or(-1);
            let found = found.iter().map(|one| one.map(|one| (number(one.body), one.closest)));
            Ok::<_, Refused>(found.collect::<Vec<_>>())
        })??;
        let each = || found.iter().copied();
        let bodies = each().map(|one| one.map_or(-1, |(body, _)| body)).collect();
        let (lo, hi) = each().map(|one| one.map_or((f64::NAN, f64::NAN), |(_, at)| (at.lo, at.hi))).unzip();
        let triangles = each().map(|one| one.map_or(-1, |(_, at)| i64::from(at.triangle))).collect();
        let nearest = each().map(|one| one.map_or([f64::NAN; 3], |(_, at)| at.point)).collect();
        Ok((
            arrays::list(py, bodies),
            arrays::list(py, lo),
            arrays::list(py, hi),
            arrays::list(py, triangles),
            arrays::table(py, nearest)?,
        ))
    }
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let stats = self.with(py, |of| Ok(of.scene.stats()))?;
        PyTuple::new(py, [stats.bodies, stats.changed, stats.near, stats.decided, stats.meet])
    }
    fn bodies(&self, py: Python<'_>) -> PyResult<Vec<i64>> {
        self.with(py, |of| Ok(of.ids.keys().copied().collect()))
    }
}
