//! [`Packages`]: finds the files that a robot's meshes name.
use crate::{error::Error, quote::shown};
use percent_encoding::percent_decode_str;
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// Folders in which `package://NAME/PATH` and `model://NAME/PATH` are looked up.
///
/// ```no_run
/// use impinge_robot::Packages;
/// use std::path::Path;
/// let packages = Packages::new()
///     .with_folder("/opt/robots/panda_description")
///     .with_ros();
/// let urdf = Path::new("robots/panda.urdf");
/// let file = packages.resolve("package://panda_description/meshes/hand.stl", urdf)?;
/// # Ok::<(), impinge_robot::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packages {
    folders: Vec<PathBuf>,
}

impl Packages {
    /// No folders: only those above the robot's file are searched.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a folder that is a package, or that contains packages.
    #[must_use]
    pub fn with_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folders.push(folder.into());
        self
    }

    /// Adds the folders of a list such as those of the environment variables `ROS_PACKAGE_PATH` and
    /// `AMENT_PREFIX_PATH`, with the separator of the system.
    #[must_use]
    pub fn with_list(mut self, list: &OsStr) -> Self {
        self.folders.extend(std::env::split_paths(list).filter(|folder| !folder.as_os_str().is_empty()));
        self
    }

    /// Adds the folders of the environment variables `ROS_PACKAGE_PATH` and `AMENT_PREFIX_PATH`.
    #[must_use]
    pub fn with_ros(self) -> Self {
        let lists = ["ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"].into_iter().filter_map(std::env::var_os);
        lists.fold(self, |packages, list| packages.with_list(&list))
    }

    /// The file that a mesh names in the robot's file `urdf`. The first of these that is a file:
    ///
    /// * `package://NAME/PATH`, `model://NAME/PATH`: PATH in a folder F with the name NAME, or NAME/PATH or
    ///   share/NAME/PATH in F. F is one of the folders added, in order, then one above the robot's file,
    ///   from the lowest up.
    /// * `file:///PATH`: this path. `file://PATH` without a slash: relative to the robot's file.
    /// * Another path: relative to the robot's file.
    ///
    /// In a URI, an escape such as `%20` is tried as it stands, then as its character.
    ///
    /// # Errors
    /// No such file, with a list of what was tried; other schemes, such as `http`.
    pub fn resolve(&self, filename: &str, urdf: &Path) -> Result<PathBuf, Error> {
        let folder = match urdf.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let Some((scheme, rest)) = filename.split_once("://") else {
            return first_file(filename, &[folder.join(filename)], "correct the path");
        };
        let mut spellings = vec![rest.to_owned()];
        if let Ok(decoded) = percent_decode_str(rest).decode_utf8()
            && decoded != rest
        {
            spellings.push(decoded.into_owned());
        }
        let mut tried = Vec::new();
        match scheme {
            "package" | "model" => {
                let above = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
                for spelling in &spellings {
                    // Some files write a third slash.
                    let spelling = spelling.trim_start_matches('/');
                    let (name, path) = spelling.split_once('/').unwrap_or((spelling, ""));
                    if name.is_empty() || path.is_empty() {
                        let what = "has no package or no path; write package://NAME/PATH";
                        return Err(Error::new(format!("the mesh '{}' {what}", shown(filename))));
                    }
                    let folders = self.folders.iter().map(PathBuf::as_path);
                    for folder in folders.chain(above.ancestors()) {
                        candidates(folder, name, path, &mut tried);
                    }
                }
                first_file(filename, &tried, "give the folder of the package")
            }
            "file" => {
                // `join` takes an absolute path as it is.
                tried.extend(spellings.iter().map(|path| folder.join(path)));
                first_file(filename, &tried, "correct the path")
            }
            _ => {
                let what = format!(
                    "the mesh '{}' has the unsupported scheme '{}'; download it and write its path",
                    shown(filename),
                    shown(scheme)
                );
                Err(Error::new(what))
            }
        }
    }
}

/// Adds the files that `path` of the package `name` can be in a folder.
fn candidates(folder: &Path, name: &str, path: &str, tried: &mut Vec<PathBuf>) {
    // A folder such as `.` or `..` gets its name from the file system.
    let own_name = match folder.file_name() {
        Some(own) => Some(own.to_owned()),
        None => folder.canonicalize().ok().and_then(|folder| folder.file_name().map(OsStr::to_owned)),
    };
    if own_name.is_some_and(|own| own == *name) {
        tried.push(folder.join(path));
    }
    tried.push(folder.join(name).join(path));
    tried.push(folder.join("share").join(name).join(path));
}

/// The first that is a file.
fn first_file(filename: &str, tried: &[PathBuf], remedy: &str) -> Result<PathBuf, Error> {
    const MOST: usize = 12;
    if let Some(file) = tried.iter().find(|path| path.is_file()) {
        return Ok(file.clone());
    }
    let shown_paths: Vec<String> =
        tried.iter().take(MOST).map(|path| shown_path(&path.display().to_string())).collect();
    let more = match tried.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let tried = shown_paths.join(", ");
    Err(Error::new(format!("the mesh '{}' is not found; {remedy} (tried {tried}{more})", shown(filename))))
}

/// A path for a message: its end matters most.
fn shown_path(path: &str) -> String {
    const MOST: usize = 200;
    let skipped = path.chars().count().saturating_sub(MOST);
    let end: String =
        path.chars().skip(skipped).map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect();
    if skipped > 0 { format!("…{end}") } else { end }
}
