//! The unit and the upward axis, which the document's `asset` states.
use super::tree::{ElementId, Tag, XmlTree};
use crate::{Axis, Error, Unit, quote::show, sink::Sink};

/// The unit in metres, and the upward axis, that an `asset` states.
struct Stated {
    metres: Option<f64>,
    up: Option<Axis>,
}

/// Describes the file by its `asset`. By the specification, the default unit is the metre, and Y is up.
pub(super) fn describe(tree: &XmlTree<'_>, sink: &mut Sink) -> Result<(), Error> {
    let own = tree.child(0, Tag::Asset);
    let stated = own.map_or(Ok(Stated { metres: None, up: None }), |asset| stated(tree, asset))?;
    let (metres, up) = (stated.metres.unwrap_or(1.0), stated.up.unwrap_or(Axis::Y));
    let unit = unit(metres);
    if unit.is_none() {
        let place = own.and_then(|asset| tree.child(asset, Tag::Unit)).unwrap_or(0);
        let what = format!("its unit is {metres} m; coordinates are taken as they are, of an unknown unit");
        sink.warn(tree.place(place), what);
    }
    sink.describe(unit, Some(up));
    // Parts of a document may have an asset of their own.
    for asset in tree.all(Tag::Asset).filter(|asset| Some(*asset) != own) {
        let other = self::stated(tree, asset)?;
        if other.metres.is_some_and(|m| m != metres) || other.up.is_some_and(|axis| axis != up) {
            let what = "this element states a unit or an upward axis other than the document's; \
                        coordinates are taken as they are";
            sink.warn(tree.place(asset), what);
        }
    }
    Ok(())
}

fn stated(tree: &XmlTree<'_>, asset: ElementId) -> Result<Stated, Error> {
    let mut stated = Stated { metres: None, up: None };
    if let Some(e) = tree.child(asset, Tag::Unit)
        && let Some(text) = tree.attribute(e, "meter")?
    {
        let metres = text.trim().parse().ok().filter(|m: &f64| m.is_finite() && *m > 0.0);
        let what = || format!("meter=\"{}\" is not the length of a unit", show(text.as_bytes()));
        stated.metres = Some(metres.ok_or_else(|| tree.wrong(e, what()))?);
    }
    if let Some(e) = tree.child(asset, Tag::UpAxis) {
        let text = tree.text(e).map_or("", |t| t.text.trim());
        stated.up = Some(match text {
            "X_UP" => Axis::X,
            "Y_UP" => Axis::Y,
            "Z_UP" => Axis::Z,
            _ => {
                let what = format!("'{}' is none of X_UP, Y_UP and Z_UP", show(text.as_bytes()));
                return Err(tree.wrong(e, what));
            }
        });
    }
    Ok(stated)
}

/// The unit of a length. Programs that compute in f32 write 0.025399999 for the inch.
fn unit(metres: f64) -> Option<Unit> {
    Unit::ALL.iter().copied().find(|unit| unit.metres() as f32 == metres as f32)
}
