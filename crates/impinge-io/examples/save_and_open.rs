//! Saves a model and opens it again: the example of docs/files.md (docs/check compares them).
use impinge::{Mesh, Model};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join("save_and_open.impinge");
    let path = path.as_path();

    let mesh = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    impinge_io::save_model(&Model::new(mesh), path)?;
    let model = impinge_io::open_model(path)?; // in this run, or in the next
    println!("{} triangles", model.mesh().len());

    std::fs::remove_file(path)?;
    Ok(())
}
