//! Whether the collision geometry of a link covers its parts: [`Query::coverage`](impinge::Query::coverage) for
//! the shapes of robots.
mod decide;
mod painted;
mod part;
mod shape;

pub use self::{
    decide::{CoverSettings, LinkCover, cover},
    painted::{PaintedCover, paint},
    part::CoverPart,
    shape::{CoverShape, CoverSolid, proxy_of},
};
