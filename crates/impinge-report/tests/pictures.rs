//! Tests of pictures of findings: their content, and the same bytes everywhere.
use impinge::{Mesh, Pose};
use impinge_check::{Assembly, Check, Groups, Part, Report, Watch};
use impinge_report::{BcfReport, HtmlReport, Pictures, ReportWriter, XlsxReport, check_pictures_folder};
use sha2::{Digest, Sha256};
use std::{
    collections::HashSet,
    fs, io,
    num::NonZero,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

fn gearbox() -> Report {
    let mut assembly = Assembly::default();
    let file: Arc<Path> = Path::new("demo:gearbox").into();
    for part in impinge_demo::gearbox().parts {
        assembly.push(Part::new(part.name, Arc::clone(&file), part.mesh, part.pose));
    }
    Check::new().run(assembly, &Watch::new()).unwrap()
}

fn report(parts: impl IntoIterator<Item = (Mesh, Pose)>) -> Report {
    let mut assembly = Assembly::default();
    for (i, (mesh, pose)) in parts.into_iter().enumerate() {
        assembly.push(Part::from_mesh(format!("part {i}"), mesh, pose));
    }
    Check::new().run(assembly, &Watch::new()).unwrap()
}

fn cube() -> Mesh {
    Mesh::cuboid([1.0; 3]).unwrap()
}

/// Width, height, and three bytes a pixel.
fn decoded(png: &[u8]) -> ([usize; 2], Vec<[u8; 3]>) {
    let mut reader = png::Decoder::new(io::Cursor::new(png)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let (pixels, rest) = bytes.as_chunks::<3>();
    assert!(rest.is_empty());
    ([info.width as usize, info.height as usize], pixels.to_vec())
}

/// The shares of a picture that are blue, orange, and red, the colour of the overlap of both parts.
fn shares(pixels: &[[u8; 3]]) -> [f64; 3] {
    let mut counts = [0; 3];
    for &[r, g, b] in pixels {
        let [r, g, b] = [r, g, b].map(i32::from);
        if 2 * b > 3 * r && b > 60 {
            counts[0] += 1;
        } else if 2 * r > 3 * b && r > 60 {
            counts[if 20 * g < 9 * r { 2 } else { 1 }] += 1;
        }
    }
    counts.map(|count| f64::from(count) / pixels.len() as f64)
}

fn names(report: &Report, finding: u32) -> String {
    let parts = report.findings()[finding as usize].parts();
    parts.iter().map(|&part| report.part(part).name()).collect::<Vec<_>>().join("-")
}

/// Both parts of every clash are visible, and the contact is in the middle. The bytes equal those of other
/// machines.
#[test]
fn every_clash_of_the_gearbox_is_seen() {
    let report = gearbox();
    let pictures = Pictures::new(&report);
    let mut digests = String::new();
    let groups = Groups::new(&report).groups;
    assert!(groups.len() >= 8);
    for group in &groups {
        let finding = group.findings[0];
        let name = names(&report, finding);
        let camera = pictures.camera(finding).unwrap();
        let point = report.point_of(&report.findings()[finding as usize]).unwrap();
        assert_eq!(camera.target, point, "{name}");
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        assert!((dot(camera.direction, camera.direction) - 1.0).abs() < 1e-12);
        assert!(
            (dot(camera.up, camera.up) - 1.0).abs() < 1e-12 && dot(camera.up, camera.direction).abs() < 1e-12
        );
        // The camera looks at the point.
        let to = [0, 1, 2].map(|k| point[k] - camera.position[k]);
        let distance = dot(to, to).sqrt();
        assert!((dot(to, camera.direction) / distance - 1.0).abs() < 1e-9, "{name}");

        let png = pictures.png_from(finding, &camera).unwrap();
        let (size, pixels) = decoded(&png);
        assert_eq!(size, [960, 640]);
        let [blue, orange, both] = shares(&pixels);
        assert!(blue + both > 0.02 && orange + both > 0.02, "{name}: {blue} {orange} {both}");
        // The ring is around the middle.
        let white = |x: usize, y: usize| pixels[y * size[0] + x].iter().all(|&c| c > 230);
        assert!(white(480 + 13, 320) || white(480 + 12, 320), "{name}");
        assert!(white(480 - 13, 320) || white(480 - 14, 320), "{name}");
        if name == "gear_2-pump_pinion" {
            let shown = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/gearbox.png"));
            assert!(
                shown.unwrap() == png,
                "docs/gearbox.png is not what `impinge check --images` makes of {name}"
            );
        }
        let digest: String = Sha256::digest(&png).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        digests += &format!("{digest} {name}\n");
    }
    let expected = include_str!("pictures.txt");
    assert!(
        digests == expected,
        "the bytes of pictures have changed; tests/pictures.txt would be:\n{digests}"
    );
}

/// Coordinates are taken relative to the clash before anything is rounded to less than f64.
#[test]
fn a_picture_does_not_depend_on_where_the_model_is() {
    let picture = |far: [f64; 3]| {
        let at = |t: [f64; 3]| Pose::from_translation([0, 1, 2].map(|k| far[k] + t[k])).unwrap();
        let report =
            report([(cube(), at([0.0; 3])), (cube(), at([0.5, 0.25, 0.75])), (cube(), at([2.0, 0.0, 0.0]))]);
        let pictures = Pictures::new(&report).size(300, 200);
        let finding = Groups::new(&report).groups[0].findings[0];
        pictures.png(finding).unwrap()
    };
    // Sums with these are exact.
    assert_eq!(picture([0.0; 3]), picture([4_194_304.0, -8_388_608.0, 1024.0]));
}

/// A section opens a part inside another. The overlap of both is red in it.
#[test]
fn what_is_inside_is_seen_in_a_section() {
    let small = Mesh::uv_sphere(0.2, 12, 24).unwrap();
    let report =
        report([(cube(), Pose::IDENTITY), (small, Pose::from_translation([0.1, 0.1, 0.1]).unwrap())]);
    let pictures = Pictures::new(&report);
    let camera = pictures.camera(0).unwrap();
    assert!(camera.is_section);
    // Tables name the inner part first: the outer one is orange.
    let [_, orange, both] = shares(&decoded(&pictures.png_from(0, &camera).unwrap()).1);
    assert!(orange > 0.02 && both > 0.02, "{orange} {both}");
}

/// Faces in one plane are a patch, which is filled on top of the parts.
#[test]
fn patches_of_contact_are_filled() {
    let picture = |shift: [f64; 3]| {
        let report = report([(cube(), Pose::IDENTITY), (cube(), Pose::from_translation(shift).unwrap())]);
        shares(&decoded(&Pictures::new(&report).png(0).unwrap()).1)
    };
    let ([.., red], [.., none]) = (picture([0.5, 0.0, 0.0]), picture([0.5, 0.1, 0.1]));
    assert!(red > 0.02 && none < 0.002, "{red} {none}");
}

/// Findings of one part, and of parts that do not meet.
#[test]
fn every_kind_of_finding_has_a_picture() {
    let mut assembly = Assembly::default();
    // Two cubes in one mesh meet each other; another part is near.
    let points: Vec<_> = cube().points().iter().flat_map(|p| [*p, p.map(|x| x + 0.4)]).collect();
    let triangles =
        cube().triangles().iter().flat_map(|t| [t.map(|i| 2 * i), t.map(|i| 2 * i + 1)]).collect();
    assembly.push(Part::from_mesh("twice", Mesh::new(points, triangles).unwrap(), Pose::IDENTITY));
    assembly.push(Part::from_mesh("near", cube(), Pose::from_translation([-1.05, 0.0, 0.0]).unwrap()));
    let check = Check::new().self_intersections(true).clearance(0.1);
    let report = check.run(assembly, &Watch::new()).unwrap();
    let pictures = Pictures::new(&report);
    let kinds: Vec<_> = report.findings().iter().map(|finding| finding.kind.name()).collect();
    assert!(kinds.contains(&"self") && kinds.contains(&"near"), "{kinds:?}");
    for (i, finding) in (0..).zip(report.findings()) {
        let [blue, orange, _] = shares(&decoded(&pictures.png(i).unwrap()).1);
        assert!(blue > 0.02 && (orange > 0.02) == (finding.parts().len() == 2), "{i}: {blue} {orange}");
    }
}

/// No assembly, no finding, no triangles, sizes beyond the bounds.
#[test]
fn edges_of_the_input() {
    let empty = report([]);
    assert!(Pictures::new(&empty).png(0).is_none() && Pictures::new(&empty).camera(u32::MAX).is_none());
    let two = report([(cube(), Pose::IDENTITY), (cube(), Pose::from_translation([0.3; 3]).unwrap())]);
    for (size, expected) in [([0, 0], [1, 1]), ([1, 5000], [1, 4096]), ([7, 3], [7, 3])] {
        let pictures = Pictures::new(&two).size(size[0], size[1]);
        assert_eq!(decoded(&pictures.png(0).unwrap()).0, expected);
    }
    let tall = Pictures::new(&two).size(300, 600).camera(0).unwrap();
    assert!((tall.field_of_view - 2.0 * (2.0 * 0.3_f64.tan()).atan().to_degrees()).abs() < 1e-9);
    // Near the ends of f64.
    for scale in [1e-290, 1e290] {
        let points = cube().points().iter().map(|p| p.map(|x| x * scale)).collect::<Vec<_>>();
        let mesh = Mesh::new(points, cube().triangles().to_vec()).unwrap();
        let shift = Pose::from_translation([0.3 * scale; 3]).unwrap();
        let extreme = report([(mesh.clone(), Pose::IDENTITY), (mesh, shift)]);
        let pictures = Pictures::new(&extreme).size(60, 40);
        let [blue, orange, _] = shares(&decoded(&pictures.png(0).unwrap()).1);
        assert!(blue > 0.008 && orange > 0.008, "{scale}: {blue} {orange}");
    }
}

/// Formats write the same bytes with and without shared pictures, and sharing draws each finding once.
#[test]
fn shared_pictures_are_drawn_once() {
    let parts = (0..4).map(|i| (cube(), Pose::from_translation([0.7 * f64::from(i * i), 0.0, 0.1]).unwrap()));
    let report = report(parts.chain([(Mesh::cuboid([30.0, 0.1, 0.1]).unwrap(), Pose::IDENTITY)]));
    let groups = Groups::new(&report).groups;
    let bcf = BcfReport::new().date("2026-11-27".parse().unwrap());
    let writers: [&dyn ReportWriter; 3] = [&bcf, &XlsxReport::new(), &HtmlReport::new()];
    let uses = || writers.iter().flat_map(|writer| writer.pictures(&report));
    let sizes: HashSet<_> = uses().map(|one| one.size).collect();
    assert_eq!((uses().count(), sizes.len()), (2 * groups.len(), 2));
    let pictures = Pictures::new(&report).share(uses());
    assert_eq!(pictures.undrawn(), groups.len());
    // The folder draws all of them.
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("pictures");
    pictures.save(&groups, &folder, NonZero::new(2).unwrap(), &|_| Ok(())).unwrap();
    assert_eq!(pictures.undrawn(), 0);
    let alone = Pictures::new(&report);
    for ((_, bytes), group) in files(&folder).iter().zip(&groups) {
        assert!(*bytes == alone.png(group.findings[0]).unwrap());
    }
    for writer in writers {
        let [mut shared, mut own] = [Vec::new(), Vec::new()];
        writer.write_with(&pictures, &mut shared).unwrap();
        writer.write(&report, &mut own).unwrap();
        assert!(shared == own);
    }
    // Without a folder they are drawn on threads, and a picture that was taken can be drawn again.
    let drawn = AtomicUsize::new(0);
    let show = || {
        drawn.fetch_add(1, Ordering::Relaxed);
        Ok(())
    };
    let pictures = Pictures::new(&report).share(uses());
    pictures.draw(NonZero::new(3).unwrap(), &show).unwrap();
    assert_eq!((drawn.into_inner(), pictures.undrawn()), (groups.len(), 0));
    let [mut first, mut second] = [Vec::new(), Vec::new()];
    bcf.write_with(&pictures, &mut first).unwrap();
    bcf.write_with(&pictures, &mut second).unwrap();
    assert!(first == second);
    let enough = || Err(io::Error::other("enough"));
    let stopped = Pictures::new(&report).share(uses()).draw(NonZero::<usize>::MIN, &enough);
    assert_eq!(stopped.unwrap_err().to_string(), "enough");
}

/// A picture of a part of a model has an overview in its corner; one of the whole model has none.
#[test]
fn the_corner_shows_where_in_the_model_it_is() {
    let corner = |far: Option<f64>| {
        let at = |x: f64| Pose::from_translation([x, 0.2, 0.1]).unwrap();
        let others = far.into_iter().map(|x| (cube(), at(x)));
        let report = report([(cube(), Pose::IDENTITY), (cube(), at(0.5))].into_iter().chain(others));
        let (size, pixels) = decoded(&Pictures::new(&report).png(0).unwrap());
        let inner = |x: usize, y: usize| x >= size[0] - size[0] / 4 && y >= size[1] - size[1] / 4;
        let inside: Vec<[u8; 3]> =
            (0..pixels.len()).filter(|i| inner(i % size[0], i / size[0])).map(|i| pixels[i]).collect();
        inside
    };
    let paper = |pixels: &[[u8; 3]]| pixels.iter().filter(|pixel| **pixel == [250, 251, 253]).count();
    assert_eq!(paper(&corner(None)), 0);
    let far = corner(Some(100.0));
    assert!(paper(&far) > far.len() / 2);
    // The finding is at one end of the model, and its ring is white with a dark border.
    let dark = |half: usize| {
        let has = |i: &usize| far[*i].iter().all(|&c| c < 90) && (i % 240 < 120) == (half == 0);
        (0..far.len()).filter(has).count()
    };
    let [left, right] = [dark(0), dark(1)];
    assert!(left.max(right) > 40 && left.min(right) < 10, "{left} {right}");
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (PathBuf::from(path.file_name().unwrap()), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// A folder is written whole or not at all, by any number of threads, and replaces only pictures.
#[test]
fn folders_of_pictures() {
    let place = tempfile::tempdir().unwrap();
    let count = || fs::read_dir(place.path()).unwrap().count();
    let parts = (0..5).map(|i| (cube(), Pose::from_translation([0.7 * f64::from(i * i), 0.0, 0.1]).unwrap()));
    let report = report(parts.chain([(Mesh::cuboid([20.0, 0.1, 0.1]).unwrap(), Pose::IDENTITY)]));
    let groups = Groups::new(&report).groups;
    let pictures = Pictures::new(&report).size(64, 48);
    let save =
        |folder: &Path, threads| pictures.save(&groups, folder, NonZero::new(threads).unwrap(), &|_| Ok(()));
    let (one, three) = (place.path().join("one"), place.path().join("three"));
    assert!(groups.len() > 1);
    assert_eq!(save(&one, 1).unwrap(), groups.len());
    assert_eq!(save(&three, 3).unwrap(), groups.len());
    assert_eq!(files(&one), files(&three));
    assert_eq!(files(&one).len(), groups.len());
    for (i, (name, bytes)) in files(&one).iter().enumerate() {
        assert!(name.to_str().unwrap().starts_with(&format!("{:03}-", i + 1)));
        assert_eq!(*bytes, pictures.png(groups[i].findings[0]).unwrap());
    }
    // Again, with fewer pictures: none of the first run is left.
    pictures.save(&groups[..1], &three, NonZero::<usize>::MIN, &|_| Ok(())).unwrap();
    assert_eq!((files(&three).len(), count()), (1, 2));

    let before = files(&one);
    let stopped =
        pictures.save(&groups, &one, NonZero::new(2).unwrap(), &|_| Err(io::Error::other("enough")));
    assert_eq!(stopped.unwrap_err().to_string(), "enough");
    assert_eq!((files(&one), count()), (before, 2));

    fs::write(one.join("notes.txt"), "mine").unwrap();
    let before = files(&one);
    let refused = save(&one, 1).unwrap_err().to_string();
    assert!(refused.contains("notes.txt"), "{refused}");
    assert_eq!((files(&one), count()), (before, 2));
    assert!(check_pictures_folder(&place.path().join("absent/pictures")).is_err());
    assert!(check_pictures_folder(&one.join("notes.txt")).is_err());
}
