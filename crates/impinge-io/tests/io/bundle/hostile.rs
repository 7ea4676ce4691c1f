//! Damaged and hostile bundles: one error each, no panic, no memory in proportion to a false number.
use super::{describe, entries, load, pack, sample, write};
use crate::{chain, memory::measure, parse};
use impinge_io::{Format::Bundle, Limits};
use std::{path::Path, time::Duration};
use zip::CompressionMethod::{Deflated, Stored};

#[track_caller]
fn refuse(bytes: &[u8]) -> String {
    match parse(Bundle, bytes) {
        Ok(assembly) => panic!("loaded: {assembly:?}"),
        Err(error) => chain(&error),
    }
}

/// The sample's bundle with another document.
fn with_document(change: impl FnOnce(String) -> String) -> Vec<u8> {
    let mut files = entries(&write(&sample()));
    files[0].1 = change(String::from_utf8(files[0].1.clone()).unwrap()).into_bytes();
    pack(&files, Stored)
}

#[test]
fn cut_at_any_byte() {
    let bytes = write(&sample());
    for end in 0..bytes.len() {
        let found = refuse(&bytes[..end]);
        assert!(found.starts_with("dir/file.x: "), "{found}");
    }
}

/// Bytes that a checksum or a hash protects cannot change unseen; others, such as the time of an entry, may.
#[test]
fn any_byte_changed() {
    let bytes = write(&sample());
    let whole = describe(&sample());
    let mut unseen = 0;
    for at in 0..bytes.len() {
        for change in [0x01, 0x02, 0x10, 0x80, 0xFF] {
            let mut bytes = bytes.clone();
            bytes[at] ^= change;
            match parse(Bundle, &bytes) {
                Ok(assembly) => {
                    assert!(describe(&assembly) == whole, "{at} {change}");
                    unseen += 1;
                }
                Err(error) => {
                    let text = chain(&error);
                    assert!(text.starts_with("dir/file.x: ") && !text.contains(char::is_control), "{text:?}");
                }
            }
        }
    }
    assert!(unseen < 5 * bytes.len() / 4, "{unseen}");
}

/// The document, which the package's checksum protects from the tests above.
#[test]
fn documents_cut_and_changed() {
    let files = entries(&write(&sample()));
    let document = &files[0].1;
    let with = |document: Vec<u8>| {
        let mut files = files.clone();
        files[0].1 = document;
        pack(&files, Stored)
    };
    for at in 0..document.len() - 1 {
        let found = refuse(&with(document[..at].to_vec()));
        assert!(found.starts_with("dir/file.x: assembly.json"), "{found}");
        for change in [0x01, 0x10, 0xFF] {
            let mut document = document.clone();
            document[at] ^= change;
            if let Err(error) = parse(Bundle, with(document)) {
                let text = chain(&error);
                assert!(!text.contains(char::is_control), "{text:?}");
            }
        }
    }
}

#[test]
fn an_error_names_the_place_and_the_reason() {
    let replace = |from: &'static str, to: &'static str| {
        with_document(move |text| {
            assert!(text.contains(from), "{from}: {text}");
            text.replacen(from, to, 1)
        })
    };
    let hash = |i: usize| entries(&write(&sample()))[1 + 2 * i].0[7..71].to_owned();
    for (bytes, what) in [
        (
            replace("impinge assembly", "other"),
            "assembly.json: its format is 'other', not 'impinge assembly'",
        ),
        (
            replace("\"format\": \"impinge assembly\",", ""),
            "assembly.json: it has no \"format\": \"impinge assembly\"",
        ),
        (
            replace("\"format_version\": 2", "\"format_version\": 3"),
            "assembly.json: its format_version is 3, and this",
        ),
        (
            replace("\"format_version\": 2", "\"format_version\": 1.5"),
            "assembly.json: its format_version is 1.5, and",
        ),
        (replace("\"format_version\": 2,", ""), "assembly.json: it has no format_version"),
        (
            replace("\"format_version\": 2", "\"format_version\": 1"),
            "assembly.json part 0: it has a key, which version 1 does not define",
        ),
        (replace("\"key\":\"door\",", ""), "assembly.json part 1: it has no key"),
        (
            replace("\"key\":\"door\"", "\"key\":\"gate\""),
            "assembly.json part 1: its key is 'gate', but by its guid and its path it is 'door'",
        ),
        (replace("\"parts\":2", "\"parts\":2,\"colour\":1"), "line 6 column 52: unknown field `colour`"),
        (replace("\"omissions\"", "\"others\":[],\"omissions\""), "unknown field `others`"),
        (replace("\"warnings\": [", "\"parts\": [],\"warnings\": ["), "duplicate field `parts`"),
        (replace("\"name\":\"door\"", "\"path\":\"door\""), "missing field `name`"),
        (
            replace("\"parts\":2", "\"parts\":3"),
            "assembly.json: its sources have 5 parts, but the document lists 4",
        ),
        (replace("\"parts\":2", "\"parts\":18446744073709551615"), "but the document lists 4"),
        (
            replace("\"source\":1", "\"source\":0"),
            "assembly.json part 2: it has source 0, but by the sources'",
        ),
        (replace("\"mesh\":1", "\"mesh\":9"), "assembly.json part 1: it has mesh 9; there are 3, from 0"),
        (replace("\"mesh\":1", "\"mesh\":0"), "assembly.json mesh 1: no part has it"),
        (replace("\"mesh\":1", "\"mesh\":-1"), "invalid value: integer `-1`, expected u64"),
        (replace("[1.0,0.0,0.0,0.0,", "[2.0,0.0,0.0,0.0,"), "assembly.json part 1: its pose is not rigid: "),
        (replace("[1.0,0.0,0.0,0.0,", "[1e999,0.0,0.0,0.0,"), "number out of range"),
        (replace("[1.0,0.0,0.0,0.0,", "[NaN,0.0,0.0,0.0,"), "assembly.json line "),
        (replace("[1.0,0.0,0.0,0.0,", "[0.0,0.0,0.0,"), "invalid length 11"),
        (replace("\"chord\":0.1", "\"chord\":-0.1"), "assembly.json part 0: its chord is less than zero"),
        (replace("\"rounding\":", "\"rounding\":-"), "assembly.json part 0: its rounding is less than zero"),
        (replace("\"Width\":0.1", "\"Width\":null"), "invalid type: null, expected a string, a number"),
        (replace("\"Width\":0.1", "\"Width\":[1]"), "expected a string, a number, true or false"),
        (
            replace("\"Width\":0.1", "\"Width\":{\"number\":\"one\"}"),
            "expected a string, a number, true or false",
        ),
        (
            replace("\"Width\":0.1", "\"LoadBearing\":0.1"),
            "assembly.json part 0: one of its properties occurs twice",
        ),
        (
            replace("\"unit\":\"metre\"", "\"unit\":\"parsec\""),
            "assembly.json source 0: its unit is 'parsec': not a",
        ),
        (replace("\"up\":\"z\"", "\"up\":\"w\""), "assembly.json source 0: its upward axis is 'w'"),
        (
            replace("\"format\":\"stl\"", "\"format\":\"dwg\""),
            "assembly.json source 1: its format is 'dwg': not a",
        ),
        (replace("\"kind\":\"failed\"", "\"kind\":\"lost\""), "assembly.json omission 1: its kind is 'lost'"),
        (replace("\"digest\":\"00", "\"digest\":\"0G"), "expected 64 hexadecimal digits in lower case"),
        (replace("\"points\":4", "\"points\":5"), "f64: it has 96 bytes, but 5 points take 24 each"),
        (replace("\"triangles\":3", "\"triangles\":4"), "u32: it has 36 bytes, but 4 triangles take 12 each"),
        (
            replace("\"points\":4", "\"points\":18446744073709551615"),
            "the file makes more than 5000000 points",
        ),
        (with_document(|text| text.replace(&hash(1), &hash(0))), "assembly.json mesh 1: its hash"),
        (
            with_document(|text| text.replace(&hash(1), &hash(1).replace('a', "b"))),
            "f64: it is missing in the package",
        ),
        (with_document(|_| "[".repeat(1_000_000)), "assembly.json line 1 column"),
        (with_document(|text| format!("{text} {{}}")), "trailing characters"),
        (with_document(|_| "\u{FEFF}{}".to_owned()), "assembly.json line 1 column 1: expected value"),
    ] {
        let found = refuse(&bytes);
        assert!(found.starts_with("dir/file.x: ") && found.contains(what), "{what}\n{found}");
        assert!(found.len() < 600 && !found.contains(char::is_control), "{found:?}");
    }
}

/// Changed entries whose checksums match the change.
#[test]
fn entries_that_do_not_belong_together_are_refused() {
    let files = entries(&write(&sample()));
    let change = |i: usize, change: &dyn Fn(&mut Vec<u8>)| {
        let mut files = files.clone();
        change(&mut files[i].1);
        refuse(&pack(&files, Stored))
    };
    let found = change(1, &|points| points[0] ^= 1);
    assert!(found.contains("assembly.json mesh 0: its points and triangles have the hash "), "{found}");
    let found = change(2, &|triangles| triangles.truncate(24));
    assert!(found.contains("u32: it has 24 bytes, but 3 triangles take 12 each"), "{found}");
    let mut less = files.clone();
    less.remove(2);
    assert!(refuse(&pack(&less, Stored)).contains("u32: it is missing in the package"));
    // Two entries of one name: packs the second one under another name, then changes this name to the first.
    let mut twice = files.clone();
    let mut name = twice[1].0.clone().into_bytes();
    name[70] ^= 1;
    twice.push((String::from_utf8(name.clone()).unwrap(), twice[1].1.clone()));
    let mut bytes = pack(&twice, Stored);
    for at in 0..bytes.len() - name.len() {
        if bytes[at..].starts_with(&name) {
            bytes[at + 70] ^= 1;
        }
    }
    let found = refuse(&bytes);
    assert!(found.contains("its directory has 8 entries, but only 7 names"), "{found}");
}

/// Invalid meshes whose hash is right.
#[test]
fn meshes_with_bad_numbers_are_refused() {
    use sha2::{Digest, Sha256};
    let mesh = |point: f64, index: u32| {
        let points: Vec<u8> = [point; 9].iter().flat_map(|x| x.to_le_bytes()).collect();
        let triangles: Vec<u8> = [0, 1, index].iter().flat_map(|i: &u32| i.to_le_bytes()).collect();
        let hash = Sha256::digest([&3_u64.to_le_bytes()[..], &points, &triangles].concat());
        let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        let document = format!(
            r#"{{"format":"impinge assembly","format_version":1,"writer":"a test","sources":[{{"file":"a","parts":1}}],
            "meshes":[{{"hash":"{hash}","points":3,"triangles":1}}],"warnings":[],"omissions":[],
            "parts":[{{"name":"a","source":0,"mesh":0,"pose":[1,0,0,0,0,1,0,0,0,0,1,0],"properties":{{"n":3}}}}]}}"#
        );
        pack(
            &[
                ("assembly.json".to_owned(), document.into_bytes()),
                (format!("meshes/{hash}.f64"), points),
                (format!("meshes/{hash}.u32"), triangles),
            ],
            Stored,
        )
    };
    let good = load(&mesh(1.0, 2));
    assert_eq!(good.parts[0].properties.get("n").and_then(|n| n.as_number()), Some(3.0));
    for bytes in [mesh(f64::NAN, 2), mesh(f64::INFINITY, 2), mesh(1.0, 3)] {
        let found = refuse(&bytes);
        assert!(found.contains("assembly.json mesh 0: its points and triangles are no mesh: "), "{found}");
    }
}

#[test]
fn bombs_are_refused_at_little_cost() {
    // A gigabyte of spaces packs to a megabyte. These are 64 MiB.
    let spaces = vec![("assembly.json".to_owned(), vec![b' '; 64 << 20])];
    let spaces = pack(&spaces, Deflated);
    let (found, most, time) = measure(|| refuse(&spaces));
    assert!(found.contains("assembly.json: the file makes more than 33554432 bytes by unpacking"), "{found}");
    assert!(most < 160 << 20 && time < Duration::from_secs(3), "{most} bytes, {time:?}");
    // A mesh of zeros whose size is right: the limit of points applies.
    let mut files = entries(&write(&sample()));
    files[0].1 = String::from_utf8(files[0].1.clone())
        .unwrap()
        .replacen("\"points\":4", "\"points\":5000001", 1)
        .into();
    files[1].1 = vec![0; 24 * 5_000_001];
    let bomb = pack(&files, Deflated);
    let (found, most, time) = measure(|| refuse(&bomb));
    assert!(found.contains("the file makes more than 5000000 points"), "{found}");
    assert!(most < 1 << 21 && time < Duration::from_secs(2), "{most} bytes, {time:?}");
    // A size that only the directory states.
    let mut files = entries(&write(&sample()));
    files[0].1 = String::from_utf8(files[0].1.clone())
        .unwrap()
        .replacen("\"points\":4", "\"points\":4000000", 1)
        .into();
    let mut bytes = pack(&files, Stored);
    let at = (0..bytes.len()).rfind(|&i| bytes[i..].starts_with(files[1].0.as_bytes())).unwrap();
    bytes[at - 46 + 20..at - 46 + 28].copy_from_slice(&[96_000_000_u32.to_le_bytes(); 2].concat());
    let (found, most, time) = measure(|| refuse(&bytes));
    assert!(most < 64 << 20 && time < Duration::from_secs(2), "{found}: {most} bytes, {time:?}");
    let limits = impinge_io::Options::new().with_limits(Limits::NONE);
    assert!(impinge_io::parse_with(Bundle, &bytes, Path::new("a"), &limits).is_err());
}
