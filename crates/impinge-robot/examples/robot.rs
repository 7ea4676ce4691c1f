//! Prints the counts of robot files.
//!
//! ```text
//! cargo run --release -p impinge-robot --example robot -- robot.urdf ...
//! ```
use impinge_robot::{Urdf, read_text};
use std::path::Path;

fn main() {
    for path in std::env::args().skip(1) {
        let path = Path::new(&path);
        match read_text(path).and_then(|text| Urdf::parse(&text).map_err(|e| e.in_file(path))) {
            Ok(urdf) => {
                let sum = |count: fn(&impinge_robot::Link) -> usize| urdf.links.iter().map(count).sum::<usize>();
                println!(
                    "{}: {} links, {} joints, {} visuals, {} collisions, {} rigid groups",
                    path.display(),
                    urdf.links.len(),
                    urdf.joints.len(),
                    sum(|link| link.visuals.len()),
                    sum(|link| link.collisions.len()),
                    urdf.rigid_groups().map_or(0, |groups| groups.len())
                );
            }
            Err(error) => println!("{error}"),
        }
    }
}
