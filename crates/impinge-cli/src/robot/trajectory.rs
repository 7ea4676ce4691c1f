//! Trajectories: configurations of a robot, one a row.
use crate::npy;
use anyhow::{Context, bail, ensure};
use impinge_check::files;
use impinge_robot::Kinematics;
use serde::Deserialize;
use std::path::Path;

/// The members of a trajectory in JSON that count.
#[derive(Deserialize)]
#[serde(untagged)]
enum JsonTrajectory {
    Rows(Vec<Vec<f64>>),
    Named { joint_names: Vec<String>, points: Vec<JsonPoint> },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum JsonPoint {
    Row(Vec<f64>),
    Point { positions: Vec<f64> },
}

/// Rows of numbers, and the joint of each column, if the file names them.
struct Columns {
    names: Option<Vec<String>>,
    rows: Vec<Vec<f64>>,
}

/// Reads a trajectory: the configurations one after the other, in the order of the robot's degrees of freedom.
pub(super) fn read(path: &Path, kinematics: &Kinematics) -> anyhow::Result<Vec<f64>> {
    let place = || path.display().to_string();
    parse(path, &files::regular(path)?, kinematics).with_context(place)
}

fn parse(path: &Path, bytes: &[u8], kinematics: &Kinematics) -> anyhow::Result<Vec<f64>> {
    let width = kinematics.dofs().len();
    ensure!(width > 0, "the robot has no joint that moves");
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let Columns { names, rows } = match extension.as_deref() {
        Some("npy") => {
            let array = npy::Array::parse(bytes)?;
            let &[_, columns] = array.shape() else { bail!("its shape is not (N, {width})") };
            let rows = array.values_in_c_order();
            Columns { names: None, rows: rows.chunks(columns.max(1)).map(<[f64]>::to_vec).collect() }
        }
        Some("json") => match serde_json::from_slice(bytes)? {
            JsonTrajectory::Rows(rows) => Columns { names: None, rows },
            JsonTrajectory::Named { joint_names, points } => {
                let rows = points.into_iter().map(|point| match point {
                    JsonPoint::Row(row) | JsonPoint::Point { positions: row } => row,
                });
                Columns { names: Some(joint_names), rows: rows.collect() }
            }
        },
        _ => text(bytes)?,
    };
    ensure!(!rows.is_empty(), "there is no configuration in it");
    let columns = names.as_ref().map_or(width, Vec::len);
    // The column of each degree of freedom.
    let mut order = Vec::with_capacity(width);
    for (i, dof) in kinematics.dofs().iter().enumerate() {
        match &names {
            None => order.push(i),
            Some(names) => match names.iter().position(|name| *name == dof.name) {
                Some(column) => order.push(column),
                None => bail!("it has no column for the joint {}", dof.name),
            },
        }
    }
    let mut all = Vec::with_capacity(rows.len() * width);
    for (row, number) in rows.iter().zip(1..) {
        ensure!(
            row.len() == columns,
            "row {number}: {} numbers, where the robot has {columns} joints that move",
            row.len()
        );
        ensure!(row.iter().all(|x| x.is_finite()), "row {number}: a number is not finite");
        all.extend(order.iter().map(|&column| row[column]));
    }
    Ok(all)
}

/// Lines of numbers, with blanks or commas between them; `#` begins a comment. A first line of words names the
/// columns.
fn text(bytes: &[u8]) -> anyhow::Result<Columns> {
    let text = std::str::from_utf8(bytes).context("not text")?;
    let (mut names, mut rows) = (None, Vec::new());
    for (line, number) in text.lines().zip(1..) {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> =
            line.split([',', ';', ' ', '\t']).map(str::trim).filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            continue;
        }
        let numbers: Result<Vec<f64>, _> = words.iter().map(|word| word.parse()).collect();
        match numbers {
            Ok(numbers) => rows.push(numbers),
            Err(_) if rows.is_empty() && names.is_none() => {
                names = Some(words.iter().map(|word| word.trim_matches('"').to_owned()).collect());
            }
            Err(_) => bail!("line {number}: not numbers"),
        }
    }
    Ok(Columns { names, rows })
}
