//! Verbosity and colour of the output on stderr; one state for the process.
use clap::{Args, ColorChoice, ValueEnum};
use std::{
    env,
    ffi::OsStr,
    io::{self, IsTerminal},
    sync::atomic::{AtomicBool, AtomicU8, Ordering},
};

/// Options of every command.
#[derive(Args)]
pub(crate) struct Verbosity {
    /// Colour help and errors: auto, always or never
    ///
    /// NO_COLOR in the environment means never.
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t = When::Auto,
        help_heading = "Run", display_order = 900,
        hide_short_help = true,
        hide_possible_values = true
    )]
    color: When,

    /// Print only errors on standard error
    ///
    /// No progress, notes or warnings are printed. JSON has all warnings.
    #[arg(long, short, global = true, conflicts_with = "verbose", help_heading = "Run", display_order = 900)]
    quiet: bool,

    /// Print each stage of the work and its time
    #[arg(long, short, global = true, help_heading = "Run", display_order = 900)]
    verbose: bool,
}

/// A value of `--color`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    /// Where it goes to a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// 0 quiet, 1 usual, 2 verbose.
static LEVEL: AtomicU8 = AtomicU8::new(1);
static IN_COLOR: AtomicBool = AtomicBool::new(false);

impl Verbosity {
    /// Sets it for the process.
    pub(crate) fn set(&self) {
        let level = if self.quiet { 0 } else { 1 + u8::from(self.verbose) };
        LEVEL.store(level, Ordering::Relaxed);
        let is_color = match self.color {
            When::Auto => io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
            When::Always => true,
            When::Never => false,
        };
        IN_COLOR.store(is_color, Ordering::Relaxed);
    }
}

/// True if only errors are printed on stderr.
pub(crate) fn is_quiet() -> bool {
    LEVEL.load(Ordering::Relaxed) == 0
}

/// True if each stage is printed on stderr.
pub(crate) fn is_verbose() -> bool {
    LEVEL.load(Ordering::Relaxed) == 2
}

/// A word of a message, such as 'error', in bold red or yellow if messages are in colour.
pub(crate) fn marked(word: &str) -> String {
    let code = if word.starts_with("error") { 31 } else { 33 };
    match IN_COLOR.load(Ordering::Relaxed) {
        true => format!("\x1b[1;{code}m{word}\x1b[0m"),
        false => word.to_owned(),
    }
}

/// The choice of `--color` before arguments are parsed, for help and for errors of the parser.
pub(crate) fn of_help<'a>(mut words: impl Iterator<Item = &'a OsStr>) -> ColorChoice {
    let mut choice = ColorChoice::Auto;
    while let Some(word) = words.next() {
        let value = match word.to_str() {
            Some("--") => break,
            Some("--color") => words.next().and_then(OsStr::to_str),
            Some(word) => word.strip_prefix("--color="),
            None => None,
        };
        choice = match value {
            Some("always") => ColorChoice::Always,
            Some("never") => ColorChoice::Never,
            Some("auto") => ColorChoice::Auto,
            _ => choice,
        };
    }
    choice
}

#[cfg(test)]
mod tests {
    use super::of_help;
    use clap::ColorChoice;
    use std::ffi::OsStr;

    #[test]
    fn the_last_choice_of_color_counts() {
        let of = |words: &[&str]| of_help(words.iter().map(|word| OsStr::new(*word)));
        assert_eq!(of(&["check"]), ColorChoice::Auto);
        assert_eq!(of(&["--color", "never", "--color=always"]), ColorChoice::Always);
        assert_eq!(of(&["--color=never", "--", "--color=always"]), ColorChoice::Never);
        assert_eq!(of(&["--color"]), ColorChoice::Auto);
    }
}
