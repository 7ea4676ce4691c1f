//! Robots from files.
use crate::{assembly, errors};
use impinge_robot::{Body, DisabledPairs, MeshFile, Packages, Robot, RobotMeshes, Srdf, Urdf, read_text};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// The files of a robot.
pub(super) struct RobotFiles {
    pub(super) urdf: PathBuf,
    pub(super) srdf: Option<PathBuf>,
    pub(super) packages: Vec<PathBuf>,
}

/// The contents of the files.
pub(super) struct LoadedRobot {
    pub(super) urdf: Urdf,
    pub(super) robot: Robot,
    /// Pairs that the SRDF disables.
    pub(super) disabled: Option<DisabledPairs>,
}

/// Why a robot is refused.
pub(super) enum LoadError {
    /// The text of a file.
    Robot(impinge_robot::Error),
    /// A mesh.
    Mesh(PathBuf, impinge_io::Error),
    /// The parts of a mesh together.
    Merged(PathBuf, impinge::Error),
}

impl From<impinge_robot::Error> for LoadError {
    fn from(error: impinge_robot::Error) -> Self {
        Self::Robot(error)
    }
}

impl LoadError {
    pub(super) fn raised(self) -> PyErr {
        match self {
            Self::Robot(error) => match error.file() {
                // A file that is read has places.
                Some(file) if error.place().is_none() => errors::of_file(file, &error),
                _ => errors::robot(&error),
            },
            Self::Mesh(path, error) => assembly::unreadable(&path, &error),
            Self::Merged(path, error) => errors::Error::new_err((format!("{}: {error}", path.display()),)),
        }
    }
}

impl RobotFiles {
    /// Reads the robot, its meshes, and the pairs that it allows.
    pub(super) fn load(&self) -> Result<LoadedRobot, LoadError> {
        let path = &*self.urdf;
        let urdf = Urdf::parse(&read_text(path)?).map_err(|error| error.in_file(path))?;
        let read_srdf = |path: &PathBuf| Srdf::parse(&read_text(path)?).map_err(|error| error.in_file(path));
        let srdf = self.srdf.as_ref().map(read_srdf).transpose()?;
        let packages = self.packages.iter().fold(Packages::new(), Packages::with_folder).with_ros();
        let mut meshes = RobotMeshes::new(packages, path);
        let mut robot = |srdf: Option<&Srdf>| {
            let made = Robot::new(&urdf, srdf, &mut |body: &Body| meshes.load(body, &mut read_mesh));
            made.map_err(|error| match error {
                LoadError::Robot(error) => LoadError::Robot(error.in_file(path)),
                error => error,
            })
        };
        let disabled = match &srdf {
            Some(srdf) => Some(DisabledPairs::new(robot(None)?, &urdf, srdf)?),
            None => None,
        };
        let robot = robot(srdf.as_ref())?;
        Ok(LoadedRobot { urdf, robot, disabled })
    }
}

/// All parts of a file as one mesh.
fn read_mesh(path: &Path) -> Result<MeshFile, LoadError> {
    let file = impinge_io::read(path).map_err(|error| LoadError::Mesh(path.to_owned(), error))?;
    let unit = file.sources.first().and_then(|source| source.unit);
    let mesh = impinge_io::merged(&file.parts).map_err(|error| LoadError::Merged(path.to_owned(), error))?;
    Ok(MeshFile { mesh, metres: unit.map_or(1.0, impinge_io::Unit::metres) })
}
