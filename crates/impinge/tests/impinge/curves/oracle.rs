//! Against rationals.
