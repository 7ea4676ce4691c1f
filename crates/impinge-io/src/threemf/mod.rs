//! Reads 3MF, a ZIP package of XML models. The parser is ours, over `zip` and `quick-xml`: the `threemf`
//! crate unpacks without a limit, gives no place in the XML, and does not follow components to other models
//! of the package.
//!
//! The items of the build give the parts: an object's mesh, or each mesh of its nested components. Units are
//! not applied; a warning names them if they are not millimetres. Beams and balls of a lattice, and supports
//! of the print, are skipped with a warning. Items that are not to be printed are read, with a warning.
mod build;
mod model;
mod package;

use self::package::Package;
use crate::{Error, sink::Sink};

pub(crate) fn parse(bytes: &[u8], sink: &mut Sink) -> Result<(), Error> {
    let mut package = Package::open(bytes, sink.budget.unpacked())?;
    let root = package.root_model()?;
    build::run(&mut package, root, sink)
}
