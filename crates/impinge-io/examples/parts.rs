//! Lists the parts of files and the time to read them:
//! `cargo run --release -p impinge-io --example parts FILE...`.
use std::{env, error::Error, path::Path, time::Instant};

fn main() {
    for file in env::args_os().skip(1) {
        let start = Instant::now();
        match impinge_io::read(Path::new(&file)) {
            Ok(assembly) => {
                let milliseconds = start.elapsed().as_secs_f64() * 1e3;
                println!(
                    "{}: {} parts, {} triangles, {milliseconds:.1} ms",
                    Path::new(&file).display(),
                    assembly.parts.len(),
                    assembly.triangles()
                );
                assembly.warnings.iter().for_each(|warning| println!("  {warning}"));
            }
            Err(error) => {
                let mut text = error.to_string();
                let mut source = error.source();
                while let Some(cause) = source {
                    text += &format!(": {cause}");
                    source = cause.source();
                }
                println!("{text}");
            }
        }
    }
}
