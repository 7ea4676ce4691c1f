//! Sphere models of cuRobo, in YAML, and XRDF.
//!
//! cuRobo (<https://github.com/NVlabs/curobo>): `curobo/content/configs/robot/franka.yml` and
//! `unitree_g1.yml` have the map inside `robot_cfg: kinematics:` and inside `kinematics:`. Before version 0.8,
//! `src/curobo/content/configs/robot/spheres/*.yml` have it at the top, and `franka.yml` has the path of such a
//! file. A negative radius turns a sphere off: `curobo/content/configs/robot/ur10e.yml`,
//! <https://github.com/NVlabs/curobo/blob/main/curobo/_src/geom/collision/wp_collision_kernel.py>.
//!
//! XRDF: `curobo/content/configs/robot/ur10e.xrdf` there has named geometries; `collision: geometry:` chooses
//! one of them.
use super::yaml::{Token, Yaml};
use crate::{
    error::{Error, Place},
    model::{LinkSpheres, Sphere, SphereFormat, SphereModel},
    number::{self, Number},
    quote::{shown, shown_list},
};
use std::{collections::HashSet, ops::Range};

/// Links of one map, and the places of spheres that are turned off.
type Links = (Vec<LinkSpheres>, Vec<Place>);

/// Reads the text of a YAML file.
pub(super) fn parse(text: &str) -> Result<SphereModel, Error> {
    let mut reader =
        Reader { yaml: Yaml::new(text), place: Place::START, found: None, sets: Vec::new(), choice: None };
    reader.level("the file", Level::Top)?;
    reader.yaml.finish()?;
    let (format, (links, disabled)) = match (reader.found, reader.sets.is_empty()) {
        (Some(found), true) => (SphereFormat::Curobo, found),
        (None, false) => (SphereFormat::Xrdf, choose(text, reader.sets, reader.choice)?),
        (Some(_), false) => {
            return Err(Error::at(text, 0, "the file has spheres of cuRobo and of XRDF; delete one"));
        }
        (None, true) => {
            let what =
                "there are no 'collision_spheres' at the top, in 'kinematics' or in 'robot_cfg: kinematics'";
            return Err(Error::at(text, text.len(), what));
        }
    };
    Ok(SphereModel { format, links, disabled })
}

/// The set of spheres that an XRDF uses for collisions.
fn choose(text: &str, sets: Vec<(String, Links)>, choice: Option<(String, usize)>) -> Result<Links, Error> {
    let names = shown_list(sets.iter().map(|(name, _)| name.as_str()));
    match choice {
        Some((choice, byte)) => {
            let set = sets.into_iter().find(|(name, _)| *name == choice);
            let what = format!("the geometry '{}' does not exist; there are {names}", shown(&choice));
            set.map(|(_, links)| links).ok_or_else(|| Error::at(text, byte, what))
        }
        None if sets.len() == 1 => Ok(sets.into_iter().map(|(_, links)| links).next().unwrap_or_default()),
        None => {
            let what = format!(
                "the file has several geometries, {names}; choose one by 'collision: geometry: NAME'"
            );
            Err(Error::at(text, 0, what))
        }
    }
}

/// Maps on the way to the spheres.
#[derive(Clone, Copy, PartialEq)]
enum Level {
    Top,
    RobotCfg,
    Kinematics,
    /// `geometry` of XRDF.
    Geometry,
    /// One entry of `geometry`.
    Set,
    /// `collision` of XRDF.
    Collision,
}

struct Reader<'t> {
    yaml: Yaml<'t>,
    /// The place reached; places are counted once.
    place: Place,
    /// The spheres of cuRobo.
    found: Option<Links>,
    /// The named sets of XRDF.
    sets: Vec<(String, Links)>,
    /// XRDF's choice of a set, and its place.
    choice: Option<(String, usize)>,
}

impl Reader<'_> {
    fn level(&mut self, what: &str, level: Level) -> Result<(), Error> {
        self.yaml.map(what)?;
        // Names that are read; repetitions of others do not matter.
        let mut known = HashSet::new();
        while let Some((key, at)) = self.yaml.key()? {
            let next = match (level, &*key) {
                (Level::Top, "robot_cfg") => Some(Level::RobotCfg),
                (Level::Top | Level::RobotCfg, "kinematics") => Some(Level::Kinematics),
                (Level::Top, "geometry") => Some(Level::Geometry),
                (Level::Top, "collision") => Some(Level::Collision),
                (Level::Geometry, _) => Some(Level::Set),
                (Level::Top | Level::Kinematics, "collision_spheres")
                | (Level::Set, "spheres")
                | (Level::Collision, "geometry") => None,
                _ => {
                    self.yaml.skip()?;
                    continue;
                }
            };
            if !known.insert(key.clone()) {
                return Err(self.yaml.error(&at, format!("a second '{}'; delete one", shown(&key))));
            }
            match (next, level) {
                (Some(Level::Set), _) => {
                    self.sets.push((key.into_owned(), Links::default()));
                    self.level("a geometry", Level::Set)?;
                }
                (Some(next), _) => self.level(&format!("'{key}'"), next)?,
                (None, Level::Set) => {
                    let links = self.links("'spheres'")?;
                    if let Some((_, set)) = self.sets.last_mut() {
                        *set = links;
                    }
                }
                (None, Level::Collision) => match self.yaml.node()? {
                    Token::Scalar { value, at, .. } => self.choice = Some((value.into_owned(), at.start)),
                    _ => return Err(self.yaml.error(&at, "'geometry' must be a name")),
                },
                (None, _) => {
                    let links = self.links("'collision_spheres'")?;
                    if self.found.replace(links).is_some() {
                        return Err(self.yaml.error(&at, "a second 'collision_spheres'; delete one"));
                    }
                }
            }
        }
        Ok(())
    }

    /// A map from links to lists of spheres.
    fn links(&mut self, what: &str) -> Result<Links, Error> {
        match self.yaml.node()? {
            Token::Map(_) => {}
            Token::Scalar { value, is_plain: true, at } if matches!(&*value, "" | "null" | "~") => {
                return Err(self.yaml.error(&at, format!("{what} is empty; the model has no spheres")));
            }
            Token::Scalar { value, at, .. } => {
                let what =
                    format!("the spheres are in another file; give '{}' in place of this one", shown(&value));
                return Err(self.yaml.error(&at, what));
            }
            Token::List(at) => return Err(self.yaml.error(&at, format!("{what} must be a map"))),
            _ => {
                return Err(self
                    .yaml
                    .error(&self.yaml.end(), format!("{what} must be a map, but the file ends")));
            }
        }
        let mut links = Links::default();
        let mut known = HashSet::new();
        while let Some((name, at)) = self.yaml.key()? {
            if !known.insert(name.clone()) {
                return Err(self.yaml.error(&at, format!("a second link '{}'; join the two", shown(&name))));
            }
            let mut link = LinkSpheres::new(Some(name.into_owned()));
            self.yaml.list("the spheres of a link")?;
            while self.yaml.has_item()? {
                link.spheres.extend(self.sphere(&mut links.1)?);
            }
            links.0.push(link);
        }
        Ok(links)
    }

    /// A sphere; `None` for one that is turned off, whose place it adds to `disabled`.
    fn sphere(&mut self, disabled: &mut Vec<Place>) -> Result<Option<Sphere>, Error> {
        let start = match self.yaml.node()? {
            Token::Map(at) => at,
            Token::Scalar { at, .. } | Token::List(at) => {
                return Err(self.yaml.error(&at, "a sphere must be a map of 'center' and 'radius'"));
            }
            _ => return Ok(None),
        };
        let (mut center, mut radius) = (None, None);
        while let Some((key, at)) = self.yaml.key()? {
            let is_second = match &*key {
                "center" => center.replace(self.center()?).is_some(),
                "radius" => radius.replace(self.yaml.number("radius")?).is_some(),
                _ => {
                    let what = format!("'{}' is no part of a sphere; delete it", shown(&key));
                    return Err(self.yaml.error(&at, what));
                }
            };
            if is_second {
                return Err(self.yaml.error(&at, format!("a second '{key}'; delete one")));
            }
        }
        let (Some(center), Some(radius)) = (center, radius) else {
            return Err(self.yaml.error(&start, "a sphere needs 'center' and 'radius'"));
        };
        if number::finite(self.yaml.text, radius.clone(), "radius")? < 0.0 {
            self.place.advance(self.yaml.text, radius.start);
            disabled.push(self.place);
            return Ok(None);
        }
        let radius: Number = number::length(self.yaml.text, radius, "radius")?;
        Ok(Some(Sphere { center, radius }))
    }

    fn center(&mut self) -> Result<[f64; 3], Error> {
        self.yaml.list("'center'")?;
        let mut center = [0.0; 3];
        for coordinate in &mut center {
            let at: Range<usize> = self.yaml.number("center")?;
            *coordinate = number::finite(self.yaml.text, at, "center")?;
        }
        if self.yaml.has_item()? {
            let at = self.yaml.number("center")?;
            return Err(self.yaml.error(&at, "'center' has more than 3 numbers"));
        }
        Ok(center)
    }
}
