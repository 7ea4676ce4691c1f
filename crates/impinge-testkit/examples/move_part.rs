//! Moves one part of a file: `move_part IN OUT.glb INDEX DX DY DZ`, in the file's units. docs/files.md
//! measures the number of pairs that are decided again after it. Without arguments it moves a part of a small
//! lattice, and keeps nothing.
use impinge::Pose;
use impinge_demo::{SITE, lattice};
use impinge_io::{Part, write_glb, write_whole};
use std::{error::Error, io, path::Path};

fn move_by(part: &mut Part, by: [f64; 3]) -> Result<(), impinge::Error> {
    let t = part.pose.translation();
    part.pose = Pose::rigid(*part.pose.rows(), std::array::from_fn(|k| t[k] + by[k]))?;
    println!("{} is at {:?}", part.name, part.pose.translation());
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &*words {
        [] => {
            let part = lattice(1, SITE).remove(0);
            let mut part = Part::new(part.name, Path::new("lattice"), part.mesh, part.pose);
            move_by(&mut part, [4.0, 0.0, 0.0])?;
            write_glb(&[part], &mut io::sink())?;
        }
        [from, to, index, x, y, z] => {
            let mut parts = impinge_io::read(Path::new(from))?.parts;
            let index: usize = index.parse()?;
            let part = parts.get_mut(index).ok_or_else(|| format!("{from}: there is no part {index}"))?;
            move_by(part, [x.parse()?, y.parse()?, z.parse()?])?;
            write_whole(Path::new(to), |out| {
                write_glb(&parts, out).map(drop).map_err(Box::<dyn Error>::from)
            })?;
        }
        _ => return Err("usage: move_part [IN OUT.glb INDEX DX DY DZ]".into()),
    }
    Ok(())
}
