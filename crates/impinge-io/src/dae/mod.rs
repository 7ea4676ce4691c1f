//! Reads COLLADA 1.4 and 1.5, with a parser of our own over `quick-xml`.
//!
//! Every instance of a geometry in the scene is a part, with the name of its node; instances share their
//! mesh. All primitives of a geometry become one mesh. Polygons are triangulated as those of OBJ. The scene
//! is the visual scene that the document shows, else all visual scenes; a document without any has one part
//! for each geometry. Coordinates stay as they are: the unit and the upward axis describe them.
//!
//! Skins, morph targets and animations are not applied; a warning counts them. Lines, polygons with holes,
//! splines, convex hulls and B-reps are skipped with a warning. Elements of other documents, `skew` and
//! `lookat` above a geometry, and document type declarations are errors.
mod asset;
mod geometry;
mod numbers;
mod occurrences;
mod positions;
mod scene;
mod transform;
mod tree;

use self::{
    occurrences::Occurrences,
    tree::{Tag, XmlTree, newlines},
};
use crate::{Error, error::Place, quote::show, sink::Sink};

pub(crate) fn parse(bytes: &[u8], sink: &mut Sink) -> Result<(), Error> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = str::from_utf8(bytes).map_err(|e| {
        let valid = str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default();
        Error::line(1 + newlines(valid), "this is not UTF-8").because(e)
    })?;
    let tree = XmlTree::parse(text)?;
    let version = tree.attribute(0, "version")?.unwrap_or_default();
    if !version.is_empty() && !version.starts_with("1.4") && !version.starts_with("1.5") {
        let what = format!("COLLADA {} is not supported; 1.4 and 1.5 are", show(version.as_bytes()));
        return Err(Error::unsupported(Place::Line(tree.line(0)), what));
    }
    asset::describe(&tree, sink)?;
    scene::run(&tree, sink)?;
    for (tag, what) in [
        (Tag::Animation, "animations are not applied: nodes stay as modelled"),
        (Tag::PhysicsModel, "physics models are skipped"),
        (Tag::KinematicsModel, "kinematics models are not applied: nodes stay as modelled"),
    ] {
        let mut found = Occurrences::default();
        tree.all(tag).for_each(|e| found.add(tree.line(e)));
        found.warn(sink, |n| format!("{what}: {n}"));
    }
    Ok(())
}
