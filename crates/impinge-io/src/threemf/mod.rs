//! 3MF: a ZIP package of XML models. Own code over `zip` and `quick-xml`: the `threemf` crate unpacks without
//! a limit, gives no place in the XML, and does not follow components to other models of the package.
//!
//! Parts are what the build's items place: an object's mesh, or each mesh of its nested components. Units are
//! noted in a warning if they are not millimetres, and not applied. Beams and balls of a lattice are left out
//! with a warning. So are supports of the print; items that are not to be printed are read, with a warning.
mod build;
mod model;
mod package;

use self::package::Package;
use crate::{Error, assembly::Sink};

pub(crate) fn parse(bytes: &[u8], sink: &mut Sink) -> Result<(), Error> {
    let mut package = Package::open(bytes, sink.budget.unpacked())?;
    let root = package.root_model()?;
    build::run(&mut package, root, sink)
}
