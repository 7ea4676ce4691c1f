//! Assemblies to write: one that has a value in every field, and random ones.
use impinge::{Mesh, Pose};
use impinge_io::{Assembly, Axis, Format, Omission, Part, Source, Unit, Warning};
use std::{fmt::Write, path::Path, sync::Arc};

/// Assembly with a value in every field and with numbers that a format may lose. The golden files contain it.
pub(super) fn sample() -> Assembly {
    let [house, plant]: [Arc<Path>; 2] =
        ["Häuser/house \"1\".ifc", "plant.stl"].map(|file| Path::new(file).into());
    let mut assembly = Assembly::new();
    let source = Source::new(Arc::clone(&house)).with_unit(Unit::Metre).with_up(Axis::Z);
    let digest = std::array::from_fn(|i| 7 * i as u8);
    let source = source.with_digest(u64::MAX, digest).with_offset([4e6 + 0.1, -0.0, 5e-324]);
    assembly.sources.push(source.with_settings("chord 0.1 mm"));
    let points = vec![[0.1, -0.0, 5e-324], [f64::MAX, 1.0 / 3.0, -2.5], [1e-300, 7.0, 9e15], [4.0; 3]];
    let first = Arc::new(Mesh::new(points, vec![[0, 1, 2], [3, 3, 0], [2, 1, 0]]).unwrap());
    let second = Arc::new(Mesh::cuboid([1.0, 2.0, 0.1]).unwrap());
    let turn = Pose::from_quaternion([0.1, 0.2, 0.3, 0.9], [1.0 / 3.0, -1e17, 2e-308]).unwrap();
    let wall = Part::new("wall\n\u{1F9F1}\0", Arc::clone(&house), Arc::clone(&first), turn)
        .with_path("House/Storey 1/wall")
        .with_guid("1hOSvn6df7F8_7GcBWlRGQ")
        .with_class("IfcWall")
        .with_property("Pset_WallCommon.IsExternal", true)
        .with_property("LoadBearing", false)
        .with_property("Width", 0.1)
        .with_property("", "")
        .with_property("text", "5")
        .with_property("large", 1.7976931348623157e308)
        .with_property("small", -5e-324)
        .with_property("zero", -0.0)
        .with_property("integer", 9007199254740993.0)
        .with_property("none", f64::NAN)
        .with_property("most", f64::INFINITY)
        .with_property("least", f64::NEG_INFINITY)
        .with_chord(0.1)
        .with_rounding(1e-7);
    assembly.push(wall);
    assembly.push(
        Part::new("door", Arc::clone(&house), Arc::clone(&second), Pose::IDENTITY).with_class("IfcDoor"),
    );
    let mut source = Source::new(Arc::clone(&plant)).with_format(Format::Stl);
    source.parts = 0;
    assembly.sources.push(source);
    let mut baked =
        Part::new("", Arc::clone(&plant), first, Pose::from_translation([-0.0, 1.0, 2.0]).unwrap());
    baked.baked = true;
    assembly.push(baked);
    assembly.push(Part::from_mesh("empty", Mesh::default(), Pose::IDENTITY));
    assembly.warnings.push(Warning::new(Arc::clone(&house), Some("#217".to_owned()), "it has no shape"));
    assembly.warnings.push(Warning::new(plant, None, "3 bytes are skipped"));
    let spaces =
        Omission::left_out(Arc::clone(&house), "spaces are no parts").with_class("IfcSpace").with_count(12);
    assembly.omissions.push(spaces);
    let slab = Omission::failed(house, "its boundary meets itself").with_name("Slab 3").with_guid("g");
    assembly.omissions.push(slab);
    assembly
}

/// All values of an assembly, one a line, with the bits of every number.
pub(super) fn describe(assembly: &Assembly) -> String {
    let bits = |numbers: &[f64]| numbers.iter().map(|x| format!(" {:016x}", x.to_bits())).collect::<String>();
    let mut text = String::new();
    for source in &assembly.sources {
        let Source { file, format, unit, up, offset, bytes, digest, settings, parts, .. } = source;
        let offset = offset.map(|offset| bits(&offset));
        writeln!(
            text,
            "source {file:?} {format:?} {unit:?} {up:?} {offset:?} {bytes:?} {digest:?} {settings:?} {parts}"
        )
        .unwrap();
    }
    for part in &assembly.parts {
        let Part { name, file, pose, baked, path, guid, class, properties, chord, rounding, .. } = part;
        let lengths = [chord, rounding].map(|length| length.map(|length| bits(&[length])));
        let pose = bits(pose.rows().as_flattened()) + &bits(pose.translation());
        writeln!(text, "part {name:?} {file:?} {path:?} {guid:?} {class:?} {baked} {lengths:?}{pose}")
            .unwrap();
        for (name, value) in properties {
            let number = value.as_number().map(|number| bits(&[number]));
            writeln!(text, "  {name:?} {number:?} {:?} {:?}", value.as_text(), value.as_truth()).unwrap();
        }
        writeln!(text, "  {} {:?}", bits(part.mesh.points().as_flattened()), part.mesh.triangles()).unwrap();
    }
    for warning in &assembly.warnings {
        writeln!(text, "warning {:?} {:?} {:?}", warning.file(), warning.place(), warning.text()).unwrap();
    }
    for omission in &assembly.omissions {
        writeln!(text, "{omission:?}").unwrap();
    }
    text
}

/// A linear congruential generator.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 ^ self.0 >> 29).wrapping_mul(0xBF58476D1CE4E5B9)
    }
    fn below(&mut self, most: usize) -> usize {
        (self.bits() >> 33) as usize % most
    }
    /// A finite number of any size.
    fn number(&mut self) -> f64 {
        let number = f64::from_bits(self.bits());
        if number.is_finite() { number } else { 0.5 }
    }
    fn text(&mut self) -> String {
        let characters =
            ['a', 'Z', '0', ' ', '/', '"', '\\', '\u{7f}', '\n', 'é', '語', '\u{1F9F1}', '\u{2028}'];
        (0..self.below(6)).map(|_| characters[self.below(characters.len())]).collect()
    }
    fn option<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(2) == 0).then(|| make(self))
    }

    pub(super) fn assembly(&mut self) -> Assembly {
        let mut assembly = Assembly::new();
        let meshes: Vec<_> = (0..1 + self.below(4)).map(|_| Arc::new(self.mesh())).collect();
        for number in 0..self.below(4) {
            let file: Arc<Path> = Path::new(&format!("{number}{}", self.text())).into();
            let mut source = Source::new(Arc::clone(&file));
            source.format = self.option(|r| [Format::Stl, Format::Gltf, Format::ThreeMf][r.below(3)]);
            source.unit = self.option(|r| Unit::ALL[r.below(Unit::ALL.len())]);
            source.up = self.option(|r| Axis::ALL[r.below(3)]);
            source.offset = self.option(|r| [0; 3].map(|_| r.number()));
            source.bytes = self.option(Self::bits);
            source.digest = self.option(|r| [0; 32].map(|_| r.bits() as u8));
            source.settings = self.option(|r| r.text().into());
            assembly.sources.push(source);
            for _ in 0..self.below(4) {
                let mesh = Arc::clone(&meshes[self.below(meshes.len())]);
                let quaternion = [0; 4].map(|_| self.below(1000) as f64 - 499.5);
                let pose = Pose::from_quaternion(quaternion, [0; 3].map(|_| self.number())).unwrap();
                let mut part = Part::new(self.text(), Arc::clone(&file), mesh, pose);
                part.path = self.text().into();
                part.guid = self.option(|r| r.text().into());
                part.class = self.option(|r| r.text().into());
                part.baked = self.below(2) == 0;
                part.chord = self.option(|r| r.number().abs());
                part.rounding = self.option(|r| r.number().abs());
                for _ in 0..self.below(4) {
                    match self.below(3) {
                        0 => part.properties.insert(self.text(), self.text()),
                        1 => part.properties.insert(self.text(), self.number()),
                        _ => part.properties.insert(self.text(), self.below(2) == 0),
                    };
                }
                assembly.push(part);
            }
            for _ in 0..self.below(3) {
                assembly.warnings.push(Warning::new(Arc::clone(&file), self.option(Self::text), self.text()));
                let mut omission = match self.below(2) {
                    0 => Omission::left_out(Arc::clone(&file), self.text()),
                    _ => Omission::failed(Arc::clone(&file), self.text()),
                };
                omission.name = self.option(|r| r.text().into());
                omission.guid = self.option(|r| r.text().into());
                omission.class = self.option(|r| r.text().into());
                omission.count = self.bits() as usize;
                assembly.omissions.push(omission);
            }
        }
        assembly
    }

    fn mesh(&mut self) -> Mesh {
        let points: Vec<_> = (0..1 + self.below(20)).map(|_| [0; 3].map(|_| self.number())).collect();
        let count = points.len();
        let triangles = (0..self.below(30)).map(|_| [0; 3].map(|_| self.below(count) as u32)).collect();
        Mesh::new(points, triangles).unwrap()
    }
}
