//! Robots: `impinge.Robot` inherits from the class of this file.
mod load;
mod positions;

use self::{
    load::{LoadError, RobotFiles},
    positions::{RobotPositions, each, each_row},
};
use crate::{
    arrays, errors, mesh::PyMesh, model::PyModel, pool, poses, query::sweep_options, results, run,
    shape::PyShape,
};
use impinge::{Model, Threads, distance::Margin, sweep::Undecided};
use impinge_robot::{
    AcmClass, DisabledPair, DisabledPairs, DisabledUse, Error, PairReason, PartKind, Robot, RobotQuery,
    RobotSweep, Urdf,
};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayDyn, PyArrayMethods};
use pyo3::{
    exceptions::{PyKeyError, PyTypeError},
    prelude::*,
};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A robot that can be edited. Queries have the robot as it was when they began.
#[pyclass(frozen, name = "_Robot", module = "impinge._core")]
pub(crate) struct PyRobot {
    robot: Mutex<Arc<Robot>>,
    urdf: Arc<Urdf>,
    disabled: Option<Arc<DisabledPairs>>,
}

type Pairs<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<i64>>);
type NamePair = (String, String);

/// Lower and upper bounds, bounds of their errors, parts, points and gradients.
type Distances<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<i64>>,
    Bound<'py, PyArray3<f64>>,
    Bound<'py, PyArrayDyn<f64>>,
);

/// Numbers of kinds and of reasons for which edges are undecided; times, and parts.
type RobotEdges<'py> = (
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<i64>>,
);

/// Parts, class, hits, cells and example of a pair of links.
type AcmRow<'py> = ((usize, usize), &'static str, usize, Option<usize>, Option<Bound<'py, PyArray1<f64>>>);

/// Links, reason, use and configuration of a disabled pair, and whether it is wrong.
type DisabledRow<'py> = (NamePair, Option<String>, &'static str, Option<Bound<'py, PyArray1<f64>>>, bool);

impl PyRobot {
    fn lock(&self) -> MutexGuard<'_, Arc<Robot>> {
        self.robot.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn shared(&self) -> Arc<Robot> {
        Arc::clone(&self.lock())
    }
    fn edit<T>(&self, act: impl FnOnce(&mut Robot) -> Result<T, Error>) -> PyResult<T> {
        act(Arc::make_mut(&mut self.lock())).map_err(|error| errors::robot(&error))
    }
    fn part(&self, name: &str) -> PyResult<usize> {
        let found = self.lock().part(name);
        found.ok_or_else(|| PyKeyError::new_err(format!("the robot has no link, body or obstacle '{name}'")))
    }
    /// Part of a kind, which `what` names.
    fn part_that(&self, name: &str, what: &str, is: fn(PartKind) -> bool) -> PyResult<usize> {
        let part = self.part(name)?;
        let is_one = is(self.lock().parts()[part].kind());
        if is_one { Ok(part) } else { Err(PyKeyError::new_err(format!("'{name}' is no {what}"))) }
    }
    fn link(&self, name: &str) -> PyResult<usize> {
        self.part_that(name, "link", |kind| matches!(kind, PartKind::Link(_)))
    }
    fn check_new(&self, name: &str) -> PyResult<()> {
        match self.lock().part(name) {
            Some(_) => {
                let text = format!("the robot already has a part '{name}': choose another name");
                Err(errors::Error::new_err((text,)))
            }
            None => Ok(()),
        }
    }
    fn configurations(&self, name: &'static str, q: &Bound<'_, PyAny>) -> PyResult<RobotPositions> {
        RobotPositions::of(name, q, &self.shared())
    }
    fn width(&self) -> usize {
        self.lock().kinematics().dofs().len()
    }
    fn limits(&self, limit: impl Fn(&impinge_robot::Dof) -> f64) -> Vec<f64> {
        self.lock().kinematics().dofs().iter().map(limit).collect()
    }
}

/// Model and radius of an argument.
fn shape(object: &Bound<'_, PyAny>) -> PyResult<(Arc<Model>, f64)> {
    if let Ok(model) = object.cast::<PyModel>() {
        return Ok((Arc::clone(&model.get().model), 0.0));
    }
    if let Ok(shape) = object.cast::<PyShape>() {
        let shape = shape.get().shape();
        return Ok((Arc::clone(shape.model()), shape.radius()));
    }
    if let Ok(mesh) = object.cast::<PyMesh>() {
        return Ok((Arc::new(Model::new(Arc::clone(&mesh.get().0))), 0.0));
    }
    let class = errors::class_name(object);
    Err(PyTypeError::new_err(format!("the shape must be a Mesh, a Model or a Shape, not a {class}")))
}

fn margin(margin: f64) -> PyResult<Margin> {
    Margin::new(margin).map_err(|error| errors::error(&error))
}

fn indices([a, b]: [usize; 2]) -> [i64; 2] {
    // There are less than 2^63 parts.
    [a as i64, b as i64]
}

fn named(robot: &Robot, pair: [usize; 2]) -> NamePair {
    pair.map(|part| robot.parts()[part].name().to_owned()).into()
}

#[pymethods]
impl PyRobot {
    #[staticmethod]
    fn load(py: Python<'_>, urdf: PathBuf, srdf: Option<PathBuf>, packages: Vec<PathBuf>) -> PyResult<Self> {
        let files = RobotFiles { urdf, srdf, packages };
        let loaded = run::work(py, move |_| files.load())?.map_err(LoadError::raised)?;
        Ok(Self {
            robot: Mutex::new(Arc::new(loaded.robot)),
            urdf: Arc::new(loaded.urdf),
            disabled: loaded.disabled.map(Arc::new),
        })
    }
    fn copy(&self) -> Self {
        let (urdf, disabled) = (Arc::clone(&self.urdf), self.disabled.clone());
        Self { robot: Mutex::new(self.shared()), urdf, disabled }
    }
    fn name(&self) -> &str {
        &self.urdf.name
    }
    fn base_link(&self) -> &str {
        &self.urdf.links[self.urdf.root].name
    }
    fn link_names(&self) -> Vec<&str> {
        self.urdf.links.iter().map(|link| &*link.name).collect()
    }
    fn joint_names(&self) -> Vec<&str> {
        self.urdf.joints.iter().map(|joint| &*joint.name).collect()
    }
    fn actuated_joint_names(&self) -> Vec<String> {
        self.lock().kinematics().dofs().iter().map(|dof| dof.name.clone()).collect()
    }
    fn lower_limits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        arrays::list(py, self.limits(|dof| dof.lower))
    }
    fn upper_limits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        arrays::list(py, self.limits(|dof| dof.upper))
    }
    /// Name, kind and link of each part, also of those that were removed.
    fn parts(&self) -> Vec<(String, &'static str, Option<&str>)> {
        let link = |link: usize| Some(&*self.urdf.links[link].name);
        let robot = self.shared();
        let parts = robot.parts().iter().map(|part| {
            let (kind, link) = match part.kind() {
                PartKind::Link(index) => ("link", link(index)),
                PartKind::Attached(index) => ("body", link(index)),
                PartKind::Obstacle => ("obstacle", None),
                PartKind::Removed => ("removed", None),
            };
            (part.name().to_owned(), kind, link)
        });
        parts.collect()
    }
    /// Pairs of the SRDF that name a link that the robot does not have.
    fn unknown_pairs(&self) -> Vec<NamePair> {
        self.lock().unknown_pairs().iter().map(|pair| pair.links.clone().into()).collect()
    }
    /// Pairs that are not checked, and why.
    fn allowed_pairs(&self) -> Vec<(NamePair, String)> {
        let robot = self.shared();
        robot.allowed().map(|(pair, reason)| (named(&robot, pair), reason.to_string())).collect()
    }
    fn checked_pairs(&self) -> Vec<NamePair> {
        let robot = self.shared();
        robot.checked_pairs().into_iter().map(|pair| named(&robot, pair)).collect()
    }
    fn allow(&self, a: &str, b: &str, allowed: bool) -> PyResult<()> {
        let pair = [self.part(a)?, self.part(b)?];
        if pair[0] == pair[1] {
            return Err(errors::value(format!("'{a}' and '{b}' are one part")));
        }
        self.edit(|robot| robot.set_allowed(pair, allowed.then_some(PairReason::Allowed)))
    }
    fn add_obstacle(
        &self,
        name: &str,
        object: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.check_new(name)?;
        let ((model, radius), pose) = (shape(object)?, poses::pose(pose, false)?);
        self.edit(|robot| robot.add_obstacle(name, model, pose, radius)).map(drop)
    }
    fn attach(
        &self,
        name: &str,
        link: &str,
        object: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
        touching: Vec<String>,
    ) -> PyResult<()> {
        self.check_new(name)?;
        let ((model, radius), pose) = (shape(object)?, poses::pose(pose, false)?);
        let link = self.link(link)?;
        let touching = touching.iter().map(|name| self.part(name)).collect::<PyResult<Vec<_>>>()?;
        self.edit(|robot| {
            let body = robot.attach(link, name, model, pose, radius)?;
            touching
                .into_iter()
                .try_for_each(|part| robot.set_allowed([part, body], Some(PairReason::Allowed)))
        })
    }
    fn set_obstacle_pose(&self, name: &str, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let part = self.part_that(name, "obstacle", |kind| kind == PartKind::Obstacle)?;
        let pose = poses::pose(Some(pose), false)?;
        self.edit(|robot| robot.set_pose(part, pose))
    }
    fn remove_obstacle(&self, name: &str) -> PyResult<()> {
        let part = self.part_that(name, "obstacle", |kind| kind == PartKind::Obstacle)?;
        self.edit(|robot| robot.remove(part))
    }
    fn detach(&self, name: &str) -> PyResult<()> {
        let is_attached = |kind| matches!(kind, PartKind::Attached(_));
        let part = self.part_that(name, "attached body", is_attached)?;
        self.edit(|robot| robot.remove(part))
    }
    fn padding(&self, name: &str) -> PyResult<f64> {
        let part = self.part(name)?;
        Ok(self.lock().parts()[part].padding())
    }
    /// Sets the padding of a part; of all links without a name.
    fn set_padding(&self, padding: f64, name: Option<&str>) -> PyResult<()> {
        let parts = match name {
            Some(name) => vec![self.part(name)?],
            None => (0..self.urdf.links.len()).collect(),
        };
        self.edit(|robot| parts.into_iter().try_for_each(|part| robot.set_padding(part, padding)))
    }
    fn set_margin(&self, margin: f64, a: &str, b: &str) -> PyResult<()> {
        let pair = [self.part(a)?, self.part(b)?];
        self.edit(|robot| robot.set_margin(pair, margin))
    }

    fn link_poses<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let q = self.configurations("q", q)?;
        let matrices = each(py, self.shared(), q, threads, |_, robot, q| {
            let poses = robot.kinematics().poses(q)?;
            Ok(poses.iter().flat_map(|pose| pose.pose().to_matrix()).flatten().collect::<Vec<f64>>())
        })?;
        let shape = [matrices.len(), self.urdf.links.len(), 4, 4];
        arrays::list(py, matrices.concat()).reshape(shape).map(|array| array.to_dyn().clone())
    }
    fn within<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'_, PyAny>,
        distance: f64,
        #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (q, margin) = (self.configurations("q", q)?, margin(distance)?);
        let found =
            each(py, self.shared(), q, threads, move |query, robot, q| query.within(robot, q, margin))?;
        Ok(arrays::list(py, found))
    }
    /// The number of pairs of each configuration, and all pairs.
    fn near_pairs<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'_, PyAny>,
        distance: f64,
        #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
    ) -> PyResult<Pairs<'py>> {
        let (q, margin) = (self.configurations("q", q)?, margin(distance)?);
        let found = each(py, self.shared(), q, threads, move |query, robot, q| {
            Ok(query.near_pairs(robot, q, margin)?.to_vec())
        })?;
        let counts = found.iter().map(|pairs| pairs.len() as i64).collect();
        let pairs = found.into_iter().flatten().map(indices).collect();
        Ok((arrays::list(py, counts), arrays::table(py, pairs)?))
    }
    fn certainty<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let q = self.configurations("q", q)?;
        let found = each(py, self.shared(), q, threads, |query, robot, q| query.certainty(robot, q))?;
        found.into_iter().map(|one| results::certainty(py, one)).collect()
    }
    fn distance<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
    ) -> PyResult<Distances<'py>> {
        let (q, width) = (self.configurations("q", q)?, self.width());
        let found = each(py, self.shared(), q, threads, |query, robot, q| {
            let Some(distance) = query.distance(robot, q)? else { return Ok(None) };
            Ok(Some((distance, query.gradient(robot, q, &distance)?)))
        })?;
        let number = |of: fn(&impinge_robot::RobotDistance) -> f64| {
            let numbers = found.iter().map(|one| one.as_ref().map_or(f64::NAN, |(distance, _)| of(distance)));
            arrays::list(py, numbers.collect())
        };
        let (lo, hi) = (number(|distance| distance.bounds.lo), number(|distance| distance.bounds.hi));
        let error = number(|distance| distance.error);
        let parts = found.iter().map(|one| one.as_ref().map_or([-1; 2], |one| indices(one.0.parts)));
        let points =
            found.iter().map(|one| one.as_ref().map_or([[f64::NAN; 3]; 2], |one| one.0.bounds.points));
        let (parts, points) = (arrays::table(py, parts.collect())?, arrays::cube(py, points.collect())?);
        let mut gradients = Vec::with_capacity(found.len() * width);
        for one in &found {
            match one {
                Some((_, Some(gradient))) => gradients.extend_from_slice(gradient),
                _ => gradients.resize(gradients.len() + width, f64::NAN),
            }
        }
        let gradients = arrays::list(py, gradients).reshape([found.len(), width])?.to_dyn().clone();
        Ok((lo, hi, error, parts, points, gradients))
    }
    #[expect(clippy::too_many_arguments)]
    fn sweep<'py>(
        &self,
        py: Python<'py>,
        q0: &Bound<'_, PyAny>,
        q1: &Bound<'_, PyAny>,
        margin: f64,
        tolerance: Option<f64>,
        resolution: f64,
        verdict_only: bool,
        after: f64,
        #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
    ) -> PyResult<RobotEdges<'py>> {
        let options = sweep_options(margin, tolerance, resolution, verdict_only, after)
            .map_err(|error| errors::error(&error))?;
        let (starts, ends) = (self.configurations("q0", q0)?, self.configurations("q1", q1)?);
        let (rows, robot) = (starts.rows_with(&ends)?, self.shared());
        let found = each_row(py, rows, threads, move |query, row| {
            query.sweep(&robot, starts.at(row), ends.at(row), &options)
        })?;
        let kind = |sweep: &RobotSweep| match sweep {
            RobotSweep::Clear => 0,
            RobotSweep::Contact { .. } => 1,
            RobotSweep::Near { .. } => 2,
        };
        let why = |sweep: &RobotSweep| match sweep {
            RobotSweep::Near { why: Undecided::Grazing, .. } => 1,
            RobotSweep::Near { why: Undecided::Budget, .. } => 2,
            RobotSweep::Clear | RobotSweep::Contact { .. } => 0,
        };
        let times = |sweep: &RobotSweep| {
            let until = if let RobotSweep::Near { until, .. } = sweep { *until } else { f64::NAN };
            [sweep.free_until(), sweep.meets_at().unwrap_or(f64::NAN), until]
        };
        let parts = |sweep: &RobotSweep| sweep.parts().map_or([-1; 2], indices);
        Ok((
            arrays::list(py, found.iter().map(kind).collect()),
            arrays::list(py, found.iter().map(why).collect()),
            arrays::table(py, found.iter().map(times).collect())?,
            arrays::table(py, found.iter().map(parts).collect())?,
        ))
    }
    /// Classes of all pairs of links, and the SRDF that they make.
    fn acm<'py>(
        &self,
        py: Python<'py>,
        samples: usize,
        most_cells: usize,
        seed: u64,
        #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
    ) -> PyResult<(Vec<AcmRow<'py>>, String)> {
        let (robot, name) = (self.shared(), self.urdf.name.clone());
        let pool = pool::get(threads)?;
        let divided = if pool.is_some() { Threads::Pool } else { Threads::One };
        let found = run::work_in(py, pool, move |stop| {
            let mut query = RobotQuery::new().threads(divided);
            query.with_stop(stop, |query| {
                let acm = query.acm(&robot, samples, most_cells, seed)?;
                Ok((acm.to_srdf(&name, &robot), acm))
            })
        })?;
        let found = found.map_err(|error| errors::error(&error))?;
        let (srdf, acm) = found.map_err(|error: Error| errors::robot(&error))?;
        let rows = acm.pairs().iter().map(|pair| {
            let (class, cells) = match pair.class {
                AcmClass::Adjacent => ("adjacent", None),
                AcmClass::Rigid => ("rigid", None),
                AcmClass::Always => ("always", None),
                AcmClass::Default => ("default", None),
                AcmClass::Sometimes => ("sometimes", None),
                AcmClass::Unseen => ("unseen", None),
                AcmClass::Never { cells } => ("never", Some(cells)),
            };
            let example = pair.example.clone().map(|q| arrays::list(py, q));
            (pair.parts.into(), class, pair.hits, cells, example)
        });
        Ok((rows.collect(), srdf))
    }
    /// The pairs that the SRDF disables, with configurations in which they collide; None without an SRDF.
    fn lint<'py>(
        &self,
        py: Python<'py>,
        samples: usize,
        seed: u64,
        #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
    ) -> PyResult<Option<Vec<DisabledRow<'py>>>> {
        let Some(disabled) = self.disabled.as_ref().map(Arc::clone) else { return Ok(None) };
        let of = Arc::clone(&disabled);
        let found = run::ask_rows_with(py, samples, threads, false, move |query, number, results| {
            results.push(of.colliding(query, &of.sample(seed, number as u64)));
        })?;
        let mut first = vec![None; disabled.pairs().len()];
        for (number, pairs) in found.into_iter().enumerate() {
            for pair in pairs.map_err(|error| errors::robot(&error))? {
                first[pair].get_or_insert(number as u64);
            }
        }
        let rows = disabled.pairs().iter().zip(first).map(|(pair, first)| {
            let use_of = match pair.use_of {
                DisabledUse::Unknown => "unknown",
                DisabledUse::NoShape => "no shape",
                DisabledUse::Joined => "joined",
                DisabledUse::Moving => "moving",
            };
            let q = first.map(|number| arrays::list(py, disabled.sample(seed, number)));
            let is_wrong = q.is_some() && !DisabledPair::expects_collisions(pair.reason.as_deref());
            (pair.links.clone().into(), pair.reason.clone(), use_of, q, is_wrong)
        });
        Ok(Some(rows.collect()))
    }
}
