//! Stages of long work, as lines on stderr.
use impinge_reproduce::Watch;
use std::io::{self, IsTerminal, Write};

/// Prints the name of each stage where stderr is a terminal.
pub(crate) struct Stages {
    is_shown: bool,
}

impl Stages {
    pub(crate) fn new() -> Self {
        Self { is_shown: io::stderr().is_terminal() }
    }
}

impl Watch for Stages {
    fn stage(&mut self, name: String, _steps: usize) {
        if self.is_shown {
            // A closed stderr is no error.
            let _ = writeln!(io::stderr(), "{name}");
        }
    }
    fn step(&mut self) {}
}
