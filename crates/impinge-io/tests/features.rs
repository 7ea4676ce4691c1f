//! Tests for any set of features: a format is read if its feature is on, and else an error names the feature.
//! `.ci/full` runs this file with each single feature.
use impinge::{Mesh, Pose};
use impinge_io::{Assembly, Axis, Part, Properties, Source, Unit, Warning, write_whole};
use std::path::Path;

/// Types and functions that every build has.
#[test]
fn types_need_no_feature() {
    let mut assembly = Assembly::new();
    assembly.sources.push(Source::new(Path::new("x")).with_unit(Unit::Inch).with_up(Axis::Z));
    assembly.push(Part::new("a", Path::new("x"), Mesh::default(), Pose::IDENTITY).with_property("b", 1.0));
    assembly.warnings.push(Warning::new(Path::new("x"), None, "y"));
    assert_eq!((assembly.sources[0].parts, assembly.triangles()), (1, 0));
    assert!(Properties::new().is_empty());
    let path = std::env::temp_dir().join(format!("impinge-io-features-{}", std::process::id()));
    write_whole(&path, |file| std::io::Write::write_all(file, b"whole")).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"whole");
    std::fs::remove_file(path).unwrap();
}

#[cfg(feature = "_read")]
mod read {
    use impinge_io::{Format, Options, parse, read_from};
    use std::path::Path;

    const STL: &str = "solid s\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n\
                       endfacet\nendsolid\n";
    const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
                       property float z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n\
                       0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    const OFF: &str = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    // The buffer is nine floats: three points.
    const GLTF: &str = r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,
        "uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;

    const DAE: &str = r##"<COLLADA><library_geometries><geometry><mesh><source id="s"><float_array id="a">0 0 0 1 0 0
        0 1 0</float_array><technique_common><accessor source="#a" count="3" stride="3"><param name="X"/>
        <param name="Y"/><param name="Z"/></accessor></technique_common></source><vertices id="v">
        <input semantic="POSITION" source="#s"/></vertices><triangles><input semantic="VERTEX" source="#v"/>
        <p>0 1 2</p></triangles></mesh></geometry></library_geometries></COLLADA>"##;

    /// A bundle if the feature is on; else the first bytes of one.
    fn bundle() -> Vec<u8> {
        #[cfg(feature = "bundle")]
        {
            use impinge::{Mesh, Pose};
            let points = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
            let mesh = Mesh::new(points, vec![[0, 1, 2]]).unwrap();
            let mut assembly = impinge_io::Assembly::new();
            assembly.push(impinge_io::Part::from_mesh("a", mesh, Pose::IDENTITY));
            let mut bytes = Vec::new();
            impinge_io::write_bundle(&assembly, &mut bytes).unwrap();
            bytes
        }
        #[cfg(not(feature = "bundle"))]
        {
            let mut bytes = b"PK\x03\x04".to_vec();
            bytes.resize(30, 0);
            bytes[26] = 13;
            bytes.extend(b"assembly.json");
            bytes
        }
    }

    /// A 3MF package if the feature is on; else the first bytes of a ZIP.
    fn package() -> Vec<u8> {
        #[cfg(feature = "threemf")]
        {
            use std::io::{Cursor, Write};
            let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
            let mut add = |name, text: &str| {
                zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
                zip.write_all(text.as_bytes()).unwrap();
            };
            add("_rels/.rels", r#"<R><Relationship Target="a" Type="/3dmodel"/></R>"#);
            add(
                "a",
                r#"<model><resources><object id="1"><mesh><vertices><vertex x="0" y="0" z="0"/>
                <vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices><triangles>
                <triangle v1="0" v2="1" v3="2"/></triangles></mesh></object></resources>
                <build><item objectid="1"/></build></model>"#,
            );
            zip.finish().unwrap().into_inner()
        }
        #[cfg(not(feature = "threemf"))]
        b"PK\x03\x04".to_vec()
    }

    #[test]
    fn a_format_is_read_if_its_feature_is_on() {
        let mut on = Vec::new();
        for (format, bytes, feature, enabled) in [
            (Format::Stl, STL.into(), "stl", cfg!(feature = "stl")),
            (Format::Obj, OBJ.into(), "obj", cfg!(feature = "obj")),
            (Format::Ply, PLY.into(), "ply", cfg!(feature = "ply")),
            (Format::Off, OFF.into(), "off", cfg!(feature = "off")),
            (Format::Gltf, GLTF.into(), "gltf", cfg!(feature = "gltf")),
            (Format::ThreeMf, package(), "threemf", cfg!(feature = "threemf")),
            (Format::Dae, DAE.into(), "dae", cfg!(feature = "dae")),
            (Format::Bundle, bundle(), "bundle", cfg!(feature = "bundle")),
        ] {
            let name = format!("a.{format}");
            // The format comes from the name, from the content, and from the caller.
            for result in [
                read_from(&bytes[..], &name, None, &Options::new()),
                read_from(&bytes[..], "a", None, &Options::new()),
                parse(format, &bytes, Path::new("a")),
            ] {
                match result {
                    Ok(assembly) => {
                        assert!(enabled, "{format}");
                        // The source of a bundle's part is another file.
                        let of = Some(format).filter(|format| *format != Format::Bundle);
                        assert_eq!((assembly.triangles(), assembly.sources[0].format), (1, of));
                    }
                    Err(error) => {
                        assert!(!enabled && error.is_unsupported(), "{error}");
                        let what = format!(
                            "this build does not read {}: enable the feature '{feature}' of impinge-io",
                            format.name()
                        );
                        assert!(error.text().starts_with(&what), "{error}");
                    }
                }
            }
            if enabled {
                on.push(if format == Format::Gltf { ".gltf, .glb".to_owned() } else { format!(".{format}") });
            }
        }
        // The error lists the formats of this build.
        let error = read_from(&b"?"[..], "a", None, &Options::new()).unwrap_err().to_string();
        assert!(error.ends_with(&format!("; supported are {}", on.join(", "))), "{error}");
    }

    /// `read` takes another code path than `read_from`.
    #[test]
    fn files_are_read_by_path() {
        let path = std::env::temp_dir().join(format!("impinge-io-features-{}.obj", std::process::id()));
        std::fs::write(&path, OBJ).unwrap();
        let result = impinge_io::read(&path);
        std::fs::remove_file(&path).unwrap();
        match result {
            Ok(assembly) => assert!(cfg!(feature = "obj") && assembly.triangles() == 1),
            Err(error) => {
                assert!(!cfg!(feature = "obj") && error.text().contains("the feature 'obj'"), "{error}");
                assert_eq!(error.file(), Some(&*path));
            }
        }
    }
}
