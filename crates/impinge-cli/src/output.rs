//! Where results go: to stdout, or into a file that is written whole or not at all.
use anyhow::Context;
use impinge_check::{files, values::text};
use std::{
    io::{self, BufWriter, IsTerminal, Write},
    path::{Path, PathBuf},
};

/// A place for one result.
pub(crate) enum Sink {
    Stdout,
    File(PathBuf),
}

impl Sink {
    /// The file, or stdout without one, and for `-`. Refuses what can be seen to fail before the work is
    /// done, and to replace one of the `inputs`, by whatever name.
    pub(crate) fn new<'a>(
        output: Option<&Path>,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> anyhow::Result<Self> {
        let Some(path) = output.filter(|path| *path != Path::new("-")) else { return Ok(Self::Stdout) };
        files::check_output(path, inputs)?;
        Ok(Self::File(path.to_owned()))
    }

    /// The number of columns of the terminal, if the result goes to one.
    pub(crate) fn columns(&self) -> Option<u16> {
        match self {
            Self::Stdout if io::stdout().is_terminal() => terminal_size::terminal_size().map(|(w, _)| w.0),
            _ => None,
        }
    }

    /// Prints a summary of the result on stdout, if the result itself went into a file.
    pub(crate) fn summary(&self, text: &str) -> anyhow::Result<()> {
        print_summary(&[self], text)
    }

    /// Writes what `fill` writes. A file appears, or is replaced, only once all is in it.
    pub(crate) fn write(
        &self,
        fill: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        match self {
            Self::Stdout => {
                let mut out = BufWriter::new(Forgiving(io::stdout().lock()));
                fill(&mut out)?;
                out.flush().context("cannot write to stdout")
            }
            Self::File(path) => impinge_io::write_whole(path, fill)
                .with_context(|| format!("cannot write {}", path.display())),
        }
    }
}

/// Prints a summary of results on stdout, if all of them went into files: a sentence, or lines of at most
/// [`Sink::columns`] of stdout.
pub(crate) fn print_summary(sinks: &[&Sink], text: &str) -> anyhow::Result<()> {
    let name = |sink: &&Sink| match sink {
        // A device or a pipe may be stdout itself, where a program reads the result.
        Sink::File(path) if path.is_file() => Some(text::printable(&path.to_string_lossy())),
        _ => None,
    };
    let Some(names) = sinks.iter().map(name).collect::<Option<Vec<_>>>() else { return Ok(()) };
    let Some((last, others)) = names.split_last() else { return Ok(()) };
    let others = if others.is_empty() { String::new() } else { format!("{} and ", others.join(", ")) };
    let written = format!("Written to {others}{last}.");
    let columns = Sink::Stdout.columns();
    let text = match text.contains('\n') {
        true => format!("{text}\n\n{}", text::folded(&written, columns)),
        false => text::folded(&format!("{text} {written}"), columns),
    };
    Sink::Stdout.write(|out| Ok(writeln!(out, "{text}")?))
}

/// Takes a reader that has gone away (`impinge check | head`) for one that has read enough.
struct Forgiving<W>(W);

impl<W: Write> Write for Forgiving<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            other => other,
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sink;
    use std::{fs, path::Path};

    fn sink(path: &Path) -> anyhow::Result<Sink> {
        Sink::new(Some(path), [])
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        fs::write(&path, "old").unwrap();
        let whole = sink(&path).unwrap();
        let failed = whole.write(|out| {
            out.write_all(b"half")?;
            anyhow::bail!("no more")
        });
        assert!(format!("{:#}", failed.unwrap_err()).ends_with("out.json: no more"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

        whole.write(|out| Ok(out.write_all(b"new")?)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_impossible_place_is_refused_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        assert!(sink(folder.path()).is_err());
        assert!(sink(&folder.path().join("absent/out.json")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_new_file_is_not_private() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("out"), folder.path().join("link"));
        sink(&path).unwrap().write(|out| Ok(out.write_all(b"1")?)).unwrap();
        // No usual umask forbids the owner to read and to write.
        let plain = folder.path().join("plain");
        fs::write(&plain, "").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&plain));

        symlink(&path, &link).unwrap();
        sink(&link).unwrap().write(|out| Ok(out.write_all(b"2")?)).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"2");
    }

    #[test]
    fn no_input_is_replaced_by_whatever_name() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("x.off");
        fs::write(&input, "OFF").unwrap();
        let mut names = vec![input.clone(), folder.path().join("./x.off")];
        let link = folder.path().join("hard");
        fs::hard_link(&input, &link).unwrap();
        names.push(link);
        #[cfg(unix)]
        {
            let link = folder.path().join("soft");
            std::os::unix::fs::symlink(&input, &link).unwrap();
            names.push(link);
        }
        for name in names {
            let other = folder.path().join("other");
            let refused = Sink::new(Some(&name), [other.as_path(), input.as_path()]).err().unwrap();
            assert!(refused.to_string().contains("it would replace the input"), "{refused}");
            assert!(Sink::new(Some(&other), [input.as_path()]).is_ok());
        }
    }
}
