//! The query whether simple shapes cover a part.
use crate::{
    body::{impinge_body, mesh, surface},
    border::{groups, list, or_default, place},
    handle::exclusive,
    model::impinge_interval,
    query::impinge_query,
    status::{Done, call, impinge_status},
};
use impinge::coverage::{CoverageOptions, Proxy};
use std::mem::MaybeUninit;

/// Settings of a proof of coverage. Start with impinge_coverage_options_default().
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_coverage_options {
    /// The width of the depth's interval, as a part of the depth. 1e-3.
    pub accuracy: f64,
    /// A length: pieces that stick out by less are divided no further. 0: chosen from the part's size.
    pub tolerance: f64,
    /// A length: each point of the part has to be so deep in one element. 0.
    pub margin: f64,
    /// The most pieces that are made. Ten million.
    pub most_pieces: u64,
    /// True if one uncovered point is enough. False.
    pub verdict_only: bool,
}

impl Default for impinge_coverage_options {
    fn default() -> Self {
        Self { accuracy: 1e-3, tolerance: 0.0, margin: 0.0, most_pieces: 10_000_000, verdict_only: false }
    }
}

impl impinge_coverage_options {
    fn checked(&self) -> Done<CoverageOptions> {
        let mut options = CoverageOptions::new()
            .accuracy(self.accuracy)?
            .most_pieces(self.most_pieces)
            .verdict_only(self.verdict_only);
        if self.tolerance != 0.0 {
            options = options.tolerance(self.tolerance)?;
        }
        Ok(if self.margin == 0.0 { options } else { options.margin(self.margin)? })
    }
}

/// Whether elements cover a part.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum impinge_coverage_kind {
    /// Every point of the part is covered.
    Covered = 0,
    /// The witness is not covered.
    Uncovered = 1,
    /// Neither is proved.
    Undecided = 2,
}

/// The result of impinge_coverage().
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_coverage_result {
    /// The verdict.
    pub kind: impinge_coverage_kind,
    /// The greatest distance of a point of the part from the elements.
    pub depth: impinge_interval,
    /// A point of the part that sticks out most, as far as known; NaN without one.
    pub witness: [f64; 3],
    /// The number of pieces that were examined.
    pub pieces: u64,
}

/// Returns the default settings of coverage.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_coverage_options_default() -> impinge_coverage_options {
    impinge_coverage_options::default()
}

/// Proves whether bodies and balls together cover a part. Balls are four numbers each: center and radius.
///
/// Errors: a ball with a number that is not finite or a negative radius; IMPINGE_STATUS_UNSUPPORTED for a
/// half-space, or a part with a radius.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_coverage(
    query: Option<&mut impinge_query>,
    part: Option<&impinge_body>,
    bodies: *const *const impinge_body,
    body_count: usize,
    balls: *const f64,
    ball_count: usize,
    options: Option<&impinge_coverage_options>,
    out_coverage: Option<&mut MaybeUninit<impinge_coverage_result>>,
) -> impinge_status {
    call(|| {
        let (query, part) = (exclusive(query)?, surface(part)?);
        let balls = unsafe { groups(balls, ball_count, "balls") }?;
        let bodies: &[Option<&impinge_body>] = unsafe { list(bodies.cast(), body_count, "bodies") }?;
        let (options, out) = (or_default(options).checked()?, place(out_coverage, "out_coverage")?);
        let mut proxy = Proxy::balls(balls)?;
        for (i, body) in bodies.iter().enumerate() {
            let body = mesh(*body).and_then(|body| body.rounded());
            proxy = proxy.with(body.map_err(|failure| failure.at(format_args!("bodies[{i}]")))?);
        }
        let found = query.run(|query| query.coverage(&part, &proxy, &options))?;
        out.write(impinge_coverage_result {
            kind: match found.covered {
                Some(true) => impinge_coverage_kind::Covered,
                Some(false) => impinge_coverage_kind::Uncovered,
                None => impinge_coverage_kind::Undecided,
            },
            depth: Some(found.depth).into(),
            witness: found.witness.map_or([f64::NAN; 3], |witness| witness.point),
            pieces: found.pieces,
        });
        Ok(())
    })
}
