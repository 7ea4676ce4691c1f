//! Compilers of C and C++, and the library that their programs link.
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

/// Languages and versions in which programs are compiled.
#[derive(Clone, Copy)]
pub(crate) enum Language {
    C99,
    C17,
    Cpp17,
    Cpp20,
}

/// The way in which the library is linked.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Link {
    Shared,
    Static,
}

/// A folder with the library under its installed names, and programs.
pub(crate) struct Workshop(TempDir);

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

impl Workshop {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        // Cargo puts the library of a test beside the test.
        let built = env::current_exe().unwrap().parent().unwrap().to_owned();
        let version = [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR")].join(".");
        let shared = built.join("libimpinge_c.so");
        for name in ["libimpinge.so".to_owned(), format!("libimpinge.so.{version}")] {
            fs::hard_link(&shared, folder.path().join(&name))
                .or_else(|_| fs::copy(&shared, folder.path().join(&name)).map(|_| ()))
                .unwrap();
        }
        Self(folder)
    }
    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }
    /// Compiles a program; any warning is an error.
    pub(crate) fn compile(&self, source: &Path, language: Language, link: Link) -> PathBuf {
        let (compiler, standard) = match language {
            Language::C99 => ("cc", "-std=c99"),
            Language::C17 => ("cc", "-std=c17"),
            Language::Cpp17 => ("c++", "-std=c++17"),
            Language::Cpp20 => ("c++", "-std=c++20"),
        };
        let program =
            self.folder().join(format!("{}{standard}", source.file_stem().unwrap().to_str().unwrap()));
        let mut command = Command::new(compiler);
        command
            .args([standard, "-g", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-pedantic"])
            .arg("-I")
            .arg(root().join("include"))
            .arg(source)
            .arg("-o")
            .arg(&program);
        match link {
            Link::Shared => command.arg("-L").arg(self.folder()).arg("-limpinge"),
            Link::Static => {
                command.arg(env::current_exe().unwrap().parent().unwrap().join("libimpinge_c.a")).arg("-ldl")
            }
        };
        let output = command.args(["-lpthread", "-lm"]).output().expect("a compiler for C and C++");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}\n{messages}");
        program
    }
    /// Runs a program, with the folder as its argument.
    pub(crate) fn run(&self, program: &Path) -> Output {
        Command::new(program)
            .arg(self.folder())
            .env("LD_LIBRARY_PATH", self.folder())
            .current_dir(self.folder())
            .output()
            .unwrap()
    }
    pub(crate) fn passes(&self, program: &Path) -> String {
        let output = self.run(program);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {}\n{messages}", program.display(), output.status);
        String::from_utf8(output.stdout).unwrap()
    }
}
