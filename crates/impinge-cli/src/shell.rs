//! `impinge completions` and `impinge man`: for shells and for `man`.
use crate::output::Sink;
use anyhow::bail;
use clap::{Args, Command};
use clap_complete::Shell;

const COMPLETIONS: &str = "\
Examples:
  impinge completions bash > ~/.local/share/bash-completion/completions/impinge
  impinge completions zsh > ~/.zfunc/_impinge
  impinge completions fish > ~/.config/fish/completions/impinge.fish";

/// Print completions of this command for a shell.
#[derive(Args)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct Completions {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints the completion script of `program`.
    pub(crate) fn run(self, mut program: Command) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "impinge", &mut script);
        Sink::Stdout.write(|out| Ok(out.write_all(&script)?))
    }
}

const MAN: &str = "\
Examples:
  impinge man | man -l -
  impinge man check > impinge-check.1";

/// Print the manual page of this program, or of one of its commands.
#[derive(Args)]
#[command(after_help = MAN)]
pub(crate) struct Man {
    /// Command
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

impl Man {
    /// Prints the manual page of the program `all`, or of one of its commands.
    pub(crate) fn run(self, mut all: Command) -> anyhow::Result<()> {
        // Options of every command become those of each.
        all.build();
        let page = match &self.command {
            None => clap_mangen::Man::new(all),
            Some(name) => {
                let Some(one) = all.find_subcommand(name) else {
                    let names: Vec<&str> = all.get_subcommands().map(Command::get_name).collect();
                    bail!("there is no command '{name}', only {}", names.join(", "));
                };
                clap_mangen::Man::new(one.clone()).title(format!("impinge-{name}"))
            }
        };
        Sink::Stdout.write(|mut out| Ok(page.render(&mut out)?))
    }
}
