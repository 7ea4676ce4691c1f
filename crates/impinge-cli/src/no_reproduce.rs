//! `impinge reproduce` in a build that cannot: what draws its figures takes half of the build's time.
use anyhow::bail;
use clap::Args;
use std::ffi::OsString;

const EXAMPLES: &str = "\
This build leaves it out, with what its figures are drawn with. To build it in, from the sources:

Examples:
  cargo run --release --features reproduce -- reproduce all --quick
  cargo install --path crates/impinge-cli --features reproduce
  impinge reproduce all --quick          once it is installed so";

/// Run the experiments of the papers again: left out of this build, see `impinge reproduce --help`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Reproduce {
    /// Whatever would be asked of it.
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    any: Vec<OsString>,
}

impl Reproduce {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let asked = if self.any.is_empty() { "all".into() } else { self.any.join(" ".as_ref()) };
        bail!(
            "`reproduce` is not in this build; from the sources: cargo run --release --features reproduce -- \
             reproduce {}",
            asked.display()
        )
    }
}
