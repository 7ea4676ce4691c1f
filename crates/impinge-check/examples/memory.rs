//! Checks an assembly that is made in memory, and prints its worst clash by name.
use impinge::{Mesh, Pose};
use impinge_check::{Assembly, Check, Part, Watch};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut assembly = Assembly::new();
    for (name, x) in [("left", 0.0), ("middle", 0.75), ("right", 2.0)] {
        let pose = Pose::from_translation([x, 0.0, 0.0])?;
        assembly.push(Part::from_mesh(name, Mesh::cuboid([1.0; 3])?, pose));
    }
    let report = Check::new().clearance(0.5).run(assembly, &Watch::new())?;
    let worst = report.ranked().next().expect("a clash");
    let [a, b] = report.in_order(worst).map(|part| report.part(part).name());
    let volume = report.depth(worst).and_then(|depth| depth.overlap_volume);
    println!("{a} and {b}: {:?}, volume {volume:?}", worst.relation);
    Ok(())
}
